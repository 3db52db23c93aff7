//! Uniform cost, A*, weighted A* and greedy best-first search.

use std::ops::ControlFlow;

use psvn_ir::RuleId;

use crate::best_first::closed::batch::Batch;
use crate::best_first::closed::nodes::{NO_PARENT, Nodes};
use crate::best_first::closed::trace::Trace;
use crate::best_first::open::OpenList;
use crate::best_first::open::ranking::Ranking;
use crate::best_first::space::Space;
use crate::best_first::space::moves::Moves;
use crate::best_first::space::packed::hash;
use crate::best_first::work::Work;
use crate::heuristic::DEAD_END;
use crate::heuristic::erased::Erased;
use crate::run::limits::StopReason;
use crate::run::report::{Outcome, Solution, SolveReport};

/// Best-first search by a score: f = g + w h, with reopening, or h alone, without.
///
/// Let C be the least cost of a path to a goal, P a path of that cost, and h admissible.
///
/// *At any time before the end, an open node of P has its least cost g\*:* namely the first node of
/// P that isn't closed at its least cost. The nodes before it were expanded at their least costs,
/// so it was reached at its own, whatever the order; and a state reached at less than its stored
/// cost is reopened. (It is not a dead end, as a goal can be reached from it.)
///
/// *w at most 1:* that node has f = g\* + w h at most g\* + h, which is at most C. A goal is
/// recognized when it is taken out of the list; its f, which is at least g, is then at most C. So
/// the first goal that is taken out costs C.
///
/// *w above 1:* the node has f at most g\* + w (C - g\*), which is at most w C; so the goal costs
/// at most w C.
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
pub(crate) fn a_star(
    mut work: Work<'_, '_>,
    start: &[u64],
    heuristic: Erased<'_>,
    ranking: Ranking,
) -> SolveReport {
    let has_depths = work.by_depth.is_wanted();
    let mut nodes = match Nodes::new(work.space, has_depths, &mut work.budget) {
        Ok(nodes) => nodes,
        Err(reason) => return work.nothing(reason),
    };
    let mut open = OpenList::new();
    let outcome = search(&mut work, &mut nodes, &mut open, start, heuristic, ranking);
    work.report(outcome, nodes.stored(&open), None)
}

fn search(
    work: &mut Work<'_, '_>,
    nodes: &mut Nodes,
    open: &mut OpenList,
    start: &[u64],
    heuristic: Erased<'_>,
    mut ranking: Ranking,
) -> Result<Outcome, StopReason> {
    let space = work.space;
    let mut scratch = space.scratch(&space.forward);
    space.load(start, &mut scratch);
    work.heuristic_start = heuristic.estimate(scratch.row.as_slice());
    if work.heuristic_start == DEAD_END {
        return Ok(Outcome::NoSolution);
    }
    let Work {
        pulse,
        budget,
        counts,
        by_depth,
        ..
    } = work;
    let score = ranking.score;
    by_depth.generated(0);
    let root = nodes.insert(hash(start), start, 0, NO_PARENT, budget)?;
    open.push(ranking.rank(0, work.heuristic_start), root, budget)?;
    let mut overflow = false;
    let mut batch = Batch::new(space.packing.n_words());
    let mut row = vec![0; space.n_variables()];
    while let Some((rank, id)) = open.pop() {
        // The node was put in again at a better rank, and expanded then.
        if nodes.is_closed(id) {
            continue;
        }
        let g = nodes.costs.get(id);
        pulse.node()?;
        pulse.set_bound(score.bound(rank.f));
        space.load(nodes.store.get(id), &mut scratch);
        if space.is_goal(&scratch.row) {
            let mut moves = rules_back(space, nodes, id, &space.forward, &space.backward, 1);
            moves.reverse();
            let cost = space.cost_of(&moves);
            return Ok(Outcome::Solved(Solution { moves, cost }));
        }
        nodes.close(id);
        counts.expanded += 1;
        let depth = nodes.depth(id);
        by_depth.expanded(depth);
        let mut settle = |batch: &mut Batch| {
            batch.fetch(&nodes.store);
            for place in 0..batch.len() {
                let (waiting, child) = batch.get(place);
                pulse.child()?;
                counts.generated += 1;
                by_depth.generated(depth + 1);
                let Some(cost) = g.checked_add(space.cost(waiting.rule)) else {
                    overflow = true;
                    continue;
                };
                let known = nodes.store.find_by_hash(waiting.hash, child);
                if let Some(known) = known {
                    counts.duplicates += 1;
                    if nodes.costs.get(known) <= cost || !score.counts_cost() {
                        continue;
                    }
                }
                space.packing.unpack(child, &mut row);
                let estimate = heuristic.estimate(row.as_slice());
                let node = match known {
                    Some(known) => {
                        counts.reopened += u64::from(nodes.improve(known, cost, id));
                        known
                    }
                    None if estimate == DEAD_END => {
                        counts.dead_ends += 1;
                        continue;
                    }
                    None => nodes.insert(waiting.hash, child, cost, id, budget)?,
                };
                open.push(ranking.rank(cost, estimate), node, budget)?;
            }
            batch.clear();
            Ok(())
        };
        let flow = space
            .forward
            .expand(&space.packing, &mut scratch, |rule, child, _| {
                if !batch.push(child, id, rule) {
                    return ControlFlow::Continue(());
                }
                match settle(&mut batch) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(reason) => ControlFlow::Break(reason),
                }
            });
        if let ControlFlow::Break(reason) = flow {
            return Err(reason);
        }
        settle(&mut batch)?;
    }
    if overflow {
        return Err(StopReason::CostOverflow);
    }
    Ok(Outcome::NoSolution)
}

/// Return the rules from a state back to a root.
pub(crate) fn rules_back(
    space: &Space,
    nodes: &Nodes,
    from: u32,
    onward: &Moves,
    back: &Moves,
    n_roots: u32,
) -> Vec<RuleId> {
    let trace = Trace {
        space,
        store: &nodes.store,
        parents: nodes.parents.as_ref(),
        onward,
        back,
        path_cost: |id| nodes.costs.get(id),
        rule_cost: |rule| space.cost(rule),
        n_roots,
    };
    trace.rules_back(from)
}
