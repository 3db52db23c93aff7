//! Search trees counted by depth, one column for each way of pruning.

mod walk;

use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Duration;

use fsm::SharedMachine;
use invariants::Invariants;
use psvn_ir::State;
use redundancy::SearchFor;
use redundancy::file::SafeMachine;
use schemars::JsonSchema;
use search::{Bound, CompiledGame, CycleDetection, HandOut, LevelCount, Limits, StopReason};
use serde::{Deserialize, Serialize};

use self::walk::{Pruner, Tree};
use super::pruning::open_machine;
use crate::analysis::{Redundant, SplitChoice, SplitRequest};
use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;
use crate::text::{Exact, Parameter, message};

/// Options for counting a tree.
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
    /// The part of the tree to count.
    pub bound: Bound,
    /// A column for each length: redundant sequences up to it are left out. 0 leaves nothing out.
    pub lengths: Vec<usize>,
    /// Whether there is a column without nodes that equal their grandparent.
    pub parents: bool,
    /// Whether there is a column without nodes that equal any node on their path.
    pub cycles: bool,
    /// A column for each machine file, whose forbidden words are left out.
    pub machines: Vec<PathBuf>,
    /// Whether sequences are compared within the invariants of the state at the root; else in all
    /// states, as for published counts.
    pub within_invariants: bool,
    /// Whether rules are split by values of variables, in columns with a length; unless given,
    /// where it pays, within the invariants.
    pub split: Option<SplitChoice>,
    /// The limits: nodes are those of each column, time is that of the analysis and of each column,
    /// memory that of the analysis. Without a flag of their own, the environment's cancellation
    /// interrupts.
    pub limits: Limits,
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
            limits: Limits::default(),
        }
    }
}

/// A tree counted by depth, in one or more ways.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct TreeReport {
    /// The name of the game.
    pub file: String,
    /// The state at the root.
    pub start: String,
    /// The bound on depth; `None` where the cost was bounded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// The bound on cost; `None` where the depth was bounded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<u64>,
    /// The columns, one for each way of pruning that the analysis reached.
    pub columns: Vec<TreeColumn>,
    /// Whether all columns are there and counted to the end.
    pub complete: bool,
    /// Whether the work was cancelled.
    #[serde(skip)]
    pub interrupted: bool,
    /// The limit that stopped the last column, if one did.
    #[serde(skip)]
    pub stopped: Option<StopReason>,
    /// Warnings about missing columns, and about machines that prune nothing.
    #[serde(skip)]
    pub warnings: Vec<String>,
}

/// A tree counted in one way.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct TreeColumn {
    /// The pruning: `none`, `parent`, `path`, the length, or the name of the machine file.
    pub prune: String,
    /// The length of the longest redundant sequences that are left out, where a length was given.
    pub max_length: Option<usize>,
    /// The number of nodes at each complete depth; the root is at depth 0.
    pub nodes: Vec<Exact>,
    /// The seconds that counting took.
    pub seconds: f64,
    /// The nodes that were generated in a second.
    pub generated_per_second: f64,
    /// The seconds of the analysis.
    pub analysis_seconds: f64,
    /// Whether the count is complete.
    pub complete: bool,
    /// The limit that stopped the count, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Cow<'static, str>>,
    /// Whether the analysis comes from an earlier run.
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
    /// The number of goal states at the last depth, where they were counted.
    #[serde(skip)]
    pub goals_in_last_ply: Option<u64>,
    /// The cycle detection that was used.
    #[serde(skip)]
    pub cycle_detection: CycleDetection,
    /// The counts of each complete depth.
    #[serde(skip)]
    levels: Vec<LevelCount>,
}

impl TreeColumn {
    /// Return the column's title: `L=` and the length, or the pruning, such as `none`.
    pub fn title(&self) -> String {
        match self.max_length.filter(|length| *length > 0) {
            Some(length) => format!("L={length}"),
            None => self.prune.clone(),
        }
    }
}

impl TreeReport {
    /// Count the tree below a state.
    ///
    /// # Errors
    /// When a machine file can't be used from this state, or a machine doesn't fit in memory. A
    /// count that a limit stops isn't an error.
    pub fn count(
        game: &Game,
        start: &State,
        request: &TreeRequest,
        env: &Environment,
    ) -> Result<Self, Error> {
        Self::count_by(game, start, request, None, env)
    }

    /// Count the tree below a state, and have the subtrees of all parts of the work handed out that
    /// are large enough to be cut. The counts are those of one process.
    ///
    /// # Errors
    /// As for [`count`](Self::count).
    pub fn count_handed_out(
        game: &Game,
        start: &State,
        request: &TreeRequest,
        hand_out: &dyn HandOut,
        env: &Environment,
    ) -> Result<Self, Error> {
        Self::count_by(game, start, request, Some(hand_out), env)
    }

    fn count_by(
        game: &Game,
        start: &State,
        request: &TreeRequest,
        hand_out: Option<&dyn HandOut>,
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
            let SafeMachine { machine, split } =
                open_machine(path, game, starts, depth.is_some(), SearchFor::States)?;
            let searched = split.map(|split| CompiledGame::new(split.game()));
            pruners.push(Pruner::File(path, SharedMachine::new(machine), searched));
        }
        let known = env.invariants(game.ir(), starts);
        let assumed = if request.within_invariants {
            known.clone()
        } else {
            Invariants::none(game.ir())
        };
        let longest = request.lengths.iter().copied().max().unwrap_or(0);
        let limits = Limits {
            nodes: None,
            ..env.limits(&request.limits)
        };
        let split = SplitRequest {
            choice: request
                .split
                .unwrap_or_else(|| SplitChoice::usual(request.within_invariants)),
            start: Some(start.clone()),
            most_steps: None,
        };
        let redundant = Redundant::find(
            game.ir(),
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
                memory: None,
                ..env.limits(&request.limits)
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
            stopped: None,
            warnings: Vec::new(),
        };
        for pruner in &pruners {
            report.add(pruner, &tree, hand_out)?;
            if report.columns.last().is_some_and(|column| {
                column.stopped.as_deref() == Some(StopReason::Interrupted.code())
            }) {
                break;
            }
        }
        Ok(report)
    }

    /// Count one more column, or add a warning why it is missing.
    fn add(
        &mut self,
        pruner: &Pruner<'_>,
        tree: &Tree,
        hand_out: Option<&dyn HandOut>,
    ) -> Result<(), Error> {
        if let Pruner::Length(length) = pruner
            && *length > tree.redundant.max_length
        {
            // A column that contradicts its head would be worse than none.
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
        let (column, stopped) = tree.column(pruner, hand_out)?;
        let title = column.title();
        self.stopped = stopped;
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

/// The depth down to which zeros are listed below the end of a finite tree.
pub(crate) const MAX_EMPTY_LEVELS: usize = 1000;
