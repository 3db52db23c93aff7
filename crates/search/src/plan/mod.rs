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
//! now and after any rules are [merged](Graph::merge_plan_states).

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

use crate::game::packed::Test;

use graph::ROOT;
pub(crate) use graph::{Graph, PlanState, PlanStateId};
use impossible::Impossible;
pub(crate) use layout::plan;
pub(crate) use leaf_macros::LeafMacros;
pub(crate) use lists::{List, ListId, Lists};
pub(crate) use lookups::Lookups;
pub(crate) use open_plies::{MAX_NODES, MAX_OPEN_PLIES, OpenPly};
pub(crate) use partial_states::Known;
pub(crate) use rule_sets::{RuleSets, Rules, Set, SetPlanState};

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
