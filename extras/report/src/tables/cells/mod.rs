//! Each cell by itself.

pub(crate) mod runs;

use experiment::LevelKind;

use super::NODES;
use crate::stats::Group;
use crate::table::{Entry, Table};

/// A row for each cell, with the columns that courses require first.
pub(crate) fn cells(groups: &[Group<'_>], limits: &str) -> Table {
    let caption = format!(
        "One row for each cell; {limits}. h0 is the estimate of the start state. Time is by the clock, as limits are, \
         and processor is the processor time of the same search, where it is known. Preparation is what was done \
         once for all instances; shared, the part of it that an earlier method had done already. Pruned says what \
         was left out, and heuristic used what a chosen heuristic was. {NODES} Counted: whether this holds for the \
         cell."
    );
    let mut table = Table::new("cells", "Cells", caption)
        .left("algorithm", "algorithm")
        .left("heuristic", "heuristic")
        .left("domain", "domain")
        .essential()
        .left("instance", "instance")
        .essential()
        .right("cost", "cost")
        .essential()
        .right("h0", "h0")
        .right("generated", "generated")
        .essential()
        .right("time", "time (s)")
        .essential()
        .right("gen_per_sec", "gen/s")
        .left("method", "method")
        .essential()
        .left("outcome", "outcome")
        .essential()
        .right("length", "moves")
        .right("known_cost", "known cost")
        .right("expanded", "expanded")
        .right("pruned", "nodes pruned")
        .right("states", "states kept")
        .right("words", "words")
        .right("processor_seconds", "processor (s)")
        .right("preparation_seconds", "preparation (s)")
        .right("shared_seconds", "shared (s)")
        .left("heuristic_used", "heuristic used")
        .left("pruning", "pruned")
        .left("generated_is_counted", "counted");
    for group in groups {
        for record in &group.records {
            let measured = &record.measured;
            let is_solve =
                measured.words.is_none() && measured.level_kind != Some(LevelKind::Depth);
            let option = |name: &str, default: &str| {
                let value = record.options.get(name).cloned().flatten();
                let default = if is_solve { default } else { "" };
                Entry::text(value.unwrap_or_else(|| default.to_owned()))
            };
            let number = |n: Option<u64>| Entry::maybe(n.map(|n| n as f64));
            let limited = measured.outcome.is_limit();
            let speed = measured
                .generated
                .filter(|_| measured.seconds > 0.0)
                .map(|n| (n as f64 / measured.seconds).round());
            let time = |seconds: f64| Entry::seconds(Some(seconds).filter(|time| *time > 0.0));
            let mut outcome = Entry::text(measured.outcome.in_words());
            if let Some(message) = &measured.message {
                outcome.text = format!("{}: {message}", outcome.text);
            }
            let pruning = measured.pruning.as_ref().map(ToString::to_string);
            table.rows.push(vec![
                option("algorithm", "ida"),
                option("heuristic", "zero"),
                Entry::text(group.domain),
                Entry::text(record.instance.as_str()),
                number(measured.cost),
                number(measured.h0),
                number(measured.generated).limited(limited),
                Entry::seconds(Some(measured.seconds)).limited(limited),
                Entry::maybe(speed),
                Entry::text(group.method),
                outcome,
                number(measured.length),
                number(measured.known_cost),
                number(measured.expanded),
                number(measured.pruned),
                number(measured.states),
                number(measured.words),
                Entry::seconds(measured.cpu_seconds),
                time(measured.preparation_seconds),
                time(measured.reused_seconds),
                Entry::text(measured.heuristic.as_deref().unwrap_or_default()),
                Entry::text(pruning.unwrap_or_default()),
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
