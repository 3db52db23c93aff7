//! Plans that were carried out.

use std::io::{self, Write};

use super::steps::show_way;
use crate::game::Game;
use crate::show::{Show, Style};
use crate::solve::plan::{PlanRecord, PlanReport, PlanTotals, PlanVerdict};
use crate::text::Exact;
use crate::text::units::count;

impl Show for PlanReport {
    fn show(&self, _: &Style<'_>, out: &mut dyn Write) -> io::Result<()> {
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

impl PlanReport {
    /// Write the states that the plan leads through, if it can be carried out.
    ///
    /// # Errors
    /// When `out` can't be written to.
    pub fn show_states(&self, game: &Game, out: &mut dyn Write) -> io::Result<()> {
        let Some(plan) = self.carried_out() else {
            return Ok(());
        };
        let rules = game.ir().source_rules();
        let label = |source: &usize| rules[*source].label.to_string();
        let moves: Vec<String> = plan.sources.iter().map(label).collect();
        show_way(game, None, &plan.states, &moves, out)
    }
}

impl Show for PlanTotals {
    fn show(&self, _: &Style<'_>, out: &mut dyn Write) -> io::Result<()> {
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

impl PlanRecord {
    /// The names of its fields in a table for spreadsheets.
    pub const FIELDS: [&'static str; 7] = [
        "instance",
        "verdict",
        "reaches_goal",
        "cost",
        "length",
        "known_cost",
        "problems",
    ];

    /// Return its row in a table for spreadsheets.
    pub fn fields(&self) -> [String; 7] {
        let number = |n: Option<Exact>| n.map(|n| n.0.to_string()).unwrap_or_default();
        [
            self.instance.clone(),
            self.verdict.to_string(),
            self.reaches_goal.to_string(),
            number(self.cost),
            self.length.map(|n| n.to_string()).unwrap_or_default(),
            number(self.known_cost),
            self.problems.join("; "),
        ]
    }
}
