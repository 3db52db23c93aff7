//! The invariants that an analysis assumes of a search's states.

use budget::count;
use invariants::Invariants;
use psvn_ir::Game;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where assumptions come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AssumptionsSource {
    /// There are none.
    None,
    /// They hold in all states that can be reached from a goal state.
    Goal,
    /// They hold in all states that can be reached from the given ones.
    Start,
}

/// The assumptions, and where they come from.
#[derive(Clone, Debug)]
pub struct Assumptions {
    /// Where they come from.
    pub source: AssumptionsSource,
    /// `None` where nothing is assumed.
    pub known: Option<Invariants>,
    /// The same, one a line.
    pub lines: Vec<String>,
}

impl Assumptions {
    /// Assume nothing.
    pub fn none() -> Self {
        Self {
            source: AssumptionsSource::None,
            known: None,
            lines: Vec::new(),
        }
    }

    /// Assumptions from known invariants.
    pub fn of(source: AssumptionsSource, known: Invariants, game: &Game) -> Self {
        Self {
            source,
            lines: known.to_lines(game),
            known: Some(known),
        }
    }

    /// In a few words.
    pub fn describe(source: AssumptionsSource, lines: &[String]) -> String {
        let of = match source {
            AssumptionsSource::None => return "no invariants assumed".to_owned(),
            AssumptionsSource::Goal => "goal",
            AssumptionsSource::Start => "start",
        };
        match lines.len() {
            0 => format!("no invariants of the {of} to assume"),
            n => format!("{} of the {of} assumed", count(n, "invariant")),
        }
    }
}
