//! Pictures of what the crate `psvn` finds: machines, trees of sequences, searches, and boards.
//!
//! ```
//! use pictures::draw_tree;
//! use psvn::solve::{TreeRequest, goal_state};
//! use psvn::{Environment, Game};
//!
//! let env = Environment::default();
//! let game = Game::built_in("pancake:3", &env)?;
//! let request = TreeRequest { lengths: vec![2], ..TreeRequest::to_depth(2) };
//! let tree = draw_tree(&game, &goal_state(&game)?, &request, None, &env)?;
//! // The start, two children, and two of each: those that undo the move before are pruned.
//! assert_eq!(tree.nodes.len(), 7);
//! # Ok::<(), psvn::Error>(())
//! ```
//!
//! # What this crate doesn't know
//! Places and shapes on paper (that is `drawing`), files, terminals.

mod boards;
mod debugger;
mod machines;
mod search;
mod tree;

pub use boards::animation;
pub use debugger::{DebuggedSearch, DebuggerMessage};
pub use machines::{Arrows, Possible, Remembered, draw_machine, draw_words};
pub use search::draw_search;
pub use tree::draw_tree;
