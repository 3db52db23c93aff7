//! Games as programs: C or Rust.

use std::io::Write;

use c_export::{Language, ProgramFile};
use psvn::Game;
use psvn::analysis::Analysis;
use psvn::text::units::count;

use crate::args::ExportArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::two_players;
use crate::session::Context;
use crate::session::interrupt;

/// Write a program.
pub(super) fn program(
    args: &ExportArgs,
    language: Language,
    game: &Game,
    cx: &mut Context,
) -> Result<Exit, Failure> {
    if args.start.is_some() {
        return Err(Failure::usage(
            "such a program has no start: its callers give one",
        ));
    }
    two_players::warn(game, two_players::ANALYSIS, cx);
    interrupt::flag(&cx.env);
    let file = args.program(language).write(game, &cx.env)?;
    cx.put_silently(args.output.as_deref(), &file.text)?;
    if let Some(path) = &args.output {
        let n_rules = count(game.ir().rules().len(), "rule");
        let forward = describe(&n_rules, file.forward.as_deref());
        let backward = match &file.backward_rules {
            Ok(n_rules) => describe(&count(*n_rules, "backward rule"), file.backward.as_deref()),
            Err(reason) => format!("backward rules left out ({reason})"),
        };
        writeln!(
            cx.out,
            "{language:?} written to {}: {forward}; {backward}",
            path.display()
        )?;
    }
    Ok(stop(&file, cx))
}

/// The rules of a direction and its history.
fn describe(rules: &str, analysis: Option<&Analysis>) -> String {
    let Some(analysis) = analysis else {
        return format!("{rules}, history that prunes nothing");
    };
    let machines = &analysis.summary.machines;
    let size = machines.minimized.unwrap_or(machines.aho_corasick);
    let states = count(size.states, "state");
    let length = analysis.summary.max_length;
    format!("{rules}, history of {states} up to length {length}")
}

/// Report which analysis stopped early, if one did.
fn stop(file: &ProgramFile, cx: &mut Context) -> Exit {
    let mut exit = Exit::Done;
    let analyses = [("forward", &file.forward), ("backward", &file.backward)];
    for (direction, analysis) in analyses {
        let summary = analysis.as_deref().map(|analysis| &analysis.summary);
        let Some((summary, reason)) = summary.and_then(|it| it.stopped.map(|why| (it, why))) else {
            continue;
        };
        // The data first, since the message is about it.
        let _ = cx.out.finish();
        cx.log.warning(&format!(
            "the analysis of {direction} rules stopped at length {}, because {}; what it found is \
             sound",
            summary.max_length,
            reason.clause()
        ));
        exit = Exit::of(Some(reason));
    }
    exit
}
