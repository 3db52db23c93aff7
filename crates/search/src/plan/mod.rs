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

mod graph;
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

pub(crate) use graph::Graph;
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

/// The number of a plan state.
pub(crate) type PlanStateId = u32;

/// The plan state of the root.
const ROOT: PlanStateId = 0;

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
    /// Where the plan states after the rules of the list begin in [`Graph::next`].
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
    pub(crate) graph: Graph,
    pub(crate) lists: Lists<R>,
    pub(crate) goals: Vec<Test<R>>,
    pub(crate) sets: Option<RuleSets<R>>,
    pub(crate) impossible: Impossible,
}

impl<R> Plan<R> {
    /// The plan state of the root.
    pub(crate) const ROOT: PlanStateId = ROOT;

    /// See [`Graph::plan_state`].
    #[inline(always)]
    pub(crate) fn plan_state(&self, id: PlanStateId) -> PlanState {
        self.graph.plan_state(id)
    }

    /// See [`Graph::next`].
    #[inline(always)]
    pub(crate) fn next(&self, plan_state: PlanState, i: usize) -> PlanStateId {
        self.graph.next(plan_state, i)
    }

    /// See [`Graph::goal_rules`].
    #[inline(always)]
    pub(crate) fn goal_rules(&self, plan_state: PlanState, block: usize) -> u64 {
        self.graph.goal_rules(plan_state, block)
    }

    /// See [`Graph::open_plies`].
    #[inline(always)]
    pub(crate) fn open_plies(&self, plan_state: PlanStateId, left: usize) -> &[OpenPly] {
        self.graph.open_plies(plan_state, left)
    }

    /// Return a list.
    #[inline(always)]
    pub(crate) fn list(&self, id: ListId) -> List {
        self.graph.lists.get(id)
    }

    /// Return the rules of a list.
    #[inline(always)]
    pub(crate) fn rules(&self, list: ListId) -> &[u32] {
        self.graph.lists.rules(list)
    }

    /// See [`Graph::n_plan_states`].
    pub(crate) fn n_plan_states(&self) -> usize {
        self.graph.n_plan_states()
    }
}
