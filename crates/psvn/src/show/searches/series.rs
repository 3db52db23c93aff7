//! Searches from many starts. Each instance is shown when it is solved.

use std::io::{self, Write};
use std::time::Duration;

use super::counts::words_of;
use super::steps::{Way, show_way};
use crate::heuristic::Considered;
use crate::show::Style;
use crate::show::lines::{WIDTH, paragraph};
use crate::show::table::{Align, Table};
use crate::solve::{
    Outcome, SearchOptions, Searcher, Series, SolveRecord, Solved, labels, states_on_the_way,
};
use crate::text::Exact;
use crate::text::units::{count, format_bytes, format_seconds, format_work, group_digits, wrap};

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

impl Series<'_> {
    /// Write the lines before the first instance: the search, its options, and, if requested, the
    /// settings that name the heuristic.
    ///
    /// # Errors
    /// When `out` can't be written to.
    pub fn show_head(
        &self,
        with_settings: bool,
        style: &Style<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let game = self.game().ir();
        writeln!(
            out,
            "{}: {}, {}",
            self.game().name(),
            count(game.n_variables(), "variable"),
            count(game.rules().len(), "rule"),
        )?;
        let Some(searcher) = self.searcher() else {
            return writeln!(out, "nothing to search");
        };
        let heuristic = searcher.heuristic();
        let algorithm = searcher.options().algorithm;
        let by = match (heuristic.is_zero(), algorithm.takes_heuristic()) {
            (false, _) => format!(", heuristic {}", heuristic.estimate),
            (true, true) => ", no heuristic".to_owned(),
            (true, false) => String::new(),
        };
        let name = searcher.options().search_name();
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
            let settings = heuristic.settings_in_terms_of(style.terms);
            let settings = settings.unwrap_or_else(|| "no pattern names these tables".to_owned());
            writeln!(out, "the same without choosing: {settings}")?;
        }
        Ok(())
    }

    /// Write the outcome of an instance.
    ///
    /// # Errors
    /// When `out` can't be written to.
    pub fn show(
        &self,
        solved: &Solved<'_>,
        way: &Way,
        style: &Style<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        writeln!(out)?;
        if self.n_instances() > 1 {
            write!(out, "{}: ", solved.instance.id)?;
        }
        let start = solved.instance.state.values();
        writeln!(out, "{}", self.game().ir().format_state(start))?;
        self.show_outcome(solved, way, out)?;
        if solved.answer.was_searched() {
            self.show_counts(solved, style, out)
        } else {
            Ok(())
        }
    }

    /// Write the lines after the last instance.
    ///
    /// # Errors
    /// When `out` can't be written to.
    pub fn show_end(&self, out: &mut dyn Write) -> io::Result<()> {
        let (n, totals) = (self.n_instances(), self.totals());
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
            self.after_preparation(),
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
    pub(super) fn after_preparation(&self) -> String {
        let preparation = format_seconds(self.totals().preparation);
        match self.searcher() {
            None => String::new(),
            Some(_) => format!(", after {preparation} of preparation"),
        }
    }

    /// Return the options of the search; `None` where there is nothing to search.
    pub(super) fn options(&self) -> Option<&SearchOptions> {
        self.searcher().map(Searcher::options)
    }

    fn show_outcome(&self, solved: &Solved<'_>, way: &Way, out: &mut dyn Write) -> io::Result<()> {
        let (game, instance, report) = (self.game(), solved.instance, &solved.answer);
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
                    Way::Moves => wrapped(&labels(game, &solution.moves), out),
                    Way::States => show_way(game, None, &states(), &moves, out),
                    Way::Boards(layout) => {
                        show_way(game, Some(layout), &states(), &moves, out)?;
                        writeln!(out)
                    }
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
}

/// Write moves in lines that fit.
fn wrapped(moves: &[String], out: &mut dyn Write) -> io::Result<()> {
    for line in wrap(moves, WIDTH - 4) {
        writeln!(out, "    {line}")?;
    }
    Ok(())
}

impl SolveRecord {
    /// The names of its fields in a table for spreadsheets.
    pub const FIELDS: [&'static str; 13] = [
        "instance",
        "outcome",
        "cost",
        "length",
        "generated",
        "expanded",
        "pruned",
        "seconds",
        "preparation_seconds",
        "moves",
        "proof",
        "heuristic",
        "pruning",
    ];

    /// The names of further fields, of counted look-ups and misses of the processor's caches.
    pub const LOOKUP_FIELDS: [&'static str; 7] = [
        "lookups",
        "lookups_per_node",
        "lookups_per_second",
        "table_bytes",
        "bytes_per_node",
        "cache_misses",
        "cache_misses_per_node",
    ];

    /// Return its further fields, which are empty where nothing was counted.
    pub fn lookup_fields(&self) -> [String; 7] {
        let number = |n: Option<f64>| n.map(|n| n.to_string()).unwrap_or_default();
        let count = |n: Option<u64>| n.map(|n| n.to_string()).unwrap_or_default();
        [
            count(self.lookups),
            number(self.lookups_per_node),
            number(self.lookups_per_second),
            count(self.lookups.and(self.heuristic_bytes)),
            number(self.bytes_per_node),
            count(self.cache_misses.flatten()),
            number(self.cache_misses_per_node.flatten()),
        ]
    }

    /// Return its row in a table for spreadsheets.
    pub fn fields(&self) -> [String; 13] {
        let number = |n: Option<Exact>| n.map(|n| n.0.to_string()).unwrap_or_default();
        [
            self.instance.clone(),
            self.outcome.to_string(),
            number(self.cost),
            self.length.map(|n| n.to_string()).unwrap_or_default(),
            number(Some(self.generated)),
            number(Some(self.expanded)),
            number(Some(self.pruned)),
            self.seconds.to_string(),
            self.preparation_seconds.to_string(),
            self.moves
                .as_ref()
                .map(|it| it.join(" "))
                .unwrap_or_default(),
            self.proof.clone().unwrap_or_default(),
            self.heuristic.clone().unwrap_or_default(),
            self.pruning
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
        ]
    }
}
