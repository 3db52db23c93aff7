//! The nodes of an interleaved walk in the terms of the walk around it: paths, and unvisited
//! subtrees. They are needed only where a walk pauses or ends.

use crate::game::packed::Test;
use crate::kernel::HasKernels;
use crate::plan::{Plan, PlanStateId};
use crate::walk::interleaved::result::{
    InterleavedLevel, InterleavedStart, Rest, RestSubtree, StreamCounts,
};
use crate::walk::interleaved::rows::Way;
use crate::walk::interleaved::stream::{Choice, Stream, choice, row_and_heir};
use crate::walk::interleaved::tables::{InterleavedTables, total};

/// A path from the top of an interleaved walk.
pub(super) struct Path<R> {
    /// Its nodes, the last one included.
    pub(super) levels: Vec<InterleavedLevel<R>>,
    /// What was counted for children that come after the path: those that were expanded together
    /// with their parents.
    pub(super) ahead: StreamCounts,
}

impl<R: HasKernels> InterleavedTables<R> {
    /// Return the unvisited part of the streams; `None` if it is small or if a goal was found.
    #[cold]
    pub(super) fn rest(
        &self,
        plan: &Plan<R>,
        (start, bound): (&InterleavedStart<R>, u64),
        (front, back): (&Stream<R>, &Stream<R>),
        (current, behind): (StreamCounts, StreamCounts),
    ) -> Option<Rest<R>> {
        let mut subtrees = Vec::new();
        let mut n_of_front = 0;
        for stream in [front, back] {
            n_of_front = subtrees.len();
            self.rest_of(plan, (start, bound), stream, &mut subtrees)?;
        }
        if subtrees.len() < 2 {
            return None;
        }
        // The subtrees that the back finished before it took over its present one come after that
        // one.
        let (current, behind) = if back.is_empty() {
            let mut behind = behind;
            behind.add(current);
            (None, behind)
        } else {
            (Some((n_of_front, current)), behind)
        };
        Some(Rest {
            subtrees,
            current,
            behind,
        })
    }

    /// Add the subtrees below the pending heirs of a stream, in order; `None` if one is a goal.
    fn rest_of(
        &self,
        plan: &Plan<R>,
        (start, bound): (&InterleavedStart<R>, u64),
        stream: &Stream<R>,
        subtrees: &mut Vec<RestSubtree<R>>,
    ) -> Option<()> {
        let Some(top) = stream.pending().last() else {
            return Some(());
        };
        // By depth: the path to the node at that depth, in rules, and what was counted behind it.
        let mut path = Path::to(start);
        let mut marks = vec![(0, StreamCounts::default())];
        for choice in &stream.way[..top.depth as usize] {
            self.go(plan, bound, *choice, &mut path);
            marks.push((path.levels.len() - 1, path.ahead));
        }
        let way = steps_of(&path.levels);
        for node in stream.pending().iter().rev() {
            let (n_levels, ahead) = marks[node.depth as usize];
            let row = self.plan_state_at(node.row);
            let mut here = Path {
                levels: vec![InterleavedLevel {
                    packed: node.packed,
                    ..path.levels[n_levels]
                }],
                ahead,
            };
            debug_assert_eq!(here.levels[0].plan_state, row);
            let mut heirs = node.heirs;
            while heirs != 0 {
                let heir = heirs.trailing_zeros();
                heirs &= heirs - 1;
                here.levels.truncate(1);
                here.ahead = ahead;
                self.go(plan, bound, choice(node.row, heir), &mut here);
                let last = here.levels.pop()?;
                let is_goal = |goal: &Test<R>| last.packed.agrees(&goal.mask, &goal.value);
                if plan.goals.iter().any(is_goal) {
                    return None;
                }
                debug_assert_eq!(last.total, total(bound, node.excesses.0[heir as usize]));
                let mut way = way[..n_levels].to_vec();
                way.append(&mut steps_of(&here.levels));
                subtrees.push(RestSubtree {
                    start: InterleavedStart {
                        packed: last.packed,
                        total: last.total,
                        plan_state: last.plan_state,
                    },
                    way,
                    ahead: here.ahead,
                });
            }
        }
        Some(())
    }

    /// Return the path from the top to the next node of a stream.
    #[cold]
    pub(super) fn path(
        &self,
        plan: &Plan<R>,
        (start, bound): (&InterleavedStart<R>, u64),
        stream: &Stream<R>,
    ) -> Path<R> {
        let mut path = Path::to(start);
        if let Some(top) = stream.pending().last() {
            let last = choice(top.row, top.heirs.trailing_zeros());
            for choice in stream.way[..top.depth as usize].iter().chain([&last]) {
                self.go(plan, bound, *choice, &mut path);
            }
        }
        path
    }

    /// Extend a path by a choice.
    fn go(&self, plan: &Plan<R>, bound: u64, choice: Choice, path: &mut Path<R>) {
        let (row, heir) = row_and_heir(choice);
        let ways = self.ways(self.plan_state_at(row));
        let Way { first, second } = ways[heir];
        let with_parent = |child: u32| {
            let mut ways = ways.iter();
            ways.any(|way| way.first == child && way.second.is_some())
        };
        self.descend(plan, bound, first, path, with_parent);
        if let Some(second) = second {
            self.descend(plan, bound, second, path, |_| false);
        }
    }

    /// Extend a path by a rule. `with_parent` says which children were expanded with their parent.
    fn descend(
        &self,
        plan: &Plan<R>,
        bound: u64,
        current: u32,
        path: &mut Path<R>,
        with_parent: impl Fn(u32) -> bool,
    ) {
        let Some(level) = path.levels.last_mut() else {
            return;
        };
        let plan_state = plan.plan_state(level.plan_state);
        let packed = level.packed;
        let above = level.total;
        let total = |i| above.wrapping_add_signed(self.difference(&packed, plan_state, i));
        level.current = current;
        level.bits = 0;
        for i in current + 1..plan_state.n {
            if total(i) > bound {
                continue;
            }
            level.bits |= 1 << i;
            if with_parent(i) {
                let child = plan.plan_state(plan.next(plan_state, i as usize));
                path.ahead.add(StreamCounts {
                    expanded: 1,
                    generated: u64::from(child.n),
                    forbidden: u64::from(child.n_forbidden),
                });
            }
        }
        let change = (plan_state.changes + current) as usize;
        let (first, second) = plan.lists.changes();
        path.levels.push(InterleavedLevel {
            packed: packed.changed(&first[change], &second[change]),
            total: total(current),
            plan_state: plan.next(plan_state, current as usize),
            bits: 0,
            current: 0,
        });
    }
}

impl<R: HasKernels> Path<R> {
    /// The path to the top of a walk.
    pub(super) fn to(start: &InterleavedStart<R>) -> Self {
        Self {
            levels: vec![InterleavedLevel {
                packed: start.packed,
                total: start.total,
                plan_state: start.plan_state,
                bits: 0,
                current: 0,
            }],
            ahead: StreamCounts::default(),
        }
    }
}

/// Return the steps along levels: the plan states, and the places of the rules in their lists.
fn steps_of<R>(levels: &[InterleavedLevel<R>]) -> Vec<(PlanStateId, u32)> {
    let mut steps = Vec::with_capacity(levels.len());
    for level in levels {
        steps.push((level.plan_state, level.current));
    }
    steps
}
