//! Table 7-1 of "Algorithms in a Nutshell": positions visited by Minimax and by AlphaBeta.

use budget::{Limits, StopReason};
use psvn_ir::State;

use crate::game::{PositionError, Status, TwoPlayerGame};
use crate::search::analysis::{Algorithm, Analyzer, Settings};
use crate::search::evaluator::BoardEvaluation;
use crate::search::score::Wins;

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NutshellRow {
    /// The number of moves made before the search.
    pub k: u32,
    /// The number of openings: sequences of k moves after which the game isn't over.
    pub openings: u64,
    /// The positions that Minimax visits, over all openings.
    pub minimax: u64,
    /// Those that AlphaBeta visits.
    pub alpha_beta: u64,
}

/// Count the positions that Minimax and AlphaBeta visit when each sequence of k moves from `start`
/// is an opening, and the rest of the `depth` moves is looked ahead, for k from 1 to `rows`.
/// Openings that end the game are left out.
///
/// With tic-tac-toe, its empty board, depth 9 and 3 rows, this is Table 7-1. Every call counts as a
/// position, moves are tried in the order of the rules, wins are all [equal](Wins::Equal), and
/// positions are worth what [`BoardEvaluation`] says.
///
/// # Errors
/// When the state is no position of the game. The inner error says why the count was stopped.
pub fn table_7_1(
    game: &TwoPlayerGame,
    start: &State,
    depth: u32,
    rows: u32,
    limits: &Limits,
) -> Result<Result<Vec<NutshellRow>, StopReason>, PositionError> {
    let settings = |algorithm| Settings {
        algorithm,
        wins: Wins::Equal,
        find_line: false,
        limits: limits.clone(),
        ..Settings::default()
    };
    let mut minimax = Analyzer::new(game, BoardEvaluation, settings(Algorithm::Minimax));
    let mut alpha_beta = Analyzer::new(game, BoardEvaluation, settings(Algorithm::AlphaBeta));
    let mut openings = vec![start.clone()];
    let mut table = Vec::new();
    game.player(start)?;
    for k in 1..=rows {
        let mut longer = Vec::new();
        for opening in &openings {
            for rule in game.rules_from(opening)? {
                let next = game.after(opening, rule);
                if game.status(&next)? == Status::Open {
                    longer.push(next);
                }
            }
        }
        openings = longer;
        let mut row = NutshellRow {
            k,
            openings: openings.len() as u64,
            minimax: 0,
            alpha_beta: 0,
        };
        for opening in &openings {
            let ply = depth.saturating_sub(k);
            for (analyzer, count) in [
                (&mut minimax, &mut row.minimax),
                (&mut alpha_beta, &mut row.alpha_beta),
            ] {
                let analysis = analyzer.analyze(opening, ply, |_| ())?;
                if let Some(reason) = analysis.stopped {
                    return Ok(Err(reason));
                }
                *count += analysis.nodes;
            }
        }
        table.push(row);
    }
    Ok(Ok(table))
}
