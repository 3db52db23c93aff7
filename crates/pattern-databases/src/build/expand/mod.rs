//! Predecessors by rank: from a rank to the ranks from which a rule leads there.
//!
//! The first of six expanders that fits is used: [`symmetric_pieces`] for ranks of pieces up to
//! symmetries; [`tables`] where a rule acts on the factors of the ranking one by one, so that its
//! effect on each is looked up (Hanoi's disks, a cube's pieces and their orientations);
//! [`oriented_pieces`] for ranks of some pieces among others (edges of a cube); [`singles`] where
//! the ranks are the few places of values that occur once each, and rules move them (tiles,
//! pancakes, TopSpin); [`moves`] where there are more places, or values that look alike; and
//! [`states`], which makes the states, for everything else.

pub(crate) mod moves;
pub(crate) mod oriented_pieces;
pub(crate) mod singles;
pub(crate) mod states;
pub(crate) mod symmetric_pieces;
pub(crate) mod tables;
#[cfg(test)]
mod tests;

use crate::backward::Backward;
use crate::build::expand::moves::MoveExpander;
use crate::build::expand::oriented_pieces::PieceExpander;
use crate::build::expand::singles::SingleExpander;
use crate::build::expand::states::StateExpander;
use crate::build::expand::symmetric_pieces::SymmetricExpander;
use crate::build::expand::tables::TableExpander;
use crate::ranking::Ranking;

/// The most values that are moved by [`SingleExpander`].
pub(crate) const MOST_SINGLES: usize = 16;

/// Makes the predecessors of ranked states.
pub(crate) trait Expander: Sync {
    /// The scratch memory of one thread.
    type Scratch: Send;

    fn scratch(&self) -> Self::Scratch;

    /// Call `each` with the rank of each predecessor and the cost of the step from there.
    fn expand(&self, rank: u64, scratch: &mut Self::Scratch, each: impl FnMut(u64, u64));
}

/// What is done with an expander, whichever it is.
pub(crate) trait WithExpander<'r> {
    type Output;

    fn run<X: Expander<Scratch: 'r> + 'r>(self, expander: X) -> Self::Output;
}

/// Do something with the first expander that fits. Tables for it may take `room` bytes.
pub(crate) fn with_expander<'r, W: WithExpander<'r>>(
    ranking: &'r Ranking,
    rules: &[Backward],
    room: Option<u64>,
    then: W,
) -> W::Output {
    if let Some(expander) = SymmetricExpander::new(ranking, rules) {
        return then.run(expander);
    }
    if let Some(expander) = TableExpander::new(ranking, rules, room) {
        return then.run(expander);
    }
    if let Some(expander) = PieceExpander::new(ranking, rules) {
        return then.run(expander);
    }
    let moves = ranking.as_partial_permutation();
    if let Some(expander) = moves.and_then(|places| MoveExpander::new(places, rules)) {
        return match SingleExpander::<MOST_SINGLES>::new(&expander) {
            Some(singles) => then.run(singles),
            None => then.run(expander),
        };
    }
    then.run(StateExpander::new(ranking, rules))
}
