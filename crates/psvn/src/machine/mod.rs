//! Machines: building them, machine files, and what their letters are called.

pub(crate) mod build;
pub mod file;
mod growth;
mod letter_names;
mod over_rules;
mod verify;

pub use self::build::{Size, budget, time_before};
pub use self::growth::growth_of_file;
pub use self::letter_names::LetterNames;
pub use self::over_rules::RuleMachine;
pub use self::verify::{FailedCertificate, MachineFlaw, Verification, verify};
