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
    /// The number of its lists, one for each value.
    n_lists: usize,
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
                    n_lists: domain_sizes[test.position],
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

    /// Return the rules of each list of a position.
    fn lists_of(&self, filed: &FiledPosition) -> impl Iterator<Item = &[u32]> {
        let lists = &self.starts[filed.first_list..=filed.first_list + filed.n_lists];
        lists
            .array_windows()
            .map(|[begin, end]| &self.rules[*begin as usize..*end as usize])
    }

    /// Return the mean number of candidates, if all values are equally frequent.
    pub(crate) fn mean_candidates(&self) -> f64 {
        let of_position = |filed: &FiledPosition| {
            let n_rules: usize = self.lists_of(filed).map(<[_]>::len).sum();
            n_rules as f64 / filed.n_lists as f64
        };
        self.always.len() as f64 + self.positions.iter().map(of_position).sum::<f64>()
    }

    /// Return a number of candidates that no state exceeds.
    pub(crate) fn most_candidates(&self) -> usize {
        let of_position =
            |filed: &FiledPosition| self.lists_of(filed).map(<[_]>::len).max().unwrap_or(0);
        self.always.len() + self.positions.iter().map(of_position).sum::<usize>()
    }

    /// Return the filed rules, each with the position whose test needs no further look.
    pub(crate) fn decided(&self) -> impl Iterator<Item = (u32, usize)> {
        self.positions.iter().flat_map(|filed| {
            let rules = self.lists_of(filed).flatten();
            rules.map(|rule| (*rule, filed.position))
        })
    }

    /// Return the rules that are filed under the values of a state, and those without a place.
    /// `value` gives the state's value at a position.
    #[inline]
    fn lists(&self, value: impl Fn(usize) -> usize) -> impl Iterator<Item = &[u32]> {
        let filed = self.positions.iter().map(move |filed| {
            let list = filed.first_list + value(filed.position);
            let [first, end] = [list, list + 1].map(|list| self.starts[list] as usize);
            &self.rules[first..end]
        });
        filed.chain([&self.always[..]])
    }

    /// Write the candidates in a state into a set of all rules.
    pub(crate) fn candidates<C: Cell>(&self, row: &[C], set: &mut [u64]) {
        set.fill(0);
        for rule in self.lists(|position| row[position].index()).flatten() {
            set[*rule as usize / 64] |= 1 << (rule % 64);
        }
    }

    /// Write the candidates in a state into a list, ascending. `value` gives the state's value at a
    /// position.
    #[inline]
    pub(crate) fn list(&self, value: impl Fn(usize) -> usize, list: &mut Vec<u32>) {
        list.clear();
        let mut n_lists = 0;
        for rules in self.lists(value) {
            n_lists += usize::from(!rules.is_empty());
            list.extend_from_slice(rules);
        }
        // Each of them ascends.
        if n_lists > 1 {
            list.sort_unstable();
        }
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
        let mut list = Vec::new();
        let (mut n_candidates, mut most) = (0, 0);
        for _ in 0..1_000 {
            let row: Vec<u32> = domain_sizes.map(|size| random.below(size) as u32).into();
            filed.candidates(&row, &mut set);
            filed.list(|position| row[position] as usize, &mut list);
            let is_in_set = |rule: &u32| set[*rule as usize / 64] >> (rule % 64) & 1 == 1;
            assert!(
                (0..n_rules as u32)
                    .filter(is_in_set)
                    .eq(list.iter().copied())
            );
            most = most.max(list.len());
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
        let expected = filed.mean_candidates();
        assert!((mean - expected).abs() < 2.0, "{mean} {expected}");
        assert!(most <= filed.most_candidates());
    }
}
