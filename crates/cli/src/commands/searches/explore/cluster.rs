//! `psvn explore` as one of several processes.

use std::path::PathBuf;
use std::process::Command;

use psvn::cluster::{self, Member, local::Children};
use psvn::{Exploration, Game};

use super::show;
use crate::args::ExploreArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Context;
use crate::session::interrupt;

/// The variable with the secret.
const SECRET: &str = "PSVN_SECRET";

/// What this process is among several.
pub(super) struct Seat {
    member: Member,
    /// Those that this one has started.
    children: Option<Children>,
    /// The folder of the layers, to be removed at the end.
    removed_at_end: Option<PathBuf>,
    /// Whether another one, which has started this one, shows what is found.
    is_silent: bool,
}

/// What this process is among several; nothing where it is alone.
pub(super) fn seat(
    args: &ExploreArgs,
    exploration: &Exploration,
    game: &Game,
    cx: &mut Context,
) -> Result<Option<Seat>, Failure> {
    let wanted = &args.cluster;
    let hosts = match &wanted.hosts {
        Some(file) => Some(cluster::read_hosts(file)?),
        None => None,
    };
    let n = match (&hosts, wanted.processes) {
        (Some(hosts), _) => hosts.len(),
        (None, Some(n)) => usize::from(n),
        (None, None) => return Ok(None),
    };
    let folder = match &args.disk {
        Some(folder) => folder.clone(),
        None => {
            let folder = exploration.folder_in_cache(game, n, &cx.env);
            folder.ok_or_else(|| {
                Failure::usage("there is no cache, so the layers need a folder")
                    .hint("give one with `--disk FOLDER`")
            })?
        }
    };
    let is_silent = wanted.started_as.is_some();
    let (mut member, children) = match (hosts, wanted.started_as) {
        (Some(hosts), _) => {
            let process = wanted.process.unwrap_or_default();
            (
                Member::new(process, hosts, secret(args)?, folder.clone()),
                None,
            )
        }
        (None, Some(process)) => (cluster::join(process, &folder)?, None),
        (None, None) => {
            let program = std::env::current_exe()
                .map_err(|error| Failure::input(format!("this program isn't found: {error}")))?;
            // The same command again, which says which of the processes it is.
            let (member, children) = cluster::start(n, &folder, &mut |process| {
                let mut command = Command::new(&program);
                command.args(std::env::args_os().skip(1));
                command.args(["--started-as", &process.to_string()]);
                command
            })?;
            (member, Some(children))
        }
    };
    member.wait = wanted.wait;
    member.patience = wanted.patience;
    Ok(Some(Seat {
        member,
        children,
        removed_at_end: args.disk.is_none().then_some(folder),
        is_silent,
    }))
}

fn secret(args: &ExploreArgs) -> Result<Vec<u8>, Failure> {
    if let Some(file) = &args.cluster.secret_file {
        return Ok(cluster::read_secret(file)?);
    }
    match std::env::var_os(SECRET) {
        Some(secret) => Ok(cluster::secret_of(secret.as_encoded_bytes())),
        None => Err(
            Failure::usage("the processes need a secret that all of them know")
                .hint(format!("give a file with `--secret-file`, or set {SECRET}")),
        ),
    }
}

impl Seat {
    /// Explore with the others.
    pub(super) fn run(
        self,
        args: &ExploreArgs,
        exploration: &Exploration,
        game: &Game,
        cx: &mut Context,
    ) -> Result<Exit, Failure> {
        interrupt::flag(&cx.env);
        let member = self.member;
        if self.is_silent {
            let report = exploration.run_in_cluster(game, &cx.env, member, &mut |_| {})?;
            return Ok(Exit::of(report.stopped));
        }
        let found = show(args, game, exploration, cx, |env, on_layer| {
            exploration.run_in_cluster(game, env, member, on_layer)
        });
        // All others end before their layers go.
        drop(self.children);
        let found = found?;
        if let (Exit::Done, Some(folder)) = (found, &self.removed_at_end) {
            cluster::remove_layers(folder)?;
        }
        Ok(found)
    }
}
