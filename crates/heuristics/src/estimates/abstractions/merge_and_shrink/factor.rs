//! Factors: transition systems over abstract states whose labels are shared with other factors.

use std::collections::BTreeMap;
use std::iter::zip;

use search::DEAD_END;

use super::cascade::{Cascade, GONE};
use super::validity::Traits;
use crate::estimates::abstractions::cost_partitioning::transition_system::TransitionSystem;

/// Labels of one factor that lead from and to the same states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// The labels, in ascending order.
    pub(super) labels: Vec<u32>,
    /// The states from and to which they lead, in ascending order.
    pub(super) transitions: Vec<(u32, u32)>,
}

impl Group {
    /// Return whether it leads from each state to itself, and nowhere else.
    fn is_idle(&self, n_states: usize) -> bool {
        let loops = zip(0.., &self.transitions);
        self.transitions.len() == n_states && loops.into_iter().all(|(n, it)| *it == (n, n))
    }
}

/// Classes of states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Classes {
    /// By state, its class.
    pub(super) of_states: Vec<u32>,
    pub(super) n_classes: usize,
}

/// A transition system that stands for some variables of the game.
///
/// The labels that are in none of its groups lead from each state to itself.
#[derive(Clone, Debug)]
pub(super) struct Factor {
    pub(super) cascade: Cascade,
    pub(super) traits: Traits,
    /// The states of the starts for which the factor is made, or [`GONE`].
    pub(super) starts: Vec<u32>,
    /// By state, whether it is one of the goals.
    pub(super) goals: Vec<bool>,
    /// No two of them have the same transitions.
    pub(super) groups: Vec<Group>,
    /// By state, what the goals cost from there.
    pub(super) distances: Vec<u64>,
}

impl Factor {
    /// Make a factor, without states from which there is no way to its goals.
    pub(super) fn new(
        cascade: Cascade,
        traits: Traits,
        starts: Vec<u32>,
        goals: Vec<bool>,
        groups: Vec<Group>,
        costs: &[u64],
    ) -> Self {
        let mut factor = Self {
            cascade,
            traits,
            starts,
            goals,
            groups,
            distances: Vec::new(),
        };
        factor.unite_groups();
        factor.update_distances(costs);
        let mut n_alive = 0;
        let of_state = |distance: &u64| {
            if *distance == DEAD_END {
                return GONE;
            }
            n_alive += 1;
            n_alive - 1
        };
        let map: Vec<u32> = factor.distances.iter().map(of_state).collect();
        if (n_alive as usize) < factor.n_states() {
            factor.map(&map, n_alive as usize);
            factor.distances.retain(|distance| *distance != DEAD_END);
        }
        factor
    }

    pub(super) fn n_states(&self) -> usize {
        self.goals.len()
    }

    /// Return the number of labels that aren't idle.
    pub(super) fn n_labels(&self) -> usize {
        self.groups.iter().map(|group| group.labels.len()).sum()
    }

    pub(super) fn n_bytes(&self) -> usize {
        let groups = self.groups.iter();
        let groups = groups.map(|it| size_of_val(&*it.labels) + size_of_val(&*it.transitions));
        self.cascade.n_bytes()
            + self.traits.n_bytes()
            + size_of_val(&*self.goals)
            + size_of_val(&*self.distances)
            + groups.sum::<usize>()
    }

    /// Return whether some state isn't a goal.
    pub(super) fn has_aim(&self) -> bool {
        self.goals.contains(&false)
    }

    /// Return whether it estimates more than 0 for some values of variables.
    pub(super) fn has_estimates(&self) -> bool {
        self.distances.iter().any(|distance| *distance > 0) || self.cascade.has_gaps()
    }

    /// Return the cost of the cheapest label of each group.
    fn costs_of_groups(&self, costs: &[u64]) -> Vec<u64> {
        let cheapest = |group: &Group| {
            let labels = group.labels.iter().map(|label| costs[*label as usize]);
            labels.min().unwrap_or(DEAD_END)
        };
        self.groups.iter().map(cheapest).collect()
    }

    /// Return, by state, the cost of the cheapest path from a start through it to a goal, or
    /// [`DEAD_END`].
    pub(super) fn lengths(&self, costs: &[u64]) -> Vec<u64> {
        let mut out = vec![Vec::new(); self.n_states()];
        for (number, group) in zip(0.., &self.groups) {
            for (source, target) in group.transitions.iter().filter(|it| it.0 != it.1) {
                out[*source as usize].push((number, *target));
            }
        }
        let starts = self.starts.iter().copied().filter(|start| *start != GONE);
        let backward = TransitionSystem::new(&out, starts);
        let before = backward.distances(&self.costs_of_groups(costs));
        let length = |(before, after): (u64, &u64)| before.saturating_add(*after);
        zip(before, &self.distances).map(length).collect()
    }

    fn update_distances(&mut self, costs: &[u64]) {
        let mut into = vec![Vec::new(); self.n_states()];
        for (number, group) in zip(0.., &self.groups) {
            for (source, target) in group.transitions.iter().filter(|it| it.0 != it.1) {
                into[*target as usize].push((number, *source));
            }
        }
        let goals = zip(0.., &self.goals).filter(|(_, is_goal)| **is_goal);
        let system = TransitionSystem::new(&into, goals.map(|(state, _)| state));
        self.distances = system.distances(&self.costs_of_groups(costs));
    }

    /// States become others, or [`GONE`] with all transitions from and to them. The distances
    /// remain as they were.
    fn map(&mut self, map: &[u32], n_states: usize) {
        let mut goals = vec![false; n_states];
        for (is_goal, new) in zip(&self.goals, map) {
            if *new != GONE {
                goals[*new as usize] |= is_goal;
            }
        }
        self.goals = goals;
        self.traits = self.traits.mapped(map, n_states);
        for start in self.starts.iter_mut().filter(|start| **start != GONE) {
            *start = map[*start as usize];
        }
        self.cascade.map(map);
        for group in &mut self.groups {
            for (source, target) in &mut group.transitions {
                *source = map[*source as usize];
                *target = map[*target as usize];
            }
            let is_left = |it: &(u32, u32)| it.0 != GONE && it.1 != GONE;
            group.transitions.retain(is_left);
            group.transitions.sort_unstable();
            group.transitions.dedup();
        }
        self.unite_groups();
    }

    /// States become classes of states.
    pub(super) fn shrink(&mut self, classes: &Classes, costs: &[u64]) {
        if classes.n_classes < self.n_states() {
            self.map(&classes.of_states, classes.n_classes);
            self.update_distances(costs);
        }
    }

    /// Unite groups that have the same transitions, and leave out labels that lead from each state
    /// to itself.
    pub(super) fn unite_groups(&mut self) {
        let n_states = self.n_states();
        let mut united: BTreeMap<Vec<(u32, u32)>, Vec<u32>> = BTreeMap::new();
        for group in std::mem::take(&mut self.groups) {
            if !group.is_idle(n_states) {
                let labels = united.entry(group.transitions).or_default();
                labels.extend(group.labels);
            }
        }
        let groups = united.into_iter().map(|(transitions, mut labels)| {
            labels.sort_unstable();
            Group {
                labels,
                transitions,
            }
        });
        self.groups = groups.collect();
        self.groups.sort_unstable_by_key(|group| group.labels[0]);
    }

    /// Leave out labels that were united with others, or that are of no use.
    pub(super) fn remove_labels(&mut self, is_gone: &[bool]) {
        for group in &mut self.groups {
            group.labels.retain(|label| !is_gone[*label as usize]);
        }
        self.groups.retain(|group| !group.labels.is_empty());
        self.groups.sort_unstable_by_key(|group| group.labels[0]);
    }
}
