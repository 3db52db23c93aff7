//! `psvn compose`: the macro-rule of a sequence.

use std::io::Write;

use psvn::Game;
use psvn::analysis::Composition;

use crate::args::ComposeArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::trace::print_trace;
use crate::session::Context;

pub(crate) fn run(args: &ComposeArgs, cx: &mut Context) -> Result<Exit, Failure> {
    cx.refuse_csv("compose")?;
    let game = Game::open(&args.file, &cx.env)?;
    let word = game.rule_names().resolve_all(&args.rules)?;
    let composed = Composition::of(&game, &word, args.trace);
    match cx.format {
        Format::Json => cx.out.json(&composed)?,
        Format::Text | Format::Csv => print(&composed, cx)?,
    }
    Ok(if composed.valid { Exit::Done } else { Exit::No })
}

fn print(composed: &Composition, cx: &mut Context) -> Result<(), Failure> {
    let out = &mut cx.out;
    print_trace(composed.trace.iter().flatten(), out)?;
    match (&composed.rule, composed.cost, &composed.reason) {
        (Some(rule), Some(cost), _) => {
            writeln!(out, "{}", composed.word.join(" "))?;
            writeln!(out, "  {rule}  cost {cost}")?;
        }
        (_, _, reason) => {
            writeln!(out, "{}", composed.word.join(" "))?;
            writeln!(
                out,
                "  impossible: {}",
                reason.as_deref().unwrap_or_default()
            )?;
        }
    }
    Ok(())
}
