//! `psvn verify`: all claims of a machine file, proved again by independent code.

use psvn::Game;
use psvn::certificate::certificate_of_machine;
use psvn::machine::verify;
use psvn::store::atomic::{Target, cannot_write};

use crate::args::VerifyArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Context;
use crate::session::interrupt;

pub(crate) fn run(args: &VerifyArgs, cx: &mut Context) -> Result<Exit, Failure> {
    cx.refuse_csv("verify")?;
    let mut game = args.variation.apply(Game::open(&args.file, &cx.env)?)?;
    if args.backward {
        game = game.backward()?;
    }
    interrupt::flag(&cx.env);
    if let Some(file) = &args.certificate {
        Target::find(file).map_err(|error| cannot_write(file, &error))?;
    }
    let verification = verify(&game, &args.machine, &cx.env)?;
    cx.print(&verification)?;
    if !verification.valid {
        return Ok(Exit::No);
    }
    if let Some(file) = &args.certificate {
        let certificate = certificate_of_machine(&game, &args.machine, &cx.env)?;
        cx.put(Some(file), &certificate)?;
    }
    Ok(Exit::Done)
}
