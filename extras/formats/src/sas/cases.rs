//! Splits conditions that rules can't express into cases: conditional effects and derived
//! variables.
//!
//! A rule can only test values. So an operator whose effects depend on more is split by the values
//! of the relevant variables, until each case is fully decided. The cases exclude each other: in
//! each state at most one of them can be used, and it has the operator's effects.

use psvn_ir::LoadStop;

use super::task::{Effect, Fact, Operator, Task};
use super::truth::{Assignment, Derivation, Relevant};
use crate::meter::Meter;

/// The most work of all splits together: a guard against many cases with few results. It takes
/// some seconds.
const MOST_WORK: u64 = 1_000_000_000;

/// Why an operator or a goal can't be split into cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CaseError {
    /// There would be too many.
    TooMany,
    /// In one case two effects write different values to this variable.
    TwoValues(usize),
    /// A limit is reached.
    Stopped(LoadStop),
}

impl From<LoadStop> for CaseError {
    fn from(stop: LoadStop) -> Self {
        match stop {
            LoadStop::Rules => Self::TooMany,
            stop => Self::Stopped(stop),
        }
    }
}

/// A case: its tests and its writes, for each variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Case {
    pub(super) tests: Assignment,
    pub(super) writes: Assignment,
}

/// Receives the cases, in order.
pub(super) type OnCase<'a> = dyn FnMut(&Case) -> Result<(), LoadStop> + 'a;

/// Splits operators and goals into cases.
pub(super) struct Cases<'t> {
    task: &'t Task,
    derivation: Derivation<'t>,
    meter: &'t Meter<'t>,
}

/// What is split.
struct Split<'o> {
    /// Derived facts that must hold.
    demands: Vec<Fact>,
    effects: &'o [Effect],
    /// The axioms on which that depends.
    relevant: Relevant,
}

impl<'t> Cases<'t> {
    /// Count work in `meter`.
    pub(super) fn new(task: &'t Task, meter: &'t Meter<'t>) -> Self {
        Self {
            task,
            derivation: Derivation::new(task),
            meter,
        }
    }

    /// Find the cases of an operator: none if it can never be used.
    pub(super) fn of_operator(
        &self,
        operator: &Operator,
        on_case: &mut OnCase<'_>,
    ) -> Result<(), CaseError> {
        let before = operator.effects.iter().filter_map(|effect| {
            let variable = effect.variable;
            effect.before.map(|value| Fact { variable, value })
        });
        let demands: Vec<Fact> = operator.prevail.iter().copied().chain(before).collect();
        self.split(&demands, &operator.effects, on_case)
    }

    /// Find the cases in which all facts of the goal hold.
    pub(super) fn of_goal(&self, on_case: &mut OnCase<'_>) -> Result<(), CaseError> {
        self.split(&self.task.goal, &[], on_case)
    }

    fn split(
        &self,
        demands: &[Fact],
        effects: &[Effect],
        on_case: &mut OnCase<'_>,
    ) -> Result<(), CaseError> {
        let nothing: Assignment = vec![None; self.task.variables.len()];
        let mut case = Case {
            tests: nothing.clone(),
            writes: nothing,
        };
        let mut derived = Vec::new();
        for fact in demands {
            if self.task.is_derived(fact.variable) {
                derived.push(*fact);
            } else if case.tests[fact.variable].is_some_and(|value| value != fact.value) {
                return Ok(());
            } else {
                case.tests[fact.variable] = Some(fact.value);
            }
        }
        let conditions = effects.iter().flat_map(|effect| &effect.conditions);
        let split = Split {
            relevant: self.derivation.relevant(derived.iter().chain(conditions)),
            demands: derived,
            effects,
        };
        self.descend(&split, &mut case, on_case)
    }

    /// Find the cases below an assignment, depth first: the values of a variable in their order.
    fn descend(
        &self,
        split: &Split<'_>,
        case: &mut Case,
        on_case: &mut OnCase<'_>,
    ) -> Result<(), CaseError> {
        // The variables that are split, each with a value in the assignment.
        let mut path: Vec<usize> = Vec::new();
        loop {
            match self.decide(split, case)? {
                Decision::Open(variable) => {
                    case.tests[variable] = Some(0);
                    path.push(variable);
                    continue;
                }
                Decision::Case => on_case(case)?,
                Decision::Never => {}
            }
            // Go on with the next value of the last variable that has one.
            loop {
                let Some(variable) = path.last().copied() else {
                    return Ok(());
                };
                let next = case.tests[variable].map_or(0, |value| value + 1);
                if next < self.task.variables[variable].facts.len() {
                    case.tests[variable] = Some(next);
                    break;
                }
                case.tests[variable] = None;
                path.pop();
            }
        }
    }

    /// Decide what follows from the tests of a case, and set its writes.
    fn decide(&self, split: &Split<'_>, case: &mut Case) -> Result<Decision, CaseError> {
        if self.meter.done() > MOST_WORK {
            return Err(CaseError::TooMany);
        }
        let Case { tests, writes } = case;
        self.meter
            .work(1 + split.demands.len() + writes.len() / 8)?;
        let bounds = self.derivation.bounds(&split.relevant, tests, self.meter)?;
        let truth = |fact: &Fact| self.derivation.truth(*fact, tests, &bounds);
        let open = |facts: &[Fact]| {
            let open = facts.iter().find(|fact| truth(fact).is_none());
            open.and_then(|fact| self.derivation.open_variable(*fact, tests, &bounds))
        };
        if split.demands.iter().any(|fact| truth(fact) == Some(false)) {
            return Ok(Decision::Never);
        }
        if let Some(variable) = open(&split.demands) {
            return Ok(Decision::Open(variable));
        }
        writes.fill(None);
        for effect in split.effects {
            self.meter.work(1 + effect.conditions.len())?;
            let mut conditions = effect.conditions.iter();
            if conditions.any(|fact| truth(fact) == Some(false)) {
                continue;
            }
            if let Some(variable) = open(&effect.conditions) {
                return Ok(Decision::Open(variable));
            }
            let write = &mut writes[effect.variable];
            if write.is_some_and(|value| value != effect.after) {
                return Err(CaseError::TwoValues(effect.variable));
            }
            *write = Some(effect.after);
        }
        Ok(Decision::Case)
    }
}

/// The effect of an assignment on an operator.
enum Decision {
    /// It can't be used.
    Never,
    /// It can be used, with writes that are known.
    Case,
    /// That depends on this variable.
    Open(usize),
}
