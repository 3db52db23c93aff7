//! `psvn verify`: all claims of a machine file, proved again by independent code.

use psvn::Game;
use psvn::machine::verify;

use crate::args::VerifyArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Context;
use crate::session::interrupt;

pub(crate) fn run(args: &VerifyArgs, cx: &mut Context) -> Result<Exit, Failure> {
    cx.refuse_csv("verify")?;
    let mut game = Game::open(&args.file, &cx.env)?;
    if args.backward {
        game = game.backward()?;
    }
    interrupt::flag(&cx.env);
    let verification = verify(&game, &args.machine, &cx.env)?;
    cx.print(&verification)?;
    Ok(if verification.valid {
        Exit::Done
    } else {
        Exit::No
    })
}
