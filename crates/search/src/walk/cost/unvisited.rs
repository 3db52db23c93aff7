//! The unvisited parts of the tree of a walk that pauses.
//!
//! Other threads can walk these parts in any order. Each part has the path that leads to it. So the
//! parts and their results can be sorted by the order in which one walk would visit them.

use crate::kernel::HasKernels;
use crate::plan::{Graph, PlanStateId};
use crate::run::report::Totals;
use crate::walk::cost::levels::{Level, counted_behind, rules_along};
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
        let graph = &self.plan.graph;
        left_on(graph, start, levels, prunes_parents, &mut self.unvisited);
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
        let graph = &self.plan.graph;
        let (above, behind_above) = way_along(graph, levels);
        for subtree in rest.subtrees {
            let mut way = above.clone();
            let mut counted_behind = subtree.ahead;
            counted_behind.generated += behind_above + go_along(graph, &subtree.way, &mut way);
            let InterleavedStart {
                packed,
                total,
                plan_state,
            } = subtree.start;
            self.unvisited.push(Unvisited {
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
            });
        }
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
        left_on(graph, start, levels, false, &mut self.unvisited);
        generated
    }
}

impl<R: HasKernels, S: Copy> Unvisited<R, S> {
    /// Return its place in the order of a single walk, which visits lesser places first.
    pub(crate) fn order(&self) -> Vec<u32> {
        order_of(&self.way, self.start.siblings)
    }

    /// Prepend the path to the start of the walk that left this part.
    pub(crate) fn below(&mut self, before: &Self) {
        prepend(&before.way, &mut self.way);
        self.counted_behind.add(before.counted_behind);
    }

    /// Split off about the last half of the children, if there are several.
    pub(crate) fn split(&mut self, graph: &Graph) -> Option<Self> {
        let n = graph.plan_state(self.start.plan_state).n;
        let (first, last) = self.start.siblings?.halves(n)?;
        let mut other = self.clone();
        other.start.siblings = Some(last);
        self.start.siblings = Some(first);
        Some(other)
    }
}

impl Siblings {
    /// Split off about the last half, if there are several; `n` is the number of rules in the list.
    fn halves(self, n: u32) -> Option<(Self, Self)> {
        let n_bits = self.bits.count_ones();
        let has_more = !self.ends && self.block + 64 < n;
        if n_bits + u32::from(has_more) < 2 {
            return None;
        }
        let mut last = self.bits;
        for _ in 0..n_bits.div_ceil(2) {
            last &= last - 1;
        }
        let first = Self {
            bits: self.bits & !last,
            ends: true,
            ..self
        };
        Some((first, Self { bits: last, ..self }))
    }
}

/// Return the place of children at the end of a path in the order of a single walk.
fn order_of(way: &[Choice], siblings: Option<Siblings>) -> Vec<u32> {
    let places = way.iter().map(|choice| choice.place);
    let first = siblings.map(|siblings| {
        // After all 64 if none is left.
        siblings.block + siblings.bits.trailing_zeros()
    });
    places.chain(first).collect()
}

/// Prepend a path to another one.
fn prepend(before: &[Choice], way: &mut Vec<Choice>) {
    way.splice(0..0, before.iter().copied());
}

/// Add steps to a path, each given by its plan state and the place of its rule. Return the number
/// of their later siblings.
fn go_along(graph: &Graph, steps: &[(PlanStateId, u32)], way: &mut Vec<Choice>) -> u64 {
    let mut later = 0;
    for (id, place) in steps {
        let plan_state = graph.plan_state(*id);
        let rule = graph.lists.rules(plan_state.list)[*place as usize];
        way.push(Choice {
            place: *place,
            rule,
        });
        later += u64::from(plan_state.n - place - 1);
    }
    later
}

/// Return the path along levels, and the number of nodes after it that were counted at once.
fn way_along<R, S>(graph: &Graph, levels: &[Level<R, S>]) -> (Vec<Choice>, u64) {
    let mut way = Vec::with_capacity(levels.len());
    for (level, rule) in levels.iter().zip(rules_along(graph, levels)) {
        let place = level.current;
        way.push(Choice { place, rule });
    }
    (way, counted_behind(graph, levels))
}

/// Add the unvisited children along a path to a list, those of the deepest node first.
#[cold]
fn left_on<R: HasKernels, S: Copy>(
    graph: &Graph,
    start: &CostStart<R, S>,
    levels: &[Level<R, S>],
    prunes_parents: bool,
    left: &mut Vec<Unvisited<R, S>>,
) {
    for depth in (0..levels.len()).rev() {
        let level = &levels[depth];
        let ends = depth == 0 && start.siblings.is_some_and(|siblings| siblings.ends);
        let n = graph.plan_state(level.plan_state).n;
        if level.bits == 0 && (ends || level.block + 64 >= n) {
            continue;
        }
        let (way, generated) = way_along(graph, &levels[..depth]);
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
}
