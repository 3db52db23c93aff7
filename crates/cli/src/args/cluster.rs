//! The arguments that request several processes.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use psvn::text::units::parse_duration;

use crate::args::number::{number, number_in};

/// Several processes.
#[derive(Args, Debug)]
#[command(next_help_heading = "Several processes")]
pub(crate) struct ClusterArgs {
    /// Work with this number of processes on this machine; --threads and --memory apply to each
    /// process
    #[arg(
        long,
        value_name = "N",
        value_parser = number_in(1..=256_u16),
        conflicts_with = "hosts"
    )]
    pub(crate) processes: Option<u16>,
    /// Work with one process for each line `HOST:PORT` of this file
    #[arg(long, value_name = "FILE", requires = "process")]
    pub(crate) hosts: Option<PathBuf>,
    /// The number of this process in the file of hosts, from 0
    #[arg(long, value_name = "I", requires = "hosts", value_parser = number::<usize>)]
    pub(crate) process: Option<usize>,
    /// A file with the secret that all processes know, which only its owner may read; `psvn secret`
    /// makes one. Without it, the variable PSVN_SECRET
    #[arg(long, value_name = "FILE", requires = "hosts")]
    pub(crate) secret_file: Option<PathBuf>,
    /// How long to wait for the other processes to start
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "60s")]
    pub(crate) wait: Duration,
    /// How long a process may be silent before it counts as lost
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "15s")]
    pub(crate) patience: Duration,
    /// Started by another process with --processes, which tells the rest
    #[arg(long, hide = true, requires = "processes", value_parser = number::<usize>)]
    pub(crate) started_as: Option<usize>,
}

impl ClusterArgs {
    /// Whether several processes are requested.
    pub(crate) fn is_several(&self) -> bool {
        self.processes.is_some() || self.hosts.is_some()
    }
}

/// The arguments of `psvn secret`.
#[derive(Args, Debug)]
#[command(after_help = SECRET_HELP)]
pub(crate) struct SecretArgs {
    /// The new file
    pub(crate) file: PathBuf,
}

const SECRET_HELP: &str = "\
Examples:
  psvn secret secret && scp -p secret node2:    the same for another machine

The file has 256 random bits, and only its owner can read it. Whoever knows them can take part in
what processes do together, and change its results.";
