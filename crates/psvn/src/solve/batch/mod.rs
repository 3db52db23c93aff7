//! Searches with a heuristic that estimates many states at once.
//!
//! If a call of a heuristic costs more than an estimate, as for one written in Python, calls must
//! be few. These searches expand many nodes before they request estimates, and pass all new states
//! in one block.
//!
//! ```
//! use std::sync::Arc;
//!
//! use psvn::batch::{self, BatchHeuristic, StateBlock};
//! use psvn::{Algorithm, Environment, Error, Game, Searcher};
//!
//! /// One move for each tile that is not at home.
//! struct Misplaced;
//!
//! impl BatchHeuristic for Misplaced {
//!     fn estimate(&mut self, states: &Arc<StateBlock>) -> Result<Vec<u64>, Error> {
//!         let misplaced = |state: usize| {
//!             let values = states.state(state).enumerate();
//!             values.filter(|(place, value)| *value != 0 && value != place).count() as u64
//!         };
//!         Ok((0..states.len()).map(misplaced).collect())
//!     }
//! }
//!
//! let env = Environment::default();
//! let game = Game::built_in("sliding-tiles:3:3", &env)?;
//! let start = game.state("the start", "1 2 5 3 4 8 0 6 7")?;
//! let searcher = Searcher::builder(&game)
//!     .algorithm(Algorithm::AStar)
//!     .starts([start.clone()])
//!     .build(&env)?;
//! let answer = batch::solve(&searcher, &start, &mut Misplaced, 64, &env)?;
//! assert_eq!(answer.solution().map(|solution| solution.cost), Some(6));
//! # Ok::<(), psvn::Error>(())
//! ```
//!
//! # What is guaranteed
//! With a heuristic that never estimates too high, solutions have least cost, whatever the size of
//! a batch. A* expands nodes of one score together, so it may expand more nodes of the last score
//! than a search that takes them one by one.

mod a_star;
mod block;
mod check;
mod ida;
mod moves;
mod steps;
mod table;

use std::sync::Arc;
use std::time::Duration;

use budget::{Limits, Watch};
use psvn_ir::State;
use search::{Cell, DEAD_END};

pub use self::block::StateBlock;
pub use self::check::{CheckedEstimates, WrongEstimate, check_estimates};

use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;
use crate::solve::{Answer, Searcher};
use crate::text::algorithm::Algorithm;

/// The time between two reports of progress.
const BETWEEN_REPORTS: Duration = Duration::from_millis(100);

/// A heuristic that estimates many states at once.
pub trait BatchHeuristic {
    /// Return an estimate for each state, in their order; [`DEAD_END`], the greatest number, where
    /// no goal can be reached. An estimate must be a function of the state alone.
    ///
    /// # Errors
    /// Any error; it ends the search.
    fn estimate(&mut self, states: &Arc<StateBlock>) -> Result<Vec<u64>, Error>;
}

/// The setting of a search in batches.
struct Setting<'a> {
    game: &'a Game,
    /// The number of nodes that are expanded before estimates are requested.
    batch: usize,
    watch: Watch,
    env: &'a Environment,
}

/// Search from a start by A* or IDA*, whichever the searcher was made for, with a heuristic in
/// place of the searcher's. Up to `batch` nodes are expanded before estimates are requested.
///
/// IDA* prunes as the searcher does. A* keeps each state once, and takes no machine.
///
/// # Errors
/// When the searcher was made for another algorithm, the start breaks an assumption about all
/// starts, the algorithm is IDA* and some rule costs nothing, or the heuristic fails.
pub fn solve(
    searcher: &Searcher,
    start: &State,
    heuristic: &mut dyn BatchHeuristic,
    batch: usize,
    env: &Environment,
) -> Result<Answer, Error> {
    let game = searcher.game();
    let options = searcher.options();
    let known = &searcher.pruning().known;
    known.check_state(game.ir(), start).map_err(|violation| {
        Error::input(format!(
            "the search isn't prepared for this start: {violation}"
        ))
        .with_hint("name the starts when the search is prepared")
    })?;
    let setting = Setting {
        game,
        batch: batch.max(1),
        watch: Watch::new(Limits {
            nodes: options.nodes,
            time: options.time,
            memory: options.memory,
            interrupt: Some(Arc::clone(env.cancellation())),
        }),
        env,
    };
    if options.table_bytes(options.algorithm).is_some() {
        return Err(Error::usage(
            "searches that take estimates in batches have no transposition table",
        ));
    }
    match options.algorithm {
        Algorithm::AStar => by_width!(game, C => a_star::search::<C>(&setting, start, heuristic)),
        Algorithm::Ida => {
            let pruning = searcher.pruning();
            by_width!(game, C => ida::search::<C>(&setting, start, pruning, heuristic))
        }
        other => Err(
            Error::usage(format!("{} takes no estimates in batches", other.name()))
                .with_hint("A* and IDA* do"),
        ),
    }
}

/// Get the estimates of states in rows, and refuse a wrong number of them. The heuristic reads the
/// rows in place, and they are returned to `rows` afterwards.
fn estimates<C: Cell>(
    heuristic: &mut dyn BatchHeuristic,
    rows: &mut Vec<C>,
    n_variables: usize,
    n_states: usize,
) -> Result<Vec<u64>, Error> {
    if n_states == 0 {
        return Ok(Vec::new());
    }
    let block = Arc::new(StateBlock::new(std::mem::take(rows), n_variables, n_states));
    let found = heuristic.estimate(&block)?;
    // A heuristic may keep the block. Then the rows are copied for the search.
    *rows = Arc::unwrap_or_clone(block).into_rows();
    if found.len() != n_states {
        return Err(Error::input(format!(
            "the heuristic gave {} estimates for {n_states} states",
            found.len()
        )));
    }
    Ok(found)
}

/// Return the estimated cost of a path of cost `g` and estimate `h`; `None` for a dead end.
fn score(g: u64, h: u64) -> Option<u64> {
    (h != DEAD_END).then(|| g.saturating_add(h))
}

/// Run an expression with a cell type that is wide enough for a game's values.
macro_rules! by_width {
    ($game:expr, $cell:ident => $body:expr) => {{
        let sizes = $game.ir().domains().iter().map(psvn_ir::Domain::size);
        match sizes.max().unwrap_or(1) {
            0..=0x100 => {
                type $cell = u8;
                $body
            }
            0x101..=0x1_0000 => {
                type $cell = u16;
                $body
            }
            _ => {
                type $cell = u32;
                $body
            }
        }
    }};
}
use by_width;

#[cfg(test)]
mod tests;
