//! The test of patterns against invariants, in flat arrays.

use psvn_ir::{Term, TermKind};

use crate::counts::Count;
use crate::facts::FactIndex;
use crate::patterns::closing::ClosingScratch;
use crate::patterns::lists::Lists;
use crate::patterns::memo::Memo;

/// The tables for [`admits_with`](crate::Invariants::admits_with).
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    /// The counts that a fact belongs to.
    pub(super) counts_of_fact: Lists,
    /// The counts with facts of a variable.
    pub(super) counts_of_var: Lists,
    pub(super) numbers: Vec<u32>,
    pub(super) slacks: Vec<u32>,
    /// The least slack: with fewer constants, no lower bound can be violated.
    pub(super) least_slack: usize,
    pub(super) never: Vec<bool>,
    /// The row of each fact that excludes others; else `NO_ROW`.
    pub(super) row: Vec<u32>,
    pub(super) rows: Vec<u64>,
    /// Words of a row; 0 without pairs.
    pub(super) row_words: usize,
}

const NO_ROW: u32 = u32::MAX;

/// The number of positions examined together.
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
    pub(super) fn row(&self, fact: u32) -> Option<&[u64]> {
        let row = self.row[fact as usize];
        (row != NO_ROW).then(|| &self.rows[row as usize * self.row_words..][..self.row_words])
    }
}

/// Scratch memory for tests of patterns; one for each thread.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// The facts that the constants make true.
    pub(crate) facts: Vec<u32>,
    pub(crate) closing: ClosingScratch,
    pub(crate) memo: Memo,
    /// For each count, the number of its facts that the constants make true.
    pub(super) held: Vec<u32>,
    /// For each count, the number of constants at its variables.
    pub(super) fixed: Vec<u32>,
    /// The facts that the constants exclude.
    pub(super) excluded: Vec<u64>,
    /// The positions of one unknown.
    pub(super) members: Vec<u32>,
}

impl Scratch {
    /// Make empty memory. It grows with the first use.
    pub fn new() -> Self {
        Self::default()
    }

    /// List the facts of a pattern. Return whether an unknown is at several positions.
    pub(crate) fn read(&mut self, pattern: &[Term], index: &FactIndex) -> bool {
        self.facts.clear();
        let mut repeats = false;
        for (n, chunk) in pattern.chunks(CHUNK).enumerate() {
            // In large games most positions hold their own unknown, so many are tested at once.
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

    pub(super) fn reset(&mut self, tables: &Tables) {
        self.held.clear();
        self.held.resize(tables.numbers.len(), 0);
        self.fixed.clear();
        self.fixed.resize(tables.numbers.len(), 0);
        self.excluded.clear();
        self.excluded.resize(tables.row_words, 0);
    }
}
