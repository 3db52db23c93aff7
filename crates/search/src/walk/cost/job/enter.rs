//! Entering a node: expanding it, or walking its whole subtree interleaved.

use super::{Cursor, Next, Node, Walker};
use crate::kernel::{HasKernels, Kernel};
use crate::run::limits::StopReason;
use crate::walk::cost::lessons::Observer;
use crate::walk::cost::levels::{Level, grow, take_over};
use crate::walk::cost::unvisited::Siblings;
use crate::walk::cycles::hash;
use crate::walk::evaluator::Estimator;
use crate::walk::interleaved::{
    InterleavedCounts, InterleavedEnd, InterleavedLevel, InterleavedStart, InterleavedStreams,
    InterleavedTables, InterleavedWalk, LEAST_BEFORE_PAUSE,
};
use crate::walk::stack;
use crate::walk::steps::{children, forbidden};

/// An interleaved walk that makes more nodes than this is too large: up to half of them are made
/// in vain if the first half has a goal.
const MANY_INTERLEAVED: u64 = 1 << 17;

/// An interleaved walk that makes fewer nodes than this is too small: it begins and ends with one
/// subtree at a time.
const FEW_INTERLEAVED: u64 = 1 << 13;

/// By how much the depth of the first interleaved walks grows from one walk to the next.
pub(super) const DEEPER: usize = 2;

/// Return the depth from which on nodes are left to interleaved walks, after one that began at
/// `depth` and made `made` nodes.
fn next_depth(current: usize, depth: usize, made: u64) -> usize {
    if made > MANY_INTERLEAVED {
        depth + 1 + (made / MANY_INTERLEAVED).ilog2() as usize
    } else if made < FEW_INTERLEAVED {
        (current - 1).max(1)
    } else {
        current
    }
}

/// Return the depth from which on a walk of a whole tree leaves nodes to interleaved walks, if the
/// last one made `last` nodes. It is a larger one.
pub(in crate::walk::cost) fn depth_after(last: u64) -> usize {
    next_depth(1, 0, last) + DEEPER
}

/// When a walk leaves subtrees to interleaved walks.
pub(super) struct Interleaving<'p, R> {
    /// Their tables, if there may be any.
    tables: Option<&'p InterleavedTables<R>>,
    /// The depth from which on nodes are left to them.
    pub(super) depth: usize,
    pub(super) counts: InterleavedCounts,
}

impl<'p, R> Interleaving<'p, R> {
    /// Begin with the depth in the whole tree, if that of the start is known.
    pub(super) fn new(
        tables: Option<&'p InterleavedTables<R>>,
        depth: usize,
        start_depth: Option<usize>,
    ) -> Self {
        Self {
            tables,
            depth: start_depth.map_or(1, |start_depth| depth.saturating_sub(start_depth).max(1)),
            counts: InterleavedCounts::default(),
        }
    }
}

impl<'p, R, E, K, O, const FULL: bool> Walker<'_, 'p, '_, '_, R, E, K, O, FULL>
where
    R: HasKernels,
    E: Estimator<R>,
    K: Kernel<R>,
    O: Observer<'p, R, E>,
{
    /// Enter the cursor's node.
    #[inline(always)]
    pub(super) fn enter(&mut self, cursor: &mut Cursor<R, E::Kept>) -> Next {
        if Self::INTERLEAVES
            && let Some(tables) = self.interleaving.tables
            && cursor.depth >= self.interleaving.depth
        {
            let next = self.interleave(cursor, tables);
            if !matches!(next, Next::Node) {
                return next;
            }
        }
        self.expand(cursor)
    }

    /// Visit the whole subtree of the cursor's node by the interleaved walk. If that gives up, the
    /// cursor is at the node to be expanded.
    #[inline(always)]
    fn interleave(
        &mut self,
        cursor: &mut Cursor<R, E::Kept>,
        tables: &InterleavedTables<R>,
    ) -> Next {
        let made_before = self.generated();
        let Node {
            packed,
            plan_state,
            total,
            ..
        } = cursor.node;
        let interleaved_walk = InterleavedWalk {
            plan: self.plan,
            tables,
            streams: self
                .walk
                .streams
                .get_or_insert_with(InterleavedStreams::new),
            start: InterleavedStart {
                packed,
                total,
                plan_state,
            },
            bound: cursor.bound,
            beyond: &mut self.least,
            allowance: &mut self.allowance,
            watch: &mut *self.watch,
            counts: &mut self.interleaving.counts,
        };
        let end = R::interleaved(self.kernel, interleaved_walk)
            .expect("packed_states without lanes have no tables of lanes");
        match end {
            Err(reason) => Next::End(Err(reason)),
            Ok(InterleavedEnd::Done) => {
                let made = self.generated() - made_before;
                self.interleaving.depth = next_depth(self.interleaving.depth, cursor.depth, made);
                cursor.depth -= 1;
                cursor.bits = self.levels[cursor.depth].bits;
                self.pause_between(cursor.depth)
            }
            Ok(InterleavedEnd::Goal { path, total }) => {
                if let Err(reason) = self.follow(cursor, &path) {
                    return Next::End(Err(reason));
                }
                cursor.bits = self.levels[cursor.depth].bits;
                self.goal(cursor, total)
            }
            Ok(InterleavedEnd::Bail { path, for_good }) => {
                if for_good {
                    self.interleaving.tables = None;
                }
                match self.follow(cursor, &path) {
                    Err(reason) => Next::End(Err(reason)),
                    Ok(()) => Next::Node,
                }
            }
            Ok(InterleavedEnd::Paused(rest)) => {
                let above = &self.levels[..cursor.depth];
                let count_forbidden = self.task.count_forbidden;
                self.ahead_generated +=
                    self.walk
                        .pause_below(self.start, above, rest, count_forbidden);
                Next::End(Ok(()))
            }
        }
    }

    /// Pause between two subtrees, where that costs little, if other threads wait.
    #[inline(always)]
    fn pause_between(&mut self, depth: usize) -> Next {
        if self.generated() - self.generated_before >= LEAST_BEFORE_PAUSE
            && self.watch.is_to_pause_here(self.allowance.used())
        {
            self.walk
                .pause_at(self.start, &self.levels[..=depth], false);
            return Next::End(Ok(()));
        }
        Next::Child
    }

    /// Put the path of an interleaved walk on the stack, and go to its last node.
    #[cold]
    fn follow(
        &mut self,
        cursor: &mut Cursor<R, E::Kept>,
        path: &[InterleavedLevel<R>],
    ) -> Result<(), StopReason> {
        let depth = cursor.depth;
        take_over(
            &mut self.levels,
            self.plan,
            depth,
            path,
            E::keep,
            self.watch,
        )?;
        cursor.depth += path.len() - 1;
        let last = &path[path.len() - 1];
        cursor.node = Node {
            packed: last.packed,
            kept: E::keep(last.total),
            plan_state: last.plan_state,
            total: last.total,
        };
        Ok(())
    }

    /// Begin to expand the cursor's node, at its depth.
    #[inline(always)]
    fn expand(&mut self, cursor: &mut Cursor<R, E::Kept>) -> Next {
        let depth = cursor.depth;
        let has_counts = !self.task.count_depths || self.by_depth.len() >= depth + 2;
        if (depth == self.levels.len() || !has_counts)
            && let Err(reason) = self.grow(depth)
        {
            self.take_off(depth);
            return Next::End(Err(reason));
        }
        self.estimator.begin_batch(&mut self.batches, depth);
        if depth == 0
            && let Some(siblings) = self.start.siblings
        {
            self.resume(cursor, siblings);
            return Next::Child;
        }
        let Node {
            packed,
            kept,
            plan_state: plan_state_id,
            ..
        } = cursor.node;
        let plan_state = self.plan.plan_state(plan_state_id);
        self.expanded += 1;
        let n_forbidden = if self.task.count_forbidden {
            forbidden(self.plan, self.kernel, &packed, plan_state)
        } else {
            0
        };
        self.pruned += n_forbidden;
        let (at_first, _) = children(self.plan, self.kernel, &packed, None, plan_state, 0);
        if self.task.count_depths {
            self.by_depth[depth].expanded += 1;
            let below = &mut self.by_depth[depth + 1];
            below.pruned_by_machine += n_forbidden;
            // Count all of them now; the ones that are not made are subtracted at the end.
            below.generated += u64::from(at_first.count_ones());
        }
        self.levels[depth] = Level {
            packed,
            kept,
            bits: at_first,
            block: 0,
            changes: plan_state.changes,
            plan_state: plan_state_id,
            current: 0,
            count: 1,
        };
        cursor.bits = at_first;
        if self.by_path() {
            let levels = &self.levels;
            self.path.enter(depth, |depth| hash(&levels[depth].packed));
        }
        if O::LEARNS {
            let generated = self.generated();
            self.observer.enter(depth, self.levels.len(), generated);
        }
        Next::Child
    }

    /// Make room for the level at a depth and the counts below it.
    #[cold]
    fn grow(&mut self, depth: usize) -> Result<(), StopReason> {
        let memory = self.watch.memory();
        if depth == self.levels.len() {
            grow(&mut self.levels, self.beside_bytes, memory)?;
            self.estimator
                .reserve_batches(&mut self.batches, self.levels.len())?;
        }
        if self.task.count_depths && self.by_depth.len() < depth + 2 {
            stack::grow_counts(&mut self.by_depth, self.levels.len() + 1, memory)?;
        }
        Ok(())
    }

    /// Go on with the remaining children of the start, which another walk has expanded.
    #[cold]
    fn resume(&mut self, cursor: &mut Cursor<R, E::Kept>, siblings: Siblings) {
        let Node {
            packed,
            kept,
            plan_state,
            ..
        } = cursor.node;
        self.levels[0] = Level {
            packed,
            kept,
            bits: siblings.bits,
            block: siblings.block,
            changes: self.plan.plan_state(plan_state).changes + siblings.block,
            plan_state,
            current: 0,
            count: siblings.count,
        };
        cursor.bits = siblings.bits;
        if self.task.count_depths {
            self.by_depth[1].generated += u64::from(siblings.bits.count_ones());
        }
    }
}
