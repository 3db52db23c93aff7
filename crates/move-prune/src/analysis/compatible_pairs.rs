//! The pairs of rules that can follow each other.

use std::collections::HashMap;

use ahash::RandomState;
use psvn_ir::RuleId;

use crate::analysis::result::{Analysis, RedundantWord};
use crate::words::WordId;

/// The rules that can follow each rule, according to an analysis of pairs.
///
/// Most rules of a game share their followers with some other rule, so lists are shared: a list for
/// each rule would not fit into memory for very large games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompatiblePairs {
    /// The rules that can be used and aren't redundant, in order.
    first: Vec<RuleId>,
    /// Different lists of rules, each in order. The first one is empty.
    lists: Vec<Vec<RuleId>>,
    /// The number of each rule's list.
    list_of: Vec<u32>,
}

impl CompatiblePairs {
    /// Return the rules that can be used and aren't redundant, in order.
    pub fn first(&self) -> &[RuleId] {
        &self.first
    }

    /// Return the rules that can follow a rule, in order. None can follow a rule that isn't kept.
    ///
    /// # Panics
    /// When the game has no such rule.
    pub fn of(&self, rule: RuleId) -> &[RuleId] {
        &self.lists[self.list_of[rule.index()] as usize]
    }

    /// Return the different lists of rules that can follow, and for each rule the index of its
    /// list.
    pub fn into_lists(self) -> (Vec<Vec<RuleId>>, Vec<u32>) {
        (self.lists, self.list_of)
    }

    /// Return whether two of the rules can't follow each other.
    pub fn is_impossible(&self, one: RuleId, other: RuleId) -> bool {
        let is_kept = |rule: &RuleId| self.first.binary_search(rule).is_ok();
        is_kept(&one) && is_kept(&other) && self.of(one).binary_search(&other).is_err()
    }
}

impl Analysis {
    /// Return the pairs of kept rules of which the second can never follow the first, in order.
    /// Empty unless pairs were analyzed. There may be very many: nearly the square of the number of
    /// rules.
    ///
    /// Impossibility holds for this game alone. Redundancy also holds in abstract versions of a
    /// game in which values are merged; impossibility doesn't.
    pub fn impossible_pairs(&self) -> impl Iterator<Item = [RuleId; 2]> + '_ {
        let pairs = self.compatible_pairs();
        let pairs_of = move |one: RuleId| {
            let mut possible = pairs.of(one).iter().peekable();
            let impossible = pairs
                .first
                .iter()
                .filter(|other| possible.next_if_eq(other).is_none());
            let pairs: Vec<[RuleId; 2]> = impossible.map(|other| [one, *other]).collect();
            pairs
        };
        self.kept_rules().into_iter().flat_map(pairs_of)
    }

    /// Return the rules that can follow each rule: all but the
    /// [`impossible_pairs`](Self::impossible_pairs).
    ///
    /// If pairs were analyzed, takes time linear in the number of pairs that are possible, else in
    /// the number of rules. Equal lists are stored once.
    pub fn compatible_pairs(&self) -> CompatiblePairs {
        let first = self.kept_rules();
        let mut pairs = CompatiblePairs {
            list_of: vec![0; self.n_rules],
            lists: vec![Vec::new()],
            first: Vec::new(),
        };
        if self.max_length < 2 {
            for rule in &first {
                pairs.list_of[rule.index()] = 1;
            }
            pairs.lists.push(first.clone());
            pairs.first = first;
            return pairs;
        }
        let mut redundant: Vec<Vec<RuleId>> = vec![Vec::new(); self.n_rules];
        for RedundantWord { word, .. } in &self.redundant {
            if let [one, other] = **word {
                redundant[one.index()].push(other);
            }
        }
        let mut numbers: HashMap<u64, Vec<u32>, RandomState> = HashMap::default();
        let hasher = RandomState::new();
        let children: Vec<(RuleId, WordId)> = self.kept.children(WordId::EMPTY).collect();
        let mut kept_word = vec![None; self.n_rules];
        for (one, word) in children {
            kept_word[one.index()] = Some(word);
        }
        for (place, mut list) in redundant.into_iter().enumerate() {
            if let Some(word) = kept_word[place] {
                list.extend(self.kept.children(word).map(|(other, _)| other));
                list.sort_unstable();
            }
            if list.is_empty() {
                continue;
            }
            // Only lists with the same hash are compared, so that no list has to be stored as a
            // key, too.
            let same = numbers.entry(hasher.hash_one(&list)).or_default();
            let found = same
                .iter()
                .find(|number| pairs.lists[**number as usize] == list);
            pairs.list_of[place] = match found {
                Some(number) => *number,
                None => {
                    let number = pairs.lists.len() as u32;
                    same.push(number);
                    list.shrink_to_fit();
                    pairs.lists.push(list);
                    number
                }
            };
        }
        pairs.first = first;
        pairs
    }

    /// Return the kept rules, in order; all rules if none were analyzed.
    fn kept_rules(&self) -> Vec<RuleId> {
        if self.levels.is_empty() {
            return (0..self.n_rules).map(RuleId::from_index).collect();
        }
        let children = self.kept.children(WordId::EMPTY);
        let mut rules: Vec<RuleId> = children.map(|(rule, _)| rule).collect();
        rules.sort_unstable();
        rules
    }
}
