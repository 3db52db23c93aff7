//! One step of the search over words, for any order of words.
//!
//! The step extends some kept words of the same length by each letter that leads to a word without
//! redundant parts. Words are taken in order, one *batch* at a time, so that candidates take little
//! memory. A batch has three steps that run in parallel: extend and compare with all words before
//! the batch; store; compare with the words of the batch. The result doesn't depend on where
//! batches end: a word is redundant with the first word before it that generalizes it, and that
//! word is kept, so it is stored before it is needed.

use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use budget::{Progress, StopReason, Watch};
use psvn_ir::{CanonicalRule, RuleId};
use rayon::prelude::*;

use crate::analysis::extension::{
    ComparedCosts, Context, Extension, Extensions, Redundant, Shared, Worker,
};
use crate::analysis::options::Options;
use crate::analysis::result::{Level, RedundantWord};
use crate::generalization::demands::{Key, KeySpace, KnownDemands};
use crate::generalization::retrieval::{Costs, DiscriminationTree};
use crate::limits::report_and_check;
use crate::words::WordId;

/// The approximate number of compositions in a batch.
const COMPOSITIONS_IN_BATCH: usize = 1 << 15;

/// The approximate number of compositions in a piece of work for a thread, in small batches.
const COMPOSITIONS_IN_CHUNK: usize = 1024;

/// The number of pieces into which large batches are cut.
const MOST_CHUNKS: usize = 64;

/// The kept words, of which the ones to extend are at the places from 0 on.
pub(crate) trait Words: Sync {
    /// Return the word at a place.
    fn word(&self, place: usize) -> WordId;

    /// Append the demands of the word at a place, and return its cost, if costs are compared.
    fn read(&self, place: usize, demands: &mut Vec<Key>) -> u64;

    /// Return the rules that the empty word is extended by.
    fn rules(&self, place: usize) -> impl Iterator<Item = RuleId>;

    /// Return the letters that may extend another word, each with the longest proper suffix of the
    /// new word.
    fn letters(&self, place: usize) -> impl Iterator<Item = (RuleId, WordId)>;

    /// Return the greatest number of these letters.
    fn n_letters(&self, place: usize) -> usize;

    /// Return the number that the next kept word gets.
    fn next_id(&self) -> WordId;

    /// Keep a word; they come in order.
    fn keep(&mut self, word: &Extension, demands: &[Key]);

    /// Return whether there are enough numbers left for many more words.
    fn has_room(&self) -> bool;

    /// Return the bytes that they hold.
    fn bytes(&self) -> usize;

    /// Return the letters of a kept word, followed by one more if there is one.
    fn spell(&self, word: WordId, last: Option<RuleId>) -> Box<[RuleId]>;
}

/// The results of a search, except the kept words.
pub(crate) struct Kernel<'a> {
    pub(crate) context: Context<'a>,
    known: KnownDemands,
    tree: DiscriminationTree,
    /// The costs of all kept words, if costs are compared.
    costs: Option<Vec<u64>>,
    /// By the order in which words come.
    redundant: Vec<Redundant>,
    /// The unused workers. They are kept because they are large in large games.
    workers: Mutex<Vec<Worker>>,
    watch: Watch,
}

impl<'a> Kernel<'a> {
    /// Make a search that has found the empty word.
    pub(crate) fn new(
        n_variables: usize,
        rules: &[CanonicalRule],
        keys: KeySpace,
        options: &'a Options<'a>,
        compared: ComparedCosts,
    ) -> Self {
        let watch = Watch::new(options.limits.clone());
        let context = Context::new(n_variables, rules, keys, options.admits, compared);
        let compares_costs = match compared {
            ComparedCosts::None => false,
            ComparedCosts::NoMore => !context.uniform,
            ComparedCosts::Less => true,
        };
        Self {
            known: KnownDemands::none(context.keys),
            tree: DiscriminationTree::new(context.keys),
            costs: compares_costs.then(|| vec![0]),
            redundant: Vec::new(),
            workers: Mutex::default(),
            watch,
            context,
        }
    }

    fn shared(&self, words: &impl Words) -> Shared<'_> {
        Shared {
            watch: &self.watch,
            held: self.bytes() + words.bytes(),
            context: &self.context,
            tree: &self.tree,
            known: &self.known,
            costs: costs(&self.costs),
        }
    }

    /// Return the bytes held, without those of the kept words.
    fn bytes(&self) -> usize {
        self.tree.bytes()
            + self.costs.as_ref().map_or(0, Vec::capacity) * size_of::<u64>()
            + self.redundant.capacity() * size_of::<Redundant>()
    }

    /// Return the number of redundant words found so far.
    pub(crate) fn n_redundant(&self) -> usize {
        self.redundant.len()
    }

    /// Return whether some word was redundant only because of knowledge beyond its preconditions.
    pub(crate) fn rests_on_knowledge(&self) -> bool {
        self.context.uses_implied.load(Ordering::Relaxed)
    }

    /// Return the first `n` redundant words. The data that only the search needed are freed before
    /// the words are spelled out.
    pub(crate) fn into_redundant(self, n: usize, words: &impl Words) -> Vec<RedundantWord> {
        let mut found = self.redundant;
        drop((self.tree, self.workers, self.costs));
        found.truncate(n);
        let spell = |redundant: Redundant| RedundantWord {
            word: words.spell(redundant.parent, Some(redundant.letter)),
            replacement: words.spell(redundant.replacement, None),
        };
        found.into_par_iter().map(spell).collect()
    }

    /// Extend the words at the places below `n_parents`.
    ///
    /// If a limit stops it halfway, some of the longer words are already kept; the search can't be
    /// continued then.
    pub(crate) fn grow(
        &mut self,
        words: &mut impl Words,
        length: usize,
        n_parents: usize,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Level, StopReason> {
        let started = self.watch.elapsed();
        let first = words.next_id();
        let n_redundant_before = self.redundant.len();
        let mut level = Level {
            length,
            ..Level::default()
        };
        let mut start = 0;
        while start < n_parents {
            let mut end = start;
            let mut n_compositions = 0;
            while end < n_parents && n_compositions < COMPOSITIONS_IN_BATCH {
                n_compositions += words.n_letters(end);
                end += 1;
            }
            let extensions = self.extend(words, start..end, n_compositions)?;
            for extension in &extensions {
                level.composed += extension.composed;
                level.invalid += extension.invalid;
                level.unreachable += extension.unreachable;
            }
            let pending: usize = extensions.iter().map(Extensions::bytes).sum();
            // Pending candidates will be stored as well, and listed.
            let n_candidates: usize = extensions.iter().map(|e| e.candidates.len()).sum();
            let lists = n_candidates * size_of::<(WordId, &[Key])>();
            let bytes = self.bytes() + words.bytes() + 2 * pending + lists;
            report_and_check(&self.watch, length, (end, n_parents), bytes, progress)?;
            if !words.has_room() {
                return Err(StopReason::Memory);
            }
            self.store(words.next_id(), &extensions);
            let replacements = self.compare(words, &extensions)?;
            self.keep(words, &extensions, &replacements);
            start = end;
        }
        level.redundant = (self.redundant.len() - n_redundant_before) as u64;
        level.kept = u64::from(words.next_id().0 - first.0);
        level.elapsed = self.watch.elapsed() - started;
        level.bytes = self.bytes() + words.bytes();
        Ok(level)
    }

    /// Process each item with its own worker.
    fn each<T: Send, R: Send>(
        &self,
        items: Vec<T>,
        work: impl Fn(&mut Worker, T) -> Result<R, StopReason> + Sync,
    ) -> Result<Vec<R>, StopReason> {
        let with_worker = |item: T| {
            let idle = self.idle().pop();
            let mut worker = idle.unwrap_or_else(|| Worker::new(&self.context));
            let result = work(&mut worker, item);
            self.idle().push(worker);
            result
        };
        if items.len() == 1 {
            items.into_iter().map(with_worker).collect()
        } else {
            items.into_par_iter().map(with_worker).collect()
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Worker>> {
        self.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first step: extend words and compare the results with earlier words.
    fn extend(
        &self,
        words: &impl Words,
        places: Range<usize>,
        n_compositions: usize,
    ) -> Result<Vec<Extensions>, StopReason> {
        let n_chunks = (n_compositions / COMPOSITIONS_IN_CHUNK).clamp(1, MOST_CHUNKS);
        let chunk_size = places.len().div_ceil(n_chunks);
        let end = places.end;
        let chunks = places.step_by(chunk_size);
        let chunks = chunks.map(|start| start..(start + chunk_size).min(end));
        let shared = self.shared(words);
        self.each(chunks.collect(), |worker, places| {
            let mut result = Extensions::default();
            for place in places {
                let word = words.word(place);
                worker.parent_demands.clear();
                let cost = words.read(place, &mut worker.parent_demands);
                if word == WordId::EMPTY {
                    // A single rule's longest proper suffix is the empty word.
                    let rules = words.rules(place).map(|rule| (rule, WordId::EMPTY));
                    worker.extend(&shared, word, cost, rules, &mut result)?;
                } else {
                    worker.extend(&shared, word, cost, words.letters(place), &mut result)?;
                }
            }
            Ok(result)
        })
    }

    /// The second step: store the candidates, numbered from `first` in order.
    fn store(&mut self, first: WordId, extensions: &[Extensions]) {
        for demands in extensions.iter().flat_map(Extensions::demand_lists) {
            self.known.note(self.context.keys, demands);
        }
        for extension in extensions {
            self.known.note_blind(&extension.blind);
        }
        if let Some(costs) = &mut self.costs {
            let candidates = extensions.iter().flat_map(|e| &e.candidates);
            costs.extend(candidates.map(|candidate| candidate.cost));
        }
        let lists = extensions.iter().flat_map(Extensions::demand_lists);
        let words: Vec<(WordId, &[Key])> = (first.0..).map(WordId).zip(lists).collect();
        self.tree.insert(&words, costs(&self.costs));
    }

    /// The third step: find for each candidate the first earlier one that makes it redundant.
    fn compare(
        &self,
        words: &impl Words,
        extensions: &[Extensions],
    ) -> Result<Vec<Vec<Option<WordId>>>, StopReason> {
        let mut next = words.next_id().0;
        let mut items = Vec::with_capacity(extensions.len());
        for extension in extensions {
            items.push((extension, next));
            next += extension.candidates.len() as u32;
        }
        let shared = self.shared(words);
        self.each(items, |worker, (extension, start)| {
            let candidates = extension.candidates.iter().zip(extension.demand_lists());
            let ids = (start..).map(WordId);
            ids.zip(candidates)
                .map(|(id, (candidate, demands))| worker.find(&shared, demands, id, candidate.cost))
                .collect()
        })
    }

    /// Keep the candidates that no word makes redundant, and list the redundant words.
    fn keep(
        &mut self,
        words: &mut impl Words,
        extensions: &[Extensions],
        replacements: &[Vec<Option<WordId>>],
    ) {
        let first = words.next_id();
        // Candidates were numbered consecutively; numbers shift as redundant ones drop out.
        let mut numbers: Vec<Option<WordId>> = Vec::new();
        let n_redundant_before = self.redundant.len();
        let mut shift = false;
        for (extension, replacements) in extensions.iter().zip(replacements) {
            self.redundant.extend_from_slice(&extension.redundant);
            let candidates = extension.candidates.iter().zip(extension.demand_lists());
            for ((candidate, demands), replacement) in candidates.zip(replacements) {
                if let Some(provisional) = replacement {
                    // Words before the batch were compared in the first step.
                    let replacement = numbers[(provisional.0 - first.0) as usize];
                    self.redundant.push(Redundant {
                        parent: candidate.parent,
                        letter: candidate.letter,
                        replacement: replacement.expect("the first word of its kind is kept"),
                    });
                    numbers.push(None);
                    shift = true;
                } else {
                    numbers.push(Some(words.next_id()));
                    words.keep(candidate, demands);
                }
            }
        }
        if shift {
            self.tree.renumber(first, &numbers);
            if let Some(costs) = &mut self.costs {
                let new = costs.split_off(first.0 as usize);
                let kept = new.into_iter().zip(&numbers);
                costs.extend(kept.filter_map(|(cost, number)| number.map(|_| cost)));
            }
        }
        // Sort the redundant words of a batch, found in either step.
        self.redundant[n_redundant_before..].sort_by_key(|word| (word.parent, word.letter));
    }
}

fn costs(costs: &Option<Vec<u64>>) -> Costs<'_> {
    costs.as_deref().map_or(Costs::Uniform, Costs::Each)
}
