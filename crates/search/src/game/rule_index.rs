//! The rules that can apply to a state: a bit set of rules, by position and value.
//!
//! Most rules of a large game don't apply to most states. For each indexed position and each value
//! of its domain, the index holds the set of rules that the value does not rule out; the candidates
//! in a state are the intersection over the positions. Bits are read from the lowest up, so the
//! candidates come in rule order. A test at an indexed position is decided here and need not be
//! made again.

use crate::game::cell::Cell;

/// The maximum memory for the sets of a game: it should stay in a second-level cache.
const MAX_BYTES: usize = 256 << 10;

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
    n_words: usize,
    /// The set of all rules.
    all: Box<[u64]>,
    positions: Vec<IndexedPosition>,
    /// `n_words` words for each value of each indexed position.
    table: Vec<u64>,
}

impl RuleIndex {
    /// Build the index from all tests against constants.
    pub(crate) fn new(
        n_rules: usize,
        domain_sizes: &[usize],
        mut tests: Vec<ConstantTest>,
    ) -> Self {
        let n_words = n_rules.div_ceil(64).max(1);
        let mut all = vec![!0_u64; n_words].into_boxed_slice();
        for (word, bits) in all.iter_mut().enumerate() {
            let used = n_rules.saturating_sub(word * 64).min(64);
            *bits = if used == 64 { !0 } else { (1 << used) - 1 };
        }
        let mut index = Self {
            n_words,
            all,
            positions: Vec::new(),
            table: Vec::new(),
        };
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
            if ranges[position].len() < n_words {
                break;
            }
            let n_new = domain_sizes[position].saturating_mul(n_words);
            if (index.table.len() + n_new).saturating_mul(8) > MAX_BYTES {
                continue;
            }
            let offset = index.table.len();
            index.positions.push(IndexedPosition { position, offset });
            // A value leaves the rules that test for it, and those that don't test the position.
            let mut untested = index.all.clone();
            for test in &tests[ranges[position].clone()] {
                untested[test.rule / 64] &= !(1 << (test.rule % 64));
            }
            for _ in 0..domain_sizes[position] {
                index.table.extend_from_slice(&untested);
            }
            for test in &tests[ranges[position].clone()] {
                index.table[offset + test.value * n_words + test.rule / 64] |=
                    1 << (test.rule % 64);
            }
        }
        index
    }

    /// Return the length of a set of rules.
    #[inline]
    pub(crate) fn n_words(&self) -> usize {
        self.n_words
    }

    /// Return the positions whose tests the index decides.
    pub(crate) fn covered(&self) -> impl Iterator<Item = usize> + '_ {
        self.positions.iter().map(|indexed| indexed.position)
    }

    /// Return the candidates in a state if one word holds all rules.
    #[inline]
    pub(crate) fn candidates_word<C: Cell>(&self, row: &[C]) -> u64 {
        let mut set = self.all[0];
        for indexed in &self.positions {
            set &= self.table[indexed.offset + row[indexed.position].index()];
        }
        set
    }

    /// Write the candidates in a state into `set`, [`n_words`](Self::n_words) long.
    #[inline]
    pub(crate) fn candidates<C: Cell>(&self, row: &[C], set: &mut [u64]) {
        set.copy_from_slice(&self.all);
        for indexed in &self.positions {
            let start = indexed.offset + row[indexed.position].index() * self.n_words;
            for (bits, allowed) in set.iter_mut().zip(&self.table[start..start + self.n_words]) {
                *bits &= allowed;
            }
        }
    }
}
