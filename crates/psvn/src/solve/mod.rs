//! Searches: pruning, algorithms, answers; and plans.

mod answers;
pub mod batch;
mod exploration;
pub mod named_options;
mod options;
pub mod plan;
mod pruning;
mod solver;
mod transpositions;
mod tree;
pub mod units;

pub use crate::text::algorithm::{Algorithm, Cycles};

pub use length_choice::{Pruned, PrunedCycles, PrunedSequences};

pub use self::answers::{
    AllRecord, AllSolutions, Answer, DepthRecord, Kept, Outcome, Proved, RecordContext, Series,
    SeriesTotals, SolveRecord, Solved, Table, check_moves, check_solution, compare, labels,
    states_on_the_way,
};
#[cfg(feature = "cluster")]
pub use self::exploration::cluster;
pub use self::exploration::{
    Exploration, ExplorationReport, ExplorationStorage, ExploredLayer, GraphMove, StateGraph,
};
pub use self::options::SearchOptions;
pub use self::options::pruning_setting;
pub use self::pruning::{PreparedPruning, PruneSpec, Purpose, prepare_pruning};
pub use self::solver::{Shared, SharedValues, Solver, SolverBuilder};
pub use self::transpositions::TranspositionTable;
pub use self::tree::{TreeColumn, TreeReport, TreeRequest, goal_state};
