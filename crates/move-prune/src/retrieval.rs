//! "Is there a kept sequence that generalizes this one?"
//!
//! Comparing with each kept sequence takes time that grows with their number. Here, sequences are
//! stored as sets of [demands](crate::demands), and found by what they demand, in a time that hardly
//! depends on how many there are.
//!
//! * *Changes are hashed.* A sequence A that generalizes B must do at each position what B does. In
//!   most games that leaves one choice for each position, so the changes of A are known, and one
//!   look-up finds the stored sequences that make exactly these. Where B knows more than A
//!   may know (A moves a value that B knows, or writes what B found there), there are several
//!   choices, and each combination is looked up. Only when there are very many, all stored sets of
//!   changes are tried one by one.
//! * *Tests are discriminated.* The sequences with the same changes stand in a trie by their tests,
//!   as in the discrimination trees of theorem provers; the tests of A must be among the facts of B.
//!   Tests that don't branch are stored as one run.
//!
//! A stored sequence takes at most two nodes of 24 bytes, about 16 bytes in the table, and two or
//! four bytes for each demand. The store is cut into shards that are filled in parallel.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use ahash::RandomState;
use rayon::prelude::*;

use crate::demands::{Facts, Key, KeySpace};
use crate::words::WordId;

const NONE: u32 = u32::MAX;

/// How many children a node has before they are indexed.
const MOST_CHAINED: u16 = 12;

/// The number of shards; a power of two, and the same on every machine.
const N_SHARDS: usize = 64;

/// The most combinations of changes that are looked up one by one.
const MOST_COMBINATIONS: u64 = 4096;

#[derive(Clone, Debug)]
struct Node {
    /// The test on the edge into this node; 0 in a root.
    key: Key,
    first_child: u32,
    /// The next child of the same parent; in a root, the next root with the same hash.
    next_sibling: u32,
    /// A run in the shard's pool: the tests between that edge and the node itself, or the changes
    /// that all words below a root make.
    run_start: u32,
    run_length: u16,
    n_children: u16,
    /// The word that ends here, or [`NONE`].
    word: u32,
}

/// Costs of words, where they matter.
///
/// Where all rules cost the same, a word that comes first in the order is never dearer.
#[derive(Clone, Copy, Debug)]
pub enum Costs<'a> {
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

/// What is asked for.
#[derive(Clone, Copy, Debug)]
struct Query<'a> {
    facts: &'a Facts,
    costs: Costs<'a>,
    cost: u64,
}

/// Demands one behind the other, in as few bytes as they fit in.
#[derive(Clone, Debug)]
enum Pool {
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

impl Pool {
    fn new(space: KeySpace) -> Self {
        if space.len() <= 1 << 16 {
            Pool::Narrow(Vec::new())
        } else {
            Pool::Wide(Vec::new())
        }
    }

    fn push(&mut self, keys: &[Key]) -> u32 {
        let start = match self {
            Pool::Narrow(pool) => {
                pool.extend(keys.iter().map(|key| *key as u16));
                pool.len()
            }
            Pool::Wide(pool) => {
                pool.extend_from_slice(keys);
                pool.len()
            }
        } - keys.len();
        u32::try_from(start).expect("a shard holds fewer than 2^32 demands")
    }

    #[inline]
    fn get(&self, place: u32) -> Key {
        match self {
            Pool::Narrow(pool) => Key::from(pool[place as usize]),
            Pool::Wide(pool) => pool[place as usize],
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Pool::Narrow(pool) => pool.capacity() * size_of::<u16>(),
            Pool::Wide(pool) => pool.capacity() * size_of::<u32>(),
        }
    }
}

/// Takes a number that is a hash already.
#[derive(Clone, Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only numbers are hashed")
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// A key's share in the hash of a set: the finalizer of SplitMix64. The hash of a set is the sum.
fn share(key: Key) -> u64 {
    let mut mixed = u64::from(key)
        .wrapping_add(1)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

fn hash_of(keys: &[Key]) -> u64 {
    keys.iter()
        .fold(0, |sum, key| sum.wrapping_add(share(*key)))
}

fn shard_of(hash: u64) -> usize {
    // Neither the bits that choose a slot in the table nor those that it stores beside it.
    (hash >> 40) as usize % N_SHARDS
}

#[derive(Clone, Debug)]
struct Shard {
    /// By the hash of their changes, the first of the roots with that hash.
    roots: HashMap<u64, u32, BuildHasherDefault<Hashed>>,
    nodes: Vec<Node>,
    pool: Pool,
    /// The children of nodes that have many.
    wide: HashMap<(u32, Key), u32, RandomState>,
    /// Further words that end at a node: later and cheaper than those before.
    cheaper: HashMap<u32, Vec<u32>, RandomState>,
}

/// A set of macro-rules that answers which of them generalizes a given one at no greater cost.
#[derive(Clone, Debug)]
pub struct DiscriminationTree {
    space: KeySpace,
    shards: Vec<Shard>,
}

impl DiscriminationTree {
    /// The set that holds the empty word only, which changes nothing and tests nothing.
    pub fn new(space: KeySpace) -> Self {
        let shard = Shard {
            roots: HashMap::default(),
            nodes: Vec::new(),
            pool: Pool::new(space),
            wide: HashMap::default(),
            cheaper: HashMap::default(),
        };
        Self {
            space,
            shards: vec![shard; N_SHARDS],
        }
    }

    /// The bytes that the set holds.
    pub fn bytes(&self) -> usize {
        self.shards.iter().map(Shard::bytes).sum()
    }

    /// Adds words with their demands; words must come in ascending order, now and from call to call.
    ///
    /// Of words with the same demands only those are stored that are cheaper than the ones before.
    pub fn insert<'a>(&mut self, words: &[(WordId, &'a [Key])], costs: Costs<'_>) {
        let space = self.space;
        let split = |demands: &'a [Key]| demands.split_at(space.n_changes(demands));
        let hashes: Vec<u64> = words
            .par_iter()
            .map(|(_, demands)| hash_of(split(demands).0))
            .collect();
        let mut by_shard: Vec<Vec<u32>> = vec![Vec::new(); N_SHARDS];
        for (i, hash) in hashes.iter().enumerate() {
            by_shard[shard_of(*hash)].push(i as u32);
        }
        self.shards
            .par_iter_mut()
            .zip(by_shard)
            .for_each(|(shard, members)| {
                for i in members {
                    let (word, demands) = words[i as usize];
                    let (changes, tests) = split(demands);
                    shard.insert(word.0, hashes[i as usize], changes, tests, costs);
                }
            });
    }

    /// Renumbers the words from `first` on: the word `first + i` becomes `numbers[i]`, or is taken
    /// out where that is `None`.
    pub fn renumber(&mut self, first: WordId, numbers: &[Option<WordId>]) {
        let number = |word: u32| match (word != NONE).then(|| word.checked_sub(first.0)).flatten() {
            Some(i) => numbers[i as usize].map_or(NONE, |word| word.0),
            None => word,
        };
        self.shards.par_iter_mut().for_each(|shard| {
            for node in &mut shard.nodes {
                node.word = number(node.word);
            }
            for (node, words) in &mut shard.cheaper {
                words.iter_mut().for_each(|word| *word = number(*word));
                words.retain(|word| *word != NONE);
                // The first word may be taken out while a later and cheaper one stays.
                let slot = &mut shard.nodes[*node as usize].word;
                if *slot == NONE && !words.is_empty() {
                    *slot = words.remove(0);
                }
            }
        });
    }

    /// The first stored word before `before` that generalizes the macro-rule with these facts and
    /// costs at most `cost`.
    ///
    /// The answer depends on nothing but the stored set, whatever the order of insertion.
    pub fn find(
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
            self.look_up(&query, hash_of(changes), changes, &mut best);
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
            tracing::trace!(combinations, "comparing one by one");
            for shard in &self.shards {
                shard.search_all(&query, &mut best);
            }
        }
        (best < before.0).then_some(WordId(best))
    }

    /// Searches the sequences that make exactly these changes.
    fn look_up(&self, query: &Query<'_>, hash: u64, changes: &[Key], best: &mut u32) {
        let shard = &self.shards[shard_of(hash)];
        let mut root = shard.roots.get(&hash).copied().unwrap_or(NONE);
        while root != NONE {
            if shard.run_is(root, changes) {
                shard.search(root, query, best);
            }
            root = shard.nodes[root as usize].next_sibling;
        }
    }

    /// Tries the choices from `next` on, after `chosen` with that hash.
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

impl Shard {
    fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.pool.bytes()
            + self.roots.capacity() * (size_of::<(u64, u32)>() + 1)
            + self.wide.capacity() * (size_of::<((u32, Key), u32)>() + 1)
            + self.cheaper.len() * 64
    }

    fn run(&self, node: u32) -> impl ExactSizeIterator<Item = Key> + '_ {
        let node = &self.nodes[node as usize];
        (node.run_start..node.run_start + u32::from(node.run_length))
            .map(|place| self.pool.get(place))
    }

    fn run_is(&self, node: u32, keys: &[Key]) -> bool {
        let node = &self.nodes[node as usize];
        let place = node.run_start as usize..node.run_start as usize + usize::from(node.run_length);
        usize::from(node.run_length) == keys.len()
            && match &self.pool {
                Pool::Narrow(pool) => pool[place]
                    .iter()
                    .zip(keys)
                    .all(|(a, b)| Key::from(*a) == *b),
                Pool::Wide(pool) => pool[place] == *keys,
            }
    }

    /// The root for exactly these changes.
    fn root(&mut self, hash: u64, changes: &[Key]) -> u32 {
        let first = self.roots.get(&hash).copied().unwrap_or(NONE);
        let mut root = first;
        while root != NONE {
            if self.run_is(root, changes) {
                return root;
            }
            root = self.nodes[root as usize].next_sibling;
        }
        let root = self.node(0, changes, NONE);
        self.nodes[root as usize].next_sibling = first;
        self.roots.insert(hash, root);
        root
    }

    fn insert(&mut self, word: u32, hash: u64, changes: &[Key], tests: &[Key], costs: Costs<'_>) {
        let mut node = self.root(hash, changes);
        let mut tests = tests;
        loop {
            let Some((first, rest)) = tests.split_first() else {
                self.end(node, word, costs);
                return;
            };
            let Some(child) = self.child(node, *first) else {
                let child = self.node(*first, rest, word);
                self.adopt(node, child);
                return;
            };
            let run = self.run(child);
            let length = run.len();
            let common = run.zip(rest).take_while(|(a, b)| a == *b).count();
            if common < length {
                self.split(child, common);
            }
            node = child;
            tests = &rest[common..];
        }
    }

    /// Lets a word end at a node.
    fn end(&mut self, node: u32, word: u32, costs: Costs<'_>) {
        let slot = &mut self.nodes[node as usize].word;
        if *slot == NONE {
            *slot = word;
            return;
        }
        let cheaper = self.cheaper.get(&node);
        let last = cheaper.and_then(|words| words.last()).unwrap_or(slot);
        if costs.of(word) < costs.of(*last) {
            self.cheaper.entry(node).or_default().push(word);
        }
    }

    /// A new node without children.
    fn node(&mut self, key: Key, run: &[Key], word: u32) -> u32 {
        // Longer runs would need a game with more than 65,535 variables.
        let run_length = u16::try_from(run.len()).expect("games are smaller");
        let run_start = self.pool.push(run);
        self.push(Node {
            key,
            first_child: NONE,
            next_sibling: NONE,
            run_start,
            run_length,
            n_children: 0,
            word,
        })
    }

    fn push(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// Ends a node's run after `common` tests; what follows becomes its only child.
    fn split(&mut self, node: u32, common: usize) {
        let upper = self.nodes[node as usize].clone();
        let lower = self.push(Node {
            key: self.pool.get(upper.run_start + common as u32),
            next_sibling: NONE,
            run_start: upper.run_start + common as u32 + 1,
            run_length: upper.run_length - common as u16 - 1,
            ..upper
        });
        // The children's entries in the index name their parent.
        if upper.n_children > MOST_CHAINED {
            let mut child = upper.first_child;
            while child != NONE {
                let key = self.nodes[child as usize].key;
                self.wide.remove(&(node, key));
                self.wide.insert((lower, key), child);
                child = self.nodes[child as usize].next_sibling;
            }
        }
        if let Some(words) = self.cheaper.remove(&node) {
            self.cheaper.insert(lower, words);
        }
        let slot = &mut self.nodes[node as usize];
        slot.run_length = common as u16;
        slot.first_child = lower;
        slot.n_children = 1;
        slot.word = NONE;
    }

    fn adopt(&mut self, parent: u32, child: u32) {
        let slot = &mut self.nodes[parent as usize];
        let first = std::mem::replace(&mut slot.first_child, child);
        slot.n_children = slot.n_children.saturating_add(1);
        let n_children = slot.n_children;
        self.nodes[child as usize].next_sibling = first;
        if n_children == MOST_CHAINED + 1 {
            let mut child = child;
            while child != NONE {
                let node = &self.nodes[child as usize];
                self.wide.insert((parent, node.key), child);
                child = node.next_sibling;
            }
        } else if n_children > MOST_CHAINED {
            self.wide
                .insert((parent, self.nodes[child as usize].key), child);
        }
    }

    fn child(&self, node: u32, key: Key) -> Option<u32> {
        let slot = &self.nodes[node as usize];
        if slot.n_children > MOST_CHAINED {
            return self.wide.get(&(node, key)).copied();
        }
        let mut child = slot.first_child;
        while child != NONE {
            let slot = &self.nodes[child as usize];
            if slot.key == key {
                return Some(child);
            }
            child = slot.next_sibling;
        }
        None
    }

    /// Lowers `best` to the first word at a node or below it that answers the query. All demands up
    /// to the node are met.
    fn search(&self, node: u32, query: &Query<'_>, best: &mut u32) {
        let facts = query.facts;
        let slot = &self.nodes[node as usize];
        if slot.word != NONE {
            if query.costs.of(slot.word) <= query.cost {
                *best = slot.word.min(*best);
            }
            if matches!(query.costs, Costs::Each(_))
                && let Some(cheaper) = self.cheaper.get(&node)
            {
                let affordable = cheaper
                    .iter()
                    .filter(|word| query.costs.of(**word) <= query.cost);
                *best = affordable.copied().min().unwrap_or(NONE).min(*best);
            }
        }
        if slot.n_children > MOST_CHAINED {
            let behind = facts.tests().partition_point(|key| *key <= slot.key);
            for key in &facts.tests()[behind..] {
                if let Some(child) = self.wide.get(&(node, *key)) {
                    self.enter(*child, query, best);
                }
            }
            return;
        }
        let mut child = slot.first_child;
        while child != NONE {
            let next = &self.nodes[child as usize];
            if facts.holds(next.key) {
                self.enter(child, query, best);
            }
            child = next.next_sibling;
        }
    }

    /// Searches below a node if the tests of its run hold.
    fn enter(&self, node: u32, query: &Query<'_>, best: &mut u32) {
        if self.run(node).all(|test| query.facts.holds(test)) {
            self.search(node, query, best);
        }
    }

    /// Searches below all roots whose changes agree with the facts.
    fn search_all(&self, query: &Query<'_>, best: &mut u32) {
        let mut changes = Vec::new();
        for first in self.roots.values() {
            let mut root = *first;
            while root != NONE {
                changes.clear();
                changes.extend(self.run(root));
                if query.facts.allow(&changes) {
                    self.search(root, query, best);
                }
                root = self.nodes[root as usize].next_sibling;
            }
        }
    }
}
