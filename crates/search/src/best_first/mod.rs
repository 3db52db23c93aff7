//! Searches with duplicate detection: every stored state is recognized, by whatever path it is
//! reached.
//!
//! | module | what it does |
//! |---|---|
//! | `front` | entry points: the methods of [`Run`](crate::Run) |
//! | `searches` | breadth first, A\*, SMA\*, greedy, depth first, from both ends; on a disk |
//! | `space` | the game for packed states, forward and backward; goal states |
//! | `closed` | each state once, an index of their numbers, their costs and parents |
//! | `open` | open lists by f and g |
//! | `work`, `by_depth`, `countdown`, `budget` | a running search: its counts, limits, and memory |
//!
//! # Memory for each stored state
//! A state takes its packed form and 4.7 bytes of the index (5.1 on average, while memory is
//! plentiful). In a breadth-first search that is all: states are stored in the order of their
//! depths, so the store is the queue. Searches by cost take another byte for the cost (more if
//! costs are large), a bit, and 4 bytes while the state is open. Where rules are free or lose very
//! many values, states also keep the number of their parent, in 4 more bytes.
//!
//! # Safety
//! Duplicate detection by state and move pruning can't be combined (see the crate documentation);
//! all of these searches refuse a searcher with a machine.

mod budget;
mod by_depth;
mod closed;
mod countdown;
pub(crate) mod front;
pub(crate) mod open;
mod refusal;
mod report;
mod searches;
pub(crate) mod space;
mod work;

pub use front::BestFirstError;
pub use open::ranking::Ties;
pub use refusal::{DuplicateDetection, UnsafeCombination};
pub use report::{BestFirstCounts, OnDiskCounts, StoredStates};
pub use searches::on_disk::OnDiskError;
pub use space::goal_states::{GOAL_LIMIT, GoalStates};
pub use space::images::StateMap;
pub use space::packed::hash as hash_packed;
pub use space::packed_states::{Direction, PackedMoves, PackedStates};
