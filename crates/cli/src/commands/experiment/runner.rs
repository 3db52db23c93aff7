//! Measures cells by the same code as `psvn solve`, `tree` and `analyze`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use experiment::{
    Domain, DomainFacts, Group, Instance, InstanceSource, LevelKind, Measure, Measured, Outcome,
    Runner,
};
use fsm::Machine;
use game_tree::{NoMove, Turn, TwoPlayerGame, table_7_1};
use invariants::Invariants;
use psvn_ir::State;
use search::{
    Bound, CompiledGame, CompleteLevels, CycleDetection, Limits, Searcher, StateMismatch,
    StopReason,
};
use sha2::{Digest, Sha256};

use super::method::{self, Method};
use super::walks;
use crate::args::{AnalyzeArgs, OpeningsAlgorithm, OpeningsArgs, SolveArgs, TreeMethodArgs};
use crate::commands::analyze;
use crate::commands::solve::{self, Answer};
use crate::context::Context;
use crate::cpu_time;
use crate::failure::Failure;
use crate::finding::Stopped;
use crate::input::{self, NamedGame};
use crate::instances::{self, InstanceFormat, Refutation};
use crate::pruning::Pruning;
use crate::rule_analysis;
use crate::shared::Shared;

/// Instances that are numbers of rows in a file can't be more than this.
const MOST_INSTANCES: usize = 10_000_000;

/// Measures with what this program can do.
pub(super) struct CliRunner<'c> {
    cx: &'c Context,
    /// The folder of the experiment's file.
    base: PathBuf,
    interrupt: Arc<AtomicBool>,
    /// The domains in the order of the experiment.
    domains: Vec<LoadedDomain>,
    /// Hashes of the contents of files that methods name.
    hashes: BTreeMap<PathBuf, String>,
}

struct LoadedDomain {
    named: NamedGame,
    starts: Vec<State>,
    /// What methods prepare that others need as well.
    shared: Shared,
}

impl<'c> CliRunner<'c> {
    pub(super) fn new(cx: &'c Context, base: PathBuf, interrupt: Arc<AtomicBool>) -> Self {
        Self {
            cx,
            base,
            interrupt,
            domains: Vec::new(),
            hashes: BTreeMap::new(),
        }
    }

    /// The hash of what a file holds, found once. A file that isn't there is the method's trouble: none of
    /// its cells can be run.
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
                    input::reason(&error)
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
    fn load(&self, domain: &Domain) -> Result<NamedGame, Failure> {
        let mut source = input::read_source(&self.path(&domain.file))?;
        if let Some(goal) = &domain.goal {
            // The goals of games that are made here stand at the end.
            let rules = source.text.find("\nGOAL").filter(|_| source.is_built_in);
            let Some(end) = rules else {
                return Err(Failure::usage(
                    "only built-in games can be given another goal",
                ));
            };
            source.text.truncate(end);
            source.text.push_str(&format!("\nGOAL {goal}\n"));
            source.name = format!("{} with goal {goal}", source.name);
        }
        let mut named = input::game_of(source, self.cx)?;
        named.set_words(domain.map.clone())?;
        Ok(named)
    }

    /// The instances of one source.
    fn instances(
        &self,
        source: &InstanceSource,
        named: &NamedGame,
        compiled: &CompiledGame,
    ) -> Result<Vec<(Instance, State)>, String> {
        let game = &named.game;
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
            instances::state("the state", text, named).map_err(|error| in_words(&error))
        };
        let goal = || {
            game.goal_state().ok_or_else(|| {
                format!(
                    "{} has no single goal state; give a state to start from",
                    named.name
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
            let all = instances::read(&path, InstanceFormat::Auto, named, self.cx)
                .map_err(|error| in_words(&error))?;
            let most = source.first.unwrap_or(usize::MAX);
            let of = |found: instances::Instance| {
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
        let seed = source.seed.unwrap_or(self.cx.seed);
        let mut found = Vec::new();
        for steps in lengths {
            for number in 1..=n_walks as u64 {
                let seed = walks::seed_of(seed, *steps, number);
                let stop = || self.interrupt.load(Ordering::Relaxed);
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

    fn limits(&self, limits: &crate::args::SearchLimits) -> Limits {
        Limits {
            nodes: limits.nodes,
            time: limits.time,
            memory: None,
            interrupt: Some(Arc::clone(&self.interrupt)),
        }
    }

    fn solve(
        &self,
        args: &SolveArgs,
        domain: &LoadedDomain,
        body: &mut dyn FnMut(&Measure<'_>),
    ) -> Result<(), Failure> {
        let named = &domain.named;
        let mut refutations: HashMap<&State, Refutation> = HashMap::new();
        if !args.search_anyway {
            let found = instances::refutations(&domain.starts, named);
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
            Some(solve::Task::prepare_shared(
                args,
                named,
                &starts,
                None,
                &domain.shared,
                &self.interrupt,
                self.cx,
            )?)
        };
        let preparation = task.as_ref().map(|task| Preparation {
            all: task.preparation(),
            reused: task.reused(),
        });
        let one_thread = self.cx.search_threads() == 1;
        body(&|instance| {
            let instance = parsed(instance?, named);
            if let Some(found) = refutations.get(&instance.state) {
                let answer = Answer::refuted(found.proof.clone());
                let measured = solved(false, named, &instance, answer);
                return finish(measured, None, Preparation::default());
            }
            let task = task.as_ref()?;
            let before = cpu_time::of_thread().filter(|_| one_thread);
            let answer = task.solve(&instance.state);
            let spent = cpu_time::of_thread()
                .zip(before)
                .map(|(after, before)| after - before);
            let measured =
                answer.and_then(|answer| solved(task.is_optimal(), named, &instance, answer));
            finish(measured, spent, preparation.unwrap_or_default())
        });
        Ok(())
    }

    fn tree(
        &self,
        args: &TreeMethodArgs,
        domain: &LoadedDomain,
        body: &mut dyn FnMut(&Measure<'_>),
    ) -> Result<(), Failure> {
        let named = &domain.named;
        let prepare = || {
            Pruning::prepare(
                &args.prune,
                named,
                &domain.starts,
                true,
                move_prune::Limits {
                    nodes: None,
                    time: args.limits.time,
                    memory: None,
                    interrupt: Some(Arc::clone(&self.interrupt)),
                },
                &self.interrupt,
                self.cx,
            )
        };
        let details = format!("{} starts", domain.starts.len());
        let prunings = &domain.shared.prunings;
        let (pruning, is_reused) = prunings.get(&setting_of_tree(args), &details, prepare)?;
        let preparation = Preparation {
            all: pruning.analysis,
            reused: match is_reused || pruning.is_from_cache {
                true => pruning.analysis,
                false => Duration::ZERO,
            },
        };
        let compiled = CompiledGame::new(&named.game);
        let limits = self.limits(&args.limits);
        let threads = self.cx.search_threads();
        body(&|instance| {
            let instance = parsed(instance?, named);
            let search = Searcher::builder(&compiled)
                .invariants(rule_analysis::admits(&pruning.known))
                .cycle_detection(if pruning.parent {
                    CycleDetection::Parent
                } else {
                    CycleDetection::None
                });
            let counted = match &pruning.machine {
                Some(machine) => {
                    let searcher = search.machine(machine).build();
                    count(&searcher, threads, &limits, &instance.state, args.depth)
                }
                None => {
                    let searcher = search.build();
                    count(&searcher, threads, &limits, &instance.state, args.depth)
                }
            };
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
        args: &AnalyzeArgs,
        domain: &LoadedDomain,
        body: &mut dyn FnMut(&Measure<'_>),
    ) -> Result<(), Failure> {
        let (_, finding) = analyze::find(args, &domain.named, &self.interrupt, self.cx)?;
        let summary = finding.summary;
        let n = |n: usize| u64::try_from(n).ok();
        let measured = Measured {
            outcome: match summary.stopped {
                None => Outcome::Complete,
                Some(Stopped::Time) => Outcome::Time,
                Some(Stopped::Memory | Stopped::TooManyVariables) => Outcome::Memory,
                Some(Stopped::Interrupted) => return Ok(()),
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

impl CliRunner<'_> {
    /// The positions that are visited after all openings.
    fn openings(
        &self,
        args: &OpeningsArgs,
        domain: &LoadedDomain,
        body: &mut dyn FnMut(&Measure<'_>),
    ) -> Result<(), Failure> {
        let refused = |error: &dyn std::fmt::Display| {
            Failure::input(format!("{}: {error}", domain.named.name))
        };
        let game = &domain.named.game;
        let turn = Turn::find(game).map_err(|error| refused(&error))?;
        let game = TwoPlayerGame::new(game, turn, NoMove::Draw).map_err(|error| refused(&error))?;
        let start = game.default_start();
        let limits = game_tree::Limits {
            memory: None,
            nodes: args.limits.nodes,
            time: args.limits.time,
            interrupt: Some(Arc::clone(&self.interrupt)),
        };
        body(&|_| {
            let rows = match table_7_1(&game, &start, args.depth, args.moves, &limits) {
                Ok(rows) => rows,
                Err(error) => return Some(Measured::failed(error.to_string())),
            };
            let measured = match rows {
                Ok(rows) => {
                    let row = rows.last()?;
                    Measured {
                        generated: Some(match args.algorithm {
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

impl Runner for CliRunner<'_> {
    fn domain(&mut self, domain: &Domain) -> Result<DomainFacts, String> {
        let explain = |message: String| format!("domain `{}`: {message}", domain.name);
        let named = self
            .load(domain)
            .map_err(|error| explain(in_words(&error)))?;
        let compiled = CompiledGame::new(&named.game);
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
        let game = &named.game;
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
        method::takes_instances(command)
    }

    fn check(&mut self, group: &Group<'_>) -> Result<Vec<String>, String> {
        let in_words = |error: Failure| in_words(&error);
        let method = Method::of(group)?;
        let shared = self
            .domains
            .get(group.domain_place)
            .map(|domain| &domain.shared);
        match &method {
            Method::Solve(args) => {
                solve::check(args).map_err(in_words)?;
                let settings = solve::Settings::of(args, self.cx).map_err(in_words)?;
                if let Some(shared) = shared {
                    shared.prunings.plan(settings.pruning);
                    shared.heuristics.plan(settings.heuristic);
                }
            }
            Method::Tree(args) => {
                if let Some(shared) = shared {
                    shared.prunings.plan(setting_of_tree(args));
                }
            }
            Method::Analyze(_) | Method::Openings(_) => {}
        }
        // What stands in the files that options name is part of what defines a cell: those whose name is the
        // value of an option, and those that stand in a value with others, such as `a.pdb+b.pdb`.
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
        match Method::of(group)? {
            Method::Solve(args) => self.solve(&args, domain, body),
            Method::Tree(args) => self.tree(&args, domain, body),
            Method::Analyze(args) => self.analyze(&args, domain, body),
            Method::Openings(args) => self.openings(&args, domain, body),
        }
        .map_err(|error| in_words(&error))
    }
}

/// A failure with its hint, on one line.
fn in_words(failure: &Failure) -> String {
    let message = failure
        .message()
        .unwrap_or_else(|| "what is wrong is shown above".to_owned());
    match failure.hint_text() {
        Some(hint) => format!("{message} ({hint})"),
        None => message,
    }
}

/// An instance as searches take it. Its text was made from a state.
fn parsed(instance: &Instance, named: &NamedGame) -> instances::Instance {
    let state = named.game.parse_state(&instance.start);
    instances::Instance::new(
        instance.id.clone(),
        state.unwrap_or_else(|_| State::new([])),
        instance.known_cost.map(u128::from),
    )
}

/// SHA-256 of what a file holds. Tables may be larger than the memory, so it is read piece by piece.
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
fn setting_of_tree(args: &TreeMethodArgs) -> String {
    solve::pruning_setting(&args.prune, true, args.limits.time, None)
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
    measured: Result<Option<Measured>, Failure>,
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
    named: &NamedGame,
    instance: &instances::Instance,
    answer: Answer,
) -> Result<Option<Measured>, Failure> {
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
        solve::check_solution(named, instance, solution)?;
    }
    if let Some(problem) = solve::compare(is_optimal, instance, &answer.outcome) {
        return Err(Failure::wrong(problem));
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

/// The counts of a tree: of a complete one, or of its depths that were counted to the end, with a lower
/// bound of its nodes.
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

/// Counts a tree, and the processor time that it takes: that of the walk that counts all of it, or of all
/// walks where a limit stops them. The plan of the search is made before.
fn count<M: Machine>(
    searcher: &Searcher<M>,
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
