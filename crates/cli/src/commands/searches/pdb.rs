//! `psvn pdb`: pattern databases.

use std::io::Write;

use psvn::heuristic::{Pattern, PatternTables, TableOptions, named_pattern};
use psvn::{Game, Limits};

#[cfg(feature = "cluster")]
use super::cluster;
use crate::args::PdbArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Context;
use crate::session::interrupt;

pub(crate) fn run(args: &PdbArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let game = args.variation.apply(Game::open(&args.file, &cx.env)?)?;
    interrupt::flag(&cx.env);
    let options = TableOptions {
        additive: args.additive,
        limits: Limits {
            time: args.time,
            memory: args.memory,
            ..Limits::default()
        },
    };
    #[cfg(feature = "cluster")]
    if let Some(wanted) = cluster::wanted(&args.cluster, &args.file)? {
        return together(args, wanted, &game, options, cx);
    }
    #[cfg(feature = "cluster")]
    if args.disk.is_some() {
        return Err(
            Failure::usage("layers are files where several processes build a table")
                .hint("add `--processes N`, or leave out `--disk`"),
        );
    }
    let tables = if args.open.is_empty() {
        let patterns = patterns(args, &game, cx)?;
        if args.size {
            let sizes = PatternTables::sizes(game.named(), &patterns, options)?;
            if cx.format == Format::Text {
                writeln!(cx.out, "{}", game.name())?;
            }
            cx.print(&*sizes)?;
            return Ok(Exit::Done);
        }
        PatternTables::build(
            game.named(),
            &patterns,
            args.output.as_deref(),
            options,
            &cx.env,
        )?
    } else {
        PatternTables::open(game.named(), &args.open, options, &cx.env)?
    };
    show(tables, args, &game, cx)
}

/// Print the tables' figures, and the result of a check.
fn show(
    tables: PatternTables,
    args: &PdbArgs,
    game: &Game,
    cx: &mut Context,
) -> Result<Exit, Failure> {
    let report = tables.report(game.named(), args.summary, args.check, &cx.env)?;
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

/// Build the table of a pattern as one of several processes.
#[cfg(feature = "cluster")]
fn together(
    args: &PdbArgs,
    wanted: cluster::Wanted<'_>,
    game: &Game,
    options: TableOptions,
    cx: &mut Context,
) -> Result<Exit, Failure> {
    let patterns = patterns(args, game, cx)?;
    let [pattern] = patterns.as_slice() else {
        return Err(
            Failure::usage("several processes build one table at a time")
                .hint("give one pattern, and build the others in turn"),
        );
    };
    let in_cache = || psvn::cluster::table_folder(game, pattern, wanted.n, &cx.env);
    let Some(folder) = args.disk.clone().or_else(in_cache) else {
        return Err(
            Failure::usage("there is no cache, so the layers need a folder")
                .hint("give one with `--disk FOLDER`"),
        );
    };
    let seat = wanted.seat(&folder, &cx.env)?;
    let output = args.output.as_deref();
    let built = psvn::cluster::build_table(game, pattern, output, options, seat.member, &cx.env)?;
    // All others end before their layers are removed.
    drop(seat.children);
    let Some(tables) = built else {
        if !seat.is_silent {
            writeln!(cx.out, "The first process has the table.")?;
        }
        return Ok(Exit::Done);
    };
    if args.disk.is_none() {
        psvn::cluster::remove_layers(&folder)?;
    }
    show(tables, args, game, cx)
}

/// The patterns that the user names; the whole game if there are none.
fn patterns(args: &PdbArgs, game: &Game, cx: &Context) -> Result<Vec<Pattern>, Failure> {
    let mut patterns = Vec::new();
    for text in &args.pattern {
        patterns.push(Pattern::parse(game.ir(), text)?);
    }
    for name in &args.abstraction {
        patterns.push(named_pattern(game, name, &cx.env)?);
    }
    for text in &args.project {
        patterns.push(Pattern::parse(game.ir(), &format!("project {text}"))?);
    }
    if patterns.is_empty() {
        patterns.push(Pattern::whole(game.ir()));
    }
    Ok(patterns)
}
