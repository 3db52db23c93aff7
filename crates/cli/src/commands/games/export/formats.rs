//! Games in other formats.

use std::io::Write;

use psvn::Game;
use psvn::foreign::{export_sas, export_tws};
use psvn::text::Parameter;
use psvn::text::units::count;

use crate::args::ExportArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Context;

/// Write a planning task.
pub(super) fn sas(args: &ExportArgs, game: &Game, cx: &mut Context) -> Result<Exit, Failure> {
    let start = args.start.as_deref();
    let start = start
        .map(|text| game.state(Parameter::Start, text))
        .transpose()?;
    let task = export_sas(game, start.as_ref())?;
    let axioms = match task.n_axioms {
        0 => String::new(),
        n => format!(", {}", count(n, "axiom")),
    };
    let content = format!("{}{axioms}", count(task.n_operators, "operator"));
    put(args, "SAS+", &task.text, &content, cx)
}

/// Write a twisty puzzle.
pub(super) fn tws(args: &ExportArgs, game: &Game, cx: &mut Context) -> Result<Exit, Failure> {
    if args.start.is_some() {
        return Err(Failure::usage("a puzzle has no start but its solved state"));
    }
    let puzzle = export_tws(game)?;
    let content = count(game.ir().rules().len(), "rule");
    put(args, "tws", &puzzle, &content, cx)
}

/// Write the text to the requested place.
fn put(
    args: &ExportArgs,
    format: &str,
    text: &str,
    content: &str,
    cx: &mut Context,
) -> Result<Exit, Failure> {
    cx.put_silently(args.output.as_deref(), text)?;
    if let Some(path) = &args.output {
        writeln!(cx.out, "{format} written to {}: {content}", path.display())?;
    }
    Ok(Exit::Done)
}
