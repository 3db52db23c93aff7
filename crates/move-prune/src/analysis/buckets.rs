//! The search over words by cost, then by length.
//!
//! Words of equal cost and length are a *bucket*. The proper parts of a word cost no more and are
//! shorter, so they belong to earlier buckets, even if rules cost nothing: words are bounded in
//! length, so there are finitely many of each cost. A kept word has children in as many buckets as
//! rules have different costs. A queue holds the next bucket and the words that it is made from.
//!
//! All words before a word in this order cost no more, so costs are compared only where a
//! replacement must cost less.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use budget::Progress;
use psvn_ir::{CanonicalRule, RuleId};

use crate::analysis::extension::{ComparedCosts, Extension};
use crate::analysis::kernel::{Kernel, Words};
use crate::analysis::options::Options;
use crate::analysis::result::{Found, Level, RedundantWord};
use crate::generalization::demands::{Key, KeySpace};
use crate::generalization::pool::PackedLists;
use crate::words::WordId;
use crate::words::by_cost::BucketTree;
use crate::words::order::Order;

/// Rules that cost the same.
struct Class {
    cost: u64,
    rules: Vec<RuleId>,
}

/// The kept words of one cost and length.
struct Bucket {
    /// Exact, as a word has fewer than 2^64 letters.
    cost: u128,
    length: usize,
    words: Range<u32>,
    /// `None` when the words were extended by all letters.
    demands: Option<PackedLists>,
}

/// The origin of words of one cost and length: the words of a bucket, extended by a letter of a
/// class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Source {
    cost: u128,
    length: usize,
    bucket: usize,
    class: usize,
}

/// A word to be extended by the letters of a class.
#[derive(Clone, Copy, Debug)]
struct Parent {
    word: WordId,
    bucket: usize,
    class: usize,
}

/// The kept words by cost, some of which are extended.
struct Buckets {
    keys: KeySpace,
    classes: Vec<Class>,
    class_of: Vec<u32>,
    tree: BucketTree,
    buckets: Vec<Bucket>,
    demand_bytes: usize,
    /// For each bucket whose words were not extended by all letters, the next class.
    queue: BinaryHeap<Reverse<Source>>,
    /// The words that are extended.
    parents: Vec<Parent>,
    /// The demands of the longer words, if these will be extended.
    next: Option<PackedLists>,
    max_length: usize,
}

/// Process all buckets, or those before a limit is reached.
pub(crate) fn search(
    n_variables: usize,
    rules: &[CanonicalRule],
    keys: KeySpace,
    options: &Options<'_>,
    progress: &mut dyn FnMut(&Progress),
) -> Found {
    let compared = match options.order {
        Order::Cost => ComparedCosts::Less,
        // All earlier words cost no more.
        Order::LengthLexicographic | Order::CostLengthLexicographic => ComparedCosts::None,
    };
    let mut kernel = Kernel::new(n_variables, rules, keys, options, compared);
    let mut words = Buckets::new(kernel.context.keys, rules, options.max_length);
    let mut found = Found {
        max_length: options.max_length,
        ..Found::default()
    };
    let mut n_redundant = 0;
    let mut end = words.next_id();
    while let Some(sources) = words.next_sources() {
        let Source { cost, length, .. } = sources[0];
        words.begin(&sources);
        let n_parents = words.parents.len();
        match kernel.grow(&mut words, length, n_parents, progress) {
            Ok(bucket) => {
                tracing::trace!(%cost, length, kept = bucket.kept, "bucket complete");
                note_level(&mut found.levels, bucket);
            }
            Err(reason) => {
                found.stopped = Some(reason);
                found.complete_below = Some(cost);
                let waiting = words.queue.iter().map(|Reverse(source)| source);
                let lengths = waiting.chain(&sources).map(|source| source.length);
                found.max_length = lengths.min().map_or(0, |length| length - 1);
                break;
            }
        }
        words.end(cost, length, end);
        for source in sources {
            words.enqueue(source.bucket, source.class + 1);
        }
        n_redundant = kernel.n_redundant();
        end = words.next_id();
    }
    words.buckets = Vec::new();
    found.rests_on_knowledge = kernel.rests_on_knowledge();
    found.redundant = kernel.into_redundant(n_redundant, &words);
    let by_length = |redundant: &RedundantWord| redundant.word.len();
    found
        .redundant
        .sort_unstable_by(|a, b| (by_length(a), &a.word).cmp(&(by_length(b), &b.word)));
    found.kept = words.tree.into_word_tree(end, found.levels.len());
    found
}

/// Add a bucket's figures to those of its length.
fn note_level(levels: &mut Vec<Level>, bucket: Level) {
    while levels.len() < bucket.length {
        levels.push(Level {
            length: levels.len() + 1,
            ..Level::default()
        });
    }
    let level = &mut levels[bucket.length - 1];
    *level = Level {
        length: bucket.length,
        composed: level.composed + bucket.composed,
        invalid: level.invalid + bucket.invalid,
        unreachable: level.unreachable + bucket.unreachable,
        redundant: level.redundant + bucket.redundant,
        kept: level.kept + bucket.kept,
        elapsed: level.elapsed + bucket.elapsed,
        bytes: bucket.bytes,
    };
}

impl Buckets {
    fn new(keys: KeySpace, rules: &[CanonicalRule], max_length: usize) -> Self {
        let mut costs: Vec<u64> = rules.iter().map(CanonicalRule::cost).collect();
        costs.sort_unstable();
        costs.dedup();
        let empty_class = |cost| Class {
            cost,
            rules: Vec::new(),
        };
        let mut classes: Vec<Class> = costs.into_iter().map(empty_class).collect();
        let mut class_of = Vec::with_capacity(rules.len());
        for (i, rule) in rules.iter().enumerate() {
            let class = classes.partition_point(|class| class.cost < rule.cost());
            classes[class].rules.push(RuleId::from_index(i));
            class_of.push(class as u32);
        }
        let mut words = Self {
            keys,
            classes,
            class_of,
            tree: BucketTree::new(),
            buckets: Vec::new(),
            demand_bytes: 0,
            queue: BinaryHeap::new(),
            parents: Vec::new(),
            next: None,
            max_length,
        };
        let mut demands = PackedLists::new(keys);
        demands.push(&[]);
        words.add_bucket(0, 0, 0..1, Some(demands));
        words
    }

    fn add_bucket(
        &mut self,
        cost: u128,
        length: usize,
        words: Range<u32>,
        mut demands: Option<PackedLists>,
    ) {
        if let Some(demands) = &mut demands {
            demands.shrink();
            self.demand_bytes += demands.bytes();
        }
        self.buckets.push(Bucket {
            cost,
            length,
            words,
            demands,
        });
        self.enqueue(self.buckets.len() - 1, 0);
    }

    /// Queue the words of a bucket for the letters of a class; after the last class, free their
    /// demands.
    fn enqueue(&mut self, bucket: usize, class: usize) {
        let from = &mut self.buckets[bucket];
        match self.classes.get(class) {
            Some(by) if from.length < self.max_length => self.queue.push(Reverse(Source {
                cost: from.cost + u128::from(by.cost),
                length: from.length + 1,
                bucket,
                class,
            })),
            _ => {
                let demands = from.demands.take();
                self.demand_bytes -= demands.map_or(0, |demands| demands.bytes());
            }
        }
    }

    /// Return all sources of the next bucket.
    fn next_sources(&mut self) -> Option<Vec<Source>> {
        let Reverse(first) = self.queue.pop()?;
        let mut sources = vec![first];
        while let Some(Reverse(next)) = self.queue.peek()
            && (next.cost, next.length) == (first.cost, first.length)
        {
            sources.push(*next);
            self.queue.pop();
        }
        Some(sources)
    }

    /// Make the words of some sources the ones to extend, each by its letters.
    fn begin(&mut self, sources: &[Source]) {
        self.parents.clear();
        for &Source { bucket, class, .. } in sources {
            let words = self.buckets[bucket].words.clone().map(WordId);
            self.parents.extend(words.map(|word| Parent {
                word,
                bucket,
                class,
            }));
        }
        if sources.len() > 1 {
            // Each source is in order, so this merges.
            let tree = &self.tree;
            self.parents.sort_by(|a, b| tree.compare(a.word, b.word));
        }
        let will_be_extended = sources[0].length < self.max_length;
        self.next = will_be_extended.then(|| PackedLists::new(self.keys));
    }

    /// Note that all words of a bucket were kept, from `first` on.
    fn end(&mut self, cost: u128, length: usize, first: WordId) {
        let words = first.0..self.next_id().0;
        if !words.is_empty() {
            let demands = self.next.take();
            self.add_bucket(cost, length, words, demands);
        }
    }

    /// Return the word that provides the letters for the word at a place, and their class.
    fn model(&self, place: usize) -> (WordId, u32) {
        let Parent { word, class, .. } = self.parents[place];
        (self.tree.suffix(word), class as u32)
    }
}

impl Words for Buckets {
    fn word(&self, place: usize) -> WordId {
        self.parents[place].word
    }

    fn read(&self, place: usize, demands: &mut Vec<Key>) -> u64 {
        let Parent { word, bucket, .. } = self.parents[place];
        let bucket = &self.buckets[bucket];
        if let Some(lists) = &bucket.demands {
            lists.read((word.0 - bucket.words.start) as usize, demands);
        }
        u64::try_from(bucket.cost).expect("costs of all words were checked to fit")
    }

    fn rules(&self, place: usize) -> impl Iterator<Item = RuleId> {
        let class = self.parents[place].class;
        self.classes[class].rules.iter().copied()
    }

    fn letters(&self, place: usize) -> impl Iterator<Item = (RuleId, WordId)> {
        let (suffix, class) = self.model(place);
        self.tree.children(suffix, class)
    }

    fn n_letters(&self, place: usize) -> usize {
        let Parent { word, class, .. } = self.parents[place];
        if word == WordId::EMPTY {
            return self.classes[class].rules.len();
        }
        let (suffix, class) = self.model(place);
        self.tree.n_children(suffix, class)
    }

    fn next_id(&self) -> WordId {
        self.tree.next_id()
    }

    fn keep(&mut self, word: &Extension, demands: &[Key]) {
        let class = self.class_of[word.letter.index()];
        self.tree.push(word.parent, word.letter, word.suffix, class);
        if let Some(lists) = &mut self.next {
            lists.push(demands);
        }
    }

    fn has_room(&self) -> bool {
        self.tree.has_room()
    }

    fn bytes(&self) -> usize {
        self.tree.bytes()
            + self.demand_bytes
            + self.next.as_ref().map_or(0, PackedLists::bytes)
            + self.buckets.capacity() * size_of::<Bucket>()
            + self.queue.capacity() * size_of::<Source>()
            + self.parents.capacity() * size_of::<Parent>()
    }

    fn spell(&self, word: WordId, last: Option<RuleId>) -> Box<[RuleId]> {
        self.tree.spell(word, last)
    }
}
