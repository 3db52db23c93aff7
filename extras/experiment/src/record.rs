//! The records of cells and experiments in a file of results.

use psvn::solve::Pruned;
use serde::{Deserialize, Serialize};

use crate::options::Options;
use crate::spec::{Limits, Spec};

/// The name of the format, in the first line of each file.
pub const FORMAT: &str = "psvn-results";

/// The version of the format. Files of other versions are rejected.
pub const VERSION: u32 = 1;

/// The first line of a file, and of each later edition of the experiment in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// The program that measures, with its version.
    pub program: String,
    /// A fingerprint of the experiment.
    pub spec_hash: String,
    /// The games with the hashes of their contents.
    pub games: Vec<GameEntry>,
    /// The number of cells.
    pub cells: usize,
    /// The number of cells measured at the same time.
    pub jobs: usize,
    /// The processors of the machine.
    pub processors: usize,
    /// The machine's name for its processor.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub machine: Option<String>,
    /// The day on which it began, in UTC, such as 2026-11-23.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub date: Option<String>,
    /// The experiment.
    pub spec: Spec,
}

/// A game of an experiment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameEntry {
    /// The domain.
    pub domain: String,
    /// The hash of the game's content.
    pub hash: String,
}

/// The result of one cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// A fingerprint of all that defines the cell except limits.
    pub key: String,
    /// The domain.
    pub domain: String,
    /// The method.
    pub method: String,
    /// The instance; empty for methods that take none.
    pub instance: String,
    /// The number of steps of the random walk that made the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
    /// The start state.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub start: String,
    /// The options of the method.
    pub options: Options,
    /// The limits of the cell.
    pub limits: Limits,
    /// The result.
    #[serde(flatten)]
    pub measured: Measured,
}

/// The outcome of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Outcome {
    /// There is a solution.
    Solved,
    /// No solution exists (proved).
    NoSolution,
    /// No solution exists within the depth (proved).
    NotWithinDepth,
    /// No solution exists within the cost (proved).
    NotWithinCost,
    /// No solution was found within the depth or the cost; nothing is proved.
    NotFound,
    /// Counted, or analyzed, to the end.
    #[default]
    Complete,
    /// Stopped by the time limit.
    Time,
    /// Stopped by the limit on generated nodes.
    Nodes,
    /// Stopped by the memory limit.
    Memory,
    /// Stopped: costs don't fit in 64 bits.
    CostOverflow,
    /// The cell couldn't be run.
    Failed,
}

impl Outcome {
    /// Return whether a limit stopped it.
    pub fn is_limit(self) -> bool {
        matches!(
            self,
            Outcome::Time | Outcome::Nodes | Outcome::Memory | Outcome::CostOverflow
        )
    }

    /// Return a few words for the reader of a report.
    pub fn in_words(self) -> &'static str {
        match self {
            Outcome::Solved => "solved",
            Outcome::NoSolution => "no solution",
            Outcome::NotWithinDepth => "not within depth",
            Outcome::NotWithinCost => "not within cost",
            Outcome::NotFound => "not found",
            Outcome::Complete => "complete",
            Outcome::Time => "time limit",
            Outcome::Nodes => "node limit",
            Outcome::Memory => "memory limit",
            Outcome::CostOverflow => "cost overflow",
            Outcome::Failed => "failed",
        }
    }
}

/// The kind of levels of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LevelKind {
    /// Generated nodes by depth.
    Depth,
    /// Generated nodes by the bound of the iteration.
    Bound,
    /// Redundant words by length.
    Length,
}

/// The measurements of a cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The outcome.
    pub outcome: Outcome,
    /// Why it couldn't be run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub message: Option<String>,
    /// The cost of the solution.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cost: Option<u64>,
    /// The number of moves of the solution.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub length: Option<u64>,
    /// The least cost, if previously known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub known_cost: Option<u64>,
    /// The estimate of the start state.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub h0: Option<u64>,
    /// Generated nodes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub generated: Option<u64>,
    /// Expanded nodes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expanded: Option<u64>,
    /// What was left out; `None` where nothing was searched, and in results of older versions.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pruning: Option<Pruned>,
    /// The heuristic that was used, also where it was chosen.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub heuristic: Option<String>,
    /// Pruned nodes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pruned: Option<u64>,
    /// States that were kept.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub states: Option<u64>,
    /// Nodes, or words, by depth, bound or length.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub levels: Vec<(u64, u64)>,
    /// The kind of levels.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub level_kind: Option<LevelKind>,
    /// Redundant words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub words: Option<u64>,
    /// Interior nodes of the trie of redundant words: states of the machine of Taylor 1992.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub trie_states: Option<u64>,
    /// States of the minimal machine.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub minimized_states: Option<u64>,
    /// The asymptotic branching factor.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub branching_factor: Option<f64>,
    /// The time of the search, in seconds by the clock, as limits on time are.
    pub seconds: f64,
    /// Its processor time, in seconds, if known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cpu_seconds: Option<f64>,
    /// The time, in seconds, of preparation done once for all instances of the method: analyses and
    /// tables. Preparation that an earlier method of the experiment did counts with the time that
    /// it took then; nothing is taken from earlier runs.
    #[serde(default)]
    pub preparation_seconds: f64,
    /// The part of the preparation that an earlier method had done.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub reused_seconds: f64,
    /// Whether generated nodes may include nodes that were counted without being generated one by
    /// one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub generated_is_counted: Option<bool>,
    /// Misses of the last level of the processor's caches, if requested and counted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cache_misses: Option<u64>,
}

fn is_zero(seconds: &f64) -> bool {
    *seconds == 0.0
}

impl Measured {
    /// A cell that couldn't be run.
    pub fn failed(message: impl Into<String>) -> Self {
        Self {
            outcome: Outcome::Failed,
            message: Some(message.into()),
            ..Self::default()
        }
    }

    /// A cell whose preparation took as long as the limit on its time allows.
    pub fn stopped_while_preparing() -> Self {
        Self {
            outcome: Outcome::Time,
            message: Some("the preparation took all of it".to_owned()),
            ..Self::default()
        }
    }
}
