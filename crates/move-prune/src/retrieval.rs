//! "Is there a kept sequence that generalizes this one?"
//!
//! Comparing with each kept sequence takes time that grows with their number. A *discrimination
//! tree*, as theorem provers use it for the same question, does not: it stores macro-rules as sets
//! of [demands](crate::demands) in a trie, changes before tests, each by position. Changes
//! discriminate best, and no path may pass over a position that the other sequence changes.
//!
//! Demands that don't branch are stored as one run, so there are at most two nodes for a stored
//! macro-rule, of 24 bytes each. The tree is cut into shards by the first demand, which can be
//! filled independently of each other.

use std::collections::HashMap;

use ahash::RandomState;
use rayon::prelude::*;

use crate::demands::{Facts, Key};
use crate::words::WordId;

const NONE: u32 = u32::MAX;

/// How many children a node has before they are indexed.
const MOST_CHAINED: u16 = 12;

/// The number of shards; a power of two, and the same on every machine.
const N_SHARDS: usize = 64;

#[derive(Clone, Debug)]
struct Node {
    /// The demand on the edge into this node.
    key: Key,
    first_child: u32,
    next_sibling: u32,
    /// The demands between that edge and the node itself: a run in the shard's pool.
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

/// What is asked for besides generalization.
#[derive(Clone, Copy, Debug)]
struct Query<'a> {
    facts: &'a Facts,
    costs: Costs<'a>,
    cost: u64,
}

#[derive(Clone, Debug, Default)]
struct Shard {
    roots: HashMap<Key, u32, RandomState>,
    nodes: Vec<Node>,
    pool: Vec<Key>,
    /// The children of nodes that have many.
    wide: HashMap<(u32, Key), u32, RandomState>,
    /// Further words that end at a node: later and cheaper than those before.
    cheaper: HashMap<u32, Vec<u32>, RandomState>,
}

/// A set of macro-rules that answers which of them generalizes a given one at no greater cost.
#[derive(Clone, Debug)]
pub struct DiscriminationTree {
    shards: Vec<Shard>,
}

impl Default for DiscriminationTree {
    fn default() -> Self {
        Self::new()
    }
}

fn shard_of(first: Key) -> usize {
    // Fibonacci hashing: neighbors go to different shards.
    (first.wrapping_mul(0x9E37_79B9) >> 26) as usize % N_SHARDS
}

impl DiscriminationTree {
    /// The set that holds the empty word only, which changes nothing and tests nothing.
    pub fn new() -> Self {
        Self {
            shards: vec![Shard::default(); N_SHARDS],
        }
    }

    /// The bytes that the tree holds.
    pub fn bytes(&self) -> usize {
        let edge = size_of::<((u32, Key), u32)>() + 1;
        self.shards
            .iter()
            .map(|shard| {
                shard.nodes.capacity() * size_of::<Node>()
                    + shard.pool.capacity() * size_of::<Key>()
                    + (shard.wide.capacity() + shard.roots.capacity()) * edge
                    + shard.cheaper.len() * 64
            })
            .sum()
    }

    /// Adds words with their demands; words must come in ascending order, now and from call to call.
    ///
    /// Of words with the same demands only those are stored that are cheaper than the ones before.
    pub fn insert<'a>(&mut self, words: &[(WordId, &'a [Key])], costs: Costs<'_>) {
        let mut by_shard: Vec<Vec<(WordId, &'a [Key])>> = vec![Vec::new(); N_SHARDS];
        for (word, demands) in words {
            // A macro-rule without demands is that of the empty word.
            if let Some(first) = demands.first() {
                by_shard[shard_of(*first)].push((*word, demands));
            }
        }
        self.shards
            .par_iter_mut()
            .zip(by_shard)
            .for_each(|(shard, words)| {
                for (word, demands) in words {
                    shard.insert(word.0, demands, costs);
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
            for words in shard.cheaper.values_mut() {
                words.iter_mut().for_each(|word| *word = number(*word));
                words.retain(|word| *word != NONE);
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
        for key in facts.between(0, facts.bound(0)) {
            let shard = &self.shards[shard_of(*key)];
            if let (Some(root), Some(covered)) = (shard.roots.get(key), facts.meet(*key, 0)) {
                shard.search(*root, &query, covered, &mut best);
            }
        }
        (best < before.0).then_some(WordId(best))
    }
}

impl Shard {
    fn insert(&mut self, word: u32, demands: &[Key], costs: Costs<'_>) {
        let (first, mut demands) = demands
            .split_first()
            .expect("only words with demands come here");
        let mut node = match self.roots.get(first) {
            Some(root) => *root,
            None => {
                let root = self.leaf(*first, demands, word);
                self.roots.insert(*first, root);
                return;
            }
        };
        loop {
            let (start, length) = self.run(node);
            let run = &self.pool[start..start + length];
            let common = run.iter().zip(demands).take_while(|(a, b)| a == b).count();
            if common < length {
                self.split(node, common);
            }
            demands = &demands[common..];
            let Some((first, rest)) = demands.split_first() else {
                self.end(node, word, costs);
                return;
            };
            match self.child(node, *first) {
                Some(child) => {
                    node = child;
                    demands = rest;
                }
                None => {
                    let child = self.leaf(*first, rest, word);
                    self.adopt(node, child);
                    return;
                }
            }
        }
    }

    fn run(&self, node: u32) -> (usize, usize) {
        let node = &self.nodes[node as usize];
        (node.run_start as usize, usize::from(node.run_length))
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
    fn leaf(&mut self, key: Key, run: &[Key], word: u32) -> u32 {
        // Runs longer than 65,535 demands would need a game with 32,768 variables.
        let run_length = u16::try_from(run.len()).expect("games are smaller");
        let run_start = self.pool.len() as u32;
        self.pool.extend_from_slice(run);
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

    /// Ends a node's run after `common` demands; what follows becomes its only child.
    fn split(&mut self, node: u32, common: usize) {
        let upper = self.nodes[node as usize].clone();
        let (start, length) = self.run(node);
        let lower = self.push(Node {
            key: self.pool[start + common],
            next_sibling: NONE,
            run_start: upper.run_start + common as u32 + 1,
            run_length: (length - common - 1) as u16,
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

    /// Lowers `best` to the first word below a node that answers the query. The demand on the edge
    /// into the node is met, and `covered` changed positions are touched.
    fn search(&self, node: u32, query: &Query<'_>, mut covered: usize, best: &mut u32) {
        let facts = query.facts;
        let slot = &self.nodes[node as usize];
        let (start, length) = self.run(node);
        for demand in &self.pool[start..start + length] {
            match facts.meet(*demand, covered) {
                Some(now) => covered = now,
                None => return,
            }
        }
        if covered == facts.n_changed() && slot.word != NONE {
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
            for key in facts.between(slot.key, facts.bound(covered)) {
                if let (Some(child), Some(now)) =
                    (self.wide.get(&(node, *key)), facts.meet(*key, covered))
                {
                    self.search(*child, query, now, best);
                }
            }
            return;
        }
        let mut child = slot.first_child;
        while child != NONE {
            let next = &self.nodes[child as usize];
            if let Some(now) = facts.meet(next.key, covered) {
                self.search(child, query, now, best);
            }
            child = next.next_sibling;
        }
    }
}
