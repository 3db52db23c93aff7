//! Operators as steps between Cartesian sets.

use super::sets::{self, CartesianSet, Layout, have_common};
use crate::estimates::abstractions::operators::{After, Before, Group, Operator, Operators};

/// The operators of a game, and how Cartesian sets of its states are laid out.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    pub(super) operators: Operators,
    pub(super) layout: Layout,
}

impl Steps {
    /// Return whether the sources of a group may be equal and its targets get the same.
    fn has_value(&self, group: &Group, source: &CartesianSet, target: &CartesianSet) -> bool {
        let words = source.of(&self.layout, group.sources[0]).iter().enumerate();
        let in_word = |words: &[u64], number| words.get(number).copied().unwrap_or(0);
        let mut common = words.map(|(number, first)| {
            let sources = group.sources[1..].iter();
            let sources = sources.map(|var| in_word(source.of(&self.layout, *var), number));
            let targets = group.targets.iter();
            let targets = targets.map(|var| in_word(target.of(&self.layout, *var), number));
            sources
                .chain(targets)
                .fold(*first, |common, word| common & word)
        });
        common.any(|common| common != 0)
    }

    /// Leave the values that the sources of a group may have in common and that its targets may
    /// get.
    fn leave_values(
        &self,
        values: &mut [u64],
        group: &Group,
        source: &CartesianSet,
        target: &CartesianSet,
    ) {
        for var in &group.sources {
            sets::intersect(values, source.of(&self.layout, *var));
        }
        for var in &group.targets {
            sets::intersect(values, target.of(&self.layout, *var));
        }
    }

    /// Return whether an operator leads from `source` to `target`, if it does so apart from what it
    /// asks of a variable.
    pub(super) fn leaves(
        &self,
        operator: u32,
        var: u32,
        source: &CartesianSet,
        target: &CartesianSet,
    ) -> bool {
        let operator = self.operators.get(operator);
        let values = source.of(&self.layout, var);
        match operator.of(var).map(|it| it.before) {
            None => have_common(values, target.of(&self.layout, var)),
            Some(Before::Anything) => true,
            Some(Before::Value(value)) => sets::has(values, value),
            Some(Before::Shared(group)) => {
                self.has_value(&operator.groups[group as usize], source, target)
            }
        }
    }

    /// Return whether an operator leads from `source` to `target`, if it does so apart from what a
    /// variable has afterwards.
    pub(super) fn arrives(
        &self,
        operator: u32,
        var: u32,
        source: &CartesianSet,
        target: &CartesianSet,
    ) -> bool {
        let operator = self.operators.get(operator);
        let values = target.of(&self.layout, var);
        match operator.of(var).map(|it| it.after) {
            None => have_common(values, source.of(&self.layout, var)),
            Some(After::Value(value)) => sets::has(values, value),
            Some(After::Shared(group)) => {
                self.has_value(&operator.groups[group as usize], source, target)
            }
        }
    }

    /// Return whether an operator leads from `source` to `target`, if they have common values of
    /// all variables that it doesn't change.
    pub(super) fn leads(
        &self,
        operator: u32,
        source: &CartesianSet,
        target: &CartesianSet,
    ) -> bool {
        let operator = self.operators.get(operator);
        let may_be = operator.variables.iter().all(|it| {
            let may_leave = match it.before {
                Before::Value(value) => sets::has(source.of(&self.layout, it.var), value),
                Before::Anything | Before::Shared(_) => true,
            };
            may_leave
                && match it.after {
                    After::Value(value) => sets::has(target.of(&self.layout, it.var), value),
                    After::Shared(_) => true,
                }
        });
        let mut groups = operator.groups.iter();
        may_be && groups.all(|group| self.has_value(group, source, target))
    }

    /// Become the states of `source` from which an operator leads to `target`, apart from the
    /// equality of variables.
    pub(super) fn put_wanted(
        &self,
        wanted: &mut CartesianSet,
        operator: &Operator,
        source: &CartesianSet,
        target: &CartesianSet,
    ) {
        wanted.become_intersection(source, target);
        for it in &operator.variables {
            let values = wanted.of_mut(&self.layout, it.var);
            values.copy_from_slice(source.of(&self.layout, it.var));
            match it.before {
                Before::Anything => {}
                Before::Value(value) => {
                    values.fill(0);
                    sets::put(values, value);
                }
                Before::Shared(group) => {
                    let group = &operator.groups[group as usize];
                    self.leave_values(values, group, source, target);
                }
            }
        }
    }
}
