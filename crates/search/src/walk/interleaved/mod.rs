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
mod result;
mod rows;
mod step;
mod stream;
mod tables;
mod turns;

use crate::kernel::ahead::Lanes;
use crate::kernel::{HasKernels, Job, Kernel};
use crate::plan::Plan;
use crate::run::limits::{StopReason, Watch};
use crate::walk::outcome::Least;
use crate::walk::steps::NodeAllowance;

use paths::Path;
pub(crate) use result::{
    InterleavedEnd, InterleavedLevel, InterleavedStart, LEAST_BEFORE_PAUSE, Rest, StreamCounts,
};
use step::Steps;
use stream::Stream;
pub(crate) use tables::{InterleavedTables, OneValue};
use turns::Turns;

/// The counts of an interleaved walk.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct InterleavedCounts {
    pub(crate) expanded: u64,
    /// Children that the machine forbids.
    pub(crate) forbidden: u64,
}

/// The memory of an interleaved walk, reused for each subtree.
pub(crate) struct InterleavedStreams<R>([Stream<R>; 2]);

impl<R: HasKernels> InterleavedStreams<R> {
    pub(crate) fn new() -> Self {
        Self([Stream::new(), Stream::new()])
    }
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
