//! The children of a node, one after the other.

use super::{Cursor, Next, Node, Walker};
use crate::kernel::{HasKernels, Kernel};
use crate::run::limits::StopReason;
use crate::run::options::CycleDetection;
use crate::transposition::learner::Known;
use crate::walk::cost::Wanted;
use crate::walk::cost::lessons::Observer;
use crate::walk::cycles::hash;
use crate::walk::evaluator::{Estimator, Step};
use crate::walk::steps::{all_ones, children, is_goal};

impl<'p, R, E, K, O, const FULL: bool> Walker<'_, 'p, '_, '_, R, E, K, O, FULL>
where
    R: HasKernels,
    E: Estimator<R>,
    K: Kernel<R>,
    O: Observer<'p, R, E>,
{
    /// Try the next child of the node at the cursor's depth, or go up if there is none.
    #[inline(always)]
    pub(super) fn next_child(&mut self, cursor: &mut Cursor<R, E::Kept>) -> Next {
        let depth = cursor.depth;
        if cursor.bits == 0 {
            return self.next_block(cursor);
        }
        let count = self.levels[depth].count;
        if self.allowance.left < count
            && let Some(end) = self.renew_allowance(cursor)
        {
            return Next::End(end);
        }
        let place = cursor.bits.trailing_zeros();
        cursor.bits &= cursor.bits - 1;
        if self.task.cycles != CycleDetection::None && self.closes_cycle(cursor, place) {
            self.note_cycle(cursor, place);
            return Next::Child;
        }
        self.allowance.left -= count;
        let step = self.step(cursor, place);
        let Some(child) = self.within(cursor, place, step) else {
            return Next::Child;
        };
        let level = &mut self.levels[depth];
        level.bits = cursor.bits;
        level.current = level.block + place;
        if self.wanted() != Wanted::Count && is_goal(self.plan, self.kernel, &child.packed) {
            return self.goal(cursor, child.total);
        }
        cursor.node = child;
        cursor.depth += 1;
        Next::Node
    }

    /// Go on with the next 64 rules of the node, or leave it.
    #[inline(always)]
    fn next_block(&mut self, cursor: &mut Cursor<R, E::Kept>) -> Next {
        let depth = cursor.depth;
        let level = &mut self.levels[depth];
        let plan_state = self.plan.plan_state(level.plan_state);
        let block = level.block + 64;
        let ends = || self.start.siblings.is_some_and(|siblings| siblings.ends);
        if block < plan_state.n && !(depth == 0 && ends()) {
            level.block = block;
            level.changes = plan_state.changes + block;
            let packed = &level.packed;
            let block = block as usize;
            (cursor.bits, _) = children(self.plan, self.kernel, packed, None, plan_state, block);
            self.estimator.begin_batch(&mut self.batches, depth);
            if self.task.count_depths {
                self.by_depth[depth + 1].generated += u64::from(cursor.bits.count_ones());
            }
            return Next::Child;
        }
        if self.by_path() {
            self.path.leave(depth, hash(&self.levels[depth].packed));
        }
        if O::LEARNS {
            let generated = self.generated();
            self.observer
                .leave(depth, &self.levels[depth].packed, generated);
        }
        if depth == 0 {
            return Next::End(Ok(()));
        }
        cursor.depth -= 1;
        cursor.bits = self.levels[cursor.depth].bits;
        Next::Child
    }

    /// Ask for more nodes. Return how the walk ends if it gets none, or pauses.
    #[cold]
    fn renew_allowance(&mut self, cursor: &Cursor<R, E::Kept>) -> Option<Result<(), StopReason>> {
        let end = match self.allowance.has(1, self.watch) {
            Ok(true) if self.may_pause && self.watch.is_to_pause_here(0) => Ok(()),
            Ok(true) => return None,
            Ok(false) => Err(StopReason::Nodes),
            Err(reason) => Err(reason),
        };
        self.levels[cursor.depth].bits = cursor.bits;
        self.take_off(cursor.depth + 1);
        if end.is_ok() {
            let path = &self.levels[..=cursor.depth];
            self.walk
                .pause_at(self.start, path, self.task.prunes_parents());
        }
        Some(end)
    }

    /// Estimate the child at a place of the block.
    #[inline(always)]
    fn step(&mut self, cursor: &Cursor<R, E::Kept>, place: u32) -> Step<R, E::Kept> {
        let Cursor {
            depth, bits, bound, ..
        } = *cursor;
        let node = self.levels[depth].expansion(depth, self.plan.lists.changes(), bound);
        let places = (place, bits);
        self.estimator
            .step(self.kernel, node, places, &mut self.batches)
    }

    /// Return whether the state of the child at a place is on its path.
    #[inline(always)]
    fn closes_cycle(&self, cursor: &Cursor<R, E::Kept>, place: u32) -> bool {
        let depth = cursor.depth;
        let level = &self.levels[depth];
        let (firsts, seconds) = self.plan.lists.changes();
        let change = (level.changes + place) as usize;
        let child = self
            .kernel
            .change(&level.packed, &firsts[change], &seconds[change]);
        if self.by_path() {
            let is_it = |depth: usize| self.levels[depth].packed == child;
            return self.path.contains(hash(&child), is_it);
        }
        let parent = match depth.checked_sub(1) {
            None => self.start.parent.as_ref(),
            Some(above) => Some(&self.levels[above].packed),
        };
        parent.is_some_and(|parent| self.kernel.agrees(&child, &all_ones(), parent))
    }

    /// Count a child that closes a cycle. What would be learned from it is learned.
    #[inline(always)]
    fn note_cycle(&mut self, cursor: &Cursor<R, E::Kept>, place: u32) {
        let depth = cursor.depth;
        if O::LEARNS {
            match self.step(cursor, place) {
                Step::Beyond(total) | Step::Within(total, ..) => {
                    self.observer.beyond(depth, total);
                }
                Step::DeadEnd => {}
                Step::Overflow => {
                    let rule = self.levels[depth].rule(self.plan, place);
                    self.observer.overflow(depth, rule);
                }
            }
        }
        self.n_cycles += 1;
        if self.task.count_depths {
            self.by_depth[depth + 1].pruned_by_cycle += 1;
            self.by_depth[depth + 1].generated -= 1;
        }
    }

    /// Return a child that was estimated if it is within the bound, or else note why it isn't.
    #[inline(always)]
    fn within(
        &mut self,
        cursor: &Cursor<R, E::Kept>,
        place: u32,
        step: Step<R, E::Kept>,
    ) -> Option<Node<R, E::Kept>> {
        let depth = cursor.depth;
        match step {
            Step::Within(total, packed, kept) => {
                if O::LEARNS {
                    let rule = self.levels[depth].rule(self.plan, place);
                    let child = (&packed, total);
                    let known = self.observer.known(depth, rule, child, cursor.bound);
                    if known != Known::Within {
                        self.note_known(depth, known);
                        return None;
                    }
                }
                let level = &self.levels[depth];
                let plan_state = self.plan.plan_state(level.plan_state);
                Some(Node {
                    packed,
                    kept,
                    plan_state: self.plan.next(plan_state, (level.block + place) as usize),
                    total,
                })
            }
            Step::Beyond(total) => {
                self.observer.beyond(depth, total);
                self.note_beyond(total);
                if self.task.count_depths {
                    self.by_depth[depth + 1].beyond_bound += 1;
                    self.take_back(depth);
                }
                None
            }
            Step::DeadEnd => None,
            Step::Overflow => {
                self.overflow = true;
                if O::LEARNS {
                    let rule = self.levels[depth].rule(self.plan, place);
                    self.observer.overflow(depth, rule);
                }
                if self.wanted() == Wanted::Count {
                    self.by_depth[depth + 1].beyond_bound += 1;
                    self.take_back(depth);
                }
                None
            }
        }
    }

    /// Note the total of a node beyond the bound.
    #[inline(always)]
    fn note_beyond(&mut self, total: u64) {
        self.least.beyond(total);
        if self.counts_beyond() {
            self.frontier.count(total);
        }
    }

    /// Counts of trees don't count nodes beyond the bound as generated.
    #[inline(always)]
    fn take_back(&mut self, depth: usize) {
        if self.wanted() == Wanted::Count {
            self.by_depth[depth + 1].generated -= 1;
            self.allowance.left += 1;
        }
    }

    /// Note a child that the transposition table puts beyond the bound.
    #[inline(always)]
    fn note_known(&mut self, depth: usize, known: Known) {
        match known {
            Known::Beyond(total) => self.note_beyond(total),
            Known::Overflow => self.overflow = true,
            Known::DeadEnd | Known::Within => {}
        }
        if self.task.count_depths {
            self.by_depth[depth + 1].beyond_bound += 1;
        }
    }
}
