//! The game of a certificate, with its rules resolved, and its plans.

use super::moves::{Move, Rule, Term, Test, fits, passes, tests_of};
use super::{CostFlaw, Line};

/// What every certificate begins with: domains, rules, goals and a start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) domains: Vec<u32>,
    pub(super) rules: Vec<Line<Rule>>,
    pub(super) goals: Vec<Line<Vec<Term>>>,
    pub(super) start: Line<Vec<u32>>,
}

/// A setting whose rules keep values in their domains.
pub(super) struct Prepared<'c> {
    pub(super) domains: &'c [u32],
    pub(super) start: &'c [u32],
    pub(super) moves: Vec<Move>,
    pub(super) goals: Vec<Vec<Test>>,
}

impl Setting {
    pub(super) fn prepare(&self) -> Result<Prepared<'_>, CostFlaw> {
        let domains = &self.domains;
        if !fits(domains, &self.start.item) {
            let line = self.start.line;
            return Err(CostFlaw::OutsideDomains { line });
        }
        let move_of = |rule: &Line<Rule>| {
            let line = rule.line;
            Move::of(&rule.item, domains).map_err(|flaw| CostFlaw::Vector { line, flaw })
        };
        let goal_of = |goal: &Line<Vec<Term>>| {
            let line = goal.line;
            tests_of(&goal.item, domains).map_err(|flaw| CostFlaw::Vector { line, flaw })
        };
        Ok(Prepared {
            domains,
            start: &self.start.item,
            moves: self.rules.iter().map(move_of).collect::<Result<_, _>>()?,
            goals: self.goals.iter().map(goal_of).collect::<Result<_, _>>()?,
        })
    }
}

impl Prepared<'_> {
    pub(super) fn is_goal(&self, state: &[u32]) -> bool {
        self.goals.iter().any(|tests| passes(tests, state))
    }

    /// Check that the rules, by their numbers from 0, lead from the start to a goal at this cost.
    pub(super) fn check_plan(&self, plan: &[usize], claimed: u64) -> Result<(), CostFlaw> {
        let mut state = self.start.to_vec();
        let mut cost = 0;
        for (step, rule) in plan.iter().enumerate() {
            let it = self
                .moves
                .get(*rule)
                .ok_or(CostFlaw::UnknownRule { step })?;
            let next = it.carry_out(&state);
            state = next.ok_or(CostFlaw::Inapplicable { step, rule: *rule })?;
            cost += it.cost;
        }
        if !self.is_goal(&state) {
            return Err(CostFlaw::NoGoal);
        }
        if cost != claimed {
            return Err(CostFlaw::CostDiffers { claimed, cost });
        }
        Ok(())
    }
}
