//! Uniform cost, A*, weighted A* and greedy best-first search.

pub(crate) mod estimates;
mod orbits;

use std::ops::ControlFlow;

use crate::best_first::closed::batch::Batch;
use crate::best_first::closed::nodes::{NO_PARENT, Nodes};
use crate::best_first::open::OpenList;
use crate::best_first::open::ranking::Ranking;
use crate::best_first::searches::a_star::estimates::Estimates;
use crate::best_first::space::Space;
use crate::best_first::space::images::Images;
use crate::best_first::space::packed::hash;
use crate::best_first::work::Work;
use crate::heuristic::{DEAD_END, Heuristic};
use crate::run::limits::StopReason;
use crate::run::report::{Outcome, Solution, SolveReport};

/// While a node is expanded, the node this many places after it is prefetched.
const AHEAD: u32 = 2;

/// Best-first search by a score: f = g + w h, with reopening, or h alone, without.
///
/// Let C be the least cost of a path to a goal, P a path of that cost, and h admissible.
///
/// *At any time before the end, an open node of P has its least cost g\*,* namely the first node of
/// P that isn't closed at its least cost. The nodes before it on P were expanded at their least
/// costs, so it was reached at its least cost too, in whatever order nodes are expanded; and a
/// state reached at less than its stored cost is reopened. (It is not a dead end, since a goal can
/// be reached from it.)
///
/// *w at most 1:* that node has f = g\* + w h at most g\* + h, which is at most C. A goal is
/// recognized when it is taken out of the list; its f, which is at least g, is then at most C. So
/// the first goal that is taken out costs C.
///
/// *w above 1:* the node has f at most g\* + w (C - g\*), which is at most w C; so the goal that is
/// taken out costs at most w C.
///
/// *Dead ends* aren't stored: there are no goals below them. *No solution* is reported when the
/// list is empty; then every state that is reachable without passing a dead end was expanded. The
/// search ends because the cost of a state falls only finitely often.
///
/// All this holds for inconsistent heuristics and free rules too.
///
/// *By h alone* (greedy best-first search, Doran & Michie 1966) the first goal that is taken out
/// may have any cost. States keep the path by which they were first found, since another path
/// doesn't change their rank.
///
/// *Below a cost:* states are left out whose g + h isn't less. A node of P is never left out if C
/// is less, so a solution is found as above; and if the list becomes empty, C is not less.
///
/// *With symmetries:* a state is stored as the representative of its images under symmetries, which
/// map rules to rules of the same cost, goals to goals, and the start to itself. So all images of a
/// state have the same least costs from the start and to a goal, and all that was said of states
/// holds for sets of images.
pub(crate) fn a_star(
    mut work: Work<'_, '_>,
    start: &[u64],
    heuristic: &dyn Heuristic,
    ranking: Ranking,
    below: Option<u64>,
    images: Option<Images>,
) -> SolveReport {
    let has_depths = work.by_depth.is_wanted();
    let mut nodes = Nodes::new(work.space, has_depths);
    let mut open = OpenList::new();
    let estimates = Estimates::new(work.space, heuristic);
    let tables = (&mut nodes, &mut open);
    let outcome = search(
        &mut work,
        tables,
        start,
        estimates,
        (ranking, below),
        images,
    );
    work.report(outcome, nodes.stored(open.bytes()), None)
}

fn search(
    work: &mut Work<'_, '_>,
    (nodes, open): (&mut Nodes, &mut OpenList),
    start: &[u64],
    mut estimates: Estimates<'_>,
    (mut ranking, below): (Ranking, Option<u64>),
    mut images: Option<Images>,
) -> Result<Outcome, StopReason> {
    let space = work.space;
    let mut scratch = space.scratch(&space.forward);
    work.heuristic_start = estimates.of(space, start);
    if work.heuristic_start == DEAD_END || below.is_some_and(|it| work.heuristic_start >= it) {
        return Ok(Outcome::NoSolution);
    }
    work.by_depth.generated(0);
    let root = nodes.insert(hash(start), start, 0, NO_PARENT, &mut work.budget)?;
    let rank = ranking.rank(0, work.heuristic_start);
    open.push(rank, root, &mut work.budget)?;
    let score = ranking.score;
    let mut search = Search {
        space,
        work,
        nodes,
        open,
        estimates,
        ranking,
        below,
        overflow: false,
    };
    let mut batch = Batch::new(space.packing.n_words());
    let mut parent = start.to_vec();
    let mut bound = None;
    while let Some((rank, id)) = search.open.pop() {
        if let Some(soon) = search.open.ahead(AHEAD) {
            search.nodes.fetch_node(soon);
        }
        // The node was put in again at a better rank and is expanded already.
        if search.nodes.is_closed(id) {
            continue;
        }
        search.work.countdown.node()?;
        if bound != Some(rank.f) {
            bound = Some(rank.f);
            let least = score.bound(rank.f);
            search.work.countdown.set_bound(least);
            // While a node of a cheapest path is open, no solution costs less than the first f.
            if score.is_admissible() {
                search.work.proved = search.work.proved.max(Some(least));
            }
        }
        parent.copy_from_slice(&search.nodes.store.get(id));
        if space.is_packed_goal(&parent) {
            let moves = match &mut images {
                Some(images) => orbits::path(space, search.nodes, images, id),
                None => {
                    let (ahead, back) = (&space.forward, &space.backward);
                    let mut moves = search.nodes.rules_back(space, id, [ahead, back], 1);
                    moves.reverse();
                    moves
                }
            };
            let cost = space.cost_of(&moves);
            return Ok(Outcome::Solved(Solution { moves, cost }));
        }
        let node = search.begin(id);
        let moves = &space.forward;
        let flow = moves.children(&space.packing, &parent, &mut scratch, |rule, child| {
            #[cfg(debug_assertions)]
            moves.check(&space.packing, &parent, (rule, child));
            let child = match &mut images {
                Some(images) => images.of(child),
                None => child,
            };
            let is_full = batch.push(child, id, rule);
            search.nodes.store.fetch_index(batch.last_hash());
            search.estimates.fetch(child);
            if !is_full {
                return ControlFlow::Continue(());
            }
            match search.settle(&mut batch, node) {
                Ok(()) => ControlFlow::Continue(()),
                Err(reason) => ControlFlow::Break(reason),
            }
        });
        if let ControlFlow::Break(reason) = flow {
            return Err(reason);
        }
        search.settle(&mut batch, node)?;
    }
    if search.overflow {
        return Err(StopReason::CostOverflow);
    }
    Ok(Outcome::NoSolution)
}

/// A node being expanded: its number, its path cost, and the moves to it.
#[derive(Clone, Copy)]
struct Node {
    id: u32,
    g: u64,
    depth: u64,
}

/// A running search.
struct Search<'r, 's, 'p, 'h> {
    space: &'s Space,
    work: &'r mut Work<'s, 'p>,
    nodes: &'r mut Nodes,
    open: &'r mut OpenList,
    estimates: Estimates<'h>,
    ranking: Ranking,
    /// States whose g + h isn't below this are left out.
    below: Option<u64>,
    /// Whether a path was left out because its cost overflows.
    overflow: bool,
}

impl Search<'_, '_, '_, '_> {
    /// Begin to expand a node.
    fn begin(&mut self, id: u32) -> Node {
        self.nodes.close(id);
        self.work.counts.expanded += 1;
        let depth = self.nodes.depth(id);
        self.work.by_depth.expanded(depth);
        let g = self.nodes.costs.get(id);
        Node { id, g, depth }
    }

    /// Store the children in the batch, and put them into the open list.
    fn settle(&mut self, batch: &mut Batch, node: Node) -> Result<(), StopReason> {
        let Work {
            countdown,
            budget,
            counts,
            by_depth,
            ..
        } = &mut *self.work;
        let nodes = &mut *self.nodes;
        nodes.fetch(batch);
        for place in 0..batch.len() {
            let (waiting, child) = batch.get(place);
            countdown.child()?;
            counts.generated += 1;
            by_depth.generated(node.depth + 1);
            let Some(cost) = node.g.checked_add(self.space.cost(waiting.rule)) else {
                self.overflow = true;
                continue;
            };
            let known = nodes.store.find_by_hash(waiting.hash, child);
            if let Some(known) = known {
                counts.duplicates += 1;
                if nodes.costs.get(known) <= cost || !self.ranking.score.counts_cost() {
                    continue;
                }
            }
            let estimate = self.estimates.of(self.space, child);
            let total = u128::from(cost) + u128::from(estimate);
            let is_beyond = self.below.is_some_and(|below| total >= below.into());
            if estimate != DEAD_END && is_beyond {
                counts.beyond += u64::from(known.is_none());
                continue;
            }
            let id = match known {
                Some(known) => {
                    counts.reopened += u64::from(nodes.improve(known, cost, node.id));
                    known
                }
                None if estimate == DEAD_END => {
                    counts.dead_ends += 1;
                    continue;
                }
                None => nodes.insert(waiting.hash, child, cost, node.id, budget)?,
            };
            let rank = self.ranking.rank(cost, estimate);
            self.open.push(rank, id, budget)?;
        }
        batch.clear();
        Ok(())
    }
}
