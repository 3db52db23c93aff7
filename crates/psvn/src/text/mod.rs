//! How amounts, numbers and choices are written and read.

mod choice;
mod exact;
mod message;
pub(crate) mod order;
mod source;
pub mod units;
mod versioned;

pub use self::choice::Choice;
pub use self::exact::Exact;
pub(crate) use self::exact::{exact_number, exact_option};
pub(crate) use self::message::message;
pub use self::message::{LibraryTerms, Message, Parameter, Setting, Task, Terms};
pub use self::source::Source;
pub use self::versioned::{RESULTS_VERSION, Versioned};
