//! SMA\*, which forgets what looks worst when the memory is used up.

mod heap;
mod tree;

use std::ops::ControlFlow;

use crate::best_first::report::StoredStates;
use crate::best_first::searches::a_star::estimates::Estimates;
use crate::best_first::searches::sma::tree::{Child, NEVER, NONE, Tree};
use crate::best_first::space::Space;
use crate::best_first::space::moves::Scratch;
use crate::best_first::work::Work;
use crate::heuristic::{DEAD_END, Heuristic};
use crate::run::limits::StopReason;
use crate::run::report::{Outcome, Solution, SolveReport};

/// SMA\* (Russell 1992): A\* that forgets leaves when the memory is used up. The parent of a
/// forgotten leaf remembers the least f that was found below it, and makes the leaf again once no
/// other f is less.
///
/// Only states whose children were made are *nodes*; the other children are entries of their
/// parents, with a lower bound each (`Child`). The *value* of a node is the least bound of its
/// children that are no nodes. The node of least value is extended, and of several the deepest:
/// its best child becomes a node. The leaf of greatest value is forgotten, and of several the one
/// with the fewest moves.
///
/// # Duplicates
/// Paths are compared by cost, then by their number of moves. If a path that comes later in this
/// order reaches a node's state, it is dropped. That stays right when the node is forgotten: all
/// beginnings of the first path to a goal are first paths to their states, so it is never dropped.
/// A path with a cycle always comes later, even if rules are free. If the path comes earlier, the
/// node is discarded, with all that is reached through it. If both are equal, the node gets another
/// parent; when it is forgotten, all its parents remember its value. So no bound depends on what
/// else was remembered when it was found, and none exceeds the cost of the solutions that its child
/// has on first paths.
///
/// # Least costs
/// Let P be the first path to a goal, with the least cost C. Follow it from the start, which is
/// always remembered, to the last node on it. The next state is a child of that node with a bound
/// of at most C, unless memory was missing for it. So the least value is at most C, and a goal that
/// becomes the best child costs no more.
///
/// Memory is *missing* for a child if it is still used up when only the path to it is remembered.
/// Then the child is left out, and its bound noted. Once the least value exceeds the least such
/// bound, a better solution may have been left out, so the search stops. It never does if the
/// memory holds every path whose f is at most C.
///
/// # An end
/// While the least value stays the same, the search goes depth first: it extends the deepest node
/// of that value, and what it makes below it, until all values there are greater. What it forgets
/// meanwhile is a leaf of greater value, or has fewer moves. So it comes to an end with every
/// subtree, and each subtree is left with a greater value.
pub(crate) fn sma_star(
    mut work: Work<'_, '_>,
    start: &[u64],
    heuristic: &dyn Heuristic,
) -> SolveReport {
    let space = work.space;
    let mut search = Sma {
        space,
        tree: Tree::new(),
        estimates: Estimates::new(space, heuristic),
        scratch: space.scratch(&space.forward),
        made: Vec::new(),
        state: start.to_vec(),
        missing: NEVER,
        overflow: false,
    };
    let outcome = search.run(&mut work, start);
    let (table_bytes, open_bytes) = search.tree.bytes();
    let stored = StoredStates {
        closed: search.tree.n_nodes,
        open: 0,
        table_bytes,
        open_bytes,
    };
    work.report(outcome, stored, None)
}

struct Sma<'s, 'h> {
    space: &'s Space,
    tree: Tree,
    estimates: Estimates<'h>,
    scratch: Scratch,
    /// The children of the state that is expanded.
    made: Vec<Child>,
    /// The state that becomes a node.
    state: Vec<u64>,
    /// The least bound of a child for which memory was missing.
    missing: u64,
    /// Whether a path was left out because its cost overflows.
    overflow: bool,
}

/// A child that becomes a node.
#[derive(Clone, Copy)]
struct Next {
    parent: u32,
    /// Its number among the children.
    which: usize,
    rule: u32,
    value: u64,
    cost: u64,
    depth: u32,
}

impl Sma<'_, '_> {
    fn run(&mut self, work: &mut Work<'_, '_>, start: &[u64]) -> Result<Outcome, StopReason> {
        work.heuristic_start = self.estimates.of(self.space, start);
        if work.heuristic_start == DEAD_END {
            return Ok(Outcome::NoSolution);
        }
        work.by_depth.generated(0);
        if self.space.is_packed_goal(start) {
            return Ok(Outcome::Solved(Solution::default()));
        }
        let most = usize::try_from(self.space.forward.most_by_all).unwrap_or(usize::MAX);
        work.budget.grow(&mut self.made, most)?;
        self.expand(work, 0, 0, work.heuristic_start)?;
        if !self.tree.has_number(&mut work.budget) {
            return Err(StopReason::Memory);
        }
        self.tree
            .remember(start, 0, (NONE, 0), &self.made, &mut work.budget)?;
        while let Some((value, parent)) = self.tree.first_open() {
            work.proved = Some(value.min(self.missing));
            if value > self.missing {
                break;
            }
            work.countdown.set_bound(value);
            let next = self.best_child(parent);
            if let Some(solution) = self.extend(work, next)? {
                return Ok(Outcome::Solved(solution));
            }
        }
        match self.overflow {
            _ if self.missing < NEVER => Err(StopReason::Memory),
            true => Err(StopReason::CostOverflow),
            false => Ok(Outcome::NoSolution),
        }
    }

    /// Return the best child of a node that has one that isn't a node.
    fn best_child(&mut self, parent: u32) -> Next {
        let node = self.tree.node(parent);
        let children = node.children.iter().enumerate();
        let open = children.filter(|(_, child)| child.node == NONE);
        let best = open.min_by_key(|(_, child)| child.value);
        let (which, child) = best.expect("an open node has such a child");
        Next {
            parent,
            which,
            rule: child.rule,
            value: child.value,
            cost: node.cost + self.space.cost(child.rule),
            depth: node.depth + 1,
        }
    }

    /// Make a child a node, unless it is a goal: then return the solution.
    fn extend(
        &mut self,
        work: &mut Work<'_, '_>,
        next: Next,
    ) -> Result<Option<Solution>, StopReason> {
        self.make(next);
        if self.space.is_packed_goal(&self.state) {
            return Ok(Some(self.solution(next)));
        }
        if let Some(known) = self.tree.find(&self.state) {
            let node = self.tree.node(known);
            let before = (node.cost, node.depth);
            if before <= (next.cost, next.depth) {
                work.countdown.node()?;
                work.counts.duplicates += 1;
                self.join(work, next, known, before == (next.cost, next.depth));
                return Ok(None);
            }
            work.counts.reopened += 1;
            self.tree.discard(known, &mut work.budget);
        }
        self.expand(work, next.depth, next.cost, next.value)?;
        let bytes = Tree::bytes_of(&self.state, &self.made);
        if self.make_room(work, next.parent, bytes) {
            let at = (next.parent, next.which);
            let budget = &mut work.budget;
            self.tree
                .remember(&self.state, next.cost, at, &self.made, budget)?;
        } else {
            self.leave_out(next);
        }
        Ok(None)
    }

    /// Drop a child whose state is known, or join its node if this path to it is as good.
    fn join(&mut self, work: &mut Work<'_, '_>, next: Next, known: u32, is_as_good: bool) {
        let (parent, which) = (next.parent, next.which);
        if !is_as_good {
            self.tree.set_value(parent, which, NEVER);
            return;
        }
        let budget = &mut work.budget;
        let Err(bytes) = self.tree.link(parent, which, known, budget) else {
            return;
        };
        // The node may be forgotten for the memory; then the child becomes one when it comes again.
        if !self.make_room(work, parent, bytes) {
            self.leave_out(next);
        }
    }

    fn leave_out(&mut self, next: Next) {
        self.missing = self.missing.min(next.value);
        self.tree.set_value(next.parent, next.which, NEVER);
    }

    /// Forget nodes until there are a free number and these bytes. A node is kept, and the path to
    /// it.
    fn make_room(&mut self, work: &mut Work<'_, '_>, kept: u32, bytes: usize) -> bool {
        let budget = &mut work.budget;
        while !(self.tree.has_number(budget) && budget.affords(bytes)) {
            let before = self.tree.n_nodes;
            if !self.tree.forget_worst(kept, budget) && !self.tree.keep_path(kept, budget) {
                return false;
            }
            work.counts.beyond += before - self.tree.n_nodes;
        }
        true
    }

    /// Make the state of a child.
    fn make(&mut self, next: Next) {
        let Self {
            space,
            tree,
            scratch,
            state,
            ..
        } = self;
        let parent = &tree.node(next.parent).state;
        let _ = space
            .forward
            .children(&space.packing, parent, scratch, |rule, child| {
                if rule < next.rule {
                    return ControlFlow::Continue(());
                }
                state.copy_from_slice(child);
                ControlFlow::Break(())
            });
    }

    /// Make the children of the state, which is known to need this cost.
    fn expand(
        &mut self,
        work: &mut Work<'_, '_>,
        depth: u32,
        cost: u64,
        value: u64,
    ) -> Result<(), StopReason> {
        work.countdown.node()?;
        work.counts.expanded += 1;
        work.by_depth.expanded(depth.into());
        let Self {
            space,
            tree,
            estimates,
            scratch,
            made,
            state,
            overflow,
            ..
        } = self;
        made.clear();
        let mut child = |rule: u32, state: &[u64]| {
            work.countdown.child()?;
            work.counts.generated += 1;
            work.by_depth.generated(u64::from(depth) + 1);
            let Some(cost) = cost.checked_add(space.cost(rule)) else {
                *overflow = true;
                return Ok(());
            };
            let known = tree.find(state).map(|id| tree.node(id));
            if known.is_some_and(|it| (it.cost, it.depth) < (cost, depth + 1)) {
                work.counts.duplicates += 1;
                return Ok(());
            }
            let h = estimates.of(space, state);
            if h == DEAD_END {
                work.counts.dead_ends += 1;
                return Ok(());
            }
            let total = cost.checked_add(h);
            match total.filter(|total| *total < NEVER) {
                None => *overflow = true,
                Some(total) => made.push(Child {
                    rule,
                    node: NONE,
                    value: total.max(value),
                }),
            }
            Ok(())
        };
        let moves = &space.forward;
        let flow = moves.children(&space.packing, state, scratch, |rule, state| {
            match child(rule, state) {
                Ok(()) => ControlFlow::Continue(()),
                Err(reason) => ControlFlow::Break(reason),
            }
        });
        match flow {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(reason) => Err(reason),
        }
    }

    fn solution(&self, next: Next) -> Solution {
        let mut moves: Vec<_> = std::iter::once(next.rule)
            .chain(self.tree.rules_back(next.parent))
            .map(psvn_ir::RuleId)
            .collect();
        moves.reverse();
        let cost = self.space.cost_of(&moves);
        Solution { moves, cost }
    }
}
