//! Machines: building them, machine files, and what their letters are called.

pub(crate) mod build;
mod description;
pub mod file;
mod growth;
pub(crate) mod ignored;
mod letter_names;
mod over_rules;
mod picture;
mod transfer;
mod verify;

pub use self::build::{Size, budget, time_before};
pub use self::description::MachineDescription;
pub use self::letter_names::LetterNames;
pub use self::over_rules::RuleMachine;
pub use self::picture::{draw_machine, draw_words, letter_names};
pub use self::transfer::{Transfer, TransferReport, TransferRequest, transfer};
pub use self::verify::{FailedCertificate, MachineFlaw, Verification, verify};

use std::path::Path;

use crate::error::Error;

/// The error that a machine file is damaged.
fn unreadable(path: &Path, error: &fsm::FileError) -> Error {
    file::unreadable(&path.display().to_string(), error)
}
