//! A search from one start.

use std::time::Instant;

use length_choice::{PrunedSequences, SearchError, Setting};
use psvn_ir::State;
use search::{
    Counter, Event, FirstBound, HandOut, Limits, SolveReport, StateMismatch, Weight, lookups,
};

use super::Searcher;
use crate::environment::free_memory;
use crate::error::Error;
use crate::solve::answers::Answer;
use crate::solve::options::{SearchOptions, two, unsafe_pruning};
use crate::text::algorithm::Algorithm;

/// A search from one start.
pub struct Run<'s> {
    pub(super) searcher: &'s Searcher,
    pub(super) start: &'s State,
    pub(super) limits: Limits,
    /// Has subtrees searched, if someone else does.
    pub(super) hand_out: Option<&'s dyn HandOut>,
}

impl<'s> Run<'s> {
    /// Set the maximum number of nodes.
    #[must_use]
    pub fn max_nodes(mut self, nodes: u64) -> Self {
        self.limits.nodes = Some(nodes);
        self
    }

    /// Set the limits of this run. Those that aren't given stay as the search was prepared with
    /// them. The memory is for the states or the table of the search. An interrupt takes the place
    /// of the environment's cancellation.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        let before = self.limits;
        self.limits = Limits {
            nodes: limits.nodes.or(before.nodes),
            time: limits.time.or(before.time),
            memory: limits.memory.or(before.memory),
            interrupt: limits.interrupt.or(before.interrupt),
        };
        self
    }

    /// Have the subtrees of all bounds handed out that are large enough to be cut. See
    /// [`search::Run::handed_out_by`].
    #[must_use]
    pub fn handed_out_by(mut self, hand_out: &'s dyn HandOut) -> Self {
        self.hand_out = Some(hand_out);
        self
    }

    /// Search by the algorithm that was set.
    ///
    /// # Errors
    /// When the start isn't a state of the game, or breaks an assumption about all starts.
    pub fn solve(self) -> Result<Answer, Error> {
        let algorithm = self.searcher.options.algorithm;
        self.by(algorithm)
    }

    /// Search by IDA*, whatever algorithm was set.
    ///
    /// # Errors
    /// When the start isn't a state of the game, or breaks an assumption about all starts; or when
    /// the search was prepared for an algorithm that keeps states.
    pub fn ida_star(self) -> Result<Answer, Error> {
        if self.searcher.options.algorithm.detects_duplicates() {
            return Err(Error::usage(format!(
                "this search is prepared for {}",
                self.searcher.options.algorithm.name()
            )));
        }
        self.by(Algorithm::Ida)
    }

    fn by(self, algorithm: Algorithm) -> Result<Answer, Error> {
        let _span = tracing::info_span!("search", algorithm = algorithm.name()).entered();
        let (searcher, start) = (self.searcher, self.start);
        if !searcher.knows_starts {
            let known = &searcher.pruning.known;
            known
                .check_state(searcher.game.ir(), self.start)
                .map_err(|violation| {
                    Error::input(format!(
                        "the search isn't prepared for this start: {violation}"
                    ))
                    .with_hint("name the starts when the search is prepared")
                })?;
        }
        // What others search isn't counted.
        let counts_more = searcher.options.count_depths && self.hand_out.is_none();
        let counts_lookups = counts_more && searcher.heuristic.estimate.patterns().is_some();
        let lookups_before = lookups();
        let misses = counts_more.then(|| Counter::start(Event::CacheMisses));
        let started = Instant::now();
        let mut later_sequences = Vec::new();
        let may_change = searcher.pruning.deepening.is_some()
            || searcher.options.bytes_for_transpositions().is_some();
        let mut answer: Answer = match algorithm {
            _ if algorithm.detects_duplicates() => self.with_duplicate_detection()?,
            // The steps that decide about longer sequences don't include the work of a perimeter.
            Algorithm::Ida if may_change && searcher.perimeter.is_none() => {
                let report;
                (report, later_sequences) = self.in_parts()?;
                searcher.answer(start, report)
            }
            _ => searcher.answer(start, self.depth_first(algorithm)?),
        };
        answer.pruning = Some(searcher.pruned(&answer, later_sequences));
        answer.lookups = counts_lookups.then(|| lookups() - lookups_before);
        answer.cache_misses = misses.map(|counter| counter?.count());
        answer.preparation = started.elapsed().saturating_sub(answer.elapsed);
        Ok(answer)
    }

    /// IDA*, which may change its machine or begin to use a transposition table between bounds.
    /// Return also the sequences that the machines after the first one leave out.
    fn in_parts(self) -> Result<(SolveReport, Vec<PrunedSequences>), SearchError> {
        let (searcher, start) = (self.searcher, self.start);
        let setting = Setting {
            game: searcher.game.ir(),
            start,
            pruning: &searcher.pruning,
            searches: &searcher.searches,
            estimate: &searcher.heuristic.estimate,
            has_transpositions: searcher.heuristic.has_transpositions,
            bytes_for_transpositions: searcher.options.bytes_for_transpositions(),
            limits: self.limits,
            limits_of_analyses: &searcher.options.limits,
            threads: searcher.env.threads(),
            count_depths: searcher.options.count_depths,
            hand_out: self.hand_out,
            on_progress: &|| Box::new(searcher.on_progress(start)),
            host: &searcher.env,
        };
        setting.search()
    }

    fn with_duplicate_detection(self) -> Result<Answer, Error> {
        let Self {
            searcher,
            start,
            mut limits,
            ..
        } = self;
        let options = &searcher.options;
        if options.disk.is_some() && limits.memory.is_none() {
            let free = free_memory().and_then(|free| usize::try_from(free / 4 * 3).ok());
            limits.memory = free;
        }
        let weight = options.weight.unwrap_or(Weight::ONE);
        let known = &searcher.pruning.known;
        let game = searcher.game.ir();
        let estimate = &searcher.heuristic.estimate;
        if searcher.prepared().machine().is_some() {
            return Err(unsafe_pruning());
        }
        let mut search = searcher
            .prepared()
            .run()
            .limits(limits)
            .on_progress(searcher.on_progress(start))
            .count_depths(options.count_depths)
            .ties(options.ties.unwrap_or_default())
            .goal_filter(move |state| known.check_state(game, state).is_ok());
        if let Some(symmetries) = searcher.symmetries() {
            search = search.symmetries(symmetries);
        }
        if let Some(folder) = &options.disk {
            let mut search = search.threads(searcher.env.threads());
            if let Some(bytes) = options.disk_memory {
                search = search.disk_memory(bytes);
            }
            let report = match options.algorithm {
                Algorithm::AStar => search.a_star_on_disk(start, estimate, folder),
                _ => search.uniform_cost_on_disk(start, folder),
            };
            return report
                .map(|report| searcher.answer(start, report))
                .map_err(|error| Error::input(error.to_string()).caused_by(error));
        }
        let report = match options.algorithm {
            Algorithm::Bfs => search.bfs(start),
            Algorithm::AStar => search.a_star(start, estimate),
            Algorithm::WeightedAStar => search.weighted_a_star(start, estimate, weight),
            Algorithm::Greedy => search.greedy(start, estimate),
            Algorithm::DfsClosed => search.dfs_closed(start, depth(options)),
            Algorithm::Bidirectional => search.bidirectional(start),
            _ => search.uniform_cost(start),
        };
        report
            .map(|report| searcher.answer(start, report))
            .map_err(|error| Error::input(error.to_string()).caused_by(error))
    }

    fn depth_first(self, algorithm: Algorithm) -> Result<SolveReport, StateMismatch> {
        let estimate = &self.searcher.heuristic.estimate;
        match &self.searcher.perimeter {
            None => self.depth_first_with(algorithm, estimate),
            Some(perimeter) => self.depth_first_with(algorithm, &perimeter.with(estimate)),
        }
    }

    fn depth_first_with(
        self,
        algorithm: Algorithm,
        estimate: &dyn search::Heuristic,
    ) -> Result<SolveReport, StateMismatch> {
        let Self {
            searcher,
            start,
            limits,
            hand_out,
        } = self;
        let options = &searcher.options;
        let mut run = searcher
            .prepared()
            .run()
            .threads(searcher.env.threads())
            .count_depths(options.count_depths)
            .limits(limits)
            .on_progress(searcher.on_progress(start));
        if let Some(hand_out) = hand_out {
            run = run.handed_out_by(hand_out).threads_above(0);
        }
        if let Some(bytes) = searcher.table_bytes {
            run = run.transposition_table(bytes);
        }
        match algorithm {
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

/// Return the depth limit of a depth-first search.
fn depth(options: &SearchOptions) -> u64 {
    options
        .depth
        .expect("options are checked: depth-first searches have a depth")
}
