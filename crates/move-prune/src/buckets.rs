//! The search over words by cost, then by length.
//!
//! Words of equal cost and length are a *bucket*. The proper parts of a word cost no more and are
//! shorter, so they belong to earlier buckets, even where rules cost nothing: words are bounded in
//! length, so there are finitely many of each cost. A kept word has a child in as many
//! buckets as rules have different costs; a queue tells which bucket comes next and from which words
//! it is made.
//!
//! Whatever comes before a word in this order costs no more, so costs are never compared.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use psvn_ir::{CanonicalRule, RuleId};
use rayon::prelude::*;

use crate::analysis::{Found, Level, Options, RedundantWord};
use crate::breadth::{CHUNKS_BETWEEN_CHECKS, COMPOSITIONS_IN_CHUNK};
use crate::bucket_words::BucketTree;
use crate::demands::{Key, KnownDemands};
use crate::extension::{Context, DemandLists, Extension, Extensions, Worker};
use crate::limits::{Progress, StopReason, Watch};
use crate::retrieval::{Costs, DiscriminationTree};
use crate::words::WordId;

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
    /// Dropped when the words were extended by all letters.
    demands: DemandLists,
}

/// Where words of one cost and length come from: those of a bucket, with a letter of a class.
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

pub(crate) struct Buckets<'a> {
    context: Context<'a>,
    classes: Vec<Class>,
    class_of: Vec<u32>,
    known: KnownDemands,
    tree: DiscriminationTree,
    words: BucketTree,
    buckets: Vec<Bucket>,
    /// For each bucket whose words were not extended by all letters, the next class.
    queue: BinaryHeap<Reverse<Source>>,
    levels: Vec<Level>,
    redundant: Vec<RedundantWord>,
    redundant_bytes: usize,
    demand_bytes: usize,
    max_length: usize,
    watch: Watch<'a>,
}

impl<'a> Buckets<'a> {
    pub(crate) fn new(
        n_variables: usize,
        rules: &[CanonicalRule],
        options: &'a Options<'a>,
    ) -> Self {
        let context = Context::new(n_variables, rules, options.admits);
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
        Self {
            classes,
            class_of,
            known: KnownDemands::none(context.keys),
            tree: DiscriminationTree::new(context.keys),
            words: BucketTree::new(),
            buckets: Vec::new(),
            queue: BinaryHeap::new(),
            levels: Vec::new(),
            redundant: Vec::new(),
            redundant_bytes: 0,
            demand_bytes: 0,
            max_length: options.max_length,
            watch: Watch::new(&options.limits),
            context,
        }
    }

    /// Processes all buckets, or those before a limit is reached.
    pub(crate) fn run(mut self, progress: &mut dyn FnMut(&Progress)) -> Found {
        let mut demands = DemandLists::default();
        demands.push(&[]);
        self.add_bucket(0, 0, 0..1, demands);
        // Most buckets are small. They share one thread's room for work.
        let mut worker = Worker::new(&self.context);
        let mut found = Found {
            max_length: self.max_length,
            ..Found::default()
        };
        while let Some(sources) = self.next_sources() {
            if let Err(reason) = self.process(&sources, &mut worker, progress) {
                found.stopped = Some(reason);
                found.complete_below = Some(sources[0].cost);
                let waiting = self.queue.iter().map(|Reverse(source)| source);
                let lengths = waiting.chain(&sources).map(|source| source.length);
                found.max_length = lengths.min().map_or(0, |length| length - 1);
                break;
            }
            for source in sources {
                self.enqueue(source.bucket, source.class + 1);
            }
        }
        found.kept = self.words.into_word_tree(self.levels.len());
        found.levels = self.levels;
        found.redundant = self.redundant;
        let by_length = |redundant: &RedundantWord| redundant.word.len();
        found
            .redundant
            .sort_unstable_by(|a, b| (by_length(a), &a.word).cmp(&(by_length(b), &b.word)));
        found
    }

    fn bytes(&self) -> usize {
        self.tree.bytes()
            + self.words.bytes()
            + self.demand_bytes
            + self.buckets.capacity() * size_of::<Bucket>()
            + self.queue.capacity() * size_of::<Source>()
            + self.redundant_bytes
    }

    fn add_bucket(
        &mut self,
        cost: u128,
        length: usize,
        words: Range<u32>,
        mut demands: DemandLists,
    ) {
        demands.shrink();
        self.demand_bytes += demands.bytes();
        self.buckets.push(Bucket {
            cost,
            length,
            words,
            demands,
        });
        self.enqueue(self.buckets.len() - 1, 0);
    }

    /// Notes when the words of a bucket will be extended by the letters of a class, or that they were
    /// extended by all.
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
                self.demand_bytes -= from.demands.bytes();
                from.demands = DemandLists::default();
            }
        }
    }

    /// All sources of the next bucket.
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

    /// The words from which a bucket is made, by their letters.
    fn parents(&self, sources: &[Source]) -> Vec<Parent> {
        let of_source = |source: &Source| {
            let &Source { bucket, class, .. } = source;
            let words = self.buckets[bucket].words.clone().map(WordId);
            words.map(move |word| Parent {
                word,
                bucket,
                class,
            })
        };
        let mut parents: Vec<Parent> = sources.iter().flat_map(of_source).collect();
        if sources.len() > 1 {
            // Each source is in order, so this merges.
            parents.sort_by(|a, b| self.words.compare(a.word, b.word));
        }
        parents
    }

    /// Finds the words of one bucket. When a limit stops it, it leaves everything as it was, but for
    /// what is known about demands.
    fn process(
        &mut self,
        sources: &[Source],
        worker: &mut Worker,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<(), StopReason> {
        let Source { cost, length, .. } = sources[0];
        let started = self.watch.elapsed();
        let parents = self.parents(sources);
        let extensions = self.extend(length, &parents, worker, progress)?;
        let pending = extensions.iter().map(Extensions::bytes).sum::<usize>();
        for extension in &extensions {
            for i in 0..extension.candidates.len() {
                self.known.note(self.context.keys, extension.demands.get(i));
            }
        }
        let rivals = self.rivals(&extensions);
        self.check(length, (1, 1), pending + rivals.bytes(), progress)?;
        let replacements = self.compare(&rivals, &extensions, worker);
        drop(rivals);
        let first = self.words.next_id();
        let n_redundant_before = self.redundant.len();
        let demands = self.keep(length, &extensions, &replacements);
        let words = first.0..self.words.next_id().0;
        let n_kept = words.len();
        if n_kept > 0 {
            self.add_bucket(cost, length, words, demands);
        }
        self.note_level(Level {
            length,
            composed: extensions.iter().map(|e| e.composed).sum(),
            invalid: extensions.iter().map(|e| e.invalid).sum(),
            unreachable: extensions.iter().map(|e| e.unreachable).sum(),
            redundant: (self.redundant.len() - n_redundant_before) as u64,
            kept: n_kept as u64,
            elapsed: self.watch.elapsed() - started,
            bytes: self.bytes(),
        });
        tracing::trace!(%cost, length, kept = n_kept, "bucket complete");
        Ok(())
    }

    fn check(
        &self,
        length: usize,
        (done, total): (usize, usize),
        pending_bytes: usize,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<(), StopReason> {
        let bytes = self.bytes() + pending_bytes;
        self.watch.look(length, (done, total), bytes, progress)?;
        if self.words.has_room() {
            Ok(())
        } else {
            Err(StopReason::Memory)
        }
    }

    /// Adds a bucket's figures to those of its length.
    fn note_level(&mut self, bucket: Level) {
        while self.levels.len() < bucket.length {
            self.levels.push(Level {
                length: self.levels.len() + 1,
                ..Level::default()
            });
        }
        let level = &mut self.levels[bucket.length - 1];
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

    /// The first step: extends words, and compares with earlier buckets.
    fn extend(
        &self,
        length: usize,
        parents: &[Parent],
        worker: &mut Worker,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Vec<Extensions>, StopReason> {
        let letters = self.context.rules.len().max(1);
        let chunk_size = (COMPOSITIONS_IN_CHUNK / letters).max(1);
        let extend_chunk = |worker: &mut Worker, chunk: &[Parent]| {
            let mut result = Extensions::default();
            for parent in chunk {
                self.extend_word(*parent, worker, &mut result);
            }
            result
        };
        let mut extensions: Vec<Extensions> = Vec::new();
        let mut pending = 0;
        for (i, group) in parents
            .chunks(chunk_size * CHUNKS_BETWEEN_CHECKS)
            .enumerate()
        {
            let done = i * chunk_size * CHUNKS_BETWEEN_CHECKS;
            self.check(length, (done, parents.len()), pending, progress)?;
            let new: Vec<Extensions> = if group.len() <= chunk_size {
                vec![extend_chunk(worker, group)]
            } else {
                group
                    .par_chunks(chunk_size)
                    .map_init(|| Worker::new(&self.context), extend_chunk)
                    .collect()
            };
            pending += new.iter().map(Extensions::bytes).sum::<usize>();
            extensions.extend(new);
        }
        Ok(extensions)
    }

    fn extend_word(&self, parent: Parent, worker: &mut Worker, result: &mut Extensions) {
        let Parent {
            word,
            bucket,
            class,
        } = parent;
        let bucket = &self.buckets[bucket];
        let demands = bucket.demands.get((word.0 - bucket.words.start) as usize);
        let mut extend = |letters: &mut dyn Iterator<Item = (RuleId, WordId)>| {
            worker.extend(
                &self.context,
                &self.tree,
                &self.known,
                Costs::Uniform,
                word,
                (demands, 0),
                letters,
                result,
            );
        };
        if word == WordId::EMPTY {
            let rules = self.classes[class].rules.iter();
            extend(&mut rules.map(|rule| (*rule, WordId::EMPTY)));
        } else {
            let suffix = self.words.suffix(word);
            extend(&mut self.words.children(suffix, class as u32));
        }
    }

    /// The second step: the candidates of the bucket, numbered from 1 in order.
    fn rivals(&self, extensions: &[Extensions]) -> DiscriminationTree {
        let mut rivals = DiscriminationTree::new(self.context.keys);
        let lists = extensions.iter().flat_map(demand_lists);
        let words: Vec<(WordId, &[Key])> = (1..).map(WordId).zip(lists).collect();
        if words.len() > 1 {
            rivals.insert(&words, Costs::Uniform);
        }
        rivals
    }

    /// The third step: for each candidate the first one of the bucket that makes it redundant.
    fn compare(
        &self,
        rivals: &DiscriminationTree,
        extensions: &[Extensions],
        worker: &mut Worker,
    ) -> Vec<Vec<Option<WordId>>> {
        let starts = extensions.iter().scan(1, |next, extension| {
            let start = *next;
            *next += extension.candidates.len() as u32;
            Some(start)
        });
        let compare_chunk = |worker: &mut Worker, (extension, start): (&Extensions, u32)| {
            let find = |(candidate, demands): (u32, &[Key])| {
                worker.list_facts(&self.context, demands, &self.known);
                rivals.find(&worker.facts, WordId(candidate), 0, Costs::Uniform)
            };
            (start..).zip(demand_lists(extension)).map(find).collect()
        };
        if let [extension] = extensions {
            return vec![compare_chunk(worker, (extension, 1))];
        }
        let starts: Vec<u32> = starts.collect();
        extensions
            .par_iter()
            .zip(starts)
            .map_init(|| Worker::new(&self.context), compare_chunk)
            .collect()
    }

    /// Keeps the candidates that nothing makes redundant, lists the redundant words, and returns the
    /// demands of the kept ones.
    fn keep(
        &mut self,
        length: usize,
        extensions: &[Extensions],
        replacements: &[Vec<Option<WordId>>],
    ) -> DemandLists {
        let will_be_extended = length < self.max_length;
        let mut demands = DemandLists::default();
        let mut kept: Vec<(WordId, &[Key])> = Vec::new();
        // By candidate; redundant ones get no number.
        let mut numbers: Vec<Option<WordId>> = Vec::new();
        for (extension, replacements) in extensions.iter().zip(replacements) {
            for redundant in &extension.redundant {
                self.note_redundant(redundant.parent, redundant.letter, redundant.replacement);
            }
            let candidates = extension.candidates.iter().zip(demand_lists(extension));
            for ((candidate, list), replacement) in candidates.zip(replacements) {
                let Extension {
                    parent,
                    letter,
                    suffix,
                    ..
                } = *candidate;
                if let Some(rival) = replacement {
                    let replacement = numbers[rival.0 as usize - 1];
                    let replacement = replacement.expect("the first word of its kind is kept");
                    self.note_redundant(parent, letter, replacement);
                    numbers.push(None);
                } else {
                    let class = self.class_of[letter.index()];
                    let word = self.words.push(parent, letter, suffix, class);
                    numbers.push(Some(word));
                    kept.push((word, list));
                    if will_be_extended {
                        demands.push(list);
                    }
                }
            }
        }
        if !kept.is_empty() {
            self.tree.insert(&kept, Costs::Uniform);
        }
        demands
    }

    fn note_redundant(&mut self, parent: WordId, letter: RuleId, replacement: WordId) {
        let mut word = self.words.letters(parent);
        word.push(letter);
        let replacement = self.words.letters(replacement);
        self.redundant_bytes +=
            size_of::<RedundantWord>() + (word.len() + replacement.len()) * size_of::<RuleId>();
        self.redundant.push(RedundantWord {
            word: word.into(),
            replacement: replacement.into(),
        });
    }
}

/// The demands of the candidates.
fn demand_lists(extensions: &Extensions) -> impl Iterator<Item = &[Key]> {
    (0..extensions.candidates.len()).map(|i| extensions.demands.get(i))
}
