//! Why several processes don't explore a space together.

use std::time::Duration;

use explore::ExploreError;

/// Why several processes don't explore a space together.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// The description of the member makes no sense.
    #[error("{0}")]
    Setup(String),
    /// This process can't be reached where the others look for it.
    #[error("process {process} can't listen at {address}: {source}")]
    Listen {
        /// This process.
        process: usize,
        /// Its address.
        address: String,
        /// What happened.
        source: std::io::Error,
    },
    /// Another process doesn't let this one in, or this one doesn't trust it.
    #[error("process {process} at {address} refused: {reason}")]
    Refused {
        /// The other process.
        process: usize,
        /// Its address.
        address: String,
        /// What it said.
        reason: String,
    },
    /// Some processes did not come.
    #[error("{} did not come within {} seconds{}", named(.processes), .waited.as_secs(), noted(.notes))]
    Missing {
        /// The processes.
        processes: Vec<usize>,
        /// How long this one waited.
        waited: Duration,
        /// What was seen in that time: attempts that failed, callers that were refused.
        notes: Vec<String>,
    },
    /// Another process is gone, or the way to it.
    #[error("process {process} at {address} is lost: {reason}")]
    Lost {
        /// The other process.
        process: usize,
        /// Its address.
        address: String,
        /// How that shows.
        reason: String,
    },
    /// Another process stopped because of an error.
    #[error("process {process} at {address} stopped: {reason}")]
    Stopped {
        /// The other process.
        process: usize,
        /// Its address.
        address: String,
        /// What it said.
        reason: String,
    },
    /// The processes' folders hold layers that don't belong together.
    #[error("the folders don't belong together: {0}")]
    Checkpoints(String),
    /// The caller asked to stop before the processes had met.
    #[error("interrupted while the processes came together")]
    Interrupted,
    /// A part of this process failed.
    #[error("{0}")]
    Broken(String),
    /// What the exploration of one process can meet, too.
    #[error(transparent)]
    Explore(#[from] ExploreError),
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
