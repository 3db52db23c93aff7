//! Labels that no factor but one tells apart become one.

use std::collections::{BTreeMap, HashMap};

use super::factor::{Factor, Group};

/// Unite labels as long as there are some that may be united: labels of the same cost which all
/// factors, or all but one, have in the same group. In the remaining factor, the new label has the
/// transitions of all of them. No product of all factors changes its distances by that (Sievers,
/// Wehrle & Helmert 2014, "Generalized Label Reduction for Merge-and-Shrink Heuristics").
///
/// Before, labels that some factor never allows are left out. Returns the number of labels that are
/// gone.
pub(super) fn reduce(factors: &mut [Factor], costs: &[u64]) -> usize {
    let n_dead = remove_dead(factors, costs.len());
    let mut reduction = Reduction::new(factors, costs);
    let mut n_unchanged = 0;
    let mut number = 0;
    while n_unchanged < factors.len() {
        if reduction.reduce_in(factors, number) {
            n_unchanged = 0;
        }
        n_unchanged += 1;
        number = (number + 1) % factors.len();
    }
    let n_united = reduction.is_gone.iter().filter(|it| **it).count();
    if n_united > 0 {
        for factor in factors {
            factor.remove_labels(&reduction.is_gone);
        }
    }
    n_dead + n_united
}

/// Leave out labels for which a factor has no transitions, and return how many there are.
fn remove_dead(factors: &mut [Factor], n_labels: usize) -> usize {
    let mut is_dead = vec![false; n_labels];
    let mut n_dead = 0;
    for group in factors.iter().flat_map(|factor| &factor.groups) {
        if group.transitions.is_empty() {
            for label in &group.labels {
                n_dead += usize::from(!is_dead[*label as usize]);
                is_dead[*label as usize] = true;
            }
        }
    }
    if n_dead > 0 {
        for factor in factors {
            factor.remove_labels(&is_dead);
        }
    }
    n_dead
}

/// The groups of a label: the factors that have it in one, in ascending order, and the number of
/// the group there.
type Groups = Vec<(u32, u32)>;

struct Reduction<'c> {
    costs: &'c [u64],
    /// By label.
    groups: Vec<Groups>,
    /// By label, a hash of its cost and its groups: a sum over the groups.
    hashes: Vec<u64>,
    /// By hash, the labels that have it, or had it before.
    by_hash: HashMap<u64, Vec<u32>>,
    /// By label, whether it became another one.
    is_gone: Vec<bool>,
}

/// Mix the bits of two numbers (the finalizer of SplitMix64).
fn hash(one: u64, other: u64) -> u64 {
    let mut bits = (one << 32 ^ other).wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

fn hash_of((factor, group): (u32, u32)) -> u64 {
    // Factor 0 is for costs.
    hash(u64::from(factor) + 1, u64::from(group))
}

impl<'c> Reduction<'c> {
    fn new(factors: &[Factor], costs: &'c [u64]) -> Self {
        let mut reduction = Self {
            costs,
            groups: vec![Vec::new(); costs.len()],
            hashes: costs.iter().map(|cost| hash(0, *cost)).collect(),
            by_hash: HashMap::new(),
            is_gone: vec![false; costs.len()],
        };
        for (number, factor) in factors.iter().enumerate() {
            reduction.note_groups(number as u32, factor);
        }
        for label in 0..costs.len() as u32 {
            reduction.note_hash(label);
        }
        reduction
    }

    /// Note the groups of a factor.
    fn note_groups(&mut self, factor: u32, of_factor: &Factor) {
        for (number, group) in (0..).zip(&of_factor.groups) {
            for label in &group.labels {
                let groups = &mut self.groups[*label as usize];
                let place = groups.partition_point(|(it, _)| *it < factor);
                groups.insert(place, (factor, number));
                let hash = &mut self.hashes[*label as usize];
                *hash = hash.wrapping_add(hash_of((factor, number)));
            }
        }
    }

    /// Forget the groups of a factor.
    fn forget_groups(&mut self, factor: u32, of_factor: &Factor) {
        for label in of_factor.groups.iter().flat_map(|group| &group.labels) {
            let groups = &mut self.groups[*label as usize];
            if let Ok(place) = groups.binary_search_by_key(&factor, |(it, _)| *it) {
                let hash = &mut self.hashes[*label as usize];
                *hash = hash.wrapping_sub(hash_of(groups.remove(place)));
            }
        }
    }

    /// Note the hash of a label that is in some group.
    fn note_hash(&mut self, label: u32) {
        if self.groups[label as usize].is_empty() {
            return;
        }
        let hash = self.hashes[label as usize];
        let labels = self.by_hash.entry(hash).or_default();
        if !labels.contains(&label) {
            labels.push(label);
        }
    }

    /// Return whether two labels cost the same and all other factors have them in the same groups.
    fn are_same_but_in(&self, factor: u32, one: u32, other: u32) -> bool {
        let others = |label: u32| {
            let groups = self.groups[label as usize].iter();
            groups.filter(move |(it, _)| *it != factor)
        };
        self.costs[one as usize] == self.costs[other as usize] && others(one).eq(others(other))
    }

    /// Return whether a label is in groups of other factors only.
    fn is_idle_in(&self, factor: u32, label: u32) -> bool {
        let groups = &self.groups[label as usize];
        !groups.is_empty() && groups.iter().all(|(it, _)| *it != factor)
    }

    /// Return the sets of at least two labels that only a factor tells apart.
    fn same_but_in(&self, factor: u32, of_factor: &Factor) -> Vec<Vec<u32>> {
        let mut by_hash: HashMap<u64, Vec<usize>> = HashMap::new();
        let mut sets: Vec<Vec<u32>> = Vec::new();
        for (number, group) in (0..).zip(&of_factor.groups) {
            let of_group = hash_of((factor, number));
            for label in group
                .labels
                .iter()
                .filter(|it| !self.is_gone[**it as usize])
            {
                let hash = self.hashes[*label as usize].wrapping_sub(of_group);
                let found = by_hash.entry(hash).or_default();
                let is_same = |set: &&usize| self.are_same_but_in(factor, sets[**set][0], *label);
                if let Some(set) = found.iter().find(is_same) {
                    sets[*set].push(*label);
                    continue;
                }
                // Labels that the factor has in no group.
                let idle = self.by_hash.get(&hash).into_iter().flatten();
                let idle = idle.filter(|it| {
                    self.is_idle_in(factor, **it) && self.are_same_but_in(factor, **it, *label)
                });
                found.push(sets.len());
                sets.push(std::iter::once(*label).chain(idle.copied()).collect());
            }
        }
        sets.retain(|set| set.len() > 1);
        for set in &mut sets {
            set.sort_unstable();
        }
        sets
    }

    /// Unite labels that only one factor tells apart, and return whether there are some.
    fn reduce_in(&mut self, factors: &mut [Factor], number: usize) -> bool {
        let factor = number as u32;
        let sets = self.same_but_in(factor, &factors[number]);
        if sets.is_empty() {
            return false;
        }
        let of_factor = &mut factors[number];
        self.forget_groups(factor, of_factor);
        let mut set_of: HashMap<u32, usize> = HashMap::new();
        for (set, labels) in sets.iter().enumerate() {
            set_of.extend(labels.iter().map(|label| (*label, set)));
            for label in &labels[1..] {
                self.is_gone[*label as usize] = true;
                self.groups[*label as usize].clear();
            }
        }
        // The transitions of each set, and how many labels of it have them.
        let mut united: Vec<(Vec<(u32, u32)>, usize)> = vec![(Vec::new(), 0); sets.len()];
        for group in &mut of_factor.groups {
            let mut in_sets: BTreeMap<usize, usize> = BTreeMap::new();
            for set in group.labels.iter().filter_map(|label| set_of.get(label)) {
                *in_sets.entry(*set).or_default() += 1;
            }
            for (set, n_in_set) in in_sets {
                let (transitions, n_labels) = &mut united[set];
                transitions.extend_from_slice(&group.transitions);
                *n_labels += n_in_set;
            }
            let is_left =
                |label: &u32| !set_of.contains_key(label) && !self.is_gone[*label as usize];
            group.labels.retain(is_left);
        }
        of_factor.groups.retain(|group| !group.labels.is_empty());
        let n_states = of_factor.n_states() as u32;
        for (labels, (mut transitions, n_labels)) in sets.iter().zip(united) {
            if n_labels < labels.len() {
                transitions.extend((0..n_states).map(|state| (state, state)));
            }
            transitions.sort_unstable();
            transitions.dedup();
            of_factor.groups.push(Group {
                labels: vec![labels[0]],
                transitions,
            });
        }
        of_factor.unite_groups();
        self.note_groups(factor, of_factor);
        // Labels that the factor has had in a group, or that are in one now.
        let changed = of_factor.groups.iter().flat_map(|group| &group.labels);
        for label in changed.chain(sets.iter().map(|set| &set[0])) {
            self.note_hash(*label);
        }
        true
    }
}
