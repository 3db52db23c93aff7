//! `psvn pdb`: pattern databases.

use std::io::Write;
use std::time::Duration;

use psvn::Game;
use psvn::heuristic::{
    Pattern, PatternTables, TableOptions, TableSize, TablesReport, WrittenTables,
};
use psvn::text::units::{count, format_bytes, format_seconds, group_digits};

use crate::args::PdbArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::table::{Align, Table};
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
            print_sizes(game.name(), &sizes, cx)?;
            return Ok(Exit::Done);
        }
        PatternTables::build(&game, &patterns, args.output.as_deref(), options, &cx.env)?
    } else {
        PatternTables::open(&game, &args.open, options, &cx.env)?
    };
    let report = tables.report(&game, args.summary, args.check, &cx.env)?;
    print(&report, cx)?;
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

fn print(report: &TablesReport, cx: &mut Context) -> Result<(), Failure> {
    match cx.format {
        Format::Json => cx.out.json(report),
        Format::Csv => write_csv(report, cx),
        Format::Text => write_text(report, cx),
    }
}

fn write_csv(report: &TablesReport, cx: &mut Context) -> Result<(), Failure> {
    cx.out.csv(["table", "distance", "entries"])?;
    for (number, table) in report.tables.iter().enumerate() {
        for level in &table.levels {
            let fields = [
                (number + 1).to_string(),
                level.distance.to_string(),
                level.entries.to_string(),
            ];
            cx.out.csv(fields)?;
        }
    }
    Ok(())
}

fn write_text(report: &TablesReport, cx: &mut Context) -> Result<(), Failure> {
    let out = &mut cx.out;
    writeln!(out, "{}", report.file)?;
    for table in &report.tables {
        writeln!(out, "\n{}", table.pattern)?;
        writeln!(
            out,
            "  {} of {} bits, {}: {}",
            entries(table.entries),
            table.bits_per_entry,
            format_bytes(u128::from(table.bytes)),
            table.ranking
        )?;
        if let Some(paying) = &table.paying {
            writeln!(out, "  pays for {}", paying.join(" "))?;
        }
        writeln!(
            out,
            "  {} reached, {} not; greatest distance {}{}, mean {:.3}",
            group_digits(table.reached.into()),
            group_digits(table.unreached.into()),
            table.max_distance,
            if table.saturated { " or more" } else { "" },
            table.mean_distance
        )?;
        if table.distribution.is_some() {
            writeln!(out)?;
            let mut rows = Table::new([("distance", Align::Right), ("entries", Align::Right)]);
            for level in &table.levels {
                rows.row([level.distance.to_string(), level.entries.to_string()]);
            }
            rows.print(out)?;
        }
    }
    if report.additive {
        writeln!(
            out,
            "\nThe sum is a lower bound: no step is paid for twice."
        )?;
        if !report.not_covered.is_empty() {
            writeln!(out, "In no pattern: {}", report.not_covered.join(" "))?;
        }
    }
    if let Some(checked) = &report.checked
        && checked.mistake.is_none()
    {
        let consistent = match checked.inconsistent_steps {
            0 => "consistent".to_owned(),
            n => format!("not consistent at {}", count(n as usize, "step")),
        };
        writeln!(
            out,
            "\nChecked at {} and {}: admissible, {consistent}; mean estimate {:.3}",
            count(checked.states as usize, "state"),
            count(checked.steps as usize, "step"),
            checked.mean_estimate
        )?;
    }
    write_written(&report.written, out)?;
    let seconds = Duration::from_secs_f64(report.seconds);
    writeln!(out, "\n  {}", format_seconds(seconds))?;
    Ok(())
}

fn write_written(of: &WrittenTables, out: &mut impl Write) -> Result<(), Failure> {
    if of.written.is_empty() {
        return Ok(());
    }
    write!(out, "\nWritten to {}", of.written.join(", "))?;
    if let Some(heuristic) = &of.heuristic {
        let them = if of.written.len() == 1 { "it" } else { "them" };
        write!(out, "; use {them} as `--heuristic {heuristic}`")?;
    }
    writeln!(out)?;
    Ok(())
}

fn entries(n: u64) -> String {
    match n {
        1 => "1 entry".to_owned(),
        n => format!("{} entries", group_digits(n.into())),
    }
}

fn print_sizes(file: &str, rows: &[TableSize], cx: &mut Context) -> Result<(), Failure> {
    match cx.format {
        Format::Json => cx.out.json(&rows),
        Format::Csv => {
            cx.out
                .csv(["pattern", "entries", "ranks", "building_bytes", "ranking"])?;
            for row in rows {
                cx.out.csv([
                    row.pattern.clone(),
                    row.entries.to_string(),
                    row.ranks.to_string(),
                    row.building_bytes.to_string(),
                    row.ranking.clone(),
                ])?;
            }
            Ok(())
        }
        Format::Text => {
            writeln!(cx.out, "{file}")?;
            for row in rows {
                let out = &mut cx.out;
                writeln!(out, "\n{}", row.pattern)?;
                writeln!(
                    out,
                    "  abstract game: {}, {}",
                    count(row.variables, "variable"),
                    count(row.rules, "rule")
                )?;
                let entries = group_digits(row.entries);
                writeln!(out, "  entries: {entries} ({})", row.ranking)?;
                let ranks = group_digits(row.ranks);
                writeln!(out, "  ranks to search: {ranks}")?;
                writeln!(
                    out,
                    "  memory while building: {}",
                    format_bytes(row.building_bytes)
                )?;
            }
            Ok(())
        }
    }
}
