//! Truth of facts under a partial assignment of variables.

use super::task::{Fact, Task};

/// The value of each variable, if known.
pub(super) type Assignment = Vec<Option<usize>>;

/// The axioms of a task, by layers.
pub(super) struct Derivation<'t> {
    task: &'t Task,
    /// The axioms in the order of their layers.
    layers: Vec<Vec<usize>>,
    /// For each variable the axioms that derive it.
    of_variable: Vec<Vec<usize>>,
}

/// For each variable, whether it certainly has, and whether it may have, the value that axioms give
/// it. Only derived variables count.
pub(super) struct Bounds {
    certain: Vec<bool>,
    possible: Vec<bool>,
}

impl<'t> Derivation<'t> {
    pub(super) fn new(task: &'t Task) -> Self {
        let mut of_variable = vec![Vec::new(); task.variables.len()];
        let mut by_layer: Vec<(u32, usize)> = Vec::new();
        for (index, axiom) in task.axioms.iter().enumerate() {
            of_variable[axiom.variable].push(index);
            by_layer.push((
                task.variables[axiom.variable].layer.unwrap_or_default(),
                index,
            ));
        }
        by_layer.sort_unstable();
        let layers = by_layer.chunk_by(|a, b| a.0 == b.0);
        let layers = layers
            .map(|it| it.iter().map(|(_, index)| *index).collect())
            .collect();
        Self {
            task,
            layers,
            of_variable,
        }
    }

    /// The consequences of an assignment by the axioms. Exact if all variables are assigned.
    pub(super) fn bounds(&self, assignment: &Assignment) -> Bounds {
        let n = if self.layers.is_empty() {
            0
        } else {
            assignment.len()
        };
        let mut bounds = Bounds {
            certain: vec![false; n],
            possible: vec![false; n],
        };
        for layer in &self.layers {
            // Within a layer axioms test only derived facts, so both grow to a least fixpoint.
            let mut grows = true;
            while grows {
                grows = false;
                for axiom in layer.iter().map(|index| &self.task.axioms[*index]) {
                    let head = axiom.variable;
                    let truths = || {
                        let facts = axiom.conditions.iter();
                        facts.map(|fact| self.in_layer(*fact, assignment, &bounds))
                    };
                    let certain = truths().all(|(certain, _)| certain);
                    let possible = truths().all(|(_, possible)| possible);
                    grows |= certain && !bounds.certain[head];
                    grows |= possible && !bounds.possible[head];
                    bounds.certain[head] |= certain;
                    bounds.possible[head] |= possible;
                }
            }
        }
        bounds
    }

    /// Whether a fact certainly holds, and whether it may.
    fn in_layer(&self, fact: Fact, assignment: &Assignment, bounds: &Bounds) -> (bool, bool) {
        if !self.task.is_derived(fact.variable) {
            return match assignment[fact.variable] {
                Some(value) => (value == fact.value, value == fact.value),
                None => (self.task.variables[fact.variable].facts.len() == 1, true),
            };
        }
        let (Some(certain), Some(possible)) = (
            bounds.certain.get(fact.variable).copied(),
            bounds.possible.get(fact.variable).copied(),
        ) else {
            // No axioms at all: defaults hold.
            let holds = fact.value == self.task.state[fact.variable];
            return (holds, holds);
        };
        match fact.value == self.task.state[fact.variable] {
            false => (certain, possible),
            true => (!possible, !certain),
        }
    }

    /// Whether a fact holds, where that is certain.
    pub(super) fn truth(
        &self,
        fact: Fact,
        assignment: &Assignment,
        bounds: &Bounds,
    ) -> Option<bool> {
        match self.in_layer(fact, assignment, bounds) {
            (true, _) => Some(true),
            (_, false) => Some(false),
            _ => None,
        }
    }

    /// An unassigned variable that operators change and that the truth of a fact may depend on.
    pub(super) fn open_variable(
        &self,
        fact: Fact,
        assignment: &Assignment,
        bounds: &Bounds,
    ) -> Option<usize> {
        let mut seen = vec![false; assignment.len()];
        let mut open = vec![fact];
        while let Some(fact) = open.pop() {
            if self.truth(fact, assignment, bounds).is_some() {
                continue;
            }
            if !self.task.is_derived(fact.variable) {
                return Some(fact.variable);
            }
            if std::mem::replace(&mut seen[fact.variable], true) {
                continue;
            }
            for axiom in &self.of_variable[fact.variable] {
                open.extend(self.task.axioms[*axiom].conditions.iter().rev());
            }
        }
        None
    }
}
