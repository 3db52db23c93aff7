//! Searches from both ends.
//!
//! All of them are one search (`from_both_ends`): the algorithms differ in the node that comes next
//! and in what its bound proves, which is their [`Choice`].

mod alternating;
mod choice;
mod goals;
mod pairs;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use crate::best_first::closed::batch::Batch;
use crate::best_first::closed::nodes::{NO_PARENT, Nodes};
use crate::best_first::report::StoredStates;
use crate::best_first::searches::a_star::estimates::Estimates;
use crate::best_first::searches::bidirectional::alternating::Alternating;
use crate::best_first::searches::bidirectional::choice::{Choice, Reached};
pub(crate) use crate::best_first::searches::bidirectional::goals::Goals;
use crate::best_first::searches::bidirectional::pairs::Pairs;
use crate::best_first::space::Space;
use crate::best_first::space::moves::{Moves, Scratch};
use crate::best_first::space::packed::hash;
use crate::best_first::work::Work;
use crate::heuristic::{DEAD_END, Heuristic};
use crate::run::limits::StopReason;
use crate::run::report::{Outcome, Solution, SolveReport};

/// The two directions.
const FORWARD: usize = 0;
const BACKWARD: usize = 1;

/// The heuristics of a search by estimates: of the cost to a goal, and of the cost from the start.
pub(crate) type Guides<'h> = [&'h dyn Heuristic; 2];

/// The algorithms of searches from both ends.
#[derive(Clone, Copy)]
pub(crate) enum Method<'h> {
    /// Uniform cost.
    Costs,
    /// BAE\*.
    Errors(Guides<'h>),
    /// NBS.
    Pairs(Guides<'h>),
}

fn moves_of(space: &Space, side: usize) -> &Moves {
    match side {
        FORWARD => &space.forward,
        _ => &space.backward,
    }
}

/// The estimates of the states of one direction.
struct Guide<'h> {
    /// The cost that is left to the end that the direction aims at.
    ahead: Estimates<'h>,
    /// The cost from the end where the direction begins, if it matters.
    behind: Option<Estimates<'h>>,
}

impl Guide<'_> {
    /// Return the two estimates of a state; `None` for one on no path between the two ends.
    fn judge(&mut self, space: &Space, state: &[u64]) -> Option<(u64, u64)> {
        let ahead = self.ahead.of(space, state);
        let behind = self.behind.as_mut().map_or(0, |it| it.of(space, state));
        (ahead != DEAD_END && behind != DEAD_END).then_some((ahead, behind))
    }
}

/// The stored states of one direction, and what is needed to make more.
struct Side<'h> {
    nodes: Nodes,
    scratch: Scratch,
    batch: Batch,
    /// `None` in a search by costs alone.
    guide: Option<Guide<'h>>,
}

impl<'h> Side<'h> {
    fn new(work: &Work<'_, '_>, side: usize, method: Method<'h>) -> Self {
        let space = work.space;
        let guide = match method {
            Method::Costs => None,
            Method::Errors(guides) => Some((guides[side], Some(guides[1 - side]))),
            Method::Pairs(guides) => Some((guides[side], None)),
        };
        Self {
            nodes: Nodes::new(space, work.by_depth.is_wanted()),
            scratch: space.scratch(moves_of(space, side)),
            batch: Batch::new(space.packing.n_words()),
            guide: guide.map(|(ahead, behind)| Guide {
                ahead: Estimates::new(space, ahead),
                behind: behind.map(|it| Estimates::new(space, it)),
            }),
        }
    }
}

/// The best solution so far: its cost, and the numbers of the state where the sides meet.
#[derive(Clone, Copy)]
struct Meeting {
    cost: u128,
    ids: [u32; 2],
}

/// A search from both ends, on its way.
struct Search<'h, C> {
    sides: [Side<'h>; 2],
    choice: C,
    best: Option<Meeting>,
    /// Whether a path was left out because its cost overflows.
    overflow: bool,
}

/// Search from the start and, by backward moves, from all goal states.
///
/// Whenever one side reaches, at a new cost, a state that the other has stored, closed or not, the
/// sum is the cost of a solution; m is the least such sum. Nodes whose estimated total cost isn't
/// less than m aren't stored. The search ends when m is at most the bound of the algorithm, or when
/// a side has no open node.
///
/// Then m is optimal. Suppose that a path P costs less than m. Let u be the first state of P that
/// isn't closed on the forward side with its right cost from the start, and v the last one that
/// isn't on the backward side with its right cost to the goal. (Where an open list is empty, all
/// reachable states are closed, and the argument holds as well.) If there is no u or no v, or if v
/// comes before u, or u is v, then some state of P is stored on both sides with its right costs.
/// When the later of the two was stored, the sum was compared, so m is at most P's cost: a
/// contradiction. So u comes before v. Both are open with their right costs, or were left out for a
/// total that is at least m. What is left to show of each algorithm is that then P costs at least
/// its bound, which is at least m: a contradiction. Let e be the least cost of a rule.
///
/// # Uniform cost
/// Nodes are expanded in the order of their costs, on the side with fewer open ones. Let a and b be
/// the least costs of open nodes on the two sides. The bound is a + b + e: P costs at least a up to
/// u, at least e from u to v, and at least b from v on.
///
/// # BAE\*
/// (Sadhukhan 2013, "Bidirectional heuristic search based on error estimate".) Let h be a
/// consistent estimate to the end that a side aims at, and h' one from the end where it begins.
/// Nodes are expanded in the order of b = 2g + h - h', on the side with fewer open ones. The bound
/// is (a + b) / 2, rounded up to a multiple of the greatest common divisor of the costs, where a
/// and b are now the least values of b on the two sides. P costs g(u) + d + g(v), where d is the
/// cost from u to v. Since h and h' are consistent, h(u) is at most d + h(v), and h'(v) is at most
/// d + h'(u); so b(u) + b(v) = 2g(u) + h(u) - h'(u) + 2g(v) + h'(v) - h(v) is at most twice P's
/// cost. The estimates need to be right on P alone.
///
/// # NBS
/// (Chen, Holte, Zilles & Sturtevant 2017, "Front-to-end bidirectional heuristic search with
/// near-optimal node expansions".) The bound of a pair of open nodes, one of each side, is the
/// greatest of their values of f = g + h and of the sum of their costs and e. A pair with the least
/// bound is chosen, and both nodes are expanded; the bound of the search is the greatest of the
/// bounds of the pairs that came next. P costs at least the bound of u and v, so the estimates need
/// to be admissible only.
///
/// If they are consistent, the search expands at most twice as many nodes before its bound reaches
/// the least cost C as any algorithm must that knows no more of the game: of each pair with a bound
/// below C, one must be expanded, and the pairs that are chosen have no node in common, since each
/// node is expanded at its right cost: were its cost too high, then an open node on the right path
/// to it would cost less, and have a lower f. Its f would be below the bound, and of the nodes that
/// are as good as that the one with the least cost comes first.
pub(crate) fn from_both_ends(
    work: Work<'_, '_>,
    start: &[u64],
    goals: &mut Goals<'_>,
    method: Method<'_>,
) -> SolveReport {
    let space = work.space;
    match method {
        Method::Costs => by_choice(work, start, goals, method, Alternating::by_cost(space)),
        Method::Errors(_) => by_choice(work, start, goals, method, Alternating::by_error(space)),
        Method::Pairs(_) => by_choice(work, start, goals, method, Pairs::new(space)),
    }
}

fn by_choice(
    mut work: Work<'_, '_>,
    start: &[u64],
    goals: &mut Goals<'_>,
    method: Method<'_>,
    choice: impl Choice,
) -> SolveReport {
    let mut search = Search {
        sides: [FORWARD, BACKWARD].map(|side| Side::new(&work, side, method)),
        choice,
        best: None,
        overflow: false,
    };
    let outcome = search.run(&mut work, start, goals);
    let [forward, backward] = [FORWARD, BACKWARD].map(|side| search.stored(side));
    work.report(outcome, forward, Some(backward))
}

impl<C: Choice> Search<'_, C> {
    fn run(
        &mut self,
        work: &mut Work<'_, '_>,
        start: &[u64],
        goals: &mut Goals<'_>,
    ) -> Result<Outcome, StopReason> {
        work.heuristic_start = self.begin(work, FORWARD, start)?;
        let n_goals = goals.for_each(work, |work, goal| {
            let ahead = self.begin(work, BACKWARD, goal)?;
            Ok(ahead != DEAD_END)
        })?;
        let backward = &self.sides[BACKWARD].nodes;
        self.best = backward.store.find(start).map(|goal| Meeting {
            cost: 0,
            ids: [0, goal],
        });
        while let Some(bound) = self.bound(work)? {
            let least = u64::try_from(bound).unwrap_or(u64::MAX);
            work.countdown.set_bound(least);
            if self.best.is_some_and(|best| best.cost <= bound) {
                break;
            }
            work.proved = work.proved.max(Some(least));
            let Some((side, id)) = self.choice.pop(self.sides.each_ref().map(|it| &it.nodes))
            else {
                break;
            };
            self.expand(work, side, id)?;
        }
        match self.best {
            // The path that was left out has a cost of more than 64 bits.
            Some(best) if !self.overflow || best.cost <= u128::from(u64::MAX) => {
                Ok(self.joined(work.space, best, n_goals))
            }
            _ if self.overflow => Err(StopReason::CostOverflow),
            _ => Ok(Outcome::NoSolution),
        }
    }

    /// Store and open a state that the search begins with. Return the estimate of its cost to the
    /// other end; a dead end isn't stored.
    fn begin(
        &mut self,
        work: &mut Work<'_, '_>,
        side: usize,
        state: &[u64],
    ) -> Result<u64, StopReason> {
        work.by_depth.generated(0);
        let Side { nodes, guide, .. } = &mut self.sides[side];
        let judged = guide.as_mut().map(|it| it.judge(work.space, state));
        let Some((ahead, behind)) = judged.unwrap_or(Some((0, 0))) else {
            return Ok(DEAD_END);
        };
        let id = nodes.insert(hash(state), state, 0, NO_PARENT, &mut work.budget)?;
        let node = Reached {
            id,
            cost: 0,
            ahead,
            behind,
        };
        self.choice.push(side, node, &mut work.budget)?;
        Ok(ahead)
    }

    fn bound(&mut self, work: &mut Work<'_, '_>) -> Result<Option<u128>, StopReason> {
        let nodes = self.sides.each_ref().map(|side| &side.nodes);
        self.choice.bound(nodes, &mut work.budget)
    }

    fn stored(&self, side: usize) -> StoredStates {
        self.sides[side].nodes.stored(self.choice.bytes(side))
    }

    /// Join the two parts of a solution: from the start to the meeting state, and on to a goal.
    fn joined(&self, space: &Space, best: Meeting, n_goals: u32) -> Outcome {
        let [mut moves, to_goal] = [FORWARD, BACKWARD].map(|side| {
            let (onward, back) = (moves_of(space, side), moves_of(space, 1 - side));
            let n_roots = if side == FORWARD { 1 } else { n_goals };
            let nodes = &self.sides[side].nodes;
            nodes.rules_back(space, best.ids[side], [onward, back], n_roots)
        });
        moves.reverse();
        moves.extend(to_goal);
        let cost = space.cost_of(&moves);
        Outcome::Solved(Solution { moves, cost })
    }

    /// Expand a node.
    fn expand(&mut self, work: &mut Work<'_, '_>, side: usize, id: u32) -> Result<(), StopReason> {
        let space = work.space;
        work.countdown.node()?;
        let Self {
            sides: [forward, backward],
            choice,
            best,
            overflow,
        } = self;
        let (own, other) = match side {
            FORWARD => (forward, backward),
            _ => (backward, forward),
        };
        let Side {
            nodes,
            scratch,
            batch,
            guide,
        } = own;
        space.load(&nodes.store.get(id), scratch);
        nodes.close(id);
        work.counts.expanded += 1;
        work.by_depth.expanded(nodes.depth(id));
        let mut settling = Settling {
            side,
            parent: id,
            cost: nodes.costs.get(id),
            depth: nodes.depth(id) + 1,
            nodes,
            guide,
            other: &other.nodes,
            choice,
            best,
            overflow,
        };
        let moves = moves_of(space, side);
        let flow = moves.expand(&space.packing, scratch, |rule, child, _| {
            if !batch.push(child, id, rule) {
                return ControlFlow::Continue(());
            }
            match settling.settle(work, batch) {
                Ok(()) => ControlFlow::Continue(()),
                Err(reason) => ControlFlow::Break(reason),
            }
        });
        if let ControlFlow::Break(reason) = flow {
            return Err(reason);
        }
        settling.settle(work, batch)
    }
}

/// An expansion on its way.
struct Settling<'s, 'h, C> {
    side: usize,
    parent: u32,
    /// The cost of the parent.
    cost: u64,
    /// The depth of the children.
    depth: u64,
    nodes: &'s mut Nodes,
    guide: &'s mut Option<Guide<'h>>,
    other: &'s Nodes,
    choice: &'s mut C,
    best: &'s mut Option<Meeting>,
    overflow: &'s mut bool,
}

impl<C: Choice> Settling<'_, '_, C> {
    /// Store and open the children of a batch, and look for them on the other side.
    fn settle(&mut self, work: &mut Work<'_, '_>, batch: &mut Batch) -> Result<(), StopReason> {
        self.nodes.fetch(batch);
        self.other.fetch(batch);
        for place in 0..batch.len() {
            let (waiting, child) = batch.get(place);
            work.countdown.child()?;
            work.counts.generated += 1;
            work.by_depth.generated(self.depth);
            let Some(cost) = self.cost.checked_add(work.space.cost(waiting.rule)) else {
                *self.overflow = true;
                continue;
            };
            let known = self.nodes.store.find_by_hash(waiting.hash, child);
            if let Some(known) = known {
                work.counts.duplicates += 1;
                if self.nodes.costs.get(known) <= cost {
                    continue;
                }
            }
            let Some((ahead, behind)) = self.judge(work, child, cost, known.is_none()) else {
                continue;
            };
            let id = match known {
                Some(known) => {
                    let is_reopened = self.nodes.improve(known, cost, self.parent);
                    work.counts.reopened += u64::from(is_reopened);
                    known
                }
                None => {
                    let hash = waiting.hash;
                    let budget = &mut work.budget;
                    self.nodes.insert(hash, child, cost, self.parent, budget)?
                }
            };
            let node = Reached {
                id,
                cost,
                ahead,
                behind,
            };
            self.choice.push(self.side, node, &mut work.budget)?;
            if let Some(there) = self.other.store.find_by_hash(waiting.hash, child) {
                self.meet(node, there);
            }
        }
        batch.clear();
        Ok(())
    }

    /// Return the estimates of a child; `None` if it can't be on a better solution.
    fn judge(
        &mut self,
        work: &mut Work<'_, '_>,
        child: &[u64],
        cost: u64,
        is_new: bool,
    ) -> Option<(u64, u64)> {
        let Some(guide) = self.guide else {
            return Some((0, 0));
        };
        let Some((ahead, behind)) = guide.judge(work.space, child) else {
            work.counts.dead_ends += u64::from(is_new);
            return None;
        };
        let f = u128::from(cost) + u128::from(ahead);
        if self.best.is_some_and(|best| f >= best.cost) {
            work.counts.beyond += u64::from(is_new);
            return None;
        }
        Some((ahead, behind))
    }

    /// Compare the solution through a state that both sides have stored with the best one.
    fn meet(&mut self, node: Reached, there: u32) {
        let total = u128::from(node.cost) + u128::from(self.other.costs.get(there));
        if self.best.is_none_or(|best| total < best.cost) {
            let ids = match self.side {
                FORWARD => [node.id, there],
                _ => [there, node.id],
            };
            *self.best = Some(Meeting { cost: total, ids });
        }
    }
}
