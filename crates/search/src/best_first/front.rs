//! The front door of the searches with duplicate detection.

use std::sync::Arc;

use psvn_ir::{Game, State};

use crate::best_first::budget::Budget;
use crate::best_first::pulse::Pulse;
use crate::best_first::report::{BestFirstCounts, BestFirstReport};
use crate::best_first::run::Run;
use crate::best_first::searches::bidirectional::{GoalFilter, Goals};
use crate::best_first::searches::{a_star, bfs, bidirectional, dfs_closed};
use crate::best_first::space::Space;
use crate::best_first::space::goal_states::GoalStates;
use crate::game::compiled::StateMismatch;
use crate::heuristic::erased::Erased;
use crate::heuristic::weight::Weight;
use crate::heuristic::{Heuristic, ZeroHeuristic};
use crate::run::limits::{Limits, Progress, ProgressFn, Watch};

/// The most goal states that a backward search begins with, unless said otherwise.
pub const DEFAULT_GOAL_LIMIT: usize = 1 << 20;

/// Why a backward search can't begin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackwardError {
    /// The start state is none of the game.
    #[error(transparent)]
    Start(#[from] StateMismatch),
    /// The goal conditions leave too much open.
    #[error(
        "a backward search begins with all goal states, and there are more than {limit} of them{}",
        counted(count)
    )]
    TooManyGoalStates {
        /// The limit.
        limit: usize,
        /// How many there are, where that is easily said and nothing is filtered out.
        count: Option<u128>,
    },
}

fn counted(count: &Option<u128>) -> String {
    count.map_or(String::new(), |count| format!(": {count}"))
}

/// Searches that know states again, in one game: set up once, and run from any number of start
/// states.
///
/// There is no way to give it a machine: what a machine prunes depends on the path to a state, and
/// duplicates are found by state alone. [`UnsafeCombination`](crate::UnsafeCombination) has the
/// reason. Beside a machine use [`Searcher`](crate::Searcher), or
/// [`TranspositionSearch`](crate::TranspositionSearch), whose table knows states *and* machine
/// states.
///
/// [`Limits::memory`] bounds the bytes of all tables together, exactly: a search stops before it
/// would take one byte more. Besides come the compiled game, a few hundred bytes for each variable
/// and rule, and the report with its solution.
///
/// ```
/// use search::{BestFirst, ZeroHeuristic};
///
/// let game = psvn_ir::load("
///     3  3 3 3
///     A B C => B A C  COST 2
///     A B C => A C B  COST 3
///     GOAL 0 1 2
/// ").game.expect("a game without errors");
/// let start = game.parse_state("2 1 0")?;
/// let mut search = BestFirst::new(&game);
/// let report = search.a_star(&start, &ZeroHeuristic)?;
/// assert_eq!(report.solution().map(|solution| solution.cost), Some(7));
/// let report = search.bidirectional(&start)?;
/// assert_eq!(report.solution().map(|solution| solution.cost), Some(7));
/// assert_eq!(search.explore(&start)?.layers, [1, 2, 2, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BestFirst<'a> {
    game: Arc<Game>,
    space: Arc<Space>,
    limits: Limits,
    progress: Option<Box<ProgressFn<'a>>>,
    goal_limit: usize,
    goal_filter: Option<Box<GoalFilter<'a>>>,
}

impl<'a> BestFirst<'a> {
    /// Compile the game; nothing is limited.
    pub fn new(game: &Game) -> Self {
        let space = Arc::new(Space::new(game));
        Self::with(Arc::new(game.clone()), space, Limits::default(), None)
    }

    /// In a space that was compiled before.
    pub(crate) fn with(
        game: Arc<Game>,
        space: Arc<Space>,
        limits: Limits,
        progress: Option<Box<ProgressFn<'a>>>,
    ) -> Self {
        Self {
            game,
            space,
            limits,
            progress,
            goal_limit: DEFAULT_GOAL_LIMIT,
            goal_filter: None,
        }
    }

    /// Stop at these limits. They hold for each run by itself.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Call this with the progress about ten times a second. The bound in it is the depth of a
    /// breadth-first search, and f of one by costs.
    pub fn on_progress(mut self, progress: impl FnMut(&Progress) + 'a) -> Self {
        self.progress = Some(Box::new(progress));
        self
    }

    /// The most goal states that a backward search may begin with ([`DEFAULT_GOAL_LIMIT`] unless
    /// said otherwise).
    pub fn goal_limit(mut self, limit: usize) -> Self {
        self.goal_limit = limit;
        self
    }

    /// Backward searches begin with those goal states only that pass, such as those that satisfy
    /// the invariants of the start state. A goal state that doesn't must not be reachable from the
    /// start; otherwise a solution may be missed.
    pub fn goal_filter(mut self, filter: impl Fn(&State) -> bool + 'a) -> Self {
        self.goal_filter = Some(Box::new(filter));
        self
    }

    /// The bytes of a packed state.
    pub fn packed_bytes(&self) -> usize {
        self.space.packing.n_words() * size_of::<u64>()
    }

    /// The goal states that pass the filter.
    pub fn goal_states(&self) -> impl Iterator<Item = State> + '_ {
        GoalStates::of(&self.game).filter(|state| self.passes(state))
    }

    fn passes(&self, state: &State) -> bool {
        self.goal_filter.as_ref().is_none_or(|filter| filter(state))
    }

    /// All states that can be reached, by breadth-first search that doesn't stop at goals. The
    /// outcome is [`NoSolution`](crate::BestFirstOutcome::NoSolution) when none is missing.
    ///
    /// # Errors
    /// When the start state is none of the game.
    pub fn explore(&mut self, start: &State) -> Result<BestFirstReport, StateMismatch> {
        self.run(start, |run, start| bfs::breadth_first(run, start, true))
    }

    /// Breadth-first search: a solution with the fewest moves. Goals are recognized when they are
    /// generated.
    ///
    /// # Errors
    /// When the start state is none of the game.
    pub fn bfs(&mut self, start: &State) -> Result<BestFirstReport, StateMismatch> {
        self.run(start, |run, start| bfs::breadth_first(run, start, false))
    }

    /// Uniform-cost search (Dijkstra's algorithm): a solution of least cost.
    ///
    /// # Errors
    /// When the start state is none of the game.
    pub fn uniform_cost(&mut self, start: &State) -> Result<BestFirstReport, StateMismatch> {
        self.weighted_a_star(start, &ZeroHeuristic, Weight::ZERO)
    }

    /// A* (Hart, Nilsson & Raphael 1968): a solution of least cost, if the heuristic is admissible.
    /// It need not be consistent: states that are reached again at less cost are opened again.
    ///
    /// Of equal f, nodes with more g come first, and of those the one that was put in last. Goals
    /// are recognized when they are expanded.
    ///
    /// # Errors
    /// When the start state is none of the game.
    pub fn a_star(
        &mut self,
        start: &State,
        heuristic: &impl Heuristic,
    ) -> Result<BestFirstReport, StateMismatch> {
        self.weighted_a_star(start, heuristic, Weight::ONE)
    }

    /// A* with f = g + w h (Pohl 1970). With an admissible heuristic the solution costs no more
    /// than the least cost times w, or the least cost for w up to 1.
    ///
    /// # Errors
    /// When the start state is none of the game.
    pub fn weighted_a_star(
        &mut self,
        start: &State,
        heuristic: &impl Heuristic,
        weight: Weight,
    ) -> Result<BestFirstReport, StateMismatch> {
        self.by_cost(start, Erased(heuristic), weight)
    }

    fn by_cost(
        &mut self,
        start: &State,
        heuristic: Erased<'_>,
        weight: Weight,
    ) -> Result<BestFirstReport, StateMismatch> {
        self.run(start, |run, start| {
            a_star::a_star(run, start, heuristic, weight)
        })
    }

    /// The depth-first search of "Algorithms in a Nutshell" (Heineman, Pollice & Selkow), chapter
    /// 7: a stack of open nodes, a closed set of the states that were taken off it, and a bound on
    /// the depth.
    ///
    /// It needs less time than depth-first search without a closed set, and it may **miss solutions
    /// within the bound**, the *horizon effect*: a state that is closed near the bound, at the end
    /// of a long path, isn't expanded again when a shorter path comes to it, though from there a
    /// goal would be within the bound. So its failures prove nothing, unless the bound never
    /// mattered: [`NotFound`](crate::BestFirstOutcome::NotFound) and
    /// [`NoSolution`](crate::BestFirstOutcome::NoSolution) are distinguished. For proofs there are
    /// [`Run::dfs`](crate::Run::dfs) and [`bfs`](Self::bfs).
    ///
    /// Children are pushed in the order of the rules, so the last one is expanded first. As in the
    /// book, a goal is recognized when it is generated; children at the bound aren't pushed; and a
    /// state that was pushed twice before it was closed is expanded twice.
    ///
    /// # Errors
    /// When the start state is none of the game.
    pub fn dfs_closed(
        &mut self,
        start: &State,
        depth: u64,
    ) -> Result<BestFirstReport, StateMismatch> {
        self.run(start, |run, start| {
            dfs_closed::dfs_closed(run, start, depth)
        })
    }

    /// Breadth-first search from both ends: a solution with the fewest moves.
    ///
    /// The backward search begins with all goal states (that pass the filter) and goes against the
    /// rules. Where a rule loses values, a state has a predecessor for each choice of them; these
    /// are made as they are needed. Backward moves keep to the domains and to nothing else, so they
    /// may lead to states that can't be reached from any sensible start: that costs time, but no
    /// correctness.
    ///
    /// # Errors
    /// When the start state is none of the game, or there are too many goal states.
    pub fn bidirectional_bfs(&mut self, start: &State) -> Result<BestFirstReport, BackwardError> {
        self.run_backward(start, bidirectional::breadth_first)
    }

    /// Uniform-cost search from both ends (Nicholson 1966): a solution of least cost. For the
    /// backward search see [`bidirectional_bfs`](Self::bidirectional_bfs).
    ///
    /// # Errors
    /// When the start state is none of the game, or there are too many goal states.
    pub fn bidirectional(&mut self, start: &State) -> Result<BestFirstReport, BackwardError> {
        self.run_backward(start, bidirectional::uniform_cost)
    }

    /// Run a search that begins with all goal states too.
    fn run_backward(
        &mut self,
        start: &State,
        search: impl FnOnce(Run<'_, '_>, &[u64], &mut Goals<'_>) -> BestFirstReport,
    ) -> Result<BestFirstReport, BackwardError> {
        let start = self.space.pack(start)?;
        let limit = self.goal_limit;
        let count = match self.goal_filter {
            None => GoalStates::count_all(&self.game),
            Some(_) => None,
        };
        if count.is_some_and(|count| count > limit as u128) {
            return Err(BackwardError::TooManyGoalStates { limit, count });
        }
        let mut goals = Goals {
            states: GoalStates::of(&self.game),
            filter: self.goal_filter.as_deref(),
            limit,
            too_many: false,
        };
        let run = begin(&self.space, &self.limits, self.progress.as_mut());
        let report = search(run, &start, &mut goals);
        if goals.too_many {
            return Err(BackwardError::TooManyGoalStates { limit, count });
        }
        Ok(report)
    }

    fn run(
        &mut self,
        start: &State,
        search: impl FnOnce(Run<'_, '_>, &[u64]) -> BestFirstReport,
    ) -> Result<BestFirstReport, StateMismatch> {
        let start = self.space.pack(start)?;
        let run = begin(&self.space, &self.limits, self.progress.as_mut());
        Ok(search(run, &start))
    }
}

fn begin<'s, 'p>(
    space: &'s Space,
    limits: &'s Limits,
    progress: Option<&'s mut Box<ProgressFn<'p>>>,
) -> Run<'s, 'p> {
    Run {
        space,
        pulse: Pulse::new(Watch::new(limits, progress)),
        budget: Budget::new(limits.memory),
        counts: BestFirstCounts::default(),
        layers: Vec::new(),
        heuristic_start: 0,
    }
}
