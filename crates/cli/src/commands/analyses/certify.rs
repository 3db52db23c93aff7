//! `psvn certify`: the claim of a certificate of costs, proved by independent code.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use psvn::Game;
use psvn::certificate::{Accepted, certify};
use psvn::store::atomic::{Target, cannot_write};

use crate::args::CertifyArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Context;
use crate::session::interrupt;

pub(crate) fn run(args: &CertifyArgs, cx: &mut Context) -> Result<Exit, Failure> {
    cx.refuse_csv("certify")?;
    interrupt::flag(&cx.env);
    let game = args.game.as_deref();
    let game = game.map(|path| Game::open(path, &cx.env)).transpose()?;
    if let Some(name) = &args.veripb {
        check_targets(name)?;
    }
    let (certified, accepted) = certify(&args.file, game.as_ref(), &cx.env)?;
    cx.print(&certified)?;
    if let (Some(accepted), Some(name)) = (accepted, &args.veripb) {
        write_for_veripb(&accepted, name, cx)?;
    }
    Ok(if certified.accepted {
        Exit::Done
    } else {
        Exit::No
    })
}

/// The files of the formula and of the proof.
fn files_for_veripb(name: &Path) -> [PathBuf; 2] {
    [".opb", ".pbp"].map(|ending| {
        let mut file = OsString::from(name);
        file.push(ending);
        file.into()
    })
}

/// Refuse, before the check, what can't be written.
fn check_targets(name: &Path) -> Result<(), Failure> {
    for file in files_for_veripb(name) {
        Target::find(&file).map_err(|error| cannot_write(&file, &error))?;
    }
    Ok(())
}

fn write_for_veripb(accepted: &Accepted, name: &Path, cx: &mut Context) -> Result<(), Failure> {
    let exported = accepted.for_veripb(&cx.env)?;
    let [formula, proof] = files_for_veripb(name);
    cx.put(Some(&formula), &exported.formula)?;
    cx.put(Some(&proof), &exported.proof)
}
