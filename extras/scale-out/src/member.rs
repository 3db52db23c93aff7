//! One process among those that explore a space together.

use std::net::TcpListener;
use std::path::PathBuf;
use std::time::Duration;

use crate::error::ClusterError;
use crate::local::Started;
use crate::secret;

/// One process among those that explore a space together.
pub struct Member {
    /// The number of this process, from 0.
    pub process: usize,
    /// The address of each process, as `host:port`, in the order of their numbers. This process
    /// listens at its own.
    pub addresses: Vec<String>,
    /// A listener that is already bound, used instead of this process's address.
    pub listener: Option<TcpListener>,
    /// The number of threads of each process.
    pub threads: usize,
    /// The shared secret of the processes: at least 128 bits, such as those that
    /// [`random_secret`](crate::random_secret) makes. Whoever knows it can take part, and change
    /// what the others count.
    pub secret: Vec<u8>,
    /// The folder of this process's layers. Processes may share a folder.
    pub folder: PathBuf,
    /// How long to wait for the other processes to connect.
    pub wait: Duration,
    /// How long another process may be silent before it counts as lost.
    pub patience: Duration,
    /// The processes that this one has started.
    pub(crate) started: Started,
}

impl std::fmt::Debug for Member {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Don't print the secret.
        f.debug_struct("Member")
            .field("process", &self.process)
            .field("addresses", &self.addresses)
            .field("threads", &self.threads)
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

impl Member {
    /// Make a member with one thread, which waits a minute for the others to connect, and 15
    /// seconds for a silent one.
    pub fn new(process: usize, addresses: Vec<String>, secret: Vec<u8>, folder: PathBuf) -> Self {
        Self {
            process,
            addresses,
            listener: None,
            threads: 1,
            secret,
            folder,
            wait: Duration::from_secs(60),
            patience: Duration::from_secs(15),
            started: Started::default(),
        }
    }

    /// Return the number of processes.
    pub fn processes(&self) -> usize {
        self.addresses.len()
    }

    pub(crate) fn check(&self) -> Result<(), ClusterError> {
        let wrong = |message: String| Err(ClusterError::Setup(message));
        let n = self.processes();
        if n == 0 {
            return wrong("there are no processes".to_owned());
        }
        if self.process >= n {
            return wrong(format!(
                "there is no process {} among {n}, which count from 0",
                self.process
            ));
        }
        if self.threads == 0 {
            return wrong("a process needs a thread".to_owned());
        }
        if n > 1 {
            secret::check(&self.secret)?;
        }
        let mut sorted: Vec<&String> = self.addresses.iter().collect();
        sorted.sort();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return wrong(format!("two processes have the address {}", pair[0]));
        }
        Ok(())
    }
}
