//! `psvn explore` as one of several processes.

use std::path::PathBuf;

use psvn::cluster;
use psvn::{Exploration, Game};

use super::show;
use crate::args::ExploreArgs;
use crate::commands::searches::cluster::{self as processes};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Context;
use crate::session::interrupt;

/// The place of this process among several.
pub(super) struct Seat {
    seat: processes::Seat,
    /// The folder of the layers, to be removed at the end.
    removed_at_end: Option<PathBuf>,
}

/// The place of this process among several; `None` where it is alone.
pub(super) fn seat(
    args: &ExploreArgs,
    exploration: &Exploration,
    game: &Game,
    cx: &mut Context,
) -> Result<Option<Seat>, Failure> {
    let Some(wanted) = processes::wanted(&args.cluster, &args.file)? else {
        return Ok(None);
    };
    let folder = match &args.disk {
        Some(folder) => folder.clone(),
        None => {
            let folder = exploration.folder_in_cache(game, wanted.n, &cx.env);
            folder.ok_or_else(|| {
                Failure::usage("there is no cache, so the layers need a folder")
                    .hint("give one with `--disk FOLDER`")
            })?
        }
    };
    Ok(Some(Seat {
        seat: wanted.seat(&folder, &cx.env)?,
        removed_at_end: args.disk.is_none().then_some(folder),
    }))
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
        let member = self.seat.member;
        if self.seat.is_silent {
            let report = exploration.run_in_cluster(game, &cx.env, member, &mut |_| {})?;
            return Ok(Exit::of(report.stopped));
        }
        let found = show(args, game, exploration, cx, |env, on_layer| {
            exploration.run_in_cluster(game, env, member, on_layer)
        });
        // All others end before their layers are removed.
        drop(self.seat.children);
        let found = Exit::of(found?.stopped);
        if let (Exit::Done, Some(folder)) = (found, &self.removed_at_end) {
            cluster::remove_layers(folder)?;
        }
        Ok(found)
    }
}
