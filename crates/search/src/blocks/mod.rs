//! Searches with a heuristic that estimates many states at once.
//!
//! If a call of a heuristic costs more than an estimate, as for one written in another language,
//! calls must be few. These searches expand many nodes before they request estimates, and pass all
//! new states in one block.
//!
//! | module | what it does |
//! |---|---|
//! | `front` | entry points: the methods of [`Run`](crate::Run), and their errors |
//! | `a_star`, `ida` | the two searches |
//! | `check` | estimates of all states of a small game, compared with least costs |
//! | `erased` | heuristics behind one type |
//! | `block` | the blocks that heuristics take |
//! | `moves` | rules carried out on rows of cells without gaps, as blocks hold them |
//! | `rows` | rows that are kept once each |
//! | `steps` | the paths to the nodes on a stack |

mod a_star;
mod block;
mod check;
mod erased;
mod front;
mod ida;
mod moves;
mod rows;
mod steps;

use std::sync::Arc;

pub use block::StateBlock;
pub use check::{ComparedEstimates, WrongEstimate, compare_estimates};
pub use front::BlockError;

use self::erased::{AnyHeuristic, Failed};
use crate::game::cell::Cell;
use crate::heuristic::DEAD_END;

/// A heuristic that estimates many states at once.
pub trait BlockHeuristic {
    /// Why it can't estimate a state.
    type Error;

    /// Return an estimate for each state, in their order; [`DEAD_END`], the greatest number, where
    /// no goal can be reached. An estimate must be a function of the state alone.
    ///
    /// # Errors
    /// Any error; it ends the search.
    fn estimate(&mut self, states: &Arc<StateBlock>) -> Result<Vec<u64>, Self::Error>;
}

/// Get the estimates of states in rows, and refuse a wrong number of them. The heuristic reads the
/// rows in place, and they are returned to `rows` afterwards.
fn estimates<C: Cell>(
    heuristic: &mut AnyHeuristic<'_>,
    rows: &mut Vec<C>,
    n_variables: usize,
    n_states: usize,
) -> Result<Vec<u64>, BlockError<Failed>> {
    if n_states == 0 {
        return Ok(Vec::new());
    }
    let block = Arc::new(StateBlock::new(std::mem::take(rows), n_variables, n_states));
    let found = heuristic.estimate(&block).map_err(BlockError::Heuristic)?;
    // A heuristic may keep the block. Then the rows are copied for the search.
    *rows = Arc::unwrap_or_clone(block).into_rows();
    if found.len() != n_states {
        return Err(BlockError::WrongNumber {
            found: found.len(),
            expected: n_states,
        });
    }
    Ok(found)
}

/// Return the estimated cost of a path of cost `g` and estimate `h`; `None` for a dead end.
fn score(g: u64, h: u64) -> Option<u64> {
    (h != DEAD_END).then(|| g.saturating_add(h))
}

/// Run an expression with the narrowest type of cell that holds a game's values.
macro_rules! by_width {
    ($game:expr, $cell:ident => $body:expr) => {
        match $crate::game::compiled::largest_domain($game) {
            size if size <= <u8 as $crate::game::cell::Cell>::CAPACITY => {
                type $cell = u8;
                $body
            }
            size if size <= <u16 as $crate::game::cell::Cell>::CAPACITY => {
                type $cell = u16;
                $body
            }
            _ => {
                type $cell = u32;
                $body
            }
        }
    };
}
use by_width;

#[cfg(test)]
mod tests;
