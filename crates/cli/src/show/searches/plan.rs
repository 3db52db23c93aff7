//! Plans that were carried out.

use std::io::{self, Write};

use psvn::Game;
use psvn::solve::plan::{PlanRecord, PlanReport, PlanTotals, PlanVerdict};
use psvn::text::units::count;

use super::steps::show_way;
use crate::show::row::columns;
use crate::show::{Show, Style};

impl Show for PlanReport {
    fn show(&self, _: &Style, out: &mut dyn Write) -> io::Result<()> {
        let checked = self;
        let name = &checked.name;
        match (&checked.verdict, checked.is_fine()) {
            (PlanVerdict::NoPlan, _) => writeln!(out, "{name}: no plan")?,
            (PlanVerdict::CarriedOut(plan), true) => {
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
        Ok(())
    }
}

/// Write the states that the plan leads through, if it can be carried out.
///
/// # Errors
/// When `out` can't be written to.
pub(crate) fn show_plan_states(
    report: &PlanReport,
    game: &Game,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(plan) = report.carried_out() else {
        return Ok(());
    };
    let rules = game.ir().source_rules();
    let label = |source: &usize| rules[*source].label.to_string();
    let moves: Vec<String> = plan.sources.iter().map(label).collect();
    show_way(game, None, &plan.states, &moves, out)
}

impl Show for PlanTotals {
    fn show(&self, _: &Style, out: &mut dyn Write) -> io::Result<()> {
        let plans = count(self.right + self.wrong, "plan");
        write!(out, "{plans}: {} right, {} wrong", self.right, self.wrong)?;
        if self.without > 0 {
            write!(out, "; {} without a plan", count(self.without, "instance"))?;
        }
        if self.unknown > 0 {
            let unknown = self.unknown;
            write!(out, "; {unknown} without a known least cost")?;
        }
        writeln!(out)
    }
}

columns!(
    PlanRecord:
    instance,
    verdict,
    reaches_goal,
    cost,
    length,
    known_cost,
    problems = |plan| plan.problems.join("; "),
);
