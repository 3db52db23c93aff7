//! How amounts, numbers and choices are written and read.

mod choice;
mod exact;
pub(crate) mod macro_rules;
pub mod units;
mod versioned;

pub use self::choice::Choice;
pub use self::exact::Exact;
pub use self::versioned::{RESULTS_VERSION, Versioned};
