//! Products of two factors.

use std::collections::BTreeMap;
use std::iter::zip;
use std::sync::Arc;

use psvn_ir::random::SplitMix64;

use super::cascade::{Cascade, GONE};
use super::factor::{Factor, Group};
use super::validity::{Compatible, Known, Traits};

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
    /// By groups of both factors, their common labels.
    labels: BTreeMap<(u32, u32), Vec<u32>>,
}

/// The number of pairs of states that are tried to see how many fit together.
const MAX_TRIED: usize = 1 << 14;

/// The seed of these pairs: estimates are the same each time.
const SEED: u64 = 1;

impl<'a> Pairs<'a> {
    /// Return about the part of all pairs of states that fit together.
    pub(super) fn part(known: &Known, one: &Factor, other: &Factor) -> f64 {
        let compatible = Compatible::new(known, &one.traits, &other.traits);
        let n_other = other.n_states();
        let n_pairs = one.n_states() * n_other;
        let n_tried = n_pairs.min(MAX_TRIED);
        let mut random = SplitMix64::new(SEED);
        let fitting = (0..n_tried).filter(|_| {
            let pair = random.below(n_pairs);
            compatible.are((pair / n_other) as u32, (pair % n_other) as u32)
        });
        fitting.count() as f64 / n_tried.max(1) as f64
    }

    /// Return those that fit together.
    pub(super) fn new(known: &Known, one: &'a Factor, other: &'a Factor) -> Self {
        let compatible = Compatible::new(known, &one.traits, &other.traits);
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
            labels: labels_by_groups(one, other),
        }
    }

    pub(super) fn n_states(&self) -> usize {
        self.pairs.len()
    }

    /// Return the number of pairs of transitions, which is at least that of the transitions of the
    /// product.
    pub(super) fn n_visits(&self) -> usize {
        let groups = self.labels.keys();
        let visits = groups.map(|(one, other)| {
            let ones = n_transitions_of(self.one, *one);
            ones.saturating_mul(n_transitions_of(self.other, *other))
        });
        visits.fold(0, usize::saturating_add)
    }

    #[inline]
    fn number(&self, one: u32, other: u32) -> u32 {
        self.numbers[one as usize * self.other.n_states() + other as usize]
    }

    /// Return the groups of the product, unless they have more transitions than allowed.
    fn groups(&self, most_transitions: usize) -> Option<Vec<Group>> {
        let mut n_transitions = 0;
        let mut groups = Vec::new();
        for ((one, other), labels) in &self.labels {
            let mut transitions = Vec::new();
            let ones = transitions_of(self.one, *one);
            let others = transitions_of(self.other, *other);
            // In this order they are sorted.
            for from_one in ones.chunk_by(|it, next| it.0 == next.0) {
                for from_other in others.chunk_by(|it, next| it.0 == next.0) {
                    let source = self.number(from_one[0].0, from_other[0].0);
                    if source == GONE {
                        continue;
                    }
                    for (_, of_one) in from_one {
                        let targets = from_other.iter().map(|it| self.number(*of_one, it.1));
                        let targets = targets.filter(|target| *target != GONE);
                        transitions.extend(targets.map(|target| (source, target)));
                    }
                }
                if n_transitions + transitions.len() > most_transitions {
                    return None;
                }
            }
            n_transitions += transitions.len();
            groups.push(Group {
                labels: labels.clone(),
                transitions,
            });
        }
        Some(groups)
    }

    /// Return the product, unless it has more transitions than allowed.
    pub(super) fn product(self, most_transitions: usize, costs: &[u64]) -> Option<Factor> {
        let groups = self.groups(most_transitions)?;
        let goals = self
            .pairs
            .iter()
            .map(|(one, other)| self.one.goals[*one as usize] && self.other.goals[*other as usize]);
        let goals = goals.collect();
        let starts = zip(&self.one.starts, &self.other.starts).map(|(one, other)| {
            if *one == GONE || *other == GONE {
                return GONE;
            }
            self.number(*one, *other)
        });
        let starts = starts.collect();
        let traits = Traits::of_pairs(&self.one.traits, &self.other.traits, &self.pairs);
        let cascade = Cascade::Product {
            factors: Arc::new([self.one.cascade.clone(), self.other.cascade.clone()]),
            width: self.other.n_states() as u32,
            table: self.numbers,
        };
        Some(Factor::new(cascade, traits, starts, goals, groups, costs))
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

fn n_transitions_of(factor: &Factor, group: u32) -> usize {
    if group == IDLE {
        factor.n_states()
    } else {
        factor.groups[group as usize].transitions.len()
    }
}
