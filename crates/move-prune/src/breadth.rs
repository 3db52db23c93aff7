//! The breadth-first search over words, one length at a time.

use std::time::Duration;

use psvn_ir::{CanonicalRule, RuleId};
use rayon::prelude::*;

use crate::analysis::{Found, Level, Options, RedundantWord};
use crate::demands::{Key, KnownDemands};
use crate::extension::{Context, DemandLists, Extension, Extensions, Redundant, Worker};
use crate::limits::{Progress, StopReason, Watch};
use crate::retrieval::{Costs, DiscriminationTree};
use crate::words::{WordId, WordTree};

/// About how many compositions make one piece of work for a thread.
pub(crate) const COMPOSITIONS_IN_CHUNK: usize = 8192;

/// How many pieces of work are done between two looks at the limits.
pub(crate) const CHUNKS_BETWEEN_CHECKS: usize = 32;

pub(crate) struct Breadth<'a> {
    context: Context<'a>,
    known: KnownDemands,
    tree: DiscriminationTree,
    words: WordTree,
    /// The costs of all kept words; empty when all rules cost the same.
    costs: Vec<u64>,
    /// The demands and the costs of the longest words.
    frontier: DemandLists,
    frontier_costs: Vec<u64>,
    redundant: Vec<RedundantWord>,
    redundant_bytes: usize,
    max_length: usize,
    watch: Watch<'a>,
}

impl<'a> Breadth<'a> {
    pub(crate) fn new(
        n_variables: usize,
        rules: &[CanonicalRule],
        options: &'a Options<'a>,
    ) -> Self {
        let context = Context::new(n_variables, rules, options.admits);
        let mut frontier = DemandLists::default();
        frontier.push(&[]);
        Self {
            known: KnownDemands::none(context.keys),
            tree: DiscriminationTree::new(context.keys),
            words: WordTree::new(),
            costs: if context.uniform { Vec::new() } else { vec![0] },
            frontier,
            frontier_costs: vec![0],
            redundant: Vec::new(),
            redundant_bytes: 0,
            max_length: options.max_length,
            watch: Watch::new(&options.limits),
            context,
        }
    }

    /// Goes from length to length, up to the greatest one or until a limit is reached.
    pub(crate) fn run(mut self, progress: &mut dyn FnMut(&Progress)) -> Found {
        let mut found = Found {
            max_length: self.max_length,
            ..Found::default()
        };
        for length in 1..=self.max_length {
            let span = tracing::debug_span!("level", length);
            let _entered = span.enter();
            match self.level(length, progress) {
                Ok(level) => {
                    let is_settled = level.kept == 0;
                    found.levels.push(level);
                    if is_settled {
                        // Longer words have no kept parts, so there is nothing left to find.
                        break;
                    }
                }
                Err(reason) => {
                    found.stopped = Some(reason);
                    found.max_length = found.levels.len();
                    break;
                }
            }
        }
        found.kept = self.words;
        found.redundant = self.redundant;
        found
    }

    fn bytes(&self) -> usize {
        self.tree.bytes()
            + self.words.bytes()
            + self.frontier.bytes()
            + (self.costs.capacity() + self.frontier_costs.capacity()) * size_of::<u64>()
            + self.redundant_bytes
    }

    fn costs(&self) -> Costs<'_> {
        if self.context.uniform {
            Costs::Uniform
        } else {
            Costs::Each(&self.costs)
        }
    }

    /// Extends all words of length `length - 1`.
    ///
    /// When a limit stops it halfway, only complete lengths are left in `words` and `redundant`; the
    /// search can't be continued then.
    fn level(
        &mut self,
        length: usize,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Level, StopReason> {
        let started = self.watch.elapsed();
        let extensions = self.extend(length, progress)?;
        let n_words_before = self.words.len();
        let first = WordId(n_words_before as u32);
        let sum = |count: fn(&Extensions) -> u64| extensions.iter().map(count).sum();
        let mut level = Level {
            length,
            composed: sum(|e| e.composed),
            invalid: sum(|e| e.invalid),
            unreachable: sum(|e| e.unreachable),
            redundant: 0,
            kept: 0,
            elapsed: Duration::ZERO,
            bytes: 0,
        };
        let pending = extensions.iter().map(Extensions::bytes).sum::<usize>();
        self.store(first, &extensions);
        self.check(length, 1, 1, pending, progress)?;
        let replacements = self.compare(first, &extensions);
        self.check(length, 1, 1, pending, progress)?;
        self.keep(first, extensions, replacements, &mut level);
        level.kept = (self.words.len() - n_words_before) as u64;
        level.elapsed = self.watch.elapsed() - started;
        level.bytes = self.bytes();
        tracing::debug!(?level, "level complete");
        Ok(level)
    }

    fn check(
        &self,
        length: usize,
        done: usize,
        total: usize,
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

    /// The first step: extends the longest words, and compares with shorter ones.
    fn extend(
        &self,
        length: usize,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Vec<Extensions>, StopReason> {
        let parents: Vec<WordId> = self.words.of_length(length - 1).collect();
        let letters = self.context.rules.len().max(1);
        let chunk_size = (COMPOSITIONS_IN_CHUNK / letters).max(1);
        let mut extensions: Vec<Extensions> = Vec::new();
        let mut pending = 0;
        for (i, group) in parents
            .chunks(chunk_size * CHUNKS_BETWEEN_CHECKS)
            .enumerate()
        {
            let done = i * chunk_size * CHUNKS_BETWEEN_CHECKS;
            self.check(length, done, parents.len(), pending, progress)?;
            let new: Vec<Extensions> = group
                .par_chunks(chunk_size)
                .map_init(
                    || Worker::new(&self.context),
                    |worker, chunk| {
                        let mut result = Extensions::default();
                        for parent in chunk {
                            let place = (parent.0 - parents[0].0) as usize;
                            let origin = (self.frontier.get(place), self.frontier_costs[place]);
                            self.extend_word(*parent, origin, worker, &mut result);
                        }
                        result
                    },
                )
                .collect();
            pending += new.iter().map(Extensions::bytes).sum::<usize>();
            extensions.extend(new);
        }
        Ok(extensions)
    }

    #[inline]
    fn extend_word(
        &self,
        parent: WordId,
        origin: (&[Key], u64),
        worker: &mut Worker,
        result: &mut Extensions,
    ) {
        let (context, tree, known, costs) = (&self.context, &self.tree, &self.known, self.costs());
        if parent == WordId::EMPTY {
            // A single rule's longest proper suffix is the empty word.
            let rules = (0..context.rules.len()).map(RuleId::from_index);
            let letters = rules.map(|rule| (rule, WordId::EMPTY));
            worker.extend(context, tree, known, costs, parent, origin, letters, result);
        } else {
            let letters = self.words.children(self.words.suffix(parent));
            worker.extend(context, tree, known, costs, parent, origin, letters, result);
        }
    }

    /// The second step: stores the candidates, numbered from `first` in order.
    fn store(&mut self, first: WordId, extensions: &[Extensions]) {
        if !self.context.uniform {
            let costs = extensions
                .iter()
                .flat_map(|e| &e.candidates)
                .map(|c| c.cost);
            self.costs.extend(costs);
        }
        for extension in extensions {
            for i in 0..extension.candidates.len() {
                self.known.note(self.context.keys, extension.demands.get(i));
            }
        }
        let lists = extensions
            .iter()
            .flat_map(|e| (0..e.candidates.len()).map(|i| e.demands.get(i)));
        let words: Vec<(WordId, &[Key])> = (first.0..).map(WordId).zip(lists).collect();
        let costs = if self.context.uniform {
            Costs::Uniform
        } else {
            Costs::Each(&self.costs)
        };
        self.tree.insert(&words, costs);
    }

    /// The third step: for each candidate the first one before it that makes it redundant.
    fn compare(&self, first: WordId, extensions: &[Extensions]) -> Vec<Vec<Option<WordId>>> {
        let mut starts = Vec::with_capacity(extensions.len());
        let mut next = first.0;
        for extension in extensions {
            starts.push(next);
            next += extension.candidates.len() as u32;
        }
        extensions
            .par_iter()
            .zip(starts)
            .map_init(
                || Worker::new(&self.context),
                |worker, (extension, start)| {
                    let find = |(i, candidate): (usize, &Extension)| {
                        worker.list_facts(&self.context, extension.demands.get(i), &self.known);
                        let word = WordId(start + i as u32);
                        self.tree
                            .find(&worker.facts, word, candidate.cost, self.costs())
                    };
                    extension.candidates.iter().enumerate().map(find).collect()
                },
            )
            .collect()
    }

    /// Keeps the candidates that nothing makes redundant, and lists the redundant words.
    fn keep(
        &mut self,
        first: WordId,
        extensions: Vec<Extensions>,
        replacements: Vec<Vec<Option<WordId>>>,
        level: &mut Level,
    ) {
        // Candidates were numbered one after the other; without the redundant ones, numbers shift.
        let mut numbers: Vec<Option<WordId>> = Vec::new();
        let mut next = first.0;
        for replacement in replacements.iter().flatten() {
            numbers.push(replacement.is_none().then(|| {
                next += 1;
                WordId(next - 1)
            }));
        }
        let is_last = level.length == self.max_length;
        let mut frontier = DemandLists::default();
        let mut frontier_costs = Vec::new();
        let mut redundant: Vec<Redundant> = Vec::new();
        let mut next_parent = self.parents_of(level.length).0;
        for (extension, replacements) in extensions.into_iter().zip(&replacements) {
            redundant.extend_from_slice(&extension.redundant);
            for (i, (candidate, replacement)) in
                extension.candidates.iter().zip(replacements).enumerate()
            {
                match replacement {
                    Some(provisional) => {
                        let place = (provisional.0 - first.0) as usize;
                        let replacement =
                            numbers[place].expect("the first word of its kind is kept");
                        let Extension { parent, letter, .. } = *candidate;
                        redundant.push(Redundant {
                            parent,
                            letter,
                            replacement,
                        });
                    }
                    None => {
                        while next_parent <= candidate.parent.0 {
                            self.words.open(WordId(next_parent));
                            next_parent += 1;
                        }
                        self.words
                            .push(candidate.parent, candidate.letter, candidate.suffix);
                        if !is_last {
                            frontier.push(extension.demands.get(i));
                            frontier_costs.push(candidate.cost);
                        }
                    }
                }
            }
        }
        while next_parent < first.0 {
            self.words.open(WordId(next_parent));
            next_parent += 1;
        }
        self.words.close_level();
        if !self.context.uniform {
            let mut kept = numbers.iter();
            let mut index = 0;
            self.costs.retain(|_| {
                index += 1;
                index <= first.0 as usize || kept.next().is_some_and(Option::is_some)
            });
        }
        if numbers.iter().any(Option::is_none) {
            self.tree.renumber(first, &numbers);
        }
        self.frontier = frontier;
        self.frontier_costs = frontier_costs;
        redundant.sort_unstable_by_key(|redundant| (redundant.parent, redundant.letter));
        level.redundant = redundant.len() as u64;
        for Redundant {
            parent,
            letter,
            replacement,
        } in redundant
        {
            let mut word: Vec<RuleId> = self.words.letters(parent);
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

    fn parents_of(&self, length: usize) -> WordId {
        self.words
            .of_length(length - 1)
            .next()
            .unwrap_or(WordId(self.words.len() as u32))
    }
}
