//! The value of a position that isn't searched further.

use psvn_ir::{Value, VarId};

use crate::form::Form;
use crate::game::turn::Player;
use crate::search::score::Score;

/// An evaluator's view of a position.
pub struct View<'a> {
    pub(crate) form: &'a Form,
    pub(crate) words: &'a [u64],
    pub(crate) player: Player,
}

impl View<'_> {
    /// Return the player to move.
    #[inline(always)]
    pub fn player(&self) -> Player {
        self.player
    }

    /// Return how many goals a player may still reach: those that require no value that its
    /// variable can no longer reach. On a board that is filled with marks, these are the lines
    /// without a mark of the opponent (`nc` in "Algorithms in a Nutshell", chapter 7).
    #[inline(always)]
    pub fn open_goals(&self, player: Player) -> u32 {
        self.form.goals[player.index()].open(|word| self.words[word])
    }

    /// Return the value of a variable.
    ///
    /// # Panics
    /// If the evaluator doesn't declare that it [needs values](Evaluator::needs_values), or there
    /// is no such variable.
    pub fn value(&self, variable: VarId) -> Value {
        let packed = self.form.packed.as_ref();
        let (first, packing) = packed.expect("an evaluator says that it needs values");
        packing.value(variable.index(), |word| self.words[first + word])
    }
}

/// Evaluates a position for the player to move.
///
/// The searches call it through a pointer, which costs little compared with its work.
pub trait Evaluator: Send + Sync {
    /// Return whether [`View::value`] is used. Positions then take more memory.
    fn needs_values(&self) -> bool {
        false
    }

    /// Return the value for the player to move, capped at
    /// ±[`MAX_EVALUATION`](crate::MAX_EVALUATION). It must be the same on every call.
    ///
    /// Not called for won and drawn positions.
    fn evaluate(&self, view: &View<'_>) -> Score;
}

impl<E: Evaluator + ?Sized> Evaluator for Box<E> {
    fn needs_values(&self) -> bool {
        (**self).needs_values()
    }

    fn evaluate(&self, view: &View<'_>) -> Score {
        (**self).evaluate(view)
    }
}

/// The number of open goals of the player to move, less those of the opponent: `BoardEvaluation` in
/// "Algorithms in a Nutshell", chapter 7, after Nilsson 1971.
#[derive(Clone, Copy, Debug, Default)]
pub struct BoardEvaluation;

impl Evaluator for BoardEvaluation {
    fn evaluate(&self, view: &View<'_>) -> Score {
        let own = view.open_goals(view.player());
        let their = view.open_goals(view.player().other());
        own as Score - their as Score
    }
}

/// An evaluator without knowledge: all positions that aren't won or drawn have the value 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEvaluation;

impl Evaluator for NoEvaluation {
    fn evaluate(&self, _: &View<'_>) -> Score {
        0
    }
}
