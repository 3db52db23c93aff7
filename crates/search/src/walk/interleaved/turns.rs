//! The turns of the front and the back.

use super::paths::Path;
use super::result::{InterleavedEnd, InterleavedStart, LEAST_BEFORE_PAUSE, StreamCounts};
use super::rows;
use super::step::{RunEnd, Steps};
use super::stream::Stream;
use super::tables::InterleavedTables;
use crate::kernel::ahead::Lanes;
use crate::kernel::{HasKernels, Kernel};
use crate::plan::Plan;
use crate::run::limits::{StopReason, Watch};
use crate::walk::steps::NodeAllowance;

/// The number of steps between two checks for other work.
const N_STEPS: usize = rows::MAX_ADDED;

/// The number of steps that the front makes before it checks whether it has a subtree for the back.
const N_LONELY_STEPS: usize = 8;

/// A goal found by the back.
pub(super) struct FoundByBack<R> {
    path: Path<R>,
    /// The counts of the nodes that the back visited in its subtree before the goal.
    counts: StreamCounts,
}

/// The turns of an interleaved walk: what the front and the back share, and have counted.
pub(super) struct Turns<'a, 's, 't, R> {
    pub(super) plan: &'a Plan<R>,
    pub(super) tables: &'a InterleavedTables<R>,
    pub(super) start: InterleavedStart<R>,
    pub(super) bound: u64,
    pub(super) may_have_back: bool,
    pub(super) allowance: &'a mut NodeAllowance,
    pub(super) watch: &'a mut Watch<'s, 't>,
    /// The counts of the front.
    pub(super) certain: StreamCounts,
    /// The counts of the back's subtree.
    pub(super) current: StreamCounts,
    /// The counts of the subtrees that the back has finished (before its goal, if it has found
    /// one).
    pub(super) later: StreamCounts,
    /// The first goal that the back has found.
    pub(super) found: Option<FoundByBack<R>>,
    /// The least nodes beyond the bound.
    pub(super) beyond: Lanes,
}

impl<R: HasKernels> Turns<'_, '_, '_, R> {
    /// Walk until the end. The front has the walk's start, and the back is empty.
    pub(super) fn run<'m, K: Kernel<R>, const LOOKS: bool>(
        &mut self,
        steps: &Steps<'_, R, K, LOOKS>,
        mut front: &'m mut Stream<R>,
        mut back: &'m mut Stream<R>,
    ) -> Result<InterleavedEnd<R>, StopReason> {
        loop {
            if front.is_empty() {
                self.front_is_done();
                if back.is_empty() {
                    return Ok(self.all_is_done());
                }
                std::mem::swap(&mut front, &mut back);
            }
            if back.is_empty() && self.may_have_back && front.has_several() {
                self.later.add(std::mem::take(&mut self.current));
                back.take_last_of(front);
            }
            if let Some(end) = self.pause(front, back) {
                return Ok(end);
            }
            let n = self.n_steps(front);
            if n == 0 {
                match self.bail(front)? {
                    Some(end) => return Ok(end),
                    None => continue,
                }
            }
            match self.step(steps, front, back, n) {
                RunEnd::Paused => {}
                RunEnd::OtherGoal => {
                    self.found = Some(FoundByBack {
                        path: self.path(back),
                        counts: std::mem::take(&mut self.current),
                    });
                    self.later = StreamCounts::default();
                    back.clear();
                }
                RunEnd::Goal => {
                    let path = self.path(front);
                    return Ok(self.goal(path));
                }
            }
        }
    }

    /// Return what is certain, and the least nodes beyond the bound.
    pub(super) fn finish(
        mut self,
        end: &Result<InterleavedEnd<R>, StopReason>,
    ) -> (StreamCounts, Lanes) {
        if let Ok(InterleavedEnd::Done) | Err(_) = end {
            self.later.add(self.current);
            if let Some(found) = self.found {
                self.later.add(found.counts);
            }
            self.watch.note(self.later.generated);
            self.certain.add(self.later);
        }
        (self.certain, self.beyond)
    }

    fn path(&self, stream: &Stream<R>) -> Path<R> {
        let start = (&self.start, self.bound);
        self.tables.path(self.plan, start, stream)
    }

    /// Return the end at the goal of a path, after which nothing is certain.
    fn goal(&mut self, path: Path<R>) -> InterleavedEnd<R> {
        self.forget(&path);
        let mut path = path.levels;
        let total = path.pop().map_or(0, |goal| goal.total);
        InterleavedEnd::Goal { path, total }
    }

    /// Take back what was counted for nodes after a path.
    fn forget(&mut self, path: &Path<R>) {
        self.certain.subtract(path.ahead);
        self.allowance.restore(path.ahead.generated, self.watch);
    }

    /// The back's subtree comes next in order. Its nodes were not taken from the node limit.
    fn front_is_done(&mut self) {
        self.watch.note(self.current.generated);
        self.certain.add(std::mem::take(&mut self.current));
    }

    fn all_is_done(&mut self) -> InterleavedEnd<R> {
        let Some(found) = self.found.take() else {
            return InterleavedEnd::Done;
        };
        self.later.add(found.counts);
        self.watch.note(self.later.generated);
        self.certain.add(self.later);
        self.goal(found.path)
    }

    /// Pause, if it is time to.
    fn pause(&mut self, front: &Stream<R>, back: &Stream<R>) -> Option<InterleavedEnd<R>> {
        let ahead = self.current.generated + self.later.generated;
        let may_pause =
            self.certain.generated + ahead >= LEAST_BEFORE_PAUSE && self.found.is_none();
        if !may_pause || !self.watch.is_to_pause(self.allowance.used() + ahead) {
            return None;
        }
        let (start, counts) = ((&self.start, self.bound), (self.current, self.later));
        let rest = self.tables.rest(self.plan, start, (front, back), counts)?;
        self.watch.note(ahead);
        Some(InterleavedEnd::Paused(rest))
    }

    /// Return how many steps the front may make now.
    fn n_steps(&self, front: &Stream<R>) -> usize {
        let n = front.room().min(N_STEPS);
        let allowed = usize::try_from(self.allowance.left / self.tables.max_made());
        n.min(allowed.unwrap_or(n))
    }

    /// Leave the rest to another walk, unless the front may make steps after all.
    fn bail(&mut self, front: &Stream<R>) -> Result<Option<InterleavedEnd<R>>, StopReason> {
        let is_limit_near = !self.allowance.has(self.tables.max_made(), self.watch)?;
        if !is_limit_near && front.room() > 0 {
            return Ok(None);
        }
        let path = self.path(front);
        self.forget(&path);
        Ok(Some(InterleavedEnd::Bail {
            path: path.levels,
            for_good: is_limit_near,
        }))
    }

    /// Make up to `n` steps of the front, and as many of the back.
    #[inline]
    fn step<K: Kernel<R>, const LOOKS: bool>(
        &mut self,
        steps: &Steps<'_, R, K, LOOKS>,
        front: &mut Stream<R>,
        back: &mut Stream<R>,
        n: usize,
    ) -> RunEnd {
        let before = self.certain.generated;
        let n_of_both = n.min(back.room());
        let end = if !back.is_empty() && n_of_both > 0 {
            // SAFETY: all nodes of both streams come from these steps.
            let (counts, end) = unsafe { steps.run_both(front, back, n_of_both, &mut self.beyond) };
            self.certain.add(counts[0]);
            self.current.add(counts[1]);
            end
        } else {
            // Run until there is a subtree for the back, if the back is idle.
            let is_short = back.is_empty() && self.may_have_back;
            let n = if is_short { n.min(N_LONELY_STEPS) } else { n };
            // SAFETY: as above.
            let (counts, end) = unsafe { steps.run(front, n, &mut self.beyond) };
            self.certain.add(counts);
            end
        };
        self.allowance.left -= self.certain.generated - before;
        end
    }
}
