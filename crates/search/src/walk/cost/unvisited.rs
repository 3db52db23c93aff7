//! The unvisited parts of the tree of a walk that pauses.
//!
//! Other threads can walk these parts in any order. Each part has the path that leads to it. So the
//! parts and their results can be sorted by the order in which one walk would visit them.

use crate::kernel::HasKernels;
use crate::plan::Plan;
use crate::run::report::Totals;
use crate::walk::cost::levels::Level;
use crate::walk::cost::{CostStart, CostWalk};
use crate::walk::evaluator::Estimator;
use crate::walk::interleaved::{InterleavedStart, Rest, StreamCounts};

/// Some children of a node that was expanded before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Siblings {
    /// The place in the list of the rules of the first one of 64 rules.
    pub(super) block: u32,
    /// Which of these 64 rules apply and are still to be tried.
    pub(super) bits: u64,
    /// Whether the siblings after these 64 rules are left out.
    pub(super) ends: bool,
    /// [`Level::count`].
    pub(super) count: u64,
}

/// A step of a path: the place of a rule in the list of its plan state, and the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) place: u32,
    pub(crate) rule: u32,
}

/// An unvisited part of the tree.
#[derive(Clone, Debug)]
pub(crate) struct Unvisited<R, S> {
    pub(crate) start: CostStart<R, S>,
    /// The path from the start of the walk.
    pub(crate) way: Vec<Choice>,
    /// What was counted already for nodes after the path: siblings of its nodes, and their
    /// children.
    pub(crate) counted_behind: StreamCounts,
}

/// Nodes that a walk has visited out of turn.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    /// Their place in the [order](Unvisited::order) of parts.
    pub(crate) order: Vec<u32>,
    pub(crate) counts: Totals,
}

impl<R: HasKernels, E: Estimator<R>> CostWalk<'_, R, E> {
    /// Record the children that are left on a path.
    #[cold]
    pub(super) fn pause_at(
        &mut self,
        start: &CostStart<R, E::Kept>,
        levels: &[Level<R, E::Kept>],
        prunes_parents: bool,
    ) {
        self.unvisited = left_on(self.plan, start, levels, prunes_parents);
    }

    /// Record the unvisited parts of an interleaved walk, and the children that are left on the
    /// path to it. Return how many nodes were made out of turn.
    #[cold]
    pub(super) fn pause_below(
        &mut self,
        start: &CostStart<R, E::Kept>,
        levels: &[Level<R, E::Kept>],
        rest: Rest<R>,
        count_forbidden: bool,
    ) -> u64 {
        let plan = self.plan;
        let (above, behind_above) = way_along(plan, levels);
        let subtrees = rest.subtrees.into_iter().map(|subtree| {
            let mut way = above.clone();
            let mut counted_behind = subtree.ahead;
            counted_behind.generated += behind_above;
            for (above, place) in subtree.way {
                let above = plan.plan_state(above);
                let rule = plan.rules(above.list)[place as usize];
                way.push(Choice { place, rule });
                counted_behind.generated += u64::from(above.n - place - 1);
            }
            let InterleavedStart {
                packed,
                total,
                plan_state,
            } = subtree.start;
            Unvisited {
                start: CostStart {
                    siblings: None,
                    packed,
                    kept: E::keep(total),
                    plan_state,
                    total,
                    // An interleaved walk doesn't compare with it.
                    parent: None,
                    lesson: start.lesson,
                },
                way,
                counted_behind,
            }
        });
        self.unvisited = subtrees.collect();
        let counted = |ahead: StreamCounts, order: Vec<u32>| Counted {
            order,
            counts: ahead.totals(count_forbidden),
        };
        let mut generated = rest.behind.generated;
        if let Some((first, ahead)) = rest.current {
            generated += ahead.generated;
            self.ahead
                .push(counted(ahead, self.unvisited[first].order()));
        }
        let mut behind = self
            .unvisited
            .last()
            .map_or_else(Vec::new, Unvisited::order);
        behind.push(u32::MAX);
        self.ahead.push(counted(rest.behind, behind));
        self.unvisited.extend(left_on(plan, start, levels, false));
        generated
    }
}

impl<R: HasKernels, S: Copy> Unvisited<R, S> {
    /// Return the whole tree below a node.
    pub(crate) fn all(start: CostStart<R, S>) -> Self {
        Self {
            start,
            way: Vec::new(),
            counted_behind: StreamCounts::default(),
        }
    }

    /// Return its place in the order of a single walk, which visits lesser places first.
    pub(crate) fn order(&self) -> Vec<u32> {
        let places = self.way.iter().map(|choice| choice.place);
        let first = self.start.siblings.map(|siblings| {
            // After all 64 if none is left.
            siblings.block + siblings.bits.trailing_zeros()
        });
        places.chain(first).collect()
    }

    /// Prepend the path to the start of the walk that left this part.
    pub(crate) fn below(&mut self, before: &Self) {
        self.way.splice(0..0, before.way.iter().copied());
        self.counted_behind.add(before.counted_behind);
    }

    /// Split off about the last half of the children, if there are several.
    pub(crate) fn split(&mut self, plan: &Plan<R>) -> Option<Self> {
        let siblings = self.start.siblings?;
        let n_bits = siblings.bits.count_ones();
        let n = plan.plan_state(self.start.plan_state).n;
        let has_more = !siblings.ends && siblings.block + 64 < n;
        if n_bits + u32::from(has_more) < 2 {
            return None;
        }
        let mut last = siblings.bits;
        for _ in 0..n_bits.div_ceil(2) {
            last &= last - 1;
        }
        let mut other = self.clone();
        other.start.siblings = Some(Siblings {
            bits: last,
            ..siblings
        });
        self.start.siblings = Some(Siblings {
            bits: siblings.bits & !last,
            ends: true,
            ..siblings
        });
        Some(other)
    }
}

/// Return the number of nodes that a walk counts at once for a level, given how far it got in the
/// level's children.
fn counted_behind<R: HasKernels, S>(plan: &Plan<R>, level: &Level<R, S>) -> u64 {
    let n = plan.plan_state(level.plan_state).n;
    u64::from(n - level.current - 1) * (1 - level.count)
}

/// Return the path along levels, and the number of nodes after it that were counted at once.
pub(super) fn way_along<R: HasKernels, S>(
    plan: &Plan<R>,
    levels: &[Level<R, S>],
) -> (Vec<Choice>, u64) {
    let choices = levels.iter().map(|level| {
        let list = plan.plan_state(level.plan_state).list;
        Choice {
            place: level.current,
            rule: plan.rules(list)[level.current as usize],
        }
    });
    let behind = levels.iter().map(|level| counted_behind(plan, level));
    (choices.collect(), behind.sum())
}

/// Return the unvisited children along a path, those of the deepest node first.
#[cold]
pub(super) fn left_on<R: HasKernels, S: Copy>(
    plan: &Plan<R>,
    start: &CostStart<R, S>,
    levels: &[Level<R, S>],
    prunes_parents: bool,
) -> Vec<Unvisited<R, S>> {
    let mut left = Vec::new();
    for (depth, level) in levels.iter().enumerate().rev() {
        let ends = depth == 0 && start.siblings.is_some_and(|siblings| siblings.ends);
        let n = plan.plan_state(level.plan_state).n;
        if level.bits == 0 && (ends || level.block + 64 >= n) {
            continue;
        }
        let (way, generated) = way_along(plan, &levels[..depth]);
        let parent = match depth.checked_sub(1) {
            None => start.parent,
            Some(above) => prunes_parents.then(|| levels[above].packed),
        };
        left.push(Unvisited {
            start: CostStart {
                siblings: Some(Siblings {
                    block: level.block,
                    bits: level.bits,
                    ends,
                    count: level.count,
                }),
                packed: level.packed,
                kept: level.kept,
                plan_state: level.plan_state,
                // This isn't needed for a node that is already expanded.
                total: 0,
                parent,
                lesson: start.lesson,
            },
            way,
            counted_behind: StreamCounts {
                generated,
                ..StreamCounts::default()
            },
        });
    }
    left
}
