//! The fast lane of the walk by cost: subtrees in which all rules always apply, and in which what a
//! rule does to the estimate depends on one value.
//!
//! Sliding tiles with Manhattan distance are of this kind: one look-up says what a move does to the
//! estimate. All children of a node are estimated in one go, without a branch, and only those within
//! the bound are made. Whatever the lane can't do (a limit that is near, a very deep path) it leaves
//! to the [walk](crate::cost_walk), with all that it has on its stack.

use crate::cost_walk::Beyond;
use crate::kernel::{HasKernels, Job, Kernel};
use crate::limits::{StopReason, Watch};
use crate::plan::{ContextId, Plan};
use crate::plan_steps::{Fuel, is_goal};
use crate::row::Place;

/// No context of a lane has more rules.
const MAX_CHILDREN: usize = 16;

/// The levels of the lane's stack.
const N_LEVELS: usize = 256;

/// What a change does to the estimated total cost.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LaneDelta {
    pub(crate) place: Place,
    /// Where the differences by the value at the place begin.
    pub(crate) table: u32,
}

/// The tables of a lane.
#[derive(Clone, Copy)]
pub(crate) struct Lane<'e> {
    /// By the place of a change in the plan's lists.
    pub(crate) deltas: &'e [LaneDelta],
    pub(crate) differences: &'e [i32],
}

/// A node of the lane's path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneLevel<R> {
    pub(crate) row: R,
    /// The estimated total costs of the children.
    totals: [u64; MAX_CHILDREN],
    pub(crate) total: u64,
    pub(crate) context: ContextId,
    pub(crate) changes: u32,
    next: u32,
    /// The children within the bound that are still to be visited.
    pub(crate) bits: u32,
    /// The place in the list of the rule that led deeper.
    pub(crate) current: u32,
}

/// The stack of a lane. Its length is known to the compiler, and its index is a byte.
pub(crate) struct LaneStack<R>(Box<[LaneLevel<R>; N_LEVELS]>);

impl<R: HasKernels> LaneStack<R> {
    pub(crate) fn new() -> Self {
        let empty = LaneLevel {
            row: R::zeroed(),
            totals: [0; MAX_CHILDREN],
            total: 0,
            context: 0,
            changes: 0,
            next: 0,
            bits: 0,
            current: 0,
        };
        Self(Box::new([empty; N_LEVELS]))
    }

    /// Puts a node on top.
    pub(crate) fn start(&mut self, row: R, total: u64, context: ContextId) {
        let top = &mut self.0[0];
        (top.row, top.total, top.context) = (row, total, context);
    }

    /// The levels from the top of the subtree down to a depth.
    pub(crate) fn path(&self, depth: u8) -> &[LaneLevel<R>] {
        &self.0[..=usize::from(depth)]
    }
}

/// How a lane ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LaneEnd {
    /// The subtree was visited.
    Done,
    /// The last child of the level at this depth is a goal with this estimated total cost.
    Goal { depth: u8, total: u64 },
    /// The walk has to go on with the node of the level at this depth, whose children are not made
    /// yet.
    Bail {
        depth: u8,
        /// Whether a limit is near, so that the lane is of no use any more.
        for_good: bool,
    },
}

/// Whether a lane can go through a plan: its contexts, but for the root's, have few rules, and all of
/// them always apply.
pub(crate) fn is_open<R>(plan: &Plan<R>) -> bool {
    (1..plan.n_contexts()).all(|id| {
        let context = plan.context(id as ContextId);
        context.always && context.n as usize <= MAX_CHILDREN
    })
}

/// What a lane counts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LaneCounts {
    pub(crate) expanded: u64,
    /// Children that the machine forbids.
    pub(crate) forbidden: u64,
}

/// The walk of a subtree: that below the node of the stack's first level, which is no goal and within
/// the bound.
pub(crate) struct LaneWalk<'a, 's, 't, R, B> {
    pub(crate) plan: &'a Plan<R>,
    pub(crate) lane: Lane<'a>,
    pub(crate) stack: &'a mut LaneStack<R>,
    pub(crate) bound: u64,
    pub(crate) beyond: &'a mut B,
    pub(crate) fuel: &'a mut Fuel,
    pub(crate) watch: &'a mut Watch<'s, 't>,
    pub(crate) counts: &'a mut LaneCounts,
}

impl<R: HasKernels, B: Beyond> Job<R> for LaneWalk<'_, '_, '_, R, B> {
    type Output = Result<LaneEnd, StopReason>;

    #[inline(always)]
    fn run<K: Kernel<R>>(mut self, kernel: K) -> Self::Output {
        // What changes in the loop stands by itself, where the compiler can keep it in registers.
        let mut counts = *self.counts;
        let mut beyond = std::mem::take(self.beyond);
        let end = match self.plan.goals.as_slice() {
            [goal] => self.walk(kernel, &mut counts, &mut beyond, |row| {
                kernel.agrees(row, &goal.mask, &goal.value)
            }),
            _ => {
                let plan = self.plan;
                self.walk(kernel, &mut counts, &mut beyond, |row| {
                    is_goal(plan, kernel, row)
                })
            }
        };
        *self.counts = counts;
        *self.beyond = beyond;
        end
    }
}

impl<R: HasKernels, B: Beyond> LaneWalk<'_, '_, '_, R, B> {
    #[inline(always)]
    fn walk<K: Kernel<R>>(
        &mut self,
        kernel: K,
        counts: &mut LaneCounts,
        beyond: &mut B,
        is_goal: impl Fn(&R) -> bool,
    ) -> Result<LaneEnd, StopReason> {
        let plan = self.plan;
        let (firsts, seconds) = plan.lists.changes();
        let (all_deltas, differences) = (self.lane.deltas, self.lane.differences);
        let levels = &mut *self.stack.0;
        let bound = self.bound;
        let mut fuel = self.fuel.left;
        // The depth of the node that is expanded next; the top is at 0.
        let mut depth = 0_u8;
        loop {
            let level = &mut levels[usize::from(depth)];
            let context = plan.context(level.context);
            let n = context.n as usize;
            if fuel < n as u64 || depth == u8::MAX {
                self.fuel.left = fuel;
                let for_good = !self.fuel.has(n.max(1) as u64, self.watch)?;
                if for_good || depth == u8::MAX {
                    return Ok(LaneEnd::Bail { depth, for_good });
                }
                fuel = self.fuel.left;
            }
            fuel -= n as u64;
            counts.expanded += 1;
            counts.forbidden += u64::from(context.n_forbidden);
            level.changes = context.changes;
            level.next = context.next;
            let total = level.total;
            let deltas = &all_deltas[context.changes as usize..][..n];
            let mut bits = 0_u32;
            for (i, (delta, place)) in deltas.iter().zip(&mut level.totals).enumerate() {
                let value = level.row.read(delta.place);
                let difference = differences[(delta.table + value) as usize];
                let child = total.wrapping_add_signed(i64::from(difference));
                *place = child;
                let is_within = child <= bound;
                beyond.beyond_unless(is_within, child);
                bits |= u32::from(is_within) << i;
            }
            // The next child, here or further up.
            while bits == 0 {
                if depth == 0 {
                    self.fuel.left = fuel;
                    return Ok(LaneEnd::Done);
                }
                depth -= 1;
                bits = levels[usize::from(depth)].bits;
            }
            let (above, below) = levels.split_at_mut(usize::from(depth) + 1);
            let (level, below) = (&mut above[usize::from(depth)], &mut below[0]);
            let i = bits.trailing_zeros();
            let change = (level.changes + i) as usize;
            below.row = kernel.change(&level.row, &firsts[change], &seconds[change]);
            below.total = level.totals[i as usize % MAX_CHILDREN];
            below.context = plan.next_at(level.next, i);
            level.bits = bits & (bits - 1);
            level.current = i;
            if is_goal(&below.row) {
                self.fuel.left = fuel;
                let total = below.total;
                return Ok(LaneEnd::Goal { depth, total });
            }
            depth += 1;
        }
    }
}
