//! A check on all states of a small game whether estimates are ever too high.

use psvn_ir::State;
use search::{BlockError, ComparedEstimates, DEAD_END, Limits, StopReason, compare_estimates};
use serde::{Deserialize, Serialize};

use super::{BatchHeuristic, InBlocks, refused};
use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;

/// The result of comparing estimates with least costs.
pub type CheckedEstimates = ComparedEstimates<WrongEstimate>;

/// An estimate that is too high.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrongEstimate {
    /// The state.
    pub state: String,
    /// Its estimate; `None` if it was taken for a dead end.
    pub estimate: Option<u64>,
    /// The least cost from it to a goal.
    pub cost: u64,
}

/// Compare estimates with the least costs to a goal, for all states that a start leads to.
///
/// # Errors
/// When there are more than `max_states` of them, the work is cancelled, or the heuristic fails.
pub fn check_estimates(
    game: &Game,
    start: &State,
    heuristic: &mut dyn BatchHeuristic,
    max_states: usize,
    env: &Environment,
) -> Result<CheckedEstimates, Error> {
    let limits = env.limits(&Limits {
        nodes: Some(max_states as u64),
        ..Limits::default()
    });
    let compared = compare_estimates(game.ir(), start, &mut InBlocks(heuristic), &limits);
    let compared = compared.map_err(|error| match error {
        BlockError::Stopped(StopReason::Nodes) => {
            Error::limit(format!("the start leads to more than {max_states} states"))
                .with_hint("check the heuristic on a smaller game, or allow more states")
        }
        BlockError::Stopped(_) => Error::interrupted("the check was interrupted"),
        other => refused(other),
    })?;
    Ok(compared.map_worst(|it| WrongEstimate {
        state: game.ir().format_state(it.state.values()),
        estimate: Some(it.estimate).filter(|estimate| *estimate != DEAD_END),
        cost: it.cost,
    }))
}
