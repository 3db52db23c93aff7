//! A heuristic that was made, and why it was chosen.

use std::time::Duration;

use heuristics::{Combined, Name, Named};
use invariants::Invariants;
use psvn_ir::{Game, State};

use crate::auto::considered::Considered;
use crate::auto::trial::{Found, TriedStart};
use crate::error::PrepareError;
use crate::is_zero;

/// A heuristic that is ready for searches, with the reasons for its choice.
pub struct PreparedHeuristic {
    /// Estimates the remaining cost.
    pub estimate: Combined,
    /// Why it was chosen, if `auto` chose it.
    pub reason: Option<String>,
    /// If `auto` chose it, what repeats the choice without choosing again.
    pub choice: Option<Choice>,
    /// The choices that were considered, each with its expected cost; empty where no tables were
    /// considered.
    pub considered: Vec<Considered>,
    /// The answers that were found during the choice.
    pub found: Vec<Found>,
    /// What tries have shown about starts, while it was chosen.
    pub tried: Vec<TriedStart>,
    /// Whether a transposition table pays beside it, as tries showed.
    pub has_transpositions: bool,
    /// The time to choose it, and to build or open its tables.
    pub elapsed: Duration,
}

/// What repeats a choice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The specification of the heuristic, as text.
    pub heuristic: String,
    /// [`Request::mirrored`](crate::Request::mirrored).
    pub mirrored: usize,
    /// [`Request::duals`](crate::Request::duals).
    pub duals: bool,
    /// The bytes of tables, if they need more than [`DEFAULT_MEMORY`](crate::DEFAULT_MEMORY).
    pub memory: Option<usize>,
    /// The bytes of a transposition table, if one is used.
    pub table: Option<usize>,
}

impl PreparedHeuristic {
    /// Take an estimate that wasn't chosen among others, and the time that making it took.
    pub fn given(estimate: Combined, elapsed: Duration) -> Self {
        Self {
            estimate,
            reason: None,
            choice: None,
            considered: Vec::new(),
            found: Vec::new(),
            tried: Vec::new(),
            has_transpositions: false,
            elapsed,
        }
    }

    /// Make the heuristic that is 0 everywhere.
    ///
    /// # Errors
    /// Never, as it fits every game.
    pub fn zero(game: &Game) -> Result<Self, PrepareError> {
        let zero = Named::new(game, &Invariants::none(game), &[Name::Zero])?;
        Ok(Self::given(zero.into(), Duration::ZERO))
    }

    /// Return whether it is 0 everywhere.
    pub fn is_zero(&self) -> bool {
        self.estimate.patterns().is_none() && self.estimate.named().is_some_and(is_zero)
    }

    /// Return whether solutions of least cost are found with it.
    pub fn is_admissible(&self) -> bool {
        self.estimate.is_admissible()
    }

    /// Estimate the cost from a state to a goal; `None` where no goal can be reached.
    pub fn of_state(&self, state: &State) -> Option<u64> {
        Some(self.estimate.of_state(state)).filter(|it| *it != search::DEAD_END)
    }
}
