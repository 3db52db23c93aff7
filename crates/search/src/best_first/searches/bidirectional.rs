//! Searches from both ends.

use std::ops::ControlFlow;

use psvn_ir::RuleId;

use crate::best_first::closed::batch::Batch;
use crate::best_first::closed::nodes::{NO_PARENT, Nodes};
use crate::best_first::open::{OpenList, Rank};
use crate::best_first::report::StoredStates;
use crate::best_first::searches::a_star::estimates::Estimates;
use crate::best_first::space::Space;
use crate::best_first::space::goal_states::{GOAL_LIMIT, GoalFilter, GoalStates};
use crate::best_first::space::moves::{Moves, Scratch};
use crate::best_first::space::packed::hash;
use crate::best_first::work::Work;
use crate::heuristic::{DEAD_END, Heuristic};
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
    /// Begin with the packed goal states, one by one, and return the number of those that `begin`
    /// stored. When there are too many, ignore the returned reason: it isn't a limit of the search.
    fn for_each(
        &mut self,
        work: &mut Work<'_, '_>,
        mut begin: impl FnMut(&mut Work<'_, '_>, &[u64]) -> Result<bool, StopReason>,
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
            n_goals += u32::from(begin(work, &packed)?);
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

/// The two estimates of the states of one direction.
struct Guide<'h> {
    /// The cost that is left to the end that the direction aims at.
    ahead: Estimates<'h>,
    /// The cost from the end where the direction begins.
    behind: Estimates<'h>,
}

impl Guide<'_> {
    /// Return f = g + h and b = f + g - h', where h' is the estimate from the beginning; `None` for
    /// a state on no path between the two ends.
    fn judge(&mut self, space: &Space, state: &[u64], cost: u64) -> Option<(u128, u128)> {
        let ahead = self.ahead.of(space, state);
        let behind = self.behind.of(space, state);
        if ahead == DEAD_END || behind == DEAD_END {
            return None;
        }
        let f = u128::from(cost) + u128::from(ahead);
        Some((f, (f + u128::from(cost)).saturating_sub(behind.into())))
    }
}

/// One direction of a search by costs or by estimates.
struct Side<'h> {
    nodes: Nodes,
    open: OpenList,
    scratch: Scratch,
    batch: Batch,
    /// `None` in a search by costs alone.
    guide: Option<Guide<'h>>,
}

impl<'h> Side<'h> {
    fn new(work: &Work<'_, '_>, side: usize, guides: Option<Guides<'h>>) -> Self {
        let space = work.space;
        let guide = |heuristics: Guides<'h>| Guide {
            ahead: Estimates::new(space, heuristics[side]),
            behind: Estimates::new(space, heuristics[1 - side]),
        };
        Self {
            nodes: Nodes::new(space, work.by_depth.is_wanted()),
            open: OpenList::new(),
            scratch: space.scratch(moves_of(space, side)),
            batch: Batch::new(space.packing.n_words()),
            guide: guides.map(guide),
        }
    }

    /// Store and open a state that the search begins with. Return the estimate of its cost to the
    /// other end; a dead end isn't stored.
    fn begin(&mut self, work: &mut Work<'_, '_>, state: &[u64]) -> Result<u64, StopReason> {
        work.by_depth.generated(0);
        let judged = self.guide.as_mut().map(|it| it.judge(work.space, state, 0));
        let (ahead, rank) = match judged {
            None => (0, 0),
            Some(None) => return Ok(DEAD_END),
            Some(Some((f, b))) => (u64::try_from(f).unwrap_or(DEAD_END - 1), b),
        };
        let id = self
            .nodes
            .insert(hash(state), state, 0, NO_PARENT, &mut work.budget)?;
        self.open
            .push(Rank { f: rank, g: 0 }, id, &mut work.budget)?;
        Ok(ahead)
    }

    /// Return the least rank of an open node: its cost, or b in a search by estimates.
    fn least(&mut self) -> Option<u128> {
        while let Some((rank, id)) = self.open.peek() {
            if self.nodes.costs.get(id) == rank.g {
                return Some(rank.f);
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

/// The heuristics of a search by estimates: of the cost to a goal, and of the cost from the start.
pub(crate) type Guides<'h> = [&'h dyn Heuristic; 2];

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
///
/// # By estimates
/// With two consistent heuristics this is BAE\* (Sadhukhan 2013, "Bidirectional heuristic search
/// based on error estimate"). Let h be the estimate to the end that a side aims at, and h' the one
/// from the end where it begins. Nodes are expanded in the order of b = 2g + h - h', and those
/// whose g + h isn't less than m aren't stored. The search ends when m is at most (a + b) / 2,
/// rounded up to a multiple of the greatest common divisor of the costs, where a and b are now the
/// least values of b on the two sides.
///
/// Then m is optimal. Take u and v as above: the first state of P that isn't closed on the forward
/// side with its right cost g(u), and the last one that isn't on the backward side, with g(v).
/// Either they overlap, and m is at most P's cost as above, or u is v or comes before it, and P
/// costs g(u) + d + g(v), where d is the cost from u to v. Since h and h' are consistent, h(u) is
/// at most d + h(v), and h'(v) is at most d + h'(u); so b(u) + b(v) = 2g(u) + h(u) - h'(u) +
/// 2g(v) + h'(v) - h(v) is at most twice P's cost. Both states are open, or were left out for a
/// total that is at least m. The estimates need to be right on P alone.
pub(crate) fn from_both_ends(
    mut work: Work<'_, '_>,
    start: &[u64],
    goals: &mut Goals<'_>,
    guides: Option<Guides<'_>>,
) -> SolveReport {
    let mut sides = [FORWARD, BACKWARD].map(|side| Side::new(&work, side, guides));
    let outcome = meet_by_costs(&mut work, &mut sides, start, goals);
    let [forward, backward] = sides.map(|side| side.stored());
    work.report(outcome, forward, Some(backward))
}

fn meet_by_costs(
    work: &mut Work<'_, '_>,
    sides: &mut [Side<'_>; 2],
    start: &[u64],
    goals: &mut Goals<'_>,
) -> Result<Outcome, StopReason> {
    let space = work.space;
    work.heuristic_start = sides[FORWARD].begin(work, start)?;
    let n_goals = goals.for_each(work, |work, goal| {
        let ahead = sides[BACKWARD].begin(work, goal)?;
        Ok(ahead != DEAD_END)
    })?;
    let mut best = sides[BACKWARD].nodes.store.find(start).map(|goal| Meeting {
        cost: 0,
        ids: [0, goal],
    });
    let mut overflow = false;
    let unit = u128::from(space.cost_unit);
    while let (Some(a), Some(b)) = (sides[FORWARD].least(), sides[BACKWARD].least()) {
        let reach = match sides[FORWARD].guide {
            None => a + b + u128::from(space.least_cost()),
            Some(_) => (a + b).div_ceil(2).next_multiple_of(unit),
        };
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
    sides: &mut [Side<'_>; 2],
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
        guide,
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
            let known = nodes.store.find_by_hash(waiting.hash, child);
            if let Some(known) = known {
                counts.duplicates += 1;
                if nodes.costs.get(known) <= cost {
                    continue;
                }
            }
            let f = match guide {
                None => u128::from(cost),
                Some(guide) => match guide.judge(space, child, cost) {
                    None => {
                        counts.dead_ends += u64::from(known.is_none());
                        continue;
                    }
                    Some((f, _)) if best.is_some_and(|best| f >= best.cost) => {
                        counts.beyond += u64::from(known.is_none());
                        continue;
                    }
                    Some((_, b)) => b,
                },
            };
            let node = match known {
                Some(known) => {
                    counts.reopened += u64::from(nodes.improve(known, cost, id));
                    known
                }
                None => nodes.insert(waiting.hash, child, cost, id, budget)?,
            };
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
