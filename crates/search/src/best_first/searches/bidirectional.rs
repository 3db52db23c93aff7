//! Searches from both ends.

use std::ops::ControlFlow;

use psvn_ir::RuleId;

use crate::best_first::closed::batch::Batch;
use crate::best_first::closed::nodes::{NO_PARENT, Nodes};
use crate::best_first::open::{OpenList, Rank};
use crate::best_first::report::StoredStates;
use crate::best_first::space::Space;
use crate::best_first::space::goal_states::{GOAL_LIMIT, GoalFilter, GoalStates};
use crate::best_first::space::moves::{Moves, Scratch};
use crate::best_first::space::packed::hash;
use crate::best_first::work::Work;
use crate::run::limits::StopReason;
use crate::run::report::{Outcome, Solution, SolveReport};

/// The two directions.
const FORWARD: usize = 0;
const BACKWARD: usize = 1;

fn moves_of(space: &Space, side: usize) -> &Moves {
    match side {
        FORWARD => &space.forward,
        _ => &space.backward,
    }
}

/// The goal states that a backward search begins with.
pub(crate) struct Goals<'a> {
    pub(crate) states: GoalStates<'a>,
    pub(crate) filter: Option<&'a GoalFilter<'a>>,
    /// Set when there are more goal states than the limit.
    pub(crate) too_many: bool,
}

impl Goals<'_> {
    /// Visit the packed goal states one by one, and return their number. When there are too many,
    /// ignore the returned reason: it isn't a limit of the search.
    fn for_each(
        &mut self,
        work: &mut Work<'_, '_>,
        mut each: impl FnMut(&mut Work<'_, '_>, &[u64]) -> Result<(), StopReason>,
    ) -> Result<u32, StopReason> {
        let packing = &work.space.packing;
        let mut packed = vec![0; packing.n_words()];
        let mut n_goals = 0;
        for state in &mut self.states {
            // Goal states that don't pass the filter count too: there may be very many.
            work.countdown.node()?;
            if self.filter.is_some_and(|filter| !filter(&state)) {
                continue;
            }
            if n_goals as usize == GOAL_LIMIT {
                self.too_many = true;
                return Err(StopReason::Memory);
            }
            packing.pack(state.values().iter().map(|value| value.0), &mut packed);
            each(work, &packed)?;
            n_goals += 1;
        }
        Ok(n_goals)
    }
}

/// Join the two parts of a solution: from the start to the meeting state, and on to a goal.
fn joined(space: &Space, mut to_meeting: Vec<RuleId>, to_goal: Vec<RuleId>) -> Outcome {
    to_meeting.reverse();
    let mut moves = to_meeting;
    moves.extend(to_goal);
    let cost = space.cost_of(&moves);
    Outcome::Solved(Solution { moves, cost })
}

/// One direction of a search by costs.
struct Side {
    nodes: Nodes,
    open: OpenList,
    scratch: Scratch,
    batch: Batch,
}

impl Side {
    fn new(work: &Work<'_, '_>, side: usize) -> Self {
        let space = work.space;
        Self {
            nodes: Nodes::new(space, work.by_depth.is_wanted()),
            open: OpenList::new(),
            scratch: space.scratch(moves_of(space, side)),
            batch: Batch::new(space.packing.n_words()),
        }
    }

    /// Store and open the states that the search begins with.
    fn begin(&mut self, work: &mut Work<'_, '_>, state: &[u64]) -> Result<(), StopReason> {
        work.by_depth.generated(0);
        let id = self
            .nodes
            .insert(hash(state), state, 0, NO_PARENT, &mut work.budget)?;
        self.open.push(Rank { f: 0, g: 0 }, id, &mut work.budget)
    }

    /// Return the least cost of an open node.
    fn least(&mut self) -> Option<u64> {
        while let Some((rank, id)) = self.open.peek() {
            if self.nodes.costs.get(id) == rank.g {
                return Some(rank.g);
            }
            self.open.pop();
        }
        None
    }

    fn stored(&self) -> StoredStates {
        self.nodes.stored(&self.open)
    }

    fn n_open(&self) -> u64 {
        self.nodes.n_open()
    }
}

/// The best solution so far: its cost, and the numbers of the state where the sides meet.
#[derive(Clone, Copy)]
struct Meeting {
    cost: u128,
    ids: [u32; 2],
}

/// Uniform-cost search from the start and, by backward moves, from all goal states.
///
/// Nodes are expanded in the order of their costs, on the side with fewer open ones. Whenever one
/// side reaches, at a new cost, a state that the other has stored, closed or not, the sum is the
/// cost of a solution; m is the least such sum. Let a and b be the least costs of open nodes on the
/// two sides, and e the least cost of a rule. The search ends when m is at most a + b + e, or when
/// a side has no open node.
///
/// Then m is optimal. Suppose that a path P costs less than m. Its states with a cost below a from
/// the start are closed on the forward side, and those with a cost below b to the goal are closed
/// on the backward side, all with their right costs. They form a beginning and an end of P. (Where
/// an open list is empty, all reachable states are closed, and the argument holds as well.) If the
/// beginning and the end together are all of P, or only one state is between them, then some state
/// of P is stored on both sides with its right costs. When the later of the two was stored, the sum
/// was compared, so m is at most P's cost: a contradiction. So at least two states u and v lie
/// between them, u before v. P costs at least a up to u, at least e from u to v, and at least b
/// from v on, which is at least m: a contradiction.
pub(crate) fn uniform_cost(
    mut work: Work<'_, '_>,
    start: &[u64],
    goals: &mut Goals<'_>,
) -> SolveReport {
    let mut sides = [FORWARD, BACKWARD].map(|side| Side::new(&work, side));
    let outcome = meet_by_costs(&mut work, &mut sides, start, goals);
    let [forward, backward] = sides.map(|side| side.stored());
    work.report(outcome, forward, Some(backward))
}

fn meet_by_costs(
    work: &mut Work<'_, '_>,
    sides: &mut [Side; 2],
    start: &[u64],
    goals: &mut Goals<'_>,
) -> Result<Outcome, StopReason> {
    let space = work.space;
    sides[FORWARD].begin(work, start)?;
    let n_goals = goals.for_each(work, |work, goal| sides[BACKWARD].begin(work, goal))?;
    let mut best = sides[BACKWARD].nodes.store.find(start).map(|goal| Meeting {
        cost: 0,
        ids: [0, goal],
    });
    let mut overflow = false;
    while let (Some(a), Some(b)) = (sides[FORWARD].least(), sides[BACKWARD].least()) {
        let reach = u128::from(a) + u128::from(b) + u128::from(space.least_cost());
        work.countdown
            .set_bound(u64::try_from(reach).unwrap_or(u64::MAX));
        if best.is_some_and(|best| best.cost <= reach) {
            break;
        }
        let side = usize::from(sides[BACKWARD].n_open() < sides[FORWARD].n_open());
        overflow |= expand_least(work, sides, side, &mut best)?;
    }
    match best {
        // The path that was left out has a cost of more than 64 bits.
        Some(best) if !overflow || best.cost <= u128::from(u64::MAX) => {
            let [to_meeting, to_goal] = [FORWARD, BACKWARD].map(|side| {
                let (onward, back) = (moves_of(space, side), moves_of(space, 1 - side));
                let n_roots = if side == FORWARD { 1 } else { n_goals };
                let nodes = &sides[side].nodes;
                nodes.rules_back(space, best.ids[side], [onward, back], n_roots)
            });
            Ok(joined(space, to_meeting, to_goal))
        }
        _ if overflow => Err(StopReason::CostOverflow),
        _ => Ok(Outcome::NoSolution),
    }
}

/// Expand the first open node of a side. Return whether a path was left out because its cost
/// overflows.
fn expand_least(
    work: &mut Work<'_, '_>,
    sides: &mut [Side; 2],
    side: usize,
    best: &mut Option<Meeting>,
) -> Result<bool, StopReason> {
    let space = work.space;
    let Work {
        countdown,
        budget,
        counts,
        by_depth,
        ..
    } = work;
    let [forward, backward] = sides;
    let (own, other) = match side {
        FORWARD => (forward, backward),
        _ => (backward, forward),
    };
    let Some((Rank { g, .. }, id)) = own.open.pop() else {
        return Ok(false);
    };
    countdown.node()?;
    let moves = moves_of(space, side);
    let Side {
        nodes,
        open,
        scratch,
        batch,
    } = own;
    space.load(&nodes.store.get(id), scratch);
    nodes.close(id);
    counts.expanded += 1;
    let depth = nodes.depth(id);
    by_depth.expanded(depth);
    let mut overflow = false;
    let mut settle = |batch: &mut Batch| {
        nodes.fetch(batch);
        other.nodes.fetch(batch);
        for place in 0..batch.len() {
            let (waiting, child) = batch.get(place);
            countdown.child()?;
            counts.generated += 1;
            by_depth.generated(depth + 1);
            let Some(cost) = g.checked_add(space.cost(waiting.rule)) else {
                overflow = true;
                continue;
            };
            let node = match nodes.store.find_by_hash(waiting.hash, child) {
                Some(known) => {
                    counts.duplicates += 1;
                    if nodes.costs.get(known) <= cost {
                        continue;
                    }
                    nodes.improve(known, cost, id);
                    known
                }
                None => nodes.insert(waiting.hash, child, cost, id, budget)?,
            };
            let f = u128::from(cost);
            open.push(Rank { f, g: cost }, node, budget)?;
            if let Some(there) = other.nodes.store.find_by_hash(waiting.hash, child) {
                let total = u128::from(cost) + u128::from(other.nodes.costs.get(there));
                if best.is_none_or(|best| total < best.cost) {
                    let ids = match side {
                        FORWARD => [node, there],
                        _ => [there, node],
                    };
                    *best = Some(Meeting { cost: total, ids });
                }
            }
        }
        batch.clear();
        Ok(())
    };
    let flow = moves.expand(&space.packing, scratch, |rule, child, _| {
        if !batch.push(child, id, rule) {
            return ControlFlow::Continue(());
        }
        match settle(batch) {
            Ok(()) => ControlFlow::Continue(()),
            Err(reason) => ControlFlow::Break(reason),
        }
    });
    if let ControlFlow::Break(reason) = flow {
        return Err(reason);
    }
    settle(batch)?;
    Ok(overflow)
}
