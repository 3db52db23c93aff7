//! The game of a certificate, with its rules resolved, and its plans.

use std::sync::Arc;

use crate::costs::flaw::{CostFlaw, CostProblem};
use crate::costs::setting::moves::{Move, Rule, Term, Test, VectorFlaw, fits, passes, tests_of};
use crate::costs::shared::Line;

/// A start state.
pub(crate) type Start = Line<Vec<u32>>;

/// What every certificate begins with: domains, rules and goals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) domains: Vec<u32>,
    pub(crate) rules: Vec<Line<Rule>>,
    pub(crate) goals: Vec<Line<Vec<Term>>>,
}

/// A game whose rules keep values in their domains, and a start. Moves are rules that were
/// resolved.
#[derive(Clone)]
pub(crate) struct Prepared<'c> {
    pub(crate) domains: &'c [u32],
    pub(crate) start: &'c [u32],
    pub(crate) rules: &'c [Line<Rule>],
    pub(crate) moves: Arc<[Move]>,
    pub(crate) goals: Arc<[Vec<Test>]>,
}

impl Setting {
    pub(crate) fn prepare<'c>(&'c self, start: &'c Start) -> Result<Prepared<'c>, CostFlaw> {
        let domains = &self.domains;
        check_start(domains, start)?;
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
            start: &start.item,
            rules: &self.rules,
            moves: self.rules.iter().map(move_of).collect::<Result<_, _>>()?,
            goals: self.goals.iter().map(goal_of).collect::<Result<_, _>>()?,
        })
    }
}

fn check_start(domains: &[u32], start: &Start) -> Result<(), CostFlaw> {
    if fits(domains, &start.item) {
        return Ok(());
    }
    Err(CostFlaw {
        line: start.line,
        problem: CostProblem::OutsideDomains,
    })
}

impl<'c> Prepared<'c> {
    /// The same game with another start.
    pub(crate) fn with_start(&self, start: &'c Start) -> Result<Self, CostFlaw> {
        check_start(self.domains, start)?;
        Ok(Self {
            start: &start.item,
            ..self.clone()
        })
    }

    /// The same game with other moves, such as the letters of a machine.
    pub(crate) fn with_moves(&self, moves: &Arc<[Move]>) -> Self {
        Self {
            moves: Arc::clone(moves),
            ..self.clone()
        }
    }

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
