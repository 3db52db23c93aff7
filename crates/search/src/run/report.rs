//! Reports of searches.

use std::time::Duration;

use psvn_ir::{Game, RuleId};

use crate::best_first::BestFirstCounts;
use crate::run::limits::StopReason;
use crate::run::options::CycleDetection;
use crate::transposition::counts::TableCounts;

/// The counts of one depth of a tree.
///
/// The counts are 64 bits wide: each one grows by steps of 1, and 2^64 steps of a nanosecond take
/// 584 years. Sums of several counts are 128 bits wide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(schemars::JsonSchema, serde::Serialize, serde::Deserialize)
)]
pub struct LevelCount {
    /// Nodes of this depth that were generated.
    #[cfg_attr(
        feature = "serde",
        serde(with = "budget::exact_number"),
        schemars(with = "budget::Exact")
    )]
    pub generated: u64,
    /// Nodes of this depth that were expanded.
    #[cfg_attr(
        feature = "serde",
        serde(with = "budget::exact_number"),
        schemars(with = "budget::Exact")
    )]
    pub expanded: u64,
    /// Would-be nodes of this depth that the machine forbade, though their rule applies.
    #[cfg_attr(
        feature = "serde",
        serde(with = "budget::exact_number"),
        schemars(with = "budget::Exact")
    )]
    pub pruned_by_machine: u64,
    /// Would-be nodes of this depth that the machine allowed and cycle detection left out.
    #[cfg_attr(
        feature = "serde",
        serde(with = "budget::exact_number"),
        schemars(with = "budget::Exact")
    )]
    pub pruned_by_cycle: u64,
    /// Nodes of this depth that passed both tests and exceed a bound by cost. A search for a
    /// solution, which has to estimate them, counts them as generated too; a count of a tree
    /// doesn't.
    #[cfg_attr(
        feature = "serde",
        serde(with = "budget::exact_number"),
        schemars(with = "budget::Exact")
    )]
    pub beyond_bound: u64,
}

impl LevelCount {
    /// A root that is not expanded.
    pub(crate) const ROOT: Self = Self {
        generated: 1,
        expanded: 0,
        pruned_by_machine: 0,
        pruned_by_cycle: 0,
        beyond_bound: 0,
    };

    #[inline]
    pub(crate) fn add(&mut self, other: &Self) {
        self.generated += other.generated;
        self.expanded += other.expanded;
        self.pruned_by_machine += other.pruned_by_machine;
        self.pruned_by_cycle += other.pruned_by_cycle;
        self.beyond_bound += other.beyond_bound;
    }
}

/// Add counts by depth. Empty ones at the end are ignored.
pub(crate) fn add_levels(to: &mut Vec<LevelCount>, from: &[LevelCount]) {
    let nothing = LevelCount::default();
    let n_levels = from.iter().rposition(|level| *level != nothing);
    let from = &from[..n_levels.map_or(0, |last| last + 1)];
    if to.len() < from.len() {
        to.resize(from.len(), nothing);
    }
    for (to, from) in to.iter_mut().zip(from) {
        to.add(from);
    }
}

/// Counts over a whole search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(schemars::JsonSchema, serde::Serialize, serde::Deserialize)
)]
pub struct Totals {
    /// Nodes generated.
    pub generated: u128,
    /// Nodes expanded.
    pub expanded: u128,
    /// Would-be nodes that the machine forbade.
    pub pruned_by_machine: u128,
    /// Would-be nodes that cycle detection left out.
    pub pruned_by_cycle: u128,
}

impl Totals {
    /// Return the number of would-be nodes left out by the machine or by cycle detection.
    pub fn pruned(&self) -> u128 {
        self.pruned_by_machine + self.pruned_by_cycle
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.generated += other.generated;
        self.expanded += other.expanded;
        self.pruned_by_machine += other.pruned_by_machine;
        self.pruned_by_cycle += other.pruned_by_cycle;
    }

    pub(crate) fn subtract(&mut self, other: &Self) {
        self.generated -= other.generated;
        self.expanded -= other.expanded;
        self.pruned_by_machine -= other.pruned_by_machine;
        self.pruned_by_cycle -= other.pruned_by_cycle;
    }

    pub(crate) fn add(&mut self, level: &LevelCount) {
        self.generated += u128::from(level.generated);
        self.expanded += u128::from(level.expanded);
        self.pruned_by_machine += u128::from(level.pruned_by_machine);
        self.pruned_by_cycle += u128::from(level.pruned_by_cycle);
    }
}

/// The tree below a start state, counted by depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeCount {
    /// The counts by depth. Index 0 is the root, which counts as generated; the last index is the
    /// deepest depth with a nonzero count.
    pub levels: Vec<LevelCount>,
    /// The number of nodes of the deepest ply that are goal states: the number of ways to reach a
    /// goal in exactly this many moves. `None` if they were not counted.
    pub goals_in_last_ply: Option<u64>,
    /// The cycle detection that was used (see
    /// [`Run::count_tree`](crate::Run::count_tree)).
    pub cycle_detection: CycleDetection,
    /// Why the count is not complete; `None` when it is.
    pub stopped: Option<StopReason>,
    /// The time spent on preparation that later runs use too; zero when an earlier run prepared all
    /// of it.
    pub preparation: Duration,
    /// The time of the count itself; the sum with [`preparation`](Self::preparation) is the
    /// wall-clock time.
    pub elapsed: Duration,
}

impl TreeCount {
    /// Return the number of nodes of a depth; 0 beyond the deepest.
    pub fn generated(&self, depth: usize) -> u64 {
        self.levels.get(depth).map_or(0, |level| level.generated)
    }

    /// Return the sums over all depths, root included.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        self.levels.iter().for_each(|level| totals.add(level));
        totals
    }
}

/// A path from the start state to a goal state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Solution {
    /// The rules, in the order in which they are applied.
    pub moves: Vec<RuleId>,
    /// The sum of their costs.
    pub cost: u128,
}

impl Solution {
    /// Build the solution that consists of these rules.
    pub(crate) fn of_rules(game: &Game, rules: Vec<u32>) -> Self {
        let moves: Vec<RuleId> = rules.into_iter().map(RuleId).collect();
        let cost = moves
            .iter()
            .map(|rule| u128::from(game.rule(*rule).canonical.cost()))
            .sum();
        Self { moves, cost }
    }

    /// Return the number of moves.
    pub fn length(&self) -> usize {
        self.moves.len()
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// A solution: the first one in rule order within the depth (`dfs`), one with the fewest moves
    /// (`dfid`, `bfs`), or one of least cost (`ida_star`, `a_star`). The documentation of each
    /// search says which.
    Solved(Solution),
    /// There is none, and that is proved: the search left out nothing because of a bound.
    NoSolution,
    /// There is none within the depth given to `dfs`; there may be a deeper one.
    NotWithinDepth,
    /// There is none within the cost given to a branch and bound, if no estimate is too high; there
    /// may be a costlier one.
    NotWithinCost,
    /// None was found, and nothing is proved: the depth bound of
    /// [`dfs_closed`](crate::Run::dfs_closed) left out nodes.
    NotFound,
    /// Stopped before it had an answer.
    Stopped(StopReason),
}

/// One iteration of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(schemars::JsonSchema, serde::Serialize, serde::Deserialize)
)]
pub struct Iteration {
    /// The bound: a depth, or a cost.
    pub bound: u64,
    /// The nodes generated in this iteration.
    #[cfg_attr(
        feature = "serde",
        serde(with = "budget::exact_number"),
        schemars(with = "budget::Exact")
    )]
    pub generated: u64,
    /// The nodes expanded in this iteration.
    #[cfg_attr(
        feature = "serde",
        serde(with = "budget::exact_number"),
        schemars(with = "budget::Exact")
    )]
    pub expanded: u64,
    /// Would-be nodes that the machine forbade in this iteration.
    #[cfg_attr(
        feature = "serde",
        serde(with = "budget::exact_number"),
        schemars(with = "budget::Exact")
    )]
    pub pruned_by_machine: u64,
    /// Would-be nodes that cycle detection left out in this iteration.
    #[cfg_attr(
        feature = "serde",
        serde(with = "budget::exact_number"),
        schemars(with = "budget::Exact")
    )]
    pub pruned_by_cycle: u64,
}

impl Iteration {
    /// Make an iteration with these counts, without the root.
    pub(crate) fn new(bound: u64, totals: &Totals) -> Self {
        let count = |n: u128| u64::try_from(n).unwrap_or(u64::MAX);
        Self {
            bound,
            generated: count(totals.generated),
            expanded: count(totals.expanded),
            pruned_by_machine: count(totals.pruned_by_machine),
            pruned_by_cycle: count(totals.pruned_by_cycle),
        }
    }
}

/// The report of a search for all solutions within a cost; see
/// [`Run::all_within`](crate::Run::all_within).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enumeration {
    /// Whether all solutions were found.
    pub is_complete: bool,
    /// The limit that stopped the search, if one did.
    pub stopped: Option<StopReason>,
    /// The counts; none if a limit stopped the search.
    pub totals: Totals,
    /// The time spent on preparation that later runs use too.
    pub preparation: Duration,
    /// The time of the search itself.
    pub elapsed: Duration,
}

/// The report of a search for a solution.
///
/// Generated nodes are the children that were made, within the bound or above it. The root isn't
/// counted, and neither are nodes that a machine or cycle detection leaves out. Counts are sums
/// over all iterations, and over both directions of a bidirectional search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolveReport {
    /// The result.
    pub outcome: Outcome,
    /// The sums of the counts.
    pub totals: Totals,
    /// The iterations in order; the last one may be partial.
    pub iterations: Vec<Iteration>,
    /// The counts by depth, summed over all iterations, the root of each included; empty if they
    /// were not requested (see [`Run::count_depths`](crate::Run::count_depths)). In a search with
    /// duplicate detection the depth of a state is the length of the path with which it is
    /// currently stored, from the start or, in the other direction, from a goal.
    pub levels: Vec<LevelCount>,
    /// The best solution found by a search that was stopped before it could rule out a better one.
    /// `None` otherwise.
    pub best_so_far: Option<Solution>,
    /// The bound with which the search would have continued: no solution costs less. Set where a
    /// search paused between two bounds (see [`Run::ida_star_part`](crate::Run::ida_star_part)),
    /// and where [`Run::a_star`](crate::Run::a_star) or
    /// [`Run::budgeted_tree_search`](crate::Run::budgeted_tree_search) was stopped.
    pub next_bound: Option<u64>,
    /// The heuristic value of the start state; 0 for searches without a heuristic.
    pub heuristic_start: u64,
    /// The cycle detection that was used (see [`Run::ida_star`](crate::Run::ida_star)).
    pub cycle_detection: CycleDetection,
    /// The counts of stored states; `None` for searches that store none.
    pub best_first: Option<BestFirstCounts>,
    /// The counts of the transposition table; `None` without one.
    pub table: Option<TableCounts>,
    /// The time spent on preparation that later runs use too; zero when an earlier run prepared all
    /// of it.
    pub preparation: Duration,
    /// The time of the search itself; the sum with [`preparation`](Self::preparation) is the
    /// wall-clock time.
    pub elapsed: Duration,
}

impl SolveReport {
    /// Make the report of a run that a limit stopped before its search began.
    pub(crate) fn stopped(cycle_detection: CycleDetection, reason: StopReason) -> Self {
        Self {
            outcome: Outcome::Stopped(reason),
            ..Self::new(cycle_detection)
        }
    }

    /// Make an empty report.
    pub(crate) fn new(cycle_detection: CycleDetection) -> Self {
        Self {
            outcome: Outcome::NoSolution,
            totals: Totals::default(),
            iterations: Vec::new(),
            levels: Vec::new(),
            best_so_far: None,
            next_bound: None,
            heuristic_start: 0,
            cycle_detection,
            best_first: None,
            table: None,
            preparation: Duration::ZERO,
            elapsed: Duration::ZERO,
        }
    }

    /// Add the counts by level of an iteration.
    pub(crate) fn add_iteration(&mut self, bound: u64, levels: &[LevelCount]) {
        let mut totals = Totals::default();
        levels.iter().for_each(|level| totals.add(level));
        // The root is not a child.
        totals.generated = totals.generated.saturating_sub(1);
        self.add_totals(bound, &totals);
        add_levels(&mut self.levels, levels);
    }

    /// Add the counts of an iteration, without the root.
    pub(crate) fn add_totals(&mut self, bound: u64, totals: &Totals) {
        let iteration = Iteration::new(bound, totals);
        tracing::debug!(bound, generated = iteration.generated, "iteration");
        self.iterations.push(iteration);
        self.totals.merge(totals);
    }

    /// Insert the iterations of an earlier search before these.
    ///
    /// Times are not added up: they may include the time between the two searches.
    pub fn put_before(&mut self, earlier: Self) {
        self.totals.merge(&earlier.totals);
        let later = std::mem::replace(&mut self.iterations, earlier.iterations);
        self.iterations.extend(later);
        add_levels(&mut self.levels, &earlier.levels);
        match (&mut self.table, earlier.table) {
            (Some(counts), Some(earlier)) => counts.add(&earlier),
            (counts, earlier) => *counts = counts.or(earlier),
        }
    }

    /// Name, for each rule of the solutions, the rule that it is a part of.
    pub(crate) fn name_rules(&mut self, part_of: &[RuleId]) {
        let solved = match &mut self.outcome {
            Outcome::Solved(solution) => Some(solution),
            _ => None,
        };
        for solution in solved.into_iter().chain(&mut self.best_so_far) {
            for rule in &mut solution.moves {
                *rule = part_of[rule.index()];
            }
        }
    }

    /// Return the solution, if there is one.
    pub fn solution(&self) -> Option<&Solution> {
        match &self.outcome {
            Outcome::Solved(solution) => Some(solution),
            _ => None,
        }
    }

    /// Return whether there is a solution.
    pub fn solved(&self) -> bool {
        self.solution().is_some()
    }
}

/// Return the levels up to the last one with a nonzero count.
pub(crate) fn without_empty_end(levels: &[LevelCount]) -> Vec<LevelCount> {
    let nothing = LevelCount::default();
    let n_levels = levels
        .iter()
        .rposition(|level| *level != nothing)
        .map_or(0, |last| last + 1);
    levels[..n_levels].to_vec()
}
