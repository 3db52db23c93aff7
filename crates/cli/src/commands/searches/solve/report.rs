//! What `psvn solve` prints.

use std::io::Write;
use std::time::Duration;

use drawing::BoardLayout;
use psvn_ir::{RuleId, State};
use search::{CycleDetection, LevelCount};
use serde::Serialize;

use super::pictures;
use crate::args::SolveArgs;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::table::{Align, Table};
use crate::session::Context;
use psvn::Game;
use psvn::RuleNames;
use psvn::heuristic::Heuristic;
use psvn::instance::Instance;
use psvn::solve::{Algorithm, Cycles};
use psvn::solve::{Answer, Outcome};
use psvn::solve::{NODES_TO_TELL, PreparedPruning};
use psvn::text::Exact;
use psvn::text::units::{count, format_bytes, format_seconds, format_work, per_second, wrap};

/// The width to which moves are wrapped.
const WIDTH: usize = 100;

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

#[derive(Serialize)]
struct Record<'a> {
    instance: String,
    start: String,
    solved: bool,
    /// `solved`, `no-solution`, `not-within-depth`, `not-within-cost`, `not-found`, or what stopped
    /// the search.
    outcome: &'static str,
    /// Why there is no solution, where that was proved without a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<&'a str>,
    cost: Option<Exact>,
    length: Option<usize>,
    moves: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<Vec<String>>,
    generated: Exact,
    expanded: Exact,
    pruned: Exact,
    #[serde(skip_serializing_if = "Option::is_none")]
    pruned_by_machine: Option<Exact>,
    bounds: Vec<BoundEntry>,
    /// All iterations added up, the root of each included.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    depths: Vec<DepthEntry>,
    /// What the best solution costs that a search had found when it was stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    best_so_far: Option<Exact>,
    seconds: f64,
    /// The time of preparation that no record before has.
    preparation_seconds: f64,
    generated_per_second: f64,
    /// `None` where all starts were proved to have no solution before one was chosen.
    heuristic: Option<String>,
    /// Whether it was found while a heuristic was chosen.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    found_while_choosing: bool,
    /// The options that name the choice, if the user asks for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    heuristic_options: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    heuristic_reason: Option<&'a str>,
    /// What it took to choose it, and to build or open its tables; `None` if it was given and has
    /// no tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    heuristic_seconds: Option<f64>,
    /// The bytes of its tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    heuristic_bytes: Option<u64>,
    /// Whether the heuristic never estimates too high.
    admissible: Option<bool>,
    /// `None` where nothing was searched.
    heuristic_start: Option<u64>,
    /// The cycle detection that was used, if there was a search.
    cycles: Option<&'static str>,
    known_cost: Option<Exact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states_kept: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_per_state: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duplicates: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reopened: Option<u64>,
}

#[derive(Serialize)]
struct BoundEntry {
    bound: u64,
    generated: Exact,
    expanded: Exact,
    pruned_by_machine: Exact,
    pruned_by_cycle: Exact,
}

#[derive(Serialize)]
struct DepthEntry {
    depth: usize,
    generated: Exact,
    expanded: Exact,
    pruned_by_machine: Exact,
    pruned_by_cycle: Exact,
    /// Of the generated ones, those beyond the bound on cost.
    beyond_bound: Exact,
}

impl DepthEntry {
    fn new(depth: usize, level: &LevelCount) -> Self {
        Self {
            depth,
            generated: Exact::from(level.generated),
            expanded: Exact::from(level.expanded),
            pruned_by_machine: Exact::from(level.pruned_by_machine),
            pruned_by_cycle: Exact::from(level.pruned_by_cycle),
            beyond_bound: Exact::from(level.beyond_bound),
        }
    }
}

/// Prints instances one by one, as they are solved.
pub(super) struct Printer<'a> {
    args: &'a SolveArgs,
    named: &'a Game,
    names: RuleNames<'a>,
    /// What the searches use; `None` where there is nothing to be searched.
    setting: Option<(&'a PreparedPruning, &'a Heuristic)>,
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
        setting: Option<(&'a PreparedPruning, &'a Heuristic)>,
        n_instances: usize,
    ) -> Self {
        Self {
            args,
            named,
            names: RuleNames::new(named.ir()),
            setting,
            n_instances,
            n_done: 0,
            n_solved: 0,
            generated: 0,
            pruned_by_machine: setting
                .is_some_and(|(pruning, _)| pruning.machine.is_some())
                .then_some(0),
            elapsed: Duration::ZERO,
            preparation: Duration::ZERO,
            recorded: Duration::ZERO,
            layout: None,
        }
    }

    /// The options that name the choice, if the user asks for them.
    fn options(&self) -> Option<&str> {
        let (_, heuristic) = self.setting.filter(|_| self.args.explain)?;
        heuristic.options.as_deref()
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
                write!(
                    cx.out,
                    "{}: {}, {}; ",
                    self.named.name(),
                    count(game.n_variables(), "variable"),
                    count(game.rules().len(), "rule"),
                )?;
                let Some((pruning, heuristic)) = self.setting else {
                    writeln!(cx.out, "nothing to search")?;
                    return Ok(());
                };
                writeln!(
                    cx.out,
                    "{}{}, {}",
                    self.args.algorithm.name(),
                    if heuristic.is_zero() {
                        String::new()
                    } else {
                        format!(", heuristic {}", heuristic.estimate)
                    },
                    pruning.description,
                )?;
                if let Some(reason) = &heuristic.reason {
                    writeln!(cx.out, "{} {reason}", heuristic.estimate)?;
                }
                if self.args.explain {
                    writeln!(
                        cx.out,
                        "the same without choosing: {}",
                        self.options().unwrap_or("no pattern names these tables")
                    )?;
                }
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
                    record.outcome.to_owned(),
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
                    record.proof.unwrap_or_default().to_owned(),
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
                self.generated,
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
        match self.setting {
            None => String::new(),
            Some(_) => format!(
                ", after {} of preparation",
                format_seconds(self.preparation)
            ),
        }
    }

    fn record<'s>(&'s self, solved: &'s Solved<'_>) -> Record<'s> {
        let Solved {
            instance, report, ..
        } = solved;
        let solution = report.solution();
        let game = self.named.ir();
        let heuristic = self.setting.map(|(_, heuristic)| heuristic);
        let with_tables = heuristic.filter(|it| it.estimate.patterns().is_some());
        Record {
            instance: instance.id.clone(),
            start: game.format_state(instance.state.values()),
            solved: solution.is_some(),
            outcome: outcome_code(&report.outcome),
            proof: match &report.outcome {
                Outcome::NoSolution { proof } => proof.as_deref(),
                _ => None,
            },
            cost: solution.map(|solution| Exact(solution.cost)),
            length: solution.map(search::Solution::length),
            moves: solution.map(|solution| self.labels(&solution.moves)),
            states: solution.filter(|_| self.args.show_states).map(|solution| {
                self.states(&instance.state, &solution.moves)
                    .iter()
                    .map(|state| game.format_state(state.values()))
                    .collect()
            }),
            generated: Exact(report.generated),
            expanded: Exact(report.expanded),
            pruned: Exact(report.pruned),
            pruned_by_machine: report.pruned_by_machine.map(Exact),
            bounds: report
                .iterations
                .iter()
                .map(|iteration| BoundEntry {
                    bound: iteration.bound,
                    generated: Exact::from(iteration.generated),
                    expanded: Exact::from(iteration.expanded),
                    pruned_by_machine: Exact::from(iteration.pruned_by_machine),
                    pruned_by_cycle: Exact::from(iteration.pruned_by_cycle),
                })
                .collect(),
            depths: (0..)
                .zip(&report.levels)
                .map(|(depth, level)| DepthEntry::new(depth, level))
                .collect(),
            best_so_far: report
                .best_so_far
                .as_ref()
                .map(|solution| Exact(solution.cost)),
            seconds: report.elapsed.as_secs_f64(),
            preparation_seconds: (self.preparation - self.recorded).as_secs_f64(),
            generated_per_second: per_second(report.generated, report.elapsed),
            heuristic: match solved.found_with {
                Some(found_with) => Some(found_with.to_owned()),
                None => heuristic.map(|it| it.estimate.to_string()),
            },
            found_while_choosing: solved.found_with.is_some(),
            heuristic_options: self.options(),
            heuristic_reason: heuristic.and_then(|it| it.reason.as_deref()),
            heuristic_seconds: heuristic
                .filter(|it| with_tables.is_some() || it.reason.is_some())
                .map(|it| it.elapsed.as_secs_f64()),
            heuristic_bytes: with_tables.map(|it| it.estimate.n_bytes()),
            admissible: heuristic.map(Heuristic::is_admissible),
            heuristic_start: report.heuristic_start,
            cycles: report
                .was_searched()
                .then_some(match report.cycle_detection {
                    CycleDetection::None => "none",
                    CycleDetection::Parent => "parent",
                    CycleDetection::Path => "path",
                }),
            known_cost: instance.known_cost.map(Exact),
            states_kept: report.kept.as_ref().map(|kept| kept.states),
            bytes_per_state: report.kept.as_ref().map(|kept| kept.bytes_per_state),
            peak_bytes: report.kept.as_ref().map(|kept| kept.peak_bytes),
            duplicates: report.kept.as_ref().map(|kept| kept.duplicates),
            reopened: report.kept.as_ref().map(|kept| kept.reopened),
        }
    }

    /// What is said of solutions found with a heuristic that never estimates too high.
    fn quality(&self) -> &'static str {
        let algorithm = self.args.algorithm;
        match self.args.weight {
            // With a weight of at most 1 the estimate is still no greater than what is to come.
            Some(weight)
                if matches!(algorithm, Algorithm::Wida | Algorithm::WeightedAStar)
                    && weight.numerator() <= weight.denominator() =>
            {
                Algorithm::Ida.quality()
            }
            _ => algorithm.quality(),
        }
    }

    /// The depth that is searched to, in words.
    fn depth(&self) -> String {
        let depth = self.args.depth.unwrap_or(0);
        count(usize::try_from(depth).unwrap_or(usize::MAX), "move")
    }

    fn labels(&self, moves: &[RuleId]) -> Vec<String> {
        let label = |id: &RuleId| self.named.ir().rule(*id).label.to_string();
        moves.iter().map(label).collect()
    }

    /// The states on the way, start and end included. The moves were checked to be possible.
    fn states(&self, start: &State, moves: &[RuleId]) -> Vec<State> {
        pictures::states(self.named.ir(), start, moves)
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
                let doubtful = self.setting.filter(|(_, it)| !it.is_admissible());
                let quality = match doubtful {
                    None => self.quality().to_owned(),
                    Some((_, heuristic)) => format!(
                        ", perhaps not the least cost: {} may estimate too high",
                        heuristic.estimate
                    ),
                };
                writeln!(
                    out,
                    "  solved in {}, cost {}{quality}",
                    count(solution.length(), "move"),
                    solution.cost
                )?;
                if let Some(layout) = &self.layout {
                    let states = self.states(&instance.state, &solution.moves);
                    let names = self.names.names(&solution.moves);
                    pictures::print(layout, self.named, &states, &names, out)?;
                } else if self.args.show_states {
                    let mut table =
                        Table::new([("", Align::Right), ("", Align::Left), ("", Align::Left)]);
                    let states = self.states(&instance.state, &solution.moves);
                    let moves = std::iter::once("start".to_owned())
                        .chain(self.names.names(&solution.moves));
                    for (step, (state, name)) in states.iter().zip(moves).enumerate() {
                        table.row([step.to_string(), name, game.format_state(state.values())]);
                    }
                    table.print_body(out)?;
                } else {
                    for line in wrap(&self.labels(&solution.moves), WIDTH) {
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
                write!(out, "  not solved: {reason}")?;
                match report.iterations.last() {
                    Some(last) => writeln!(out, "; the last bound was {}", last.bound)?,
                    None => writeln!(out)?,
                }
                if let Some(best) = &report.best_so_far {
                    writeln!(
                        out,
                        "  the best solution so far costs {}; it may not be the best there is",
                        best.cost
                    )?;
                    for line in wrap(&self.labels(&best.moves), WIDTH) {
                        writeln!(out, "    {line}")?;
                    }
                }
            }
        }
        let heuristic = self
            .setting
            .map(|(_, heuristic)| heuristic.estimate.to_string());
        let is_other = |other: &&str| heuristic.as_deref() != Some(*other);
        if let Some(other) = solved.found_with.filter(is_other) {
            writeln!(out, "  found with {other}, while the heuristic was chosen")?;
        }
        writeln!(
            out,
            "  {} generated, {} expanded, {} {}; {}{}",
            report.generated,
            report.expanded,
            report.pruned,
            if report.kept.is_some() {
                "seen before"
            } else {
                "pruned"
            },
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
                    n => format!("; {n} expanded again"),
                }
            )?;
        }
        if let Some(table) = &report.table {
            writeln!(
                out,
                "  {} look-ups in the table, {} cut off by it",
                table.lookups, table.cutoffs
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
                table.row([iteration.bound.to_string(), iteration.generated.to_string()]);
            }
            table.print(out)?;
        }
        Ok(())
    }
}

/// The counts by bound and by depth, each in a table.
fn stats(report: &Answer, cx: &mut Context) -> Result<(), Failure> {
    let heads = |first, last: &[&'static str]| {
        let names = ["generated", "expanded", "by machine", "by cycles"];
        let names = [first].into_iter().chain(names).chain(last.iter().copied());
        Table::new(names.map(|name| (name, Align::Right)))
    };
    let row = |cells: &[u64]| cells.iter().map(u64::to_string).collect::<Vec<_>>();
    if !report.iterations.is_empty() {
        let mut table = heads("bound", &[]);
        for it in &report.iterations {
            table.row(row(&[
                it.bound,
                it.generated,
                it.expanded,
                it.pruned_by_machine,
                it.pruned_by_cycle,
            ]));
        }
        table.print(&mut cx.out)?;
    }
    if !report.levels.is_empty() {
        let mut table = heads("depth", &["beyond bound"]);
        for (depth, it) in (0..).zip(&report.levels) {
            table.row(row(&[
                depth,
                it.generated,
                it.expanded,
                it.pruned_by_machine,
                it.pruned_by_cycle,
                it.beyond_bound,
            ]));
        }
        writeln!(cx.out)?;
        table.print(&mut cx.out)?;
    }
    Ok(())
}

fn outcome_code(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Solved(_) => "solved",
        Outcome::NoSolution { .. } => "no-solution",
        Outcome::NotFound => "not-found",
        Outcome::NotWithinDepth => "not-within-depth",
        Outcome::NotWithinCost => "not-within-cost",
        Outcome::Stopped(reason) => reason.code(),
    }
}
