//! Factors: transition systems over abstract states whose labels are shared with other factors.

use std::collections::HashMap;
use std::iter::zip;

use search::DEAD_END;

use super::GONE;
use super::cascade::Cascade;
use super::counts::CountRanges;
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

/// A transition system that stands for some variables of the game.
///
/// The labels that are in none of its groups lead from each state to itself.
#[derive(Clone, Debug)]
pub(super) struct Factor {
    pub(super) cascade: Cascade,
    pub(super) ranges: CountRanges,
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
        ranges: CountRanges,
        goals: Vec<bool>,
        groups: Vec<Group>,
        costs: &[u64],
    ) -> Self {
        let mut factor = Self {
            cascade,
            ranges,
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

    pub(super) fn n_bytes(&self) -> usize {
        let groups = self.groups.iter();
        let groups = groups.map(|it| size_of_val(&*it.labels) + size_of_val(&*it.transitions));
        self.cascade.n_bytes()
            + self.ranges.n_bytes()
            + size_of_val(&*self.goals)
            + size_of_val(&*self.distances)
            + groups.sum::<usize>()
    }

    /// Return whether some state isn't a goal.
    pub(super) fn has_aim(&self) -> bool {
        self.goals.contains(&false)
    }

    /// Return whether values of variables have no state.
    pub(super) fn has_gaps(&self) -> bool {
        self.cascade.has_gaps()
    }

    /// Return the cost of the cheapest label of each group.
    fn costs_of_groups(&self, costs: &[u64]) -> Vec<u64> {
        let cheapest = |group: &Group| {
            let labels = group.labels.iter().map(|label| costs[*label as usize]);
            labels.min().unwrap_or(DEAD_END)
        };
        self.groups.iter().map(cheapest).collect()
    }

    fn update_distances(&mut self, costs: &[u64]) {
        let groups = zip(0.., &self.groups).map(|(number, group)| (number, group));
        let system = self.system(groups);
        self.distances = system.distances(&self.costs_of_groups(costs));
    }

    /// Return the transition system whose operators are the labels.
    pub(super) fn with_labels(&self) -> TransitionSystem {
        let labels = |group: &'_ Group| group.labels.clone().into_iter();
        let groups = self.groups.iter();
        self.system(groups.flat_map(|group| labels(group).map(move |label| (label, group))))
    }

    /// Return the transition system with these operators, each of which has the transitions of a
    /// group.
    fn system<'g>(&'g self, operators: impl Iterator<Item = (u32, &'g Group)>) -> TransitionSystem {
        let mut into = vec![Vec::new(); self.n_states()];
        for (operator, group) in operators {
            for (source, target) in &group.transitions {
                if source != target {
                    into[*target as usize].push((operator, *source));
                }
            }
        }
        let goals = zip(0.., &self.goals).filter(|(_, is_goal)| **is_goal);
        TransitionSystem::new(&into, goals.map(|(state, _)| state))
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
        self.ranges = self.ranges.mapped(map, n_states);
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
    pub(super) fn shrink(&mut self, classes: &[u32], n_classes: usize, costs: &[u64]) {
        self.map(classes, n_classes);
        self.update_distances(costs);
    }

    /// Unite groups that have the same transitions, and leave out labels that lead from each state
    /// to itself.
    pub(super) fn unite_groups(&mut self) {
        let n_states = self.n_states();
        let mut united: HashMap<Vec<(u32, u32)>, Vec<u32>> = HashMap::new();
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
