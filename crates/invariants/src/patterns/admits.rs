//! Whether some state that satisfies the invariants may match a vector.

use std::iter::zip;

use psvn_ir::Term;

use crate::invariants::Invariants;
use crate::patterns::tables::Scratch;

impl Invariants {
    /// Return whether a state that satisfies the invariants may match a vector of terms: a
    /// precondition vector in canonical form, constants and equal unknowns.
    ///
    /// `false` is certain, `true` is not. Each count is used with both bounds: too many of its
    /// facts are fixed true, or too many fixed false. For an unknown at several positions, some
    /// value must remain.
    ///
    /// Allocates memory; [`admits_with`](Self::admits_with) doesn't.
    pub fn admits(&self, pattern: &[Term]) -> bool {
        self.admits_with(&mut Scratch::new(), pattern)
    }

    /// [`admits`](Self::admits) with memory to reuse.
    ///
    /// Takes time linear in the number of pairs of a constant and a count with its fact. Each
    /// repeated unknown multiplies that by the size of its domain.
    pub fn admits_with(&self, scratch: &mut Scratch, pattern: &[Term]) -> bool {
        let tables = &self.tables;
        if self.is_empty() {
            return true;
        }
        let repeats = scratch.read(pattern, &self.index);
        if scratch.facts.is_empty() && !repeats {
            return true;
        }
        scratch.reset(tables);
        for place in 0..scratch.facts.len() {
            let fact = scratch.facts[place];
            if !self.may_hold(scratch, fact) {
                return false;
            }
            for count in tables.counts_of_fact.get(fact as usize) {
                let held = &mut scratch.held[*count as usize];
                *held += 1;
                if *held > tables.numbers[*count as usize] {
                    return false;
                }
            }
            if let Some(row) = tables.row(fact) {
                for (word, bits) in zip(&mut scratch.excluded, row) {
                    *word |= bits;
                }
            }
        }
        if scratch.facts.len() > tables.least_slack || repeats {
            for fact in &scratch.facts {
                for count in tables.counts_of_var.get(self.index.var(*fact)) {
                    scratch.fixed[*count as usize] += 1;
                }
            }
            let bounds = scratch.fixed.iter().zip(&scratch.held).zip(&tables.slacks);
            for ((fixed, held), slack) in bounds {
                if fixed - held > *slack {
                    return false;
                }
            }
        }
        !repeats || self.repeated_unknowns_have_values(scratch, pattern)
    }

    /// Whether a fact is neither unreachable nor excluded by the constants so far.
    #[inline]
    fn may_hold(&self, scratch: &Scratch, fact: u32) -> bool {
        let excluded = || {
            self.tables.row_words > 0
                && scratch.excluded[fact as usize / 64] >> (fact % 64) & 1 != 0
        };
        !self.tables.never[fact as usize] && !excluded()
    }

    /// Whether each unknown at several positions, considered alone, can have some value.
    fn repeated_unknowns_have_values(&self, scratch: &mut Scratch, pattern: &[Term]) -> bool {
        for (i, term) in pattern.iter().enumerate() {
            let Some(unknown) = term.as_variable().filter(|_| !term.is_own_variable(i)) else {
                continue;
            };
            let first = unknown.index();
            if pattern[first + 1..i].contains(term) {
                continue;
            }
            let mut members = std::mem::take(&mut scratch.members);
            members.clear();
            members.push(first as u32);
            let later = pattern.iter().enumerate().skip(i);
            members.extend(later.filter(|(_, t)| *t == term).map(|(k, _)| k as u32));
            let size = self.index.domain_size(first) as u32;
            let possible = (0..size).any(|value| self.may_all_hold(scratch, &members, value));
            scratch.members = members;
            if !possible {
                return false;
            }
        }
        true
    }

    /// Whether these positions can all hold a value, beside the constants.
    fn may_all_hold(&self, scratch: &mut Scratch, members: &[u32], value: u32) -> bool {
        let tables = &self.tables;
        let fact_of = |var: &u32| self.index.of_var(*var as usize).start + value;
        let facts_fit = members.iter().enumerate().all(|(n, var)| {
            let fact = fact_of(var);
            let fits_earlier = |row: &[u64]| {
                members[..n]
                    .iter()
                    .map(fact_of)
                    .all(|other| row[other as usize / 64] >> (other % 64) & 1 == 0)
            };
            self.may_hold(scratch, fact) && tables.row(fact).is_none_or(fits_earlier)
        });
        if !facts_fit {
            return false;
        }
        for var in members {
            for count in tables.counts_of_var.get(*var as usize) {
                scratch.fixed[*count as usize] += 1;
            }
            for count in tables.counts_of_fact.get(fact_of(var) as usize) {
                scratch.held[*count as usize] += 1;
            }
        }
        let within_bounds = |count: &u32| {
            let count = *count as usize;
            scratch.held[count] <= tables.numbers[count]
                && scratch.fixed[count] - scratch.held[count] <= tables.slacks[count]
        };
        let possible = members.iter().all(|var| {
            tables
                .counts_of_var
                .get(*var as usize)
                .iter()
                .all(within_bounds)
        });
        for var in members {
            for count in tables.counts_of_var.get(*var as usize) {
                scratch.fixed[*count as usize] -= 1;
            }
            for count in tables.counts_of_fact.get(fact_of(var) as usize) {
                scratch.held[*count as usize] -= 1;
            }
        }
        possible
    }
}
