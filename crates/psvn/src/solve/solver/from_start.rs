//! A search from one start.

use std::time::Instant;

use length_choice::{PrunedSequences, SearchError, Setting};
use psvn_ir::State;
use search::{
    Counter, Event, FirstBound, HandOut, Limits, Outcome, SolveReport, StateMismatch, StopReason,
    Weight, lookups,
};

use super::{Solver, left};
use crate::environment::free_memory;
use crate::error::Error;
use crate::solve::answers::{Answer, Kept};
use crate::solve::options::{SearchOptions, two, unsafe_pruning};
use crate::text::algorithm::Algorithm;

/// A search from one start.
pub(super) struct FromStart<'s> {
    pub(super) solver: &'s Solver,
    pub(super) start: &'s State,
    pub(super) limits: Limits,
    /// Has subtrees searched, if someone else does.
    pub(super) hand_out: Option<&'s dyn HandOut>,
}

impl FromStart<'_> {
    /// Search by the algorithm that was set.
    pub(super) fn solve(self) -> Result<Answer, Error> {
        let algorithm = self.solver.options.algorithm;
        let _span = tracing::info_span!("search", algorithm = algorithm.name()).entered();
        let (solver, start) = (self.solver, self.start);
        if !solver.knows_starts {
            solver.check_start(start)?;
        }
        // What others search isn't counted.
        let counts_more = solver.options.count_depths && self.hand_out.is_none();
        let counts_lookups = counts_more && solver.heuristic.estimate.patterns().is_some();
        let lookups_before = lookups();
        let misses = counts_more.then(|| Counter::start(Event::CacheMisses));
        let started = Instant::now();
        let mut later_sequences = Vec::new();
        let may_change = solver.pruning.deepening.is_some()
            || solver.options.bytes_for_transpositions().is_some();
        let mut answer: Answer = match algorithm {
            Algorithm::Anytime => self.anytime()?,
            _ if algorithm.detects_duplicates() => self.with_duplicate_detection()?,
            // The steps that decide about longer sequences don't include the work of a perimeter.
            Algorithm::Ida if may_change && solver.perimeter.is_none() => {
                let report;
                (report, later_sequences) = self.in_parts(None)?;
                solver.answer(start, report)
            }
            Algorithm::Auto => {
                let answer;
                (answer, later_sequences) = self.a_star_first()?;
                answer
            }
            _ => solver.answer(start, self.depth_first()?),
        };
        answer.pruning = Some(solver.pruned(&answer, later_sequences));
        answer.lookups = counts_lookups.then(|| lookups() - lookups_before);
        answer.cache_misses = misses.map(|counter| counter?.count());
        answer.preparation = started.elapsed().saturating_sub(answer.elapsed);
        Ok(answer)
    }

    /// A* as long as there is memory for it, and then IDA* from the bound that A* has proved.
    fn a_star_first(self) -> Result<(Answer, Vec<PrunedSequences>), Error> {
        let solver = self.solver;
        let started = Instant::now();
        let limits = Limits {
            memory: Some(solver.bytes_of_first_states()),
            ..self.limits.clone()
        };
        let mut run = solver
            .unpruned()
            .run()
            .limits(limits)
            .on_progress(solver.on_progress(self.start))
            .count_depths(solver.options.count_depths);
        let report = run.a_star(self.start, &solver.heuristic.estimate)?;
        let is_full = report.outcome == Outcome::Stopped(StopReason::Memory);
        if !is_full {
            return Ok((solver.answer(self.start, report), Vec::new()));
        }
        drop(run);
        let kept = report.best_first.clone();
        let search = Self {
            // The search in parts counts the nodes before it by itself.
            limits: left(&self.limits, started, 0),
            ..self
        };
        let (report, later_sequences) = search.in_parts(Some(report))?;
        let mut answer = solver.answer(self.start, report);
        answer.kept = kept.as_ref().map(Kept::of);
        Ok((answer, later_sequences))
    }

    /// IDA*, which may change its machine or begin to use a transposition table between bounds. An
    /// earlier search says where it begins. Return also the sequences that the machines after the
    /// first one leave out.
    fn in_parts(
        self,
        earlier: Option<SolveReport>,
    ) -> Result<(SolveReport, Vec<PrunedSequences>), SearchError> {
        let (solver, start) = (self.solver, self.start);
        let setting = Setting {
            game: solver.game.ir(),
            start,
            pruning: &solver.pruning,
            searches: &solver.searches,
            estimate: &solver.heuristic.estimate,
            earlier,
            has_transpositions: solver.heuristic.has_transpositions,
            bytes_for_transpositions: solver.options.bytes_for_transpositions(),
            limits: self.limits,
            limits_of_analyses: &solver.options.limits,
            threads: solver.env.threads(),
            count_depths: solver.options.count_depths,
            hand_out: self.hand_out,
            on_progress: &|| Box::new(solver.on_progress(start)),
            host: &solver.env,
        };
        setting.search()
    }

    fn with_duplicate_detection(self) -> Result<Answer, Error> {
        let Self {
            solver,
            start,
            mut limits,
            ..
        } = self;
        let options = &solver.options;
        if options.disk.is_some() && limits.memory.is_none() {
            let free = free_memory().and_then(|free| usize::try_from(free / 4 * 3).ok());
            limits.memory = free;
        }
        if options.algorithm == Algorithm::Sma {
            // It forgets nothing before this memory is used up.
            limits.memory = Some(solver.bytes_of_first_states());
        }
        let weight = options.weight.unwrap_or(Weight::ONE);
        let known = &solver.pruning.known;
        let game = solver.game.ir();
        let estimate = &solver.heuristic.estimate;
        if solver.searcher().machine().is_some() {
            return Err(unsafe_pruning());
        }
        let mut search = solver
            .searcher()
            .run()
            .limits(limits)
            .on_progress(solver.on_progress(start))
            .count_depths(options.count_depths)
            .ties(options.ties.unwrap_or_default())
            .goal_filter(move |state| known.check_state(game, state).is_ok());
        if let Some(symmetries) = solver.symmetries() {
            search = search.symmetries(symmetries);
        }
        if let Some(folder) = &options.disk {
            let mut search = search.threads(solver.env.threads());
            if let Some(bytes) = options.disk_memory {
                search = search.disk_memory(bytes);
            }
            let report = match options.algorithm {
                Algorithm::AStar => search.a_star_on_disk(start, estimate, folder),
                _ => search.uniform_cost_on_disk(start, folder),
            };
            return report
                .map(|report| solver.answer(start, report))
                .map_err(|error| Error::input(error.to_string()).caused_by(error));
        }
        let report = match options.algorithm {
            Algorithm::Bfs => search.bfs(start),
            Algorithm::AStar => search.a_star(start, estimate),
            Algorithm::WeightedAStar => search.weighted_a_star(start, estimate, weight),
            Algorithm::Sma => search.sma_star(start, estimate),
            Algorithm::Greedy => search.greedy(start, estimate),
            Algorithm::Beam => {
                let width = options.width.unwrap_or(BEAM_WIDTH).max(1);
                search.beam(start, estimate, width)
            }
            Algorithm::DfsClosed => search.dfs_closed(start, depth(options)),
            Algorithm::Bidirectional => search.bidirectional(start),
            Algorithm::BaeStar => {
                let behind = solver.estimate_from(start)?;
                search.bae_star(start, estimate, &behind.estimate)
            }
            Algorithm::Nbs => {
                let behind = solver.estimate_from(start)?;
                search.nbs(start, estimate, &behind.estimate)
            }
            _ => search.uniform_cost(start),
        };
        Ok(solver.answer(start, report?))
    }

    fn depth_first(self) -> Result<SolveReport, StateMismatch> {
        let estimate = &self.solver.heuristic.estimate;
        match &self.solver.perimeter {
            None => self.depth_first_with(estimate),
            Some(perimeter) => self.depth_first_with(&perimeter.with(estimate)),
        }
    }

    fn depth_first_with(
        self,
        estimate: &dyn search::Heuristic,
    ) -> Result<SolveReport, StateMismatch> {
        let Self {
            solver,
            start,
            limits,
            hand_out,
        } = self;
        let options = &solver.options;
        let mut run = solver
            .searcher()
            .run()
            .threads(solver.env.threads())
            .count_depths(options.count_depths)
            .limits(limits)
            .on_progress(solver.on_progress(start));
        if let Some(hand_out) = hand_out {
            run = run.handed_out_by(hand_out).threads_above(0);
        }
        if let Some(bytes) = solver.table_bytes {
            run = run.transposition_table(bytes);
        }
        match options.algorithm {
            Algorithm::Dfs => run.dfs(start, depth(options)),
            Algorithm::Dfid => run.dfid(start),
            Algorithm::Wida => {
                let weight = options.weight.unwrap_or(Weight::ONE);
                run.wida_star(start, estimate, weight)
            }
            Algorithm::IdaCr => {
                let growth = options.growth.unwrap_or_else(two);
                run.ida_star_cr(start, estimate, growth)
            }
            Algorithm::Budgeted => run.budgeted_tree_search(start, estimate),
            Algorithm::BranchAndBound => {
                let first = match options.cost_bound {
                    Some(cost) => FirstBound::Cost(cost),
                    None => FirstBound::Weighted(options.weight.unwrap_or_else(two)),
                };
                run.branch_and_bound(start, estimate, first)
            }
            _ => run.ida_star(start, estimate),
        }
    }
}

/// The most states that a beam keeps of each layer, unless a number is set.
const BEAM_WIDTH: u64 = 1_000;

/// Return the depth limit of a depth-first search.
fn depth(options: &SearchOptions) -> u64 {
    options
        .depth
        .expect("options are checked: depth-first searches have a depth")
}
