//! The heuristics that a choice considered, to explain it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What was decided about a heuristic that was considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CandidateDecision {
    /// It is the choice.
    Chosen,
    /// Its tables were built, or it needs none, and another one was chosen.
    Tried,
    /// As [`Tried`](Self::Tried), with tables from the cache.
    Read,
    /// Its tables were not built, as that wouldn't have paid.
    NotBuilt,
}

impl CandidateDecision {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chosen => "chosen",
            Self::Tried => "tried",
            Self::Read => "read",
            Self::NotBuilt => "not built",
        }
    }
}

/// A heuristic that `auto` has considered, with its expected costs.
///
/// Times are those of a usual processor: they are computed from counts of nodes and of ranks, so
/// that they are the same on every machine.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Considered {
    /// Its name.
    pub heuristic: String,
    /// The bytes of its tables, about.
    pub bytes: u64,
    /// The seconds that building its tables takes on one core, or reading those that are kept.
    pub build_seconds: f64,
    /// The seconds of the search from all starts with it on one core. For a search without an
    /// answer when the choice was made, it is the least likely time.
    pub search_seconds: f64,
    /// What was decided about it.
    pub fate: CandidateDecision,
}

impl Considered {
    /// Return the seconds of building and of the search together.
    pub fn seconds(&self) -> f64 {
        self.build_seconds + self.search_seconds
    }
}
