//! The game of a certificate, with its rules resolved, and its plans.

use crate::costs::flaw::{CostFlaw, CostProblem};
use crate::costs::setting::moves::{Move, Rule, Term, Test, VectorFlaw, fits, passes, tests_of};
use crate::costs::shared::Line;

/// What every certificate begins with: domains, rules, goals and a start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) domains: Vec<u32>,
    pub(crate) rules: Vec<Line<Rule>>,
    pub(crate) goals: Vec<Line<Vec<Term>>>,
    pub(crate) start: Line<Vec<u32>>,
}

/// A setting whose rules keep values in their domains.
pub(crate) struct Prepared<'c> {
    pub(crate) domains: &'c [u32],
    pub(crate) start: &'c [u32],
    pub(crate) moves: Vec<Move>,
    pub(crate) goals: Vec<Vec<Test>>,
}

impl Setting {
    pub(crate) fn prepare(&self) -> Result<Prepared<'_>, CostFlaw> {
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
    pub(crate) fn is_goal(&self, state: &[u32]) -> bool {
        self.goals.iter().any(|tests| passes(tests, state))
    }

    /// Check that the rules, by their numbers from 0, lead from the start to a goal at this cost.
    pub(crate) fn check_plan(&self, plan: &[usize], claimed: u64) -> Result<(), CostProblem> {
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
