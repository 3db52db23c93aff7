//! Table 7-1 of "Algorithms in a Nutshell": positions visited by Minimax and by AlphaBeta.

use budget::{Limits, StopReason};
use psvn_ir::State;

use crate::game::{PositionError, Status, TwoPlayerGame};
use crate::search::analysis::{Algorithm, Analyzer, Settings};
use crate::search::evaluator::BoardEvaluation;
use crate::search::score::Wins;

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct NutshellRow {
    /// The number of moves made before the search.
    pub k: u32,
    /// The number of openings: sequences of k moves after which the game isn't over.
    pub openings: u64,
    /// The positions that Minimax visits, over all openings.
    pub minimax: u64,
    /// Those that AlphaBeta visits.
    pub alpha_beta: u64,
    /// The sample standard deviation of AlphaBeta's savings among the positions below a single
    /// opening, in percent: the column "individual variation". 0 with fewer than two openings.
    pub variation: f64,
}

/// Count the positions that Minimax and AlphaBeta visit when each sequence of k moves from `start`
/// is an opening, and the search looks ahead the rest of the `depth` moves, for k from 1 to `rows`.
/// Openings that end the game are left out.
///
/// With tic-tac-toe, its empty board, depth 9 and 3 rows, this is Table 7-1. Every call counts as a
/// position, moves are tried in the order of the rules, wins are all [equal](Wins::Equal), and
/// positions are evaluated by [`BoardEvaluation`].
///
/// # Errors
/// If the state is not a position of the game. The inner error is the reason why the count was
/// stopped.
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
            variation: 0.0,
        };
        let mut spared = Vec::with_capacity(openings.len());
        for opening in &openings {
            let ply = depth.saturating_sub(k);
            let before = (row.minimax, row.alpha_beta);
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
            let (all, visited) = (row.minimax - before.0, row.alpha_beta - before.1);
            spared.push(100.0 * (1.0 - visited as f64 / all as f64));
        }
        row.variation = deviation(&spared);
        table.push(row);
    }
    Ok(Ok(table))
}

/// Return the standard deviation of a sample.
fn deviation(sample: &[f64]) -> f64 {
    if sample.len() < 2 {
        return 0.0;
    }
    let mean = sample.iter().sum::<f64>() / sample.len() as f64;
    let squares = sample.iter().map(|value| (value - mean).powi(2));
    (squares.sum::<f64>() / (sample.len() - 1) as f64).sqrt()
}
