//! `psvn abstract`: a game under an abstraction.

use std::io::Write;

use psvn::Game;
use psvn::heuristic::{AbstractedGame, Pattern, named_pattern};
use psvn::text::units::count;

use crate::args::AbstractArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Context;

pub(crate) fn run(args: &AbstractArgs, cx: &mut Context) -> Result<Exit, Failure> {
    if cx.format == Format::Csv {
        return Err(Failure::usage("`psvn abstract` writes no CSV").hint("use `--format json`"));
    }
    let game = Game::open(&args.file, &cx.env)?;
    let pattern = match (&args.abstraction, &args.pattern) {
        (Some(name), _) => named_pattern(&game, name, &cx.env)?,
        (None, Some(text)) => Pattern::parse(game.ir(), text)?,
        (None, None) => Pattern::whole(game.ir()),
    };
    let made = AbstractedGame::of(&pattern, &game)?;
    if let Some(path) = &args.block {
        cx.put(Some(path), &made.block)?;
    }
    if args.output.is_some() || cx.format != Format::Json {
        cx.put_silently(args.output.as_deref(), &made.psvn)?;
    }
    match (cx.format, &args.output) {
        (Format::Json, _) => cx.out.json(&made)?,
        (_, None) => {}
        (_, Some(path)) => writeln!(
            cx.out,
            "PSVN written to {}: {}, {}",
            path.display(),
            count(made.variables, "variable"),
            count(made.rules, "rule")
        )?,
    }
    if !made.nondeterministic_rules.is_empty() {
        cx.out.finish()?;
        let n_rules = count(made.nondeterministic_rules.len(), "rule");
        cx.log.warning(&format!(
            "the abstraction makes {n_rules} nondeterministic, such as {}: they copy variables that \
             are dropped, so that costs in the abstract game may be far too low",
            made.nondeterministic_rules[0]
        ));
    }
    Ok(Exit::Done)
}
