//! The tables of an interleaved walk: for each plan state its rules, and for each rule its effect
//! on the estimate.

use std::marker::PhantomData;

use bytemuck::{Pod, Zeroable};

use crate::game::lines::Line;
use crate::kernel::HasKernels;
use crate::plan::{Plan, PlanStateId};
use crate::walk::interleaved::node_word::{self, MAX_DIFFERENCE, MAX_PLAN_STATE_BYTES, MAX_SLACK};

/// The maximum number of rules of a plan state of an interleaved walk.
pub(crate) const MAX_CHILDREN: usize = 16;

/// The maximum number of numbers in the tables.
const MAX_NUMBERS: usize = 1 << 20;

/// The maximum number of forbidden rules of a plan state of an interleaved walk, so that counts of
/// many nodes fit in 32 bits.
const MAX_FORBIDDEN: u32 = 1 << 16;

/// The effect of a rule on the estimated total cost: by the value of one variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OneValue<'d> {
    /// The variable, as the number of a byte.
    pub(crate) byte: u16,
    /// The difference for each value.
    pub(crate) differences: &'d [i32],
}

/// A rule of a plan state; or, as the first slot of a plan state, its numbers of allowed and
/// forbidden rules.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C, align(16))]
pub(super) struct Slot {
    /// Where the differences of the rule begin, in words of 64 bits; or the number of allowed
    /// rules.
    pub(super) table: u32,
    /// The byte whose value counts; or the number of forbidden rules.
    pub(super) byte: u32,
    /// The plan state part of the [`node_word`](super::node_word) of the child; or 1 if a node of
    /// the plan state may be a goal, else 0.
    pub(super) next: u32,
    /// Where the change of the rule is, in bytes.
    pub(super) change: u32,
}

/// The number of values of a byte.
const N_VALUES: usize = 256;

/// The tables of an interleaved walk through a plan: first the slots of all plan states, then the
/// differences of the estimated total cost (each at its place in a word), then the changes.
///
/// The [walk](crate::walk::cost) relies on these invariants without checking them:
/// - each plan state has a first slot and `width` slots after it, and `next` of each of them holds
///   the place of a plan state;
/// - `byte` of each of these is below the size of a packed state;
/// - at `table` begins a word for each value of a byte;
/// - at `change` is a change.
///
/// No code outside this module can change the tables, so only [`InterleavedTables::new`] has to
/// ensure them.
pub(crate) struct InterleavedTables<R> {
    /// One allocation, so that a walk needs one register for all of them.
    lines: Vec<Line>,
    width: usize,
    packed: PhantomData<R>,
}

impl<R: HasKernels> InterleavedTables<R> {
    /// Lay out an interleaved walk, if there can be one: all rules always apply except perhaps at
    /// the root, each plan state has few of them, and the effect of each on the estimate depends on
    /// one value.
    pub(crate) fn new<'d>(
        plan: &Plan<R>,
        n_branches: usize,
        rule: impl Fn(usize) -> Option<OneValue<'d>>,
    ) -> Option<Self> {
        if !R::INTERLEAVES || plan.goals.is_empty() || !is_open(plan) {
            return None;
        }
        let rules: Vec<OneValue<'_>> = (0..n_branches).map(rule).collect::<Option<_>>()?;
        let is_byte = |rule: &OneValue<'_>| usize::from(rule.byte) < size_of::<R>();
        let n_values = rules.iter().map(|rule| rule.differences.len()).max()?;
        if !rules.iter().all(is_byte)
            || n_values > N_VALUES
            || n_values.checked_mul(rules.len())? > MAX_NUMBERS
        {
            return None;
        }
        let mut numbers = Vec::with_capacity(n_values * rules.len() + N_VALUES);
        for rule in &rules {
            for value in 0..n_values {
                let difference = rule.differences.get(value).copied().unwrap_or_default();
                if difference.unsigned_abs() > MAX_DIFFERENCE {
                    return None;
                }
                numbers.push(node_word::difference(i64::from(difference)));
            }
        }
        // The numbers of missing rules, and of values that a rule's variable lacks.
        let no_rule = numbers.len();
        numbers.extend([node_word::NEVER; N_VALUES]);
        let branch_by_change: Vec<Option<u32>> = plan.lists.branch_by_change().collect();
        let plan_states = (0..plan.n_plan_states()).map(|id| plan.plan_state(id as PlanStateId));
        let fits = |n: &usize| *n <= MAX_CHILDREN;
        let width = plan_states.map(|it| it.n as usize).filter(fits).max()?;
        // Three and four children have separate loops.
        let width = width.max(3);
        let per_plan_state = slots_per_plan_state(width);
        if plan
            .n_plan_states()
            .checked_mul(per_plan_state * size_of::<Slot>())?
            > MAX_PLAN_STATE_BYTES
        {
            return None;
        }
        let mut changes = vec![R::zeroed(); n_branches];
        let n_slots = plan.n_plan_states() * per_plan_state;
        let in_lines = |n_bytes: usize| n_bytes.next_multiple_of(size_of::<Line>());
        let first_number = in_lines(n_slots * size_of::<Slot>());
        let first_change = first_number + in_lines(numbers.len() * size_of::<u64>());
        let n_bytes = first_change + in_lines(n_branches * size_of::<R>());
        u32::try_from(n_bytes).ok()?;
        let table = |number: usize| (first_number / size_of::<u64>() + number) as u32;
        let no_rule = Slot {
            table: table(no_rule),
            change: first_change as u32,
            ..Slot::default()
        };
        let mut slots = Vec::with_capacity(n_slots);
        for (id, may_be_goal) in may_be_goals(plan).into_iter().enumerate() {
            let plan_state = plan.plan_state(id as PlanStateId);
            // The root may not satisfy the conditions of the interleaved walk.
            let n = Some(plan_state.n as usize).filter(fits).unwrap_or_default();
            if plan_state.n_forbidden > MAX_FORBIDDEN {
                return None;
            }
            slots.push(Slot {
                table: n as u32,
                byte: plan_state.n_forbidden,
                next: may_be_goal.into(),
                change: 0,
            });
            for i in 0..n {
                let place = plan_state.changes as usize + i;
                let branch = branch_by_change[place]? as usize;
                changes[branch] = plan.lists.changes().0[place];
                let next = plan.next(plan_state, i) as usize * per_plan_state * size_of::<Slot>();
                slots.push(Slot {
                    table: table(branch * n_values),
                    byte: u32::from(rules[branch].byte),
                    next: (next | i) as u32,
                    change: (first_change + branch * size_of::<R>()) as u32,
                });
            }
            slots.resize((id + 1) * per_plan_state, no_rule);
        }
        let mut lines = vec![Line::zeroed(); n_bytes / size_of::<Line>()];
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut lines);
        let parts: [(usize, &[u8]); 3] = [
            (0, bytemuck::cast_slice(&slots)),
            (first_number, bytemuck::cast_slice(&numbers)),
            (first_change, bytemuck::cast_slice(&changes)),
        ];
        for (start, part) in parts {
            bytes[start..][..part.len()].copy_from_slice(part);
        }
        Some(Self {
            lines,
            width,
            packed: PhantomData,
        })
    }

    /// Return the first byte of the tables.
    #[inline(always)]
    pub(super) fn as_ptr(&self) -> *const u8 {
        self.lines.as_ptr().cast()
    }

    /// Return the maximum number of children of a node.
    #[inline(always)]
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Return whether the interleaved walk can be used under a bound.
    pub(crate) fn serves(&self, bound: u64) -> bool {
        bound <= MAX_SLACK
    }

    /// Return a plan state's place as part of a word.
    pub(super) fn place(&self, plan_state: PlanStateId) -> u64 {
        (plan_state as usize * slots_per_plan_state(self.width) * size_of::<Slot>()) as u64
    }

    /// Return the plan state at a place.
    pub(super) fn plan_state_at(&self, place: u32) -> PlanStateId {
        let slot = place as usize / size_of::<Slot>();
        (slot / slots_per_plan_state(self.width)) as PlanStateId
    }

    /// Return the word of child number `i` of a node, whether or not it is within the bound.
    pub(super) fn child(&self, packed: &R, node: u64, i: usize) -> u64 {
        let slots: &[Slot] = bytemuck::cast_slice(&self.lines);
        let slot = slots[node_word::place(node) / size_of::<Slot>() + 1 + i];
        let value = packed.read_byte(slot.byte as usize);
        let numbers: &[u64] = bytemuck::cast_slice(&self.lines);
        let number = numbers[(slot.table + value) as usize];
        node_word::deeper(node)
            .wrapping_add(number)
            .wrapping_add(u64::from(slot.next))
    }
}

/// Return the number of slots of a plan state, which begins at a multiple of 64 bytes.
fn slots_per_plan_state(width: usize) -> usize {
    (width + 1).next_multiple_of(4)
}

/// Return whether an interleaved walk can go through a plan: in all plan states that occur below
/// the root all rules always apply, and there are few of them.
fn is_open<R>(plan: &Plan<R>) -> bool {
    let mut below_root = vec![false; plan.n_plan_states()];
    for id in 0..plan.n_plan_states() {
        let plan_state = plan.plan_state(id as PlanStateId);
        for i in 0..plan_state.n as usize {
            below_root[plan.next(plan_state, i) as usize] = true;
        }
    }
    below_root.iter().enumerate().all(|(id, is_below)| {
        let plan_state = plan.plan_state(id as PlanStateId);
        let fits = plan_state.always && plan_state.forbidden.is_none();
        !is_below || fits && plan_state.n as usize <= MAX_CHILDREN
    })
}

/// Return, by plan state, whether a rule that may lead to a goal leads to it.
fn may_be_goals<R>(plan: &Plan<R>) -> Vec<bool> {
    let mut may_be_goal = vec![false; plan.n_plan_states()];
    for id in 0..plan.n_plan_states() {
        let plan_state = plan.plan_state(id as PlanStateId);
        for i in 0..plan_state.n as usize {
            if plan.goal_rules(plan_state, i) >> (i % 64) & 1 == 1 {
                may_be_goal[plan.next(plan_state, i) as usize] = true;
            }
        }
    }
    may_be_goal
}
