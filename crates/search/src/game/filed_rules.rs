//! The rules that can apply to a state of a large game, without a look at the others.
//!
//! Each rule with a test against a constant is *filed* under one of them, a position and a value. A
//! state is read once, and only the rules that are filed under one of its values are candidates,
//! beside those without such a test. In a map, where each rule leads from one place to the next, a
//! state has as many candidates as its place has neighbors.

use ahash::AHashMap;

use crate::game::cell::Cell;
use crate::game::rule_index::ConstantTest;

/// The rules of a game, filed.
#[derive(Clone, Debug)]
pub(crate) struct FiledRules {
    /// The positions at which rules are filed.
    positions: Vec<FiledPosition>,
    /// Where each list of rules begins in `rules`, and where the last one ends.
    starts: Vec<u32>,
    /// The rules of each list, ascending.
    rules: Vec<u32>,
    /// The rules that are candidates in each state, ascending.
    always: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct FiledPosition {
    position: usize,
    /// The number of the list for its first value.
    first_list: usize,
}

impl FiledRules {
    /// File each rule under the test that the fewest rules have.
    pub(crate) fn new(n_rules: usize, domain_sizes: &[usize], tests: &[ConstantTest]) -> Self {
        let mut n_tests: AHashMap<(usize, usize), u32> = AHashMap::new();
        for test in tests {
            *n_tests.entry((test.position, test.value)).or_default() += 1;
        }
        let mut filed_under: Vec<Option<ConstantTest>> = vec![None; n_rules];
        for test in tests {
            let place = &mut filed_under[test.rule];
            let n_rules_with = |test: &ConstantTest| n_tests[&(test.position, test.value)];
            if place.is_none_or(|best| n_rules_with(test) < n_rules_with(&best)) {
                *place = Some(*test);
            }
        }
        let mut lists = vec![None; domain_sizes.len()];
        let (mut positions, mut n_lists) = (Vec::new(), 0);
        for test in filed_under.iter().flatten() {
            if lists[test.position].is_none() {
                lists[test.position] = Some(n_lists);
                positions.push(FiledPosition {
                    position: test.position,
                    first_list: n_lists,
                });
                n_lists += domain_sizes[test.position];
            }
        }
        let list_of = |test: &ConstantTest| lists[test.position].map(|list| list + test.value);
        let mut in_lists: Vec<(usize, u32)> = Vec::new();
        let mut always = Vec::new();
        for (rule, test) in (0..).zip(&filed_under) {
            match test.as_ref().and_then(list_of) {
                Some(list) => in_lists.push((list, rule)),
                None => always.push(rule),
            }
        }
        in_lists.sort_unstable();
        let mut starts = vec![0; n_lists + 1];
        for (list, _) in &in_lists {
            starts[list + 1] += 1;
        }
        for list in 0..n_lists {
            starts[list + 1] += starts[list];
        }
        Self {
            positions,
            starts,
            rules: in_lists.into_iter().map(|(_, rule)| rule).collect(),
            always,
        }
    }

    /// Return the mean number of candidates, if all values are equally frequent.
    pub(crate) fn mean_candidates(&self, domain_sizes: &[usize]) -> f64 {
        let of_position = |filed: &FiledPosition| {
            let n_values = domain_sizes[filed.position];
            let [first, end] = [0, n_values].map(|list| self.starts[filed.first_list + list]);
            f64::from(end - first) / n_values as f64
        };
        self.always.len() as f64 + self.positions.iter().map(of_position).sum::<f64>()
    }

    /// Return the rules that are filed under the values of a state, and those without a place.
    fn lists<C: Cell>(&self, row: &[C]) -> impl Iterator<Item = &[u32]> {
        let filed = self.positions.iter().map(|filed| {
            let list = filed.first_list + row[filed.position].index();
            let [first, end] = [list, list + 1].map(|list| self.starts[list] as usize);
            &self.rules[first..end]
        });
        filed.chain([&self.always[..]])
    }

    /// Write the candidates in a state into a set of all rules.
    pub(crate) fn candidates<C: Cell>(&self, row: &[C], set: &mut [u64]) {
        set.fill(0);
        for rule in self.lists(row).flatten() {
            set[*rule as usize / 64] |= 1 << (rule % 64);
        }
    }

    /// The same, without a look at the whole set: `words` has the numbers of its words that aren't
    /// 0, before and afterwards, ascending.
    pub(crate) fn candidates_in_words<C: Cell>(
        &self,
        row: &[C],
        set: &mut [u64],
        words: &mut Vec<u32>,
    ) {
        for word in words.drain(..) {
            set[word as usize] = 0;
        }
        for rule in self.lists(row).flatten() {
            let word = &mut set[*rule as usize / 64];
            if *word == 0 {
                words.push(rule / 64);
            }
            *word |= 1 << (rule % 64);
        }
        words.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use psvn_ir::random::SplitMix64;

    use super::*;

    #[test]
    fn candidates_are_what_the_values_leave() {
        let mut random = SplitMix64::new(7);
        let domain_sizes = [3, 40, 1, 17];
        let n_rules = 500;
        let tests: Vec<ConstantTest> = (0..n_rules)
            .flat_map(|rule| (0..domain_sizes.len()).map(move |position| (rule, position)))
            .filter_map(|(rule, position)| {
                let value = random.below(domain_sizes[position]);
                // Rule 0 tests for nothing, and so do some others.
                let is_test = rule > 0 && random.below(2) == 0;
                is_test.then_some(ConstantTest {
                    rule,
                    position,
                    value,
                })
            })
            .collect();
        let filed = FiledRules::new(n_rules, &domain_sizes, &tests);
        let mut set = vec![0; n_rules.div_ceil(64)];
        let (mut in_words, mut words) = (set.clone(), Vec::new());
        let mut n_candidates = 0;
        for _ in 0..1_000 {
            let row: Vec<u32> = domain_sizes.map(|size| random.below(size) as u32).into();
            filed.candidates(&row, &mut set);
            filed.candidates_in_words(&row, &mut in_words, &mut words);
            assert_eq!(set, in_words);
            let used = (0..).zip(&set).filter(|(_, word)| **word != 0);
            assert!(used.map(|(number, _)| number).eq(words.iter().copied()));
            for rule in 0..n_rules {
                let mut of_rule = tests.iter().filter(|test| test.rule == rule);
                let holds = |test: &ConstantTest| row[test.position] as usize == test.value;
                let is_candidate = set[rule / 64] >> (rule % 64) & 1 == 1;
                n_candidates += usize::from(is_candidate);
                if of_rule.clone().all(holds) {
                    assert!(is_candidate, "rule {rule} applies to {row:?}");
                } else {
                    // One of its tests is the one that it is filed under.
                    assert!(!is_candidate || of_rule.any(holds));
                }
            }
        }
        let mean = n_candidates as f64 / 1_000.0;
        let expected = filed.mean_candidates(&domain_sizes);
        assert!((mean - expected).abs() < 2.0, "{mean} {expected}");
    }
}
