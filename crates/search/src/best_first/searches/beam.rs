//! Beam search.

use std::ops::{ControlFlow, Range};

use crate::best_first::budget::Budget;
use crate::best_first::closed::nodes::{NO_PARENT, Nodes};
use crate::best_first::searches::a_star::estimates::Estimates;
use crate::best_first::space::Space;
use crate::best_first::space::moves::Scratch;
use crate::best_first::space::packed::hash;
use crate::best_first::work::Work;
use crate::heuristic::{DEAD_END, Heuristic};
use crate::run::limits::StopReason;
use crate::run::report::{Outcome, Solution, SolveReport};

/// Breadth-first search that keeps at most `width` states of each layer: those with the least
/// f = g + h, and of those the ones with the least h, then those made first.
///
/// Kept states aren't reached again. The first layer with a goal ends the search, with the goal of
/// least cost in it. Without a goal, nothing is proved if states were left out.
pub(crate) fn beam(
    mut work: Work<'_, '_>,
    start: &[u64],
    heuristic: &dyn Heuristic,
    width: u64,
) -> SolveReport {
    let mut search = Beam {
        space: work.space,
        nodes: Nodes::new(work.space, work.by_depth.is_wanted()),
        estimates: Estimates::new(work.space, heuristic),
        scratch: work.space.scratch(&work.space.forward),
        parent: start.to_vec(),
        candidates: Candidates::default(),
        width,
        left_out: false,
        overflow: false,
    };
    let outcome = search.run(&mut work, start);
    let stored = search.nodes.stored(0);
    work.report(outcome, stored, None)
}

struct Beam<'s, 'h> {
    space: &'s Space,
    nodes: Nodes,
    estimates: Estimates<'h>,
    scratch: Scratch,
    /// The state that is expanded.
    parent: Vec<u64>,
    candidates: Candidates,
    width: u64,
    /// Whether a state was left out because others were better.
    left_out: bool,
    /// Whether a path was left out because its cost overflows.
    overflow: bool,
}

/// The children of a layer.
#[derive(Default)]
struct Candidates {
    list: Vec<Candidate>,
    /// Their states, one after the other.
    states: Vec<u64>,
}

#[derive(Clone, Copy)]
struct Candidate {
    f: u128,
    h: u64,
    /// Its number in its layer.
    number: u32,
    parent: u32,
    hash: u64,
    cost: u64,
}

impl Candidates {
    fn push(
        &mut self,
        candidate: Candidate,
        state: &[u64],
        budget: &mut Budget,
    ) -> Result<(), StopReason> {
        for word in state {
            budget.push(&mut self.states, *word)?;
        }
        budget.push(&mut self.list, candidate)
    }
}

impl Beam<'_, '_> {
    fn run(&mut self, work: &mut Work<'_, '_>, start: &[u64]) -> Result<Outcome, StopReason> {
        work.heuristic_start = self.estimates.of(self.space, start);
        if work.heuristic_start == DEAD_END {
            return Ok(Outcome::NoSolution);
        }
        work.by_depth.generated(0);
        let budget = &mut work.budget;
        let root = self
            .nodes
            .insert(hash(start), start, 0, NO_PARENT, budget)?;
        if self.space.is_packed_goal(start) {
            return Ok(Outcome::Solved(Solution::default()));
        }
        let mut layer = root..root + 1;
        let mut depth = 0;
        while !layer.is_empty() {
            work.countdown.set_bound(depth + 1);
            for id in layer.clone() {
                self.expand(work, id, depth)?;
            }
            depth += 1;
            layer = self.keep(work)?;
            let goals = layer.clone();
            let goals = goals.filter(|id| self.space.is_packed_goal(&self.nodes.store.get(*id)));
            if let Some(goal) = goals.min_by_key(|id| self.nodes.costs.get(*id)) {
                return Ok(self.solved(goal));
            }
        }
        Ok(match (self.overflow, self.left_out) {
            (true, _) => Outcome::Stopped(StopReason::CostOverflow),
            (false, true) => Outcome::NotFound,
            (false, false) => Outcome::NoSolution,
        })
    }

    /// Make the children of a state.
    fn expand(&mut self, work: &mut Work<'_, '_>, id: u32, depth: u64) -> Result<(), StopReason> {
        work.countdown.node()?;
        work.counts.expanded += 1;
        work.by_depth.expanded(depth);
        self.nodes.close(id);
        let (space, g) = (self.space, self.nodes.costs.get(id));
        self.parent.copy_from_slice(&self.nodes.store.get(id));
        let Self {
            nodes,
            estimates,
            candidates,
            scratch,
            parent,
            overflow,
            ..
        } = self;
        let mut child = |rule: u32, state: &[u64]| {
            work.countdown.child()?;
            work.counts.generated += 1;
            work.by_depth.generated(depth + 1);
            let hash = hash(state);
            if nodes.store.find_by_hash(hash, state).is_some() {
                work.counts.duplicates += 1;
                return Ok(());
            }
            let Some(cost) = g.checked_add(space.cost(rule)) else {
                *overflow = true;
                return Ok(());
            };
            let h = estimates.of(space, state);
            if h == DEAD_END {
                work.counts.dead_ends += 1;
                return Ok(());
            }
            let number = u32::try_from(candidates.list.len()).map_err(|_| StopReason::Memory)?;
            let candidate = Candidate {
                f: u128::from(cost) + u128::from(h),
                h,
                number,
                parent: id,
                hash,
                cost,
            };
            candidates.push(candidate, state, &mut work.budget)
        };
        let moves = &space.forward;
        let flow = moves.children(&space.packing, parent, scratch, |rule, state| {
            match child(rule, state) {
                Ok(()) => ControlFlow::Continue(()),
                Err(reason) => ControlFlow::Break(reason),
            }
        });
        match flow {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(reason) => Err(reason),
        }
    }

    /// Keep the best candidates, as the next layer.
    fn keep(&mut self, work: &mut Work<'_, '_>) -> Result<Range<u32>, StopReason> {
        let first = self.n_stored();
        let Candidates { list, states } = &mut self.candidates;
        list.sort_unstable_by_key(|it| (it.f, it.h, it.number));
        let n_words = self.space.packing.n_words();
        let mut n_kept = 0;
        for (n_judged, candidate) in list.iter().enumerate() {
            let place = candidate.number as usize * n_words;
            let state = &states[place..place + n_words];
            if self
                .nodes
                .store
                .find_by_hash(candidate.hash, state)
                .is_some()
            {
                work.counts.duplicates += 1;
                continue;
            }
            if n_kept == self.width {
                self.left_out = true;
                work.counts.beyond += (list.len() - n_judged) as u64;
                break;
            }
            n_kept += 1;
            let Candidate {
                hash, cost, parent, ..
            } = *candidate;
            self.nodes
                .insert(hash, state, cost, parent, &mut work.budget)?;
        }
        list.clear();
        states.clear();
        Ok(first..self.n_stored())
    }

    /// The number of stored states; the store has no more than 32 bits count.
    fn n_stored(&self) -> u32 {
        self.nodes.store.len() as u32
    }

    fn solved(&self, goal: u32) -> Outcome {
        let (ahead, back) = (&self.space.forward, &self.space.backward);
        let mut moves = self.nodes.rules_back(self.space, goal, [ahead, back], 1);
        moves.reverse();
        let cost = self.space.cost_of(&moves);
        Outcome::Solved(Solution { moves, cost })
    }
}
