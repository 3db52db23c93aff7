//! A tiny interpreter of SAS+, written from the format's description alone.

use formats::sas::{Fact, Operator, Task};

use crate::breadth::{Layers, layers};

/// More states than the tests have.
pub(crate) const MOST: usize = 1_000_000;

/// The state with derived variables set by the axioms, layer by layer.
fn derive(task: &Task, state: &[usize]) -> Vec<usize> {
    let mut full = state.to_vec();
    for (variable, it) in task.variables.iter().enumerate() {
        if it.layer.is_some() {
            full[variable] = task.state[variable];
        }
    }
    let top = task.variables.iter().filter_map(|it| it.layer).max();
    for layer in 0..=top.unwrap_or(0) {
        loop {
            let before = full.clone();
            for axiom in &task.axioms {
                let is_of_layer = task.variables[axiom.variable].layer == Some(layer);
                if is_of_layer && holds(&axiom.conditions, &full) {
                    full[axiom.variable] = axiom.after;
                }
            }
            if full == before {
                break;
            }
        }
    }
    full
}

fn holds(facts: &[Fact], state: &[usize]) -> bool {
    facts.iter().all(|fact| state[fact.variable] == fact.value)
}

fn apply(task: &Task, operator: &Operator, state: &[usize]) -> Option<Vec<usize>> {
    let mut demands = operator.effects.iter();
    let demands = demands.all(|it| it.before.is_none_or(|value| state[it.variable] == value));
    if !holds(&operator.prevail, state) || !demands {
        return None;
    }
    let mut next = state.to_vec();
    for effect in operator
        .effects
        .iter()
        .filter(|it| holds(&it.conditions, state))
    {
        next[effect.variable] = effect.after;
    }
    Some(derive(task, &next))
}

/// The states of a task by depth, up to the layer at which there are more than `most`.
pub(crate) fn task_layers(task: &Task, most: usize) -> Layers {
    let start = derive(task, &task.state);
    let successors = |state: &Vec<usize>| -> Vec<Vec<usize>> {
        task.operators
            .iter()
            .filter_map(|it| apply(task, it, state))
            .collect()
    };
    layers(start, successors, |state| holds(&task.goal, state), most)
}
