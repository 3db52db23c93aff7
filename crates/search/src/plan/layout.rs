//! Laying out a search: finding its plan states, with the rules and tests of each.

use std::collections::VecDeque;

use ahash::AHashMap;
use fsm::{Machine, SharedMachine};
use psvn_ir::{Game, Value, VarId};

use super::graph::{Graph, NO_GOALS, PlanState, PlanStateId};
use super::lists::{List, ListBuilder, ListIndex, MakesLists};
use super::open_plies::OpenTable;
use super::partial_states::{Memory, PartialStates};
use super::{Impossible, Known, Plan, RuleSets};
use crate::game::branches::Branch;
use crate::game::packed::Form;
use crate::kernel::HasKernels;
use crate::run::limits::{Checkpoints, StopReason};

/// The maximum number of plan states of a plan: the tables of more would take gigabytes.
const MAX_PLAN_STATES: usize = 1 << 22;

/// The maximum number of successors of all plan states together.
const MAX_EDGES: usize = 1 << 26;

/// The maximum number of rules of a game whose plan uses the facts that the last rules imply: in
/// larger games it would take seconds to compare each rule with every other one.
const MAX_INFORMED_RULES: usize = 1 << 13;

/// The maximum number of merges of rules with partial states, over all plan states, before less is
/// remembered.
const MAX_INFORMED_MERGES: usize = 1 << 26;

/// With more plan states than this, a plan keeps fewer facts in each, if that reduces their number.
const MAX_INFORMED_PLAN_STATES: usize = 1 << 16;

/// A deep machine has many plan states, however few facts they keep. They keep all facts if they
/// have at most this many successors altogether: then few rules follow each of them, and most of
/// them are merged.
const MAX_INFORMED_EDGES: usize = 1 << 22;

/// Lay out a search. `None` when the game's goals compare variables, or when there are too many
/// plan states.
pub(crate) fn plan<F: Form<Packed: HasKernels>>(
    game: &Game,
    branches: &[Branch],
    form: &F,
    machine: &SharedMachine,
    known: Option<&Known>,
    checkpoints: &mut Checkpoints<'_>,
) -> Result<Option<Plan<F::Packed>>, StopReason> {
    let Some(goals) = goal_constants(game) else {
        return Ok(None);
    };
    let attempts = [
        (Memory::Everything, MAX_INFORMED_PLAN_STATES, 0),
        (Memory::LastRule, MAX_INFORMED_PLAN_STATES, 0),
        // This is for games whose machine alone is large.
        (
            Memory::Everything,
            MAX_INFORMED_PLAN_STATES,
            MAX_INFORMED_EDGES,
        ),
        (
            Memory::LastRule,
            MAX_INFORMED_PLAN_STATES,
            MAX_INFORMED_EDGES,
        ),
        (Memory::Nothing, MAX_PLAN_STATES, 0),
    ];
    let mut lacks_memory = false;
    for (memory, mut max_plan_states, max_edges) in attempts {
        if memory != Memory::Nothing {
            if branches.len() > MAX_INFORMED_RULES {
                continue;
            }
            max_plan_states = max_plan_states.min(MAX_INFORMED_MERGES / branches.len().max(1));
        }
        let partial_states = PartialStates::new(game, branches, known, memory);
        let limit = (max_plan_states, max_edges);
        let mut builder = ListBuilder::new(game, branches, form);
        let graph = lay_out(
            branches,
            &mut builder,
            machine,
            partial_states,
            &goals,
            limit,
            checkpoints,
        );
        match graph {
            Ok(None) => {}
            Ok(Some(graph)) => {
                let mut plan = Plan::new(graph, builder, &goals, branches, form);
                if F::Packed::INTERLEAVES
                    && let Some(known) = known
                {
                    plan.impossible = Impossible::new(game, branches, known);
                }
                tracing::debug!(?memory, lists = plan.graph.lists.len(), "planned");
                return Ok(Some(plan));
            }
            // An attempt that keeps fewer facts takes less memory.
            Err(StopReason::Memory) => lacks_memory = true,
            Err(reason) => return Err(reason),
        }
    }
    if lacks_memory {
        return Err(StopReason::Memory);
    }
    Ok(None)
}

impl<R: HasKernels> Plan<R> {
    /// Add the rules of the lists to the graph of plan states.
    fn new<F: Form<Packed = R>>(
        mut graph: Graph,
        builder: ListBuilder<'_, F>,
        goals: &[Vec<(VarId, Value)>],
        branches: &[Branch],
        form: &F,
    ) -> Self {
        let (index, lists) = builder.finish();
        graph.lists = index;
        let mut tests = Vec::with_capacity(goals.len());
        for goal in goals {
            tests.push(form.test(goal));
        }
        let mut plan = Self {
            graph,
            lists,
            goals: tests,
            sets: None,
            impossible: Impossible::default(),
        };
        if R::SETS {
            plan.sets = RuleSets::new(&plan, branches, form);
        }
        plan
    }
}

/// Return the goal conditions as required values; `None` if one of them compares variables.
fn goal_constants(game: &Game) -> Option<Vec<Vec<(VarId, Value)>>> {
    let conditions = game.goals().iter().map(|goal| {
        let terms = goal.conditions();
        let partial_state = psvn_ir::CanonicalRule::canonicalize(terms, terms, 0);
        let constants = partial_state.tests();
        constants
            .map(|(var, term)| Some((var, term.as_constant()?)))
            .collect()
    });
    conditions.collect()
}

/// Find the plan states, and merge those that are alike. The lists of the graph stay with their
/// builder.
fn lay_out(
    branches: &[Branch],
    builder: &mut dyn MakesLists,
    machine: &SharedMachine,
    mut partial_states: PartialStates<'_>,
    goals: &[Vec<(VarId, Value)>],
    (max_plan_states, max_edges): (usize, usize),
    checkpoints: &mut Checkpoints<'_>,
) -> Result<Option<Graph>, StopReason> {
    let mut plan_states = Vec::new();
    let mut next = Vec::new();
    let mut goal_rules = GoalRules::default();
    let mut found = Found::default();
    found.number(machine.start(), PartialStates::NOTHING);
    while let Some((state, partial_state)) = found.queue.pop_front() {
        let Ok(first) = u32::try_from(next.len()) else {
            return Ok(None);
        };
        let (mut allowed, mut forbidden) = (Vec::new(), Vec::new());
        let mut n_forbidden = 0;
        let mut to_goal = Vec::new();
        let Some(entries) = partial_states.entries(partial_state, checkpoints)? else {
            return Ok(None);
        };
        checkpoints.spend(entries.len() as u64 + 1, || {
            plan_states.len() * size_of::<PlanState>()
                + next.len() * size_of::<PlanStateId>()
                + found.bytes()
                + builder.bytes()
        })?;
        for entry in entries.iter() {
            match machine.next(state, branches[entry.branch as usize].rule) {
                Some(state) => {
                    next.push(found.number(state, entry.leads_to));
                    allowed.push((entry.branch, entry.test));
                    let mut goals = goals.iter();
                    to_goal
                        .push(goals.any(|goal| partial_states.may_satisfy(entry.leads_to, goal)));
                }
                None if entry.test == PartialStates::NO_TEST => n_forbidden += 1,
                None => forbidden.push((entry.branch, entry.test)),
            }
        }
        let is_too_much = found.numbers.len() > max_plan_states && next.len() > max_edges;
        if is_too_much || next.len() > MAX_EDGES {
            return Ok(None);
        }
        let Some(goals) = goal_rules.place(&to_goal) else {
            return Ok(None);
        };
        let list = builder.list(allowed, &partial_states);
        let List {
            n, changes, tests, ..
        } = builder.get(list);
        plan_states.push(PlanState {
            list,
            n,
            changes,
            always: tests.is_none(),
            open_plies: 0,
            reaches: 0,
            forbidden: (!forbidden.is_empty()).then(|| builder.list(forbidden, &partial_states)),
            n_forbidden,
            next: first,
            goals,
        });
    }
    let laid_out = plan_states.len();
    let mut graph = Graph {
        plan_states,
        next,
        goal_rules: goal_rules.sets,
        open: OpenTable::default(),
        lists: ListIndex::default(),
    };
    graph.merge_plan_states(checkpoints)?;
    graph.find_open_plies();
    tracing::debug!(laid_out, plan_states = graph.n_plan_states(), "merged");
    Ok(Some(graph))
}

/// Sets of the rules that may lead to a goal, each stored once.
#[derive(Default)]
struct GoalRules {
    sets: Vec<u64>,
    places: AHashMap<Vec<u64>, u32>,
}

impl GoalRules {
    /// Return where the sets of a plan state begin; `None` when there are too many.
    fn place(&mut self, to_goal: &[bool]) -> Option<u32> {
        if !to_goal.contains(&true) {
            return Some(NO_GOALS);
        }
        let set = |rules: &[bool]| {
            let bits = rules.iter().enumerate();
            bits.fold(0, |set, (i, bit)| set | u64::from(*bit) << i)
        };
        let sets: Vec<u64> = to_goal.chunks(64).map(set).collect();
        if let Some(place) = self.places.get(&sets) {
            return Some(*place);
        }
        let place = u32::try_from(self.sets.len()).ok()?;
        self.sets.extend_from_slice(&sets);
        self.places.insert(sets, place);
        Some(place)
    }
}

/// The plan states found so far, numbered in the order of discovery.
#[derive(Default)]
struct Found {
    /// By the machine's state and the partial state.
    numbers: AHashMap<(u32, u32), PlanStateId>,
    queue: VecDeque<(u32, u32)>,
}

impl Found {
    /// Estimate their size in bytes.
    fn bytes(&self) -> usize {
        let each = size_of::<((u32, u32), PlanStateId)>() + 1;
        self.numbers.capacity() * each + self.queue.capacity() * size_of::<(u32, u32)>()
    }

    fn number(&mut self, state: u32, partial_state: u32) -> PlanStateId {
        let number = self.numbers.len() as PlanStateId;
        *self
            .numbers
            .entry((state, partial_state))
            .or_insert_with(|| {
                self.queue.push_back((state, partial_state));
                number
            })
    }
}
