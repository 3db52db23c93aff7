//! Experiments: methods measured on instances of games.

mod cpu_time;
mod measurer;
mod method;
pub mod walks;
mod whole;

pub use self::measurer::Measurer;
pub use self::method::{Method, MethodReader, OpeningsAlgorithm, OpeningsOptions, TreeOptions};
pub use self::whole::{measure, preset, report_on};
pub use experiment::{Group, Limits as CellLimits, Options, PRESETS, Preset, RunSummary};
