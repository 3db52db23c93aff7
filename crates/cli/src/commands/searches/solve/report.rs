//! What `psvn solve` prints.

use std::io::Write;
use std::time::Duration;

use drawing::BoardLayout;
use psvn::instance::Instance;
use psvn::solve::{
    Algorithm, Answer, Cycles, NODES_TO_TELL, Outcome, Proved, RecordContext, SolveRecord, labels,
    states_on_the_way,
};
use psvn::text::units::{count, format_bytes, format_seconds, format_work, group_digits, wrap};
use psvn::text::{Exact, Terms};
use psvn::{CycleDetection, Game, RuleNames, Searcher};

use super::pictures;
use crate::args::SolveArgs;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::table::{Align, Table};
use crate::output::terms::CommandTerms;
use crate::session::Context;

/// The width to which text is wrapped.
const WIDTH: usize = 80;

/// One instance with what became of it.
pub(super) struct Solved<'a> {
    instance: &'a Instance,
    report: &'a Answer,
    /// The heuristic that it was found with, if that was while one was chosen.
    found_with: Option<&'a str>,
}

impl<'a> Solved<'a> {
    pub(super) fn new(
        instance: &'a Instance,
        report: &'a Answer,
        found_with: Option<&'a str>,
    ) -> Self {
        Self {
            instance,
            report,
            found_with,
        }
    }
}

/// Prints instances one by one, as they are solved.
pub(super) struct Printer<'a> {
    args: &'a SolveArgs,
    named: &'a Game,
    names: RuleNames<'a>,
    /// The search; `None` where there is nothing to be searched.
    searcher: Option<&'a Searcher>,
    n_instances: usize,
    n_done: usize,
    n_solved: usize,
    generated: u128,
    /// What the machine pruned; `None` without one.
    pruned_by_machine: Option<u128>,
    elapsed: Duration,
    /// The time of preparation, first that before the searches.
    pub(super) preparation: Duration,
    /// The part of it that a record has.
    recorded: Duration,
    /// How states are shown as boards, if they are.
    pub(super) layout: Option<BoardLayout>,
}

impl<'a> Printer<'a> {
    pub(super) fn new(
        args: &'a SolveArgs,
        named: &'a Game,
        searcher: Option<&'a Searcher>,
        n_instances: usize,
    ) -> Self {
        Self {
            args,
            named,
            names: RuleNames::new(named.ir()),
            searcher,
            n_instances,
            n_done: 0,
            n_solved: 0,
            generated: 0,
            pruned_by_machine: searcher
                .is_some_and(|searcher| searcher.pruning().machine.is_some())
                .then_some(0),
            elapsed: Duration::ZERO,
            preparation: Duration::ZERO,
            recorded: Duration::ZERO,
            layout: None,
        }
    }

    /// The options that name the choice, if the user asks for them.
    fn options(&self) -> Option<String> {
        let searcher = self.searcher.filter(|_| self.args.explain)?;
        searcher.heuristic().settings_in_terms_of(&CommandTerms)
    }

    /// What the machine has pruned in all searches; `None` without one, or if they were too small
    /// to tell.
    pub(super) fn pruned_by_machine(&self) -> Option<u128> {
        self.pruned_by_machine
            .filter(|_| self.generated >= NODES_TO_TELL)
    }

    /// What comes before the first instance.
    pub(super) fn head(&self, cx: &mut Context) -> Result<(), Failure> {
        match cx.format {
            Format::Text => {
                let game = self.named.ir();
                writeln!(
                    cx.out,
                    "{}: {}, {}",
                    self.named.name(),
                    count(game.n_variables(), "variable"),
                    count(game.rules().len(), "rule"),
                )?;
                let Some(searcher) = self.searcher else {
                    writeln!(cx.out, "nothing to search")?;
                    return cx.out.finish();
                };
                let (pruning, heuristic) = (searcher.pruning(), searcher.heuristic());
                let by = match (heuristic.is_zero(), self.args.algorithm.takes_heuristic()) {
                    (false, _) => format!(", heuristic {}", heuristic.estimate),
                    (true, true) => ", no heuristic".to_owned(),
                    (true, false) => String::new(),
                };
                let algorithm = self.args.algorithm.name();
                let search = format!("{algorithm}{by}, {}", pruning.description);
                paragraph(&search, &mut cx.out)?;
                if let Some(reason) = &heuristic.reason {
                    // A clause a line: where they end doesn't depend on how times are written.
                    let reason = reason.replace("; ", "\n  ");
                    writeln!(cx.out, "{} {reason}", heuristic.estimate)?;
                }
                if self.args.explain {
                    writeln!(
                        cx.out,
                        "the same without choosing: {}",
                        self.options()
                            .unwrap_or_else(|| "no pattern names these tables".to_owned())
                    )?;
                }
                // What is tried should be known while it is tried.
                cx.out.finish()?;
            }
            Format::Json => {}
            Format::Csv => cx.out.csv([
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
            ])?,
        }
        Ok(())
    }

    /// One instance.
    pub(super) fn instance(
        &mut self,
        solved: &Solved<'_>,
        cx: &mut Context,
    ) -> Result<(), Failure> {
        let report = solved.report;
        self.n_done += 1;
        self.n_solved += usize::from(report.solution().is_some());
        self.generated += report.generated;
        if let (Some(sum), Some(pruned)) = (&mut self.pruned_by_machine, report.pruned_by_machine) {
            *sum += pruned;
        }
        self.elapsed += report.elapsed;
        self.preparation += report.preparation;
        match cx.format {
            Format::Text => self.text(solved, cx)?,
            Format::Json => cx.out.json_line(&self.record(solved))?,
            Format::Csv => {
                let record = self.record(solved);
                let number = |n: Option<Exact>| n.map(|n| n.0.to_string()).unwrap_or_default();
                cx.out.csv([
                    record.instance,
                    record.outcome.into_owned(),
                    number(record.cost),
                    record.length.map(|n| n.to_string()).unwrap_or_default(),
                    number(Some(record.generated)),
                    number(Some(record.expanded)),
                    number(Some(record.pruned)),
                    record.seconds.to_string(),
                    record.preparation_seconds.to_string(),
                    record
                        .moves
                        .map(|moves| moves.join(" "))
                        .unwrap_or_default(),
                    record.proof.unwrap_or_default(),
                ])?;
            }
        }
        self.recorded = self.preparation;
        cx.out.finish()
    }

    /// What comes behind the last instance.
    pub(super) fn end(&self, cx: &mut Context) -> Result<(), Failure> {
        if cx.format == Format::Text && self.n_instances > 1 {
            writeln!(
                cx.out,
                "\n{} of {} solved; {} generated, {}{}",
                self.n_solved,
                count(self.n_instances, "instance"),
                group_digits(self.generated),
                format_work(self.generated, self.elapsed),
                self.after_preparation(),
            )?;
            if self.n_done < self.n_instances {
                writeln!(cx.out, "{} not tried", self.n_instances - self.n_done)?;
            }
        }
        Ok(())
    }

    /// How long all took that was done before the searches, or once for all of them.
    fn after_preparation(&self) -> String {
        match self.searcher {
            None => String::new(),
            Some(_) => format!(
                ", after {} of preparation",
                format_seconds(self.preparation)
            ),
        }
    }

    fn record(&self, solved: &Solved<'_>) -> SolveRecord {
        let context = RecordContext {
            searcher: self.searcher,
            found_with: solved.found_with,
            with_states: self.args.show_states,
            heuristic_terms: self.args.explain.then_some(&CommandTerms as &dyn Terms),
            preparation: self.preparation - self.recorded,
        };
        SolveRecord::of(self.named, solved.instance, solved.report, context)
    }

    /// The depth that is searched to, in words.
    fn depth(&self) -> String {
        let depth = self.args.depth.unwrap_or(0);
        count(usize::try_from(depth).unwrap_or(usize::MAX), "move")
    }

    fn text(&self, solved: &Solved<'_>, cx: &mut Context) -> Result<(), Failure> {
        let Solved {
            instance, report, ..
        } = solved;
        let verbose = cx.log.is_verbose();
        let out = &mut cx.out;
        let game = self.named.ir();
        writeln!(out)?;
        if self.n_instances > 1 {
            write!(out, "{}: ", instance.id)?;
        }
        writeln!(out, "{}", game.format_state(instance.state.values()))?;
        match &report.outcome {
            Outcome::Solved(solution) => {
                let heuristic = self.searcher.map(Searcher::heuristic);
                let doubtful = heuristic.filter(|it| !it.is_admissible());
                let quality = match doubtful {
                    None => self.args.options().quality().to_owned(),
                    Some(heuristic) => format!(
                        ", perhaps not the least cost: {} may estimate too high",
                        heuristic.estimate
                    ),
                };
                let is_known = instance.known_cost == Some(solution.cost);
                writeln!(
                    out,
                    "  solved in {}, cost {}{quality}{}",
                    count(solution.length(), "move"),
                    group_digits(solution.cost),
                    if is_known { ", as is known" } else { "" }
                )?;
                if let Some(layout) = &self.layout {
                    let states = states_on_the_way(self.named, &instance.state, &solution.moves);
                    let names = self.names.names(&solution.moves);
                    pictures::print(layout, self.named, &states, &names, out)?;
                } else if self.args.show_states {
                    let mut table =
                        Table::new([("", Align::Right), ("", Align::Left), ("", Align::Left)]);
                    let states = states_on_the_way(self.named, &instance.state, &solution.moves);
                    let moves = std::iter::once("start".to_owned())
                        .chain(self.names.names(&solution.moves));
                    for (step, (state, name)) in states.iter().zip(moves).enumerate() {
                        table.row([step.to_string(), name, game.format_state(state.values())]);
                    }
                    table.print_body(out)?;
                } else {
                    for line in wrap(&labels(self.named, &solution.moves), WIDTH - 4) {
                        writeln!(out, "    {line}")?;
                    }
                }
            }
            Outcome::NoSolution { proof: None } => writeln!(out, "  no solution exists")?,
            Outcome::NoSolution { proof: Some(proof) } => {
                writeln!(out, "  no solution exists: {proof}")?;
                return Ok(());
            }
            Outcome::NotWithinDepth => writeln!(out, "  no solution of at most {}", self.depth())?,
            Outcome::NotFound => writeln!(
                out,
                "  no solution found within {}; a closed set may miss one of that length",
                self.depth()
            )?,
            Outcome::NotWithinCost => writeln!(
                out,
                "  no solution that costs at most {}",
                self.args.cost_bound.unwrap_or(0)
            )?,
            Outcome::Stopped(reason) => {
                let proved = self.searcher.and_then(|it| it.proved(report));
                let last = || report.iterations.last();
                match (proved, last()) {
                    (Some(Proved::CostsAtLeast(cost)), _) => writeln!(
                        out,
                        "  not solved: {reason}; every solution costs at least {}",
                        group_digits(u128::from(cost))
                    )?,
                    (Some(Proved::HasMoves(moves)), _) => writeln!(
                        out,
                        "  not solved: {reason}; every solution has at least {}",
                        count(usize::try_from(moves).unwrap_or(usize::MAX), "move")
                    )?,
                    (None, Some(last)) => writeln!(
                        out,
                        "  not solved: {reason}; the last bound was {}",
                        last.bound
                    )?,
                    (None, None) => writeln!(out, "  not solved: {reason}")?,
                }
                if let Some(best) = &report.best_so_far {
                    writeln!(
                        out,
                        "  the best solution so far costs {}; it may not be the best there is",
                        best.cost
                    )?;
                    for line in wrap(&labels(self.named, &best.moves), WIDTH - 4) {
                        writeln!(out, "    {line}")?;
                    }
                }
            }
        }
        let heuristic = self
            .searcher
            .map(|searcher| searcher.heuristic().estimate.to_string());
        let is_other = |other: &&str| heuristic.as_deref() != Some(*other);
        if let Some(other) = solved.found_with.filter(is_other) {
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
        writeln!(
            out,
            "  {}{}",
            format_work(report.generated, report.elapsed),
            match self.n_instances {
                1 => self.after_preparation(),
                _ => String::new(),
            },
        )?;
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
        if let Some(table) = &report.table {
            writeln!(
                out,
                "  {} look-ups in the table, {} cut off by it",
                group_digits(u128::from(table.lookups)),
                group_digits(u128::from(table.cutoffs))
            )?;
        }
        if report.cycle_detection == CycleDetection::Path && self.args.cycles != Cycles::Path {
            writeln!(
                out,
                "  no path came to a state twice, since some rules cost nothing (--cycles path)"
            )?;
        }
        if self.args.stats {
            stats(report, cx)?;
        } else if verbose && !report.iterations.is_empty() && self.args.algorithm != Algorithm::Dfs
        {
            let mut table = Table::new([("bound", Align::Right), ("generated", Align::Right)]);
            for iteration in &report.iterations {
                let generated = group_digits(u128::from(iteration.generated));
                table.row([iteration.bound.to_string(), generated]);
            }
            table.print(out)?;
        }
        Ok(())
    }
}

/// Prints a sentence in lines that fit, all but the first one indented.
fn paragraph(text: &str, out: &mut impl Write) -> std::io::Result<()> {
    let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    for (number, line) in wrap(&words, WIDTH - 2).into_iter().enumerate() {
        let indent = if number == 0 { "" } else { "  " };
        writeln!(out, "{indent}{line}")?;
    }
    Ok(())
}

/// The counts by bound and by depth, each in a table. A search that knows states again prunes
/// nothing, and has no bounds.
fn stats(report: &Answer, cx: &mut Context) -> Result<(), Failure> {
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
        let mut bounds = table("bound", 5);
        for it in &report.iterations {
            bounds.row(row(&[
                it.bound,
                it.generated,
                it.expanded,
                it.pruned_by_machine,
                it.pruned_by_cycle,
            ]));
        }
        bounds.print(&mut cx.out)?;
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
        writeln!(cx.out)?;
        depths.print(&mut cx.out)?;
    }
    Ok(())
}
