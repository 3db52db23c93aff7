//! Experiments: methods measured on instances of games.

mod cpu_time;
pub mod demo;
mod measurer;
mod method;
mod options;
mod results;
mod specification;
pub mod walks;
mod whole;

pub use self::measurer::Measurer;
pub use self::method::{Method, OpeningsAlgorithm, OpeningsOptions, TreeOptions};
pub use self::results::{ReportForm, plot_files, report_on, write_report};
pub use self::specification::{ExperimentReport, Specification};
pub use self::whole::measure;
pub use experiment::{Group, Limits as CellLimits, Options, PRESETS, Preset};
