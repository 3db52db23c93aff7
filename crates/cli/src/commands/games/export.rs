//! `psvn export`: a game as a program in another language, or in another format.

#[cfg(feature = "formats")]
mod formats;
#[cfg(feature = "c-export")]
mod programs;

use std::io::Write;

use psvn::Game;
use psvn::solve::StateGraph;
use psvn::text::Parameter;
use psvn::text::units::count;

use crate::args::{ExportArgs, Language};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Context;

pub(crate) fn run(args: &ExportArgs, cx: &mut Context) -> Result<Exit, Failure> {
    if cx.format != Format::Text {
        return Err(Failure::usage(
            "`psvn export` prints the game and nothing else",
        ));
    }
    let game = Game::open(&args.file, &cx.env)?;
    cx.limit_each_search();
    match args.language {
        Language::C | Language::Rust => program(args, &game, cx),
        Language::Sas | Language::Tws => other_format(args, &game, cx),
        Language::Graphml => graph(args, &game, cx),
    }
}

/// Write all states and moves.
fn graph(args: &ExportArgs, game: &Game, cx: &mut Context) -> Result<Exit, Failure> {
    let start = match &args.start {
        Some(text) => game.state(Parameter::Start, text)?,
        None => match game.declared_start()? {
            Some(start) => start,
            None => game.scramble_start()?,
        },
    };
    let graph = StateGraph::of(game, &[start], args.most_states, &cx.env)?;
    cx.put_silently(args.output.as_deref(), &graph.to_graphml(game))?;
    if let Some(path) = &args.output {
        let (states, moves) = (
            count(graph.states.len(), "state"),
            count(graph.moves.len(), "move"),
        );
        writeln!(
            cx.out,
            "GraphML written to {}: {states}, {moves}",
            path.display()
        )?;
    }
    Ok(Exit::Done)
}

#[cfg(feature = "c-export")]
fn program(args: &ExportArgs, game: &Game, cx: &mut Context) -> Result<Exit, Failure> {
    let language = match args.language {
        Language::Rust => c_export::Language::Rust,
        _ => c_export::Language::C,
    };
    programs::program(args, language, game, cx)
}

#[cfg(not(feature = "c-export"))]
fn program(_: &ExportArgs, _: &Game, _: &mut Context) -> Result<Exit, Failure> {
    Err(Failure::missing("games as programs", "c-export"))
}

#[cfg(feature = "formats")]
fn other_format(args: &ExportArgs, game: &Game, cx: &mut Context) -> Result<Exit, Failure> {
    match args.language {
        Language::Tws => formats::tws(args, game, cx),
        _ => formats::sas(args, game, cx),
    }
}

#[cfg(not(feature = "formats"))]
fn other_format(_: &ExportArgs, _: &Game, _: &mut Context) -> Result<Exit, Failure> {
    Err(Failure::missing("games in other formats", "formats"))
}
