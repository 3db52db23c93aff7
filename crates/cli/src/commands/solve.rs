//! `psvn solve`: solutions, checked before they are printed.

mod answer;
mod pictures;
mod report;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use heuristics::Combined;
use psvn_ir::State;
use search::{
    BestFirst, CompiledGame, CycleDetection, DuplicateDetection, FirstBound, Limits, Searcher,
    SearcherBuilder, Solution, SolveReport, StateMismatch, StopReason, TranspositionReport,
    TranspositionSearch, UnsafeCombination, Weight, replay,
};

pub(crate) use self::answer::{Answer, Outcome};
pub(crate) use self::pictures::print_boards;

use self::pictures::Pictures;
use self::report::{Printer, Solved};
use crate::args::SolveArgs;
use crate::choices::{Algorithm, Cycles};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::heuristic::{Heuristic, HeuristicSpec, Request};
use crate::input::{self, NamedGame};
use crate::instances::{self, Instance, Judged};
use crate::interrupt;
use crate::progress::{self, ProgressMode};
use crate::pruning::{PruneSpec, Pruning};
use crate::rule_analysis;
use crate::shared::Shared;
use crate::two_players;

pub(crate) fn run(args: &SolveArgs, cx: &mut Context) -> Result<Exit, Failure> {
    check(args)?;
    // With one start, the limit on time is one on all that is done for it.
    let time = args.limits.time.filter(|_| args.start.is_some());
    let deadline = time.and_then(|time| Instant::now().checked_add(time));
    let mut game = input::load_game(&args.file, cx)?;
    args.words.apply(&mut game)?;
    two_players::warn(&game, two_players::SOLUTION, cx);
    let Judged {
        instances,
        mut refutations,
    } = instances::judged(
        args.start.as_deref(),
        args.instances.as_deref(),
        args.instance_format,
        &args.file,
        &game,
        cx,
    )?;
    if game.game.goals().is_empty() {
        cx.log
            .warning(&format!("{} has no goal, so nothing solves it", game.name));
    }
    if args.search_anyway {
        refutations.fill(None);
    }
    // What is proved to have no solution takes no part in any preparation.
    let starts: Vec<State> = instances
        .iter()
        .zip(&refutations)
        .filter(|(_, refutation)| refutation.is_none())
        .map(|(instance, _)| instance.state.clone())
        .collect();
    let task = if starts.is_empty() {
        None
    } else {
        let interrupt = interrupt::flag();
        Some(Task::prepare(
            args, &game, &starts, deadline, &interrupt, cx,
        )?)
    };
    let task = task.as_ref();
    let mut pictures = Pictures::new(args, &game)?;
    let setting = task.map(|task| (&*task.pruning, &*task.heuristic));
    let mut printer = Printer::new(args, &game, setting, instances.len());
    printer.layout = pictures.layout().filter(|_| args.boards).cloned();
    printer.head(cx)?;
    let mut exit = Exit::Done;
    for (instance, refutation) in instances.iter().zip(refutations) {
        let (report, found_with) = match (refutation, task) {
            (None, Some(task)) => match task.found(&instance.state) {
                Some((report, heuristic)) => (report, Some(heuristic)),
                None => (task.solve(&instance.state)?, None),
            },
            (refutation, _) => {
                let proof = refutation.map(|found| found.proof).unwrap_or_default();
                (Answer::refuted(proof), None)
            }
        };
        for solution in report.solution().into_iter().chain(&report.best_so_far) {
            check_solution(&game, instance, solution)?;
            pictures.solution(&instance.state, solution)?;
        }
        printer.instance(&Solved::new(instance, &report, found_with), cx)?;
        let is_optimal = task.is_some_and(Task::is_optimal);
        let problem = compare(is_optimal, instance, &report.outcome);
        if let Some(problem) = &problem {
            cx.out.finish()?;
            cx.log
                .error(&format!("instance {}: {problem}", instance.id));
        }
        exit = exit.and(match &report.outcome {
            Outcome::Solved(_) if problem.is_none() => Exit::Done,
            Outcome::Solved(_) | Outcome::NoSolution { .. } => Exit::No,
            Outcome::NotWithinDepth | Outcome::NotWithinCost | Outcome::NotFound => Exit::Limit,
            Outcome::Stopped(StopReason::Interrupted) => Exit::Interrupted,
            Outcome::Stopped(_) => Exit::Limit,
        });
        if exit == Exit::Interrupted {
            break;
        }
    }
    printer.end(cx)?;
    if let Some(task) = task
        && printer.pruned_by_machine() == Some(0)
    {
        cx.out.finish()?;
        cx.log.warning(&format!(
            "{} pruned nothing in {}",
            task.pruning.machine_name,
            match instances.len() {
                1 => "this search",
                _ => "these searches",
            }
        ));
    }
    Ok(exit)
}

/// Refuses options that make no sense together.
pub(crate) fn check(args: &SolveArgs) -> Result<(), Failure> {
    match (args.algorithm, args.depth) {
        (Algorithm::Dfs | Algorithm::DfsClosed, None) => Err(Failure::usage(
            "a depth-first search needs a depth to search to",
        )
        .hint("add `--depth D`, or use `--algorithm dfid`, which finds the depth by itself")),
        (Algorithm::Dfs | Algorithm::DfsClosed, Some(_)) | (_, None) => Ok(()),
        (_, Some(_)) => Err(Failure::usage(
            "only `--algorithm dfs` and `dfs-closed` take a `--depth`",
        )),
    }?;
    match (args.algorithm, args.weight) {
        (Algorithm::Wida | Algorithm::WeightedAStar, None) => Err(Failure::usage(
            "weighted searches need the weight of the estimate",
        )
        .hint("add `--weight W`, such as 1.5 or 3")),
        (Algorithm::Wida | Algorithm::WeightedAStar | Algorithm::BranchAndBound, Some(_))
        | (_, None) => Ok(()),
        (_, Some(_)) => Err(Failure::usage(
            "only `--algorithm wida`, `wastar` and `dfbnb` take a `--weight`",
        )),
    }?;
    if args.growth.is_some() && args.algorithm != Algorithm::IdaCr {
        return Err(Failure::usage(
            "only `--algorithm ida-cr` takes a `--growth`",
        ));
    }
    if args.cost_bound.is_some() && args.algorithm != Algorithm::BranchAndBound {
        return Err(Failure::usage(
            "only `--algorithm dfbnb` takes a `--cost-bound`",
        ));
    }
    if args.explain && args.heuristic != HeuristicSpec::Auto {
        return Err(Failure::usage(
            "`--explain` tells what was chosen, and only `--heuristic auto` chooses",
        ));
    }
    prune_spec(args).map(drop)
}

/// The factor that is used where none is given: of the growth of bounds, and of the weight that finds a
/// first solution.
fn two() -> Weight {
    Weight::new(2, 1).unwrap_or(Weight::ONE)
}

/// What to prune: what the user says, if it is safe, or else what the algorithm allows.
fn prune_spec(args: &SolveArgs) -> Result<PruneSpec, Failure> {
    if !args.algorithm.detects_duplicates() {
        return Ok(args.prune.clone().unwrap_or(PruneSpec::Length(2)));
    }
    match &args.prune {
        None | Some(PruneSpec::None) => Ok(PruneSpec::None),
        Some(PruneSpec::Parent) => Err(Failure::usage(format!(
            "{} keeps all states that it has seen, and so leaves out parents already",
            args.algorithm.name()
        ))
        .hint("leave out `--prune`")),
        Some(PruneSpec::Length(_) | PruneSpec::File(_)) => {
            let refusal = UnsafeCombination {
                detection: DuplicateDetection::ClosedList,
            };
            Err(Failure::usage(refusal.to_string()).hint(
                "leave out `--prune`, or use `--algorithm ida` or `ida-table`, which may prune",
            ))
        }
    }
}

/// What is the same for all instances.
pub(crate) struct Task<'a> {
    args: &'a SolveArgs,
    compiled: CompiledGame,
    pruning: Arc<Pruning>,
    heuristic: Arc<Heuristic>,
    /// The part of the preparation that had been done before.
    reused: Duration,
    limits: Limits,
    /// When the search is to end at the latest, if it is the only one.
    deadline: Option<Instant>,
    progress: ProgressMode,
    threads: usize,
    named: &'a NamedGame,
}

impl<'a> Task<'a> {
    /// Makes ready for searches from some start states, as the arguments say. Where all must be done before a
    /// deadline, the analysis may take half of the time until then, and choosing and building heuristics half of
    /// what is left.
    pub(crate) fn prepare(
        args: &'a SolveArgs,
        game: &'a NamedGame,
        starts: &[State],
        deadline: Option<Instant>,
        interrupt: &Arc<AtomicBool>,
        cx: &Context,
    ) -> Result<Self, Failure> {
        let shared = Shared::default();
        Self::prepare_shared(args, game, starts, deadline, &shared, interrupt, cx)
    }

    /// The same, where others may have prepared something already that this task needs.
    pub(crate) fn prepare_shared(
        args: &'a SolveArgs,
        game: &'a NamedGame,
        starts: &[State],
        deadline: Option<Instant>,
        shared: &Shared,
        interrupt: &Arc<AtomicBool>,
        cx: &Context,
    ) -> Result<Self, Failure> {
        check(args)?;
        let settings = Settings::of(args, cx)?;
        // What holds of all states depends on the starts, which are the same for all tasks of a domain, but
        // for those that a task leaves out.
        let details = format!("{} starts", starts.len());
        let share = || match deadline {
            Some(deadline) => Some(deadline.saturating_duration_since(Instant::now()) / 2),
            None => args.limits.time,
        };
        let prepare = || {
            Pruning::prepare(
                &prune_spec(args)?,
                game,
                starts,
                args.algorithm.is_bounded_by_moves(),
                move_prune::Limits {
                    nodes: None,
                    time: share(),
                    memory: args.memory,
                    interrupt: Some(Arc::clone(interrupt)),
                },
                interrupt,
                cx,
            )
        };
        let (pruning, is_reused) = shared.prunings.get(&settings.pruning, &details, prepare)?;
        let mut reused = Duration::ZERO;
        if is_reused || pruning.is_from_cache {
            reused += pruning.analysis;
        }
        let mut task = Self {
            args,
            compiled: CompiledGame::new(&game.game),
            pruning,
            heuristic: Arc::new(Heuristic::zero(&game.game)?),
            reused,
            limits: Limits {
                nodes: args.limits.nodes,
                time: args.limits.time,
                memory: args.memory.filter(|_| args.algorithm.detects_duplicates()),
                interrupt: Some(Arc::clone(interrupt)),
            },
            deadline,
            progress: cx.progress,
            threads: cx.search_threads(),
            named: game,
        };
        let most = args.memory.unwrap_or(usize::MAX);
        let request = Request {
            spec: &args.heuristic,
            memory: args.heuristic_memory.min(most),
            mirrored: args.mirrored,
            duals: args.duals,
            algorithm: args.algorithm,
            game: &game.game,
            starts,
            known: &task.pruning.known,
            seed: cx.seed,
            nodes: args.limits.nodes,
            time: share(),
            deadline,
            interrupt,
            progress: cx.progress,
        };
        let prepare = || {
            Heuristic::prepare(&request, &|estimate, start, limits| {
                task.tried(estimate, start, limits)
            })
        };
        let (heuristic, is_reused) =
            shared
                .heuristics
                .get(&settings.heuristic, &details, prepare)?;
        if is_reused {
            task.reused += heuristic.elapsed;
        }
        // Tables of the heuristic are part of what the search may use.
        let tables = usize::try_from(heuristic.estimate.n_bytes()).unwrap_or(usize::MAX);
        if let Some(memory) = &mut task.limits.memory {
            *memory = memory.saturating_sub(tables);
        }
        task.heuristic = heuristic;
        Ok(task)
    }
}

/// All that decides what a task has to prepare, as text.
pub(crate) struct Settings {
    pub(crate) pruning: String,
    pub(crate) heuristic: String,
}

impl Settings {
    pub(crate) fn of(args: &SolveArgs, cx: &Context) -> Result<Self, Failure> {
        let spec = prune_spec(args)?;
        let by_moves = args.algorithm.is_bounded_by_moves();
        let pruning = pruning_setting(&spec, by_moves, args.limits.time, args.memory);
        let mut heuristic = format!(
            "{:?}, {} bytes, mirrored {}, duals {}, taken: {}",
            args.heuristic,
            args.heuristic_memory.min(args.memory.unwrap_or(usize::MAX)),
            args.mirrored,
            args.duals,
            args.algorithm.takes_heuristic()
        );
        // What is chosen depends on how the search with it does.
        if args.heuristic == HeuristicSpec::Auto {
            heuristic.push_str(&format!(
                ", {}, {pruning}, {:?}, {}",
                args.algorithm.name(),
                args.cycles,
                cx.seed
            ));
        }
        Ok(Self { pruning, heuristic })
    }
}

/// All that decides what is prepared for pruning, as text. What is bounded matters for machine files only,
/// which are refused for some searches.
pub(crate) fn pruning_setting(
    spec: &PruneSpec,
    by_moves: bool,
    time: Option<Duration>,
    memory: Option<usize>,
) -> String {
    let by_moves = by_moves && matches!(spec, PruneSpec::File(_));
    format!("{spec:?}, by moves: {by_moves}, {time:?}, {memory:?}")
}

impl Task<'_> {
    /// Whether its solutions are of least cost.
    pub(crate) fn is_optimal(&self) -> bool {
        self.args.algorithm.is_optimal() && self.heuristic.is_admissible()
    }

    /// What was done before the first search, also where it was done by an earlier run.
    pub(crate) fn preparation(&self) -> Duration {
        self.pruning.analysis + self.heuristic.elapsed
    }

    /// The part of the preparation that had been done before, for another task or by an earlier run.
    pub(crate) fn reused(&self) -> Duration {
        self.reused
    }

    /// What IDA* with another heuristic comes to within limits, by one thread.
    fn tried(&self, estimate: &Combined, start: &State, limits: Limits) -> Option<SolveReport> {
        let shown = progress::of_search(self.progress, |progress| {
            format!("trying {estimate}: bound {}", progress.bound)
        });
        let searcher = self.searcher();
        let stats = self.args.stats;
        let report = match &self.pruning.machine {
            Some(machine) => {
                let run = searcher.machine(machine).build().run();
                let mut run = run.count_depths(stats).limits(limits).on_progress(shown);
                run.ida_star(start, estimate)
            }
            None => {
                let run = searcher.build().run();
                let mut run = run.count_depths(stats).limits(limits).on_progress(shown);
                run.ida_star(start, estimate)
            }
        };
        report.ok()
    }

    /// The answer that was found for a start while the heuristic was chosen, and the heuristic that it was found with, where the
    /// same search would be made again.
    pub(crate) fn found(&self, start: &State) -> Option<(Answer, &str)> {
        if self.args.algorithm != Algorithm::Ida {
            return None;
        }
        let mut found = self.heuristic.found.iter();
        let found = found.find(|found| found.start == *start)?;
        Some((Answer::from(found.report.clone()), &found.heuristic))
    }

    /// What the next search may use.
    fn limits(&self) -> Limits {
        let left = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
        Limits {
            time: self.deadline.map(left).or(self.limits.time),
            ..self.limits.clone()
        }
    }

    /// Searches from one start state.
    pub(crate) fn solve(&self, start: &State) -> Result<Answer, Failure> {
        let refused = |error: StateMismatch| Failure::input(error.to_string());
        match self.args.algorithm {
            algorithm if algorithm.detects_duplicates() => self.with_duplicate_detection(start),
            Algorithm::IdaTable => self.with_table(start).map(Answer::from).map_err(refused),
            _ => self.depth_first(start).map(Answer::from).map_err(refused),
        }
    }

    /// Tells of progress.
    fn on_progress(&self) -> impl FnMut(&search::Progress) + use<> {
        progress::of_search(self.progress, |progress| {
            format!("bound {}", progress.bound)
        })
    }

    fn with_duplicate_detection(&self, start: &State) -> Result<Answer, Failure> {
        let weight = self.args.weight.unwrap_or(Weight::ONE);
        let known = &self.pruning.known;
        let game = &self.named.game;
        let mut search = BestFirst::new(game)
            .limits(self.limits())
            .goal_filter(move |state| known.check_state(game, state).is_ok())
            .on_progress(self.on_progress());
        let report = match self.args.algorithm {
            Algorithm::Bfs => search.bfs(start),
            Algorithm::AStar => search.a_star(start, &self.heuristic.estimate),
            Algorithm::WeightedAStar => {
                search.weighted_a_star(start, &self.heuristic.estimate, weight)
            }
            Algorithm::DfsClosed => search.dfs_closed(start, self.args.depth.unwrap_or(0)),
            Algorithm::Bidirectional => {
                return search
                    .bidirectional(start)
                    .map(Answer::from)
                    .map_err(|error| Failure::input(error.to_string()));
            }
            _ => search.uniform_cost(start),
        };
        report
            .map(Answer::from)
            .map_err(|error| Failure::input(error.to_string()))
    }

    fn with_table(&self, start: &State) -> Result<TranspositionReport, StateMismatch> {
        let mut search = TranspositionSearch::new(&self.named.game)
            .limits(self.limits())
            .on_progress(self.on_progress());
        if let Some(bytes) = self.args.memory {
            search = search.table_bytes(bytes);
        }
        match &self.pruning.machine {
            Some(machine) => search
                .machine(machine)
                .ida_star(start, &self.heuristic.estimate),
            None => search.ida_star(start, &self.heuristic.estimate),
        }
    }

    fn searcher(&self) -> SearcherBuilder {
        let cycles = match (self.args.cycles, self.pruning.parent) {
            (Cycles::Path, _) => CycleDetection::Path,
            (Cycles::Parent, _) | (Cycles::None, true) => CycleDetection::Parent,
            (Cycles::None, false) => CycleDetection::None,
        };
        Searcher::builder(&self.compiled)
            .cycle_detection(cycles)
            .invariants(rule_analysis::admits(&self.pruning.known))
    }

    fn depth_first(&self, start: &State) -> Result<SolveReport, StateMismatch> {
        let search = self.searcher();
        match &self.pruning.machine {
            Some(machine) => self.run(&search.machine(machine).build(), start),
            None => self.run(&search.build(), start),
        }
    }

    fn run<M: fsm::Machine>(
        &self,
        searcher: &Searcher<M>,
        start: &State,
    ) -> Result<SolveReport, StateMismatch> {
        let mut search = searcher
            .run()
            .threads(self.threads)
            .count_depths(self.args.stats)
            .limits(self.limits())
            .on_progress(self.on_progress());
        match self.args.algorithm {
            Algorithm::Dfs => search.dfs(start, self.args.depth.unwrap_or(0)),
            Algorithm::Dfid => search.dfid(start),
            Algorithm::Wida => {
                let weight = self.args.weight.unwrap_or(Weight::ONE);
                search.wida_star(start, &self.heuristic.estimate, weight)
            }
            Algorithm::IdaCr => {
                let growth = self.args.growth.unwrap_or_else(two);
                search.ida_star_cr(start, &self.heuristic.estimate, growth)
            }
            Algorithm::BranchAndBound => {
                let first = match self.args.cost_bound {
                    Some(cost) => FirstBound::Cost(cost),
                    None => FirstBound::Weighted(self.args.weight.unwrap_or_else(two)),
                };
                search.branch_and_bound(start, &self.heuristic.estimate, first)
            }
            _ => search.ida_star(start, &self.heuristic.estimate),
        }
    }
}

/// Replays a solution by the meaning of the rules, which shares nothing with the compiled search.
pub(crate) fn check_solution(
    named: &NamedGame,
    instance: &Instance,
    solution: &Solution,
) -> Result<(), Failure> {
    let game = &named.game;
    let wrong = |what: String| {
        Failure::wrong(format!(
            "instance {}: the search found a solution that is none, which is a mistake in psvn: {what}",
            instance.id
        ))
    };
    let end =
        replay(game, &instance.state, &solution.moves).map_err(|error| wrong(error.to_string()))?;
    if !game.is_goal(end.values()) {
        return Err(wrong("it doesn't end in a goal state".to_owned()));
    }
    let rules = solution.moves.iter().map(|id| &game.rule(*id).canonical);
    let cost: u128 = rules.map(|rule| u128::from(rule.cost())).sum();
    if cost != solution.cost {
        return Err(wrong(format!("it costs {cost}, not {}", solution.cost)));
    }
    Ok(())
}

/// What the outcome says against the known least cost, if anything.
pub(crate) fn compare(is_optimal: bool, instance: &Instance, outcome: &Outcome) -> Option<String> {
    let known = instance.known_cost?;
    match outcome {
        Outcome::Solved(solution) if solution.cost < known => Some(format!(
            "the known least cost is {known}, but this solution costs {}",
            solution.cost
        )),
        Outcome::Solved(solution) if solution.cost > known && is_optimal => Some(format!(
            "the known least cost is {known}, but {} was found to be the least",
            solution.cost
        )),
        Outcome::NoSolution { proof: None } => Some(format!(
            "the known least cost is {known}, but no solution was found to exist"
        )),
        Outcome::NoSolution { proof: Some(proof) } => Some(format!(
            "the known least cost is {known}, but there is no solution: {proof}"
        )),
        _ => None,
    }
}
