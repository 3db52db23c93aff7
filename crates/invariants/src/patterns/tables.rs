//! The test of patterns against invariants, in flat arrays.

use psvn_ir::{Term, TermKind};

use crate::counts::Count;
use crate::facts::FactIndex;
use crate::invariants::Invariants;
use crate::patterns::closing::ClosingScratch;
use crate::patterns::lists::Lists;
use crate::patterns::memo::Memo;

/// What [`Invariants::admits_with`] looks up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    /// The counts that a fact belongs to.
    counts_of_fact: Lists,
    /// The counts with facts of a variable.
    counts_of_var: Lists,
    numbers: Vec<u32>,
    slacks: Vec<u32>,
    /// The least slack: with fewer constants no lower bound is missed.
    least_slack: usize,
    never: Vec<bool>,
    /// The row of each fact that excludes others; `NO_ROW` without.
    row: Vec<u32>,
    rows: Vec<u64>,
    /// Words of a row; 0 without pairs.
    row_words: usize,
}

const NO_ROW: u32 = u32::MAX;

/// How many positions are examined together.
const CHUNK: usize = 32;

impl Tables {
    pub(crate) fn new(
        index: &FactIndex,
        counts: &[Count],
        never: &[u32],
        exclusive: &[(u32, u32)],
    ) -> Self {
        let n_facts = index.n_facts();
        let mut by_fact = Vec::new();
        let mut by_var = Vec::new();
        for (number, count) in counts.iter().enumerate() {
            for fact in &count.facts {
                by_fact.push((*fact, number as u32));
                by_var.push((index.var(*fact) as u32, number as u32));
            }
        }
        let n_vars = (n_facts > 0).then(|| index.var(n_facts as u32 - 1) + 1);
        let mut never_flags = vec![false; n_facts];
        for fact in never {
            never_flags[*fact as usize] = true;
        }
        let mut tables = Self {
            counts_of_fact: Lists::new(n_facts, by_fact),
            counts_of_var: Lists::new(n_vars.unwrap_or(0), by_var),
            numbers: counts.iter().map(|count| count.number).collect(),
            slacks: counts.iter().map(Count::slack).collect(),
            least_slack: counts
                .iter()
                .map(|c| c.slack() as usize)
                .min()
                .unwrap_or(usize::MAX),
            never: never_flags,
            row: vec![NO_ROW; n_facts],
            rows: Vec::new(),
            row_words: if exclusive.is_empty() {
                0
            } else {
                n_facts.div_ceil(64)
            },
        };
        for (one, other) in exclusive {
            tables.exclude(*one, *other);
            tables.exclude(*other, *one);
        }
        tables
    }

    fn exclude(&mut self, fact: u32, other: u32) {
        if self.row[fact as usize] == NO_ROW {
            self.row[fact as usize] = (self.rows.len() / self.row_words) as u32;
            self.rows.resize(self.rows.len() + self.row_words, 0);
        }
        let start = self.row[fact as usize] as usize * self.row_words;
        self.rows[start + other as usize / 64] |= 1 << (other % 64);
    }

    #[inline]
    fn row(&self, fact: u32) -> Option<&[u64]> {
        let row = self.row[fact as usize];
        (row != NO_ROW).then(|| &self.rows[row as usize * self.row_words..][..self.row_words])
    }
}

/// Memory that tests of patterns reuse; one for each thread.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// The facts that the constants make true.
    pub(crate) facts: Vec<u32>,
    pub(crate) closing: ClosingScratch,
    pub(crate) memo: Memo,
    /// For each count, how many of its facts the constants make true.
    held: Vec<u32>,
    /// For each count, how many constants stand at its variables.
    fixed: Vec<u32>,
    /// The facts that the constants exclude.
    excluded: Vec<u64>,
    /// The positions of one unknown.
    members: Vec<u32>,
}

impl Scratch {
    /// Make empty memory. It grows with the first use.
    pub fn new() -> Self {
        Self::default()
    }

    /// List the facts of a pattern. Return whether an unknown stands at several positions.
    pub(crate) fn read(&mut self, pattern: &[Term], index: &FactIndex) -> bool {
        self.facts.clear();
        let mut repeats = false;
        for (n, chunk) in pattern.chunks(CHUNK).enumerate() {
            // In large games most positions hold their own unknown, and that is seen for many at
            // once.
            let terms = || (n * CHUNK..).zip(chunk);
            let are_own =
                terms().fold(true, |are_own, (i, term)| are_own & term.is_own_variable(i));
            if are_own {
                continue;
            }
            for (i, term) in terms() {
                match term.kind() {
                    TermKind::Constant(value) => self.facts.push(index.id(i, value)),
                    TermKind::Variable(_) => repeats |= !term.is_own_variable(i),
                }
            }
        }
        repeats
    }

    fn reset(&mut self, tables: &Tables) {
        self.held.clear();
        self.held.resize(tables.numbers.len(), 0);
        self.fixed.clear();
        self.fixed.resize(tables.numbers.len(), 0);
        self.excluded.clear();
        self.excluded.resize(tables.row_words, 0);
    }
}

impl Invariants {
    /// Whether a state that satisfies the invariants may match a vector of terms: a precondition
    /// vector in canonical form, constants and equal unknowns.
    ///
    /// `false` is certain. `true` is not, but each count is used with both bounds: too many of its
    /// facts are fixed true, or too many fixed false; and for unknowns that stand at several
    /// positions some value must be left.
    ///
    /// Allocates memory; [`admits_with`](Self::admits_with) doesn't.
    pub fn admits(&self, pattern: &[Term]) -> bool {
        self.admits_with(&mut Scratch::new(), pattern)
    }

    /// [`admits`](Self::admits) with memory to reuse.
    ///
    /// Takes time linear in the number of pairs of a constant and a count with its fact, and for
    /// each repeated unknown, that times the size of its domain.
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
                for (word, bits) in scratch.excluded.iter_mut().zip(row) {
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

    /// Whether a fact is neither out of reach nor excluded by the constants so far.
    #[inline]
    fn may_hold(&self, scratch: &Scratch, fact: u32) -> bool {
        let excluded = || {
            self.tables.row_words > 0
                && scratch.excluded[fact as usize / 64] >> (fact % 64) & 1 != 0
        };
        !self.tables.never[fact as usize] && !excluded()
    }

    /// Whether each unknown that stands at several positions can have some value, by itself.
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
