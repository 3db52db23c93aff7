//! Searches: what is pruned, which algorithm runs, what it answers; and plans.

mod answer;
mod check;
mod exploration;
mod options;
mod perimeter;
pub mod plan;
mod pruning;
mod record;
mod searcher;
mod shared;
mod tree;

pub use crate::algorithm::{Algorithm, Cycles};

pub use self::answer::{Answer, Kept, Outcome, Table};
pub use self::check::{check_moves, check_solution, compare};
#[cfg(feature = "cluster")]
pub use self::exploration::cluster;
pub use self::exploration::{Exploration, ExplorationReport, ExplorationStorage, ExploredLayer};
pub use self::options::SearchOptions;
pub(crate) use self::options::pruning_setting;
pub use self::pruning::deepening::Deepening;
pub use self::pruning::{NODES_TO_TELL, PreparedPruning, PruneSpec, Purpose, open_machine};
pub use self::record::{
    BoundRecord, DepthRecord, RecordContext, SolveRecord, labels, states_on_the_way,
};
pub use self::searcher::{Proved, Run, Searcher, SearcherBuilder};
pub use self::shared::{Shared, Shelf};
pub use self::tree::{
    TreeCell, TreeColumn, TreeReport, TreeRequest, TreeRow, draw_tree, goal_state,
};
