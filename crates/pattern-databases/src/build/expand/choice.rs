//! The choice of an expander for a ranking.

use std::sync::Arc;

use crate::backward::Backward;
use crate::build::expand::SharedExpander;
use crate::build::expand::moves::MoveExpander;
use crate::build::expand::oriented_pieces::PieceExpander;
use crate::build::expand::singles::SingleExpander;
use crate::build::expand::states::StateExpander;
use crate::build::expand::symmetric_pieces::SymmetricExpander;
use crate::build::expand::tables::TableExpander;
use crate::ranking::Ranking;

/// Return the first expander that fits. Tables for it may take `room` bytes.
pub(crate) fn expander_for<'r>(
    ranking: &'r Ranking,
    rules: &[Backward],
    room: Option<u64>,
) -> SharedExpander<'r> {
    let is_constrained = rules.iter().any(|rule| !rule.forbidden.is_empty());
    if !is_constrained && let Some(expander) = SymmetricExpander::new(ranking, rules) {
        return Arc::new(expander);
    }
    if let Some(expander) = TableExpander::new(ranking, rules, room) {
        return Arc::new(expander);
    }
    if is_constrained {
        return Arc::new(StateExpander::new(ranking, rules));
    }
    if let Some(expander) = PieceExpander::new(ranking, rules) {
        return Arc::new(expander);
    }
    let moves = ranking.as_partial_permutation();
    match moves.and_then(|places| MoveExpander::new(places, rules)) {
        Some(moves) => match SingleExpander::new(&moves) {
            Some(singles) => Arc::new(singles),
            None => Arc::new(moves),
        },
        None => Arc::new(StateExpander::new(ranking, rules)),
    }
}
