//! Measures methods on instances of games by the code that `psvn solve`, `tree` and `analyze` run.

mod cpu_time;
mod measurer;
mod method;
mod specification;
mod walks;
mod whole;

pub use self::specification::{ExperimentReport, Specification};
pub use self::whole::measure;
