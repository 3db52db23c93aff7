//! The graph of a plan: its plan states, and those that follow them.
//!
//! It knows rules and lists by their numbers, so it is the same for all packed states and is
//! compiled once. [`Plan`](super::Plan) adds the changes and tests of the rules.

use super::lists::ListIndex;
use super::open_plies::OpenTable;
use super::{PlanState, PlanStateId, ROOT};

/// The maximum number of steps taken to find out whether a tree is small.
const MAX_STEPS_TO_TELL: u64 = 1 << 18;

/// Plan states, and those that follow them.
pub(crate) struct Graph {
    pub(super) plan_states: Vec<PlanState>,
    /// By place, see [`PlanState::next`].
    pub(super) next: Vec<PlanStateId>,
    /// Sets of 64 rules each.
    pub(super) goal_rules: Vec<u64>,
    pub(super) open: OpenTable,
    pub(crate) lists: ListIndex,
}

impl Graph {
    /// Return a plan state.
    #[inline(always)]
    pub(crate) fn plan_state(&self, id: PlanStateId) -> PlanState {
        self.plan_states[id as usize]
    }

    /// Return the plan state after rule number `i` of a plan state's list.
    #[inline(always)]
    pub(crate) fn next(&self, plan_state: PlanState, i: usize) -> PlanStateId {
        self.next[plan_state.next as usize + i]
    }

    /// Return the plan states after the rules of a plan state's list.
    #[inline(always)]
    pub(crate) fn plan_states_after(&self, plan_state: PlanState) -> &[PlanStateId] {
        &self.next[plan_state.next as usize..][..plan_state.n as usize]
    }

    /// Return which of the 64 rules of a plan state's list from place `block` on may lead to a
    /// goal: each of the others leaves a value that no goal has.
    #[inline(always)]
    pub(crate) fn goal_rules(&self, plan_state: PlanState, block: usize) -> u64 {
        if plan_state.may_reach_goal() {
            self.goal_rules[plan_state.goals as usize + block / 64]
        } else {
            0
        }
    }

    /// Return whether the tree down to a depth has at most `most` nodes, whichever rules apply.
    /// Also `false` where finding out would take long.
    pub(crate) fn is_small(&self, depth: u64, most: u64) -> bool {
        let n_edges = self.next.len().max(self.plan_states.len()) as u64;
        if n_edges.saturating_mul(depth) > MAX_STEPS_TO_TELL {
            return false;
        }
        let mut below = vec![0_u64; self.plan_states.len()];
        for _ in 0..depth {
            let nodes = self.plan_states.iter().map(|plan_state| {
                let after = self.plan_states_after(*plan_state).iter();
                after.fold(0, |sum: u64, id| {
                    sum.saturating_add(below[*id as usize] + 1)
                })
            });
            below = nodes.collect();
            // Cap the counts: the cap isn't small, and the sums can't overflow.
            below
                .iter_mut()
                .for_each(|nodes| *nodes = (*nodes).min(u64::MAX / 2));
            if below[ROOT as usize] > most {
                return false;
            }
        }
        true
    }

    /// Return the number of plan states.
    pub(crate) fn n_plan_states(&self) -> usize {
        self.plan_states.len()
    }
}
