//! Experiments: methods measured on instances of games.

mod cpu_time;
mod measurer;
mod method;
pub mod walks;

pub use self::measurer::Measurer;
pub use self::method::{Method, MethodReader, OpeningsAlgorithm, OpeningsOptions, TreeOptions};
