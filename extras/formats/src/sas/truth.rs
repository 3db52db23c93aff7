//! Truth of facts under a partial assignment of variables.

use psvn_ir::LoadStop;

use super::task::{Fact, Task};
use crate::meter::Meter;

/// The value of each variable, if known.
pub(super) type Assignment = Vec<Option<usize>>;

/// The axioms of a task.
pub(super) struct Derivation<'t> {
    task: &'t Task,
    /// For each variable the axioms that derive it.
    of_variable: Vec<Vec<usize>>,
}

/// The axioms on which some facts depend, in the order of their layers.
pub(super) struct Relevant {
    layers: Vec<Vec<usize>>,
}

/// For each variable, whether it certainly has, and whether it may have, the value that axioms give
/// it. Only relevant derived variables count.
pub(super) struct Bounds {
    certain: Vec<bool>,
    possible: Vec<bool>,
}

impl<'t> Derivation<'t> {
    pub(super) fn new(task: &'t Task) -> Self {
        let mut of_variable = vec![Vec::new(); task.variables.len()];
        for (index, axiom) in task.axioms.iter().enumerate() {
            if !task.gives_default(axiom) {
                of_variable[axiom.variable].push(index);
            }
        }
        Self { task, of_variable }
    }

    /// Find the axioms on which facts depend.
    pub(super) fn relevant<'f>(&self, facts: impl Iterator<Item = &'f Fact>) -> Relevant {
        let mut seen = vec![false; self.task.variables.len()];
        let mut open: Vec<usize> = facts.map(|fact| fact.variable).collect();
        let mut by_layer: Vec<(Option<u32>, usize)> = Vec::new();
        while let Some(variable) = open.pop() {
            if std::mem::replace(&mut seen[variable], true) {
                continue;
            }
            for index in &self.of_variable[variable] {
                by_layer.push((self.task.variables[variable].layer, *index));
                let conditions = &self.task.axioms[*index].conditions;
                open.extend(conditions.iter().map(|fact| fact.variable));
            }
        }
        by_layer.sort_unstable();
        let layers = by_layer.chunk_by(|a, b| a.0 == b.0);
        Relevant {
            layers: layers
                .map(|it| it.iter().map(|(_, index)| *index).collect())
                .collect(),
        }
    }

    /// The consequences of an assignment by relevant axioms. Exact if all variables are assigned.
    pub(super) fn bounds(
        &self,
        relevant: &Relevant,
        assignment: &Assignment,
        meter: &Meter<'_>,
    ) -> Result<Bounds, LoadStop> {
        let n = if relevant.layers.is_empty() {
            0
        } else {
            assignment.len()
        };
        let mut bounds = Bounds {
            certain: vec![false; n],
            possible: vec![false; n],
        };
        for layer in &relevant.layers {
            // Within a layer axioms test only derived facts, so both grow to a least fixpoint.
            let mut grows = true;
            while grows {
                grows = false;
                for axiom in layer.iter().map(|index| &self.task.axioms[*index]) {
                    meter.work(1 + axiom.conditions.len())?;
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
        Ok(bounds)
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
            // No axioms are relevant: defaults hold.
            let holds = fact.value == self.task.state[fact.variable];
            return (holds, holds);
        };
        if fact.value == self.task.state[fact.variable] {
            (!possible, !certain)
        } else {
            (certain, possible)
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
