//! `psvn certify`: the claim of a certificate of costs, proved by independent code.

use psvn::Game;
use psvn::certificate::certify;

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
    let certified = certify(&args.file, game.as_ref(), &cx.env)?;
    cx.print(&certified)?;
    Ok(if certified.accepted {
        Exit::Done
    } else {
        Exit::No
    })
}
