//! Messages, texts with findings, and the names of choices.

pub(crate) mod algorithm;
mod catalog;
mod findings;
mod message;
mod source;
mod versioned;

pub use self::catalog::{BuiltInGame, CodeExplanation, GameOption, built_in_games};
pub use self::findings::{Finding, Findings, OtherFinding};
pub(crate) use self::message::message;
pub use self::message::{LibraryTerms, Message, OptionName, Parameter, Setting, Task, Terms};
pub use self::source::Source;
pub use self::versioned::{RESULTS_VERSION, Versioned};
pub use budget::Choice;
pub use budget::Exact;
/// Amounts, durations and speeds as people read and write them.
pub use budget::amounts as units;
