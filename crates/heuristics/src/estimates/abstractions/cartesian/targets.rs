//! What abstractions aim at.

use std::iter::zip;

use psvn_ir::{Game, Goal, Value};

use super::sets::{self, CartesianSet, Layout};
use crate::estimates::abstractions::operators::are_equal;
use crate::estimates::delete_relaxation::landmarks::FactLandmark;
use crate::structure::goal_facts::GoalFacts;

/// A condition on states: values that some variables may have, and variables that are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pattern {
    allowed: Vec<(u32, Box<[u64]>)>,
    equal: Vec<Vec<u32>>,
}

/// States of which one must be reached: those that satisfy a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    patterns: Vec<Pattern>,
}

impl Target {
    /// All goal states that satisfy the invariants with which the facts were found.
    pub(super) fn goals(game: &Game, layout: &Layout, facts: &[GoalFacts]) -> Self {
        let goals = zip(game.goals(), facts);
        Self {
            patterns: goals
                .map(|(goal, facts)| Pattern::goal(goal, layout, facts))
                .collect(),
        }
    }

    /// States with one of these values of a variable.
    fn values(var: u32, values: Box<[u64]>) -> Self {
        Self {
            patterns: vec![Pattern {
                allowed: vec![(var, values)],
                equal: Vec::new(),
            }],
        }
    }

    /// For each variable that has only some of its values in goal states: the states with these
    /// values.
    pub(super) fn facts_of_goals(layout: &Layout, facts: &[GoalFacts]) -> Vec<Self> {
        let of_variable = |var: u32| {
            let is_allowed = |value: &u32| {
                facts
                    .iter()
                    .any(|it| it.allows(var as usize, Value(*value)))
            };
            let values = words(layout, var, (0..layout.size(var)).filter(is_allowed));
            (sets::count(&values) < layout.size(var)).then(|| Self::values(var, values))
        };
        (0..layout.n_variables()).filter_map(of_variable).collect()
    }

    /// What a landmark aims at: all states with a fact that can't be reached before it, or the
    /// landmark itself. States without such a fact have to reach it.
    pub(super) fn landmark(layout: &Layout, landmark: &FactLandmark) -> Self {
        let of_variable = |var: u32| {
            let values = words(
                layout,
                var,
                (0..layout.size(var)).filter(|it| !landmark.is_before(var, *it)),
            );
            let pattern = Pattern {
                allowed: vec![(var, values)],
                equal: Vec::new(),
            };
            (sets::count(&pattern.allowed[0].1) > 0).then_some(pattern)
        };
        Self {
            patterns: (0..layout.n_variables()).filter_map(of_variable).collect(),
        }
    }

    /// Return whether these are the states with one fact.
    pub(super) fn is_fact(&self, var: u32, value: u32) -> bool {
        match &self.patterns[..] {
            [pattern] => match &pattern.allowed[..] {
                [(it, values)] if pattern.equal.is_empty() => {
                    *it == var && sets::count(values) == 1 && sets::has(values, value)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Return whether a state is one of them.
    pub(super) fn holds_in(&self, state: &[u32]) -> bool {
        self.patterns.iter().any(|pattern| pattern.holds_in(state))
    }

    /// Return whether a set has such a state.
    pub(super) fn is_in(&self, layout: &Layout, set: &CartesianSet) -> bool {
        self.first_in(layout, set).is_some()
    }

    fn first_in(&self, layout: &Layout, set: &CartesianSet) -> Option<&Pattern> {
        let mut patterns = self.patterns.iter();
        patterns.find(|pattern| pattern.is_in(layout, set))
    }

    /// Become the states of a set that has such states that satisfy the first pattern there, apart
    /// from the equality of variables. Return variables that must be equal and aren't in `state`.
    pub(super) fn put_wanted(
        &self,
        wanted: &mut CartesianSet,
        layout: &Layout,
        set: &CartesianSet,
        state: &[u32],
    ) -> Option<&[u32]> {
        let pattern = self.first_in(layout, set)?;
        wanted.copy_from(set);
        for (var, values) in &pattern.allowed {
            sets::intersect(wanted.of_mut(layout, *var), values);
        }
        for group in &pattern.equal {
            let common = pattern.common(group, layout, set);
            for var in group {
                sets::intersect(wanted.of_mut(layout, *var), &common);
            }
        }
        let is_unequal = |group: &&Vec<u32>| !are_equal(group, state);
        pattern.equal.iter().find(is_unequal).map(Vec::as_slice)
    }
}

/// Return values of a variable as words.
fn words(layout: &Layout, var: u32, values: impl Iterator<Item = u32>) -> Box<[u64]> {
    let mut words = vec![0; layout.size(var).div_ceil(64) as usize];
    for value in values {
        sets::put(&mut words, value);
    }
    words.into()
}

impl Pattern {
    fn goal(goal: &Goal, layout: &Layout, facts: &GoalFacts) -> Self {
        let mut allowed = Vec::new();
        let mut groups: Vec<Vec<u32>> = vec![Vec::new(); goal.conditions().len()];
        for (var, term) in zip(0.., goal.conditions()) {
            let is_allowed = |value: &u32| facts.allows(var as usize, Value(*value));
            let values = words(layout, var, (0..layout.size(var)).filter(is_allowed));
            if sets::count(&values) < layout.size(var) {
                allowed.push((var, values));
            }
            if let Some(first) = term.as_variable() {
                groups[first.index()].push(var);
            }
        }
        groups.retain(|group| group.len() > 1);
        Self {
            allowed,
            equal: groups,
        }
    }

    fn holds_in(&self, state: &[u32]) -> bool {
        let mut allowed = self.allowed.iter();
        allowed.all(|(var, values)| sets::has(values, state[*var as usize]))
            && self.equal.iter().all(|group| are_equal(group, state))
    }

    fn is_in(&self, layout: &Layout, set: &CartesianSet) -> bool {
        let mut allowed = self.allowed.iter();
        allowed.all(|(var, values)| sets::have_common(set.of(layout, *var), values))
            && self.equal.iter().all(|group| {
                let common = self.common(group, layout, set);
                sets::count(&common) > 0
            })
    }

    /// Return the values that equal variables may have in common.
    fn common(&self, group: &[u32], layout: &Layout, set: &CartesianSet) -> Vec<u64> {
        let mut common = set.of(layout, group[0]).to_vec();
        for var in group {
            sets::intersect(&mut common, set.of(layout, *var));
            let allowed = self.allowed.iter().filter(|(it, _)| it == var);
            for (_, values) in allowed {
                sets::intersect(&mut common, values);
            }
        }
        common
    }
}
