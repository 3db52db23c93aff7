//! `psvn compose`: the macro-rule of a sequence.

use psvn::analysis::Composition;
use psvn::{Error, Game};

use crate::args::ComposeArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Context;

pub(crate) fn run(args: &ComposeArgs, cx: &mut Context) -> Result<Exit, Failure> {
    cx.refuse_csv("compose")?;
    let game = Game::open(&args.file, &cx.env)?;
    let word = game
        .rule_names()
        .resolve_all(&args.rules)
        .map_err(Error::from)?;
    let composed = Composition::of(game.ir(), &word, args.trace);
    cx.print(&composed)?;
    Ok(if composed.valid { Exit::Done } else { Exit::No })
}
