//! Machines: building them, machine files, and the names of their letters.

mod description;
mod growth;
mod listing;
mod over_rules;
mod transfer;
mod verify;

pub use crate::analysis::{Size, budget, time_before};
pub use crate::game::{LetterNames, machine_file as file};

pub use self::description::{MachineDescription, split_rules};
pub use self::listing::{
    ComesFirst, LengthRange, RedundantWord, ReplacedBy, TableRow, TransitionTable, WordFilter,
    WordList,
};
pub use self::over_rules::RuleMachine;
pub use self::transfer::{Transfer, TransferReport, TransferRequest, transfer};
pub use self::verify::{FailedCertificate, MachineFlaw, Verification, verify};

use std::path::Path;

use crate::error::Error;

/// The error that a machine file is damaged.
fn unreadable(path: &Path, error: &fsm::FileError) -> Error {
    file::unreadable(&path.display().to_string(), error)
}
