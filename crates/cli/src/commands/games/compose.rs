//! `psvn compose`: the macro-rule of a sequence.

use std::io::Write;

use psvn::Game;
use psvn::analysis::{Appended, Composition};

use crate::args::ComposeArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::table::{Align, Table};
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

/// Prints how sequences were composed.
pub(in crate::commands) fn print_trace<'t>(
    entries: impl Iterator<Item = &'t Appended>,
    out: &mut impl Write,
) -> std::io::Result<()> {
    for entry in entries {
        if entry.steps.is_empty() {
            writeln!(out, "{}", entry.appended)?;
        } else {
            writeln!(out, "then {}", entry.appended)?;
            let mut table = Table::new([
                ("position", Align::Right),
                ("found", Align::Left),
                ("wanted", Align::Left),
                ("subcase", Align::Left),
                ("", Align::Left),
            ]);
            let n_steps = entry.steps.len();
            for (i, step) in entry.steps.iter().enumerate() {
                let what = match (&step.replaced, &step.by) {
                    (Some(unknown), Some(by)) => format!("{unknown} becomes {by}"),
                    _ if entry.rule.is_none() && i + 1 == n_steps => "conflict".to_owned(),
                    _ => String::new(),
                };
                table.row([
                    step.position.to_string(),
                    step.found.clone(),
                    step.wanted.clone(),
                    step.subcase.clone(),
                    what,
                ]);
            }
            table.print(out)?;
        }
        if let Some(rule) = &entry.rule {
            writeln!(out, "  {rule}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
