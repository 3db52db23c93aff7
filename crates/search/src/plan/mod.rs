//! Plans: the decisions about a search that need no concrete state.
//!
//! A node of a search is expanded in some *plan state*: the state of the machine, and what the
//! rules so far imply about the state of the game (its [partial state](partial_states)).
//! Composition has then already decided many preconditions of the rules that come next. A rule is
//! *never* applicable, *always* applicable, or *to be tested*, and the tests may be fewer than the
//! rule's own. A plan holds, for each plan state, the list of the rules that are neither impossible
//! nor forbidden, in the order of their numbers. For a sliding-tile puzzle this amounts to the
//! "moves by blank position" table of a handwritten program; here nothing in the code knows about
//! blanks.
//!
//! Plan states with the same rules and tests share one list, and plan states that offer the same
//! now and after any rules are [merged](Plan::merge_plan_states).

mod impossible;
mod layout;
mod leaf_macros;
mod lists;
mod lookups;
mod merge;
mod open_plies;
mod partial_states;
mod rule_sets;

use psvn_ir::Term;

use crate::game::packed::Test;

use impossible::Impossible;
pub(crate) use layout::plan;
pub(crate) use leaf_macros::LeafMacros;
pub(crate) use lists::{List, ListId, Lists};
pub(crate) use lookups::Lookups;
use open_plies::OpenTable;
pub(crate) use open_plies::{MAX_NODES, MAX_OPEN_PLIES, OpenPly};
pub(crate) use rule_sets::{RuleSets, Rules, Set, SetPlanState};

/// A test whether some possible state satisfies preconditions, given as one term for each variable.
pub(crate) type Known = dyn Fn(&[Term]) -> bool + Send + Sync;

/// The maximum number of steps taken to find out whether a tree is small.
const MAX_STEPS_TO_TELL: u64 = 1 << 18;

/// The number of a plan state.
pub(crate) type PlanStateId = u32;

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
    /// The number of plies, at most [`MAX_OPEN_PLIES`], for which neither rules nor forbidden rules
    /// need to be tested.
    pub(crate) open_plies: u8,
    /// The numbers of open plies at the last of which there may be a goal, as bits from the lowest
    /// one on.
    reaches: u8,
    /// Rules that need a test and that the machine forbids; they are only counted.
    pub(crate) forbidden: Option<ListId>,
    /// The number of rules that always apply here and that the machine forbids.
    pub(crate) n_forbidden: u32,
    /// Where the plan states after the rules of the list begin in [`Plan::next`].
    pub(crate) next: u32,
    /// Where the sets of the rules that may lead to a goal begin; [`NO_GOALS`] if none of them
    /// does.
    goals: u32,
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
const NO_GOALS: u32 = u32::MAX;

/// The plan of a search.
pub(crate) struct Plan<R> {
    pub(crate) lists: Lists<R>,
    plan_states: Vec<PlanState>,
    next: Vec<PlanStateId>,
    pub(crate) goals: Vec<Test<R>>,
    /// Sets of 64 rules each.
    goal_rules: Vec<u64>,
    open: OpenTable,
    pub(crate) sets: Option<RuleSets<R>>,
    pub(crate) impossible: Impossible,
}

impl<R> Plan<R> {
    /// The plan state of the root.
    pub(crate) const ROOT: PlanStateId = 0;

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
            if below[Self::ROOT as usize] > most {
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
