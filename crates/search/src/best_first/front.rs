//! The front door of the searches with duplicate detection.

use psvn_ir::{State, Term};

use crate::best_first::open::ranking::{Ranking, Score, Ties};
use crate::best_first::refusal::{DuplicateDetection, UnsafeCombination};
use crate::best_first::searches::bidirectional::Goals;
use crate::best_first::searches::{a_star, bfs, bidirectional, dfs_closed, nutshell};
use crate::best_first::space::goal_states::{GoalFilter, GoalStates};
use crate::best_first::work::Work;
use crate::front::run::Run;
use crate::game::compiled::StateMismatch;
use crate::heuristic::erased::Erased;
use crate::heuristic::weight::Weight;
use crate::heuristic::{Heuristic, ZeroHeuristic};
use crate::run::limits::Watch;
use crate::run::options::CycleDetection;
use crate::run::report::SolveReport;

/// Why a search with duplicate detection can't begin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BestFirstError {
    /// The start state is none of the game.
    #[error(transparent)]
    Start(#[from] StateMismatch),
    /// The searcher has a machine that prunes moves.
    #[error(transparent)]
    Machine(#[from] UnsafeCombination),
    /// The goal conditions leave too much open for a backward search.
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

/// # Searches with duplicate detection
/// They know every state again, whatever path led to it. None of them can run beside a machine:
/// what a machine prunes depends on the path to a state, and duplicates are found by state alone.
/// [`UnsafeCombination`] has the reason. Beside a machine there are depth-first searches, and
/// [IDA\* with a transposition table](Run::transposition_table), whose table knows states *and*
/// machine states.
///
/// [`Limits::memory`](crate::Limits::memory) bounds the bytes of all tables together, exactly: a
/// search stops before it would take one byte more. Besides come the compiled game, a few hundred
/// bytes for each variable and rule, and the report with its solution.
///
/// The bound in the progress of a breadth-first search is its depth, and that of one by costs is f.
///
/// ```
/// use search::{CompiledGame, Searcher, ZeroHeuristic};
///
/// let game = psvn_ir::load("
///     3  3 3 3
///     A B C => B A C  COST 2
///     A B C => A C B  COST 3
///     GOAL 0 1 2
/// ").game.expect("a game without errors");
/// let start = game.parse_state("2 1 0")?;
/// let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
/// let report = searcher.run().a_star(&start, &ZeroHeuristic)?;
/// assert_eq!(report.solution().map(|solution| solution.cost), Some(7));
/// let all = searcher.run().explore(&start)?;
/// assert_eq!(all.best_first.map(|counts| counts.layers), Some(vec![1, 2, 2, 1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<'p> Run<'p> {
    /// Expand open nodes of the same score in this order, in [`uniform_cost`](Self::uniform_cost),
    /// [`a_star`](Self::a_star), [`weighted_a_star`](Self::weighted_a_star) and
    /// [`greedy`](Self::greedy).
    pub fn ties(mut self, ties: Ties) -> Self {
        self.ties = ties;
        self
    }

    /// Begin backward searches with at most this many goal states
    /// ([`DEFAULT_GOAL_LIMIT`](crate::DEFAULT_GOAL_LIMIT) unless said otherwise).
    pub fn goal_limit(mut self, limit: usize) -> Self {
        self.goals.limit = limit;
        self
    }

    /// Begin backward searches with those goal states only that pass, such as those that satisfy
    /// the invariants of the start state. A goal state that doesn't must not be reachable from the
    /// start; otherwise a solution may be missed. Goal states that break the
    /// [invariants](crate::SearcherBuilder::invariants) of the searcher never pass.
    pub fn goal_filter(mut self, filter: impl Fn(&State) -> bool + 'p) -> Self {
        self.goals.filter = Some(Box::new(filter));
        self
    }

    /// The goal states that backward searches begin with.
    pub fn goal_states(&self) -> impl Iterator<Item = State> + '_ {
        GoalStates::of(&self.prepared.game.game).filter(|state| self.begins_at(state))
    }

    fn begins_at(&self, state: &State) -> bool {
        let admits = self.prepared.invariants.as_ref().is_none_or(|admits| {
            let terms = state.values().iter().map(|value| Term::constant(*value));
            admits(&terms.collect::<Vec<_>>())
        });
        admits
            && self
                .goals
                .filter
                .as_ref()
                .is_none_or(|passes| passes(state))
    }

    /// All states that can be reached, by breadth-first search that doesn't stop at goals. The
    /// outcome is [`NoSolution`](crate::Outcome::NoSolution) when none is missing.
    ///
    /// # Errors
    /// When the start state is none of the game, or the searcher has a machine.
    pub fn explore(&mut self, start: &State) -> Result<SolveReport, BestFirstError> {
        self.with_closed_list(start, |work, start| bfs::breadth_first(work, start, true))
    }

    /// Breadth-first search: a solution with the fewest moves. Goals are recognized when they are
    /// generated.
    ///
    /// # Errors
    /// When the start state is none of the game, or the searcher has a machine.
    pub fn bfs(&mut self, start: &State) -> Result<SolveReport, BestFirstError> {
        self.with_closed_list(start, |work, start| bfs::breadth_first(work, start, false))
    }

    /// Uniform-cost search (Dijkstra's algorithm): a solution of least cost.
    ///
    /// # Errors
    /// When the start state is none of the game, or the searcher has a machine.
    pub fn uniform_cost(&mut self, start: &State) -> Result<SolveReport, BestFirstError> {
        self.weighted_a_star(start, &ZeroHeuristic, Weight::ZERO)
    }

    /// A* (Hart, Nilsson & Raphael 1968): a solution of least cost, if the heuristic is admissible.
    /// It need not be consistent: states that are reached again at less cost are opened again.
    ///
    /// Of equal f, nodes with more g come first, and of those the one that was put in last, unless
    /// [`ties`](Self::ties) says otherwise. Goals are recognized when they are expanded.
    ///
    /// # Errors
    /// When the start state is none of the game, or the searcher has a machine.
    pub fn a_star(
        &mut self,
        start: &State,
        heuristic: &impl Heuristic,
    ) -> Result<SolveReport, BestFirstError> {
        self.weighted_a_star(start, heuristic, Weight::ONE)
    }

    /// A* with f = g + w h (Pohl 1970). With an admissible heuristic the solution costs no more
    /// than the least cost times w, or the least cost for w up to 1.
    ///
    /// # Errors
    /// When the start state is none of the game, or the searcher has a machine.
    pub fn weighted_a_star(
        &mut self,
        start: &State,
        heuristic: &impl Heuristic,
        weight: Weight,
    ) -> Result<SolveReport, BestFirstError> {
        self.by_score(start, Erased(heuristic), Score::Weighted(weight))
    }

    /// Greedy best-first search (Doran & Michie 1966): the open node with the least estimate comes
    /// first, whatever it took to get there. A solution may cost anything, and is often found soon.
    ///
    /// Without a solution it ends with [`NoSolution`](crate::Outcome::NoSolution) when every state
    /// that can be reached past no dead end was expanded.
    ///
    /// # Errors
    /// When the start state is none of the game, or the searcher has a machine.
    pub fn greedy(
        &mut self,
        start: &State,
        heuristic: &impl Heuristic,
    ) -> Result<SolveReport, BestFirstError> {
        self.by_score(start, Erased(heuristic), Score::Estimate)
    }

    fn by_score(
        &mut self,
        start: &State,
        heuristic: Erased<'_>,
        score: Score,
    ) -> Result<SolveReport, BestFirstError> {
        let ties = self.ties;
        self.with_closed_list(start, |work, start| match ties {
            Ties::Nutshell => nutshell::nutshell(work, start, heuristic, score),
            _ => a_star::a_star(work, start, heuristic, Ranking::new(score, ties)),
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
    /// mattered: [`NotFound`](crate::Outcome::NotFound) and
    /// [`NoSolution`](crate::Outcome::NoSolution) are distinguished. For proofs there are
    /// [`dfs`](Run::dfs) and [`bfs`](Run::bfs).
    ///
    /// Children are pushed in the order of the rules, so the last one is expanded first. As in the
    /// book, a goal is recognized when it is generated; children at the bound aren't pushed; and a
    /// state that was pushed twice before it was closed is expanded twice.
    ///
    /// # Errors
    /// When the start state is none of the game, or the searcher has a machine.
    pub fn dfs_closed(&mut self, start: &State, depth: u64) -> Result<SolveReport, BestFirstError> {
        self.with_closed_list(start, |work, start| {
            dfs_closed::dfs_closed(work, start, depth)
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
    /// When the start state is none of the game, there are too many goal states, or the searcher
    /// has a machine.
    pub fn bidirectional_bfs(&mut self, start: &State) -> Result<SolveReport, BestFirstError> {
        self.by_both_ends(start, bidirectional::breadth_first)
    }

    /// Uniform-cost search from both ends (Nicholson 1966): a solution of least cost. For the
    /// backward search see [`bidirectional_bfs`](Self::bidirectional_bfs).
    ///
    /// # Errors
    /// When the start state is none of the game, there are too many goal states, or the searcher
    /// has a machine.
    pub fn bidirectional(&mut self, start: &State) -> Result<SolveReport, BestFirstError> {
        self.by_both_ends(start, bidirectional::uniform_cost)
    }

    /// Run a search that begins with all goal states too.
    fn by_both_ends(
        &mut self,
        start: &State,
        search: impl FnOnce(Work<'_, '_>, &[u64], &mut Goals<'_>) -> SolveReport,
    ) -> Result<SolveReport, BestFirstError> {
        let game = &self.prepared.game;
        game.check(start)?;
        let limit = self.goals.limit;
        let is_filtered = self.goals.filter.is_some() || self.prepared.invariants.is_some();
        let count = (!is_filtered).then(|| GoalStates::count_all(&game.game));
        let count = count.flatten();
        if count.is_some_and(|count| count > limit as u128) {
            return Err(BestFirstError::TooManyGoalStates { limit, count });
        }
        // The progress is borrowed for writing meanwhile, which the filter has no part in.
        let mut progress = self.progress.take();
        let passes = |state: &State| self.begins_at(state);
        let mut goals = Goals {
            states: GoalStates::of(&game.game),
            filter: is_filtered.then_some(&passes as &GoalFilter<'_>),
            limit,
            too_many: false,
        };
        let watch = Watch::new(&self.limits, progress.as_mut());
        let report = self.in_space(start, watch, |work, start| search(work, start, &mut goals));
        let too_many = goals.too_many;
        self.progress = progress;
        if too_many {
            return Err(BestFirstError::TooManyGoalStates { limit, count });
        }
        report
    }

    fn with_closed_list(
        &mut self,
        start: &State,
        search: impl FnOnce(Work<'_, '_>, &[u64]) -> SolveReport,
    ) -> Result<SolveReport, BestFirstError> {
        let mut progress = self.progress.take();
        let watch = Watch::new(&self.limits, progress.as_mut());
        let report = self.in_space(start, watch, search);
        self.progress = progress;
        report
    }

    /// Run a search in the packed space, which is made if no run before has made it.
    fn in_space(
        &self,
        start: &State,
        mut watch: Watch<'_, '_>,
        search: impl FnOnce(Work<'_, '_>, &[u64]) -> SolveReport,
    ) -> Result<SolveReport, BestFirstError> {
        if self.prepared.prunes {
            let detection = DuplicateDetection::ClosedList;
            return Err(UnsafeCombination { detection }.into());
        }
        self.prepared.game.check(start)?;
        let mut report = match self.prepared.space(&mut watch) {
            Ok(space) => {
                let start = space.pack(start)?;
                return Ok(search(
                    Work::new(space, watch, self.options.count_depths),
                    &start,
                ));
            }
            Err(reason) => SolveReport::stopped(CycleDetection::None, reason),
        };
        (report.preparation, report.elapsed) = watch.times();
        Ok(report)
    }
}
