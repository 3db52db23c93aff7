//! How amounts, numbers and choices are written and read.

mod choice;
mod exact;
pub mod units;

pub use self::choice::Choice;
pub use self::exact::Exact;
