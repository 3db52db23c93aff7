//! Errors of processes that explore a space together.

use std::time::Duration;

use explore::{ExploreError, FileError};

/// The reasons why several processes can't explore a space together.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// The description of the member is invalid.
    #[error("{0}")]
    Setup(String),
    /// The secret could be guessed.
    #[error(
        "the secret has {length} characters, which is at most {bits} bits, and {fewest} are needed"
    )]
    ShortSecret {
        /// The length of the secret in bytes.
        length: usize,
        /// The bits of the secret if its characters were chosen at random.
        bits: u32,
        /// The bits that it needs.
        fewest: u32,
    },
    /// This process can't listen at its address.
    #[error("process {process} can't listen at {address}: {source}")]
    Listen {
        /// This process.
        process: usize,
        /// Its address.
        address: String,
        /// The system's error.
        source: std::io::Error,
    },
    /// Another process refuses this one, or this one refuses it.
    #[error("process {process} at {address} refused: {reason}")]
    Refused {
        /// The other process.
        process: usize,
        /// Its address.
        address: String,
        /// The reason given.
        reason: String,
    },
    /// Some processes did not connect.
    #[error("{} did not connect within {} seconds{}", named(.processes), .waited.as_secs(), noted(.notes))]
    Missing {
        /// The processes.
        processes: Vec<usize>,
        /// How long this one waited.
        waited: Duration,
        /// Events during that time: attempts that failed, callers that were refused.
        notes: Vec<String>,
    },
    /// The connection to another process is lost.
    #[error("process {process} at {address} is lost: {reason}")]
    Lost {
        /// The other process.
        process: usize,
        /// Its address.
        address: String,
        /// The symptom.
        reason: String,
    },
    /// Another process stopped because of an error.
    #[error("process {process} at {address} stopped: {reason}")]
    Stopped {
        /// The other process.
        process: usize,
        /// Its address.
        address: String,
        /// The reason it gave.
        reason: String,
    },
    /// The processes' folders hold layers that don't fit together.
    #[error("the folders hold different explorations: {0}")]
    Checkpoints(String),
    /// The caller requested a stop before the processes had met.
    #[error("interrupted before all processes had connected")]
    Interrupted,
    /// A part of this process failed.
    #[error("{0}")]
    Broken(String),
    /// An error that the exploration by one process can have, too.
    #[error(transparent)]
    Explore(#[from] ExploreError),
}

impl From<FileError> for ClusterError {
    fn from(error: FileError) -> Self {
        ExploreError::from(error).into()
    }
}

fn named(processes: &[usize]) -> String {
    let numbers: Vec<String> = processes.iter().map(ToString::to_string).collect();
    match numbers.len() {
        1 => format!("process {}", numbers[0]),
        _ => format!("processes {}", numbers.join(", ")),
    }
}

fn noted(notes: &[String]) -> String {
    notes.iter().map(|note| format!("; {note}")).collect()
}
