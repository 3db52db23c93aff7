//! Plans: all that can be decided about a search before it sees a state.
//!
//! A node of a search is expanded in some *plan state*: the state of the machine, and what the
//! rules on the way here have made known about the state of the game (its
//! [partial state](partial_states)). Composition has then already decided many preconditions of the
//! rules that come next. A rule is *never* applicable, *always* applicable, or *to be tested*, and
//! the tests may be fewer than the rule's own. A plan holds, for each plan state, the list of the
//! rules that are neither impossible nor forbidden, in the order of their numbers. In a
//! sliding-tile puzzle that is what a program written by hand keeps as its "moves by blank
//! position" table; here nothing says what a blank is.
//!
//! Plan states with the same rules and tests share one list, and plan states that are alike in all
//! that may follow are [one](Plan::merge_contexts).

mod leaf_macros;
mod lists;
mod merge;
mod partial_states;
mod rule_sets;

use std::collections::VecDeque;

use ahash::AHashMap;
use fsm::{Machine, SharedMachine};
use psvn_ir::{Game, Term, Value, VarId};

use crate::game::branches::Branch;
use crate::game::packed::{Form, Test};
use crate::kernel::HasKernels;
use crate::run::limits::{Checkpoints, StopReason};

pub(crate) use leaf_macros::LeafMacros;
use lists::ListBuilder;
pub(crate) use lists::{List, ListId, Lists};
use partial_states::{Memory, PartialStates};
pub(crate) use rule_sets::{RuleSets, Set, SetPlanState, WORDS};

/// Says whether some state that may come up satisfies preconditions, given as one term for each
/// variable.
pub(crate) type Known = dyn Fn(&[Term]) -> bool + Send + Sync;

/// More plan states than this are not laid out: their tables would take gigabytes.
const MAX_PLAN_STATES: usize = 1 << 22;

/// Plan states that lead to more others than this altogether are not laid out either.
const MAX_EDGES: usize = 1 << 26;

/// Games with more rules than this are laid out without what is known from the last rules: to hold
/// each rule against each other one would take seconds.
const MAX_INFORMED_RULES: usize = 1 << 13;

/// The most rules that are held against what is known, all plan states together, before less is
/// kept.
const MAX_INFORMED_MERGES: usize = 1 << 26;

/// With more plan states than this, less of what is known is kept in them, if that makes them
/// fewer.
const MAX_INFORMED_PLAN_STATES: usize = 1 << 16;

/// The plan states of a deep machine are many, whatever is known in them. They keep it if they lead
/// to no more than this many others altogether: few rules follow each of them, and most of them are
/// merged.
const MAX_INFORMED_EDGES: usize = 1 << 22;

/// The most steps to find out whether a tree is small.
const MAX_STEPS_TO_TELL: u64 = 1 << 18;

/// The number of a plan state.
pub(crate) type PlanStateId = u32;

/// Where a node is expanded.
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
    /// For how many plies neither rules nor forbidden rules need to be tested; as many as
    /// [`MAX_OPEN_PLIES`] at most.
    pub(crate) open_plies: u8,
    /// Rules that are to be tested, and that the machine forbids; only to be counted.
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
    /// Whether some of the rules may lead to a goal.
    #[inline(always)]
    pub(crate) fn may_reach_goal(self) -> bool {
        self.goals != NO_GOALS
    }
}

/// No rule of a plan state leads to a goal.
const NO_GOALS: u32 = u32::MAX;

/// See [`PlanState::open_plies`].
pub(crate) const MAX_OPEN_PLIES: usize = 8;

/// The plan of a search.
pub(crate) struct Plan<R> {
    pub(crate) lists: Lists<R>,
    plan_states: Vec<PlanState>,
    next: Vec<PlanStateId>,
    pub(crate) goals: Vec<Test<R>>,
    /// Sets of 64 rules each.
    goal_rules: Vec<u64>,
    pub(crate) sets: Option<RuleSets<R>>,
}

impl<R> Plan<R> {
    /// The plan state of the root.
    pub(crate) const ROOT: PlanStateId = 0;

    /// A plan state.
    #[inline(always)]
    pub(crate) fn plan_state(&self, id: PlanStateId) -> PlanState {
        self.plan_states[id as usize]
    }

    /// The plan state after rule number `i` of a plan state's list.
    #[inline(always)]
    pub(crate) fn next(&self, plan_state: PlanState, i: usize) -> PlanStateId {
        self.next[plan_state.next as usize + i]
    }

    /// The plan states after the rules of a plan state's list.
    #[inline(always)]
    pub(crate) fn plan_states_after(&self, plan_state: PlanState) -> &[PlanStateId] {
        &self.next[plan_state.next as usize..][..plan_state.n as usize]
    }

    /// Which of the 64 rules of a plan state's list from place `block` on may lead to a goal: the
    /// others leave something behind that is otherwise in all goals.
    #[inline(always)]
    pub(crate) fn goal_rules(&self, plan_state: PlanState, block: usize) -> u64 {
        if plan_state.may_reach_goal() {
            self.goal_rules[plan_state.goals as usize + block / 64]
        } else {
            0
        }
    }

    /// Whether the tree down to a depth has at most `most` nodes, whichever rules apply. `false`
    /// too where finding out would take long.
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
            // More than this is not small, and doesn't overflow either.
            below
                .iter_mut()
                .for_each(|nodes| *nodes = (*nodes).min(u64::MAX / 2));
            if below[Self::ROOT as usize] > most {
                return false;
            }
        }
        true
    }

    /// The number of plan states.
    pub(crate) fn n_plan_states(&self) -> usize {
        self.plan_states.len()
    }
}

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
        // The machine alone is large.
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
        let plan = lay_out(
            branches,
            form,
            machine,
            partial_states,
            &goals,
            limit,
            checkpoints,
        );
        let plan = plan.and_then(|plan| {
            plan.map(|plan| plan.finish(&goals, branches, form, checkpoints))
                .transpose()
        });
        match plan {
            Ok(None) => {}
            Ok(Some(plan)) => {
                tracing::debug!(?memory, "planned");
                return Ok(Some(plan));
            }
            // Less of what is known takes less memory.
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
    /// Add what rests on the plan states as a whole.
    fn finish<F: Form<Packed = R>>(
        mut self,
        goals: &[Vec<(VarId, Value)>],
        branches: &[Branch],
        form: &F,
        checkpoints: &mut Checkpoints<'_>,
    ) -> Result<Self, StopReason> {
        self.goals = goals.iter().map(|goal| form.test(goal)).collect();
        let laid_out = self.plan_states.len();
        self.merge_plan_states(checkpoints)?;
        self.find_open_plies();
        if R::SETS {
            self.sets = RuleSets::new(&self, branches, form);
        }
        tracing::debug!(
            laid_out,
            plan_states = self.plan_states.len(),
            lists = self.lists.len(),
            "plan_states merged"
        );
        Ok(self)
    }
}

/// The goal conditions as the values that they ask for; `None` if one of them compares variables.
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

fn lay_out<F: Form>(
    branches: &[Branch],
    form: &F,
    machine: &SharedMachine,
    mut partial_states: PartialStates<'_>,
    goals: &[Vec<(VarId, Value)>],
    (max_plan_states, max_edges): (usize, usize),
    checkpoints: &mut Checkpoints<'_>,
) -> Result<Option<Plan<F::Packed>>, StopReason> {
    let mut builder = ListBuilder::new(branches, form);
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
            forbidden: (!forbidden.is_empty()).then(|| builder.list(forbidden, &partial_states)),
            n_forbidden,
            next: first,
            goals,
        });
    }
    Ok(Some(Plan {
        lists: builder.finish(),
        plan_states,
        next,
        goals: Vec::new(),
        goal_rules: goal_rules.sets,
        sets: None,
    }))
}

/// Sets of the rules that may lead to a goal, each one once.
#[derive(Default)]
struct GoalRules {
    sets: Vec<u64>,
    places: AHashMap<Vec<u64>, u32>,
}

impl GoalRules {
    /// Where the sets of a plan state begin; `None` when there are too many.
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

impl<R> Plan<R> {
    /// Set [`PlanState::open_plies`].
    fn find_open_plies(&mut self) {
        for ply in 0..MAX_OPEN_PLIES as u8 {
            let is_open = |id: &PlanStateId| self.plan_states[*id as usize].open_plies >= ply;
            let open: Vec<bool> = self
                .plan_states
                .iter()
                .map(|plan_state| {
                    let below = &self.next[plan_state.next as usize..][..plan_state.n as usize];
                    plan_state.always && plan_state.forbidden.is_none() && below.iter().all(is_open)
                })
                .collect();
            for (plan_state, is_open) in self.plan_states.iter_mut().zip(open) {
                if is_open {
                    plan_state.open_plies = ply + 1;
                }
            }
        }
    }
}

/// The plan states that were met, numbered as they were found.
#[derive(Default)]
struct Found {
    /// By the machine's state and the partial state.
    numbers: AHashMap<(u32, u32), PlanStateId>,
    queue: VecDeque<(u32, u32)>,
}

impl Found {
    /// About the bytes that they take.
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
