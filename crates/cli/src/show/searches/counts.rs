//! The counts of a search.

use std::io::{self, Write};

use psvn::solve::{Algorithm, Answer, Cycles, Outcome, Series, Solved};
use psvn::text::units::{count, format_bytes, format_rate, format_work, group_digits};
use psvn::text::{Choice, Parameter};
use psvn::{CycleDetection, NotCounted};

use super::series::{after_preparation, options};
use crate::show::lines::paragraph;
use crate::show::{Align, Style, Table};

/// Write the work that an instance took.
pub(super) fn show_counts(
    series: &Series<'_>,
    solved: &Solved<'_>,
    style: &Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let report = &solved.answer;
    let solver = series.solver();
    let heuristic = solver.map(|it| it.heuristic().estimate.to_string());
    let is_other = |other: &&str| heuristic.as_deref() != Some(*other);
    if let Some(other) = solved.found_with.as_deref().filter(is_other) {
        writeln!(out, "  found with {other}, while the heuristic was chosen")?;
    }
    writeln!(
        out,
        "  {} generated, {} expanded, {} {}",
        group_digits(report.generated),
        group_digits(report.expanded),
        group_digits(report.pruned),
        if report.kept.is_some() {
            "seen before"
        } else {
            "pruned"
        },
    )?;
    // Searches that detect duplicates have said so.
    let pruning = report.pruning.as_ref();
    let pruning = pruning.filter(|it| report.kept.is_none() || !it.is_nothing());
    if let Some(pruning) = pruning {
        paragraph(&format!("  pruned: {pruning}"), out)?;
    }
    writeln!(
        out,
        "  {}{}",
        format_work(report.generated, report.elapsed),
        match series.n_instances() {
            1 => after_preparation(series),
            _ => String::new(),
        },
    )?;
    if report.generated_in_tries > 0 && matches!(report.outcome, Outcome::Stopped(_)) {
        let tries = group_digits(report.generated_in_tries);
        writeln!(out, "  {tries} generated before, to choose a heuristic")?;
    }
    show_kept(report, out)?;
    let Some(options) = options(series) else {
        return Ok(());
    };
    if report.cycle_detection == CycleDetection::Path && options.cycles != Cycles::Path {
        writeln!(
            out,
            "  no path came to a state twice, since some rules cost nothing ({})",
            style.term(Parameter::Cycles.is(Cycles::Path.name()))
        )?;
    }
    if options.count_depths {
        show_lookups(series, report, out)?;
        if let Some(misses) = report.cache_misses
            && (misses.is_ok() || series.n_instances() == 1)
        {
            writeln!(out, "  {}", words_of(misses, report.generated))?;
        }
        stats(report, out)?;
    } else if style.all && !report.iterations.is_empty() && options.algorithm != Algorithm::Dfs {
        let mut table = Table::new([("bound", Align::Right), ("generated", Align::Right)]);
        for iteration in &report.iterations {
            let generated = group_digits(u128::from(iteration.generated));
            table.row([iteration.bound.to_string(), generated]);
        }
        table.print(out)?;
    }
    Ok(())
}

/// Write the states that were kept, in memory and on a disk, and the use of a transposition table.
fn show_kept(report: &Answer, out: &mut dyn Write) -> io::Result<()> {
    if let Some(kept) = &report.kept {
        writeln!(
            out,
            "  {} kept, {:.1} bytes each, {} at most{}",
            count(usize::try_from(kept.states).unwrap_or(usize::MAX), "state"),
            kept.bytes_per_state,
            format_bytes(kept.peak_bytes as u128),
            match kept.reopened {
                0 => String::new(),
                n => format!("; {} expanded again", group_digits(u128::from(n))),
            }
        )?;
    }
    if let Some(on_disk) = report.kept.as_ref().and_then(|kept| kept.on_disk) {
        let bytes = |bytes| format_bytes(u128::from(bytes));
        writeln!(
            out,
            "  {} on the disk at most, {} written, {} read",
            bytes(on_disk.peak_bytes),
            bytes(on_disk.written),
            bytes(on_disk.read)
        )?;
    }
    if let Some(table) = &report.table {
        writeln!(
            out,
            "  {} look-ups in the table, {} cut off by it",
            group_digits(u128::from(table.lookups)),
            group_digits(u128::from(table.cutoffs))
        )?;
    }
    Ok(())
}

/// Write how many entries of tables were read, and how many bytes that and kept states take.
fn show_lookups(series: &Series<'_>, report: &Answer, out: &mut dyn Write) -> io::Result<()> {
    let (Some(lookups), Some(solver)) = (report.lookups, series.solver()) else {
        return Ok(());
    };
    let bytes = solver.heuristic().estimate.n_bytes();
    writeln!(
        out,
        "  {} look-ups, {:.2} a node, {}; tables of {}, {:.1} bytes a node",
        group_digits(lookups.into()),
        report.lookups_per_node().unwrap_or(0.0),
        format_rate(lookups.into(), report.elapsed, "look-ups"),
        format_bytes(bytes.into()),
        report.bytes_per_node().unwrap_or(0.0),
    )
}

/// Return how many times the processor's caches were missed, or why that isn't known.
pub(super) fn words_of(misses: Result<u64, NotCounted>, generated: u128) -> String {
    match misses {
        Ok(misses) => format!(
            "cache misses: {}, {:.3} a node",
            group_digits(misses.into()),
            misses as f64 / generated.max(1) as f64
        ),
        Err(reason) => format!("cache misses: not counted, since {reason}"),
    }
}

/// Return the counts by bound and by depth, each in a table. A search that detects duplicates
/// prunes nothing, and has bounds only on a disk.
fn stats(report: &Answer, out: &mut dyn Write) -> io::Result<()> {
    let n_columns = if report.kept.is_some() { 3 } else { 6 };
    let names = [
        "generated",
        "expanded",
        "by machine",
        "by cycles",
        "beyond bound",
    ];
    let table = |first: &'static str, n_columns: usize| {
        let names = [first].into_iter().chain(names).take(n_columns);
        Table::new(names.map(|name| (name, Align::Right)))
    };
    let cell = |n: &u64| group_digits(u128::from(*n));
    let row = |cells: &[u64]| cells.iter().map(cell).collect::<Vec<_>>();
    if !report.iterations.is_empty() {
        let n_columns = n_columns.min(5);
        let mut bounds = table("bound", n_columns);
        for it in &report.iterations {
            let cells = [
                it.bound,
                it.generated,
                it.expanded,
                it.pruned_by_machine,
                it.pruned_by_cycle,
            ];
            bounds.row(row(&cells[..n_columns]));
        }
        bounds.print(out)?;
    }
    if !report.levels.is_empty() {
        let mut depths = table("depth", n_columns);
        for (depth, it) in (0..).zip(&report.levels) {
            let cells = [
                depth,
                it.generated,
                it.expanded,
                it.pruned_by_machine,
                it.pruned_by_cycle,
                it.beyond_bound,
            ];
            depths.row(row(&cells[..n_columns]));
        }
        writeln!(out)?;
        depths.print(out)?;
    }
    Ok(())
}
