//! Paths for searches in which one state stands for all its images under symmetries.

use std::ops::ControlFlow;

use psvn_ir::RuleId;

use crate::best_first::closed::nodes::Nodes;
use crate::best_first::space::Space;
use crate::best_first::space::images::Images;

/// Return the rules from the start, stored first, to an image of a stored state. The costs of rules
/// along the way are those of the search.
///
/// The parent of a stored state t is found among the states from which some rule leads to t: if a
/// rule led from the stored state p to an image of t, the image of that rule leads from an image of
/// p to t. Then the path is walked from the start: a rule that leads from p to an image of t has an
/// image that leads from any image of p to some image of t.
pub(super) fn path(space: &Space, nodes: &Nodes, images: &mut Images, id: u32) -> Vec<RuleId> {
    let mut chain = Vec::new();
    let mut at = id;
    while at != 0 {
        chain.push(at);
        at = match &nodes.parents {
            Some(parents) => parents.get(at as usize)[0],
            None => parent(space, nodes, images, at),
        };
    }
    let mut state = nodes.store.get(0).to_vec();
    let mut rules = Vec::with_capacity(chain.len());
    for id in chain.iter().rev() {
        let (rule, child) = step(space, images, &state, &nodes.store.get(*id))
            .expect("a rule leads from an image of a parent to an image of its child");
        rules.push(RuleId(rule));
        state = child;
    }
    rules
}

/// Return the cheapest rule that leads from a state to an image of another one, and the image.
fn step(space: &Space, images: &mut Images, from: &[u64], to: &[u64]) -> Option<(u32, Vec<u64>)> {
    let mut best: Option<(u32, Vec<u64>)> = None;
    let mut scratch = space.scratch(&space.forward);
    let moves = &space.forward;
    let flow: ControlFlow<()> =
        moves.children(&space.packing, from, &mut scratch, |rule, child| {
            let is_cheaper = best
                .as_ref()
                .is_none_or(|(other, _)| space.cost(rule) < space.cost(*other));
            if is_cheaper && images.of(child) == to {
                best = Some((rule, child.to_vec()));
            }
            ControlFlow::Continue(())
        });
    debug_assert!(flow.is_continue());
    best
}

/// Return a stored state from which a rule leads to an image of this state at no more than its
/// cost.
fn parent(space: &Space, nodes: &Nodes, images: &mut Images, id: u32) -> u32 {
    let (state, cost) = (nodes.store.get(id), nodes.costs.get(id));
    let mut candidates = Vec::new();
    let mut scratch = space.scratch(&space.backward);
    space.load(&state, &mut scratch);
    let backward = &space.backward;
    let flow: ControlFlow<()> = backward.expand(&space.packing, &mut scratch, |_, before, _| {
        candidates.extend(nodes.store.find(images.of(before)));
        ControlFlow::Continue(())
    });
    debug_assert!(flow.is_continue());
    let leads_here = |candidate: &u32| {
        let g = nodes.costs.get(*candidate);
        let step = (g < cost).then(|| step(space, images, &nodes.store.get(*candidate), &state));
        step.flatten()
            .and_then(|(rule, _)| g.checked_add(space.cost(rule)))
            .is_some_and(|total| total <= cost)
    };
    let found = candidates.into_iter().find(leads_here);
    found.expect("a state that was reached has a parent that costs less")
}
