//! Searches with duplicate detection: every state is known again, whatever path led to it.
//!
//! | module | what it does |
//! |---|---|
//! | `front` | the front door: the methods of [`Run`](crate::Run) |
//! | `searches` | breadth first, A\*, greedy, depth first with a closed set, bidirectional |
//! | `space` | the game for packed states, forward and backward; goal states |
//! | `closed` | each state once, an index of their numbers, their costs and parents |
//! | `open` | open lists by f and g |
//! | `work`, `by_depth`, `pulse`, `budget` | one search at work: its counts, limits, and memory that is counted |
//!
//! # What a stored state takes
//! Its packed form, 4.7 bytes of the index, and in a breadth-first search nothing else:
//! states are stored in the order of their depths, so that they are the queue. Searches by cost
//! take another byte for the cost (more if costs are large), a bit, and 4 bytes while it is open.
//! Where rules are free, or lose very many values, the parent's number takes 4 more.
//!
//! # Safety
//! Duplicate detection by state and move pruning can't be combined (see the front page of this
//! crate); a searcher with a machine refuses all of these.

mod budget;
mod by_depth;
mod closed;
pub(crate) mod front;
pub(crate) mod open;
mod pulse;
mod refusal;
mod report;
mod searches;
pub(crate) mod space;
mod work;

pub use front::BestFirstError;
pub use open::ranking::Ties;
pub use refusal::{DuplicateDetection, UnsafeCombination};
pub use report::{BestFirstCounts, StoredStates};
pub use space::goal_states::{DEFAULT_GOAL_LIMIT, GoalStates};
pub use space::packed_states::{Direction, PackedMoves, PackedStates};
