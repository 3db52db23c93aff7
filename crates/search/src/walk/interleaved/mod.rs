//! The interleaved walk: subtrees in which all rules always apply, and in which the effect of a
//! rule on the estimate depends on one value.
//!
//! Sliding tiles with Manhattan distance are of this kind: one look-up gives the effect of a move
//! on the estimate. A step visits a node that is within the bound: it makes the node's state, and
//! finds at once, without a branch, which of its children and grandchildren are within the bound.
//! The state of a child is never made, unless the child may be a goal, and that of a grandchild is
//! made when it is visited ([`step`]). A step takes long and has to wait for the one before it. So
//! two streams of steps run in turns: the *front* goes depth first, and the *back* through the
//! subtree that comes last in the front's order. When one stream is empty, it takes over such a
//! subtree from the other one.
//!
//! Counts and solutions are those of the search in order. The counts of the back are certain once
//! the front has ended without a goal; if the front finds one, they are discarded. If the back
//! finds one, that goal is kept until the front has ended, the nodes after it are left out, and the
//! back takes over another subtree of the front. With a limit on nodes there is no back.
//!
//! Cases that the interleaved walk can't handle (a limit that is near, a very deep path) are left
//! to the [walk](crate::walk::cost), with the path so far.

mod paths;
mod rows;
mod step;
mod stream;
mod tables;
mod turns;

use crate::kernel::ahead::Lanes;
use crate::kernel::{HasKernels, Job, Kernel};
use crate::plan::{Plan, PlanStateId};
use crate::run::limits::{StopReason, Watch};
use crate::run::report::Totals;
use crate::walk::outcome::Least;
use crate::walk::steps::NodeAllowance;

use paths::Path;
use rows::Counted;
use step::Steps;
use stream::Stream;
pub(crate) use tables::{InterleavedTables, OneValue};
use turns::Turns;

/// The minimum number of nodes that a walk makes before it pauses.
pub(crate) const LEAST_BEFORE_PAUSE: u64 = 1 << 12;

/// A node of the interleaved walk's path, with its children that are still to be visited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InterleavedLevel<R> {
    pub(crate) packed: R,
    pub(crate) total: u64,
    pub(crate) plan_state: PlanStateId,
    /// The children within the bound that come after the current one. Meaningless at the end of the
    /// path.
    pub(crate) bits: u32,
    /// The place in the list of the rule that led deeper.
    pub(crate) current: u32,
}

/// How an interleaved walk ended.
#[derive(Clone, Debug)]
pub(crate) enum InterleavedEnd<R> {
    /// The subtree was visited.
    Done,
    /// The current child of the last level is a goal with this estimated total cost.
    Goal {
        path: Vec<InterleavedLevel<R>>,
        total: u64,
    },
    /// The walk has to continue from the node of the last level, whose children are not made yet.
    Bail {
        path: Vec<InterleavedLevel<R>>,
        /// Whether a limit is near, so that the interleaved walk is of no further use.
        for_good: bool,
    },
    /// The walk pauses.
    Paused(Rest<R>),
}

/// The unvisited part of an interleaved walk that pauses.
#[derive(Clone, Debug)]
pub(crate) struct Rest<R> {
    /// Subtrees in order. None of their roots is a goal.
    pub(crate) subtrees: Vec<RestSubtree<R>>,
    /// The number of the subtree right after the nodes that the back has visited in its own
    /// subtree, and the counts of these nodes.
    pub(crate) current: Option<(usize, StreamCounts)>,
    /// The counts of nodes visited after all of the subtrees.
    pub(crate) behind: StreamCounts,
}

/// An unvisited subtree of an interleaved walk.
#[derive(Clone, Debug)]
pub(crate) struct RestSubtree<R> {
    pub(crate) start: InterleavedStart<R>,
    /// The plan states on the path to it, and the places of the rules in their lists.
    pub(crate) way: Vec<(PlanStateId, u32)>,
    /// What was counted already for nodes after it, besides children of nodes of the path.
    pub(crate) ahead: StreamCounts,
}

/// Counts of nodes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StreamCounts {
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
    pub(crate) forbidden: u64,
}

/// The counts of an interleaved walk.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct InterleavedCounts {
    pub(crate) expanded: u64,
    /// Children that the machine forbids.
    pub(crate) forbidden: u64,
}

impl StreamCounts {
    pub(crate) fn add(&mut self, other: Self) {
        self.expanded += other.expanded;
        self.generated += other.generated;
        self.forbidden += other.forbidden;
    }

    /// Return the totals of these nodes.
    pub(crate) fn totals(&self, count_forbidden: bool) -> Totals {
        Totals {
            generated: u128::from(self.generated),
            expanded: u128::from(self.expanded),
            pruned_by_machine: u128::from(self.forbidden) * u128::from(count_forbidden),
            pruned_by_cycle: 0,
        }
    }

    fn subtract(&mut self, other: Self) {
        self.expanded -= other.expanded;
        self.generated -= other.generated;
        self.forbidden -= other.forbidden;
    }

    /// Add the counts of steps: the sum of [`rows::Row::own`], and what children add.
    fn add_steps(&mut self, n: usize, own: u64, children: &Counted) {
        self.expanded += n as u64 + children.expanded;
        self.generated += (own & u64::from(u32::MAX)) + children.generated;
        self.forbidden += (own >> 32) + children.forbidden;
    }
}

/// The memory of an interleaved walk, reused for each subtree.
pub(crate) struct InterleavedStreams<R>([Stream<R>; 2]);

impl<R: HasKernels> InterleavedStreams<R> {
    pub(crate) fn new() -> Self {
        Self([Stream::new(), Stream::new()])
    }
}

/// The top of an interleaved walk: a node that is not a goal and is within the bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InterleavedStart<R> {
    pub(crate) packed: R,
    pub(crate) total: u64,
    pub(crate) plan_state: PlanStateId,
}

/// The walk of a subtree.
pub(crate) struct InterleavedWalk<'a, 's, 't, R> {
    pub(crate) plan: &'a Plan<R>,
    pub(crate) tables: &'a InterleavedTables<R>,
    pub(crate) streams: &'a mut InterleavedStreams<R>,
    pub(crate) start: InterleavedStart<R>,
    pub(crate) bound: u64,
    /// Receives the least node beyond the bound.
    pub(crate) beyond: &'a mut Least,
    pub(crate) allowance: &'a mut NodeAllowance,
    pub(crate) watch: &'a mut Watch<'s, 't>,
    pub(crate) counts: &'a mut InterleavedCounts,
}

impl<R: HasKernels> Job<R> for InterleavedWalk<'_, '_, '_, R> {
    type Output = Result<InterleavedEnd<R>, StopReason>;

    #[inline(always)]
    fn run<K: Kernel<R>>(self, kernel: K) -> Self::Output {
        if self.tables.has_patterns() {
            self.walk::<K, true>(kernel)
        } else {
            self.walk::<K, false>(kernel)
        }
    }
}

impl<R: HasKernels> InterleavedWalk<'_, '_, '_, R> {
    #[inline(always)]
    fn walk<K: Kernel<R>, const LOOKS: bool>(
        self,
        kernel: K,
    ) -> Result<InterleavedEnd<R>, StopReason> {
        let steps = Steps::<R, K, LOOKS>::new(self.tables, self.plan, kernel);
        let [front, back] = self.streams.0.each_mut();
        back.clear();
        if !self.allowance.has(self.tables.max_made(), self.watch)? {
            return Ok(InterleavedEnd::Bail {
                path: Path::to(&self.start).levels,
                for_good: true,
            });
        }
        let mut beyond = Lanes::of(-1);
        let counts = steps.start(front, &self.start, self.bound, &mut beyond);
        self.allowance.left -= counts.generated;
        let mut turns = Turns {
            plan: self.plan,
            tables: self.tables,
            start: self.start,
            bound: self.bound,
            may_have_back: self.watch.limits().nodes.is_none(),
            allowance: self.allowance,
            watch: self.watch,
            certain: counts,
            current: StreamCounts::default(),
            later: StreamCounts::default(),
            found: None,
            beyond,
        };
        let end = turns.run(&steps, front, back);
        let (certain, beyond) = turns.finish(&end);
        self.counts.expanded += certain.expanded;
        self.counts.forbidden += certain.forbidden;
        if let Some(total) = tables::least_beyond(self.bound, &beyond) {
            self.beyond.beyond(total);
        }
        end
    }
}
