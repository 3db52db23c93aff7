//! Solvers, which are prepared once and solve many starts.

mod advice;
mod all_solutions;
mod anytime;
mod behind;
mod builder;
mod from_start;
mod perimeter;
mod shared;
mod symmetries;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use abstraction::Symmetry;
use heuristics::{Combined, Perimeter};
use length_choice::{PreparedPruning, Pruned, PrunedCycles, PrunedSequences, Searches};
use psvn_ir::State;
use search::{CycleDetection, HandOut, Limits, SolveReport, StateMap};

use self::behind::Behind;
pub use self::builder::SolverBuilder;
use self::from_start::FromStart;
pub use self::shared::{Shared, SharedValues};
use super::answers::{Answer, Guarantee};
use super::options::SearchOptions;
use crate::environment::{Environment, free_memory};
use crate::error::Error;
use crate::game::Game;
use crate::heuristic::{PreparedHeuristic, SomeBounds};
use crate::text::algorithm::Algorithm;

/// In a try, A* may make one node for this many of IDA*: it keeps its nodes, which takes longer.
const NODES_FOR_A_STATE: u64 = 32;

/// The most bytes of states that A* keeps before IDA* takes over, unless a limit is set.
const FIRST_STATES: usize = 1 << 30;

/// Solves starts of a game. It is prepared once, and any number of threads use it.
///
/// A [`search::Searcher`] runs one algorithm with one machine and the estimate that it is given. A
/// solver has made these by its options, and holds a searcher for each machine that it may use.
///
/// ```
/// use psvn::{Algorithm, Environment, Game, Solver};
///
/// let env = Environment::default();
/// let game = Game::built_in("pancake:7", &env)?;
/// let start = game.state("the start", "5 2 7 1 4 6 3")?;
/// let solver = Solver::builder(&game).starts([start.clone()]).build(&env)?;
/// let answer = solver.solve(&start)?;
/// assert_eq!(answer.solution().map(|solution| solution.cost), Some(7));
/// # Ok::<(), psvn::Error>(())
/// ```
pub struct Solver {
    game: Game,
    /// The search with each machine that it may use.
    searches: Searches,
    options: SearchOptions,
    pruning: Arc<PreparedPruning>,
    heuristic: Arc<PreparedHeuristic>,
    /// The states near the goals, if requested.
    perimeter: Option<Perimeter>,
    /// The bytes of the transposition table, if there is one from the first bound on: what the
    /// heuristic and the perimeter leave of the memory.
    table_bytes: Option<usize>,
    /// The part of the preparation that had been done earlier.
    reused: Duration,
    /// The time that making this took.
    made_in: Duration,
    limits: Limits,
    /// Whether the starts were given, so that the assumptions hold for them.
    knows_starts: bool,
    /// The time of a search without a heuristic after which a note says so, if at all.
    advise_after: Option<Duration>,
    is_advised: Arc<AtomicBool>,
    first_searched: OnceLock<Instant>,
    /// The search without a machine, once one was made.
    unpruned: OnceLock<Searches>,
    /// The symmetries of the game, once a search has asked for them.
    symmetries: OnceLock<Option<Vec<Symmetry>>>,
    /// The searches for all solutions, once some were looked for.
    for_all: OnceLock<Searches>,
    /// The game run backward, once estimates of the cost from a start were made.
    behind: OnceLock<Behind>,
    env: Environment,
}

impl Solver {
    /// Begin to prepare searches in a game.
    pub fn builder<'a>(game: &Game) -> SolverBuilder<'a> {
        SolverBuilder::of(game)
    }

    /// Return the estimate that the search uses.
    pub fn estimate(&self) -> &heuristics::Combined {
        &self.heuristic.estimate
    }

    /// Return the game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Return the options.
    pub fn options(&self) -> &SearchOptions {
        &self.options
    }

    /// Return the searcher with the machine that searches begin with.
    pub(crate) fn searcher(&self) -> &search::Searcher {
        self.searches.first()
    }

    /// Return the searcher without a machine, for a search that recognizes states.
    fn unpruned(&self) -> &search::Searcher {
        let make = || {
            let pruning = PreparedPruning::nothing(self.pruning.known.clone());
            Searches::new(self.game.ir(), &pruning, CycleDetection::None)
        };
        self.unpruned.get_or_init(make).first()
    }

    /// Return the bytes of the states of A* before IDA* takes over: what the heuristic leaves of
    /// the memory that is set, or a part of what is free.
    fn bytes_of_first_states(&self) -> usize {
        let of_free = || {
            let free = free_memory().and_then(|free| usize::try_from(free / 2).ok());
            free.map_or(FIRST_STATES, |free| free.min(FIRST_STATES))
        };
        self.limits.memory.unwrap_or_else(of_free)
    }

    /// Return the pruning of its searches.
    pub fn pruning(&self) -> &PreparedPruning {
        &self.pruning
    }

    /// Return the heuristic.
    pub fn heuristic(&self) -> &PreparedHeuristic {
        &self.heuristic
    }

    /// Return the heuristic, to be used by [other searches](SolverBuilder::prepared_heuristic)
    /// too.
    pub fn shared_heuristic(&self) -> Arc<PreparedHeuristic> {
        Arc::clone(&self.heuristic)
    }

    /// Return whether the solutions of its algorithm are of least cost.
    pub fn is_optimal(&self) -> bool {
        self.guarantee().is_optimal()
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::new(&self.options, &self.heuristic)
    }

    /// Return the answer that a report of its search gives.
    pub(super) fn answer(&self, start: &State, report: SolveReport) -> Answer {
        let mut tried = self.heuristic.tried.iter();
        let tried = tried.find(|tried| tried.start == *start);
        Answer::new(report, &self.guarantee(), tried)
    }

    /// Return the time that was spent before the first search, also where an earlier run spent it.
    pub fn preparation(&self) -> Duration {
        self.pruning.analysis + self.heuristic.elapsed
    }

    /// Return the part of the preparation that had been done before, for another search or by an
    /// earlier run.
    pub fn reused(&self) -> Duration {
        self.reused
    }

    /// Return the time that passed while this was made, without the searches that solved a start
    /// meanwhile ([`found`](Self::found)). Preparations on first use are in
    /// [`Answer::preparation`].
    pub fn made_in(&self) -> Duration {
        let is_used = self.takes_found();
        let found = self.heuristic.found.iter().filter(|_| is_used);
        let searched = found.map(|found| found.report.elapsed).sum();
        self.made_in.saturating_sub(searched)
    }

    /// Return the answer that was found for a start while the heuristic was chosen, and the
    /// heuristic of that search, where the same search would be made again.
    pub fn found(&self, start: &State) -> Option<(Answer, &str)> {
        if !self.takes_found() {
            return None;
        }
        let mut found = self.heuristic.found.iter();
        let found = found.find(|found| found.start == *start)?;
        let mut answer = self.answer(start, found.report.clone());
        // The search is one of the tries.
        answer.generated_in_tries = answer.generated_in_tries.saturating_sub(answer.generated);
        answer.pruning = Some(self.pruned(&answer, Vec::new()));
        Some((answer, &found.heuristic))
    }

    /// Return what a search left out that changed its machine between bounds.
    fn pruned(&self, answer: &Answer, later_sequences: Vec<PrunedSequences>) -> Pruned {
        // A search that keeps states has no machine.
        let has_machine = answer.pruned_by_machine.is_some();
        let first = self
            .pruning
            .sequences
            .iter()
            .filter(|_| has_machine)
            .cloned();
        Pruned {
            sequences: first.chain(later_sequences).collect(),
            cycles: match answer.cycle_detection {
                CycleDetection::None => None,
                CycleDetection::Parent => Some(PrunedCycles::Parent),
                CycleDetection::Path => Some(PrunedCycles::Path),
            },
            table: answer.table.is_some(),
        }
    }

    /// Refuse a start that breaks what is assumed of all states.
    pub(super) fn check_start(&self, start: &State) -> Result<(), Error> {
        let checked = self.pruning.known.check_state(self.game.ir(), start);
        checked.map_err(|violation| {
            let why = format!("the search isn't prepared for this start: {violation}");
            Error::input(why).with_hint("name the starts when the search is prepared")
        })
    }

    /// Whether the searches by which a heuristic is chosen are the ones that were asked for.
    fn takes_found(&self) -> bool {
        let algorithm = self.options.algorithm;
        algorithm.changes_between_bounds() && self.options.table_bytes(algorithm).is_none()
    }

    /// Search from a start, by the algorithm that was set.
    ///
    /// # Errors
    /// When the start isn't a state of the game, or breaks an assumption about all starts.
    pub fn solve(&self, start: &State) -> Result<Answer, Error> {
        self.search_of(start).solve()
    }

    /// The same within limits for this search. Those that aren't given stay as the solver was
    /// prepared with them. The memory is for the states or the table of the search. An interrupt
    /// takes the place of the environment's cancellation.
    ///
    /// # Errors
    /// As for [`solve`](Self::solve).
    pub fn solve_within(&self, start: &State, limits: Limits) -> Result<Answer, Error> {
        let mut search = self.search_of(start);
        let before = search.limits;
        search.limits = Limits {
            nodes: limits.nodes.or(before.nodes),
            time: limits.time.or(before.time),
            memory: limits.memory.or(before.memory),
            interrupt: limits.interrupt.or(before.interrupt),
        };
        search.solve()
    }

    /// Search from a start, and have the subtrees of all bounds handed out that are large enough to
    /// be cut. See [`search::Run::handed_out_by`].
    ///
    /// # Errors
    /// As for [`solve`](Self::solve).
    pub fn solve_handed_out(&self, start: &State, hand_out: &dyn HandOut) -> Result<Answer, Error> {
        let mut search = self.search_of(start);
        search.hand_out = Some(hand_out);
        search.solve()
    }

    fn search_of<'s>(&'s self, start: &'s State) -> FromStart<'s> {
        FromStart {
            solver: self,
            start,
            limits: self.limits(),
            hand_out: None,
        }
    }

    /// Search some bounds of IDA* with another heuristic within limits, by one thread. Before the
    /// first bound, an algorithm that keeps states tries A*: where many paths lead to the same
    /// states, it needs a fraction of the nodes, from which nothing follows for IDA*.
    fn tried(&self, bounds: SomeBounds<'_>) -> Option<SolveReport> {
        let started = Instant::now();
        let by_states = self.tried_by_a_star(&bounds);
        if by_states.as_ref().is_some_and(SolveReport::solved) {
            return by_states;
        }
        let before = by_states.map(|report| report.totals).unwrap_or_default();
        let SomeBounds {
            estimate,
            start,
            limits,
            part,
            table,
        } = bounds;
        let run = self.searcher().run();
        let run = run.limits(left(&limits, started, before.generated));
        let mut run = run.count_depths(self.options.count_depths);
        if let Some(bytes) = table {
            run = run.transposition_table(bytes);
        }
        let mut run = run.on_progress(self.on_progress_of_try(estimate));
        let mut report = run.ida_star_part(start, estimate, part).ok()?;
        report.totals.generated += before.generated;
        report.totals.expanded += before.expanded;
        Some(report)
    }

    /// Try A* before the first bound of IDA*, if it is the algorithm that was asked for.
    fn tried_by_a_star(&self, bounds: &SomeBounds<'_>) -> Option<SolveReport> {
        let is_first = bounds.part.first_bound == 0 && bounds.part.last_generated == 0;
        let is_asked = matches!(self.options.algorithm, Algorithm::AStar | Algorithm::Auto);
        if !is_first || !is_asked {
            return None;
        }
        let limits = Limits {
            nodes: bounds.limits.nodes.map(|nodes| nodes / NODES_FOR_A_STATE),
            memory: self.limits.memory,
            ..bounds.limits.clone()
        };
        let run = self.unpruned().run().limits(limits);
        let run = run.count_depths(self.options.count_depths);
        let mut run = run.on_progress(self.on_progress_of_try(bounds.estimate));
        run.a_star(bounds.start, bounds.estimate).ok()
    }

    /// Report progress of a search by which a heuristic is chosen.
    fn on_progress_of_try(&self, estimate: &Combined) -> impl FnMut(&budget::Progress) + use<> {
        let name = estimate.to_string();
        self.env
            .begin()
            .of_search(move |progress| format!("trying {name}: bound {}", progress.level))
    }

    /// Return the symmetries of the game, if they aren't too many.
    fn symmetry_group(&self) -> Option<&[Symmetry]> {
        let found = || symmetries::group(self.game.ir(), &self.env);
        self.symmetries.get_or_init(found).as_deref()
    }

    /// Return the symmetries of the game, if they are requested and not too many.
    fn symmetries(&self) -> Option<Vec<StateMap>> {
        if !self.options.symmetries {
            return None;
        }
        let group = self.symmetry_group()?;
        Some(symmetries::maps(group, self.game.ir()))
    }

    /// Return the limits of the next search.
    fn limits(&self) -> Limits {
        Limits {
            // What the heuristic and the perimeter leave, or none where only a table is limited.
            memory: self.limits.memory,
            ..self.env.limits(&self.limits)
        }
    }

    /// Report progress of a search from a start.
    fn on_progress(&self, start: &State) -> impl FnMut(&budget::Progress) + use<> {
        let phase = self.env.begin();
        let mut show = phase.of_search(|progress| format!("bound {}", progress.level));
        let mut advise = self.adviser(start);
        move |progress| {
            advise();
            show(progress);
        }
    }
}

/// Return what is left of limits for a search that follows others. Those began at `started`, and
/// have `generated` nodes together.
fn left(limits: &Limits, started: Instant, generated: u128) -> Limits {
    let generated = u64::try_from(generated).unwrap_or(u64::MAX);
    Limits {
        nodes: limits.nodes.map(|it| it.saturating_sub(generated)),
        time: limits.time.map(|it| it.saturating_sub(started.elapsed())),
        ..limits.clone()
    }
}
