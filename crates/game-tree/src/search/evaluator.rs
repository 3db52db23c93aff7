//! The value of a position that isn't searched any further.

use psvn_ir::{Value, VarId};

use crate::form::Form;
use crate::game::turn::Player;
use crate::search::score::Score;

/// A position as an evaluator sees it.
pub struct View<'a> {
    pub(crate) form: &'a Form,
    pub(crate) words: &'a [u64],
    pub(crate) player: Player,
}

impl View<'_> {
    /// Who is to move.
    #[inline(always)]
    pub fn player(&self) -> Player {
        self.player
    }

    /// How many goals a player may still reach: those that ask for no value of a variable that
    /// can't be reached any more from the one that it has. On a board that is filled with marks,
    /// these are the lines without a mark of the opponent (`nc` in "Algorithms in a Nutshell",
    /// chapter 7).
    #[inline(always)]
    pub fn open_goals(&self, player: Player) -> u32 {
        self.form.goals[player.index()].open(|word| self.words[word])
    }

    /// The value of a variable.
    ///
    /// # Panics
    /// When the evaluator doesn't say that it [needs values](Evaluator::needs_values), or there is
    /// no such variable.
    pub fn value(&self, variable: VarId) -> Value {
        let packed = self.form.packed.as_ref();
        let (first, packing) = packed.expect("an evaluator says that it needs values");
        packing.value(variable.index(), |word| self.words[first + word])
    }
}

/// Says what a position is worth to the player who is to move.
///
/// The searches are compiled once and call it, which costs little beside what it computes.
pub trait Evaluator: Send + Sync {
    /// Whether [`View::value`] is used. Positions take more room then.
    fn needs_values(&self) -> bool {
        false
    }

    /// The worth to the player to move. It is taken as ±[`MAX_EVALUATION`](crate::MAX_EVALUATION)
    /// if it lies beyond. Must be the same whenever it is asked.
    ///
    /// Won and drawn positions aren't asked about.
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

/// The goals that are open to the player to move, less those open to the opponent:
/// `BoardEvaluation` in "Algorithms in a Nutshell", chapter 7, after Nilsson 1971.
#[derive(Clone, Copy, Debug, Default)]
pub struct BoardEvaluation;

impl Evaluator for BoardEvaluation {
    fn evaluate(&self, view: &View<'_>) -> Score {
        let own = view.open_goals(view.player());
        let their = view.open_goals(view.player().other());
        own as Score - their as Score
    }
}

/// Nothing is known of positions that aren't won or drawn: all are worth 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEvaluation;

impl Evaluator for NoEvaluation {
    fn evaluate(&self, _: &View<'_>) -> Score {
        0
    }
}
