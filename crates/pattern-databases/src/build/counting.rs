//! Visits to all ranks level by level, without a table of distances.

use std::sync::Arc;

use psvn_ir::{Game, State};
use search::GoalStates;

use crate::build::expand::SharedExpander;
use crate::build::expand::choice::expander_for;
use crate::build::expand::moves::MoveExpander;
use crate::build::expand::singles::SingleExpander;
use crate::build::two_bit::{EachRank, First, Mark};
use crate::build::{Plan, goal_ranks, numbers, two_bit};
use crate::progress::{BuildError, Options, Reporter};

/// The maximum number of goal states whose parities are compared.
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
    fn halved(&self, game: &Game) -> Option<SingleExpander> {
        let moves = MoveExpander::new(self.ranking.as_partial_permutation()?, &self.rules)?;
        let singles = SingleExpander::new(&moves)?;
        if GoalStates::count_all(game).is_none_or(|n| n > MOST_PARITIES) {
            return None;
        }
        let rank = |state: State| self.ranking.rank_of(&numbers(state.values()));
        let goals: Option<Vec<u64>> = GoalStates::of(game).map(rank).collect();
        singles.halved(&goals?)
    }

    /// Visit all ranks, and count moves instead of costs: see [`two_bit::levels_only`]. Without
    /// first ranks, begin with the goals.
    pub(crate) fn count_levels(
        &mut self,
        game: &Game,
        first: Option<&First<'_>>,
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
        let goals = |each: EachRank<'_>| {
            let mut each = |rank| each(rank, Mark::Open);
            goal_ranks(game, &self.ranking, whole, &reporter, &mut each);
        };
        let goals = First::goals(&goals);
        let first = first.unwrap_or(&goals);
        if let Some(expander) = self.halved(game).map(Arc::new) {
            let mark = |each: EachRank<'_>| (first.mark)(&|rank, mark| each(rank / 2, mark));
            let first = First {
                mark: &mark,
                ..*first
            };
            let mut goes_on = |ranks: Vec<u64>| {
                let whole = ranks.into_iter().map(|rank| expander.whole_rank(rank));
                goes_on(whole.collect())
            };
            let halves: SharedExpander<'_> = expander.clone();
            let goes_on = &mut goes_on;
            return two_bit::levels_only(&halves, n, &first, &reporter, n_listed, last, goes_on);
        }
        let room = options
            .memory()
            .map(|limit| limit.saturating_sub(needed as u64));
        let expander = expander_for(&self.ranking, &self.rules, room);
        two_bit::levels_only(&expander, n, first, &reporter, n_listed, last, goes_on)
    }
}
