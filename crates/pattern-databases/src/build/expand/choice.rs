//! The choice of an expander for a ranking.

use crate::backward::Backward;
use crate::build::expand::moves::MoveExpander;
use crate::build::expand::oriented_pieces::PieceExpander;
use crate::build::expand::singles::SingleExpander;
use crate::build::expand::states::StateExpander;
use crate::build::expand::symmetric_pieces::SymmetricExpander;
use crate::build::expand::tables::TableExpander;
use crate::build::expand::{Expander, MOST_SINGLES};
use crate::ranking::Ranking;

/// Work that can be done with any expander.
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
    let is_constrained = rules.iter().any(|rule| !rule.forbidden.is_empty());
    if is_constrained {
        return match TableExpander::new(ranking, rules, room) {
            Some(expander) => then.run(expander),
            None => then.run(StateExpander::new(ranking, rules)),
        };
    }
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
