//! Building a table from an abstract game and a ranking.

mod blank_regions;
mod counting;
pub(crate) mod elsewhere;
pub(crate) mod expand;
mod levels;
pub(crate) mod reach;
mod state_rule;
mod two_bit;
pub(crate) mod whole_space;
pub(crate) mod work;

use std::iter::zip;
use std::sync::Arc;

use abstraction::{AbstractGame, RuleCounts};
use psvn_ir::{CanonicalRule, Game};
use search::GoalStates;

use crate::backward::Backward;
use crate::build::blank_regions::Regions;
use crate::build::expand::SharedExpander;
use crate::build::expand::choice::expander_for;
use crate::build::expand::moves::MoveExpander;
use crate::build::levels::{ByteEntry, Entry, Levels, ShortEntry};
use crate::progress::{BuildError, Options, Reporter};
use crate::ranking::listed::Listed;
use crate::ranking::partial_permutation::PartialPermutation;
use crate::ranking::{Factor, Ranking};
use crate::table::Table;

/// The maximum number of rules of an abstract game that is run backwards.
const MOST_BACKWARD_RULES: usize = 4_000_000;
/// The maximum number of goal states that are listed, rather than searched for among all ranks.
const MOST_LISTED_GOALS: u128 = 1 << 22;

/// The number of ranks that are searched for goals between two checks of the limits.
const GOALS_PER_LOOK: u64 = 1 << 14;

/// The maximum bytes for a list of states if nearly all ranks are likely to be states. The list is
/// only tried briefly, for games in which rules change very little.
const MOST_LISTED_IF_TIGHT: u64 = 4 << 20;

/// The number of ranks above which states are listed even without a limit on memory.
const MOST_RANKS: u128 = 1 << 34;

/// The bytes for each rule of an abstract game and each backward rule while both are made, and the
/// further bytes for each of their variables.
const BYTES_OF_RULE: u128 = 400;
const BYTES_OF_CELL: u128 = 80;
/// The maximum number of rules whose memory is negligible.
const FEW_RULES: u128 = 1000;

/// Return the bytes that the rules of an abstract game take while a table is built, if they are
/// many.
pub(crate) fn bytes_of_rules(counts: &RuleCounts, n_variables: usize) -> u128 {
    let n = counts.forward.saturating_add(counts.backward);
    if n <= FEW_RULES {
        return 0;
    }
    n.saturating_mul(BYTES_OF_RULE + BYTES_OF_CELL * n_variables as u128)
}

/// Return whether [`Plan::new`] may refuse the rules because they are too many when run backwards.
pub(crate) fn may_be_too_many(counts: &RuleCounts) -> bool {
    counts.backward > MOST_BACKWARD_RULES as u128
}

/// Return the bytes of a level-by-level search with entries of one byte.
pub(crate) fn bytes_of_levels(n_ranks: u128) -> u128 {
    levels::bytes_needed::<ByteEntry>(n_ranks)
}

/// A table with the data needed to read it.
pub(crate) struct Built {
    pub(crate) table: Table,
    pub(crate) ranking: Ranking,
    /// The cost of one step.
    pub(crate) unit: u64,
    /// Whether some distance was too large to be stored.
    pub(crate) is_saturated: bool,
}

/// The plan of a table: what to build, and how much memory it takes.
pub(crate) struct Plan {
    /// The ranking that is searched.
    pub(crate) ranking: Ranking,
    /// The ranking of the table, if several ranks share an entry: those of its first items.
    pub(crate) shared: Option<Ranking>,
    /// The search by regions, if it fits.
    regions: Option<Regions>,
    pub(crate) rules: Vec<Backward>,
    pub(crate) unit: u64,
}

impl Plan {
    /// Prepare a table. With `n_kept`, only the first items of a ranking by places are kept, if
    /// possible.
    pub(crate) fn new(
        abstract_game: &AbstractGame,
        ranking: Ranking,
        n_kept: Option<usize>,
    ) -> Result<Self, BuildError> {
        if abstract_game.game().goals().is_empty() {
            return Err(BuildError::NoGoal);
        }
        let rules = abstract_game.game().backward_rules(MOST_BACKWARD_RULES)?;
        let costs = rules.iter().map(|rule| rule.canonical.cost());
        let unit = psvn_ir::common_divisor(costs).max(1);
        let rules: Vec<Backward> = rules
            .into_iter()
            .map(|rule| Backward {
                cost: rule.canonical.cost() / unit,
                source: rule.source,
                forbidden: Vec::new(),
                rule: rule.canonical,
            })
            .collect();
        let shared = n_kept.and_then(|n| {
            let places = ranking.as_partial_permutation()?;
            let fits = n < places.items.len()
                && rules.iter().all(|rule| rule.cost <= 1)
                && MoveExpander::new(places, &rules).is_some();
            fits.then(|| {
                let kept = places.first_items(n);
                Ranking::new(
                    ranking.n_variables(),
                    vec![Factor::PartialPermutation(kept)],
                )
            })
        });
        let kept = shared.as_ref().and_then(Ranking::as_partial_permutation);
        let regions =
            kept.and_then(|kept| Regions::new(ranking.as_partial_permutation()?, kept, &rules));
        Ok(Self {
            ranking,
            shared,
            regions,
            rules,
            unit,
        })
    }

    /// Return the number of entries of the table.
    pub(crate) fn n_entries(&self) -> u128 {
        self.shared.as_ref().unwrap_or(&self.ranking).size()
    }

    /// Return the bytes that building needs, for entries of one byte.
    pub(crate) fn bytes_needed(&self) -> u128 {
        match (&self.shared, &self.regions) {
            (None, _) => {
                bytes_of_levels(self.ranking.size()).saturating_add(self.ranking.class_bytes())
            }
            (Some(_), Some(regions)) => regions.bytes_needed(),
            (Some(shared), None) => two_bit::bytes_needed(self.ranking.size(), shared.size()),
        }
    }

    /// Return whether entries of two bytes may be tried if one byte is too few.
    pub(crate) fn may_have_shorts(&self, options: &Options<'_>) -> bool {
        let needed = levels::bytes_needed::<ShortEntry>(self.ranking.size());
        options.check_memory(needed.saturating_mul(2)).is_ok()
    }

    /// Estimate how many steps of a nanosecond building takes for this abstract game.
    ///
    /// `admits` returns whether the game may have a state; `is_constrained` says that a search
    /// doesn't reach many others.
    pub(crate) fn work(
        &self,
        game: &Game,
        admits: impl FnMut(&[u32]) -> bool,
        is_constrained: bool,
    ) -> u128 {
        match self.regions {
            // All places of the free value in one step.
            Some(_) => self.ranking.size().saturating_mul(work::REGION),
            None => {
                let rules: Vec<&CanonicalRule> = self.rules.iter().map(|it| &it.rule).collect();
                work::of_rules(game, &self.ranking, &rules, admits, is_constrained)
            }
        }
    }

    pub(crate) fn build(mut self, game: &Game, options: &Options<'_>) -> Result<Built, BuildError> {
        let too_large = options.check_memory(self.bytes_needed()).is_err();
        if self.shared.is_none() && (too_large || self.ranking.size() > MOST_RANKS) {
            // There may be far fewer states than ranks.
            let reporter = Reporter::new(options, self.unit, u64::MAX);
            let most = if self.ranking.is_tight() {
                Some(MOST_LISTED_IF_TIGHT)
            } else {
                options.memory()
            };
            let listed = Listed::reach(game, &self.rules, &self.ranking, most, &reporter)?;
            if let Some(listed) = listed {
                let factors = vec![Factor::Listed(listed)];
                self.ranking = Ranking::new(self.ranking.n_variables(), factors);
            }
        }
        let needed = self.bytes_needed();
        options.check_memory(needed)?;
        let n = u64::try_from(self.ranking.size()).map_err(|_| BuildError::OutOfMemory(needed))?;
        if n > 1 << 44 {
            return Err(BuildError::OutOfMemory(needed));
        }
        let reporter = Reporter::new(options, self.unit, n);
        if self.shared.is_some() {
            return self.build_shared(game, options.memory(), &reporter);
        }
        let room = options
            .memory()
            .map(|limit| limit.saturating_sub(needed as u64));
        let expander = expander_for(&self.ranking, &self.rules, room);
        self.build_levels(&expander, game, n, options, &reporter)
    }

    fn build_shared(
        &self,
        game: &Game,
        memory: Option<u64>,
        reporter: &Reporter<'_>,
    ) -> Result<Built, BuildError> {
        let shared = self.shared.as_ref();
        let shared = shared.expect("called only where entries are shared");
        let places = self.ranking.as_partial_permutation();
        let places = places.expect("entries are shared only where states are ranked by places");
        let entries = self.shared_entries(game, places, self.regions.as_ref(), memory, reporter)?;
        Ok(Built {
            is_saturated: entries.contains(&two_bit::MAX),
            table: Table::from_bytes(entries),
            ranking: shared.clone(),
            unit: self.unit,
        })
    }

    /// Find the distances of entries that several ranks share: by regions, or else rank by rank.
    fn shared_entries(
        &self,
        game: &Game,
        places: &PartialPermutation,
        regions: Option<&Regions>,
        memory: Option<u64>,
        reporter: &Reporter<'_>,
    ) -> Result<Vec<u8>, BuildError> {
        let n = self.ranking.size() as u64;
        let goals = |each: &mut dyn FnMut(u64)| goal_ranks(game, &self.ranking, n, reporter, each);
        if let Some(regions) = regions {
            return regions.distances(&goals, memory, reporter);
        }
        let moves = MoveExpander::new(places, &self.rules);
        let moves = moves.expect("entries are shared only where rules move values");
        let expander: SharedExpander<'_> = Arc::new(moves);
        let per_entry = n / (self.n_entries() as u64).max(1);
        two_bit::distances(&expander, n, per_entry, &goals, reporter)
    }

    fn build_levels<'r>(
        &'r self,
        expander: &SharedExpander<'r>,
        game: &Game,
        n: u64,
        options: &Options<'_>,
        reporter: &Reporter<'_>,
    ) -> Result<Built, BuildError> {
        let goals = |each: &mut dyn FnMut(u64)| goal_ranks(game, &self.ranking, n, reporter, each);
        let greatest = self.rules.iter().map(|rule| rule.cost).max().unwrap_or(0);
        let found: Levels<ByteEntry> = levels::levels(expander, n, &goals, greatest, reporter)?;
        let (table, is_saturated) = if found.is_saturated && self.may_have_shorts(options) {
            drop(found);
            let reporter = Reporter::new(options, self.unit, n);
            let found: Levels<ShortEntry> =
                levels::levels(expander, n, &goals, greatest, &reporter)?;
            let entries: Vec<u16> = found
                .entries
                .iter()
                .map(|entry| entry.get() as u16)
                .collect();
            (Table::from_shorts(&entries), found.is_saturated)
        } else {
            // In place: there may be no memory for a copy.
            let entries = found.entries.into_iter();
            let entries = entries.map(|entry| entry.get() as u8).collect();
            (Table::from_bytes(entries), found.is_saturated)
        };
        Ok(Built {
            table,
            ranking: self.ranking.clone(),
            unit: self.unit,
            is_saturated,
        })
    }
}

/// Return the values of a state as numbers.
pub(crate) fn numbers(state: &[psvn_ir::Value]) -> Vec<u32> {
    state.iter().map(|value| value.0).collect()
}

/// Call `each` with the rank of every goal state, until the work must stop.
fn goal_ranks(
    game: &Game,
    ranking: &Ranking,
    n: u64,
    reporter: &Reporter<'_>,
    each: &mut dyn FnMut(u64),
) {
    let listed = GoalStates::count_all(game).is_some_and(|n| n <= MOST_LISTED_GOALS);
    if listed {
        for state in GoalStates::of(game) {
            if let Some(rank) = ranking.rank_of(&numbers(state.values())) {
                each(rank);
            }
        }
        return;
    }
    let mut state = vec![0; ranking.n_variables()];
    let mut values = vec![psvn_ir::Value(0); ranking.n_variables()];
    for rank in 0..n {
        // The search itself reports that it stopped.
        if rank % GOALS_PER_LOOK == 0 && reporter.poll().is_err() {
            return;
        }
        ranking.unrank(rank, &mut state);
        for (value, number) in zip(&mut values, &state) {
            *value = psvn_ir::Value(*number);
        }
        if game.is_goal(&values) {
            each(rank);
        }
    }
}

/// Return the entries of a table of single values that share costs, by regions and rank by rank.
/// `None` if no value moves freely.
#[cfg(test)]
pub(crate) fn by_regions_and_ranks(
    plan: &Plan,
    game: &Game,
    options: &Options<'_>,
) -> Result<Option<[Vec<u8>; 2]>, BuildError> {
    let n = plan.ranking.size() as u64;
    let reporter = Reporter::new(options, plan.unit, n);
    let places = plan.ranking.as_partial_permutation();
    let (Some(regions), Some(places)) = (&plan.regions, places) else {
        return Ok(None);
    };
    let entries = |regions| plan.shared_entries(game, places, regions, None, &reporter);
    Ok(Some([entries(Some(regions))?, entries(None)?]))
}
