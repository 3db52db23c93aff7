//! Products of two factors.

use std::collections::BTreeMap;
use std::iter::zip;

use super::GONE;
use super::cascade::Cascade;
use super::counts::{Compatible, CountRanges, Counts};
use super::factor::{Factor, Group};

/// How large a product may become.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    /// The most transitions.
    pub(super) transitions: usize,
    /// The most pairs of transitions that are visited.
    pub(super) visits: usize,
}

/// A label that leads from each state of a factor to itself is in no group.
const IDLE: u32 = u32::MAX;

/// The pairs of states of two factors that are states of their product.
pub(super) struct Pairs<'a> {
    one: &'a Factor,
    other: &'a Factor,
    /// By pair, its number.
    numbers: Vec<u32>,
    /// By number, the pair.
    pairs: Vec<(u32, u32)>,
}

impl<'a> Pairs<'a> {
    /// Return those that fit together.
    pub(super) fn new(counts: &Counts, one: &'a Factor, other: &'a Factor) -> Self {
        let compatible = Compatible::new(counts, &one.ranges, &other.ranges);
        let (mut numbers, mut pairs) = (Vec::new(), Vec::new());
        numbers.reserve_exact(one.n_states() * other.n_states());
        for of_one in 0..one.n_states() as u32 {
            for of_other in 0..other.n_states() as u32 {
                if compatible.are(of_one, of_other) {
                    numbers.push(pairs.len() as u32);
                    pairs.push((of_one, of_other));
                } else {
                    numbers.push(GONE);
                }
            }
        }
        Self {
            one,
            other,
            numbers,
            pairs,
        }
    }

    pub(super) fn n_states(&self) -> usize {
        self.pairs.len()
    }

    #[inline]
    fn number(&self, one: u32, other: u32) -> u32 {
        self.numbers[one as usize * self.other.n_states() + other as usize]
    }

    /// Return the groups of the product, unless they would be too large; and the visits.
    fn groups(&self, size: Size) -> (Option<Vec<Group>>, usize) {
        let mut visits = 0;
        let mut n_transitions = 0;
        let mut groups = Vec::new();
        for ((one, other), labels) in labels_by_groups(self.one, self.other) {
            let mut transitions = Vec::new();
            let ones = transitions_of(self.one, one);
            let others = transitions_of(self.other, other);
            visits += ones.len() * others.len();
            if visits > size.visits {
                return (None, 0);
            }
            for (source, target) in &*ones {
                for (other_source, other_target) in &*others {
                    let source = self.number(*source, *other_source);
                    let target = self.number(*target, *other_target);
                    if source != GONE && target != GONE {
                        transitions.push((source, target));
                    }
                }
                if n_transitions + transitions.len() > size.transitions {
                    return (None, visits);
                }
            }
            n_transitions += transitions.len();
            transitions.sort_unstable();
            groups.push(Group {
                labels,
                transitions,
            });
        }
        (Some(groups), visits)
    }

    /// Return the product, unless it would be too large; and the visits.
    pub(super) fn product(self, size: Size, costs: &[u64]) -> (Option<Factor>, usize) {
        let (groups, visits) = self.groups(size);
        let Some(groups) = groups else {
            return (None, visits);
        };
        let goals = self
            .pairs
            .iter()
            .map(|(one, other)| self.one.goals[*one as usize] && self.other.goals[*other as usize]);
        let goals = goals.collect();
        let ranges = CountRanges::of_pairs(&self.one.ranges, &self.other.ranges, &self.pairs);
        let cascade = Cascade::Product {
            factors: Box::new([self.one.cascade.clone(), self.other.cascade.clone()]),
            width: self.other.n_states() as u32,
            table: self.numbers,
        };
        let product = Factor::new(cascade, ranges, goals, groups, costs);
        (Some(product), visits)
    }
}

/// Return the labels of two factors by their groups.
fn labels_by_groups(one: &Factor, other: &Factor) -> BTreeMap<(u32, u32), Vec<u32>> {
    let mut groups: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
    for (number, group) in zip(0.., &one.groups) {
        groups.extend(group.labels.iter().map(|label| (*label, (number, IDLE))));
    }
    for (number, group) in zip(0.., &other.groups) {
        for label in &group.labels {
            groups.entry(*label).or_insert((IDLE, IDLE)).1 = number;
        }
    }
    let mut labels: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
    for (label, groups) in groups {
        labels.entry(groups).or_default().push(label);
    }
    labels
}

/// Return the transitions of a group, or those from each state to itself.
fn transitions_of(factor: &Factor, group: u32) -> std::borrow::Cow<'_, [(u32, u32)]> {
    if group == IDLE {
        let states = 0..factor.n_states() as u32;
        states.map(|state| (state, state)).collect()
    } else {
        factor.groups[group as usize].transitions.as_slice().into()
    }
}
