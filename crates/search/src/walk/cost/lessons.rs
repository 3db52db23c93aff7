//! What a walk learns for a transposition table.

use crate::kernel::HasKernels;
use crate::transposition::learner::{Known, Learner, Lesson, words};
use crate::walk::cost::CostWalk;
use crate::walk::evaluator::Estimator;

/// Learns from the nodes that a walk enters and leaves. Depths are those of the parent, whose child
/// the walk has come to.
pub(super) trait Observer<'p, R: HasKernels, E: Estimator<R>>: Sized {
    /// Whether there is anything to learn.
    const LEARNS: bool;

    /// The bytes for each level of the path.
    const BYTES_PER_LEVEL: usize = 0;

    /// Begin a walk at a node with this lesson.
    fn begin(walk: &mut CostWalk<'p, R, E>, start: Lesson) -> Self;

    /// End the walk.
    fn end(self, walk: &mut CostWalk<'p, R, E>) {
        let _ = walk;
    }

    /// Note that the walk has entered the node at a depth, after this number of nodes; the path has
    /// room for `n_levels`.
    #[inline(always)]
    fn enter(&mut self, depth: usize, n_levels: usize, generated: u64) {
        let _ = (depth, n_levels, generated);
    }

    /// Note that the walk leaves the node at a depth, whose state this is.
    #[inline(always)]
    fn leave(&mut self, depth: usize, packed: &R, generated: u64) {
        let _ = (depth, packed, generated);
    }

    /// Note that a child is beyond the bound.
    #[inline(always)]
    fn beyond(&mut self, depth: usize, total: u64) {
        let _ = (depth, total);
    }

    /// Note that the cost of the child by a rule doesn't fit.
    #[inline(always)]
    fn overflow(&mut self, depth: usize, rule: u32) {
        let _ = (depth, rule);
    }

    /// Return what is known of the child by a rule, which is within the bound by its estimate.
    #[inline(always)]
    fn known(&mut self, depth: usize, rule: u32, (packed, total): (&R, u64), bound: u64) -> Known {
        let _ = (depth, rule, packed, total, bound);
        Known::Within
    }
}

/// Learns nothing.
pub(super) struct Nothing;

impl<'p, R: HasKernels, E: Estimator<R>> Observer<'p, R, E> for Nothing {
    const LEARNS: bool = false;

    fn begin(_walk: &mut CostWalk<'p, R, E>, _start: Lesson) -> Self {
        Self
    }
}

/// Learns for a transposition table.
pub(super) struct Lessons<'p> {
    learner: Learner<'p>,
    /// The lessons of the nodes of the path: one for each level.
    levels: Vec<Lesson>,
    /// The lesson of the node that the walk comes to.
    next: Lesson,
}

impl<'p, R: HasKernels, E: Estimator<R>> Observer<'p, R, E> for Lessons<'p> {
    const LEARNS: bool = true;
    const BYTES_PER_LEVEL: usize = size_of::<Lesson>();

    fn begin(walk: &mut CostWalk<'p, R, E>, start: Lesson) -> Self {
        Self {
            learner: walk.learner.take().expect("a walk that learns has a table"),
            levels: std::mem::take(&mut walk.lessons),
            next: start,
        }
    }

    fn end(self, walk: &mut CostWalk<'p, R, E>) {
        walk.learner = Some(self.learner);
        walk.lessons = self.levels;
    }

    #[inline(always)]
    fn enter(&mut self, depth: usize, n_levels: usize, generated: u64) {
        self.levels.resize(n_levels, Lesson::default());
        self.next.enter(generated);
        self.levels[depth] = self.next;
    }

    #[inline(always)]
    fn leave(&mut self, depth: usize, packed: &R, generated: u64) {
        let (state, n_words) = words(packed);
        let (above, from) = self.levels.split_at_mut(depth);
        let left = &mut from[0];
        self.learner.leave(&state[..n_words], left, generated);
        if let Some(parent) = above.last_mut() {
            parent.charge_child(left);
        }
    }

    #[inline(always)]
    fn beyond(&mut self, depth: usize, total: u64) {
        self.levels[depth].charge_total(total);
    }

    #[inline(always)]
    fn overflow(&mut self, depth: usize, rule: u32) {
        self.learner.charge_rule(&mut self.levels[depth], rule);
    }

    #[inline(always)]
    fn known(&mut self, depth: usize, rule: u32, (packed, total): (&R, u64), bound: u64) -> Known {
        let parent = &mut self.levels[depth];
        self.next = self.learner.child(parent, rule, total);
        let (state, n_words) = words(packed);
        // Look up only now, and not when the parent was entered: the siblings' subtrees may have
        // added bounds since then.
        let state = &state[..n_words];
        let known = self.learner.look_up(state, &mut self.next, bound);
        if known != Known::Within {
            parent.charge_child(&self.next);
        }
        known
    }
}
