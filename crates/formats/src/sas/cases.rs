//! Splits conditions that rules can't express into cases: conditional effects and derived
//! variables.
//!
//! A rule can only test values. So an operator whose effects depend on more is split by the values
//! of the relevant variables, until each case is fully decided. The cases exclude each other: in
//! each state at most one of them can be used, and it has the operator's effects.

use super::task::{Effect, Fact, Operator, Task};
use super::truth::{Assignment, Derivation};

/// Why an operator or a goal can't be split into cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CaseError {
    /// There would be too many.
    TooMany,
    /// In one case two effects write different values to this variable.
    TwoValues(usize),
}

/// A case: its tests and its writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Case {
    pub(super) tests: Assignment,
    pub(super) writes: Vec<Fact>,
}

/// Splits operators and goals into cases.
pub(super) struct Cases<'t> {
    task: &'t Task,
    derivation: Derivation<'t>,
    /// The number of steps that splitting may still take: a guard against many cases with few
    /// results.
    steps: usize,
}

/// The undecided part, and the cases found so far.
struct Split<'o> {
    /// Derived facts that must hold.
    demands: Vec<Fact>,
    effects: &'o [Effect],
    cases: Vec<Case>,
    most: usize,
}

impl<'t> Cases<'t> {
    /// `most_steps` bounds the work of all splits.
    pub(super) fn new(task: &'t Task, most_steps: usize) -> Self {
        Self {
            task,
            derivation: Derivation::new(task),
            steps: most_steps,
        }
    }

    /// The cases of an operator. None if it can never be used.
    pub(super) fn of_operator(
        &mut self,
        operator: &Operator,
        most: usize,
    ) -> Result<Vec<Case>, CaseError> {
        let before = operator.effects.iter().filter_map(|effect| {
            let variable = effect.variable;
            effect.before.map(|value| Fact { variable, value })
        });
        let demands: Vec<Fact> = operator.prevail.iter().copied().chain(before).collect();
        self.split(&demands, &operator.effects, most)
    }

    /// The cases in which all facts hold.
    pub(super) fn of_goal(&mut self, most: usize) -> Result<Vec<Case>, CaseError> {
        self.split(&self.task.goal, &[], most)
    }

    fn split(
        &mut self,
        demands: &[Fact],
        effects: &[Effect],
        most: usize,
    ) -> Result<Vec<Case>, CaseError> {
        let mut assignment: Assignment = vec![None; self.task.variables.len()];
        let mut derived = Vec::new();
        for fact in demands {
            if self.task.is_derived(fact.variable) {
                derived.push(*fact);
            } else if assignment[fact.variable].is_some_and(|value| value != fact.value) {
                return Ok(Vec::new());
            } else {
                assignment[fact.variable] = Some(fact.value);
            }
        }
        let mut split = Split {
            demands: derived,
            effects,
            cases: Vec::new(),
            most,
        };
        self.descend(&mut split, &mut assignment)?;
        Ok(split.cases)
    }

    /// Find the cases below an assignment. Recurses as deep as there are relevant variables.
    fn descend(
        &mut self,
        split: &mut Split<'_>,
        assignment: &mut Assignment,
    ) -> Result<(), CaseError> {
        let mut stack = vec![(assignment.clone(), None::<(usize, usize)>)];
        while let Some((mut at, branch)) = stack.pop() {
            if let Some((variable, value)) = branch {
                // The other values wait behind this one, so cases come in the order of values.
                if value + 1 < self.task.variables[variable].facts.len() {
                    stack.push((at.clone(), Some((variable, value + 1))));
                }
                at[variable] = Some(value);
            }
            self.steps = self.steps.checked_sub(1).ok_or(CaseError::TooMany)?;
            match self.decide(split, &at)? {
                Decision::Never => {}
                Decision::Case(case) if split.cases.len() < split.most => split.cases.push(case),
                Decision::Case(_) => return Err(CaseError::TooMany),
                Decision::Open(variable) => stack.push((at, Some((variable, 0)))),
            }
        }
        Ok(())
    }

    fn decide(&self, split: &Split<'_>, assignment: &Assignment) -> Result<Decision, CaseError> {
        let bounds = self.derivation.bounds(assignment);
        let truth = |fact: &Fact| self.derivation.truth(*fact, assignment, &bounds);
        let open = |facts: &[Fact]| {
            let open = facts.iter().find(|fact| truth(fact).is_none());
            open.and_then(|fact| self.derivation.open_variable(*fact, assignment, &bounds))
        };
        if split.demands.iter().any(|fact| truth(fact) == Some(false)) {
            return Ok(Decision::Never);
        }
        if let Some(variable) = open(&split.demands) {
            return Ok(Decision::Open(variable));
        }
        let mut writes: Vec<Fact> = Vec::new();
        for effect in split.effects {
            if effect
                .conditions
                .iter()
                .any(|fact| truth(fact) == Some(false))
            {
                continue;
            }
            if let Some(variable) = open(&effect.conditions) {
                return Ok(Decision::Open(variable));
            }
            let write = Fact {
                variable: effect.variable,
                value: effect.after,
            };
            match writes.iter().find(|other| other.variable == write.variable) {
                Some(other) if other.value != write.value => {
                    return Err(CaseError::TwoValues(write.variable));
                }
                Some(_) => {}
                None => writes.push(write),
            }
        }
        Ok(Decision::Case(Case {
            tests: assignment.clone(),
            writes,
        }))
    }
}

/// The effect of an assignment on an operator.
enum Decision {
    /// It can't be used.
    Never,
    /// It can be used, with this effect.
    Case(Case),
    /// That depends on this variable.
    Open(usize),
}
