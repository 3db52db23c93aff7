//! Machines: building them, machine files, and the names of their letters.

mod description;
mod growth;
mod transfer;
mod verify;

pub use crate::analysis::{Size, budget, time_before};
pub use crate::game::{LetterNames, machine_file as file};
pub use fsm::RuleMachine;
pub use redundancy::{
    ComesFirst, FailedCertificate, LengthRange, MachineFlaw, RedundantWord, ReplacedBy, TableRow,
    TransitionTable, Verification, WordFilter, WordList,
};

pub use self::description::{MachineDescription, split_rules};
pub use self::transfer::{Transfer, TransferReport, TransferRequest, transfer};
pub use self::verify::verify;

use std::path::Path;
use std::sync::Arc;

use crate::environment::Environment;
use crate::error::Error;

/// The error that a machine file is damaged.
fn unreadable(path: &Path, error: &fsm::FileError) -> Error {
    file::unreadable(&path.display().to_string(), error)
}

/// The limits of proofs that begin now.
pub(crate) fn limits_of_proofs(env: &Environment) -> checker::Limits {
    checker::Limits {
        deadline: env.deadline(),
        interrupt: Some(Arc::clone(env.cancellation())),
    }
}
