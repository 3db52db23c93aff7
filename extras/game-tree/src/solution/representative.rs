//! Positions that count as one.

use std::borrow::Cow;
use std::fmt;

use psvn_ir::State;

/// The representative of each position: itself, or one for all images under symmetries.
///
/// The images of a position must be equally good for the player to move, and moves from them must
/// lead to images.
pub struct Representative<'a>(Option<Box<Choose<'a>>>);

type Choose<'a> = dyn Fn(&State) -> State + Send + Sync + 'a;

impl<'a> Representative<'a> {
    /// Make every position represent itself.
    pub fn itself() -> Self {
        Self(None)
    }

    /// Use the representatives that a function chooses.
    pub fn chosen_by(choose: impl Fn(&State) -> State + Send + Sync + 'a) -> Self {
        Self(Some(Box::new(choose)))
    }

    pub(crate) fn is_itself(&self) -> bool {
        self.0.is_none()
    }

    pub(crate) fn of<'s>(&self, state: &'s State) -> Cow<'s, State> {
        match &self.0 {
            None => Cow::Borrowed(state),
            Some(choose) => Cow::Owned(choose(state)),
        }
    }
}

impl fmt::Debug for Representative<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_itself() { "itself" } else { "chosen" };
        write!(f, "Representative({kind})")
    }
}
