//! The nodes of an interleaved walk in the terms of the walk around it: paths, and unvisited
//! subtrees.

use crate::kernel::{HasKernels, Kernel};
use crate::plan::Plan;
use crate::walk::interleaved::stream::{Pending, Stream};
use crate::walk::interleaved::{
    InterleavedEnd, InterleavedLevel, InterleavedStart, InterleavedTables, Rest, RestSubtree,
    StreamCounts, node_word,
};
use crate::walk::steps::is_goal;

impl<R: HasKernels> InterleavedTables<R> {
    /// Return the unvisited part of the streams; `None` if it is small or if a goal was found.
    #[cold]
    pub(super) fn rest<K: Kernel<R>>(
        &self,
        plan: &Plan<R>,
        kernel: K,
        bound: u64,
        (front, back): (&Stream<R>, &Stream<R>),
        (current, behind): (StreamCounts, StreamCounts),
    ) -> Option<Rest<R>> {
        let n_of_front = front.len();
        if n_of_front + back.len() < 2 {
            return None;
        }
        let mut subtrees = Vec::with_capacity(n_of_front + back.len());
        for stream in [front, back] {
            for node in stream.nodes[stream.bottom..stream.top].iter().rev() {
                if is_goal(plan, kernel, &node.packed) {
                    return None;
                }
                subtrees.push(self.rest_below(bound, stream, node));
            }
        }
        // The subtrees that the back finished before it took over its present one come after that
        // one.
        let (current, behind) = match back.len() {
            0 => {
                let mut behind = behind;
                behind.add(current);
                (None, behind)
            }
            _ => (Some((n_of_front, current)), behind),
        };
        Some(Rest {
            subtrees,
            current,
            behind,
        })
    }

    /// Return the subtree below a pending node of a stream.
    fn rest_below(&self, bound: u64, stream: &Stream<R>, node: &Pending<R>) -> RestSubtree<R> {
        let depth = node_word::depth(node.word);
        let words = stream.way[..depth].iter().copied();
        let words = words.chain([node.word as u32]).collect::<Vec<_>>();
        let way = words.windows(2).map(|pair| {
            let above = self.plan_state_at(node_word::place(u64::from(pair[0])) as u32);
            (above, node_word::child_number(pair[1]))
        });
        RestSubtree {
            start: InterleavedStart {
                packed: node.packed,
                total: bound.wrapping_add_signed(node_word::above_bound(node.word)),
                plan_state: self.plan_state_at(node_word::place(node.word) as u32),
            },
            way: way.collect(),
        }
    }

    /// Return the end at a goal, which is the next node of a stream.
    #[cold]
    pub(super) fn goal<K: Kernel<R>>(
        &self,
        plan: &Plan<R>,
        kernel: K,
        start: &InterleavedStart<R>,
        bound: u64,
        stream: &Stream<R>,
    ) -> InterleavedEnd<R> {
        let mut path = self.path(plan, kernel, start, bound, stream);
        // The goal is the last level of the path.
        let total = path.pop().map_or(start.total, |goal| goal.total);
        InterleavedEnd::Goal { path, total }
    }

    /// Return the path from the top to the next node of a stream.
    #[cold]
    pub(super) fn path<K: Kernel<R>>(
        &self,
        plan: &Plan<R>,
        kernel: K,
        start: &InterleavedStart<R>,
        bound: u64,
        stream: &Stream<R>,
    ) -> Vec<InterleavedLevel<R>> {
        let next = stream.nodes[stream.top - 1].word;
        let depth = node_word::depth(next);
        let (mut packed, mut node) = (
            start.packed,
            node_word::top(bound - start.total, self.place(start.plan_state)),
        );
        let mut path = Vec::with_capacity(depth + 1);
        for level in 0..=depth {
            let plan_state_id = self.plan_state_at(node_word::place(node) as u32);
            let plan_state = plan.plan_state(plan_state_id);
            let mut entry = InterleavedLevel {
                packed,
                total: bound.wrapping_add_signed(node_word::above_bound(node)),
                plan_state: plan_state_id,
                bits: 0,
                current: 0,
            };
            if level < depth {
                let below = if level + 1 < depth {
                    stream.way[level + 1]
                } else {
                    next as u32
                };
                entry.current = node_word::child_number(below);
                for i in entry.current + 1..plan_state.n {
                    let child = self.child(&packed, node, i as usize);
                    entry.bits |= u32::from(node_word::is_within(child)) << i;
                }
                node = self.child(&packed, node, entry.current as usize);
                let change = (plan_state.changes + entry.current) as usize;
                let (first, second) = plan.lists.changes();
                packed = kernel.change(&packed, &first[change], &second[change]);
            }
            path.push(entry);
        }
        path
    }
}
