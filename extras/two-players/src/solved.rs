//! The outcomes of all positions, and Table 7-1, as data.

use abstraction::Symmetry;
use budget::StopReason;
use game_tree::{NutshellRow, Outcome, Representative, Solution, SolveError, solve_up_to};
use psvn::text::Parameter;
use psvn::{Environment, Error, message};
use psvn_ir::{State, Value};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TwoPlayers;

/// The most symmetries of a game that are used together.
const MOST_SYMMETRIES: usize = 1000;

/// The outcomes of all positions that can come about from a start.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OutcomesReport {
    /// The game.
    pub file: String,
    /// The start.
    pub start: String,
    /// The player to move there.
    pub player: String,
    /// The outcome for this player: `win`, `loss` or `draw`.
    pub outcome: String,
    /// The moves of both players until then.
    pub moves_to_end: Option<u32>,
    /// The label of the best move.
    pub best: Option<String>,
    /// The number of positions.
    pub positions: usize,
    /// The number of ways to play from the start to an end, if the game can't go on forever.
    pub games: Option<u128>,
    /// The number of symmetries, the one that changes nothing included, if all images of a position
    /// count as one.
    pub symmetries: Option<usize>,
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
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
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
    /// When the state isn't a position of the game, or a limit is reached.
    pub fn solve(&self, start: &State, env: &Environment) -> Result<OutcomesReport, Error> {
        let limits = env.limits(&self.options.limits);
        let group = self.options.symmetries.then(|| self.symmetries());
        let representative = match &group {
            None => Representative::itself(),
            Some(group) => Representative::chosen_by(|state| self.least_image(group, state)),
        };
        match solve_up_to(&self.tree, start, representative, &limits) {
            Ok(solution) => {
                let symmetries = group.as_ref().map(Vec::len);
                Ok(self.outcomes(start, &solution, symmetries))
            }
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

    /// The group of symmetries that don't exchange the players, with the identity; the identity
    /// alone where there are too many.
    fn symmetries(&self) -> Vec<Symmetry> {
        let game = self.game.ir();
        let turn = self.tree.turn().variable;
        let domain = game.variables()[turn.index()].index();
        let mut group = Symmetry::group(game, MOST_SYMMETRIES).unwrap_or_default();
        group.retain(|symmetry| {
            let values = (0..game.domains()[domain].size()).map(Value::from_index);
            let mut values = values.map(|value| symmetry.value(domain, value) == value);
            symmetry.variable(turn) == turn && values.all(|is_kept| is_kept)
        });
        group
    }

    /// The first of the images of a position.
    fn least_image(&self, group: &[Symmetry], state: &State) -> State {
        let images = group
            .iter()
            .map(|symmetry| symmetry.image(self.game.ir(), state.values()));
        images.min().unwrap_or_else(|| state.clone())
    }

    fn outcomes(
        &self,
        start: &State,
        solution: &Solution<'_>,
        symmetries: Option<usize>,
    ) -> OutcomesReport {
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
            games: solution.n_games(),
            symmetries: symmetries.map(|n| n.max(1)),
            won,
            lost,
            drawn,
            seconds: solution.elapsed().as_secs_f64(),
        }
    }
}
