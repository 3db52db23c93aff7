//! `psvn pdb`: pattern databases.

use std::io::Write;

use psvn::Game;
use psvn::heuristic::{Pattern, PatternTables, TableOptions};

use crate::args::PdbArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Context;
use crate::session::interrupt;

pub(crate) fn run(args: &PdbArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let game = Game::open(&args.file, &cx.env)?;
    interrupt::flag(&cx.env);
    let options = TableOptions {
        additive: args.additive,
        memory: args.memory,
        time: args.time,
    };
    let tables = if args.open.is_empty() {
        let patterns = patterns(args, &game, cx)?;
        if args.size {
            let sizes = PatternTables::sizes(&game, &patterns, options)?;
            if cx.format == Format::Text {
                writeln!(cx.out, "{}", game.name())?;
            }
            cx.print(&*sizes)?;
            return Ok(Exit::Done);
        }
        PatternTables::build(&game, &patterns, args.output.as_deref(), options, &cx.env)?
    } else {
        PatternTables::open(&game, &args.open, options, &cx.env)?
    };
    let report = tables.report(&game, args.summary, args.check, &cx.env)?;
    cx.print(&report)?;
    match report.checked.and_then(|checked| checked.mistake) {
        None => Ok(Exit::Done),
        Some(mistake) => {
            cx.out.finish()?;
            cx.log.error(&mistake);
            Ok(Exit::No)
        }
    }
}

/// The patterns that the user names; the whole game if there are none.
fn patterns(args: &PdbArgs, game: &Game, cx: &Context) -> Result<Vec<Pattern>, Failure> {
    let mut patterns = Vec::new();
    for text in &args.pattern {
        patterns.push(Pattern::parse(game, text)?);
    }
    for name in &args.abstraction {
        patterns.push(Pattern::named(game, name, &cx.env)?);
    }
    for text in &args.project {
        patterns.push(Pattern::parse(game, &format!("project {text}"))?);
    }
    if patterns.is_empty() {
        patterns.push(Pattern::whole(game));
    }
    Ok(patterns)
}
