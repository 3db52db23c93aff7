//! Searches with duplicate detection: every state is known again, whatever path led to it.
//!
//! | module | what it does |
//! |---|---|
//! | `front` | the front door, [`BestFirst`] |
//! | `bfs`, `a_star`, `dfs_closed`, `bidirectional` | the searches |
//! | `space`, `moves` | the game, compiled for packed states, forwards and backwards |
//! | `packed` | packed states: as many bits as the domains need |
//! | `store`, `index` | each state once: packed states in the order in which they came, and a hash index of their numbers |
//! | `batch` | children that are looked up together, so that memory is waited for once |
//! | `nodes`, `costs`, `layers`, `trace` | what is known of each state: costs in few bytes, depths in none, and parents that are found again |
//! | `open`, `buckets`, `heap` | open lists by f and g |
//! | `goal_states` | the states that satisfy goal conditions |
//! | `column`, `budget` | memory that grows without being moved, and is counted |
//! | `transposition` | IDA\* with a table keyed by states and machine states, [`TranspositionSearch`] |
//!
//! # What a stored state takes
//! Its packed form, 4.7 bytes of the index, and in a breadth-first search nothing else:
//! states are stored in the order of their depths, so that they are the queue. Searches by cost
//! take another byte for the cost (more if costs are large), a bit, and 4 bytes while it is open.
//! Where rules are free, or lose very many values, the parent's number takes 4 more.
//!
//! # Safety
//! Duplicate detection by state and move pruning can't be combined (see the front page of this
//! crate); [`BestFirst`] has no place for a machine.

mod a_star;
mod batch;
mod bfs;
mod bidirectional;
mod buckets;
mod budget;
mod column;
mod costs;
mod dfs_closed;
mod front;
mod goal_states;
mod heap;
mod index;
mod layers;
mod moves;
mod nodes;
mod open;
mod packed;
mod pulse;
mod refusal;
mod report;
mod run;
mod space;
mod store;
mod trace;
mod transposition;
mod weight;

pub use front::{BackwardError, BestFirst, DEFAULT_GOAL_LIMIT};
pub use goal_states::GoalStates;
pub use refusal::{DuplicateDetection, UnsafeCombination};
pub use report::{BestFirstCounts, BestFirstOutcome, BestFirstReport, StoredStates};
pub use transposition::{TableCounts, TranspositionReport, TranspositionSearch};
pub use weight::{Weight, WeightError};
