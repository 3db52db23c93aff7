//! Textbook best-first search, with an open list that may hold a state several times.

use std::ops::ControlFlow;

use psvn_ir::RuleId;

use crate::best_first::closed::column::Column;
use crate::best_first::closed::store::StateStore;
use crate::best_first::open::OpenList;
use crate::best_first::open::ranking::{Ranking, Score, Ties};
use crate::best_first::report::StoredStates;
use crate::best_first::work::Work;
use crate::heuristic::{DEAD_END, Heuristic};
use crate::run::limits::StopReason;
use crate::run::report::{Outcome, Solution, SolveReport};

/// The score of a state that isn't closed.
const NOT_CLOSED: u128 = u128::MAX;

/// The entry of the start has no parent.
const ROOT: u32 = u32::MAX;

/// One entry of the open list.
#[derive(Clone, Copy, Debug)]
struct Entry {
    state: u32,
    /// The entry whose expansion made it.
    parent: u32,
    rule: u32,
    depth: u32,
    g: u64,
}

struct Tables {
    store: StateStore,
    /// By state: the score with which it was closed.
    closed: Column<u128>,
    entries: Column<Entry>,
    open: OpenList,
    n_closed: u64,
    n_open: u64,
}

/// Run Example 7-8 of "Algorithms in a Nutshell" (Heineman, Pollice & Selkow 2008); see
/// [`Ties::Nutshell`].
///
/// Every state that is reached for the first time is put in, and every entry is expanded; so there
/// is no solution when the list is empty. An entry that is taken out closes its state at its own
/// score, even if that is more than before. With an inconsistent estimate states may therefore be
/// expanded far more often than by [`a_star`](super::a_star::a_star).
pub(crate) fn nutshell(
    mut work: Work<'_, '_>,
    start: &[u64],
    heuristic: &dyn Heuristic,
    score: Score,
) -> SolveReport {
    let mut tables = Tables {
        store: StateStore::new(work.space.packing.size()),
        closed: Column::new(1),
        entries: Column::new(1),
        open: OpenList::new(),
        n_closed: 0,
        n_open: 0,
    };
    let outcome = search(&mut work, &mut tables, start, heuristic, score);
    let stored = StoredStates {
        closed: tables.n_closed,
        open: tables.n_open,
        table_bytes: tables.store.bytes() + tables.closed.bytes() + tables.entries.bytes(),
        open_bytes: tables.open.bytes(),
    };
    work.report(outcome, stored, None)
}

fn search(
    work: &mut Work<'_, '_>,
    tables: &mut Tables,
    start: &[u64],
    heuristic: &dyn Heuristic,
    score: Score,
) -> Result<Outcome, StopReason> {
    let space = work.space;
    let mut scratch = space.scratch(&space.forward);
    space.load(start, &mut scratch);
    work.heuristic_start = heuristic.estimate(scratch.row.as_slice());
    if work.heuristic_start == DEAD_END {
        return Ok(Outcome::NoSolution);
    }
    let mut ranking = Ranking::new(score, Ties::Nutshell);
    let root = Entry {
        state: 0,
        parent: ROOT,
        rule: 0,
        depth: 0,
        g: 0,
    };
    let rank = ranking.rank(0, work.heuristic_start);
    tables.closed.push(&[NOT_CLOSED], &mut work.budget)?;
    tables.store.insert(start, &mut work.budget)?;
    tables.entries.push(&[root], &mut work.budget)?;
    tables.open.push(rank, 0, &mut work.budget)?;
    tables.n_open = 1;
    work.by_depth.generated(0);
    let mut overflow = false;
    while let Some((rank, number)) = tables.open.pop() {
        work.countdown.node()?;
        work.countdown.set_bound(score.bound(rank.f));
        tables.n_open -= 1;
        let entry = tables.entries.get(number as usize)[0];
        let closed = &mut tables.closed.get_mut(entry.state as usize)[0];
        tables.n_closed += u64::from(*closed == NOT_CLOSED);
        *closed = rank.f;
        space.load(&tables.store.get(entry.state), &mut scratch);
        if space.is_goal(&scratch.row) {
            let moves = path(&tables.entries, entry);
            let cost = space.cost_of(&moves);
            return Ok(Outcome::Solved(Solution { moves, cost }));
        }
        work.counts.expanded += 1;
        work.by_depth.expanded(entry.depth.into());
        let Work {
            countdown,
            budget,
            counts,
            by_depth,
            ..
        } = &mut *work;
        let flow = space
            .forward
            .expand(&space.packing, &mut scratch, |rule, child, row| {
                let mut visit = || {
                    countdown.child()?;
                    counts.generated += 1;
                    by_depth.generated(u64::from(entry.depth) + 1);
                    let Some(g) = entry.g.checked_add(space.cost(rule)) else {
                        overflow = true;
                        return Ok(());
                    };
                    space.packing.unpack(child, row);
                    let estimate = heuristic.estimate(&*row);
                    if estimate == DEAD_END {
                        counts.dead_ends += 1;
                        return Ok(());
                    }
                    let known = tables.store.find(child);
                    let state = match known {
                        Some(state) => {
                            counts.duplicates += 1;
                            let closed = &mut tables.closed.get_mut(state as usize)[0];
                            if *closed != NOT_CLOSED {
                                if score.of(g, estimate) >= *closed {
                                    return Ok(());
                                }
                                *closed = NOT_CLOSED;
                                tables.n_closed -= 1;
                                counts.reopened += 1;
                            }
                            state
                        }
                        None => {
                            tables.closed.push(&[NOT_CLOSED], budget)?;
                            tables.store.insert(child, budget)?
                        }
                    };
                    let child = u32::try_from(tables.entries.len());
                    let child = child.ok().filter(|child| *child != ROOT);
                    let child = child.ok_or(StopReason::Memory)?;
                    let parent = number;
                    let made = Entry {
                        state,
                        parent,
                        rule,
                        // The depth is less than the number of entries, which fits.
                        depth: entry.depth + 1,
                        g,
                    };
                    tables.entries.push(&[made], budget)?;
                    let rank = ranking.rank(g, estimate);
                    tables.open.push(rank, child, budget)?;
                    tables.n_open += 1;
                    Ok(())
                };
                match visit() {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(reason) => ControlFlow::Break(reason),
                }
            });
        if let ControlFlow::Break(reason) = flow {
            return Err(reason);
        }
    }
    if overflow {
        return Err(StopReason::CostOverflow);
    }
    Ok(Outcome::NoSolution)
}

/// Return the rules from the start to an entry.
fn path(entries: &Column<Entry>, mut entry: Entry) -> Vec<RuleId> {
    let mut moves = Vec::new();
    while entry.parent != ROOT {
        moves.push(RuleId(entry.rule));
        entry = entries.get(entry.parent as usize)[0];
    }
    moves.reverse();
    moves
}
