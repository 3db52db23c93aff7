//! Visits to all ranks level by level, without a table of distances.

use psvn_ir::{Game, State};
use search::GoalStates;

use crate::build::expand::moves::MoveExpander;
use crate::build::expand::oriented_pieces::PieceExpander;
use crate::build::expand::singles::SingleExpander;
use crate::build::expand::states::StateExpander;
use crate::build::expand::tables::TableExpander;
use crate::build::{MOST_SINGLES, Plan, goal_ranks, two_bit};
use crate::progress::{BuildError, Options, Reporter};

/// The parities are compared for at most this many goal states.
const MOST_PARITIES: u128 = 1 << 10;

impl Plan {
    /// Return how many ranks a search of all states visits, and its bytes at two bits for each
    /// rank.
    pub(crate) fn ranks_of_two_bits(&self, game: &Game) -> (u128, u128) {
        let n = match self.halved(game) {
            Some(_) => self.ranking.size() / 2,
            None => self.ranking.size(),
        };
        (n, two_bit::bytes_needed(n, 0))
    }

    /// Return the moves of single values over half of the ranks, if only those belong to states.
    fn halved(&self, game: &Game) -> Option<SingleExpander<MOST_SINGLES>> {
        let moves = MoveExpander::new(self.ranking.as_partial_permutation()?, &self.rules)?;
        let singles = SingleExpander::new(&moves)?;
        if GoalStates::count_all(game).is_none_or(|n| n > MOST_PARITIES) {
            return None;
        }
        let rank = |state: State| self.ranking.rank(|var| state.values()[var].0);
        let goals: Option<Vec<u64>> = GoalStates::of(game).map(rank).collect();
        singles.halved(&goals?)
    }

    /// Visit all ranks, and count moves instead of costs: see [`two_bit::levels_only`].
    pub(crate) fn count_levels(
        &mut self,
        game: &Game,
        options: &Options<'_>,
        n_listed: usize,
        last: Option<u64>,
        goes_on: &mut dyn FnMut(Vec<u64>) -> bool,
    ) -> Result<(), BuildError> {
        for rule in &mut self.rules {
            rule.cost = 1;
        }
        let (n_ranks, needed) = self.ranks_of_two_bits(game);
        options.check_memory(needed)?;
        let whole = self.ranking.size();
        let n = |size: u128| u64::try_from(size).map_err(|_| BuildError::OutOfMemory(needed));
        let (n, whole) = (n(n_ranks)?, n(whole)?);
        let reporter = Reporter::new(options, 1, n);
        let goals = |each: &mut dyn FnMut(u64)| {
            goal_ranks(game, &self.ranking, whole, &reporter, each);
        };
        if let Some(expander) = self.halved(game) {
            let goals = |each: &mut dyn FnMut(u64)| goals(&mut |rank| each(rank / 2));
            let goes_on = |ranks: Vec<u64>| {
                let whole = ranks.into_iter().map(|rank| expander.whole_rank(rank));
                goes_on(whole.collect())
            };
            return two_bit::levels_only(&expander, n, goals, &reporter, n_listed, last, goes_on);
        }
        let room = options
            .memory()
            .map(|limit| limit.saturating_sub(needed as u64));
        if let Some(expander) = TableExpander::new(&self.ranking, &self.rules, room) {
            return two_bit::levels_only(&expander, n, goals, &reporter, n_listed, last, goes_on);
        }
        if let Some(expander) = PieceExpander::new(&self.ranking, &self.rules) {
            return two_bit::levels_only(&expander, n, goals, &reporter, n_listed, last, goes_on);
        }
        let moves = self.ranking.as_partial_permutation();
        if let Some(expander) = moves.and_then(|places| MoveExpander::new(places, &self.rules)) {
            if let Some(expander) = SingleExpander::<MOST_SINGLES>::new(&expander) {
                return two_bit::levels_only(
                    &expander, n, goals, &reporter, n_listed, last, goes_on,
                );
            }
            return two_bit::levels_only(&expander, n, goals, &reporter, n_listed, last, goes_on);
        }
        let expander = StateExpander::new(&self.ranking, &self.rules);
        two_bit::levels_only(&expander, n, goals, &reporter, n_listed, last, goes_on)
    }
}
