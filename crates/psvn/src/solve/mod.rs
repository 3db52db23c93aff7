//! Searches: what is pruned, which algorithm runs, what it answers; and plans.

mod algorithm;
mod answer;
pub mod plan;
mod pruning;
mod shared;

pub use self::algorithm::{Algorithm, Cycles};
pub use self::answer::{Answer, Kept, Outcome, Table};
pub use self::pruning::{NODES_TO_TELL, PreparedPruning, PruneSpec, open_machine};
pub use self::shared::{Shared, Shelf};
