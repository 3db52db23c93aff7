//! Searches with a heuristic that estimates many states at once.
//!
//! If a call of a heuristic costs more than an estimate, as for one written in another language,
//! calls must be few. These searches expand many nodes before they request estimates, and pass all
//! new states in one block.
//!
//! | module | what it does |
//! |---|---|
//! | `front`, `error` | entry points: the methods of [`Run`](crate::Run), and their errors |
//! | `heuristic` | the heuristics, and how the searches get estimates |
//! | `a_star`, `ida` | the two searches |
//! | `check` | estimates of all states of a small game, compared with least costs |
//! | `block` | the blocks that heuristics take |
//! | `moves` | rules carried out on rows of cells without gaps, as blocks hold them |
//! | `rows` | rows that are kept once each |
//! | `steps` | the paths to the nodes on a stack |

mod a_star;
mod block;
mod check;
mod error;
mod front;
mod heuristic;
mod ida;
mod moves;
mod rows;
mod steps;

pub use block::StateBlock;
pub use check::{ComparedEstimates, WrongEstimate, compare_estimates};
pub use error::BlockError;
pub use heuristic::BlockHeuristic;

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
