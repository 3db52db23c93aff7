//! The search for a conserved set that contains a given class of facts.
//!
//! As in Helmert's synthesis of mutex groups, a set that some rule unbalances is repaired by adding
//! a fact that the rule changes the other way. The unbalanced equation with the fewest candidates
//! is repaired first. The candidates are tried in turn, each with the earlier ones excluded, so
//! that no set is tried twice.

use crate::conserved::classes::Classes;
use crate::facts::FactIndex;

/// The most sets that are tried for one class of facts.
const MAX_TRIES: usize = 400;
/// The most classes of one set: bounds the depth of the recursion.
const MAX_CLASSES: usize = 1_000;

/// The search's state: a set of classes under construction.
pub(crate) struct Repair<'a> {
    index: &'a FactIndex,
    classes: &'a Classes,
    /// The equations that a class occurs in, with its coefficient.
    occurrences: Vec<Vec<(u32, i32)>>,
    chosen: Vec<bool>,
    excluded: Vec<bool>,
    /// The chosen classes.
    set: Vec<u32>,
    /// The current sum of each equation.
    sums: Vec<i32>,
    /// The number of chosen facts of each variable.
    facts_of_var: Vec<u32>,
    seed: u32,
    tries: usize,
    /// The remaining work, in terms examined, for all seeds together.
    budget: usize,
}

impl<'a> Repair<'a> {
    pub(crate) fn new(index: &'a FactIndex, classes: &'a Classes, n: usize, budget: usize) -> Self {
        let mut occurrences = vec![Vec::new(); classes.members.len()];
        for (e, equation) in classes.equations.iter().enumerate() {
            for (class, c) in equation {
                occurrences[*class as usize].push((e as u32, *c));
            }
        }
        Self {
            index,
            classes,
            occurrences,
            chosen: vec![false; classes.members.len()],
            excluded: vec![false; classes.members.len()],
            set: Vec::new(),
            sums: vec![0; classes.equations.len()],
            facts_of_var: vec![0; n],
            seed: 0,
            tries: 0,
            budget,
        }
    }

    /// Whether the work was not cut short.
    pub(crate) fn has_budget(&self) -> bool {
        self.budget > 0
    }

    /// A conserved set of classes with this one, if the search finds one.
    pub(crate) fn find(&mut self, seed: u32) -> Option<Vec<u32>> {
        self.seed = self.classes.members[seed as usize][0];
        self.tries = 0;
        let found = self.extend(seed, &mut Vec::new());
        let result = found.then(|| self.set.clone());
        while let Some(class) = self.set.last().copied() {
            self.remove(class);
        }
        result
    }

    /// Add a class and repair the set. If true, `set` is a result and left unchanged.
    fn extend(&mut self, class: u32, unbalanced: &mut Vec<u32>) -> bool {
        self.tries += 1;
        if self.tries > MAX_TRIES || self.budget == 0 || self.set.len() >= MAX_CLASSES {
            return false;
        }
        if !self.add(class, unbalanced) {
            self.remove(class);
            return false;
        }
        unbalanced.retain(|e| self.sums[*e as usize] != 0);
        unbalanced.sort_unstable();
        unbalanced.dedup();
        let mut best: Option<Vec<u32>> = None;
        for e in unbalanced.iter() {
            let candidates = self.candidates(*e);
            if best.as_ref().is_none_or(|b| candidates.len() < b.len()) {
                let hopeless = candidates.is_empty();
                best = Some(candidates);
                if hopeless {
                    break;
                }
            }
        }
        let Some(mut candidates) = best else {
            return true;
        };
        candidates.sort_by_key(|candidate| self.preference(*candidate));
        for (n_excluded, candidate) in candidates.iter().enumerate() {
            if self.extend(*candidate, &mut unbalanced.clone()) {
                self.include_again(&candidates[..n_excluded]);
                return true;
            }
            self.excluded[*candidate as usize] = true;
        }
        self.include_again(&candidates);
        self.remove(class);
        false
    }

    fn include_again(&mut self, classes: &[u32]) {
        for class in classes {
            self.excluded[*class as usize] = false;
        }
    }

    /// Classes that bring the sum of an unbalanced equation closer to 0.
    fn candidates(&mut self, equation: u32) -> Vec<u32> {
        let terms = &self.classes.equations[equation as usize];
        self.budget = self.budget.saturating_sub(terms.len());
        let sum = self.sums[equation as usize];
        let fits = |(class, c): &&(u32, i32)| {
            c.signum() == -sum.signum()
                && !self.chosen[*class as usize]
                && !self.excluded[*class as usize]
        };
        terms.iter().filter(fits).map(|(class, _)| *class).collect()
    }

    /// Facts of variables that the set lacks come first, then those with the value of the seed.
    fn preference(&self, class: u32) -> (bool, bool, u32) {
        let seed = self.index.fact(self.seed).value;
        let members = &self.classes.members[class as usize];
        let overlaps = members
            .iter()
            .any(|fact| self.facts_of_var[self.index.var(*fact)] > 0);
        let other_value = members
            .iter()
            .all(|fact| self.index.fact(*fact).value != seed);
        (overlaps, other_value, class)
    }

    /// Add a class. False if the set now has all values of some variable, and so leads to no new
    /// set.
    fn add(&mut self, class: u32, unbalanced: &mut Vec<u32>) -> bool {
        self.chosen[class as usize] = true;
        self.set.push(class);
        for (e, c) in &self.occurrences[class as usize] {
            self.sums[*e as usize] += c;
            unbalanced.push(*e);
        }
        let mut fits = true;
        for fact in &self.classes.members[class as usize] {
            let var = self.index.var(*fact);
            self.facts_of_var[var] += 1;
            fits &= (self.facts_of_var[var] as usize) < self.index.domain_size(var);
        }
        let work = self.occurrences[class as usize].len() + unbalanced.len();
        self.budget = self.budget.saturating_sub(work);
        fits
    }

    /// Take the last class out again.
    fn remove(&mut self, class: u32) {
        debug_assert_eq!(self.set.last(), Some(&class));
        self.set.pop();
        self.chosen[class as usize] = false;
        for (e, c) in &self.occurrences[class as usize] {
            self.sums[*e as usize] -= c;
        }
        for fact in &self.classes.members[class as usize] {
            self.facts_of_var[self.index.var(*fact)] -= 1;
        }
    }
}
