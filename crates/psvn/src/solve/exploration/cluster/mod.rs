//! The same work on several processes and machines.
//!
//! Each process makes its [`Member`], and calls [`Exploration::run_in_cluster`] with the same game,
//! or builds a pattern database with [`build_table`]. [`local::start`] starts all processes on this
//! machine; on several machines each one is started there, with the addresses of a
//! [file of hosts](read_hosts) and a [secret](write_secret) that all have.

mod secret;
mod tables;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use budget::Limits;
use explore::{ExploreError, Options};
use scale_out::ClusterError;
use sha2::{Digest, Sha256};

pub use scale_out::{Member, local};

pub use self::secret::{read_secret, secret_of, write_secret};
pub use self::tables::{build_table, table_folder};
use super::pace::Pace;
use super::words::explained;
use super::{Exploration, ExplorationReport, ExploredLayer, telling_layers};
use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;
use crate::store::read::read_bytes;

/// The memory of a process unless another one is given: its states are on a disk, and several
/// processes may share a machine.
const DEFAULT_MEMORY: usize = 1 << 30;

/// Return the addresses in a file of hosts, in the order of the processes.
///
/// # Errors
/// When the file can't be read, or a line isn't an address.
pub fn read_hosts(path: &Path) -> Result<Vec<String>, Error> {
    let (name, bytes) = read_bytes(path)?;
    let text = String::from_utf8_lossy(&bytes);
    scale_out::parse_hosts(&text).map_err(|error| {
        Error::input(format!("{name}:{}: {}", error.line, error.problem))
            .with_hint("a file of hosts has a line such as `node1:7101` for each process")
    })
}

/// Start the other processes of a cluster on this machine, and be its first member.
///
/// # Errors
/// When a process doesn't start.
pub fn start(
    n: usize,
    folder: &Path,
    command: &mut dyn FnMut(usize) -> std::process::Command,
) -> Result<(Member, local::Children), Error> {
    local::start(n, folder, command).map_err(in_words)
}

/// Be a member of a cluster that another process started with [`start`]. All work of the
/// environment is cancelled when that process is gone.
///
/// # Errors
/// When that process is gone.
pub fn join(process: usize, folder: &Path, env: &Environment) -> Result<Member, Error> {
    let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let member = local::join(process, folder, input, output).map_err(in_words)?;
    let cancellation = Arc::clone(env.cancellation());
    std::thread::spawn(move || {
        // Nothing more is sent, so the input ends with the process that holds its other end.
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        cancellation.store(true, Ordering::Relaxed);
    });
    Ok(member)
}

/// Return the folder in the cache for layers, by a hash of the work, the number of processes and
/// their threads. `None` without a cache.
fn folder_of(mut hash: Sha256, processes: usize, env: &Environment) -> Option<PathBuf> {
    hash.update(format!("\n{processes} {}", env.threads()));
    let name: String = hash.finalize()[..12]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    Some(env.cache().folder()?.join("explorations").join(name))
}

impl Exploration {
    /// Return the folder in the cache for the layers of this exploration: the same for the same
    /// exploration, and another one for any other. `None` without a cache.
    pub fn folder_in_cache(
        &self,
        game: &Game,
        processes: usize,
        env: &Environment,
    ) -> Option<PathBuf> {
        let mut hash = Sha256::new();
        hash.update(game.ir().content_hash().to_string());
        for start in &self.starts {
            hash.update(game.ir().format_state(start.values()));
            hash.update(b"\n");
        }
        // The content hash doesn't include goals, but this exploration starts from them.
        hash.update(format!("{:?}", game.ir().goals()));
        folder_of(hash, processes, env)
    }

    /// Explore a game together with other processes. `on_layer` is called with each layer when it
    /// is complete. Each process has the threads of the environment, and gets the same result.
    ///
    /// The storage of the exploration has no effect: layers are files in the member's folder. The
    /// exploration continues after the complete layers in the folders.
    ///
    /// # Errors
    /// When the processes don't connect, one is lost, there is nothing to begin with, or a file
    /// fails. A limit or a cancellation isn't an error: complete layers are reported.
    pub fn run_in_cluster(
        &self,
        game: &Game,
        env: &Environment,
        mut member: Member,
        on_layer: &mut dyn FnMut(&ExploredLayer),
    ) -> Result<ExplorationReport, Error> {
        if self.seeks_goals {
            return Err(explained(ExploreError::GoalsNotCounted));
        }
        member.threads = env.threads();
        let processes = member.processes();
        let exploration = Exploration {
            limits: Limits {
                memory: self.limits.memory.or(Some(DEFAULT_MEMORY)),
                ..self.limits.clone()
            },
            ..self.clone()
        };
        let budget = exploration.budget(env);
        let (phase, pace) = (env.begin(), Pace::default());
        let by = format!(" by {processes} processes");
        let on_progress = |progress: &budget::Progress| pace.show(progress, &by, &phase);
        let (origin, on_progress) = (&self.origin(), &on_progress);
        let explored = |on_told: &explore::OnLayer<'_>| {
            let options = Options {
                budget,
                depth: self.depth,
                farthest: self.farthest,
                on_layer: Some(on_told),
                on_progress: Some(on_progress),
                ..Options::default()
            };
            scale_out::explore(game.ir(), origin, member, &options)
        };
        let (report, layers) = telling_layers(explored, on_layer)?;
        let report = report.map_err(in_words)?;
        Ok(exploration.reported(game, env, (report, layers), processes))
    }
}

/// Remove the layers of an exploration that won't be resumed.
///
/// # Errors
/// When the system can't.
pub fn remove_layers(folder: &Path) -> Result<(), Error> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            let folder = folder.display();
            Err(Error::input(format!("{folder} can't be removed: {error}")))
        }
        _ => Ok(()),
    }
}

/// Return the error for a failure of a cluster whose work can be resumed.
fn in_words(error: ClusterError) -> Error {
    let message = error.to_string();
    let go_on = "start all processes again: they continue from the last complete layer";
    match error {
        ClusterError::Explore(error) => explained(error),
        ClusterError::Setup(_) => Error::usage(message),
        ClusterError::ShortSecret { .. } => secret::explained(message),
        ClusterError::Lost { .. } | ClusterError::Stopped { .. } => {
            Error::input(message).with_hint(go_on)
        }
        ClusterError::Checkpoints(_) => {
            Error::input(message).with_hint("use other folders, or remove these")
        }
        ClusterError::Missing { .. } => {
            Error::input(message).with_hint("start one process for each address, and all in time")
        }
        ClusterError::Interrupted => Error::interrupted(message),
        _ => Error::input(message),
    }
}
