//! Commands as one of several processes.

use std::path::Path;
use std::process::Command;

use psvn::Environment;
use psvn::cluster::{self, Member, local::Children};

use crate::args::ClusterArgs;
use crate::failure::Failure;

/// The environment variable with the secret.
const SECRET: &str = "PSVN_SECRET";

/// The requested processes.
pub(super) struct Wanted<'a> {
    args: &'a ClusterArgs,
    hosts: Option<Vec<String>>,
    /// Their number.
    pub(super) n: usize,
}

/// The place of this process among several.
pub(super) struct Seat {
    pub(super) member: Member,
    /// The processes that this one has started.
    pub(super) children: Option<Children>,
    /// Whether another process, which has started this one, shows the results.
    pub(super) is_silent: bool,
}

/// Read which processes are requested; `None` for one process alone. The file is that of the game.
pub(super) fn wanted<'a>(
    args: &'a ClusterArgs,
    file: &Path,
) -> Result<Option<Wanted<'a>>, Failure> {
    let hosts = match &args.hosts {
        Some(file) => Some(cluster::read_hosts(file)?),
        None => None,
    };
    let n = match (&hosts, args.processes) {
        (Some(hosts), _) => hosts.len(),
        (None, Some(n)) => usize::from(n),
        (None, None) => return Ok(None),
    };
    if hosts.is_none() && file == Path::new("-") {
        return Err(Failure::usage(
            "several processes can't all read the game from standard input",
        )
        .hint("write it to a file"));
    }
    Ok(Some(Wanted { args, hosts, n }))
}

impl Wanted<'_> {
    /// Take the seat, and start the other processes if requested.
    pub(super) fn seat(self, folder: &Path, env: &Environment) -> Result<Seat, Failure> {
        let args = self.args;
        let (mut member, children) = match (self.hosts, args.started_as) {
            (Some(hosts), _) => {
                let process = args.process.unwrap_or_default();
                let secret = secret(args)?;
                let member = Member::new(process, hosts, secret, folder.to_owned());
                (member, None)
            }
            (None, Some(process)) => (cluster::join(process, folder, env)?, None),
            (None, None) => {
                let program = std::env::current_exe().map_err(|error| {
                    Failure::input(format!("this program isn't found: {error}"))
                })?;
                // The same command again, with the number of its process.
                let (member, children) = cluster::start(self.n, folder, &mut |process| {
                    let mut command = Command::new(&program);
                    command.args(std::env::args_os().skip(1));
                    command.args(["--started-as", &process.to_string()]);
                    command
                })?;
                (member, Some(children))
            }
        };
        member.wait = args.wait;
        member.patience = args.patience;
        Ok(Seat {
            member,
            children,
            is_silent: args.started_as.is_some(),
        })
    }
}

fn secret(args: &ClusterArgs) -> Result<Vec<u8>, Failure> {
    if let Some(file) = &args.secret_file {
        return Ok(cluster::read_secret(file)?);
    }
    match std::env::var_os(SECRET) {
        Some(secret) => Ok(cluster::secret_of(secret.as_encoded_bytes())),
        None => Err(
            Failure::usage("the processes need a secret that all of them know").hint(format!(
                "give a file of `psvn secret` with `--secret-file`, or set {SECRET}"
            )),
        ),
    }
}
