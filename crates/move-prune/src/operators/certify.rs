//! Certificates of redundant label words: all of their instances, each with its replacement.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use budget::StopReason;
use psvn_ir::RuleId;
use rayon::prelude::*;

use super::analysis::Search;
use super::open_instances::Child;
use super::result::InstanceReplacement;
use crate::analysis::extension::Bench;
use crate::generalization::demands::Facts;
use crate::limits::make_room;
use crate::words::WordId;

/// The overhead of an allocator for a small block: a header, and rounding up to 16.
const BYTES_OF_BLOCK: usize = 16;

/// The verdict about a label word without open instances.
pub(super) enum Verdict {
    Impossible,
    Redundant(Vec<InstanceReplacement>),
    /// An instance has no replacement. This happens only if the knowledge about states contradicts
    /// itself: it admits some conditions, but not weaker ones. It is always safe not to forbid a
    /// word.
    Unproved,
}

impl Search<'_> {
    /// List all instances, with replacements, of each label word without open ones.
    pub(super) fn prove(
        &self,
        children: &[Child],
        is_open: &[Vec<bool>],
        pending: usize,
    ) -> Result<Vec<Option<Verdict>>, StopReason> {
        // The bytes of all proofs so far, over all threads.
        let proved = AtomicUsize::new(self.bytes() + pending);
        children
            .par_iter()
            .zip(is_open)
            .map_init(
                || self.bench(),
                |bench, (child, is_open)| {
                    if is_open.contains(&true) {
                        return Ok(None);
                    }
                    self.prove_one(bench, child, &proved).map(Some)
                },
            )
            .collect()
    }

    fn prove_one(
        &self,
        bench: &mut Bench,
        child: &Child,
        held: &AtomicUsize,
    ) -> Result<Verdict, StopReason> {
        let mut word = self.group_letters(child.parent);
        word.push(child.letter);
        let mut proved: Vec<InstanceReplacement> = Vec::new();
        let mut failure: Result<(), Option<StopReason>> = Ok(());
        // The walk ends early only with a failure.
        let _ = self.instances.visit(&word, &mut |instance, composed| {
            if let Err(reason) = self.watch.check(0, held.load(Ordering::Relaxed)) {
                failure = Err(Some(reason));
                return ControlFlow::Break(());
            }
            let admits = self.instances.admits;
            let closed = bench
                .closure
                .close(admits, composed.preconditions, composed.actions);
            let Some(closed) = closed else {
                // No state that matters allows it.
                return ControlFlow::Continue(());
            };
            let facts = &mut bench.facts;
            facts.list(closed.preconditions, closed.actions, &self.known);
            match self.replacement(facts, composed.cost, WordId(child.first)) {
                Some(replacement) => {
                    let bytes = certificate_bytes(instance, &replacement);
                    let now = held.fetch_add(bytes, Ordering::Relaxed) + bytes;
                    let before = list_bytes(&proved);
                    if let Err(reason) = make_room(&self.watch, &mut proved, 1, now) {
                        failure = Err(Some(reason));
                        return ControlFlow::Break(());
                    }
                    held.fetch_add(list_bytes(&proved) - before, Ordering::Relaxed);
                    proved.push(InstanceReplacement {
                        instance: instance.into(),
                        replacement,
                    });
                    ControlFlow::Continue(())
                }
                None => {
                    failure = Err(None);
                    ControlFlow::Break(())
                }
            }
        });
        // Lists that are kept to the end have no spare capacity.
        let before = list_bytes(&proved);
        proved.shrink_to_fit();
        held.fetch_sub(before - list_bytes(&proved), Ordering::Relaxed);
        match failure {
            Err(Some(reason)) => Err(reason),
            Err(None) => Ok(Verdict::Unproved),
            Ok(()) if proved.is_empty() => Ok(Verdict::Impossible),
            Ok(()) => Ok(Verdict::Redundant(proved)),
        }
    }

    /// Return the first stored instance before `before` that covers an instance with these facts
    /// and this cost.
    fn replacement(&self, facts: &Facts, cost: u64, before: WordId) -> Option<Box<[RuleId]>> {
        let found = self.tree.find(facts, before, cost, self.costs())?;
        let mut sequence = Vec::new();
        let mut node = found.0;
        while node != 0 {
            sequence.push(self.nodes[node as usize].rule);
            node = self.nodes[node as usize].parent;
        }
        sequence.reverse();
        Some(sequence.into())
    }
}

/// Return the bytes of the proofs.
pub(super) fn proved_bytes(verdicts: &[Option<Verdict>]) -> usize {
    let bytes = |verdict: &Verdict| match verdict {
        Verdict::Redundant(instances) => instances_bytes(instances),
        Verdict::Impossible | Verdict::Unproved => 0,
    };
    size_of_val(verdicts) + verdicts.iter().flatten().map(bytes).sum::<usize>()
}

/// Return the bytes of a label word's letters, which are a small block.
pub(super) fn word_bytes(word: &[u32]) -> usize {
    size_of_val(word) + BYTES_OF_BLOCK
}

/// Return the bytes of a label word's instances with their replacements.
pub(super) fn instances_bytes(instances: &Vec<InstanceReplacement>) -> usize {
    let each = |pair: &InstanceReplacement| certificate_bytes(&pair.instance, &pair.replacement);
    list_bytes(instances) + instances.iter().map(each).sum::<usize>()
}

fn list_bytes(list: &Vec<InstanceReplacement>) -> usize {
    match list.capacity() {
        0 => 0,
        capacity => capacity * size_of::<InstanceReplacement>() + BYTES_OF_BLOCK,
    }
}

/// Return the bytes of an instance and its replacement, with the overhead of two small blocks.
fn certificate_bytes(instance: &[RuleId], replacement: &[RuleId]) -> usize {
    (instance.len() + replacement.len()) * size_of::<RuleId>() + 2 * BYTES_OF_BLOCK
}
