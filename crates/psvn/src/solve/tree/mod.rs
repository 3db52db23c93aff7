//! Search trees counted by depth, one column for each way of pruning; and drawn.

mod picture;
mod searched;
mod table;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use fsm::SharedMachine;
use invariants::Invariants;
use move_prune::Limits as AnalysisLimits;
use psvn_ir::State;
use search::{
    Bound, CompiledGame, CompleteLevels, CycleDetection, LevelCount, Limits, Searcher,
    SearcherBuilder, StopReason, TreeCount,
};
use serde::{Deserialize, Serialize};

pub use self::picture::draw_tree;
pub use self::table::{TreeCell, TreeRow};
use super::pruning::{NODES_TO_TELL, open_machine};
use crate::analysis::{Redundant, SplitChoice, SplitRequest, engine};
use crate::environment::Environment;
use crate::error::Error;
use crate::game::{Game, SearchFor};
use crate::text::units::per_second;
use crate::text::{Exact, Parameter, message};

/// What is counted of a tree.
///
/// ```
/// use psvn::solve::{TreeReport, TreeRequest, goal_state};
/// use psvn::{Environment, Game};
///
/// let env = Environment::default();
/// let game = Game::built_in("topspin:14:3", &env)?;
/// let request = TreeRequest {
///     lengths: vec![0, 2],
///     ..TreeRequest::to_depth(3)
/// };
/// let report = TreeReport::count(&game, &goal_state(&game)?, &request, &env)?;
/// let nodes: Vec<u128> = report.columns[0].nodes.iter().map(|n| n.0).collect();
/// assert_eq!(nodes, [1, 14, 196, 2744]);
/// # Ok::<(), psvn::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TreeRequest {
    /// Which part of the tree.
    pub bound: Bound,
    /// A column for each length: redundant sequences up to it are left out. 0 leaves nothing out.
    pub lengths: Vec<usize>,
    /// Whether there is a column without nodes that equal their grandparent.
    pub parents: bool,
    /// Whether there is a column without nodes that equal any node on their path.
    pub cycles: bool,
    /// A column for each machine file: what it forbids is left out.
    pub machines: Vec<PathBuf>,
    /// Whether sequences are compared within the invariants of the state at the root; else in all
    /// states, as published counts are made.
    pub within_invariants: bool,
    /// Whether rules are split by values of variables, in columns with a length; unless given,
    /// where it pays, within the invariants.
    pub split: Option<SplitChoice>,
    /// The most nodes of each column.
    pub nodes: Option<u64>,
    /// The most time of the analysis, and of each column.
    pub time: Option<Duration>,
    /// The most bytes of the analysis.
    pub memory: Option<usize>,
}

impl TreeRequest {
    /// Count to a depth, with no column yet and without limits.
    pub fn to_depth(depth: u64) -> Self {
        Self {
            bound: Bound::Depth(depth),
            lengths: Vec::new(),
            parents: false,
            cycles: false,
            machines: Vec::new(),
            within_invariants: true,
            split: None,
            nodes: None,
            time: None,
            memory: None,
        }
    }
}

/// A tree counted by depth, in one or more ways.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TreeReport {
    /// The name of the game.
    pub file: String,
    /// The state at the root.
    pub start: String,
    /// The depth that was counted to; `None` where the cost was bounded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// The cost to which was counted; `None` where the depth was bounded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<u64>,
    /// One for each way of pruning, but for those that the analysis didn't come to.
    pub columns: Vec<TreeColumn>,
    /// Whether all columns are there and counted to the end.
    pub complete: bool,
    /// Whether the work was cancelled.
    #[serde(skip)]
    pub interrupted: bool,
    /// What is missing, and machines that prune nothing, in words.
    #[serde(skip)]
    pub warnings: Vec<String>,
}

/// A tree counted in one way.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TreeColumn {
    /// What is left out: `none`, `parent`, `path`, the length, or the name of the machine file.
    pub prune: String,
    /// The length of the longest redundant sequences that are left out, where a length was given.
    pub max_length: Option<usize>,
    /// The nodes by depth, as far as depths were counted to the end.
    pub nodes: Vec<Exact>,
    /// The seconds that counting took.
    pub seconds: f64,
    /// The nodes that were generated in a second.
    pub generated_per_second: f64,
    /// The seconds that it took to find what is pruned.
    pub analysis_seconds: f64,
    /// Whether it is counted to the end.
    pub complete: bool,
    /// What stopped the count, if anything did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Cow<'static, str>>,
    /// Whether an earlier run found what is pruned.
    #[serde(skip)]
    pub from_cache: bool,
    /// The nodes of all depths.
    #[serde(skip)]
    pub total: u128,
    /// The nodes that were generated in [`seconds`](Self::seconds): those of the tree where it is
    /// complete, or else those of all walks.
    #[serde(skip)]
    pub counted: u128,
    /// The time that counting took.
    #[serde(skip)]
    pub elapsed: Duration,
    /// How many nodes at the last depth are goal states, where they were looked for.
    #[serde(skip)]
    pub goals_in_last_ply: Option<u64>,
    /// Which repeated states were left out.
    #[serde(skip)]
    pub cycle_detection: CycleDetection,
    /// The counts by depth, as far as depths were counted to the end.
    #[serde(skip)]
    levels: Vec<LevelCount>,
}

impl TreeColumn {
    /// Return what the column is called: `L=` and the length, or what is left out.
    pub fn title(&self) -> String {
        match self.max_length {
            Some(length) => format!("L={length}"),
            None => self.prune.clone(),
        }
    }
}

/// What is left out in a column.
enum Pruner<'a> {
    Parents,
    /// Whatever comes back to a state of its path.
    Cycles,
    /// Redundant words up to a length; 0 for nothing.
    Length(usize),
    /// What a machine file forbids.
    File(&'a Path, SharedMachine, Option<CompiledGame>),
}

impl TreeReport {
    /// Count the tree below a state.
    ///
    /// # Errors
    /// When a machine file can't be used from this state, or a machine doesn't fit in memory. A
    /// count that a limit stops is no error.
    pub fn count(
        game: &Game,
        start: &State,
        request: &TreeRequest,
        env: &Environment,
    ) -> Result<Self, Error> {
        let starts = std::slice::from_ref(start);
        let mut pruners: Vec<Pruner<'_>> = request
            .lengths
            .iter()
            .copied()
            .map(Pruner::Length)
            .collect();
        if request.parents {
            pruners.push(Pruner::Parents);
        }
        if request.cycles {
            pruners.push(Pruner::Cycles);
        }
        let (depth, cost) = match request.bound {
            Bound::Depth(depth) => (Some(depth), None),
            Bound::Cost(cost) => (None, Some(cost)),
        };
        for path in &request.machines {
            let (machine, split) =
                open_machine(path, game, starts, depth.is_some(), SearchFor::States)?;
            let searched = split.map(|split| CompiledGame::new(split.game()));
            pruners.push(Pruner::File(path, SharedMachine::new(machine), searched));
        }
        let known = Invariants::from_states(game.ir(), starts);
        let assumed = match request.within_invariants {
            true => known.clone(),
            false => Invariants::none(game.ir()),
        };
        let longest = request.lengths.iter().copied().max().unwrap_or(0);
        let interrupt = Some(Arc::clone(env.cancellation()));
        let limits = AnalysisLimits {
            nodes: None,
            time: request.time,
            memory: request.memory,
            interrupt: interrupt.clone(),
        };
        let split = SplitRequest {
            choice: request
                .split
                .unwrap_or_else(|| SplitChoice::usual(request.within_invariants)),
            start: Some(start.clone()),
            most_steps: None,
        };
        let redundant = Redundant::find(
            game,
            longest,
            assumed,
            SearchFor::States,
            &split,
            limits,
            env,
        )?;
        let searched = redundant.split.as_ref();
        let tree = Tree {
            game: CompiledGame::new(game.ir()),
            split: searched.map(|split| CompiledGame::new(split.game())),
            bound: request.bound,
            redundant,
            known,
            limits: Limits {
                nodes: request.nodes,
                time: request.time,
                memory: None,
                interrupt,
            },
            start: start.clone(),
            env: env.clone(),
        };
        let mut report = Self {
            file: game.name().to_owned(),
            start: game.ir().format_state(start.values()),
            depth,
            cost,
            columns: Vec::new(),
            complete: true,
            interrupted: false,
            warnings: Vec::new(),
        };
        for pruner in &pruners {
            report.add(pruner, &tree)?;
            if report.columns.last().is_some_and(|column| {
                column.stopped.as_deref() == Some(StopReason::Interrupted.code())
            }) {
                break;
            }
        }
        Ok(report)
    }

    /// Count one more column, or say why there is none.
    fn add(&mut self, pruner: &Pruner<'_>, tree: &Tree) -> Result<(), Error> {
        if let Pruner::Length(length) = pruner
            && *length > tree.redundant.max_length
        {
            // A column that isn't what its head says would be worse than none.
            self.complete = false;
            self.interrupted |= tree.redundant.stopped == Some(StopReason::Interrupted);
            let reason = tree.redundant.stopped.map(StopReason::clause);
            self.warnings.push(format!(
                "no column L={length}: the analysis stopped at length {}, because {}",
                tree.redundant.max_length,
                reason.unwrap_or("a limit was reached")
            ));
            return Ok(());
        }
        let (column, stopped) = tree.column(pruner)?;
        let title = column.title();
        match stopped {
            None => self.warnings.extend(tree.warn_of_useless(pruner, &column)?),
            Some(reason) => {
                self.complete = false;
                self.interrupted |= reason == StopReason::Interrupted;
                self.warnings.push(match column.nodes.len().checked_sub(1) {
                    Some(depth) => {
                        format!("{reason}: column {title} is counted to depth {depth} only")
                    }
                    None => format!("{reason}: column {title} is not counted"),
                });
            }
        }
        self.columns.push(column);
        Ok(())
    }
}

/// Return the state at which trees begin where no start is given: the start that the game declares,
/// or else its only goal state.
///
/// # Errors
/// When there is neither, or there are several goal states.
pub fn goal_state(named: &Game) -> Result<State, Error> {
    if let Some(start) = named.declared_start()? {
        return Ok(start);
    }
    let game = named.ir();
    game.goal_state().ok_or_else(|| {
        let why = match game.goals().len() {
            0 => "it has no goal",
            1 => "its goal leaves some variables open",
            _ => "it has several goals",
        };
        Error::usage(format!(
            "{} has no goal state to start from: {why}",
            named.name()
        ))
        .with_hint(message![
            "give the state at the root with `",
            Parameter::Start.is("'...'"),
            format!("`: {} values separated by white space", game.n_variables())
        ])
    })
}

/// The tree to be counted, in one way or another.
struct Tree {
    game: CompiledGame,
    /// The game whose rules are parts of rules, where the redundant words are of them.
    split: Option<CompiledGame>,
    start: State,
    bound: Bound,
    redundant: Redundant,
    /// What holds in all of its states.
    known: Invariants,
    limits: Limits,
    env: Environment,
}

/// How a tree is counted.
struct Walk<'r> {
    bound: Bound,
    count_forbidden: bool,
    limits: &'r Limits,
    name: String,
}

impl Tree {
    fn column(&self, pruner: &Pruner<'_>) -> Result<(TreeColumn, Option<StopReason>), Error> {
        let max_length = match pruner {
            Pruner::Length(length) => Some(*length),
            Pruner::Parents | Pruner::Cycles | Pruner::File(..) => None,
        };
        let count = self.complete_count(pruner)?;
        let tree = &count.tree;
        let depth = match self.bound {
            Bound::Depth(depth) => usize::try_from(depth).ok(),
            Bound::Cost(_) => None,
        };
        let n_levels = match depth.filter(|_| tree.stopped.is_none()) {
            // A tree that ends early has no nodes further down, but the table goes on.
            Some(depth) => depth
                .saturating_add(1)
                .min(tree.levels.len().max(MAX_EMPTY_LEVELS)),
            None => tree.levels.len(),
        };
        let (generated, elapsed) = work(&count);
        let stopped = tree.stopped;
        let column = TreeColumn {
            prune: pruner.name(),
            max_length,
            nodes: (0..n_levels)
                .map(|depth| Exact::from(tree.generated(depth)))
                .collect(),
            seconds: elapsed.as_secs_f64(),
            generated_per_second: per_second(generated, elapsed),
            analysis_seconds: self
                .redundant
                .time_up_to(max_length.unwrap_or(0))
                .as_secs_f64(),
            complete: tree.stopped.is_none(),
            stopped: tree.stopped.map(|reason| reason.code().into()),
            from_cache: self.redundant.from_cache,
            total: tree.totals().generated,
            counted: generated,
            elapsed,
            goals_in_last_ply: tree.goals_in_last_ply,
            cycle_detection: tree.cycle_detection,
            levels: count.tree.levels,
        };
        Ok((column, stopped))
    }

    /// The counts of a column, of complete depths only. Of a count bounded by cost that a limit
    /// stops none but that of the root is known.
    fn complete_count(&self, pruner: &Pruner<'_>) -> Result<CompleteLevels, Error> {
        let mut complete = self.count(pruner, self.bound, false, &self.limits)?;
        if let (Bound::Cost(_), Some(_)) = (self.bound, complete.tree.stopped) {
            complete.tree.levels.truncate(1);
        }
        Ok(complete)
    }

    /// Counts the tree. What the machine forbids is not shown, and counted only if that is asked
    /// for.
    fn count(
        &self,
        pruner: &Pruner<'_>,
        bound: Bound,
        count_forbidden: bool,
        limits: &Limits,
    ) -> Result<CompleteLevels, Error> {
        let name = pruner.name();
        let searched = match pruner {
            Pruner::Length(1..) => self.split.as_ref(),
            Pruner::File(_, _, split) => split.as_ref(),
            Pruner::Parents | Pruner::Cycles | Pruner::Length(0) => None,
        };
        let search = Searcher::builder(searched.unwrap_or(&self.game));
        let search = search.invariants(engine::admits(&self.known));
        let walk = Walk {
            bound,
            count_forbidden,
            limits,
            name,
        };
        match pruner {
            Pruner::Parents => self.count_by(search.cycle_detection(CycleDetection::Parent), walk),
            Pruner::Cycles => self.count_by(search.cycle_detection(CycleDetection::Path), walk),
            Pruner::Length(0) => self.count_by(search, walk),
            Pruner::Length(length) => {
                let machine = self.redundant.machine_up_to(*length)?;
                self.count_by(search.machine(machine), walk)
            }
            Pruner::File(_, machine, _) => self.count_by(search.machine(machine.clone()), walk),
        }
    }

    fn count_by(&self, search: SearcherBuilder, walk: Walk<'_>) -> Result<CompleteLevels, Error> {
        let Walk {
            bound,
            count_forbidden,
            limits,
            name,
        } = walk;
        let mut search = search
            .build()
            .run()
            .threads(self.env.threads())
            .count_forbidden(count_forbidden)
            .limits(limits.clone())
            .on_progress(
                self.env
                    .begin()
                    .of_search(move |_| format!("pruning {name}")),
            );
        let counted = match bound {
            Bound::Depth(depth) => search.count_levels(&self.start, depth, &mut || {}),
            Bound::Cost(_) => search.count_tree(&self.start, bound).map(whole),
        };
        counted.map_err(|error| Error::input(error.to_string()))
    }

    /// Says so if a machine pruned nothing in a tree of some size.
    ///
    /// The counts of a column don't tell, since finding out takes time. So the top of the tree is
    /// counted again, a small one first; most machines prune something there.
    fn warn_of_useless(
        &self,
        pruner: &Pruner<'_>,
        column: &TreeColumn,
    ) -> Result<Option<String>, Error> {
        let machine = match pruner {
            Pruner::Parents | Pruner::Cycles | Pruner::Length(0) => return Ok(None),
            Pruner::Length(length) => format!("the machine for length {length}"),
            Pruner::File(path, ..) => format!("the machine `{}`", path.display()),
        };
        let Bound::Depth(depth) = self.bound else {
            return Ok(None);
        };
        if column.total < NODES_TO_TELL {
            return Ok(None);
        }
        let mut where_ = String::new();
        for most in [NODES_TO_TELL * 10, MOST_TO_TELL] {
            let mut sum = 0;
            let within = |level: &&search::LevelCount| {
                sum += u128::from(level.generated);
                sum <= most
            };
            let n_levels = column.levels.iter().take_while(within).count();
            let deepest = (n_levels as u64).saturating_sub(1).min(depth);
            let limits = Limits {
                nodes: None,
                time: None,
                ..self.limits.clone()
            };
            let top = self.count(pruner, Bound::Depth(deepest), true, &limits)?;
            let top = top.tree;
            if top.stopped.is_some() || top.totals().pruned_by_machine > 0 {
                return Ok(None);
            }
            where_ = match deepest {
                deepest if deepest == depth => "in this search".to_owned(),
                deepest => format!("down to depth {deepest}"),
            };
        }
        Ok(Some(format!("{machine} pruned nothing {where_}")))
    }
}

/// One walk by itself.
fn whole(tree: TreeCount) -> CompleteLevels {
    CompleteLevels {
        generated: tree.totals().generated.saturating_sub(1),
        at_least: tree.totals().generated,
        preparation: tree.preparation,
        elapsed: tree.elapsed,
        tree,
    }
}

/// Nodes and time: of the tree where it is complete, or else of all that was done.
fn work(count: &CompleteLevels) -> (u128, Duration) {
    match count.tree.stopped {
        None => (count.tree.totals().generated, count.tree.elapsed),
        Some(_) => (count.generated, count.elapsed),
    }
}

/// The most nodes that are counted again to see whether a machine prunes anything.
const MOST_TO_TELL: u128 = 20_000_000;

impl Pruner<'_> {
    /// What its column is called.
    fn name(&self) -> String {
        match self {
            Pruner::Parents => "parent".to_owned(),
            Pruner::Cycles => "path".to_owned(),
            Pruner::Length(0) => "none".to_owned(),
            Pruner::Length(length) => length.to_string(),
            Pruner::File(path, ..) => path.display().to_string(),
        }
    }
}

/// To this depth zeros are listed below the end of a finite tree.
pub(crate) const MAX_EMPTY_LEVELS: usize = 1000;
