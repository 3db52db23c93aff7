//! What is searched: a game, a start and options, as a file holds them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use psvn_ir::State;
use psvn_ir::instances::Instance;
use search::{Bound, HandOut, Limits, StopReason};
use serde::{Deserialize, Serialize};

use super::sealed::checksum;
use crate::analysis::SplitChoice;
use crate::environment::Environment;
use crate::error::Error;
use crate::game::{Game, Variation};
use crate::heuristic::{HeuristicSpec, settings_of};
use crate::instance::Judged;
use crate::solve::transpositions::TranspositionTable;
use crate::solve::{
    Algorithm, Cycles, Outcome, PruneSpec, SearchOptions, Solver, TreeReport, TreeRequest,
};
use crate::store::read::reason;
use crate::text::{Choice, Exact, Parameter, Source, message};

/// A longer text of a game isn't copied into each unit; its file is named instead.
const MOST_TEXT: usize = 1 << 16;

/// The bytes at the beginning and at the end of a file by which it is recognized: machine files
/// and tables hold checksums of the rest there.
const ENDS: u64 = 1 << 20;

/// What is searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Job {
    game: GameOfJob,
    start: String,
    work: Work,
    /// The files that it needs besides the game.
    files: Vec<KnownFile>,
    /// The heuristic and the machine of a search, as they call themselves once they are made.
    made: Option<Made>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct GameOfJob {
    name: String,
    /// `None` where it is long or made by a generator; then the name is enough to read it.
    text: Option<String>,
    /// What is changed in it.
    variation: Variation,
    backward: bool,
    /// Its content and its goals.
    hash: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Work {
    Solve {
        id: String,
        known_cost: Option<Exact>,
        options: BTreeMap<String, String>,
    },
    Tree {
        depth: Option<u64>,
        cost: Option<u64>,
        lengths: Vec<usize>,
        parents: bool,
        machines: Vec<PathBuf>,
        within_invariants: bool,
        split: Option<String>,
        memory: Option<usize>,
        order: Vec<String>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct KnownFile {
    path: PathBuf,
    bytes: u64,
    hash: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Made {
    heuristic: String,
    machine: String,
}

/// What a job describes, ready to be run.
pub enum Prepared {
    /// A search from a start.
    Search {
        /// The game.
        game: Game,
        /// The start, as the only instance.
        judged: Judged,
        /// The search.
        solver: Box<Solver>,
    },
    /// A count of a tree.
    Tree {
        /// The game.
        game: Game,
        /// The state at the root.
        start: State,
        /// What is counted.
        request: TreeRequest,
        /// The names of the columns, in the order in which they are shown.
        order: Vec<String>,
    },
}

/// A game, and whether its rules run backward, compared with its text.
#[derive(Clone, Copy, Debug)]
pub struct Oriented<'g> {
    /// The game.
    pub game: &'g Game,
    /// Whether its rules run backward.
    pub backward: bool,
}

impl GameOfJob {
    fn of(source: &Source, game: &Game, backward: bool) -> Self {
        let by_name = source.is_built_in || source.text.len() > MOST_TEXT && is_file(&source.name);
        Self {
            name: if by_name && !source.is_built_in {
                absolute(Path::new(&source.name)).display().to_string()
            } else {
                source.name.clone()
            },
            text: (!by_name).then(|| source.text.clone()),
            variation: game.variation().clone(),
            backward,
            hash: identity(game),
        }
    }

    fn open(&self, env: &Environment) -> Result<Game, Error> {
        let game = match &self.text {
            Some(text) => Game::parse(&self.name, text, env)?,
            None => Game::open(&self.name, env)?,
        };
        let game = game.varied(&self.variation)?;
        let game = if self.backward {
            game.backward_within(env)?
        } else {
            game
        };
        if identity(&game) != self.hash {
            let message = format!("{} is no longer the game that was split", self.name);
            return Err(Error::input(message).with_hint("begin again in another folder"));
        }
        Ok(game)
    }
}

fn is_file(name: &str) -> bool {
    Path::new(name).is_file()
}

/// Return the identity of a game: its content and goals.
fn identity(game: &Game) -> String {
    let ir = game.ir();
    checksum(format!("{}\n{:?}", ir.content_hash(), ir.goals()).as_bytes())
}

/// Return the path from the root, so that it means the same in other folders.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

impl KnownFile {
    fn of(path: &Path) -> Result<Self, Error> {
        let unreadable = |error: std::io::Error| {
            let why = reason(&error);
            Error::input(format!("can't read `{}`: {why}", path.display()))
        };
        let mut file = File::open(path).map_err(unreadable)?;
        let bytes = file.metadata().map_err(unreadable)?.len();
        let mut ends = Vec::new();
        let mut read = |from: u64| {
            file.seek(SeekFrom::Start(from))?;
            (&file).take(ENDS).read_to_end(&mut ends)
        };
        read(0).map_err(unreadable)?;
        if bytes > ENDS {
            read(bytes.saturating_sub(ENDS).max(ENDS)).map_err(unreadable)?;
        }
        Ok(Self {
            path: path.to_owned(),
            bytes,
            hash: checksum(&ends),
        })
    }

    fn check(&self) -> Result<(), Error> {
        if Self::of(&self.path)? == *self {
            return Ok(());
        }
        let message = format!(
            "`{}` is no longer the file of this search",
            self.path.display()
        );
        Err(Error::input(message)
            .with_hint("bring the file back, or begin again in another folder"))
    }
}

/// Return the options of a search that may be split into units: with all choices made that could
/// differ from run to run, and without limits on the search, which are those of each command.
///
/// # Errors
/// When a search of this kind can't be split.
pub fn options_for_units(options: &SearchOptions) -> Result<SearchOptions, Error> {
    check(options)?;
    let mut options = SearchOptions {
        table: options.table.map(|_| TranspositionTable::None),
        prune: Some(options.prune_spec()?),
        limits: Limits {
            memory: options.limits.memory,
            ..Limits::default()
        },
        ..options.clone()
    };
    if options.prune == Some(PruneSpec::Auto) {
        // Which longer sequences pay depends on what earlier runs have kept.
        options.prune = Some(PruneSpec::Length(length_choice::FIRST_LENGTH));
    }
    if let Some(PruneSpec::File(path)) = &mut options.prune {
        *path = absolute(path);
    }
    options
        .heuristic
        .map_files(&mut |path| *path = absolute(path));
    Ok(options)
}

/// Refuse searches that can't be split.
fn check(options: &SearchOptions) -> Result<(), Error> {
    let algorithm = options.algorithm;
    if !matches!(
        algorithm,
        Algorithm::Ida | Algorithm::Wida | Algorithm::Dfid
    ) {
        let message = format!("{} can't be split into units", algorithm.name());
        return Err(Error::usage(message).with_hint("only ida, wida and dfid can"));
    }
    let has_table = matches!(
        options.table,
        Some(TranspositionTable::Auto | TranspositionTable::Bytes(_))
    );
    if has_table {
        let message = "units have no transposition table in common";
        return Err(Error::usage(message).with_hint(message![
            "leave out `",
            Parameter::Table,
            "`"
        ]));
    }
    if options.cycles == Cycles::Path {
        let message = "units can't use cycle detection along the path";
        return Err(Error::usage(message).with_hint(message![
            "use `",
            Parameter::Cycles.is("parent"),
            "`, or leave it out"
        ]));
    }
    Ok(())
}

impl Made {
    fn of(solver: &Solver) -> Self {
        Self {
            heuristic: solver.heuristic().estimate.to_string(),
            machine: solver.pruning().machine_name.clone(),
        }
    }

    fn check(&self, solver: &Solver) -> Result<(), Error> {
        let now = Self::of(solver);
        if now == *self {
            return Ok(());
        }
        let (what, before, now) = if now.heuristic == self.heuristic {
            ("prunes", &self.machine, now.machine)
        } else {
            ("estimates", &self.heuristic, now.heuristic)
        };
        let message =
            format!("this search {what} by {now}, and the one that was split by {before}");
        Err(Error::input(message).with_hint(message![
            "allow more `",
            Parameter::Memory,
            "` or time, if a limit is the reason"
        ]))
    }
}

/// Return the solver with the heuristic named that `auto` chose for it.
///
/// # Errors
/// When no settings name that heuristic.
fn with_choice_made(solver: Solver, start: &State, env: &Environment) -> Result<Solver, Error> {
    if solver.options().heuristic != HeuristicSpec::Auto {
        return Ok(solver);
    }
    let mut options = solver.options().clone();
    let choice = solver.heuristic().choice.as_ref();
    for setting in choice.map(settings_of).into_iter().flatten() {
        let value = setting.value.as_deref().unwrap_or("true");
        match setting.parameter {
            Parameter::Table => {}
            parameter => options.set(parameter.name(), value)?,
        }
    }
    if options.heuristic == HeuristicSpec::Auto {
        let message = "no setting names the heuristic that was chosen, so units can't name it";
        return Err(Error::usage(message).with_hint(message![
            "give one with `",
            Parameter::Heuristic,
            "`"
        ]));
    }
    Solver::builder(solver.game())
        .options(options)
        .prepared_heuristic(solver.shared_heuristic())
        .starts([start.clone()])
        .build(env)
}

/// The error that a tree can't be cut.
fn uncut(why: &str) -> Error {
    Error::usage(format!("this can't be split into units: {why}"))
}

const WHOLE_PATHS: &str = "rules that cost nothing make it compare whole paths";
const NO_PLAN: &str = "states are too large, or a goal compares variables";

impl Job {
    /// Describe a search from one start. Return also the search, whose choices are made.
    ///
    /// # Errors
    /// When the search can't be split, or a file can't be read.
    pub(super) fn of_search(
        source: &Source,
        solver: Solver,
        instance: &Instance,
        env: &Environment,
    ) -> Result<(Self, Solver), Error> {
        let start = &instance.state;
        let solver = with_choice_made(solver, start, env)?;
        let options = solver.options();
        check(options)?;
        let by_cost = options.algorithm != Algorithm::Dfid;
        let can = solver.searcher().run().can_hand_out(by_cost);
        if can == Ok(false) {
            let has_free_rules = solver.game().ir().rules().iter();
            let has_free_rules = has_free_rules
                .clone()
                .any(|rule| rule.canonical.cost() == 0);
            let why = if by_cost && has_free_rules {
                WHOLE_PATHS
            } else {
                NO_PLAN
            };
            return Err(uncut(why));
        }
        let game = solver.game();
        let named = options.named().into_iter();
        let job = Self {
            game: GameOfJob::of(source, game, false),
            start: game.ir().format_state(start.values()),
            files: files(&options.files())?,
            made: Some(Made::of(&solver)),
            work: Work::Solve {
                id: instance.id.clone(),
                known_cost: instance.known_cost.map(Exact),
                options: named
                    .map(|(name, value)| (name.to_owned(), value))
                    .collect(),
            },
        };
        Ok((job, solver))
    }

    /// Describe a count of a tree.
    ///
    /// # Errors
    /// When the count can't be split, or a file can't be read.
    pub(super) fn of_tree(
        source: &Source,
        Oriented { game, backward }: Oriented<'_>,
        start: &State,
        request: &mut TreeRequest,
        order: Vec<String>,
    ) -> Result<Self, Error> {
        if request.cycles {
            return Err(uncut("the column `path` compares whole paths"));
        }
        let has_free_rules = || {
            game.ir()
                .rules()
                .iter()
                .any(|rule| rule.canonical.cost() == 0)
        };
        let (depth, cost) = match request.bound {
            Bound::Depth(depth) => (Some(depth), None),
            Bound::Cost(_) if has_free_rules() => return Err(uncut(WHOLE_PATHS)),
            Bound::Cost(cost) => (None, Some(cost)),
        };
        request
            .machines
            .iter_mut()
            .for_each(|path| *path = absolute(path));
        Ok(Self {
            game: GameOfJob::of(source, game, backward),
            start: game.ir().format_state(start.values()),
            files: files(&request.machines)?,
            made: None,
            work: Work::Tree {
                depth,
                cost,
                lengths: request.lengths.clone(),
                parents: request.parents,
                machines: request.machines.clone(),
                within_invariants: request.within_invariants,
                split: request.split.map(|it| it.name().to_owned()),
                memory: request.limits.memory,
                order,
            },
        })
    }

    /// Prepare what the job describes, with limits of one's own.
    ///
    /// # Errors
    /// When the game or a file is another one, or what is made of them differs.
    pub(super) fn prepare(&self, limits: &Limits, env: &Environment) -> Result<Prepared, Error> {
        let game = self.game.open(env)?;
        self.files.iter().try_for_each(KnownFile::check)?;
        let start = game.state(Parameter::Start, &self.start)?;
        let with = |memory: Option<usize>| Limits {
            memory: limits.memory.or(memory),
            ..limits.clone()
        };
        match &self.work {
            Work::Solve {
                id,
                known_cost,
                options: named,
            } => {
                let mut options = SearchOptions::default();
                for (name, value) in named {
                    options.set(name, value)?;
                }
                options.limits = with(options.limits.memory);
                let solver = Solver::builder(&game)
                    .options(options)
                    .starts([start.clone()])
                    .build(env)?;
                if let Some(made) = &self.made {
                    made.check(&solver)?;
                }
                let known_cost = known_cost.map(|cost| cost.0);
                Ok(Prepared::Search {
                    judged: Judged {
                        instances: vec![Instance::new(id.clone(), start, known_cost)],
                        refutations: vec![None],
                    },
                    game,
                    solver: Box::new(solver),
                })
            }
            Work::Tree {
                depth,
                cost,
                lengths,
                parents,
                machines,
                within_invariants,
                split,
                memory,
                order,
            } => {
                let bound = depth.map(Bound::Depth).or(cost.map(Bound::Cost));
                let split = split.as_deref().map(|name| {
                    SplitChoice::from_name(name)
                        .ok_or_else(|| Error::input(format!("there is no split `{name}`")))
                });
                let request = TreeRequest {
                    bound: bound.ok_or_else(|| Error::input("the tree has no bound"))?,
                    lengths: lengths.clone(),
                    parents: *parents,
                    cycles: false,
                    machines: machines.clone(),
                    within_invariants: *within_invariants,
                    split: split.transpose()?,
                    limits: with(*memory),
                };
                Ok(Prepared::Tree {
                    game,
                    start,
                    request,
                    order: order.clone(),
                })
            }
        }
    }
}

fn files(paths: &[PathBuf]) -> Result<Vec<KnownFile>, Error> {
    paths.iter().map(|path| KnownFile::of(path)).collect()
}

impl Prepared {
    /// Run it with what is handed out, for the sake of that alone. Return the limit that stopped
    /// it, if one did.
    ///
    /// # Errors
    /// As for a search or a count.
    pub(super) fn run(
        &self,
        hand_out: &dyn HandOut,
        env: &Environment,
    ) -> Result<Option<StopReason>, Error> {
        match self {
            Self::Search { judged, solver, .. } => {
                let start = &judged.instances[0].state;
                let answer = solver.solve_handed_out(start, hand_out)?;
                Ok(match answer.outcome {
                    Outcome::Stopped(reason) => Some(reason),
                    _ => None,
                })
            }
            Self::Tree {
                game,
                start,
                request,
                ..
            } => {
                let report = TreeReport::count_handed_out(game, start, request, hand_out, env)?;
                Ok(report.stopped)
            }
        }
    }
}
