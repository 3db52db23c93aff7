//! The analysis: all sequences up to a length, breadth first.

use std::collections::HashMap;
use std::time::Duration;

use ahash::RandomState;
use psvn_ir::{CanonicalRule, RuleId, Term};

use crate::demands::KeySpace;
use crate::extension::{cost_the_same, costs_fit};
use crate::limits::{Limits, Progress, StopReason};
use crate::word_order::Order;
use crate::words::{WordId, WordTree};
use crate::{breadth, buckets};

/// Says of a precondition vector whether some state that matters satisfies it.
pub type Admits<'a> = dyn Fn(&[Term]) -> bool + Sync + 'a;

/// What to analyze, and how far.
#[derive(Clone, Default)]
pub struct Options<'a> {
    /// The length of the longest sequences that are compared: the papers' l. 1 finds redundant single
    /// rules, 0 nothing.
    pub max_length: usize,
    /// What the analysis may use.
    pub limits: Limits,
    /// Knowledge about the states that a search will meet. Sequences whose preconditions it doesn't
    /// admit are taken as impossible. What is found then holds for those states only.
    pub admits: Option<&'a Admits<'a>>,
    /// The order in which rules are compared, each rule once; the order in which they stand if
    /// `None`. Any order is safe, and some prune much more than others.
    pub rule_order: Option<&'a [RuleId]>,
    /// The order in which words are compared.
    pub order: Order,
}

impl Options<'_> {
    /// Sequences up to a length, without limits and without knowledge about states.
    pub fn up_to(max_length: usize) -> Self {
        Self {
            max_length,
            ..Self::default()
        }
    }
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("max_length", &self.max_length)
            .field("limits", &self.limits)
            .field("admits", &self.admits.map(|_| "some states"))
            .field("rule_order", &self.rule_order)
            .field("order", &self.order)
            .finish()
    }
}

/// A redundant word, with its certificate.
///
/// All its proper parts are kept words: no redundant word contains another one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RedundantWord {
    /// The word.
    pub word: Box<[RuleId]>,
    /// A kept word that comes before it in the order, costs no more, can be used wherever the
    /// redundant word can, and then leads to the same state.
    pub replacement: Box<[RuleId]>,
}

/// What was found at one length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// The length of the sequences.
    pub length: usize,
    /// The sequences that were composed: those without redundant parts, and without neighbors that
    /// can't follow each other.
    pub composed: u64,
    /// Those that can't be carried out from any state, or from none that matters.
    pub invalid: u64,
    /// Those among the invalid that can be carried out from states that don't matter.
    pub unreachable: u64,
    /// Those that are redundant.
    pub redundant: u64,
    /// Those that are kept.
    pub kept: u64,
    /// The time that the level took.
    pub elapsed: Duration,
    /// The bytes held at its end.
    pub bytes: usize,
}

/// The result of an analysis.
///
/// # When a limit stopped it
/// What it holds is sound then, too. Any subset of the redundant words may be forbidden: a path that
/// contains one of them can be replaced by an earlier one that costs no more and ends in the same
/// state, and since the order is well-founded, that comes to an end at a path that contains none.
/// Nothing in this depends on which other words are forbidden.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The number of rules.
    pub n_rules: usize,
    /// The order in which words were compared. Where all rules cost the same it is
    /// [`Order::LengthLexicographic`] whatever was asked for: both orders are one there, and its
    /// machines serve more searches.
    ///
    /// With [`Order::CostLengthLexicographic`] the machine is for searches that are bounded by cost. A
    /// search that is bounded by the number of moves may miss states; [`Order`] has an example.
    pub order: Order,
    /// The length up to which the analysis is complete: the one that was asked for, unless a limit
    /// stopped it. It may be greater than that of the last level, when no longer words are left.
    pub max_length: usize,
    /// Why it stopped before the length that was asked for, if it did. What it holds is sound either
    /// way.
    pub stopped: Option<StopReason>,
    /// Where a limit stopped an analysis in the order by cost: it is complete for the words, up to
    /// the length that was asked for, that cost less than this. Levels beyond `max_length` are
    /// there, but count those words only which were compared, and longer redundant words are listed.
    pub complete_below: Option<u128>,
    /// What was found at each length from 1 on.
    pub levels: Vec<Level>,
    /// The kept words, in whatever order they were found: numbered by length and then by the numbers
    /// of their rules.
    pub kept: WordTree,
    /// The redundant words, by length and then by the numbers of their rules.
    pub redundant: Vec<RedundantWord>,
}

/// What a search over words found, with the places of rules in their order as letters.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) max_length: usize,
    pub(crate) stopped: Option<StopReason>,
    pub(crate) complete_below: Option<u128>,
    pub(crate) levels: Vec<Level>,
    pub(crate) kept: WordTree,
    pub(crate) redundant: Vec<RedundantWord>,
}

impl RedundantWord {
    /// The word as letters of a machine: the numbers of its rules.
    pub fn letters(&self) -> Vec<u32> {
        self.word.iter().map(|rule| rule.0).collect()
    }
}

impl Analysis {
    /// Whether the analysis went as far as it was asked to.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none()
    }

    /// Whether no replacement is longer than the word that it replaces. Then a search that is bounded
    /// by the number of moves loses nothing; one that is bounded by cost never does.
    ///
    /// In the order by length that is so always. Takes time linear in the number of redundant words.
    pub fn keeps_numbers_of_moves(&self) -> bool {
        self.redundant
            .iter()
            .all(|redundant| redundant.replacement.len() <= redundant.word.len())
    }

    /// The redundant words as letters of a machine, in order: what a machine must forbid.
    pub fn redundant_letters(&self) -> impl Iterator<Item = Vec<u32>> + '_ {
        self.redundant.iter().map(RedundantWord::letters)
    }

    /// The kept words of one length as letters of a machine, in order. Beyond the last level there are
    /// none.
    pub fn kept_letters(&self, length: usize) -> impl Iterator<Item = Vec<u32>> + '_ {
        let letters = |word| self.kept.letters(word).iter().map(|rule| rule.0).collect();
        let words = (length <= self.kept.depth()).then(|| self.kept.of_length(length));
        words.into_iter().flatten().map(letters)
    }

    /// The pairs of kept rules of which the second can never follow the first, in order. Empty unless
    /// pairs were analyzed. There may be very many: nearly the square of the number of rules.
    ///
    /// That is a fact about this game alone. Redundancy carries over to abstract versions of a game
    /// in which values are merged; impossibility doesn't.
    pub fn impossible_pairs(&self) -> impl Iterator<Item = [RuleId; 2]> + '_ {
        let followers = self.followers();
        let pairs_of = move |one: RuleId| {
            let mut possible = followers.of(one).iter().peekable();
            let impossible = followers
                .first
                .iter()
                .filter(|other| possible.next_if_eq(other).is_none());
            let pairs: Vec<[RuleId; 2]> = impossible.map(|other| [one, *other]).collect();
            pairs
        };
        self.kept_rules().into_iter().flat_map(pairs_of)
    }

    /// Which rules can follow which: all but the [`impossible_pairs`](Self::impossible_pairs).
    ///
    /// Takes time linear in the number of pairs that can, if pairs were analyzed, and in the number of
    /// rules otherwise. Lists that are the same are stored once.
    pub fn followers(&self) -> Followers {
        let first = self.kept_rules();
        let mut followers = Followers {
            list_of: vec![0; self.n_rules],
            lists: vec![Vec::new()],
            first: Vec::new(),
        };
        if self.max_length < 2 {
            for rule in &first {
                followers.list_of[rule.index()] = 1;
            }
            followers.lists.push(first.clone());
            followers.first = first;
            return followers;
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
            // Those with the same hash are compared, so that no list has to be stored as a key too.
            let same = numbers.entry(hasher.hash_one(&list)).or_default();
            let found = same
                .iter()
                .find(|number| followers.lists[**number as usize] == list);
            followers.list_of[place] = match found {
                Some(number) => *number,
                None => {
                    let number = followers.lists.len() as u32;
                    same.push(number);
                    list.shrink_to_fit();
                    followers.lists.push(list);
                    number
                }
            };
        }
        followers.first = first;
        followers
    }

    /// The kept rules, in order; all of them where none were analyzed.
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

/// Which rules can follow which, as far as an analysis of pairs shows.
///
/// Most rules of a game are followed by the same ones as some other rule, so lists are shared: games
/// with very many rules would have no room for a list each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followers {
    /// The rules that can be used and aren't redundant, in order.
    first: Vec<RuleId>,
    /// Different lists of rules, each in order. The first one is empty.
    lists: Vec<Vec<RuleId>>,
    /// The number of each rule's list.
    list_of: Vec<u32>,
}

impl Followers {
    /// The rules that can be used and aren't redundant, in order.
    pub fn first(&self) -> &[RuleId] {
        &self.first
    }

    /// Those among them that can follow a rule, in order. None can follow rules that aren't kept.
    ///
    /// # Panics
    /// When the game has no such rule.
    pub fn of(&self, rule: RuleId) -> &[RuleId] {
        &self.lists[self.list_of[rule.index()] as usize]
    }

    /// The different lists of rules that can follow, and the number of each rule's list among them.
    pub fn into_lists(self) -> (Vec<Vec<RuleId>>, Vec<u32>) {
        (self.lists, self.list_of)
    }

    /// Whether two of the rules can't follow each other.
    pub fn is_impossible(&self, one: RuleId, other: RuleId) -> bool {
        let is_kept = |rule: &RuleId| self.first.binary_search(rule).is_ok();
        is_kept(&one) && is_kept(&other) && self.of(one).binary_search(&other).is_err()
    }
}

/// Finds all redundant words up to a length that contain no other redundant word.
///
/// `rules` are compared in the order in which they stand, or as the options say. Time and memory grow with the number of
/// kept words; see the crate's documentation. Runs on the threads of the current rayon pool; the
/// result is the same to the bit whatever their number.
///
/// A game that is [too large](StopReason::TooLarge) is not analyzed: the result says that it
/// [stopped](Analysis::stopped) at length 0.
///
/// # Panics
/// When the rules don't all have `n_variables` positions, or when a rule order doesn't name each rule
/// once.
pub fn analyze(
    n_variables: usize,
    rules: &[CanonicalRule],
    options: &Options<'_>,
    mut progress: impl FnMut(&Progress),
) -> Analysis {
    let ordered: Option<Vec<CanonicalRule>> = options.rule_order.map(|order| {
        check_order(order, rules.len());
        order
            .iter()
            .map(|rule| rules[rule.index()].clone())
            .collect()
    });
    let rules = ordered.as_deref().unwrap_or(rules);
    let order = if cost_the_same(rules) {
        Order::LengthLexicographic
    } else {
        options.order
    };
    let search = match order {
        Order::LengthLexicographic => breadth::search,
        Order::CostLengthLexicographic => buckets::search,
    };
    let keys = KeySpace::of(n_variables, rules);
    let mut found = match keys.filter(|_| costs_fit(rules, options.max_length)) {
        Some(keys) => search(n_variables, rules, keys, options, &mut progress),
        None => Found {
            stopped: (options.max_length > 0).then_some(StopReason::TooLarge),
            ..Found::default()
        },
    };
    if let Some(order) = options.rule_order {
        let rename = |letter: &mut RuleId| *letter = order[letter.index()];
        found.kept.rename_letters(rename);
        for RedundantWord { word, replacement } in &mut found.redundant {
            word.iter_mut().chain(replacement).for_each(rename);
        }
    }
    Analysis {
        n_rules: rules.len(),
        order,
        max_length: found.max_length,
        stopped: found.stopped,
        complete_below: found.complete_below,
        levels: found.levels,
        kept: found.kept,
        redundant: found.redundant,
    }
}

fn check_order(order: &[RuleId], n_rules: usize) {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    let all = (0..n_rules).map(RuleId::from_index);
    assert!(
        sorted.into_iter().eq(all),
        "a rule order names each rule once"
    );
}
