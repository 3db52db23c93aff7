//! Each cell by itself.

use experiment::LevelKind;

use super::NODES;
use crate::stats::Group;
use crate::table::{Entry, Table};

/// A row for each cell, with the columns that courses require first.
pub(crate) fn cells(groups: &[Group<'_>], limits: &str) -> Table {
    let caption = format!(
        "One row for each cell; {limits}. h0 is the estimate of the start state, time is processor time in seconds where it \
         is known. Preparation is what was done once for all instances, in seconds; reused, the part of it that an \
         earlier method or run had done already. na: not solved, or not asked for. {NODES} Counted: whether this holds \
         for the cell."
    );
    let mut table = Table::new("cells", "Cells", caption)
        .left("algorithm", "algorithm")
        .left("heuristic", "heuristic")
        .left("domain", "domain")
        .left("instance", "instance")
        .right("cost", "cost")
        .right("h0", "h0")
        .right("generated", "generated")
        .right("time", "time (s)")
        .right("gen_per_sec", "gen/s")
        .left("method", "method")
        .left("outcome", "outcome")
        .right("length", "moves")
        .right("known_cost", "known cost")
        .right("expanded", "expanded")
        .right("pruned", "pruned")
        .right("states", "states kept")
        .right("words", "words")
        .right("seconds", "clock (s)")
        .right("preparation_seconds", "preparation (s)")
        .right("reused_seconds", "reused (s)")
        .left("generated_is_counted", "counted");
    for group in groups {
        for record in &group.records {
            let measured = &record.measured;
            let option = |name: &str, default: &str| {
                let value = record.options.get(name).cloned().flatten();
                Entry::text(value.unwrap_or_else(|| default.to_owned()))
            };
            let number = |n: Option<u64>| Entry::maybe(n.map(|n| n as f64));
            let limited = measured.outcome.is_limit();
            let speed = measured
                .generated
                .filter(|_| measured.best_seconds() > 0.0)
                .map(|n| (n as f64 / measured.best_seconds()).round());
            let is_solve =
                measured.words.is_none() && measured.level_kind != Some(LevelKind::Depth);
            let mut outcome = Entry::text(measured.outcome.in_words());
            if let Some(message) = &measured.message {
                outcome.text = format!("{}: {message}", outcome.text);
            }
            table.rows.push(vec![
                option("algorithm", if is_solve { "ida" } else { "na" }),
                option("heuristic", if is_solve { "zero" } else { "na" }),
                Entry::text(group.domain),
                Entry::text(record.instance.as_str()),
                Entry::or_na(measured.cost.map(|n| n as f64)),
                Entry::or_na(measured.h0.map(|n| n as f64)),
                Entry::or_na(measured.generated.map(|n| n as f64)).limited(limited),
                Entry::seconds(Some(measured.best_seconds())).limited(limited),
                Entry::or_na(speed),
                Entry::text(group.method),
                outcome,
                number(measured.length),
                number(measured.known_cost),
                number(measured.expanded),
                number(measured.pruned),
                number(measured.states),
                number(measured.words),
                Entry::seconds(Some(measured.seconds)),
                Entry::seconds(Some(measured.preparation_seconds).filter(|time| *time > 0.0)),
                Entry::seconds(Some(measured.reused_seconds).filter(|time| *time > 0.0)),
                Entry::text(match measured.generated_is_counted {
                    None => "",
                    Some(true) => "yes",
                    Some(false) => "no",
                }),
            ]);
        }
    }
    table
}
