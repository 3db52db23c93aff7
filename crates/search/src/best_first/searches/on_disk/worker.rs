//! One thread of the search: it closes and expands parts of buckets.

use std::ops::ControlFlow;
use std::sync::Arc;

use sorted_states::Ascending;

use crate::best_first::searches::a_star::estimates::Estimates;
use crate::best_first::searches::on_disk::error::Halt;
use crate::best_first::searches::on_disk::lists::{Closed, Key, Lists, Pile};
use crate::best_first::searches::on_disk::outbox::Outbox;
use crate::best_first::searches::on_disk::room::FAN;
use crate::best_first::searches::on_disk::sets::{Set, SetWriter};
use crate::best_first::space::Space;
use crate::best_first::space::images::Images;
use crate::best_first::space::moves::Scratch;
use crate::best_first::work::Counts;
use crate::heuristic::DEAD_END;
use crate::run::limits::{Pause, Shared, StopReason, Watch};

/// The number of states that are made before their estimates are read.
const BATCH: usize = 64;

/// The number of states between two looks at the clock where no state is generated.
const IDLE: u32 = 1 << 12;

/// A thread's share of the limits.
pub(super) struct Ticket<'t> {
    shared: &'t Shared,
    watch: Watch<'t, 'static>,
    left: u64,
    pending: u64,
    idle: u32,
}

impl<'t> Ticket<'t> {
    pub(super) fn new(shared: &'t Shared) -> Self {
        let mut watch = Watch::of_thread(shared, 0);
        // The clock is read more often then.
        watch.pause = Pause::After(u64::MAX);
        Self {
            shared,
            watch,
            left: 0,
            pending: 0,
            idle: 0,
        }
    }

    /// Check whether a state may be generated.
    #[inline]
    fn child(&mut self) -> Result<(), StopReason> {
        if self.left == 0 {
            self.watch.note(std::mem::take(&mut self.pending));
            self.left = self.watch.poll_for(0)?;
        }
        self.left -= 1;
        self.pending += 1;
        Ok(())
    }

    /// Check from time to time whether the search may go on.
    #[inline]
    fn idle(&mut self) -> Result<(), StopReason> {
        self.idle += 1;
        if self.idle.is_multiple_of(IDLE) {
            self.watch.goes_on(0)?;
            if self.shared.is_stopped() {
                return Err(StopReason::Interrupted);
            }
        }
        Ok(())
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        self.watch.note(self.pending);
        self.watch.give_back(self.left);
    }
}

/// A bucket that is closed and expanded.
pub(super) struct Job<'d> {
    pub(super) pile: Arc<Pile<'d>>,
    pub(super) closed: Arc<Closed<'d>>,
    /// The closed buckets of the same estimate with the same path cost or less, and with more.
    pub(super) before: Vec<Arc<Closed<'d>>>,
    pub(super) after: Vec<Arc<Closed<'d>>>,
    /// Whether states are expanded while the bucket is closed.
    pub(super) at_once: bool,
}

/// What one thread needs for its parts.
pub(super) struct Worker<'w, 'd, 'h> {
    space: &'w Space,
    lists: &'w Lists<'d>,
    estimates: Estimates<'h>,
    images: Option<Images>,
    scratch: Scratch,
    outbox: Outbox<'d>,
    /// States that were made and not estimated yet, and their rules.
    states: Vec<u64>,
    rules: Vec<u32>,
    pub(super) counts: Counts,
    pub(super) overflow: bool,
}

impl<'w, 'd, 'h> Worker<'w, 'd, 'h> {
    pub(super) fn new(
        space: &'w Space,
        lists: &'w Lists<'d>,
        estimates: Estimates<'h>,
        images: Option<Images>,
    ) -> Self {
        Self {
            scratch: space.scratch(&space.forward),
            outbox: Outbox::new(lists),
            states: Vec::new(),
            rules: Vec::new(),
            counts: Counts::default(),
            overflow: false,
            space,
            lists,
            estimates,
            images,
        }
    }

    /// Close a part of a bucket: remove the duplicates among its states, and the states that were
    /// closed at no more cost. Return the first goal state.
    pub(super) fn close(
        &mut self,
        job: &Job<'d>,
        part: usize,
        ticket: &mut Ticket<'_>,
    ) -> Result<Option<Vec<u64>>, Halt> {
        let disk = self.lists.disk;
        let (mut sets, duplicates) = self.lists.take(&job.pile, part)?;
        self.counts.duplicates += duplicates;
        if sets.is_empty() {
            return Ok(None);
        }
        let before: Vec<Set<'_>> = job.before.iter().map(|it| it.part(part)).collect();
        let mut before: Vec<&Set<'_>> = before.iter().filter(|set| !set.is_empty()).collect();
        // All but the last few.
        while before.len() > FAN {
            let rest = before.split_off(FAN);
            let mut merge = self.lists.merge(&sets)?;
            let known = self.lists.merge(std::mem::replace(&mut before, rest))?;
            let (set, n_states) = self.lists.collect(&mut merge, known)?;
            self.counts.duplicates += merge.n_read() - n_states;
            sets = vec![set];
        }
        let mut merge = self.lists.merge(&sets)?;
        // Nothing but the merge needs them any more.
        drop(sets);
        let mut known = self.lists.merge(before)?;
        let mut writer = SetWriter::new(disk);
        let (mut n_states, mut goal) = (0, None);
        while merge.advance()? {
            ticket.idle()?;
            let state = merge.state();
            if known.skip_to(state)? {
                continue;
            }
            writer.push(state)?;
            n_states += 1;
            if goal.is_none() && self.space.is_packed_goal(state) {
                goal = Some(state.to_vec());
            }
            if job.at_once {
                self.expand(job.pile.key.g, state, ticket)?;
            }
        }
        if job.at_once {
            self.settle(job.pile.key.g, ticket)?;
        }
        self.counts.duplicates += merge.n_read() - n_states;
        drop((merge, known));
        let set = writer.finish()?;
        let again = self.count_again(&set, job, part)?;
        self.counts.reopened += again;
        self.counts.duplicates += again;
        job.closed.put(part, set);
        Ok(goal)
    }

    /// Return the number of states that were closed at more cost.
    fn count_again(&self, set: &Set<'d>, job: &Job<'d>, part: usize) -> Result<u64, Halt> {
        let after: Vec<Set<'_>> = job.after.iter().map(|it| it.part(part)).collect();
        let after: Vec<&Set<'_>> = after.iter().filter(|set| !set.is_empty()).collect();
        let mut again = 0;
        for some in after.chunks(FAN) {
            let mut states = set.feed(self.lists.disk)?;
            let mut known = self.lists.merge(some.iter().copied())?;
            while states.advance()? {
                again += u64::from(known.skip_to(states.state())?);
            }
        }
        Ok(again)
    }

    /// Expand the states of a part of a closed bucket.
    pub(super) fn expand_part(
        &mut self,
        job: &Job<'d>,
        part: usize,
        ticket: &mut Ticket<'_>,
    ) -> Result<(), Halt> {
        let g = job.closed.key.g;
        let set = job.closed.part(part);
        if set.is_empty() {
            return Ok(());
        }
        let mut feed = set.feed(self.lists.disk)?;
        while feed.advance()? {
            ticket.idle()?;
            self.expand(g, feed.state(), ticket)?;
        }
        self.settle(g, ticket)
    }

    fn expand(&mut self, g: u64, state: &[u64], ticket: &mut Ticket<'_>) -> Result<(), Halt> {
        self.counts.expanded += 1;
        let moves = &self.space.forward;
        let packing = &self.space.packing;
        let flow = moves.children(packing, state, &mut self.scratch, |rule, child| {
            #[cfg(debug_assertions)]
            moves.check(packing, state, (rule, child));
            let child = match &mut self.images {
                Some(images) => images.of(child),
                None => child,
            };
            self.estimates.fetch(child);
            self.states.extend_from_slice(child);
            self.rules.push(rule);
            ControlFlow::<()>::Continue(())
        });
        debug_assert!(flow.is_continue());
        if self.rules.len() >= BATCH {
            self.settle(g, ticket)?;
        }
        Ok(())
    }

    /// Put the states that were made from states of this path cost into their buckets.
    fn settle(&mut self, g: u64, ticket: &mut Ticket<'_>) -> Result<(), Halt> {
        let n_words = self.space.packing.n_words();
        for (state, rule) in self.states.chunks_exact(n_words).zip(&self.rules) {
            ticket.child()?;
            self.counts.generated += 1;
            let Some(cost) = g.checked_add(self.space.cost(*rule)) else {
                self.overflow = true;
                continue;
            };
            let estimate = self.estimates.of(self.space, state);
            if estimate == DEAD_END {
                self.counts.dead_ends += 1;
                continue;
            }
            let key = Key {
                g: cost,
                h: estimate,
            };
            self.outbox.push(self.lists, key, state)?;
        }
        self.states.clear();
        self.rules.clear();
        Ok(())
    }

    /// Put all generated states into their buckets.
    pub(super) fn flush(&mut self) -> Result<(), Halt> {
        self.outbox.flush(self.lists)?;
        self.counts.duplicates += std::mem::take(&mut self.outbox.duplicates);
        Ok(())
    }
}
