//! Breadth-first search.

use std::ops::ControlFlow;

use psvn_ir::RuleId;

use crate::best_first::layers::Layers;
use crate::best_first::moves::Moves;
use crate::best_first::report::{BestFirstOutcome, BestFirstReport};
use crate::best_first::run::Run;
use crate::best_first::space::Space;
use crate::best_first::trace::Trace;
use crate::limits::StopReason;
use crate::report::Solution;

/// What a search does when it has stored a new state.
pub(crate) enum Look {
    /// Goes on.
    On,
    /// Ends here.
    Found,
}

/// Looks for a goal with the fewest moves, or, if `explore`, for all states.
///
/// Why the first goal is a nearest one: states are stored layer by layer, and by induction layer d
/// holds exactly the states that can be reached by d moves and no fewer; for the last move of a
/// shortest path to a state of depth d + 1 begins at depth d, and no state is taken twice. A goal
/// state is recognized as soon as it is stored, so no layer before has one.
pub(crate) fn breadth_first(mut run: Run<'_, '_>, start: &[u64], explore: bool) -> BestFirstReport {
    let mut layers = match Layers::new(run.space, &mut run.budget) {
        Ok(layers) => layers,
        Err(reason) => return run.nothing(reason),
    };
    let outcome = search(&mut run, &mut layers, start, explore);
    run.layers = layers.sizes();
    run.report(outcome, layers.stored(), None)
}

fn search(
    run: &mut Run<'_, '_>,
    layers: &mut Layers,
    start: &[u64],
    explore: bool,
) -> Result<BestFirstOutcome, StopReason> {
    let space = run.space;
    layers.insert_root(start, &mut run.budget)?;
    let mut scratch = space.scratch(&space.forward);
    space.load(start, &mut scratch);
    if !explore && space.is_goal(&scratch.row) {
        return Ok(BestFirstOutcome::Solved(Solution::default()));
    }
    let mut depth = 0;
    while !layers.last().is_empty() {
        depth += 1;
        run.pulse.set_bound(depth);
        let found = next_layer(run, layers, &space.forward, |row, _, _| {
            match !explore && space.is_goal(row) {
                true => Look::Found,
                false => Look::On,
            }
        })?;
        if let Some(goal) = found {
            let mut moves = rules_back(space, layers, goal, &space.forward, &space.backward, 1);
            moves.reverse();
            let cost = space.cost_of(&moves);
            return Ok(BestFirstOutcome::Solved(Solution { moves, cost }));
        }
    }
    Ok(BestFirstOutcome::NoSolution)
}

/// Expands the last layer and begins another one. `look` sees each new state: its values, its
/// packed form, its number.
pub(crate) fn next_layer(
    run: &mut Run<'_, '_>,
    layers: &mut Layers,
    moves: &Moves,
    mut look: impl FnMut(&[u32], &[u64], u32) -> Look,
) -> Result<Option<u32>, StopReason> {
    let space = run.space;
    let Run {
        pulse,
        budget,
        counts,
        ..
    } = run;
    let mut scratch = space.scratch(moves);
    let expanded = layers.last();
    layers.begin(budget)?;
    for id in expanded {
        pulse.node()?;
        space.load(layers.store.get(id), &mut scratch);
        counts.expanded += 1;
        let flow = moves.expand(&space.packing, &mut scratch, |_, child, row| {
            let mut visit = || {
                pulse.child()?;
                counts.generated += 1;
                if layers.store.find(child).is_some() {
                    counts.duplicates += 1;
                    return Ok(None);
                }
                let new = layers.insert(child, id, budget)?;
                space.packing.unpack(child, row);
                Ok(match look(row, child, new) {
                    Look::On => None,
                    Look::Found => Some(new),
                })
            };
            match visit() {
                Ok(None) => ControlFlow::Continue(()),
                Ok(Some(found)) => ControlFlow::Break(Ok(found)),
                Err(reason) => ControlFlow::Break(Err(reason)),
            }
        });
        match flow {
            ControlFlow::Continue(()) => layers.n_closed = id + 1,
            ControlFlow::Break(found) => return found.map(Some),
        }
    }
    Ok(None)
}

/// The rules from a state back to a root.
pub(crate) fn rules_back(
    space: &Space,
    layers: &Layers,
    from: u32,
    onward: &Moves,
    back: &Moves,
    n_roots: u32,
) -> Vec<RuleId> {
    let trace = Trace {
        space,
        store: &layers.store,
        parents: layers.parents.as_ref(),
        onward,
        back,
        path_cost: |id| layers.depth(id),
        rule_cost: |_| 1,
        n_roots,
    };
    trace.rules_back(from)
}
