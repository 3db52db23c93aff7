//! Experiments: methods measured on instances of games.

mod cpu_time;
pub mod demo;
mod measurer;
mod method;
mod specification;
pub mod walks;
mod whole;

pub use self::measurer::Measurer;
pub use self::method::{Method, MethodReader, OpeningsAlgorithm, OpeningsOptions, TreeOptions};
pub use self::specification::{ExperimentReport, Specification};
pub use self::whole::{measure, report_on};
pub use experiment::{Group, Limits as CellLimits, Options, PRESETS, Preset, RunSummary};
