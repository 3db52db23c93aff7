//! The bounds of IDA* from one start, searched some at a time.

use std::time::Instant;

use advisor::{Deepening, Iteration, Transpositions, WithTable};
use budget::{format_bytes, group_digits};
use heuristic_choice::{
    iterations_of, next_nodes, only, searched_with_table, steps_of_node, table_bytes,
};
use search::{Limits, Part, Run, SolveReport, StateMismatch};

use crate::setting::Setting;

/// A search by IDA* that pauses between bounds. It uses a transposition table once that pays.
pub(crate) struct Bounds<'s> {
    setting: Setting<'s>,
    started: Instant,
    finished: Option<SolveReport>,
    transpositions: Transpositions,
}

impl<'s> Bounds<'s> {
    pub(crate) fn new(mut setting: Setting<'s>) -> Self {
        let most = setting.bytes_for_transpositions;
        let most = most.map(|bytes| bytes.min(setting.limits.memory.unwrap_or(usize::MAX)));
        // Several processes have no table in common.
        let most = most.filter(|_| setting.hand_out.is_none());
        let bytes = table_bytes(most, setting.estimate);
        Self {
            started: Instant::now(),
            finished: setting.earlier.take(),
            transpositions: Transpositions::new(bytes, setting.has_transpositions),
            setting,
        }
    }

    /// Return whether the search uses a table from now on.
    pub(crate) fn has_table(&self) -> bool {
        self.transpositions.are_used()
    }

    /// Return the report so far.
    pub(crate) fn finished(&self) -> Option<&SolveReport> {
        self.finished.as_ref()
    }

    /// Return the nodes so far.
    pub(crate) fn generated(&self) -> u128 {
        self.finished().map_or(0, |report| report.totals.generated)
    }

    /// Return the limits of what is left.
    pub(crate) fn left(&self) -> Limits {
        let done = u64::try_from(self.generated()).unwrap_or(u64::MAX);
        let limits = &self.setting.limits;
        Limits {
            nodes: limits.nodes.map(|nodes| nodes.saturating_sub(done)),
            time: limits
                .time
                .map(|it| it.saturating_sub(self.started.elapsed())),
            ..limits.clone()
        }
    }

    /// Search the next bounds, until more than `pause_above` nodes were made in all, or earlier
    /// where a table may be tried. Return the bound to continue with, or else the whole report.
    ///
    /// # Errors
    /// When the start isn't a state of the game.
    pub(crate) fn search(
        &mut self,
        prepared: &search::Searcher,
        pause_above: u64,
    ) -> Result<Option<u64>, StateMismatch> {
        let last = self.finished.as_ref();
        let iterations = last.map_or(&[][..], |report| &report.iterations);
        let next = last.and_then(|report| report.next_bound);
        // The first bounds are small.
        let next_nodes = next_nodes(iterations, next).max(1.0);
        let (table, pause) = match self.transpositions.table_for(next_nodes) {
            Some((bytes, may_grow)) => (Some(bytes), if may_grow { 0 } else { pause_above }),
            None => (None, self.transpositions.pause_above().min(pause_above)),
        };
        let pause = u128::from(pause).saturating_sub(self.generated());
        let part = Part {
            first_bound: next.unwrap_or(0),
            last_generated: iterations.last().map_or(0, |it| it.generated),
            pause_above: u64::try_from(pause).unwrap_or(u64::MAX),
        };
        let setting = &self.setting;
        let mut run = prepared
            .run()
            .threads(setting.threads)
            .limits(self.left())
            .count_depths(setting.count_depths)
            .on_progress((setting.on_progress)());
        if let Some(hand_out) = setting.hand_out {
            run = run.handed_out_by(hand_out);
        }
        if let Some(bytes) = table {
            run = run.transposition_table(bytes);
        }
        let mut report = self.part(run, part)?;
        if let Some(earlier) = self.finished.take() {
            report.elapsed += earlier.elapsed;
            report.preparation += earlier.preparation;
            report.put_before(earlier);
        }
        let next = report.next_bound;
        self.finished = Some(report);
        Ok(next)
    }

    /// Try a transposition table, if it is time for that. Return whether it is used from now on.
    pub(crate) fn try_table(&mut self, prepared: &search::Searcher) -> bool {
        let Some(report) = self.finished.take() else {
            return self.has_table();
        };
        let finished = iterations_of(&report.iterations);
        let next = report.next_bound;
        let steps = steps_of_node(self.setting.estimate);
        let mut transpositions = self.transpositions.clone();
        let search = |table: WithTable| {
            let limits = Limits {
                nodes: Some(table.most_nodes),
                ..self.left()
            };
            let run = prepared.run().limits(limits);
            let run = run.transposition_table(table.bytes);
            let report = self.part(run, only(&table)).ok()?;
            Some(searched_with_table(&report))
        };
        let between = Deepening {
            finished: &finished,
            next,
        };
        let tried = transpositions.try_table(between, f64::INFINITY, steps, search);
        let used = tried.and_then(|tried| tried.finished);
        if let (Some(with_table), Some(bytes)) = (used, transpositions.most_bytes())
            && let Some(words) = words(&finished, &with_table, next.unwrap_or(0), bytes)
        {
            self.setting.host.note(words);
        }
        self.transpositions = transpositions;
        self.finished = Some(report);
        self.has_table()
    }

    fn part(&self, mut run: Run<'_>, part: Part) -> Result<SolveReport, StateMismatch> {
        run.ida_star_part(self.setting.start, self.setting.estimate, part)
    }

    /// Search all bounds with one machine.
    ///
    /// # Errors
    /// When the start isn't a state of the game.
    pub(crate) fn search_all(
        mut self,
        prepared: &search::Searcher,
    ) -> Result<SolveReport, StateMismatch> {
        while self.search(prepared, u64::MAX)?.is_some() {
            self.try_table(prepared);
        }
        Ok(self.into_report())
    }

    /// Return the report of a search that is at its end.
    pub(crate) fn into_report(self) -> SolveReport {
        self.finished.expect("something was searched")
    }
}

/// Describe a try that decided for a transposition table, for a search that continues with a bound.
fn words(without: &[Iteration], with: &[Iteration], next: u64, bytes: usize) -> Option<String> {
    let with = with.last()?;
    let before = without.iter().rev().find(|it| it.bound == with.bound)?;
    Some(format!(
        "from bound {next} on, a transposition table of {} is used: with one, bound {} takes {} \
         nodes instead of {}",
        format_bytes(bytes as u128),
        with.bound,
        group_digits(u128::from(with.nodes)),
        group_digits(u128::from(before.nodes)),
    ))
}
