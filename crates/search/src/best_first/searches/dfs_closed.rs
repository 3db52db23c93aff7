//! Textbook depth-first search with a closed set and a depth bound, with its known flaw.

use std::ops::ControlFlow;

use psvn_ir::RuleId;

use crate::best_first::budget::Budget;
use crate::best_first::closed::column::Column;
use crate::best_first::closed::store::StateStore;
use crate::best_first::report::StoredStates;
use crate::best_first::work::Work;
use crate::run::limits::StopReason;
use crate::run::report::{Outcome, Solution, SolveReport};

/// Run the search of "Algorithms in a Nutshell", chapter 7: a stack of open nodes, and a closed set
/// of the states taken off the stack. See [`Run::dfs_closed`](crate::Run::dfs_closed).
pub(crate) fn dfs_closed(mut work: Work<'_, '_>, start: &[u64], bound: u64) -> SolveReport {
    let mut closed = StateStore::new(work.space.packing.size());
    let mut open = Stack::new(work.space.packing.n_words());
    let outcome = search(&mut work, &mut closed, &mut open, start, bound);
    let stored = StoredStates {
        closed: closed.len() as u64,
        open: open.steps.len() as u64,
        table_bytes: closed.bytes(),
        open_bytes: open.bytes(),
    };
    work.report(outcome, stored, None)
}

/// The stack of open nodes.
struct Stack {
    states: Column<u64>,
    /// The rule and the depth of each.
    steps: Column<(u32, u64)>,
}

impl Stack {
    fn new(n_words: usize) -> Self {
        Self {
            states: Column::new(n_words),
            steps: Column::new(1),
        }
    }

    fn push(
        &mut self,
        state: &[u64],
        rule: u32,
        depth: u64,
        budget: &mut Budget,
    ) -> Result<(), StopReason> {
        self.states.push(state, budget)?;
        self.steps.push(&[(rule, depth)], budget)
    }

    fn pop(&mut self, state: &mut [u64]) -> Option<(u32, u64)> {
        let top = self.steps.len().checked_sub(1)?;
        state.copy_from_slice(self.states.get(top));
        let step = self.steps.get(top)[0];
        self.states.pop();
        self.steps.pop();
        Some(step)
    }

    fn bytes(&self) -> usize {
        self.states.bytes() + self.steps.bytes()
    }
}

fn search(
    work: &mut Work<'_, '_>,
    closed: &mut StateStore,
    open: &mut Stack,
    start: &[u64],
    bound: u64,
) -> Result<Outcome, StopReason> {
    let space = work.space;
    let Work {
        countdown,
        budget,
        counts,
        by_depth,
        ..
    } = work;
    countdown.set_bound(bound);
    by_depth.generated(0);
    let mut scratch = space.scratch(&space.forward);
    space.load(start, &mut scratch);
    if space.is_goal(&scratch.row) {
        return Ok(Outcome::Solved(Solution::default()));
    }
    let mut cut_off = bound == 0;
    if bound > 0 {
        open.push(start, 0, 0, budget)?;
    }
    let mut state = start.to_vec();
    // The rules on the path to the node taken off last. The node's parent is the last node of the
    // depth above that was taken off, since all nodes above it on the stack were deeper.
    let mut path: Vec<RuleId> = Vec::new();
    while let Some((rule, depth)) = open.pop(&mut state) {
        countdown.node()?;
        if depth > 0 {
            path.truncate(depth as usize - 1);
            budget.push(&mut path, RuleId(rule))?;
        }
        if closed.find(&state).is_none() {
            closed.insert(&state, budget)?;
        }
        counts.expanded += 1;
        by_depth.expanded(depth);
        space.load(&state, &mut scratch);
        let flow = space
            .forward
            .expand(&space.packing, &mut scratch, |rule, child, row| {
                let mut visit = || {
                    countdown.child()?;
                    counts.generated += 1;
                    by_depth.generated(depth + 1);
                    if closed.find(child).is_some() {
                        counts.duplicates += 1;
                        return Ok(false);
                    }
                    space.packing.unpack(child, row);
                    if space.is_goal(row) {
                        return Ok(true);
                    }
                    if depth + 1 < bound {
                        open.push(child, rule, depth + 1, budget)?;
                    } else {
                        cut_off = true;
                    }
                    Ok(false)
                };
                match visit() {
                    Ok(false) => ControlFlow::Continue(()),
                    Ok(true) => ControlFlow::Break(Ok(rule)),
                    Err(reason) => ControlFlow::Break(Err(reason)),
                }
            });
        if let ControlFlow::Break(rule) = flow {
            let mut moves = path;
            moves.push(RuleId(rule?));
            let cost = space.cost_of(&moves);
            return Ok(Outcome::Solved(Solution { moves, cost }));
        }
    }
    Ok(if cut_off {
        Outcome::NotFound
    } else {
        Outcome::NoSolution
    })
}
