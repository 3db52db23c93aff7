//! Searches that are prepared once and run from many starts.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use heuristics::{Combined, Perimeter};
use psvn_ir::State;
use rule_splits::SplitGame;
use search::{
    CompiledGame, CycleDetection, DEFAULT_TABLE_BYTES, FirstBound, Limits, Part, SolveReport,
    StateMismatch, Weight,
};

use super::answer::Answer;
use super::options::{SearchOptions, two, unsafe_pruning};
use super::perimeter;
use super::pruning::deepening::{Deepening, Longer, MadeBy};
use super::pruning::of_parts::{OfParts, in_rules};
use super::pruning::worth::Between;
use super::pruning::{PreparedPruning, PruneSpec, Purpose};
use super::shared::Shared;
use crate::algorithm::{Algorithm, Cycles};
use crate::analysis::{Analysis, engine};
use crate::environment::Environment;
use crate::error::Error;
use crate::game::{Game, SearchFor};
use crate::heuristic::{Heuristic, HeuristicSpec, Request, steps_of_node};
use crate::machine::RuleMachine;

/// A search that is prepared once and run from many starts, by any number of threads.
///
/// ```
/// use psvn::{Algorithm, Environment, Game, Searcher};
///
/// let env = Environment::default();
/// let game = Game::built_in("pancake:7", &env)?;
/// let start = game.state("the start", "5 2 7 1 4 6 3")?;
/// let searcher = Searcher::builder(&game).starts([start.clone()]).build(&env)?;
/// let answer = searcher.run(&start).solve()?;
/// assert_eq!(answer.solution().map(|solution| solution.cost), Some(7));
/// # Ok::<(), psvn::Error>(())
/// ```
pub struct Searcher {
    game: Game,
    prepared: search::Searcher,
    /// The same with machines for longer sequences.
    longer: Mutex<BTreeMap<MadeBy, search::Searcher>>,
    options: SearchOptions,
    pruning: Arc<PreparedPruning>,
    heuristic: Arc<Heuristic>,
    /// The states near the goals, if they were asked for.
    perimeter: Option<Perimeter>,
    /// The part of the preparation that had been done before.
    reused: Duration,
    /// The time that making this took.
    made_in: Duration,
    limits: Limits,
    /// When the search is to end at the latest, if it is the only one.
    deadline: Option<Instant>,
    /// Whether the starts were given, so that what is assumed holds for them.
    knows_starts: bool,
    env: Environment,
}

/// What a [`Searcher`] is made from.
pub struct SearcherBuilder<'a> {
    game: Game,
    options: SearchOptions,
    starts: Vec<State>,
    machine: Option<&'a Analysis>,
    deadline: Option<Instant>,
    shared: Option<&'a Shared>,
}

impl<'a> SearcherBuilder<'a> {
    /// Sets all options at once.
    #[must_use]
    pub fn options(mut self, options: SearchOptions) -> Self {
        self.options = options;
        self
    }

    /// Sets the algorithm that [`Run::solve`] runs: IDA* unless it is set.
    #[must_use]
    pub fn algorithm(mut self, algorithm: Algorithm) -> Self {
        self.options.algorithm = algorithm;
        self
    }

    /// Sets what is pruned.
    #[must_use]
    pub fn prune(mut self, spec: PruneSpec) -> Self {
        self.options.prune = Some(spec);
        self
    }

    /// Prunes what an analysis found, whatever else is to be pruned.
    #[must_use]
    pub fn machine(mut self, analysis: &'a Analysis) -> Self {
        self.machine = Some(analysis);
        self
    }

    /// Sets the heuristic.
    #[must_use]
    pub fn heuristic(mut self, spec: HeuristicSpec) -> Self {
        self.options.heuristic = spec;
        self
    }

    /// Sets the states that searches will start from. What holds in all states that they lead to is
    /// used to prune and to estimate, and a heuristic is chosen for them.
    ///
    /// Without them, what holds wherever a goal can be reached from is assumed, and checked for
    /// each start.
    #[must_use]
    pub fn starts(mut self, starts: impl IntoIterator<Item = State>) -> Self {
        self.starts = starts.into_iter().collect();
        self
    }

    /// Sets when all must be done. The analysis may take half of the time until then, and choosing
    /// and building heuristics half of what is left.
    #[must_use]
    pub fn deadline(mut self, deadline: Option<Instant>) -> Self {
        self.deadline = deadline;
        self
    }

    /// Uses what others may have prepared already.
    #[must_use]
    pub fn shared(mut self, shared: &'a Shared) -> Self {
        self.shared = Some(shared);
        self
    }

    /// Prepares the search: analyzes the game or takes its machine, and makes the heuristic.
    ///
    /// # Errors
    /// When the options make no sense together or for the game, a file can't be used, or a machine
    /// or table doesn't fit in memory.
    pub fn build(self, env: &Environment) -> Result<Searcher, Error> {
        let Self {
            game,
            options,
            starts,
            machine,
            deadline,
            shared,
        } = self;
        let started = Instant::now();
        options.check()?;
        let nothing = Shared::default();
        let shared = shared.unwrap_or(&nothing);
        let pruning_setting = options.pruning_setting()?;
        let heuristic_setting = options.heuristic_setting(env)?;
        // What holds of all states depends on the starts, which are the same for all tasks of a
        // domain, but for those that a task leaves out.
        let details = format!("{} starts", starts.len());
        let time = options.time;
        let share = || match deadline {
            Some(deadline) => Some(deadline.saturating_duration_since(Instant::now()) / 2),
            None => time,
        };
        let by_moves = options.algorithm.is_bounded_by_moves();
        let spec = options.prune_spec()?;
        let prepare = || match machine {
            Some(_) if options.algorithm.detects_duplicates() => Err(unsafe_pruning()),
            Some(analysis) => PreparedPruning::by_analysis(analysis, &game, &starts, by_moves, env),
            None => {
                let limits = move_prune::Limits {
                    nodes: None,
                    time: share(),
                    memory: options.memory,
                    interrupt: Some(Arc::clone(env.cancellation())),
                };
                PreparedPruning::prepare(
                    &spec,
                    &game,
                    Purpose {
                        starts: &starts,
                        bounded_by_moves: by_moves,
                        within_invariants: true,
                        search_for: SearchFor::Goals,
                        split: options.split,
                    },
                    limits,
                    env,
                )
            }
        };
        let (pruning, is_reused) = match machine {
            Some(_) => (Arc::new(prepare()?), false),
            None => shared.prunings.get(&pruning_setting, &details, prepare)?,
        };
        let mut reused = Duration::ZERO;
        if is_reused || pruning.is_from_cache {
            reused += pruning.analysis;
        }
        let mut searcher = Searcher {
            prepared: prepared(
                &game,
                &options,
                &pruning,
                pruning.split.as_deref(),
                pruning.machine.as_ref(),
            ),
            longer: Mutex::default(),
            pruning,
            heuristic: Arc::new(Heuristic::zero(game.ir())?),
            perimeter: None,
            reused,
            made_in: Duration::ZERO,
            limits: Limits {
                nodes: options.nodes,
                time: options.time,
                memory: options
                    .memory
                    .filter(|_| options.algorithm.detects_duplicates()),
                interrupt: Some(Arc::clone(env.cancellation())),
            },
            deadline,
            knows_starts: !starts.is_empty(),
            env: env.clone(),
            game,
            options,
        };
        let options = &searcher.options;
        let most = options.memory.unwrap_or(usize::MAX);
        let request = Request {
            spec: &options.heuristic,
            memory: options.heuristic_memory.min(most),
            mirrored: options.mirrored,
            duals: options.duals,
            algorithm: options.algorithm,
            game: searcher.game.ir(),
            starts: &starts,
            known: &searcher.pruning.known,
            nodes: options.nodes,
            time: share(),
            deadline,
            env,
        };
        let prepare = || {
            Heuristic::prepare(&request, &|estimate, start, limits| {
                searcher.tried(estimate, start, limits)
            })
        };
        let (heuristic, is_reused) =
            shared
                .heuristics
                .get(&heuristic_setting, &details, prepare)?;
        if is_reused {
            searcher.reused += heuristic.elapsed;
        }
        // Tables of the heuristic are part of what the search may use.
        let tables = usize::try_from(heuristic.estimate.n_bytes()).unwrap_or(usize::MAX);
        if let Some(memory) = &mut searcher.limits.memory {
            *memory = memory.saturating_sub(tables);
        }
        searcher.heuristic = heuristic;
        if let Some(radius) = options.perimeter {
            let length = match &spec {
                PruneSpec::Length(length) => *length,
                _ => 2,
            };
            let limits = move_prune::Limits {
                nodes: None,
                time: share(),
                memory: options.memory,
                interrupt: Some(Arc::clone(env.cancellation())),
            };
            let memory = options.memory;
            let found = perimeter::prepare(&searcher.game, radius, length, memory, limits, env)?;
            searcher.perimeter = Some(found);
        }
        searcher.made_in = started.elapsed();
        Ok(searcher)
    }
}

impl Searcher {
    /// Begin to prepare searches in a game.
    pub fn builder<'a>(game: &Game) -> SearcherBuilder<'a> {
        SearcherBuilder {
            game: game.clone(),
            options: SearchOptions::default(),
            starts: Vec::new(),
            machine: None,
            deadline: None,
            shared: None,
        }
    }

    /// The estimate that the search goes by.
    pub(crate) fn estimate(&self) -> &heuristics::Combined {
        &self.heuristic.estimate
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// What was asked for.
    pub fn options(&self) -> &SearchOptions {
        &self.options
    }

    /// What searches leave out.
    pub fn pruning(&self) -> &PreparedPruning {
        &self.pruning
    }

    /// The heuristic.
    pub fn heuristic(&self) -> &Heuristic {
        &self.heuristic
    }

    /// Whether the solutions of its algorithm are of least cost.
    pub fn is_optimal(&self) -> bool {
        self.options.algorithm.is_optimal() && self.heuristic.is_admissible()
    }

    /// The time that was spent before the first search, also where an earlier run spent it.
    pub fn preparation(&self) -> Duration {
        self.pruning.analysis + self.heuristic.elapsed
    }

    /// The part of the preparation that had been done before, for another search or by an earlier
    /// run.
    pub fn reused(&self) -> Duration {
        self.reused
    }

    /// The time that passed while this was made, apart from the searches that solved a start on the
    /// way ([`found`](Self::found)). What a search prepares on first use is in
    /// [`Answer::preparation`].
    pub fn made_in(&self) -> Duration {
        let is_used = self.options.algorithm == Algorithm::Ida;
        let found = self.heuristic.found.iter().filter(|_| is_used);
        let searched = found.map(|found| found.report.elapsed).sum();
        self.made_in.saturating_sub(searched)
    }

    /// The answer that was found for a start while the heuristic was chosen, and the heuristic that
    /// it was found with, where the same search would be made again.
    pub fn found(&self, start: &State) -> Option<(Answer, &str)> {
        if self.options.algorithm != Algorithm::Ida {
            return None;
        }
        let mut found = self.heuristic.found.iter();
        let found = found.find(|found| found.start == *start)?;
        Some((Answer::from(found.report.clone()), &found.heuristic))
    }

    /// A search from a start.
    pub fn run<'s>(&'s self, start: &'s State) -> Run<'s> {
        Run {
            searcher: self,
            start,
            limits: self.limits(),
        }
    }

    /// What IDA* with another heuristic comes to within limits, by one thread.
    fn tried(&self, estimate: &Combined, start: &State, limits: Limits) -> Option<SolveReport> {
        let name = estimate.to_string();
        let shown = self
            .env
            .begin()
            .of_search(move |progress| format!("trying {name}: bound {}", progress.level));
        let count = self.options.count_depths;
        let run = self.prepared.run().limits(limits).on_progress(shown);
        let mut run = run.count_depths(count);
        let Some(split) = &self.pruning.split else {
            return run.ida_star(start, estimate).ok();
        };
        let mut report = run.ida_star(start, &OfParts::new(estimate, split)).ok()?;
        in_rules(split, &mut report);
        Some(report)
    }

    /// The search with a machine for longer sequences.
    fn with_longer(&self, longer: &Longer, machine: &Arc<RuleMachine>) -> search::Searcher {
        let mut made = self.longer.lock().unwrap_or_else(PoisonError::into_inner);
        let split = longer.split.as_deref();
        let make = || {
            prepared(
                &self.game,
                &self.options,
                &self.pruning,
                split,
                Some(machine),
            )
        };
        made.entry(longer.made_by).or_insert_with(make).clone()
    }

    /// What the next search may use.
    fn limits(&self) -> Limits {
        let left = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
        Limits {
            time: self.deadline.map(left).or(self.limits.time),
            ..self.limits.clone()
        }
    }

    /// Reports progress.
    fn on_progress(&self) -> impl FnMut(&budget::Progress) + use<> {
        self.env
            .begin()
            .of_search(|progress| format!("bound {}", progress.level))
    }
}

/// A search whose plan is made when it first runs.
fn prepared(
    game: &Game,
    options: &SearchOptions,
    pruning: &PreparedPruning,
    split: Option<&SplitGame>,
    machine: Option<&Arc<RuleMachine>>,
) -> search::Searcher {
    let cycles = match (options.cycles, pruning.parent) {
        (Cycles::Path, _) => CycleDetection::Path,
        (Cycles::Parent, _) | (Cycles::None, true) => CycleDetection::Parent,
        (Cycles::None, false) => CycleDetection::None,
    };
    let searched = match split {
        Some(split) => split.game(),
        None => game.ir(),
    };
    let builder = search::Searcher::builder(&CompiledGame::new(searched))
        .cycle_detection(cycles)
        .invariants(engine::admits(&pruning.known));
    match machine {
        Some(machine) => builder.machine(Arc::clone(machine)).build(),
        None => builder.build(),
    }
}

/// A search from one start.
pub struct Run<'s> {
    searcher: &'s Searcher,
    start: &'s State,
    limits: Limits,
}

impl Run<'_> {
    /// Sets the most nodes.
    #[must_use]
    pub fn max_nodes(mut self, nodes: u64) -> Self {
        self.limits.nodes = Some(nodes);
        self
    }

    /// Sets the most time.
    #[must_use]
    pub fn max_time(mut self, time: Duration) -> Self {
        self.limits.time = Some(time);
        self
    }

    /// Search by the algorithm that was set.
    ///
    /// # Errors
    /// When the start is no state of the game, or breaks what is assumed of all starts.
    pub fn solve(self) -> Result<Answer, Error> {
        let algorithm = self.searcher.options.algorithm;
        self.by(algorithm)
    }

    /// Search by IDA*, whatever algorithm was set.
    ///
    /// # Errors
    /// When the start is no state of the game, or breaks what is assumed of all starts; or when the
    /// search was prepared for an algorithm that keeps states.
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
        let searcher = self.searcher;
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
        let refused = |error: StateMismatch| Error::input(error.to_string()).caused_by(error);
        let started = Instant::now();
        let deepening = searcher.pruning.deepening.as_ref();
        let mut answer: Answer = match (algorithm, deepening) {
            _ if algorithm.detects_duplicates() => self.with_duplicate_detection()?,
            // What a perimeter adds is not counted in the steps that decide about longer sequences.
            (Algorithm::Ida, Some(deepening)) if searcher.perimeter.is_none() => {
                self.in_parts(deepening)?.into()
            }
            _ => self.depth_first(algorithm).map_err(refused)?.into(),
        };
        answer.preparation = started.elapsed().saturating_sub(answer.elapsed);
        Ok(answer)
    }

    fn with_duplicate_detection(self) -> Result<Answer, Error> {
        let Self {
            searcher,
            start,
            limits,
        } = self;
        let options = &searcher.options;
        let weight = options.weight.unwrap_or(Weight::ONE);
        let known = &searcher.pruning.known;
        let game = searcher.game.ir();
        let estimate = &searcher.heuristic.estimate;
        if searcher.prepared.machine().is_some() {
            return Err(unsafe_pruning());
        }
        let mut search = searcher
            .prepared
            .run()
            .limits(limits)
            .on_progress(searcher.on_progress())
            .ties(options.ties.unwrap_or_default())
            .goal_filter(move |state| known.check_state(game, state).is_ok());
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
            .map(Answer::from)
            .map_err(|error| Error::input(error.to_string()).caused_by(error))
    }

    /// IDA*, with machines for longer sequences once they are worth it.
    fn in_parts(self, deepening: &Deepening) -> Result<SolveReport, Error> {
        let Self {
            searcher,
            start,
            limits,
        } = self;
        let started = Instant::now();
        let left = |report: Option<&SolveReport>| {
            let done = report.map_or(0, |report| report.totals.generated);
            let done = u64::try_from(done).unwrap_or(u64::MAX);
            Limits {
                nodes: limits.nodes.map(|nodes| nodes.saturating_sub(done)),
                time: limits.time.map(|it| it.saturating_sub(started.elapsed())),
                ..limits.clone()
            }
        };
        let estimate = &searcher.heuristic.estimate;
        let steps_of_node = steps_of_node(estimate);
        let rules = searcher.game.ir().rules();
        let cost = rules
            .iter()
            .map(|rule| rule.canonical.cost() as f64)
            .sum::<f64>();
        let cost_of_move = (cost / rules.len().max(1) as f64).max(1.0);
        let mut known = deepening.first().clone();
        let mut prepared = searcher.prepared.clone();
        let mut split = searcher.pruning.split.clone();
        let mut so_far: Option<SolveReport> = None;
        let mut spent = 0.0;
        loop {
            let last = so_far.as_ref();
            let done = last.map_or(0, |report| report.totals.generated);
            let pause = deepening.pause_above(&known, steps_of_node);
            let pause = u128::from(pause).saturating_sub(done);
            let part = Part {
                first_bound: last.and_then(|report| report.next_bound).unwrap_or(0),
                last_generated: last
                    .and_then(|report| report.iterations.last())
                    .map_or(0, |iteration| iteration.generated),
                pause_above: u64::try_from(pause).unwrap_or(u64::MAX),
            };
            let mut run = prepared
                .run()
                .threads(searcher.env.threads())
                .count_depths(searcher.options.count_depths)
                .limits(left(last))
                .on_progress(searcher.on_progress());
            let searched = match split.as_deref() {
                None => run.ida_star_part(start, estimate, part),
                Some(split) => run.ida_star_part(start, &OfParts::new(estimate, split), part),
            };
            let mut report =
                searched.map_err(|error| Error::input(error.to_string()).caused_by(error))?;
            if let Some(split) = &split {
                in_rules(split, &mut report);
            }
            if let Some(earlier) = so_far.take() {
                report.elapsed += earlier.elapsed;
                report.preparation += earlier.preparation;
                report.put_before(earlier);
            }
            let Some(bound) = report.next_bound else {
                return Ok(report);
            };
            let nodes = |back: usize| {
                let number = report.iterations.len().checked_sub(back);
                number.map_or(0, |number| report.iterations[number].generated)
            };
            let between = Between {
                last: nodes(1),
                before: nodes(2),
                done: report.totals.generated as f64,
                spent,
                moves: bound as f64 / cost_of_move,
                steps_of_node,
                n_starts: deepening.n_starts(),
            };
            let analysis = move_prune::Limits {
                nodes: None,
                time: left(Some(&report)).time.map(|time| time / 2),
                memory: searcher.options.memory,
                interrupt: Some(Arc::clone(searcher.env.cancellation())),
            };
            let (game, env) = (&searcher.game, &searcher.env);
            let longer = deepening.longer(&known, &between, game, analysis, env)?;
            so_far = Some(report);
            if let Some(longer) = longer {
                let found = longer.known.clone().after(&known);
                if let Some(machine) = &longer.machine
                    && found.prunes_more_than(&known)
                {
                    let words = longer.words(&known, bound);
                    match between.is_worth_a_word() {
                        true => env.note(words),
                        false => env.detail(|| words),
                    }
                    prepared = searcher.with_longer(&longer, machine);
                    split.clone_from(&longer.split);
                }
                spent += found.steps();
                known = found;
            }
        }
    }

    fn depth_first(self, algorithm: Algorithm) -> Result<SolveReport, StateMismatch> {
        let searcher = self.searcher;
        let estimate = &searcher.heuristic.estimate;
        match &searcher.perimeter {
            None => self.depth_first_of(algorithm, estimate),
            Some(perimeter) => self.depth_first_of(algorithm, &perimeter.with(estimate)),
        }
    }

    /// A search in the game of parts where rules are split, told in rules.
    fn depth_first_of(
        self,
        algorithm: Algorithm,
        estimate: &impl search::Heuristic,
    ) -> Result<SolveReport, StateMismatch> {
        let Some(split) = &self.searcher.pruning.split else {
            return self.depth_first_with(algorithm, estimate);
        };
        let mut report = self.depth_first_with(algorithm, &OfParts::new(estimate, split))?;
        in_rules(split, &mut report);
        Ok(report)
    }

    fn depth_first_with(
        self,
        algorithm: Algorithm,
        estimate: &impl search::Heuristic,
    ) -> Result<SolveReport, StateMismatch> {
        let Self {
            searcher,
            start,
            limits,
        } = self;
        let options = &searcher.options;
        let mut run = searcher
            .prepared
            .run()
            .threads(searcher.env.threads())
            .count_depths(options.count_depths)
            .limits(limits)
            .on_progress(searcher.on_progress());
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
            Algorithm::IdaTable => {
                let bytes = options.memory.unwrap_or(DEFAULT_TABLE_BYTES);
                run.transposition_table(bytes).ida_star(start, estimate)
            }
            _ => run.ida_star(start, estimate),
        }
    }
}

/// The depth that a depth-first search goes to.
fn depth(options: &SearchOptions) -> u64 {
    options
        .depth
        .expect("options are checked: depth-first searches have a depth")
}
