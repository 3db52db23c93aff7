//! What `psvn check-plan` says of plans.

use std::io::Write;

use checker::CheckedPlan;
use psvn_ir::{Game, State};
use serde::Serialize;

use crate::args::CheckPlanArgs;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::table::{Align, Table};
use crate::session::Context;
use psvn::Game as NamedGame;
use psvn::solve::plan::Plan;
use psvn::text::Exact;
use psvn::text::units::count;

/// Whether a plan can be carried out.
pub(super) enum Verdict {
    CarriedOut(CheckedPlan),
    /// Why not.
    Impossible(String),
    /// The file says that there is no plan for the instance.
    NoPlan,
}

/// A plan with all that is to be said of it.
pub(super) struct Checked {
    name: String,
    start: State,
    verdict: Verdict,
    /// What is wrong with it.
    problems: Vec<String>,
    /// `None` when nothing was to be compared with; else the known least cost, if there is one.
    known: Option<Option<u128>>,
}

impl Checked {
    pub(super) fn new(
        name: String,
        start: State,
        plan: &Plan,
        verdict: Verdict,
        known: Option<Option<u128>>,
    ) -> Self {
        let mut problems = Vec::new();
        match &verdict {
            Verdict::NoPlan => {}
            Verdict::Impossible(reason) => problems.push(reason.clone()),
            Verdict::CarriedOut(carried_out) => {
                let (cost, length) = (carried_out.cost, carried_out.sources.len());
                if !carried_out.reaches_goal {
                    problems.push("it doesn't end in a goal state".to_owned());
                }
                if let Some(claimed) = plan.cost.filter(|claimed| *claimed != cost) {
                    problems.push(format!("it is said to cost {claimed}, and costs {cost}"));
                }
                if let Some(claimed) = plan.length.filter(|claimed| *claimed != length) {
                    problems.push(format!(
                        "it is said to have {}, and has {length}",
                        count(claimed, "move")
                    ));
                }
                match known.flatten() {
                    Some(known) if carried_out.reaches_goal && cost > known => {
                        problems.push(format!("it costs {cost}, and the least cost is {known}"));
                    }
                    Some(known) if carried_out.reaches_goal && cost < known => {
                        problems.push(format!(
                            "it costs {cost}, less than the known least cost {known}: the table is wrong"
                        ));
                    }
                    _ => {}
                }
            }
        }
        Self {
            name,
            start,
            verdict,
            problems,
            known,
        }
    }

    pub(super) fn is_fine(&self) -> bool {
        self.problems.is_empty()
    }

    /// A word for it: `right`, `optimal`, `wrong`, `no-plan`.
    fn word(&self) -> &'static str {
        match (&self.verdict, self.known) {
            (Verdict::NoPlan, _) => "no-plan",
            _ if !self.is_fine() => "wrong",
            (_, Some(Some(_))) => "optimal",
            _ => "right",
        }
    }

    fn carried_out(&self) -> Option<&CheckedPlan> {
        match &self.verdict {
            Verdict::CarriedOut(carried_out) => Some(carried_out),
            _ => None,
        }
    }
}

#[derive(Serialize)]
struct Record<'a> {
    instance: &'a str,
    start: String,
    verdict: &'static str,
    reaches_goal: bool,
    cost: Option<Exact>,
    length: Option<usize>,
    known_cost: Option<Exact>,
    problems: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<Vec<String>>,
}

/// Prints plans as they are checked.
pub(super) struct Printer<'a> {
    show_states: bool,
    game: &'a Game,
    n_right: usize,
    n_wrong: usize,
    n_without: usize,
    n_unknown: usize,
}

impl<'a> Printer<'a> {
    pub(super) fn new(args: &CheckPlanArgs, named: &'a NamedGame) -> Self {
        Self {
            show_states: args.show_states,
            game: named.ir(),
            n_right: 0,
            n_wrong: 0,
            n_without: 0,
            n_unknown: 0,
        }
    }

    pub(super) fn head(&self, cx: &mut Context) -> Result<(), Failure> {
        match cx.format {
            Format::Text | Format::Json => Ok(()),
            Format::Csv => cx.out.csv([
                "instance",
                "verdict",
                "reaches_goal",
                "cost",
                "length",
                "known_cost",
                "problems",
            ]),
        }
    }

    pub(super) fn plan(&mut self, checked: &Checked, cx: &mut Context) -> Result<(), Failure> {
        match checked.word() {
            "no-plan" => self.n_without += 1,
            "wrong" => self.n_wrong += 1,
            _ => self.n_right += 1,
        }
        self.n_unknown += usize::from(checked.known == Some(None));
        match cx.format {
            Format::Text => self.text(checked, cx),
            Format::Json => cx.out.json_line(&self.record(checked)),
            Format::Csv => {
                let record = self.record(checked);
                let number = |n: Option<Exact>| n.map(|n| n.0.to_string()).unwrap_or_default();
                cx.out.csv([
                    record.instance.to_owned(),
                    record.verdict.to_owned(),
                    record.reaches_goal.to_string(),
                    number(record.cost),
                    record.length.map(|n| n.to_string()).unwrap_or_default(),
                    number(record.known_cost),
                    record.problems.join("; "),
                ])
            }
        }
    }

    pub(super) fn end(&self, cx: &mut Context) -> Result<(), Failure> {
        if cx.format != Format::Text || self.n_right + self.n_wrong + self.n_without < 2 {
            return Ok(());
        }
        write!(
            cx.out,
            "{}: {} right, {} wrong",
            count(self.n_right + self.n_wrong, "plan"),
            self.n_right,
            self.n_wrong
        )?;
        if self.n_without > 0 {
            write!(
                cx.out,
                "; {} without a plan",
                count(self.n_without, "instance")
            )?;
        }
        if self.n_unknown > 0 {
            write!(cx.out, "; {} without a known least cost", self.n_unknown)?;
        }
        writeln!(cx.out)?;
        Ok(())
    }

    fn record<'c>(&self, checked: &'c Checked) -> Record<'c> {
        let carried_out = checked.carried_out();
        let text = |state: &State| self.game.format_state(state.values());
        Record {
            instance: &checked.name,
            start: text(&checked.start),
            verdict: checked.word(),
            reaches_goal: carried_out.is_some_and(|carried_out| carried_out.reaches_goal),
            cost: carried_out.map(|carried_out| Exact(carried_out.cost)),
            length: carried_out.map(|carried_out| carried_out.sources.len()),
            known_cost: checked.known.flatten().map(Exact),
            problems: &checked.problems,
            states: carried_out
                .filter(|_| self.show_states)
                .map(|carried_out| carried_out.states.iter().map(text).collect()),
        }
    }

    fn text(&self, checked: &Checked, cx: &mut Context) -> Result<(), Failure> {
        let out = &mut cx.out;
        let name = &checked.name;
        match (&checked.verdict, checked.is_fine()) {
            (Verdict::NoPlan, _) => writeln!(out, "{name}: no plan")?,
            (Verdict::CarriedOut(plan), true) => {
                let optimal = match checked.known {
                    Some(Some(_)) => ", the least",
                    Some(None) => "; the least cost is not known",
                    None => "",
                };
                writeln!(
                    out,
                    "{name}: right, {}, cost {}{optimal}",
                    count(plan.sources.len(), "move"),
                    plan.cost
                )?;
            }
            _ => {
                for problem in &checked.problems {
                    writeln!(out, "{name}: wrong: {problem}")?;
                }
            }
        }
        if let Some(plan) = checked.carried_out().filter(|_| self.show_states) {
            let mut table = Table::new([("", Align::Right), ("", Align::Left), ("", Align::Left)]);
            let label = |source: &usize| self.game.source_rules()[*source].label.to_string();
            let moves = std::iter::once("start".to_owned()).chain(plan.sources.iter().map(label));
            for (step, (state, name)) in plan.states.iter().zip(moves).enumerate() {
                table.row([
                    step.to_string(),
                    name,
                    self.game.format_state(state.values()),
                ]);
            }
            table.print_body(out)?;
        }
        Ok(())
    }
}
