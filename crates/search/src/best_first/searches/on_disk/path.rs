//! The way from the start to a closed state, without links.
//!
//! A state t of a bucket with path cost g was generated when a state p was expanded, in a bucket of
//! path cost g - c that was closed before, by a rule of cost c. So p is found among the states from
//! which some rule leads to t, and sets of states are searched by bisection. The numbers of closed
//! buckets fall from step to step, so the way back ends, even where rules cost nothing. Where rules
//! lose many values, a state may have too many predecessors. Then the buckets of path cost g - c
//! are expanded again until t comes up.

use std::ops::ControlFlow;
use std::sync::Arc;

use psvn_ir::RuleId;
use sorted_states::{Ascending, FileError};

use crate::best_first::searches::on_disk::error::Halt;
use crate::best_first::searches::on_disk::lists::{Closed, Lists};
use crate::best_first::space::Space;
use crate::best_first::space::images::Images;
use crate::best_first::space::moves::Scratch;
use crate::run::limits::Watch;

/// A state, and its closed bucket.
type Parent<'d> = (Vec<u64>, Arc<Closed<'d>>);

/// Finds the way back.
pub(super) struct Back<'b, 'd> {
    pub(super) space: &'b Space,
    pub(super) lists: &'b Lists<'d>,
    pub(super) images: Option<Images>,
}

impl<'d> Back<'_, 'd> {
    /// Return the rules from the start to an image of a state of a closed bucket. The buckets are
    /// all that were closed.
    pub(super) fn rules(
        &mut self,
        start: &[u64],
        goal: &[u64],
        bucket: &Arc<Closed<'d>>,
        watch: &Watch<'_, '_>,
    ) -> Result<Vec<RuleId>, Halt> {
        let mut way = vec![goal.to_vec()];
        let mut at = (goal.to_vec(), Arc::clone(bucket));
        // The start is the only state of the first bucket.
        while at.1.turn > 0 {
            watch.check(0)?;
            let parent = if self.space.parents_can_be_found(true) {
                self.parent(&at.0, &at.1)?
            } else {
                self.parent_by_expansion(&at.0, &at.1, watch)?
            };
            at = parent.ok_or_else(|| self.lost())?;
            way.push(at.0.clone());
        }
        let mut rules = Vec::with_capacity(way.len());
        let mut state = start.to_vec();
        let mut scratch = self.space.scratch(&self.space.forward);
        for next in way.iter().rev().skip(1) {
            let step = self.step(&state, next, &mut scratch);
            let (rule, child) = step.ok_or_else(|| self.lost())?;
            rules.push(RuleId(rule));
            state = child;
        }
        Ok(rules)
    }

    /// Return the error for files without a state that must be there.
    fn lost(&self) -> FileError {
        self.lists.disk.damaged("a closed state is missing")
    }

    fn image(&mut self, state: &[u64]) -> Vec<u64> {
        match &mut self.images {
            Some(images) => images.of(state).to_vec(),
            None => state.to_vec(),
        }
    }

    /// Return the cheapest rule that leads from a state to an image of another one, and the image.
    fn step(&mut self, from: &[u64], to: &[u64], scratch: &mut Scratch) -> Option<(u32, Vec<u64>)> {
        let (space, images) = (self.space, &mut self.images);
        let mut best: Option<(u32, Vec<u64>)> = None;
        let moves = &space.forward;
        let flow = moves.children(&space.packing, from, scratch, |rule, child| {
            let is_cheaper = best
                .as_ref()
                .is_none_or(|(other, _)| space.cost(rule) < space.cost(*other));
            let leads = |images: &mut Option<Images>| match images {
                Some(images) => images.of(child) == to,
                None => child == to,
            };
            if is_cheaper && leads(images) {
                best = Some((rule, child.to_vec()));
            }
            ControlFlow::<()>::Continue(())
        });
        debug_assert!(flow.is_continue());
        best
    }

    /// Return whether a state of path cost `g` leads to one of this bucket at its cost.
    fn leads(&mut self, g: u64, from: &[u64], to: &[u64], bucket: &Closed<'d>) -> bool {
        let mut scratch = self.space.scratch(&self.space.forward);
        let step = self.step(from, to, &mut scratch);
        let total = step.and_then(|(rule, _)| g.checked_add(self.space.cost(rule)));
        total.is_some_and(|total| total <= bucket.key.g)
    }

    /// Find a parent of a state among its predecessors.
    fn parent(&mut self, state: &[u64], bucket: &Closed<'d>) -> Result<Option<Parent<'d>>, Halt> {
        let space = self.space;
        let mut candidates: Vec<(u64, Vec<u64>)> = Vec::new();
        let mut scratch = space.scratch(&space.backward);
        space.load(state, &mut scratch);
        let moves = &space.backward;
        let flow = moves.expand(&space.packing, &mut scratch, |rule, before, _| {
            if let Some(g) = bucket.key.g.checked_sub(space.cost(rule)) {
                candidates.push((g, before.to_vec()));
            }
            ControlFlow::<()>::Continue(())
        });
        debug_assert!(flow.is_continue());
        let buckets = self.lists.all_closed();
        for (g, before) in candidates {
            let before = self.image(&before);
            // A predecessor need not be reachable, so it has no estimate that tells its bucket.
            if !self.leads(g, &before, state, bucket) {
                continue;
            }
            let part = self.lists.part_of(&before);
            for closed in &buckets {
                if closed.key.g == g
                    && closed.turn < bucket.turn
                    && closed.part(part).contains(&before)?
                {
                    return Ok(Some((before, Arc::clone(closed))));
                }
            }
        }
        Ok(None)
    }

    /// Find a parent of a state by expanding the states at its cost.
    fn parent_by_expansion(
        &mut self,
        state: &[u64],
        bucket: &Closed<'d>,
        watch: &Watch<'_, '_>,
    ) -> Result<Option<Parent<'d>>, Halt> {
        for closed in self.lists.all_closed() {
            let cost = bucket.key.g.checked_sub(closed.key.g);
            let has_rule = cost.is_some_and(|cost| self.space.costs.contains(&cost));
            if closed.turn >= bucket.turn || !has_rule {
                continue;
            }
            for part in 0..self.lists.n_parts() {
                watch.check(0)?;
                let mut feed = closed.part(part).feed(self.lists.disk)?;
                while feed.advance()? {
                    if self.leads(closed.key.g, feed.state(), state, bucket) {
                        return Ok(Some((feed.state().to_vec(), closed)));
                    }
                }
            }
        }
        Ok(None)
    }
}
