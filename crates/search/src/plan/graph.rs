//! The graph of a plan: its plan states, and those that follow them.
//!
//! It knows rules and lists by their numbers, so it is the same for all packed states.
//! [`Plan`](super::Plan) adds the changes and tests of the rules.

use super::lists::{ListId, ListIndex};
use super::open_plies::OpenTable;

/// The maximum number of steps taken to find out whether a tree is small.
const MAX_STEPS_TO_TELL: u64 = 1 << 18;

/// The number of a plan state.
pub(crate) type PlanStateId = u32;

/// The plan state of the root.
pub(super) const ROOT: PlanStateId = 0;

/// The state of the machine at a node, with what is known about the state of the game.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct PlanState {
    /// The rules that may come next.
    pub(crate) list: ListId,
    /// The number of rules in the list.
    pub(crate) n: u32,
    /// Where the changes of the list begin.
    pub(crate) changes: u32,
    /// Whether none of the rules needs to be tested.
    pub(crate) always: bool,
    /// The number of plies, at most [`MAX_OPEN_PLIES`](super::MAX_OPEN_PLIES), for which neither
    /// rules nor forbidden rules need to be tested.
    pub(crate) open_plies: u8,
    /// The numbers of open plies at the last of which there may be a goal, as bits from the lowest
    /// one on.
    pub(super) reaches: u8,
    /// Rules that need a test and that the machine forbids; they are only counted.
    pub(crate) forbidden: Option<ListId>,
    /// The number of rules that always apply here and that the machine forbids.
    pub(crate) n_forbidden: u32,
    /// Where the plan states after the rules of the list begin in [`Graph::next`].
    pub(crate) next: u32,
    /// Where the sets of the rules that may lead to a goal begin; [`NO_GOALS`] if none of them
    /// does.
    pub(super) goals: u32,
}

impl PlanState {
    /// Return whether some of the rules may lead to a goal.
    #[inline(always)]
    pub(crate) fn may_reach_goal(self) -> bool {
        self.goals != NO_GOALS
    }

    /// Return whether the last one of this many open plies, at least one, may have a goal.
    #[inline(always)]
    pub(crate) fn reaches(self, plies: usize) -> bool {
        self.reaches >> (plies - 1) & 1 == 1
    }
}

/// No rule of a plan state leads to a goal.
pub(super) const NO_GOALS: u32 = u32::MAX;

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
