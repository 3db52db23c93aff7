//! A set of facts that is compared with rules.

use std::ops::Range;

use crate::facts::FactIndex;

/// A set of facts by variable. What it answers takes time by the facts of the set, not by the
/// domains: puzzles with hundreds of variables have as many values.
pub(crate) struct FactSet<'a> {
    index: &'a FactIndex,
    /// The facts, sorted.
    facts: &'a [u32],
    /// For each variable, the places of its facts.
    places: Vec<Range<usize>>,
}

impl<'a> FactSet<'a> {
    /// Prepare a sorted list of facts, in linear time.
    pub(crate) fn new(index: &'a FactIndex, facts: &'a [u32]) -> Self {
        let mut places = vec![0..0; index.n_vars()];
        let mut start = 0;
        for of_var in facts.chunk_by(|one, other| index.var(*one) == index.var(*other)) {
            places[index.var(of_var[0])] = start..start + of_var.len();
            start += of_var.len();
        }
        Self {
            index,
            facts,
            places,
        }
    }

    /// Whether the set has a fact.
    pub(crate) fn has(&self, fact: u32) -> bool {
        let of_var = &self.facts[self.places[self.index.var(fact)].clone()];
        of_var.binary_search(&fact).is_ok()
    }

    /// Whether the set has facts of a variable.
    pub(crate) fn touches(&self, var: u32) -> bool {
        !self.places[var as usize].is_empty()
    }

    /// The number of values that the variables have which share a domain with this one.
    pub(crate) fn domain_size(&self, var: u32) -> usize {
        self.index.domain_size(var as usize)
    }

    /// The values whose facts of a variable are in the set, sorted.
    pub(crate) fn values(&self, var: u32) -> impl Iterator<Item = u32> {
        let first = self.index.of_var(var as usize).start;
        let facts = &self.facts[self.places[var as usize].clone()];
        facts.iter().map(move |fact| fact - first)
    }

    /// The same for several variables, with repetitions, sorted.
    pub(crate) fn values_of_all(&self, vars: &[u32]) -> Vec<u32> {
        let mut values: Vec<u32> = vars.iter().flat_map(|var| self.values(*var)).collect();
        values.sort_unstable();
        values
    }
}
