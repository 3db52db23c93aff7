//! SAS+ tasks as the translator of Fast Downward writes them, version 3.

mod axioms;
mod cases;
mod from_game;
mod mutexes;
mod parse;
mod pieces;
mod sections;
mod task;
mod to_psvn;
mod truth;
mod write;

pub use from_game::{ExportError, MOST_OPERATORS, from_game};
pub use parse::parse;
pub use task::{Axiom, Effect, Fact, MutexGroup, Operator, Task, Variable};
pub use to_psvn::{label, to_psvn};
pub use write::write;
