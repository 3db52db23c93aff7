//! The interleaved walk: subtrees in which all rules always apply, and in which the effect of a
//! rule on the estimate depends on one value.
//!
//! Sliding tiles with Manhattan distance are of this kind: one look-up gives the effect of a move
//! on the estimate. All children of a node are made at once, without a branch, and those within the
//! bound stay on a stack ([`step`]). A step takes long and has to wait for the one before it. So
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

mod node_word;
mod paths;
mod step;
mod stream;
mod tables;

use crate::kernel::{HasKernels, Job, Kernel};
use crate::plan::{Plan, PlanStateId};
use crate::run::limits::{StopReason, Watch};
use crate::walk::outcome::Least;
use crate::walk::steps::NodeAllowance;

use step::{RunEnd, Steps, Sums};
use stream::{Pending, Stream};
pub(crate) use tables::{InterleavedTables, OneValue};

/// The number of steps between two checks for other work.
const N_STEPS: usize = 512;

/// The minimum number of nodes that a walk makes before it pauses.
const LEAST_BEFORE_PAUSE: u64 = 1 << 12;

/// The number of steps that the front makes before it checks whether it has a subtree for the back.
const N_LONELY_STEPS: usize = 8;

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
}

/// The counts of one of the two streams.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StreamCounts {
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
    pub(crate) forbidden: u64,
}

/// A goal found by the back.
struct FoundByBack<R> {
    end: InterleavedEnd<R>,
    /// The counts of the nodes that the back visited in its subtree before the goal.
    counts: StreamCounts,
}

/// The counts of an interleaved walk.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct InterleavedCounts {
    pub(crate) expanded: u64,
    /// Children that the machine forbids.
    pub(crate) forbidden: u64,
}

impl StreamCounts {
    fn add(&mut self, other: Self) {
        self.expanded += other.expanded;
        self.generated += other.generated;
        self.forbidden += other.forbidden;
    }

    fn add_sums(&mut self, n_steps: usize, sums: Sums) {
        self.expanded += n_steps as u64;
        self.generated += sums & u64::from(u32::MAX);
        self.forbidden += sums >> 32;
    }
}

/// The memory of an interleaved walk, reused for each subtree.
pub(crate) struct InterleavedStreams<R>([Stream<R>; 2]);

impl<R: HasKernels> InterleavedStreams<R> {
    pub(crate) fn new(tables: &InterleavedTables<R>) -> Self {
        Self([Stream::new(tables.width()), Stream::new(tables.width())])
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
        match self.tables.width() {
            3 => self.walk::<K, 3>(kernel),
            4 => self.walk::<K, 4>(kernel),
            _ => self.walk::<K, { tables::MAX_CHILDREN }>(kernel),
        }
    }
}

impl<R: HasKernels> InterleavedWalk<'_, '_, '_, R> {
    #[inline(always)]
    fn walk<K: Kernel<R>, const WIDTH: usize>(
        self,
        kernel: K,
    ) -> Result<InterleavedEnd<R>, StopReason> {
        let Self {
            plan,
            tables,
            streams,
            start,
            bound,
            beyond,
            allowance,
            watch,
            counts,
        } = self;
        let steps = Steps::new(tables, plan, kernel);
        let top = Pending {
            packed: start.packed,
            word: node_word::top(bound - start.total, tables.place(start.plan_state)),
        };
        let [mut front, mut back] = streams.0.each_mut();
        front.start(top);
        back.clear();
        let may_have_back = watch.limits().nodes.is_none();
        // The first goal that the back has found.
        let mut found: Option<FoundByBack<R>> = None;
        // The counts of the front, of the back's subtree, and of the subtrees that the back has
        // finished (before its goal, if it has found one).
        let mut certain = StreamCounts::default();
        let (mut current, mut later) = (certain, certain);
        let mut least = u64::MAX;
        let end = loop {
            if front.len() == 0 {
                // The back's subtree comes next in order. Its nodes were not taken from the node
                // limit.
                watch.note(current.generated);
                certain.add(std::mem::take(&mut current));
                if back.len() == 0 {
                    let Some(found) = found.take() else {
                        break Ok(InterleavedEnd::Done);
                    };
                    later.add(found.counts);
                    watch.note(later.generated);
                    certain.add(later);
                    break Ok(found.end);
                }
                std::mem::swap(&mut front, &mut back);
            }
            if back.len() == 0 && may_have_back && front.len() >= 2 {
                later.add(std::mem::take(&mut current));
                back.take_last_of(front);
            }
            let made = certain.generated + current.generated + later.generated;
            let not_noted = allowance.used() + current.generated + later.generated;
            let may_pause = made >= LEAST_BEFORE_PAUSE && found.is_none();
            if may_pause && watch.is_to_pause(not_noted) {
                let rest = tables.rest(plan, kernel, bound, (front, back), (current, later));
                if let Some(rest) = rest {
                    watch.note(current.generated + later.generated);
                    break Ok(InterleavedEnd::Paused(rest));
                }
            }
            let mut n = front.room().min(N_STEPS);
            if n == 0 {
                let path = tables.path(plan, kernel, &start, bound, front);
                break Ok(InterleavedEnd::Bail {
                    path,
                    for_good: false,
                });
            }
            n = n.min(usize::try_from(allowance.left / tables.width() as u64).unwrap_or(n));
            if n == 0 {
                match allowance.has(tables.width() as u64, watch) {
                    Err(reason) => break Err(reason),
                    Ok(true) => continue,
                    Ok(false) => {
                        let path = tables.path(plan, kernel, &start, bound, front);
                        break Ok(InterleavedEnd::Bail {
                            path,
                            for_good: true,
                        });
                    }
                }
            }
            let before = certain.generated;
            let n_of_both = n.min(back.room());
            let result = if back.len() > 0 && n_of_both > 0 {
                // SAFETY: both streams come from `top`, whose word was made by these tables.
                let (made, sums, result) =
                    unsafe { steps.run_both::<WIDTH>(front, back, n_of_both, &mut least) };
                let one_more = usize::from(result == RunEnd::OtherGoal);
                certain.add_sums(made + one_more, sums[0]);
                current.add_sums(made, sums[1]);
                result
            } else {
                // Run until there is a subtree for the back, if the back is idle.
                let is_short = back.len() == 0 && may_have_back;
                let n = if is_short { n.min(N_LONELY_STEPS) } else { n };
                // SAFETY: as above.
                let (made, sums, result) = unsafe { steps.run::<WIDTH>(front, n, &mut least) };
                certain.add_sums(made, sums);
                result
            };
            allowance.left -= certain.generated - before;
            match result {
                RunEnd::Paused => {}
                RunEnd::OtherGoal => {
                    found = Some(FoundByBack {
                        end: tables.goal(plan, kernel, &start, bound, back),
                        counts: std::mem::take(&mut current),
                    });
                    later = StreamCounts::default();
                    back.clear();
                }
                RunEnd::Goal => break Ok(tables.goal(plan, kernel, &start, bound, front)),
            }
        };
        if let Ok(InterleavedEnd::Done) | Err(_) = end {
            later.add(current);
            later.add(found.map_or_else(StreamCounts::default, |it| it.counts));
            watch.note(later.generated);
            certain.add(later);
        }
        counts.expanded += certain.expanded;
        counts.forbidden += certain.forbidden;
        let above = node_word::above_bound(least);
        if (1..=i64::from(node_word::MAX_DIFFERENCE)).contains(&above) {
            beyond.beyond(bound + above as u64);
        }
        end
    }
}
