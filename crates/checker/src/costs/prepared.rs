//! The game of a certificate, with its rules resolved, and its plans.

use super::moves::{Move, Rule, Term, Test, VectorFlaw, fits, passes, tests_of};
use super::{CostFlaw, CostProblem, Line};

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
            return Err(CostFlaw {
                line: self.start.line,
                problem: CostProblem::OutsideDomains,
            });
        }
        let flaw = |line, flaw: VectorFlaw| CostFlaw {
            line,
            problem: flaw.into(),
        };
        let move_of = |rule: &Line<Rule>| {
            Move::of(&rule.item, domains).map_err(|error| flaw(rule.line, error))
        };
        let goal_of = |goal: &Line<Vec<Term>>| {
            tests_of(&goal.item, domains).map_err(|error| flaw(goal.line, error))
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
    pub(super) fn check_plan(&self, plan: &[usize], claimed: u64) -> Result<(), CostProblem> {
        let (mut state, mut next) = (self.start.to_vec(), Vec::new());
        let mut cost = 0;
        for (step, &rule) in plan.iter().enumerate() {
            let it = self.moves.get(rule);
            let it = it.ok_or(CostProblem::UnknownMove { step })?;
            if !it.carry_out(&state, &mut next) {
                return Err(CostProblem::Inapplicable { step, rule });
            }
            std::mem::swap(&mut state, &mut next);
            cost += it.cost;
        }
        if !self.is_goal(&state) {
            return Err(CostProblem::NoGoal);
        }
        if cost != claimed {
            return Err(CostProblem::CostDiffers { claimed, cost });
        }
        Ok(())
    }
}
