//! Where a machine keeps a sequence that isn't least, in words.

use psvn_ir::State;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::game::Game;
use crate::text::{Parameter, message};

/// A sequence that the machine keeps although it isn't least everywhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IdealDifference {
    /// The sequence.
    pub word: Vec<String>,
    /// The first state, of those nearest to the start, where it isn't least.
    pub state: String,
    /// The sequence that leads from there to the same state.
    pub replacement: Vec<String>,
    /// Equations that hold in that state and don't follow from the sequence's preconditions.
    pub missing: Vec<String>,
    /// The number of states where the sequence isn't least.
    pub states: usize,
    /// The number of states where it can be carried out.
    pub applicable: usize,
}

/// The root of the trees.
pub(super) fn start(game: &Game, start: Option<&str>) -> Result<State, Error> {
    match start {
        Some(text) => game.state("the start", text),
        None => game.ir().goal_state().ok_or_else(|| {
            Error::usage(format!(
                "a tree needs a start, and {} has no single goal state",
                game.name()
            ))
            .with_hint(message![
                "give one with `",
                Parameter::Start.is("\"STATE\""),
                "`"
            ])
        }),
    }
}
