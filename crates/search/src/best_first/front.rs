//! Entry points of the searches with duplicate detection.

use psvn_ir::{State, Term};

use crate::best_first::open::ranking::{Ranking, Score, Ties};
use crate::best_first::refusal::{DuplicateDetection, UnsafeCombination};
use crate::best_first::searches::bidirectional::{Goals, Method};
use crate::best_first::searches::{a_star, beam, bfs, bidirectional, dfs_closed, nutshell, sma};
use crate::best_first::space::goal_states::{GOAL_LIMIT, GoalFilter, GoalStates};
use crate::best_first::space::images::{Images, StateMap};
use crate::best_first::work::Work;
use crate::front::run::Run;
use crate::game::compiled::StateMismatch;
use crate::heuristic::weight::Weight;
use crate::heuristic::{Heuristic, ZeroHeuristic};
use crate::run::limits::Watch;
use crate::run::options::CycleDetection;
use crate::run::report::SolveReport;

/// Why a search with duplicate detection can't begin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BestFirstError {
    /// The start state is not a state of the game.
    #[error(transparent)]
    Start(#[from] StateMismatch),
    /// The searcher has a machine that prunes moves.
    #[error(transparent)]
    Machine(#[from] UnsafeCombination),
    /// There are more than [`GOAL_LIMIT`] goal states for a backward search.
    #[error(
        "a backward search begins with all goal states, and there are more than {GOAL_LIMIT} of \
         them{}",
        counted(count)
    )]
    TooManyGoalStates {
        /// The number of goal states, if it is easy to compute and there is no filter.
        count: Option<u128>,
    },
}

fn counted(count: &Option<u128>) -> String {
    count.map_or(String::new(), |count| format!(": {count}"))
}

/// # Searches with duplicate detection
/// These searches recognize every state they have stored, by whatever path it is reached. None of
/// them can run beside a machine: the rules that a machine prunes depend on the path to a state,
/// and duplicates are found by state alone; see [`UnsafeCombination`]. Beside a machine, use
/// depth-first searches or [IDA\* with a transposition table](Run::transposition_table), whose
/// table is keyed by state *and* machine state.
///
/// [`Limits::memory`](crate::Limits::memory) bounds the bytes of all tables together, exactly: a
/// search stops before it would exceed this number. The compiled game (a few hundred bytes for each
/// variable and rule) and the report with its solution come on top.
///
/// The bound in progress reports is the depth in a breadth-first search, and f in one by cost.
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
    /// Set the order of open nodes with the same score in [`uniform_cost`](Self::uniform_cost),
    /// [`a_star`](Self::a_star), [`weighted_a_star`](Self::weighted_a_star) and
    /// [`greedy`](Self::greedy).
    pub fn ties(mut self, ties: Ties) -> Self {
        self.ties = ties;
        self
    }

    /// In [`uniform_cost`](Self::uniform_cost), [`a_star`](Self::a_star),
    /// [`weighted_a_star`](Self::weighted_a_star) and [`greedy`](Self::greedy), store one state for
    /// all its images under those of these symmetries that map the start to itself: up to as many
    /// times fewer states as there are such symmetries. This has no effect with [`Ties::Nutshell`].
    ///
    /// The maps must be a group: for any two of them, their composition must be among them or be
    /// the identity. They must map rules to rules of the same cost, and goals to goals. With a
    /// heuristic that tells images apart, the estimate of any of them is used.
    pub fn symmetries(mut self, maps: Vec<StateMap>) -> Self {
        self.symmetries = maps;
        self
    }

    /// In [`a_star`](Self::a_star), [`weighted_a_star`](Self::weighted_a_star) and
    /// [`greedy`](Self::greedy), look only for solutions that cost less than `cost`: states whose
    /// g + h isn't less are left out. With an admissible heuristic, the outcome
    /// [`NoSolution`](crate::Outcome::NoSolution) then proves that none costs less. This has no
    /// effect with [`Ties::Nutshell`].
    pub fn below(mut self, cost: u64) -> Self {
        self.below = Some(cost);
        self
    }

    /// Begin backward searches only with the goal states that pass the filter, such as those that
    /// satisfy the invariants of the start state. A goal state that fails must not be reachable
    /// from the start; otherwise a solution may be missed. Goal states that break the
    /// [invariants](crate::SearcherBuilder::invariants) of the searcher never pass.
    pub fn goal_filter(mut self, filter: impl Fn(&State) -> bool + 'p) -> Self {
        self.goal_filter = Some(Box::new(filter));
        self
    }

    fn begins_at(&self, state: &State) -> bool {
        let admits = self.prepared.invariants.as_ref().is_none_or(|admits| {
            let terms = state.values().iter().map(|value| Term::constant(*value));
            admits(&terms.collect::<Vec<_>>())
        });
        admits && self.goal_filter.as_ref().is_none_or(|passes| passes(state))
    }

    /// Store all reachable states by breadth-first search that doesn't stop at goals. The outcome
    /// is [`NoSolution`](crate::Outcome::NoSolution) when all states were stored.
    ///
    /// # Errors
    /// When the start is not a state of the game, or the searcher has a machine.
    pub fn explore(&mut self, start: &State) -> Result<SolveReport, BestFirstError> {
        self.with_closed_list(start, |work, start| bfs::breadth_first(work, start, true))
    }

    /// Look for a solution with the fewest moves by breadth-first search. Goals are recognized when
    /// generated.
    ///
    /// # Errors
    /// When the start is not a state of the game, or the searcher has a machine.
    pub fn bfs(&mut self, start: &State) -> Result<SolveReport, BestFirstError> {
        self.with_closed_list(start, |work, start| bfs::breadth_first(work, start, false))
    }

    /// Look for a solution of least cost by uniform-cost search (Dijkstra's algorithm).
    ///
    /// # Errors
    /// When the start is not a state of the game, or the searcher has a machine.
    pub fn uniform_cost(&mut self, start: &State) -> Result<SolveReport, BestFirstError> {
        self.weighted_a_star(start, &ZeroHeuristic, Weight::ZERO)
    }

    /// Look for a solution of least cost by A* (Hart, Nilsson & Raphael 1968), with an admissible
    /// heuristic. It need not be consistent: a state reached again at less cost is reopened.
    ///
    /// Among nodes with equal f, those with more g come first, and of those the one put in last,
    /// unless [`ties`](Self::ties) sets another order. Goals are recognized when expanded.
    ///
    /// # Errors
    /// When the start is not a state of the game, or the searcher has a machine.
    pub fn a_star(
        &mut self,
        start: &State,
        heuristic: &dyn Heuristic,
    ) -> Result<SolveReport, BestFirstError> {
        self.weighted_a_star(start, heuristic, Weight::ONE)
    }

    /// Look for a solution by A* with f = g + w h (Pohl 1970). With an admissible heuristic it
    /// costs at most w times the least cost, or the least cost if w is at most 1.
    ///
    /// # Errors
    /// When the start is not a state of the game, or the searcher has a machine.
    pub fn weighted_a_star(
        &mut self,
        start: &State,
        heuristic: &dyn Heuristic,
        weight: Weight,
    ) -> Result<SolveReport, BestFirstError> {
        self.by_score(start, heuristic, Score::Weighted(weight))
    }

    /// Look for a solution by greedy best-first search (Doran & Michie 1966): the open node with
    /// the least estimate comes first, regardless of its path cost. The solution may have any cost,
    /// and is often found soon.
    ///
    /// Without a solution the search ends with [`NoSolution`](crate::Outcome::NoSolution) when
    /// every state that is reachable without passing a dead end was expanded.
    ///
    /// # Errors
    /// When the start is not a state of the game, or the searcher has a machine.
    pub fn greedy(
        &mut self,
        start: &State,
        heuristic: &dyn Heuristic,
    ) -> Result<SolveReport, BestFirstError> {
        self.by_score(start, heuristic, Score::Estimate)
    }

    /// Look for a solution by beam search: layer by layer, of which only the `width` states with
    /// the least g + h are kept. It takes about the width times the length of the solution in
    /// memory and, times the number of moves of a state, in time, whatever the game; the solution
    /// may have any cost, and there may be one that isn't found.
    ///
    /// Without a solution, the search ends with [`NotFound`](crate::Outcome::NotFound) if states
    /// were left out.
    ///
    /// # Errors
    /// When the start is not a state of the game, or the searcher has a machine.
    pub fn beam(
        &mut self,
        start: &State,
        heuristic: &dyn Heuristic,
        width: u64,
    ) -> Result<SolveReport, BestFirstError> {
        self.with_closed_list(start, |work, start| {
            beam::beam(work, start, heuristic, width)
        })
    }

    /// Look for a solution of least cost by SMA\* (Russell 1992), with an admissible heuristic: A\*
    /// that forgets what looks worst when [`Limits::memory`](crate::Limits::memory) is used up, and
    /// makes it again once nothing else looks better. It makes states again and again if the memory
    /// is far too small, so a limit on the time is advisable.
    ///
    /// A solution has the least cost. If the memory can't hold the path to one, the search ends
    /// with [`StopReason::Memory`](crate::StopReason::Memory), and the report's next bound is a
    /// cost below which there is none.
    ///
    /// A node is *generated* each time that its parent is expanded, and the states that are kept
    /// are those that are remembered at the end. Goals are recognized when they would be expanded.
    ///
    /// # Errors
    /// When the start is not a state of the game, or the searcher has a machine.
    pub fn sma_star(
        &mut self,
        start: &State,
        heuristic: &dyn Heuristic,
    ) -> Result<SolveReport, BestFirstError> {
        self.with_closed_list(start, |work, start| sma::sma_star(work, start, heuristic))
    }

    fn by_score(
        &mut self,
        start: &State,
        heuristic: &dyn Heuristic,
        score: Score,
    ) -> Result<SolveReport, BestFirstError> {
        let (ties, below) = (self.ties, self.below);
        let maps = std::mem::take(&mut self.symmetries);
        let report = self.with_closed_list(start, |work, packed| {
            let images = Images::new(work.space, &maps, start);
            match ties {
                Ties::Nutshell => nutshell::nutshell(work, packed, heuristic, score),
                _ => {
                    let ranking = Ranking::new(score, ties);
                    a_star::a_star(work, packed, heuristic, ranking, below, images)
                }
            }
        });
        self.symmetries = maps;
        report
    }

    /// Search as in "Algorithms in a Nutshell" (Heineman, Pollice & Selkow), chapter 7: depth
    /// first, with a stack of open nodes, a closed set of the states taken off the stack, and a
    /// bound on the depth.
    ///
    /// It takes less time than depth-first search without a closed set, but it may **miss solutions
    /// within the bound** (the *horizon effect*): a state that is closed near the bound, at the end
    /// of a long path, isn't expanded again when a shorter path reaches it, even if a goal would
    /// then be within the bound. So a failure proves nothing unless the bound never mattered;
    /// [`NotFound`](crate::Outcome::NotFound) and [`NoSolution`](crate::Outcome::NoSolution)
    /// distinguish the two cases. For proofs use [`dfs`](Run::dfs) or [`bfs`](Run::bfs).
    ///
    /// Children are pushed in the order of the rules, so the last one is expanded first. As in the
    /// book, a goal is recognized when it is generated, children at the bound aren't pushed, and a
    /// state that was pushed twice before it was closed is expanded twice.
    ///
    /// # Errors
    /// When the start is not a state of the game, or the searcher has a machine.
    pub fn dfs_closed(&mut self, start: &State, depth: u64) -> Result<SolveReport, BestFirstError> {
        self.with_closed_list(start, |work, start| {
            dfs_closed::dfs_closed(work, start, depth)
        })
    }

    /// Look for a solution of least cost by uniform-cost search from both ends (Nicholson 1966).
    ///
    /// The backward search begins with all goal states that pass the filter, at most
    /// [`GOAL_LIMIT`](crate::GOAL_LIMIT), and applies the rules backward. Where a rule loses
    /// values, a state has a predecessor for each choice of them; predecessors are made as needed.
    /// Backward moves respect only the domains, so they may lead to states that are unreachable
    /// from any sensible start: that costs time, but the result stays correct.
    ///
    /// # Errors
    /// When the start is not a state of the game, there are too many goal states, or the searcher
    /// has a machine.
    pub fn bidirectional(&mut self, start: &State) -> Result<SolveReport, BestFirstError> {
        self.both_ends(start, Method::Costs)
    }

    /// Look for a solution of least cost from both ends, guided by two heuristics (BAE\*, Sadhukhan
    /// 2013): `to_goal` estimates the cost from a state to a goal, and `from_start` the cost from
    /// the start to a state, as a heuristic does in the game run backward whose goal is the start.
    /// Both must be admissible and consistent on all paths from the start to a goal; else the
    /// solution may cost more than the least. What they say of other states doesn't matter.
    ///
    /// Everything else is as for [`bidirectional`](Self::bidirectional).
    ///
    /// # Errors
    /// As for [`bidirectional`](Self::bidirectional).
    pub fn bae_star(
        &mut self,
        start: &State,
        to_goal: &dyn Heuristic,
        from_start: &dyn Heuristic,
    ) -> Result<SolveReport, BestFirstError> {
        self.both_ends(start, Method::Errors([to_goal, from_start]))
    }

    /// Look for a solution of least cost from both ends, by pairs of open nodes (NBS, Chen, Holte,
    /// Zilles & Sturtevant 2017), guided by two heuristics as [`bae_star`](Self::bae_star) is, that
    /// need only be admissible.
    ///
    /// If they are consistent too, the search expands at most twice as many states before it has
    /// proved the least cost as any search must that uses these heuristics from both ends, and
    /// knows no more of the game. BAE\* does know more, since it takes from each cost what the
    /// other heuristic says of it, and so it often expands fewer.
    ///
    /// # Errors
    /// As for [`bidirectional`](Self::bidirectional).
    pub fn nbs(
        &mut self,
        start: &State,
        to_goal: &dyn Heuristic,
        from_start: &dyn Heuristic,
    ) -> Result<SolveReport, BestFirstError> {
        self.both_ends(start, Method::Pairs([to_goal, from_start]))
    }

    fn both_ends(
        &mut self,
        start: &State,
        method: Method<'_>,
    ) -> Result<SolveReport, BestFirstError> {
        let game = &self.prepared.game;
        game.check(start)?;
        let is_filtered = self.goal_filter.is_some() || self.prepared.invariants.is_some();
        let count = (!is_filtered).then(|| GoalStates::count_all(&game.game));
        let count = count.flatten();
        if count.is_some_and(|count| count > GOAL_LIMIT as u128) {
            return Err(BestFirstError::TooManyGoalStates { count });
        }
        // The search borrows the progress callback mutably, and the filter doesn't use it.
        let mut progress = self.progress.take();
        let passes = |state: &State| self.begins_at(state);
        let mut goals = Goals {
            states: GoalStates::of(&game.game),
            filter: is_filtered.then_some(&passes as &GoalFilter<'_>),
            too_many: false,
        };
        let watch = Watch::new(&self.limits, progress.as_mut());
        let report = self.in_space(start, watch, false, |work, start| {
            bidirectional::from_both_ends(work, start, &mut goals, method)
        });
        let too_many = goals.too_many;
        self.progress = progress;
        if too_many {
            return Err(BestFirstError::TooManyGoalStates { count });
        }
        report
    }

    pub(in crate::best_first) fn with_closed_list(
        &mut self,
        start: &State,
        search: impl FnOnce(Work<'_, '_>, &[u64]) -> SolveReport,
    ) -> Result<SolveReport, BestFirstError> {
        let mut progress = self.progress.take();
        let watch = Watch::new(&self.limits, progress.as_mut());
        let report = self.in_space(start, watch, true, search);
        self.progress = progress;
        report
    }

    /// Run a search in the packed space, or, if it only goes forward, in the space with groups. The
    /// first such run makes the space.
    fn in_space(
        &self,
        start: &State,
        mut watch: Watch<'_, '_>,
        only_forward: bool,
        search: impl FnOnce(Work<'_, '_>, &[u64]) -> SolveReport,
    ) -> Result<SolveReport, BestFirstError> {
        if self.prepared.prunes {
            let detection = DuplicateDetection::ClosedList;
            return Err(UnsafeCombination { detection }.into());
        }
        self.prepared.game.check(start)?;
        let space = if only_forward {
            self.prepared.space_from(start, &mut watch)
        } else {
            self.prepared.space(&mut watch)
        };
        let mut report = match space {
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
