//! Breadth-first search.

use std::ops::ControlFlow;

use crate::best_first::closed::batch::Batch;
use crate::best_first::closed::layers::Layers;
use crate::best_first::closed::trace::Trace;
use crate::best_first::work::Work;
use crate::run::limits::StopReason;
use crate::run::report::{Outcome, Solution, SolveReport};

/// Find a goal with the fewest moves, or, with `explore`, store all states.
///
/// The first goal found is a nearest one. States are stored layer by layer. By induction layer d
/// holds exactly the states at distance d: the last move of a shortest path to a state at distance
/// d + 1 begins at distance d, and no state is stored twice. A goal state is recognized as soon as
/// it is stored, so no earlier layer has one.
pub(crate) fn breadth_first(mut work: Work<'_, '_>, start: &[u64], explore: bool) -> SolveReport {
    let mut layers = match Layers::new(work.space, &mut work.budget) {
        Ok(layers) => layers,
        Err(reason) => return work.nothing(reason),
    };
    let outcome = search(&mut work, &mut layers, start, explore);
    work.layers = layers.sizes();
    work.report(outcome, layers.stored(), None)
}

fn search(
    work: &mut Work<'_, '_>,
    layers: &mut Layers,
    start: &[u64],
    explore: bool,
) -> Result<Outcome, StopReason> {
    let space = work.space;
    layers.insert_root(start, &mut work.budget)?;
    work.by_depth.generated(0);
    let mut scratch = space.scratch(&space.forward);
    space.load(start, &mut scratch);
    if !explore && space.is_goal(&scratch.row) {
        return Ok(Outcome::Solved(Solution::default()));
    }
    let mut depth = 0;
    while !layers.last().is_empty() {
        depth += 1;
        work.countdown.set_bound(depth);
        let is_wanted = |state: &[u64]| !explore && space.is_packed_goal(state);
        let found = next_layer(work, layers, is_wanted)?;
        if let Some(goal) = found {
            let trace = Trace {
                space,
                store: &layers.store,
                parents: layers.parents.as_ref(),
                onward: &space.forward,
                back: &space.backward,
                path_cost: |id| layers.depth(id),
                rule_cost: |_| 1,
                n_roots: 1,
            };
            let mut moves = trace.rules_back(goal);
            moves.reverse();
            let cost = space.cost_of(&moves);
            return Ok(Outcome::Solved(Solution { moves, cost }));
        }
    }
    Ok(Outcome::NoSolution)
}

/// Expand the last layer and begin another one, up to the first new state, packed, that is wanted.
/// Return the number of that state.
fn next_layer(
    work: &mut Work<'_, '_>,
    layers: &mut Layers,
    is_wanted: impl Fn(&[u64]) -> bool,
) -> Result<Option<u32>, StopReason> {
    let space = work.space;
    let moves = &space.forward;
    let mut scratch = space.scratch(moves);
    let expanded = layers.last();
    layers.begin(&mut work.budget)?;
    let mut layer = NextLayer {
        batch: Batch::new(space.packing.n_words()),
        begun: Vec::new(),
        is_wanted,
    };
    for id in expanded.clone() {
        space.load(&layers.store.get(id), &mut scratch);
        layer.begun.push((layer.batch.len(), id));
        let flow = moves.expand(&space.packing, &mut scratch, |rule, child, _| {
            let is_full = layer.batch.push(child, id, rule);
            layers.store.fetch_index(layer.batch.last_hash());
            if !is_full {
                return ControlFlow::Continue(());
            }
            match layer.settle(work, layers) {
                Ok(None) => ControlFlow::Continue(()),
                end => ControlFlow::Break(end),
            }
        });
        if let ControlFlow::Break(end) = flow {
            return end;
        }
        // Nodes without children never fill a batch, but must not wait forever.
        if layer.begun.len() >= MOST_BEGUN
            && let Some(found) = layer.settle(work, layers)?
        {
            return Ok(Some(found));
        }
    }
    let found = layer.settle(work, layers)?;
    if found.is_none() {
        layers.n_closed = expanded.end;
    }
    Ok(found)
}

/// The maximum number of nodes that wait for their children to be stored.
const MOST_BEGUN: usize = 1 << 10;

/// A layer under construction. Children are made in batches and stored one by one.
struct NextLayer<W> {
    batch: Batch,
    /// The nodes being expanded, each with the place of its first child in the batch.
    begun: Vec<(usize, u32)>,
    is_wanted: W,
}

impl<W: Fn(&[u64]) -> bool> NextLayer<W> {
    /// Store the children in the batch. All counts are as if each child had been stored when it was
    /// made.
    fn settle(
        &mut self,
        work: &mut Work<'_, '_>,
        layers: &mut Layers,
    ) -> Result<Option<u32>, StopReason> {
        let depth = layers.last_depth();
        layers.store.fetch(self.batch.hashes(), |_| ());
        let mut begun = self.begun.iter().copied().peekable();
        for place in 0..=self.batch.len() {
            while let Some((_, id)) = begun.next_if(|(first, _)| *first == place) {
                work.countdown.node()?;
                work.counts.expanded += 1;
                work.by_depth.expanded(depth - 1);
                layers.n_closed = id;
            }
            if place == self.batch.len() {
                break;
            }
            let (child, state) = self.batch.get(place);
            work.countdown.child()?;
            work.counts.generated += 1;
            work.by_depth.generated(depth);
            if layers.store.find_by_hash(child.hash, state).is_some() {
                work.counts.duplicates += 1;
                continue;
            }
            let new = layers.insert(child.hash, state, child.parent, &mut work.budget)?;
            if (self.is_wanted)(state) {
                return Ok(Some(new));
            }
        }
        self.batch.clear();
        self.begun.clear();
        Ok(None)
    }
}
