//! Searches from many starts. Each instance is shown when it is solved.

use std::io::{self, Write};
use std::time::Duration;

use psvn::heuristic::{Considered, settings_in_terms_of};
use psvn::solve::{
    AllSolutions, Outcome, SearchOptions, Series, SolveRecord, Solved, Solver, labels,
    states_on_the_way,
};
use psvn::text::units::{count, format_bytes, format_seconds, format_work, group_digits};

use super::counts::{show_counts, words_of};
use super::steps::{Way, show_way};
use crate::output::terms::CommandTerms;
use crate::show::Style;
use crate::show::lines::{WIDTH, paragraph, wrap};
use crate::show::row::{Cell, columns};
use crate::show::table::{Align, Table};

/// Write the heuristics that were considered.
fn show_considered(considered: &[Considered], out: &mut dyn Write) -> io::Result<()> {
    if considered.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "heuristics considered, with the expected total of each:"
    )?;
    let mut table = Table::new([
        ("heuristic", Align::Left),
        ("tables", Align::Left),
        ("building", Align::Left),
        ("search", Align::Left),
        ("both", Align::Left),
        ("", Align::Left),
    ]);
    for it in considered {
        let seconds = |seconds: f64| format_seconds(Duration::from_secs_f64(seconds.min(1e12)));
        table.row([
            it.heuristic.clone(),
            format_bytes(u128::from(it.bytes)),
            seconds(it.build_seconds),
            seconds(it.search_seconds),
            seconds(it.seconds()),
            it.fate.name().to_owned(),
        ]);
    }
    table.print(out)
}

/// Write the lines before the first instance: the search, its options, and, if requested, the
/// settings that name the heuristic.
///
/// # Errors
/// When `out` can't be written to.
pub(crate) fn show_head(
    series: &Series<'_>,
    with_settings: bool,
    style: &Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let game = series.game().ir();
    writeln!(
        out,
        "{}: {}, {}",
        series.game().name(),
        count(game.n_variables(), "variable"),
        count(game.rules().len(), "rule"),
    )?;
    let Some(solver) = series.solver() else {
        return writeln!(out, "nothing to search");
    };
    let heuristic = solver.heuristic();
    let algorithm = solver.options().algorithm;
    let by = match (heuristic.is_zero(), algorithm.takes_heuristic()) {
        (false, _) => format!(", heuristic {}", heuristic.estimate),
        (true, true) => ", no heuristic".to_owned(),
        (true, false) => String::new(),
    };
    let name = solver.options().search_name();
    paragraph(&format!("{name}{by}"), out)?;
    if let Some(reason) = &heuristic.reason {
        // One clause in each line, so that line breaks don't depend on the width of times.
        let reason = reason.replace("; ", "\n  ");
        writeln!(out, "{} {reason}", heuristic.estimate)?;
    }
    if style.all || with_settings {
        show_considered(&heuristic.considered, out)?;
    }
    if with_settings {
        let choice = heuristic.choice.as_ref();
        let settings = choice.map(|it| settings_in_terms_of(it, &CommandTerms));
        let settings = settings.unwrap_or_else(|| "no pattern names these tables".to_owned());
        writeln!(out, "the same without choosing: {settings}")?;
    }
    Ok(())
}

/// Write the outcome of an instance.
///
/// # Errors
/// When `out` can't be written to.
pub(crate) fn show_solved(
    series: &Series<'_>,
    solved: &Solved<'_>,
    way: &Way,
    style: &Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out)?;
    if series.n_instances() > 1 {
        write!(out, "{}: ", solved.instance.id)?;
    }
    let start = solved.instance.state.values();
    writeln!(out, "{}", series.game().ir().format_state(start))?;
    show_outcome(series, solved, way, out)?;
    if solved.answer.was_searched() {
        show_counts(series, solved, style, out)
    } else {
        Ok(())
    }
}

/// Write the lines after the last instance.
///
/// # Errors
/// When `out` can't be written to.
pub(crate) fn show_end(series: &Series<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (n, totals) = (series.n_instances(), series.totals());
    if n < 2 {
        return Ok(());
    }
    writeln!(
        out,
        "\n{} of {} solved; {} generated, {}{}",
        totals.solved,
        count(n, "instance"),
        group_digits(totals.generated),
        format_work(totals.generated, totals.elapsed),
        after_preparation(series),
    )?;
    if let Some(lookups) = totals.lookups {
        let per_node = lookups as f64 / totals.generated.max(1) as f64;
        let lookups = group_digits(lookups.into());
        writeln!(out, "{lookups} look-ups, {per_node:.2} a node")?;
    }
    if let Some(misses) = totals.cache_misses {
        writeln!(out, "{}", words_of(misses, totals.generated))?;
    }
    match n - totals.done {
        0 => Ok(()),
        left => writeln!(out, "{left} not tried"),
    }
}

/// Return the time of preparations before the searches, or once for all of them.
pub(super) fn after_preparation(series: &Series<'_>) -> String {
    let preparation = format_seconds(series.totals().preparation);
    match series.solver() {
        None => String::new(),
        Some(_) => format!(", after {preparation} of preparation"),
    }
}

/// Return the options of the search; `None` where there is nothing to search.
pub(super) fn options<'s>(series: &'s Series<'_>) -> Option<&'s SearchOptions> {
    series.solver().map(Solver::options)
}

fn show_outcome(
    series: &Series<'_>,
    solved: &Solved<'_>,
    way: &Way,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (game, instance, report) = (series.game(), solved.instance, &solved.answer);
    match &report.outcome {
        Outcome::Solved(solution) => {
            let is_known = instance.known_cost == Some(solution.cost);
            writeln!(
                out,
                "  solved in {}, cost {}{}{}",
                count(solution.length(), "move"),
                group_digits(solution.cost),
                report.meaning,
                if is_known { ", as is known" } else { "" }
            )?;
            let names = game.rule_names();
            let states = || states_on_the_way(game, &instance.state, &solution.moves);
            let moves = names.names(&solution.moves);
            match way {
                Way::Moves => wrapped(&labels(game, &solution.moves), out)?,
                Way::States => show_way(game, None, &states(), &moves, out)?,
                Way::Boards(layout) => {
                    show_way(game, Some(layout), &states(), &moves, out)?;
                    writeln!(out)?;
                }
            }
            match &report.all {
                Some(all) => show_all(series, all, out),
                None => Ok(()),
            }
        }
        _ => {
            writeln!(out, "  {}", report.meaning)?;
            if let Some(best) = &report.best_so_far {
                writeln!(
                    out,
                    "  the best solution so far costs {}; it may not be the best there is",
                    best.cost
                )?;
                wrapped(&labels(game, &best.moves), out)?;
            }
            Ok(())
        }
    }
}

/// Write all solutions of least cost.
fn show_all(series: &Series<'_>, all: &AllSolutions, out: &mut dyn Write) -> io::Result<()> {
    let solutions = if all.count == 1 {
        "solution"
    } else {
        "solutions"
    };
    write!(
        out,
        "  {} {solutions} of least cost",
        group_digits(all.count.into())
    )?;
    if let Some(n) = all.count_up_to_symmetries {
        write!(out, ", {} up to symmetries", group_digits(n.into()))?;
    }
    match all.stopped {
        Some(reason) => writeln!(
            out,
            " so far; there may be more, because {}",
            reason.clause()
        )?,
        None => writeln!(out)?,
    }
    for moves in &all.listed {
        wrapped(&labels(series.game(), moves), out)?;
    }
    let n_all = all.count_up_to_symmetries.unwrap_or(all.count);
    let more = n_all - all.listed.len() as u64;
    if more > 0 {
        writeln!(out, "    and {} more", group_digits(more.into()))?;
    }
    writeln!(
        out,
        "  {} generated for all, {}",
        group_digits(all.generated),
        format_work(all.generated, all.elapsed)
    )
}

/// Write moves in lines that fit.
fn wrapped(moves: &[String], out: &mut dyn Write) -> io::Result<()> {
    for line in wrap(moves, WIDTH - 4) {
        writeln!(out, "    {line}")?;
    }
    Ok(())
}

/// The look-ups of a record and the misses of the processor's caches: further columns, which are
/// empty where nothing was counted.
pub(crate) struct Lookups<'r>(pub(crate) &'r SolveRecord);

columns!(
    Lookups<'_>:
    lookups = |it| it.0.lookups.text(),
    lookups_per_node = |it| it.0.lookups_per_node.text(),
    lookups_per_second = |it| it.0.lookups_per_second.text(),
    table_bytes = |it| it.0.lookups.and(it.0.heuristic_bytes).text(),
    bytes_per_node = |it| it.0.bytes_per_node.text(),
    cache_misses = |it| it.0.cache_misses.text(),
    cache_misses_per_node = |it| it.0.cache_misses_per_node.text(),
);

/// A record with all solutions: a further column, which is empty where they weren't found.
pub(crate) struct All<'r>(pub(crate) &'r SolveRecord);

columns!(
    All<'_>:
    solutions = |it| it.0.all.as_ref().map(|all| all.count).text(),
    solutions_up_to_symmetries = |it| {
        let all = it.0.all.as_ref();
        all.and_then(|all| all.count_up_to_symmetries).text()
    },
);

columns!(
    SolveRecord:
    instance,
    outcome,
    cost,
    length,
    generated,
    expanded,
    pruned,
    seconds,
    preparation_seconds,
    moves,
    proof,
    heuristic,
    pruning = |record| record.pruning.as_ref().map(ToString::to_string).unwrap_or_default(),
);
