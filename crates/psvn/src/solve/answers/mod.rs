//! Results of searches: for one start, for many, and as data.

mod answer;
mod check;
mod guarantee;
mod record;
mod series;

pub use self::answer::{AllSolutions, Answer, Kept, Outcome, Table};
pub use self::check::{check_moves, check_solution, compare};
pub(crate) use self::guarantee::Guarantee;
pub use self::guarantee::Proved;
pub use self::record::{
    AllRecord, DepthRecord, RecordContext, SolveRecord, labels, states_on_the_way,
};
pub use self::series::{Series, SeriesTotals, Solved};
