//! What each operator does to each fact, if it only carries facts from place to place.

use std::collections::BTreeMap;

use super::refusal::{NotCarried, Refusal};
use crate::meter::Meter;
use crate::sas::task::{Effect, Fact, Operator, Task};

/// The facts of a task, numbered variable by variable, and how operators permute them.
#[derive(Debug)]
pub(super) struct Carries {
    /// The number of the first fact of each variable, and behind them the number of all facts.
    begins: Vec<usize>,
    /// For each operator, the number of the fact that holds afterwards if a fact holds before.
    pub(super) to: Vec<Vec<usize>>,
}

/// The variable whose value a variable gets, and the value that it gets for each of its values.
type Source = (usize, Vec<usize>);

impl Carries {
    /// Find out how operators permute facts.
    pub(super) fn of(task: &Task, meter: &Meter<'_>) -> Result<Self, Refusal> {
        if !task.axioms.is_empty() || (0..task.variables.len()).any(|it| task.is_derived(it)) {
            return Err(NotCarried::Axioms.into());
        }
        let mut begins = vec![0];
        for variable in &task.variables {
            begins.push(begins[begins.len() - 1] + variable.facts.len());
        }
        let mut carries = Self {
            begins,
            to: Vec::new(),
        };
        for operator in &task.operators {
            let to = carries.of_operator(task, operator, meter)?;
            carries.to.push(to);
        }
        Ok(carries)
    }

    /// The number of facts.
    pub(super) fn n_facts(&self) -> usize {
        self.begins[self.begins.len() - 1]
    }

    /// The number of a fact.
    pub(super) fn number(&self, fact: Fact) -> usize {
        self.begins[fact.variable] + fact.value
    }

    /// The fact of a number.
    pub(super) fn fact(&self, number: usize) -> Fact {
        let variable = self.begins.partition_point(|begin| *begin <= number) - 1;
        Fact {
            variable,
            value: number - self.begins[variable],
        }
    }

    fn of_operator(
        &self,
        task: &Task,
        operator: &Operator,
        meter: &Meter<'_>,
    ) -> Result<Vec<usize>, Refusal> {
        let name = || operator.name.clone();
        if !operator.prevail.is_empty() || operator.effects.iter().any(|it| it.before.is_some()) {
            return Err(NotCarried::Demand { operator: name() }.into());
        }
        let mut effects: BTreeMap<usize, Vec<&Effect>> = BTreeMap::new();
        for effect in &operator.effects {
            effects.entry(effect.variable).or_default().push(effect);
        }
        let mut to: Vec<usize> = (0..self.n_facts()).collect();
        // The variable that gets the value of each variable.
        let mut target: Vec<Option<usize>> = (0..task.variables.len()).map(Some).collect();
        for variable in effects.keys() {
            target[*variable] = None;
        }
        for (variable, effects) in &effects {
            let Some((source, values)) = source(task, *variable, effects, meter)? else {
                return Err(NotCarried::Effect {
                    operator: name(),
                    variable: task.variables[*variable].name.clone(),
                }
                .into());
            };
            if target[source].replace(*variable).is_some() {
                return Err(NotCarried::Copied {
                    operator: name(),
                    variable: task.variables[source].name.clone(),
                }
                .into());
            }
            for (before, after) in values.iter().enumerate() {
                to[self.begins[source] + before] = self.begins[*variable] + after;
            }
        }
        Ok(to)
    }
}

/// Find the one variable whose value decides which value a variable gets by effects, each value
/// from another one. `None` if there is none.
fn source(
    task: &Task,
    variable: usize,
    effects: &[&Effect],
    meter: &Meter<'_>,
) -> Result<Option<Source>, Refusal> {
    let conditions = || effects.iter().flat_map(|effect| &effect.conditions);
    let other = conditions().find(|fact| fact.variable != variable);
    let source = other.map_or(variable, |fact| fact.variable);
    if conditions().any(|fact| fact.variable != variable && fact.variable != source) {
        return Ok(None);
    }
    let n_values = |variable: usize| task.variables[variable].facts.len();
    if n_values(source) != n_values(variable) {
        return Ok(None);
    }
    let mut values = Vec::new();
    let mut is_taken = vec![false; n_values(variable)];
    for before in 0..n_values(source) {
        let own = if source == variable {
            before..before + 1
        } else {
            0..n_values(variable)
        };
        let mut after = None;
        for own in own {
            meter.work(conditions().count())?;
            let found = outcome(variable, own, source, before, effects);
            if found.is_none() || after.is_some() && after != found {
                return Ok(None);
            }
            after = found;
        }
        match after {
            Some(after) if !std::mem::replace(&mut is_taken[after], true) => values.push(after),
            _ => return Ok(None),
        }
    }
    Ok(Some((source, values)))
}

/// The value of a variable after effects, from its own value and that of the only other variable on
/// which they depend. `None` if effects contradict each other.
fn outcome(
    variable: usize,
    own: usize,
    source: usize,
    before: usize,
    effects: &[&Effect],
) -> Option<usize> {
    let holds = |fact: &Fact| match fact.variable {
        it if it == source => fact.value == before,
        _ => fact.value == own,
    };
    let mut made = effects
        .iter()
        .filter(|effect| effect.conditions.iter().all(holds))
        .map(|effect| effect.after);
    let first = made.next();
    debug_assert!(effects.iter().all(|effect| effect.variable == variable));
    match first {
        Some(first) if made.any(|it| it != first) => None,
        Some(first) => Some(first),
        None => Some(own),
    }
}
