//! The outcomes of all positions, and Table 7-1, as data.

use budget::StopReason;
use game_tree::{NutshellRow, Outcome, Solution, SolveError, SolveLimits, solve};
use psvn_ir::State;
use serde::{Deserialize, Serialize};

use super::TwoPlayers;
use crate::environment::Environment;
use crate::error::Error;
use crate::text::{Parameter, message};

/// The outcomes of all positions that can come about from a start.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OutcomesReport {
    /// The game.
    pub file: String,
    /// The start.
    pub start: String,
    /// Who is to move there.
    pub player: String,
    /// How the game ends for this player: `win`, `loss` or `draw`.
    pub outcome: String,
    /// The moves of both players until then.
    pub moves_to_end: Option<u32>,
    /// The label of the best move.
    pub best: Option<String>,
    /// The number of positions.
    pub positions: usize,
    /// Those that are won for the player to move.
    pub won: usize,
    /// Those that are lost.
    pub lost: usize,
    /// Those that are drawn.
    pub drawn: usize,
    /// The time.
    pub seconds: f64,
}

/// A row of Table 7-1.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct NutshellRecord {
    /// The number of moves made before the search.
    pub k: u32,
    /// The number of openings of each number of moves.
    pub openings: u64,
    /// The positions that Minimax visits, over all openings.
    pub minimax: u64,
    /// Those that AlphaBeta visits.
    pub alpha_beta: u64,
    /// The part of the positions that AlphaBeta doesn't visit.
    pub reduction: f64,
    /// The standard deviation of that part over the openings.
    pub variation: f64,
}

impl NutshellRecord {
    pub(super) fn of(row: &NutshellRow) -> Self {
        Self {
            k: row.k,
            openings: row.openings,
            minimax: row.minimax,
            alpha_beta: row.alpha_beta,
            reduction: 1.0 - row.alpha_beta as f64 / row.minimax.max(1) as f64,
            variation: row.variation / 100.0,
        }
    }
}

impl TwoPlayers {
    /// Find the outcome of every position that can come about from a start.
    ///
    /// # Errors
    /// When the state is no position of the game, or a limit is reached.
    pub fn solve(&self, start: &State, env: &Environment) -> Result<OutcomesReport, Error> {
        let limits = SolveLimits {
            bytes: self.options.memory.unwrap_or(SolveLimits::default().bytes),
            limits: self.limits(env),
        };
        match solve(&self.tree, start, &limits) {
            Ok(solution) => Ok(self.outcomes(start, &solution)),
            Err(SolveError::Stopped { reason, positions }) => {
                let text = format!("not solved: {reason}, after {positions} positions");
                Err(match reason {
                    StopReason::Interrupted => Error::interrupted(text),
                    StopReason::Memory => Error::limit(text).with_hint(message![
                        "allow more with `",
                        Parameter::Memory,
                        "`"
                    ]),
                    _ => Error::limit(text),
                })
            }
            Err(error) => Err(Error::input(error.to_string())),
        }
    }

    fn outcomes(&self, start: &State, solution: &Solution<'_>) -> OutcomesReport {
        let (outcome, moves_to_end) = match solution.outcome(start) {
            Some(Outcome::Win(moves)) => ("win", Some(moves)),
            Some(Outcome::Loss(moves)) => ("loss", Some(moves)),
            Some(Outcome::Draw) | None => ("draw", None),
        };
        let player = self.tree.turn().player(start);
        let [won, lost, drawn] = solution.counts();
        let best = solution.best(start);
        OutcomesReport {
            file: self.game.name().to_owned(),
            start: self.state_text(start),
            player: player.map_or_else(String::new, |player| self.tree.name(player).to_owned()),
            outcome: outcome.to_owned(),
            moves_to_end,
            best: best.map(|rule| self.label(rule).to_owned()),
            positions: solution.n_positions(),
            won,
            lost,
            drawn,
            seconds: solution.elapsed().as_secs_f64(),
        }
    }
}
