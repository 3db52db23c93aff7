//! The rules that can apply to a state: a bit set of rules, by position and value.
//!
//! Most rules of a large game don't apply to most states. For each indexed position and each value
//! of its domain, the index holds the set of rules that the value does not rule out; the candidates
//! in a state are the intersection over the positions. Bits are read from the lowest up, so the
//! candidates come in rule order. A test at an indexed position is decided here and need not be
//! made again.
//!
//! Sets of many thousand rules take longer than all the rest, so a large game whose rules test for
//! many values has [lists](FiledRules) instead.

use crate::game::cell::Cell;
use crate::game::filed_rules::FiledRules;
use crate::game::rule_tables::RuleTables;

/// The maximum memory for the sets of a game: it should stay in a second-level cache.
const MAX_BYTES: usize = 256 << 10;

/// The least number of words of a set for which lists may take its place.
const LONG_SET: usize = 16;

/// The words of sets that are intersected in the time of one candidate from a list, about.
const WORDS_OF_CANDIDATE: f64 = 8.0;

/// A test of one rule against a constant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConstantTest {
    pub(crate) rule: usize,
    pub(crate) position: usize,
    pub(crate) value: usize,
}

#[derive(Clone, Copy, Debug)]
struct IndexedPosition {
    position: usize,
    /// The place in the table where the sets of its values begin.
    offset: usize,
}

/// The index of a game.
#[derive(Clone, Debug)]
pub(crate) struct RuleIndex {
    tables: RuleTables,
    positions: Vec<IndexedPosition>,
    /// The lists that take the place of the sets, where these would take longer.
    filed: Option<FiledRules>,
}

impl RuleIndex {
    /// Build the index from all tests against constants.
    pub(crate) fn new(
        n_rules: usize,
        domain_sizes: &[usize],
        mut tests: Vec<ConstantTest>,
    ) -> Self {
        let mut index = Self {
            tables: RuleTables::new(n_rules),
            positions: Vec::new(),
            filed: None,
        };
        if index.n_words() >= LONG_SET {
            let filed = FiledRules::new(n_rules, domain_sizes, &tests);
            let words = filed.mean_candidates() * WORDS_OF_CANDIDATE;
            if words < index.n_words() as f64 {
                index.filed = Some(filed);
                return index;
            }
        }
        tests.sort_by_key(|test| test.position);
        let mut ranges = vec![0..0; domain_sizes.len()];
        let mut start = 0;
        for run in tests.chunk_by(|a, b| a.position == b.position) {
            ranges[run[0].position] = start..start + run.len();
            start += run.len();
        }
        let mut order: Vec<usize> = (0..domain_sizes.len()).collect();
        order.sort_by_key(|position| std::cmp::Reverse(ranges[*position].len()));
        for position in order {
            // An indexed position costs about `n_words` operations and saves about one for each
            // rule that tests it.
            if ranges[position].len() < index.n_words() {
                break;
            }
            if index.tables.bytes_with(domain_sizes[position]) > MAX_BYTES {
                continue;
            }
            let offset = index.tables.add(domain_sizes[position]);
            index.positions.push(IndexedPosition { position, offset });
            for value in 0..domain_sizes[position] {
                index.tables.fill(offset, value);
            }
            for test in &tests[ranges[position].clone()] {
                for value in (0..domain_sizes[position]).filter(|value| *value != test.value) {
                    index.tables.rule_out(offset, value, test.rule);
                }
            }
        }
        index
    }

    /// Return the length of a set of rules.
    #[inline]
    pub(crate) fn n_words(&self) -> usize {
        self.tables.n_words()
    }

    /// Return the positions whose tests the index decides.
    pub(crate) fn covered(&self) -> impl Iterator<Item = usize> + '_ {
        self.positions.iter().map(|indexed| indexed.position)
    }

    /// Return the candidates in a state if one word holds all rules.
    #[inline]
    pub(crate) fn candidates_word<C: Cell>(&self, row: &[C]) -> u64 {
        let mut set = self.tables.all()[0];
        for indexed in &self.positions {
            let value = row[indexed.position].index();
            set &= self.tables.word(indexed.offset, value, 0);
        }
        set
    }

    /// Return the lists that take the place of sets, if there are any.
    #[inline]
    pub(crate) fn filed(&self) -> Option<&FiledRules> {
        self.filed.as_ref()
    }

    /// Write the candidates in a state into `set`, [`n_words`](Self::n_words) long.
    #[inline]
    pub(crate) fn candidates<C: Cell>(&self, row: &[C], set: &mut [u64]) {
        if let Some(filed) = &self.filed {
            return filed.candidates(row, set);
        }
        set.copy_from_slice(self.tables.all());
        for indexed in &self.positions {
            let allowed = self
                .tables
                .set(indexed.offset, row[indexed.position].index());
            let allowed = &allowed[..set.len()];
            for (i, bits) in set.iter_mut().enumerate() {
                *bits &= allowed[i];
            }
        }
    }
}
