//! Why a label word is redundant: all of its instances, with what replaces each.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use budget::StopReason;
use psvn_ir::RuleId;
use rayon::prelude::*;

use super::Composed;
use super::analysis::Search;
use super::frontier::Child;
use super::result::InstanceReplacement;
use crate::analysis::extension::Bench;
use crate::words::WordId;

/// What an allocator takes for a small block beside its content: a header, and rounding up to 16.
const BYTES_OF_BLOCK: usize = 16;

/// What became of a label word without open instances.
pub(super) enum Closed {
    Impossible,
    Redundant(Vec<InstanceReplacement>),
    /// An instance had no replacement. That can only be where the knowledge about states
    /// contradicts itself: it admits some conditions, but not weaker ones. Not to forbid a word is
    /// always safe.
    Unproved,
}

impl Search<'_> {
    /// List all instances, with replacements, of each label word without open ones.
    pub(super) fn prove(
        &self,
        children: &[Child],
        is_open: &[Vec<bool>],
        pending: usize,
    ) -> Result<Vec<Option<Closed>>, StopReason> {
        // What all threads have proved so far.
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
    ) -> Result<Closed, StopReason> {
        let mut word = self.group_letters(child.parent);
        word.push(child.letter);
        let mut proved = Vec::new();
        let mut failure: Result<(), Option<StopReason>> = Ok(());
        // The walk ends early only to leave a failure behind.
        let _ = self.instances.visit(&word, &mut |instance, composed| {
            if let Err(reason) = self.watch.check(0, held.load(Ordering::Relaxed)) {
                failure = Err(Some(reason));
                return ControlFlow::Break(());
            }
            match self.replacement(bench, composed, WordId(child.first)) {
                Some(replacement) => {
                    let bytes = certificate_bytes(instance, &replacement);
                    held.fetch_add(bytes, Ordering::Relaxed);
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
        match failure {
            Err(Some(reason)) => Err(reason),
            Err(None) => Ok(Closed::Unproved),
            Ok(()) if proved.is_empty() => Ok(Closed::Impossible),
            Ok(()) => Ok(Closed::Redundant(proved)),
        }
    }

    /// The first stored instance before `before` that covers an instance.
    fn replacement(
        &self,
        bench: &mut Bench,
        composed: Composed<'_>,
        before: WordId,
    ) -> Option<Box<[RuleId]>> {
        let facts = &mut bench.facts;
        facts.list(composed.preconditions, composed.actions, &self.known);
        let found = self.tree.find(facts, before, composed.cost, self.costs())?;
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

/// The bytes of what was proved.
pub(super) fn proved_bytes(closed: &[Option<Closed>]) -> usize {
    let bytes = |closed: &Closed| match closed {
        Closed::Redundant(instances) => instances
            .iter()
            .map(|pair| certificate_bytes(&pair.instance, &pair.replacement))
            .sum(),
        Closed::Impossible | Closed::Unproved => 0,
    };
    size_of_val(closed) + closed.iter().flatten().map(bytes).sum::<usize>()
}

/// The bytes that the replacement of an instance takes, with what two small blocks of memory take
/// besides.
pub(super) fn certificate_bytes(instance: &[RuleId], replacement: &[RuleId]) -> usize {
    size_of::<InstanceReplacement>()
        + (instance.len() + replacement.len()) * size_of::<RuleId>()
        + 2 * BYTES_OF_BLOCK
}
