//! Textbook best-first search, with an open list that may hold a state several times.

use std::ops::ControlFlow;

use psvn_ir::RuleId;

use crate::best_first::budget::Budget;
use crate::best_first::closed::column::Column;
use crate::best_first::closed::store::StateStore;
use crate::best_first::open::OpenList;
use crate::best_first::open::rank::Rank;
use crate::best_first::open::ranking::{Ranking, Score, Ties};
use crate::best_first::report::StoredStates;
use crate::best_first::work::{Counts, Work};
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

impl Tables {
    /// Return the number of a state that was reached at this score, and that is to be opened: a new
    /// one, or one that isn't closed at this score or a lower one.
    fn reached(
        &mut self,
        state: &[u64],
        total: u128,
        counts: &mut Counts,
        budget: &mut Budget,
    ) -> Result<Option<u32>, StopReason> {
        let Some(known) = self.store.find(state) else {
            self.closed.push(&[NOT_CLOSED], budget)?;
            return self.store.insert(state, budget).map(Some);
        };
        counts.duplicates += 1;
        let closed = &mut self.closed.get_mut(known as usize)[0];
        if *closed != NOT_CLOSED {
            if total >= *closed {
                return Ok(None);
            }
            *closed = NOT_CLOSED;
            self.n_closed -= 1;
            counts.reopened += 1;
        }
        Ok(Some(known))
    }

    /// Add an entry to the open list.
    fn put(&mut self, made: Entry, rank: Rank, budget: &mut Budget) -> Result<(), StopReason> {
        let number = u32::try_from(self.entries.len());
        let number = number.ok().filter(|number| *number != ROOT);
        let number = number.ok_or(StopReason::Memory)?;
        self.entries.push(&[made], budget)?;
        self.open.push(rank, number, budget)?;
        self.n_open += 1;
        Ok(())
    }
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
                    let total = score.of(g, estimate);
                    let Some(state) = tables.reached(child, total, counts, budget)? else {
                        return Ok(());
                    };
                    let made = Entry {
                        state,
                        parent: number,
                        rule,
                        // The depth is less than the number of entries, which fits.
                        depth: entry.depth + 1,
                        g,
                    };
                    tables.put(made, ranking.rank(g, estimate), budget)?;
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
