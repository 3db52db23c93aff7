//! The linear program whose solutions are potentials.

use std::collections::HashMap;
use std::time::Duration;

use microlp::{
    ComparisonOp, LinearExpr, OptimizationDirection, Problem, ResumeOptions, SolveOptions,
    SolveOutcome, Variable,
};
use psvn_ir::{CanonicalRule, Game, Value};

use super::super::sums::{Moved, Positions};
use super::facts::Facts;
use crate::effort::Effort;
use crate::refusal::Refusal;
use crate::structure::goal_facts::GoalFacts;

/// The maximum number of terms of all conditions.
const MAX_TERMS: usize = 1 << 20;

/// The bytes of a term: here, in the solver's rows and columns, and in what it makes of them.
const BYTES_OF_TERM: usize = 64;

/// The time between two looks at the limits.
const SLICE: Duration = Duration::from_millis(50);

/// How far potentials may be from 0, in costs of the most expensive rule: from facts that no goal
/// can be reached from, any number would do.
const MOST_COSTS: f64 = 1000.0;

/// What a linear program is about.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub(super) game: &'a Game,
    pub(super) rules: &'a [&'a CanonicalRule],
    pub(super) goals: &'a [GoalFacts],
    pub(super) facts: &'a Facts,
    /// Sets of rules, by number, of which a solution uses at least one.
    pub(super) landmarks: &'a [Vec<u32>],
}

/// Numbers that satisfy the conditions, up to rounding.
pub(super) struct Solution {
    /// By fact: its potential.
    pub(super) potentials: Vec<f64>,
    /// By landmark: the part of the costs of its rules that is kept for it.
    pub(super) shares: Vec<f64>,
}

/// Return numbers that satisfy the conditions, up to rounding, such that the sum of the potentials,
/// times their weights, and of the shares of landmarks is as large as possible.
///
/// The conditions are that no rule lowers the sum of a state by more than what the landmarks leave
/// of its cost, and that the sum of a goal state is at most 0.
pub(super) fn solve(
    task: Task<'_>,
    weights: &[f64],
    effort: &Effort<'_>,
) -> Result<Solution, Refusal> {
    let mut program = Program::new(task, weights);
    let mut shares = vec![Vec::new(); task.rules.len()];
    for (landmark, share) in task.landmarks.iter().zip(&program.shares) {
        for rule in landmark {
            shares[*rule as usize].push(*share);
        }
    }
    for (rule, shares) in task.rules.iter().zip(shares) {
        program.add_rule(rule, &shares);
        program.check(effort)?;
    }
    for goal in task.goals {
        program.add_goal(goal);
        program.check(effort)?;
    }
    program.solve(effort)
}

struct Program<'a> {
    facts: &'a Facts,
    problem: Problem,
    /// By fact: its potential.
    potentials: Vec<Variable>,
    /// By landmark: its share.
    shares: Vec<Variable>,
    /// For the positions of an unknown value: the most that it takes away.
    most: HashMap<Positions, Variable>,
    /// How far numbers may be from 0.
    bounds: (f64, f64),
    n_terms: usize,
}

impl<'a> Program<'a> {
    fn new(task: Task<'a>, weights: &[f64]) -> Self {
        let costs = task.rules.iter().map(|rule| rule.cost());
        let most = MOST_COSTS * costs.max().unwrap_or(0).max(1) as f64;
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let bounds = (-most, most);
        let weights = weights.iter();
        Self {
            potentials: weights.map(|it| problem.add_var(*it, bounds)).collect(),
            shares: task
                .landmarks
                .iter()
                .map(|_| problem.add_var(1.0, (0.0, most)))
                .collect(),
            most: HashMap::new(),
            facts: task.facts,
            problem,
            bounds,
            n_terms: 0,
        }
    }

    /// Compare the size with the limits.
    fn check(&self, effort: &Effort<'_>) -> Result<(), Refusal> {
        if self.n_terms > MAX_TERMS {
            return Err(Refusal::TooLarge { limit: MAX_TERMS });
        }
        effort.check(self.n_terms * BYTES_OF_TERM)
    }

    fn add(&mut self, terms: Vec<(Variable, f64)>, most: f64) {
        self.n_terms += terms.len();
        let mut expression = LinearExpr::empty();
        for (variable, factor) in terms {
            expression.add(variable, factor);
        }
        self.problem
            .add_constraint(expression, ComparisonOp::Le, most);
    }

    /// A rule lowers the sum by no more than what these shares leave of its cost.
    fn add_rule(&mut self, rule: &CanonicalRule, shares: &[Variable]) {
        let Moved {
            constants,
            unknowns,
        } = Moved::by(rule);
        let of_constant = |(position, value, sign)| {
            (
                self.potentials[self.facts.fact(position, value)],
                f64::from(sign as i32),
            )
        };
        let mut terms: Vec<(Variable, f64)> = constants.into_iter().map(of_constant).collect();
        for (_, positions) in unknowns {
            terms.push((self.most_of(positions), 1.0));
        }
        terms.extend(shares.iter().map(|share| (*share, 1.0)));
        self.add(terms, rule.cost() as f64);
    }

    /// Return the most that an unknown value takes away at some positions: a number that is at
    /// least as large as what each value does.
    fn most_of(&mut self, positions: Positions) -> Variable {
        if let Some(known) = self.most.get(&positions) {
            return *known;
        }
        let (least, most) = self.bounds;
        let n_positions = positions.len() as f64;
        let bounds = (n_positions * least, n_positions * most);
        let most = self.problem.add_var(0.0, bounds);
        // A value that one of the variables doesn't have can't be moved there.
        let sizes = positions
            .iter()
            .map(|(var, _)| self.facts.of_variable(var.index()).len());
        for value in (0..sizes.min().unwrap_or(0) as u32).map(Value) {
            let terms = positions.iter().map(|(var, sign)| {
                (
                    self.potentials[self.facts.fact(*var, value)],
                    f64::from(*sign as i32),
                )
            });
            let terms = terms.chain([(most, -1.0)]).collect();
            self.add(terms, 0.0);
        }
        self.most.insert(positions, most);
        most
    }

    /// The sum of a goal state is at most 0.
    fn add_goal(&mut self, goal: &GoalFacts) {
        let mut terms = Vec::new();
        for var in 0..self.facts.n_variables() {
            let allowed: Vec<usize> = self.facts.of_goal(goal, var).collect();
            let greatest = match allowed[..] {
                [fact] => self.potentials[fact],
                _ => self.problem.add_var(0.0, self.bounds),
            };
            if allowed.len() > 1 {
                for fact in allowed {
                    self.add(vec![(self.potentials[fact], 1.0), (greatest, -1.0)], 0.0);
                }
            }
            terms.push((greatest, 1.0));
        }
        self.add(terms, 0.0);
    }

    fn solve(self, effort: &Effort<'_>) -> Result<Solution, Refusal> {
        let failed = |error: microlp::Error| Refusal::kind(format!("its linear program: {error}"));
        let mut options = SolveOptions::default();
        options.time_limit = Some(SLICE);
        let mut outcome = self.problem.solve_with(options).map_err(failed)?;
        let solution = loop {
            effort.check(self.n_terms * BYTES_OF_TERM)?;
            match outcome {
                SolveOutcome::Solution(solution) => break solution,
                interrupted @ SolveOutcome::Interrupted(_) => {
                    let mut options = ResumeOptions::default();
                    options.time_limit = Some(SLICE);
                    outcome = interrupted.resume_with(options).map_err(failed)?;
                }
            }
        };
        let values = |of: &[Variable]| of.iter().map(|it| solution.var_value(*it)).collect();
        Ok(Solution {
            potentials: values(&self.potentials),
            shares: values(&self.shares),
        })
    }
}
