//! Paths from a stored state back to where its search began.
//!
//! Where every move costs something, no links are needed. A state t with path cost g was reached
//! from some stored state p by a rule of cost c, and the present cost of p is at most g - c, since
//! costs only ever fall. The search for p goes through the states from which a rule leads to t. The
//! cost of p is less than g, so the path back ends. p may differ from the state from which t was
//! first reached; the resulting path costs at most g.
//!
//! Where moves are free this argument fails, since the path back could be a cycle. Where rules lose
//! many values, too many states would have to be looked up. In both cases links are kept, 4 bytes
//! each.

use std::ops::ControlFlow;

use psvn_ir::RuleId;

use crate::best_first::closed::column::Column;
use crate::best_first::closed::store::StateStore;
use crate::best_first::space::Space;
use crate::best_first::space::moves::{Moves, Scratch};

/// The states of one direction of a search, for tracing paths.
pub(crate) struct Trace<'t, G, C> {
    pub(crate) space: &'t Space,
    pub(crate) store: &'t StateStore,
    pub(crate) parents: Option<&'t Column<u32>>,
    /// The moves of the search.
    pub(crate) onward: &'t Moves,
    /// The moves that lead back.
    pub(crate) back: &'t Moves,
    /// The path cost of a state.
    pub(crate) path_cost: G,
    /// The cost of a rule.
    pub(crate) rule_cost: C,
    /// The number of states that the search began with; they are stored first.
    pub(crate) n_roots: u32,
}

impl<G: Fn(u32) -> u64, C: Fn(u32) -> u64> Trace<'_, G, C> {
    /// Return the rules from a state back to a root, last rule first.
    pub(crate) fn rules_back(&self, from: u32) -> Vec<RuleId> {
        let moves = match self.parents {
            Some(_) => self.onward,
            None => self.back,
        };
        let mut scratch = self.space.scratch(moves);
        let mut rules = Vec::new();
        let mut id = from;
        while id >= self.n_roots {
            let (rule, parent) = match self.parents {
                Some(parents) => self.by_link(id, parents.get(id as usize)[0], &mut scratch),
                None => self.by_cost(id, &mut scratch),
            };
            rules.push(RuleId(rule));
            id = parent;
        }
        rules
    }

    fn by_link(&self, id: u32, parent: u32, scratch: &mut Scratch) -> (u32, u32) {
        let target = self.store.get(id);
        self.space.load(&self.store.get(parent), scratch);
        let mut best: Option<u32> = None;
        let _: ControlFlow<()> =
            self.onward
                .expand(&self.space.packing, scratch, |rule, child, _| {
                    let cheaper = |best| (self.rule_cost)(rule) < (self.rule_cost)(best);
                    if *child == *target && best.is_none_or(cheaper) {
                        best = Some(rule);
                    }
                    ControlFlow::Continue(())
                });
        (
            best.expect("a rule leads from a parent to its child"),
            parent,
        )
    }

    /// Return whether a rule leads from a state to its child. Where variables are packed together,
    /// a backward move may lead to a state in which no fact of a group holds, or two hold; the bits
    /// of such a state are those of another one.
    fn leads(&self, rule: u32, before: &[u64], state: &[u64]) -> bool {
        let packing = &self.space.packing;
        if !packing.has_groups() {
            return true;
        }
        let mut scratch = self.space.scratch(self.onward);
        let flow = self
            .onward
            .children(packing, before, &mut scratch, |its_rule, child| {
                if its_rule == rule && child == state {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
        flow.is_break()
    }

    fn by_cost(&self, id: u32, scratch: &mut Scratch) -> (u32, u32) {
        let cost = (self.path_cost)(id);
        let state = self.store.get(id);
        self.space.load(&state, scratch);
        let found = self
            .back
            .expand(&self.space.packing, scratch, |rule, before, _| {
                match self.store.find(before) {
                    Some(parent)
                        if (self.path_cost)(parent)
                            .checked_add((self.rule_cost)(rule))
                            .is_some_and(|total| total <= cost)
                            && self.leads(rule, before, &state) =>
                    {
                        ControlFlow::Break((rule, parent))
                    }
                    _ => ControlFlow::Continue(()),
                }
            });
        match found {
            ControlFlow::Break(step) => step,
            ControlFlow::Continue(()) => {
                unreachable!("a state that was reached has a parent that costs less")
            }
        }
    }
}
