//! Measures cells by the same code as `psvn solve`, `tree` and `analyze`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use experiment::{
    Domain, DomainFacts, Group, Instance, InstanceSource, LevelKind, Measure, Measured, Outcome,
    Runner,
};
use fsm::SharedMachine;
use game_tree::{NoMove, Turn, TwoPlayerGame, table_7_1};
use invariants::Invariants;
use psvn_ir::State;
use search::{
    Bound, CompiledGame, CompleteLevels, CycleDetection, Limits, Searcher, StateMismatch,
    StopReason,
};
use sha2::{Digest, Sha256};

use super::method::{Method, MethodReader, OpeningsAlgorithm, OpeningsOptions, TreeOptions};
use super::{cpu_time, walks};
use crate::analysis::{Pruning, Stopped, engine};
use crate::environment::Environment;
use crate::error::Error;
use crate::game::{Game, Source};
use crate::instance::{self, InstanceFormat, Refutation};
use crate::solve::{
    self, Answer, PreparedPruning, SearchOptions, Searcher as GameSearcher, Shared, check_solution,
    compare, pruning_setting,
};
use crate::store::read;

/// Instances that are numbers of rows in a file can't be more than this.
const MOST_INSTANCES: usize = 10_000_000;

/// Measures the cells of an experiment with what this library can do.
pub struct Measurer<'c> {
    env: &'c Environment,
    read_method: &'c MethodReader<'c>,
    /// The folder of the experiment's file.
    base: PathBuf,
    /// The domains in the order of the experiment.
    domains: Vec<LoadedDomain>,
    /// Hashes of the contents of files that methods name.
    hashes: BTreeMap<PathBuf, String>,
}

struct LoadedDomain {
    named: Game,
    starts: Vec<State>,
    /// What methods prepare that others need as well.
    shared: Shared,
}

impl<'c> Measurer<'c> {
    /// Measure in the surroundings `env`. Files that the experiment names lie in the folder `base`,
    /// and `read_method` reads the options of methods.
    pub fn new(env: &'c Environment, base: PathBuf, read_method: &'c MethodReader<'c>) -> Self {
        Self {
            env,
            base,
            read_method,
            domains: Vec::new(),
            hashes: BTreeMap::new(),
        }
    }

    /// The hash of what a file holds, found once. A file that isn't there is the method's trouble:
    /// none of its cells can be run.
    fn hash_of(&mut self, path: &Path) -> Result<String, String> {
        if let Some(hash) = self.hashes.get(path) {
            return Ok(hash.clone());
        }
        let hash = match content_hash(path) {
            Ok(hash) => hash,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok("no file".to_owned());
            }
            Err(error) => {
                return Err(format!(
                    "can't read `{}`: {}",
                    path.display(),
                    read::reason(&error)
                ));
            }
        };
        self.hashes.insert(path.to_owned(), hash.clone());
        Ok(hash)
    }

    /// The path of a file that the experiment names.
    fn path(&self, name: &str) -> PathBuf {
        if name.starts_with("gen:") || name == "-" {
            PathBuf::from(name)
        } else {
            self.base.join(name)
        }
    }

    /// Reads the game of a domain.
    fn load(&self, domain: &Domain) -> Result<Game, Error> {
        let mut source = Source::read(&self.path(&domain.file))?;
        if let Some(goal) = &domain.goal {
            // The goals of games that are made here stand at the end.
            let rules = source.text.find("\nGOAL").filter(|_| source.is_built_in);
            let Some(end) = rules else {
                return Err(Error::usage(
                    "only built-in games can be given another goal",
                ));
            };
            source.text.truncate(end);
            source.text.push_str(&format!("\nGOAL {goal}\n"));
            source.name = format!("{} with goal {goal}", source.name);
        }
        let mut named = Game::from_source(source, self.env)?;
        named.set_words(domain.map.clone())?;
        Ok(named)
    }

    /// The instances of one source.
    fn instances(
        &self,
        source: &InstanceSource,
        named: &Game,
        compiled: &CompiledGame,
    ) -> Result<Vec<(Instance, State)>, String> {
        let game = named.ir();
        let instance = |id: String, state: State, steps, known_cost| {
            let start = game.format_state(state.values());
            (
                Instance {
                    id,
                    start,
                    steps,
                    known_cost,
                },
                state,
            )
        };
        let parse = |text: &str| {
            named
                .state("the state", text)
                .map_err(|error| in_words(&error))
        };
        let goal = || {
            game.goal_state().ok_or_else(|| {
                format!(
                    "{} has no single goal state; give a state to start from",
                    named.name()
                )
            })
        };
        if let Some(text) = &source.state {
            let id = source.id.clone().unwrap_or_else(|| "start".to_owned());
            return Ok(vec![instance(id, parse(text)?, None, source.cost)]);
        }
        if source.goal {
            return Ok(vec![instance("goal".to_owned(), goal()?, None, None)]);
        }
        if let Some(file) = &source.file {
            let path = self.path(file);
            let all = instance::read(&path, InstanceFormat::Auto, named, self.env)
                .map_err(|error| in_words(&error))?;
            let most = source.first.unwrap_or(usize::MAX);
            let of = |found: instance::Instance| {
                let cost = found.known_cost.and_then(|cost| u64::try_from(cost).ok());
                instance(found.id, found.state, None, cost)
            };
            return Ok(all.into_iter().take(most).map(of).collect());
        }
        let from = match &source.from {
            Some(text) => parse(text)?,
            None => goal()?,
        };
        let n_walks = source.walks.unwrap_or(0);
        let lengths = source
            .steps
            .as_ref()
            .map_or(&[][..], |steps| steps.lengths());
        if n_walks.saturating_mul(lengths.len()) > MOST_INSTANCES {
            return Err(format!("these are more than {MOST_INSTANCES} instances"));
        }
        let seed = source.seed.unwrap_or(self.env.seed());
        let mut found = Vec::new();
        for steps in lengths {
            for number in 1..=n_walks as u64 {
                let seed = walks::seed_of(seed, *steps, number);
                let stop = || self.env.is_cancelled();
                let walked = walks::walk(compiled, &from, *steps, seed, source.undo, stop);
                let Some(state) = walked else {
                    return Err("interrupted".to_owned());
                };
                let id = match lengths.len() {
                    1 => format!("w{number}"),
                    _ => format!("w{steps}-{number}"),
                };
                found.push(instance(id, state, Some(*steps), None));
            }
        }
        Ok(found)
    }

    fn limits(&self, nodes: Option<u64>, time: Option<Duration>) -> Limits {
        Limits {
            nodes,
            time,
            memory: None,
            interrupt: Some(Arc::clone(self.env.cancellation())),
        }
    }

    fn solve(
        &self,
        options: &SearchOptions,
        search_anyway: bool,
        domain: &LoadedDomain,
        body: &mut dyn FnMut(&Measure<'_>),
    ) -> Result<(), Error> {
        let named = &domain.named;
        let mut refutations: HashMap<&State, Refutation> = HashMap::new();
        if !search_anyway {
            let found = instance::refutations(&domain.starts, named, &|| false);
            let found = domain.starts.iter().zip(found);
            refutations.extend(found.filter_map(|(start, found)| Some((start, found?))));
        }
        // What is proved to have no solution takes no part in any preparation.
        let starts: Vec<State> = domain
            .starts
            .iter()
            .filter(|start| !refutations.contains_key(start))
            .cloned()
            .collect();
        let task = if starts.is_empty() {
            None
        } else {
            let builder = GameSearcher::builder(named)
                .options(options.clone())
                .starts(starts)
                .shared(&domain.shared);
            Some(builder.build(self.env)?)
        };
        let preparation = task.as_ref().map(|task| Preparation {
            all: task.preparation(),
            reused: task.reused(),
        });
        // What searches prepare on first use, in nanoseconds.
        let plans = AtomicU64::new(0);
        let one_thread = self.env.threads() == 1;
        body(&|instance| {
            let instance = parsed(instance?, named);
            if let Some(found) = refutations.get(&instance.state) {
                let answer = Answer::refuted(found.proof.clone());
                let measured = solved(false, named, &instance, answer);
                return finish(measured, None, Preparation::default());
            }
            let task = task.as_ref()?;
            let before = cpu_time::of_thread().filter(|_| one_thread);
            let answer = task.run(&instance.state).solve();
            let spent = cpu_time::of_thread()
                .zip(before)
                .map(|(after, before)| after - before);
            if let Ok(answer) = &answer {
                let nanoseconds = u64::try_from(answer.preparation.as_nanos()).unwrap_or(u64::MAX);
                plans.fetch_add(nanoseconds, Ordering::Relaxed);
            }
            let measured =
                answer.and_then(|answer| solved(task.is_optimal(), named, &instance, answer));
            let mut preparation = preparation.unwrap_or_default();
            preparation.all += Duration::from_nanos(plans.load(Ordering::Relaxed));
            finish(measured, spent, preparation)
        });
        Ok(())
    }

    fn tree(
        &self,
        options: &TreeOptions,
        domain: &LoadedDomain,
        body: &mut dyn FnMut(&Measure<'_>),
    ) -> Result<(), Error> {
        let named = &domain.named;
        let prepare = || {
            PreparedPruning::prepare(
                &options.prune,
                named,
                &domain.starts,
                true,
                move_prune::Limits {
                    nodes: None,
                    time: options.time,
                    memory: None,
                    interrupt: Some(Arc::clone(self.env.cancellation())),
                },
                self.env,
            )
        };
        let details = format!("{} starts", domain.starts.len());
        let prunings = &domain.shared.prunings;
        let (pruning, is_reused) = prunings.get(&setting_of_tree(options), &details, prepare)?;
        let preparation = Preparation {
            all: pruning.analysis,
            reused: match is_reused || pruning.is_from_cache {
                true => pruning.analysis,
                false => Duration::ZERO,
            },
        };
        let compiled = CompiledGame::new(named.ir());
        let machine = pruning.machine.clone().map(SharedMachine::new);
        let limits = self.limits(options.nodes, options.time);
        let threads = self.env.threads();
        body(&|instance| {
            let instance = parsed(instance?, named);
            let search = Searcher::builder(&compiled)
                .invariants(engine::admits(&pruning.known))
                .cycle_detection(if pruning.parent {
                    CycleDetection::Parent
                } else {
                    CycleDetection::None
                });
            let searcher = match &machine {
                Some(machine) => search.machine(machine.clone()).build(),
                None => search.build(),
            };
            let counted = count(&searcher, threads, &limits, &instance.state, options.depth);
            let (count, spent) = match counted {
                Ok(counted) => counted,
                Err(error) => return Some(Measured::failed(error.to_string())),
            };
            finish(
                Ok(counted_tree(&count)),
                spent.filter(|_| threads == 1),
                preparation,
            )
        });
        Ok(())
    }

    fn analyze(
        &self,
        pruning: &Pruning,
        domain: &LoadedDomain,
        body: &mut dyn FnMut(&Measure<'_>),
    ) -> Result<(), Error> {
        let (game, file) = (&domain.named, Path::new("GAME"));
        let (_, analysis) = pruning.analyze_with_request(game, file, self.env)?;
        let summary = &analysis.summary;
        let n = |n: usize| u64::try_from(n).ok();
        let measured = Measured {
            outcome: match summary.stopped {
                None => Outcome::Complete,
                Some(Stopped::Time) => Outcome::Time,
                Some(Stopped::Interrupted) => return Ok(()),
                Some(_) => Outcome::Memory,
            },
            words: n(summary.redundant_words),
            trie_states: n(summary.machines.trie_states),
            minimized_states: summary.machines.minimized.and_then(|size| n(size.states)),
            branching_factor: summary.branching_factor,
            levels: summary
                .levels
                .iter()
                .map(|level| (level.length as u64, level.redundant))
                .collect(),
            level_kind: Some(LevelKind::Length),
            seconds: summary.seconds,
            ..Measured::default()
        };
        body(&|_| Some(measured.clone()));
        Ok(())
    }
}

impl Measurer<'_> {
    /// The positions that are visited after all openings.
    fn openings(
        &self,
        options: &OpeningsOptions,
        domain: &LoadedDomain,
        body: &mut dyn FnMut(&Measure<'_>),
    ) -> Result<(), Error> {
        let refused = |error: &dyn std::fmt::Display| {
            Error::input(format!("{}: {error}", domain.named.name()))
        };
        let game = domain.named.ir();
        let turn = Turn::find(game).map_err(|error| refused(&error))?;
        let game = TwoPlayerGame::new(game, turn, NoMove::Draw).map_err(|error| refused(&error))?;
        let start = game.default_start();
        let limits = game_tree::Limits {
            memory: None,
            nodes: options.nodes,
            time: options.time,
            interrupt: Some(Arc::clone(self.env.cancellation())),
        };
        body(&|_| {
            let rows = match table_7_1(&game, &start, options.depth, options.moves, &limits) {
                Ok(rows) => rows,
                Err(error) => return Some(Measured::failed(error.to_string())),
            };
            let measured = match rows {
                Ok(rows) => {
                    let row = rows.last()?;
                    Measured {
                        generated: Some(match options.algorithm {
                            OpeningsAlgorithm::Minimax => row.minimax,
                            OpeningsAlgorithm::AlphaBeta => row.alpha_beta,
                        }),
                        ..Measured::default()
                    }
                }
                Err(game_tree::StopReason::Interrupted) => return None,
                Err(game_tree::StopReason::Time) => Measured {
                    outcome: Outcome::Time,
                    ..Measured::default()
                },
                Err(_) => Measured {
                    outcome: Outcome::Nodes,
                    ..Measured::default()
                },
            };
            // Both algorithms run for each table: the time would say nothing of one of them.
            Some(measured)
        });
        Ok(())
    }
}

impl Runner for Measurer<'_> {
    fn domain(&mut self, domain: &Domain) -> Result<DomainFacts, String> {
        let explain = |message: String| format!("domain `{}`: {message}", domain.name);
        let named = self
            .load(domain)
            .map_err(|error| explain(in_words(&error)))?;
        let compiled = CompiledGame::new(named.ir());
        let mut found = Vec::new();
        for source in &domain.instances {
            found.extend(self.instances(source, &named, &compiled).map_err(explain)?);
        }
        let mut ids = BTreeSet::new();
        for (instance, _) in &mut found {
            let id = instance.id.clone();
            let mut number = 1;
            while !ids.insert(instance.id.clone()) {
                number += 1;
                instance.id = format!("{id}#{number}");
            }
        }
        let (instances, starts): (Vec<Instance>, Vec<State>) = found.into_iter().unzip();
        let game = named.ir();
        let goals = game
            .goals()
            .iter()
            .map(|goal| game.format_terms(goal.conditions()));
        let known = match starts.as_slice() {
            [] => Vec::new(),
            // What is pruned may depend on it.
            starts => Invariants::from_states(game, starts).to_lines(game),
        };
        let facts = DomainFacts {
            game_hash: game.content_hash().to_string(),
            identity: goals.chain(known).collect::<Vec<String>>().join("\n"),
            instances,
        };
        self.domains.push(LoadedDomain {
            named,
            starts,
            shared: Shared::default(),
        });
        Ok(facts)
    }

    fn takes_instances(&self, command: &str) -> Result<bool, String> {
        super::method::takes_instances(command)
    }

    fn check(&mut self, group: &Group<'_>) -> Result<Vec<String>, String> {
        let method = (self.read_method)(group)?;
        let shared = self
            .domains
            .get(group.domain_place)
            .map(|domain| &domain.shared);
        match &method {
            Method::Solve { options, .. } => {
                options.check().map_err(|error| in_words(&error))?;
                let pruning = options
                    .pruning_setting()
                    .map_err(|error| in_words(&error))?;
                let heuristic = options
                    .heuristic_setting(self.env)
                    .map_err(|error| in_words(&error))?;
                if let Some(shared) = shared {
                    shared.prunings.plan(pruning);
                    shared.heuristics.plan(heuristic);
                }
            }
            Method::Tree(options) => {
                if let Some(shared) = shared {
                    shared.prunings.plan(setting_of_tree(options));
                }
            }
            Method::Analyze(_) | Method::Openings(_) => {}
        }
        // What stands in the files that options name is part of what defines a cell: those whose
        // name is the value of an option, and those that stand in a value with others, such as
        // `a.pdb+b.pdb`.
        let values = group.options.values().flatten().map(PathBuf::from);
        let mut paths: Vec<PathBuf> = values.filter(|path| path.is_file()).collect();
        for path in method.files() {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        paths.iter().map(|path| self.hash_of(path)).collect()
    }

    fn with_group(
        &mut self,
        group: &Group<'_>,
        body: &mut dyn FnMut(&Measure<'_>),
    ) -> Result<(), String> {
        // Domains come one after the other: what the others made is no longer needed.
        for (place, domain) in self.domains.iter().enumerate() {
            if place != group.domain_place {
                domain.shared.clear();
            }
        }
        let domain = &self.domains[group.domain_place];
        match (self.read_method)(group)? {
            Method::Solve {
                options,
                search_anyway,
            } => self.solve(&options, search_anyway, domain, body),
            Method::Tree(args) => self.tree(&args, domain, body),
            Method::Analyze(pruning) => self.analyze(&pruning, domain, body),
            Method::Openings(args) => self.openings(&args, domain, body),
        }
        .map_err(|error| in_words(&error))
    }
}

/// An error with its hint, on one line.
fn in_words(error: &Error) -> String {
    if let Error::Text(_) = error {
        return "what is wrong is shown above".to_owned();
    }
    match error.hint() {
        Some(hint) => format!("{error} ({hint})"),
        None => error.to_string(),
    }
}

/// An instance as searches take it. Its text was made from a state.
fn parsed(instance: &Instance, named: &Game) -> instance::Instance {
    let state = named.ir().parse_state(&instance.start);
    instance::Instance::new(
        instance.id.clone(),
        state.expect("the text was written from a state of this game"),
        instance.known_cost.map(u128::from),
    )
}

/// SHA-256 of what a file holds. Tables may be larger than the memory, so it is read piece by
/// piece.
fn content_hash(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            n => hasher.update(&buffer[..n]),
        }
    }
    Ok(format!("{:?}", hasher.finalize()))
}

/// What decides what a tree has to prepare, as text.
fn setting_of_tree(options: &TreeOptions) -> String {
    pruning_setting(&options.prune, true, options.time, None)
}

/// How long preparations took.
#[derive(Clone, Copy, Default)]
struct Preparation {
    /// All of them, also those that had been made before.
    all: Duration,
    /// Those that had been made before, for another method or by an earlier run.
    reused: Duration,
}

/// The last touches. `None` for what was interrupted.
fn finish(
    measured: Result<Option<Measured>, Error>,
    spent: Option<Duration>,
    preparation: Preparation,
) -> Option<Measured> {
    let mut measured = match measured {
        Ok(measured) => measured?,
        Err(failure) => Measured::failed(in_words(&failure)),
    };
    measured.cpu_seconds = spent.map(|spent| spent.as_secs_f64());
    measured.preparation_seconds = preparation.all.as_secs_f64();
    measured.reused_seconds = preparation.reused.as_secs_f64();
    Some(measured)
}

/// Why a search stopped; `None` where it was interrupted.
fn stopped(reason: StopReason) -> Option<Outcome> {
    match reason {
        StopReason::Nodes => Some(Outcome::Nodes),
        StopReason::Time => Some(Outcome::Time),
        StopReason::Memory => Some(Outcome::Memory),
        StopReason::CostOverflow => Some(Outcome::CostOverflow),
        StopReason::Interrupted => None,
        _ => Some(Outcome::Memory),
    }
}

fn small(number: u128) -> Option<u64> {
    u64::try_from(number).ok()
}

/// What a search found, once its solution has been checked.
fn solved(
    is_optimal: bool,
    named: &Game,
    instance: &instance::Instance,
    answer: Answer,
) -> Result<Option<Measured>, Error> {
    let outcome = match &answer.outcome {
        solve::Outcome::Solved(_) => Some(Outcome::Solved),
        solve::Outcome::NoSolution { .. } => Some(Outcome::NoSolution),
        solve::Outcome::NotWithinDepth => Some(Outcome::NotWithinDepth),
        solve::Outcome::NotWithinCost => Some(Outcome::NotWithinCost),
        solve::Outcome::NotFound => Some(Outcome::NotFound),
        solve::Outcome::Stopped(reason) => stopped(*reason),
    };
    let Some(outcome) = outcome else {
        return Ok(None);
    };
    let solution = answer.solution();
    if let Some(solution) = solution {
        check_solution(named, instance, solution)?;
    }
    if let Some(problem) = compare(is_optimal, instance, &answer.outcome) {
        return Err(Error::wrong(problem));
    }
    Ok(Some(Measured {
        outcome,
        cost: solution.and_then(|solution| small(solution.cost)),
        length: solution.and_then(|solution| u64::try_from(solution.length()).ok()),
        h0: answer.heuristic_start,
        generated: small(answer.generated),
        expanded: small(answer.expanded),
        pruned: small(answer.pruned),
        generated_is_counted: Some(answer.counts_in_bulk()),
        states: answer.kept.as_ref().map(|kept| kept.states),
        levels: answer
            .iterations
            .iter()
            .map(|i| (i.bound, i.generated))
            .collect(),
        level_kind: (!answer.iterations.is_empty()).then_some(LevelKind::Bound),
        seconds: answer.elapsed.as_secs_f64(),
        ..Measured::default()
    }))
}

/// The counts of a tree: of a complete one, or of its depths that were counted to the end, with a
/// lower bound of its nodes.
fn counted_tree(count: &CompleteLevels) -> Option<Measured> {
    let tree = &count.tree;
    let totals = tree.totals();
    let (outcome, elapsed) = match tree.stopped {
        None => (Outcome::Complete, tree.elapsed),
        Some(reason) => (stopped(reason)?, count.elapsed),
    };
    Some(Measured {
        outcome,
        generated: small(count.at_least),
        expanded: small(totals.expanded).filter(|_| tree.stopped.is_none()),
        generated_is_counted: Some(true),
        levels: (0..)
            .zip(&tree.levels)
            .map(|(depth, level)| (depth, level.generated))
            .collect(),
        level_kind: Some(LevelKind::Depth),
        seconds: elapsed.as_secs_f64(),
        ..Measured::default()
    })
}

/// Counts a tree, and the processor time that it takes: that of the walk that counts all of it, or
/// of all walks where a limit stops them. The plan of the search is made before.
fn count(
    searcher: &Searcher,
    threads: usize,
    limits: &Limits,
    start: &State,
    depth: u64,
) -> Result<(CompleteLevels, Option<Duration>), StateMismatch> {
    let mut search = searcher
        .run()
        .threads(threads)
        .count_forbidden(false)
        .limits(limits.clone());
    search.count_tree(start, Bound::Depth(0))?;
    let first = cpu_time::of_thread();
    let mut last = first;
    let count = search.count_levels(start, depth, &mut || last = cpu_time::of_thread())?;
    let before = match count.tree.stopped {
        None => last,
        Some(_) => first,
    };
    let spent = cpu_time::of_thread()
        .zip(before)
        .map(|(after, before)| after - before);
    Ok((count, spent))
}
