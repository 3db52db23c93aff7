//! The index that answers the question "is there a kept sequence that generalizes this one?"
//!
//! Comparing with each kept sequence takes time that grows with their number. Here, sequences are
//! stored as sets of [demands](crate::generalization::demands) and looked up by them, in time that
//! hardly depends on their number.
//!
//! * *Changes are hashed.* A sequence A that generalizes B must do at each position what B does. In
//!   most games that leaves one choice for each position, so the changes of A are known, and one
//!   look-up finds the stored sequences that make exactly these. If B has more information than A
//!   needs (A moves a value that B knows, or writes the value that B found there), there are
//!   several choices, and each combination is looked up. If there may be many, the sets of changes
//!   also form a trie, in which only those combinations are followed with which some set begins. It
//!   is made for the first query that needs it.
//! * *Tests are discriminated.* The sequences with the same changes form a trie by their tests, as
//!   in the discrimination trees of theorem provers; the tests of A must be among the facts of B.
//!   Tests that don't branch are stored as one run. A sequence that is the only one with its
//!   changes needs no trie.
//!
//! A sequence with unique changes takes 12 bytes, about 8 in the table, and two or four bytes for
//! each demand. A sequence that shares its changes with others takes at most two nodes of 24 bytes,
//! and its tests. The trie of changes has about one node of 20 bytes for each set. The store is cut
//! into shards that are filled in parallel.

mod change_sets;
mod segments;
mod shard;
mod table;

use std::sync::OnceLock;

use rayon::prelude::*;

use crate::generalization::demands::{Facts, Key, KeySpace};
use crate::words::WordId;

use change_sets::{ChangeSet, ChangeSets};
use shard::{NONE, Shard, hash_of, share};

/// The number of shards; a power of two, and the same on every machine.
const N_SHARDS: usize = 64;

/// The maximum number of combinations of changes that are looked up one by one.
const MOST_COMBINATIONS: u64 = 64;

/// The maximum number of words that one thread stores alone.
const FEW: usize = 256;

/// The number of stored sequences inspected since the process began.
#[cfg(test)]
static PROBES: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);

/// Costs of words, if they matter.
///
/// If all rules cost the same, a word that comes first in the order never costs more.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Costs<'a> {
    /// All rules cost the same.
    Uniform,
    /// The cost of each word that is stored.
    Each(&'a [u64]),
}

impl Costs<'_> {
    fn of(&self, word: u32) -> u64 {
        match self {
            Costs::Uniform => 0,
            Costs::Each(costs) => costs[word as usize],
        }
    }
}

/// A query.
#[derive(Clone, Copy, Debug)]
struct Query<'a> {
    facts: &'a Facts,
    costs: Costs<'a>,
    cost: u64,
}

fn shard_of(hash: u64) -> usize {
    // Use neither the bits that choose a slot in the table nor those stored with it.
    (hash >> 40) as usize % N_SHARDS
}

/// A set of macro-rules that answers which of them generalizes a given one at no greater cost.
#[derive(Clone, Debug)]
pub(crate) struct DiscriminationTree {
    space: KeySpace,
    shards: Vec<Shard>,
    /// The stored sets of changes, once a query has needed it.
    change_sets: OnceLock<ChangeSets>,
}

impl DiscriminationTree {
    /// Make the set that holds the empty word only, which changes nothing and tests nothing.
    pub(crate) fn new(space: KeySpace) -> Self {
        Self {
            space,
            shards: vec![Shard::new(space); N_SHARDS],
            change_sets: OnceLock::new(),
        }
    }

    /// Return the bytes that the set holds.
    pub(crate) fn bytes(&self) -> usize {
        let shards: usize = self.shards.iter().map(Shard::bytes).sum();
        shards + self.change_sets.get().map_or(0, ChangeSets::bytes)
    }

    /// Add words with their demands; words must come in ascending order, now and from call to call.
    ///
    /// Of words with the same demands only those are stored that are cheaper than all before them.
    pub(crate) fn insert(&mut self, words: &[(WordId, &[Key])], costs: Costs<'_>) {
        let space = self.space;
        let n_changes = |demands: &[Key]| space.n_changes(demands);
        let hash = |demands: &[Key]| hash_of(demands[..n_changes(demands)].iter().copied());
        let insert = |shard: &mut Shard, (word, demands): (WordId, &[Key]), hash: u64| {
            shard.insert(word.0, hash, (demands, n_changes(demands)), costs);
        };
        self.shards.iter_mut().for_each(Shard::begin);
        if words.len() <= FEW {
            for word in words {
                let hash = hash(word.1);
                insert(&mut self.shards[shard_of(hash)], *word, hash);
            }
            self.add_change_sets();
            return;
        }
        let hashes: Vec<u64> = words.par_iter().map(|(_, demands)| hash(demands)).collect();
        let mut by_shard: Vec<Vec<u32>> = vec![Vec::new(); N_SHARDS];
        for (i, hash) in hashes.iter().enumerate() {
            by_shard[shard_of(*hash)].push(i as u32);
        }
        self.shards
            .par_iter_mut()
            .zip(by_shard)
            .for_each(|(shard, members)| {
                for i in members {
                    insert(shard, words[i as usize], hashes[i as usize]);
                }
            });
        self.add_change_sets();
    }

    /// Add the new sets of changes to their trie, if there is one.
    fn add_change_sets(&mut self) {
        if let Some(sets) = self.change_sets.get_mut() {
            add_to(sets, &self.shards);
        }
    }

    /// Renumber the words of the last call of [`insert`](Self::insert), the first of which was
    /// `first`: the word `first + i` becomes `numbers[i]`, or is removed if that is `None`.
    pub(crate) fn renumber(&mut self, first: WordId, numbers: &[Option<WordId>]) {
        let number = |word: u32| match (word != NONE).then(|| word.checked_sub(first.0)).flatten() {
            Some(i) => numbers[i as usize].map_or(NONE, |word| word.0),
            None => word,
        };
        if numbers.len() <= FEW {
            for shard in &mut self.shards {
                shard.renumber(number);
            }
        } else {
            let shards = self.shards.par_iter_mut();
            shards.for_each(|shard| shard.renumber(number));
        }
    }

    /// Return the first stored word before `before` that generalizes the macro-rule with these
    /// facts and costs at most `cost`.
    ///
    /// The answer depends on the stored set only, not on the order of insertion.
    pub(crate) fn find(
        &self,
        facts: &Facts,
        before: WordId,
        cost: u64,
        costs: Costs<'_>,
    ) -> Option<WordId> {
        if facts.changes_nothing() {
            return Some(WordId::EMPTY);
        }
        let query = Query { facts, costs, cost };
        let mut best = before.0;
        if let Some(changes) = facts.unique_changes() {
            let hash = hash_of(changes.iter().copied());
            self.look_up(&query, hash, changes, &mut best);
            return (best < before.0).then_some(WordId(best));
        }
        let combinations = facts.choices().iter().fold(1_u64, |product, choice| {
            let options = facts.changes(*choice).len() + usize::from(!choice.required);
            product.saturating_mul(options as u64)
        });
        if combinations <= MOST_COMBINATIONS {
            let mut chosen = Vec::with_capacity(facts.choices().len());
            self.combine(&query, 0, 0, &mut chosen, &mut best);
        } else {
            self.search_change_sets(&query, &mut best);
        }
        (best < before.0).then_some(WordId(best))
    }

    /// Search the sequences that make exactly these changes.
    #[inline]
    fn look_up(&self, query: &Query<'_>, hash: u64, changes: &[Key], best: &mut u32) {
        self.shards[shard_of(hash)].look_up(hash, changes, query, best);
    }

    /// Search all sequences whose changes agree with the facts.
    fn search_change_sets(&self, query: &Query<'_>, best: &mut u32) {
        let sets = self.change_sets.get_or_init(|| {
            let mut sets = ChangeSets::new(N_SHARDS);
            add_to(&mut sets, &self.shards);
            sets
        });
        let mut changes = Vec::new();
        sets.search(query.facts, &mut |ChangeSet { shard, root }| {
            let shard = &self.shards[usize::from(shard)];
            shard.read_changes(root, &mut changes);
            if query.facts.allow(&changes) {
                shard.search_set(root, query, best);
            }
        });
    }

    /// Try the choices from `next` on, after `chosen` with its hash.
    fn combine(
        &self,
        query: &Query<'_>,
        next: usize,
        hash: u64,
        chosen: &mut Vec<Key>,
        best: &mut u32,
    ) {
        let Some(choice) = query.facts.choices().get(next) else {
            self.look_up(query, hash, chosen, best);
            return;
        };
        if !choice.required {
            self.combine(query, next + 1, hash, chosen, best);
        }
        for key in query.facts.changes(*choice) {
            chosen.push(*key);
            self.combine(
                query,
                next + 1,
                hash.wrapping_add(share(*key)),
                chosen,
                best,
            );
            chosen.pop();
        }
    }
}

/// Add the sets of changes of shards that aren't there yet.
fn add_to(sets: &mut ChangeSets, shards: &[Shard]) {
    let read = |set: ChangeSet, changes: &mut Vec<Key>| {
        shards[usize::from(set.shard)].read_changes(set.root, changes);
    };
    for (number, shard) in (0..).zip(shards) {
        for set in sets.take_new(number, shard.n_sets()) {
            sets.insert(set, read);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use macro_compose::{Composer, PreparedRule};
    use psvn_ir::random::SplitMix64;
    use psvn_ir::{CanonicalRule, Term, Value, VarId};

    use super::*;
    use crate::generalization::closed::Closed;
    use crate::generalization::demands::KnownDemands;

    /// For each length, return the number of stored sequences inspected for each word of the
    /// 15-puzzle that no other one generalizes. Words with two blanks are left out. It is the
    /// analysis at its plainest, which is compiled in much less time than the whole.
    fn probes_for_each(max_length: usize) -> Vec<f64> {
        let text = domains::generate_reference("sliding-tiles:4:4").expect("a built-in game");
        let game = psvn_ir::load(&text).game.expect("a game without errors");
        let blank = Term::constant(Value(0));
        let rules: Vec<CanonicalRule> = game
            .rules()
            .iter()
            .map(|rule| rule.canonical.clone())
            .collect();
        let space = KeySpace::of(game.n_variables(), &rules).expect("a small game");
        let prepared: Vec<PreparedRule> = rules.iter().map(PreparedRule::new).collect();
        let mut tree = DiscriminationTree::new(space);
        let mut known = KnownDemands::none(space);
        let (mut facts, mut demands) = (Facts::new(space), Vec::new());
        let mut composer = Composer::new(game.n_variables());
        let empty = composer.clone();
        let mut longest = vec![(empty.preconditions().to_vec(), empty.actions().to_vec())];
        let mut next = WordId::EMPTY.0 + 1;
        let lengths = (0..max_length).map(|_| {
            let before = PROBES.load(Ordering::Relaxed);
            let mut kept = Vec::new();
            for (preconditions, actions) in &longest {
                for rule in &prepared {
                    composer.load_parts(preconditions, actions, 0);
                    if composer.append(rule).is_err() {
                        continue;
                    }
                    let (preconditions, actions) = (composer.preconditions(), composer.actions());
                    let blanks = preconditions.iter().filter(|term| **term == blank);
                    if blanks.count() > 1 {
                        continue;
                    }
                    facts.list(preconditions, actions, &known);
                    if tree.find(&facts, WordId(next), 0, Costs::Uniform).is_some() {
                        continue;
                    }
                    demands.clear();
                    space.push_demands(preconditions, actions, &mut demands);
                    known.note(space, &demands);
                    tree.insert(&[(WordId(next), &demands)], Costs::Uniform);
                    next += 1;
                    kept.push((preconditions.to_vec(), actions.to_vec()));
                }
            }
            longest = kept;
            (PROBES.load(Ordering::Relaxed) - before) as f64 / longest.len() as f64
        });
        lengths.collect()
    }

    /// Where many combinations of changes agree with a query, the trie of sets finds the same as a
    /// comparison with each word.
    #[test]
    fn the_first_of_many_sets_is_found() {
        const N: usize = 8;
        let mut random = SplitMix64::new(1);
        // Many positions hold the same value, and many words copy it.
        let mut rule = || {
            let mut term = |before: Option<usize>| match random.below(3) {
                0 => Term::constant(Value(random.below(2) as u32)),
                1 => Term::variable(VarId(random.below(N) as u32)),
                _ => Term::variable(VarId(before.unwrap_or(0) as u32)),
            };
            let before: Vec<Term> = (0..N)
                .map(|i| {
                    if term(None).is_constant() {
                        Term::constant(Value(0))
                    } else {
                        Term::variable(VarId(i as u32))
                    }
                })
                .collect();
            let after: Vec<Term> = (0..N).map(|i| term(Some(i))).collect();
            CanonicalRule::canonicalize(&before, &after, 1)
        };
        let rules: Vec<CanonicalRule> = (0..2_000).map(|_| rule()).collect();
        let space = KeySpace::of(N, &rules).expect("a small game");
        let mut known = KnownDemands::none(space);
        let (mut lists, mut blind) = (Vec::new(), Vec::new());
        for rule in &rules {
            let (preconditions, actions) = (rule.preconditions(), rule.actions());
            let closed = Closed {
                preconditions,
                actions,
                is_more: false,
            };
            known.list_blind(space, (preconditions, actions), closed, &mut blind);
            known.note_blind(&std::mem::take(&mut blind));
            let mut demands = Vec::new();
            space.push_demands(preconditions, actions, &mut demands);
            known.note(space, &demands);
            lists.push(demands);
        }
        let words = (1..).map(WordId).zip(lists.iter().map(Vec::as_slice));
        let words: Vec<(WordId, &[Key])> = words.collect();
        let mut tree = DiscriminationTree::new(space);
        let mut facts = Facts::new(space);
        let mut n_by_sets = 0;
        // Half of the words are added to a trie that is already there.
        for n_stored in [1_000, 2_000] {
            tree.insert(&words[n_stored - 1_000..n_stored], Costs::Uniform);
            for query in &rules {
                facts.list(query.preconditions(), query.actions(), &known);
                let first = rules[..n_stored]
                    .iter()
                    .position(|it| it.generalizes(query));
                let first = if facts.changes_nothing() {
                    Some(WordId::EMPTY)
                } else {
                    first.map(|place| WordId(place as u32 + 1))
                };
                let last = WordId(u32::MAX);
                assert_eq!(tree.find(&facts, last, 0, Costs::Uniform), first);
                if facts.unique_changes().is_none() && !facts.changes_nothing() {
                    let query = Query {
                        facts: &facts,
                        costs: Costs::Uniform,
                        cost: 0,
                    };
                    let mut best = NONE;
                    tree.search_change_sets(&query, &mut best);
                    assert_eq!((best != NONE).then_some(WordId(best)), first);
                    n_by_sets += 1;
                }
            }
        }
        assert!(n_by_sets > 500, "{n_by_sets}");
    }

    /// A query takes as much work among tens of thousands of words as among hundreds.
    #[test]
    fn the_work_for_a_word_hardly_grows() {
        let probes = probes_for_each(10);
        let (first, last) = (probes[2], probes[9]);
        assert!(first > 0.0 && last <= 3.0 * first, "{probes:?}");
    }
}
