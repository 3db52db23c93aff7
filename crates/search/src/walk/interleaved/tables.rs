//! The tables of an interleaved walk: for each plan state a row, and the changes and numbers that
//! the rows refer to.

use ahash::AHashMap;
use bytemuck::Zeroable;

use crate::kernel::ahead::{Lanes, N_LANES, N_PATTERN_VALUES, Pattern};
use crate::kernel::{HasKernels, Job, Kernel};
use crate::plan::{Plan, PlanState, PlanStateId};
use crate::walk::interleaved::rows::{
    Heir, MAX_CHILDREN, MAX_FORBIDDEN_WITH_PARENT, Pair, Row, Way, counted,
};
use crate::walk::interleaved::stream::N_LEVELS;

/// The maximum number of numbers in the tables.
const MAX_NUMBERS: usize = 1 << 20;

/// The maximum number of rows.
const MAX_ROWS: usize = 1 << 18;

/// The maximum number of forbidden rules of a plan state of an interleaved walk, so that counts of
/// many nodes fit in 32 bits.
const MAX_FORBIDDEN: u32 = 1 << 16;

/// The number of values of a byte.
const N_VALUES: usize = 256;

/// The maximum by which a rule changes the estimated total cost.
pub(super) const MAX_DIFFERENCE: u32 = 1 << 18;

/// The maximum distance below the bound at which an interleaved walk begins. On its way the
/// estimate can fall further, twice for each level: the excess is never below -2^30.
const MAX_SLACK: u64 = 1 << 28;

/// What the missing heirs of a node without heirs add: they are within any bound.
const LOW: i32 = -(1 << 28);

const _: () =
    assert!(MAX_SLACK + (N_LEVELS as u64 + 1) * 2 * MAX_DIFFERENCE as u64 + (1 << 28) < 1 << 30);

/// The effect of a rule on the estimated total cost: by the value of one variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OneValue<'d> {
    /// The variable, as the number of a byte.
    pub(crate) byte: u16,
    /// The difference for each value.
    pub(crate) differences: &'d [i32],
    /// Whether the variable may have the value where the rule applies.
    pub(crate) possible: &'d [bool],
}

impl OneValue<'_> {
    /// Return the least and the greatest difference, if there are no others and a
    /// [`Pattern`] can hold them.
    fn two(&self) -> Option<(i8, i8)> {
        let mut ends = None;
        for (it, is_possible) in self.differences.iter().zip(self.possible) {
            if *is_possible {
                let (lesser, greater) = ends.unwrap_or((*it, *it));
                ends = Some((lesser.min(*it), greater.max(*it)));
            }
        }
        let (lesser, greater) = ends.unwrap_or((0, 0));
        for (it, is_possible) in self.differences.iter().zip(self.possible) {
            if *is_possible && *it != lesser && *it != greater {
                return None;
            }
        }
        Some((i8::try_from(lesser).ok()?, i8::try_from(greater).ok()?))
    }
}

/// The tables of an interleaved walk through a plan.
///
/// The [walk](crate::walk::interleaved::step) relies on these invariants without checking them:
/// - each existing heir of a row has the place of a change and that of a row;
/// - there are as many pairs as rows, if they are used;
/// - at the `numbers` of each pair begins a number for each value of a byte.
///
/// No code outside this module can change the tables, so only [`InterleavedTables::new`] has to
/// ensure them.
pub(crate) struct InterleavedTables<R> {
    /// By plan state.
    rows: Vec<Row>,
    /// By plan state and heir, missing ones too.
    ways: Vec<[Way; N_LANES]>,
    /// By plan state; none with patterns.
    pairs: Vec<[Pair; N_LANES]>,
    changes: Vec<R>,
    /// By rule and value, [`n_values`](Self::n_values) for each rule.
    numbers: Vec<i32>,
    n_values: usize,
    /// The byte of each rule.
    bytes: Vec<u16>,
    branch_by_change: Vec<Option<u32>>,
    /// The maximum number of nodes that a step makes.
    max_made: u64,
}

/// The change that makes two changes, one after the other.
struct Both<R> {
    one: R,
    then: R,
}

impl<R: HasKernels> Job<R> for Both<R> {
    type Output = R;

    fn run<K: Kernel<R>>(self, kernel: K) -> R {
        // A change is a packed state of numbers of bytes.
        kernel.change(&self.one, &self.then, &self.then)
    }
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
        let n = plan.n_plan_states();
        if !R::INTERLEAVES || n > MAX_ROWS || plan.goals.is_empty() || !is_open(plan) {
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
        let mut numbers = Vec::with_capacity(n_values * rules.len() + 2 * N_VALUES);
        for rule in &rules {
            if rule
                .differences
                .iter()
                .any(|it| it.unsigned_abs() > MAX_DIFFERENCE)
            {
                return None;
            }
            numbers.extend_from_slice(rule.differences);
            numbers.resize(numbers.len().next_multiple_of(n_values), 0);
        }
        let zeros = numbers.len() as u32;
        numbers.extend([0; N_VALUES]);
        let lows = numbers.len() as u32;
        numbers.extend([LOW; N_VALUES]);
        // A kernel tells as many values apart as a packed state has bytes.
        let has_patterns = n_values <= size_of::<R>().min(N_PATTERN_VALUES)
            && rules.iter().all(|rule| rule.two().is_some());
        let mut layout = Layout {
            plan,
            rules: &rules,
            branch_by_change: plan.graph.lists.branch_by_change(),
            may_be_goals: may_be_goals(plan),
            changes: vec![R::zeroed()],
            change_by_branches: AHashMap::new(),
            max_made: 1,
        };
        let (mut rows, mut ways) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let mut pairs = Vec::new();
        for id in 0..n as PlanStateId {
            let (row, its_ways) = layout.row(id)?;
            if !has_patterns {
                let mut its_pairs = [Pair {
                    bytes: [0, 0],
                    numbers: [lows, zeros],
                }; N_LANES];
                for (pair, way) in its_pairs.iter_mut().zip(&its_ways) {
                    let Some((first, second)) = layout.branches(id, *way) else {
                        break;
                    };
                    let start = |branch: u32| branch * n_values as u32;
                    *pair = Pair {
                        bytes: [rules[first as usize].byte, 0],
                        numbers: [start(first), zeros],
                    };
                    if let Some((second, byte)) = second {
                        (pair.bytes[1], pair.numbers[1]) = (byte, start(second));
                    }
                }
                pairs.push(its_pairs);
            }
            rows.push(row);
            ways.push(its_ways);
        }
        Some(Self {
            rows,
            ways,
            pairs,
            numbers,
            n_values,
            bytes: rules.iter().map(|rule| rule.byte).collect(),
            changes: layout.changes,
            branch_by_change: layout.branch_by_change,
            max_made: layout.max_made,
        })
    }

    /// Return whether rows have patterns.
    #[inline(always)]
    pub(super) fn has_patterns(&self) -> bool {
        self.pairs.is_empty()
    }

    #[inline(always)]
    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    #[inline(always)]
    pub(super) fn changes(&self) -> &[R] {
        &self.changes
    }

    /// Return the row of a plan state.
    pub(super) fn row(&self, plan_state: PlanStateId) -> &Row {
        &self.rows[plan_state as usize]
    }

    /// Return the pairs of the row at a place.
    ///
    /// # Safety
    /// It is the place of a row, and there are pairs.
    #[inline(always)]
    pub(super) unsafe fn pairs_at(&self, place: u32) -> &[Pair; N_LANES] {
        // SAFETY: there are as many pairs as rows.
        unsafe { self.pairs.get_unchecked(place as usize / size_of::<Row>()) }
    }

    /// Return a number.
    ///
    /// # Safety
    /// It is the one at a beginning that a pair has, or one of those for further values of a byte.
    #[inline(always)]
    pub(super) unsafe fn number(&self, at: u32) -> i32 {
        debug_assert!((at as usize) < self.numbers.len());
        // SAFETY: at the numbers of each pair begins one for each value of a byte.
        unsafe { *self.numbers.get_unchecked(at as usize) }
    }

    /// Return the maximum number of nodes that a step makes.
    pub(super) fn max_made(&self) -> u64 {
        self.max_made
    }

    /// Return whether the interleaved walk can be used under a bound.
    pub(crate) fn serves(&self, bound: u64) -> bool {
        bound <= MAX_SLACK
    }

    /// Return the place of a plan state's row.
    pub(super) fn place(&self, plan_state: PlanStateId) -> u32 {
        (plan_state as usize * size_of::<Row>()) as u32
    }

    /// Return the plan state of the row at a place.
    pub(super) fn plan_state_at(&self, place: u32) -> PlanStateId {
        (place as usize / size_of::<Row>()) as PlanStateId
    }

    /// Return the rules that lead to the heirs of a node in a plan state.
    pub(super) fn ways(&self, plan_state: PlanStateId) -> &[Way] {
        let exist = self.row(plan_state).exist;
        &self.ways[plan_state as usize][..exist.count_ones() as usize]
    }

    /// Return by how much the estimated total cost of child number `i` differs from its parent's.
    pub(super) fn difference(&self, packed: &R, plan_state: PlanState, i: u32) -> i64 {
        let change = (plan_state.changes + i) as usize;
        let branch = self.branch_by_change[change].map_or(0, |branch| branch as usize);
        let value = packed.read_byte(usize::from(self.bytes[branch]));
        i64::from(self.numbers[branch * self.n_values + value as usize])
    }
}

/// Return the excess of a node's estimated total cost over the bound, less one.
pub(super) fn estimate(bound: u64, total: u64) -> i32 {
    -1 - (bound - total) as i32
}

/// Return the estimated total cost of a node with this excess.
pub(super) fn total(bound: u64, excess: i32) -> u64 {
    bound.wrapping_add_signed(i64::from(excess) + 1)
}

/// Return the least total that a walk found beyond the bound, if there is one.
pub(super) fn least_beyond(bound: u64, beyond: &Lanes) -> Option<u64> {
    let least = beyond.0.iter().map(|it| *it as u32).min()?;
    (least < MAX_DIFFERENCE).then(|| bound + 1 + u64::from(least))
}

/// What rows are made from.
struct Layout<'l, 'd, R> {
    plan: &'l Plan<R>,
    rules: &'l [OneValue<'d>],
    branch_by_change: Vec<Option<u32>>,
    may_be_goals: Vec<bool>,
    changes: Vec<R>,
    change_by_branches: AHashMap<(u32, Option<u32>), u32>,
    max_made: u64,
}

/// A rule of two: its number, and the byte of the node that its estimate depends on.
type Second = Option<(u32, u16)>;

impl<R: HasKernels> Layout<'_, '_, R> {
    /// Return the rules that lead to an heir; `None` for a missing one.
    fn branches(&self, id: PlanStateId, way: Way) -> Option<(u32, Second)> {
        let plan_state = self.plan.plan_state(id);
        if way.first >= plan_state.n {
            return None;
        }
        let change = (plan_state.changes + way.first) as usize;
        let first = self.branch_by_change[change]?;
        let Some(second) = way.second else {
            return Some((first, None));
        };
        let child = self
            .plan
            .plan_state(self.plan.next(plan_state, way.first as usize));
        let second = self.branch_by_change[(child.changes + second) as usize]?;
        // The byte of the child comes from this byte of the node.
        let byte = self.rules[second as usize].byte;
        let byte = self.plan.lists.changes().0[change].read_byte(usize::from(byte)) as u16;
        Some((first, Some((second, byte))))
    }

    /// Return the place of the change that leads to an heir.
    fn change(&mut self, id: PlanStateId, way: Way) -> Option<u32> {
        let (first, second) = self.branches(id, way)?;
        let key = (first, second.map(|it| it.0));
        let next = self.changes.len();
        if let Some(place) = self.change_by_branches.get(&key) {
            return Some(*place);
        }
        let plan_state = self.plan.plan_state(id);
        let changes = self.plan.lists.changes().0;
        let mut change = changes[(plan_state.changes + way.first) as usize];
        if let Some(second) = way.second {
            let child = self
                .plan
                .plan_state(self.plan.next(plan_state, way.first as usize));
            change = R::with_any_kernel(Both {
                one: change,
                then: changes[(child.changes + second) as usize],
            });
        }
        self.changes.push(change);
        let place = u32::try_from(next * size_of::<R>()).ok()?;
        self.change_by_branches.insert(key, place);
        Some(place)
    }

    /// Return the row of a plan state, with the ways to its heirs, of which missing ones repeat the
    /// last.
    fn row(&mut self, id: PlanStateId) -> Option<(Row, [Way; N_LANES])> {
        let plan = self.plan;
        let plan_state = plan.plan_state(id);
        // The root may not satisfy the conditions of the interleaved walk.
        let n = if plan_state.n as usize <= MAX_CHILDREN {
            plan_state.n
        } else {
            0
        };
        if plan_state.n_forbidden > MAX_FORBIDDEN {
            return None;
        }
        let children: Vec<PlanState> = (0..n as usize)
            .map(|i| plan.plan_state(plan.next(plan_state, i)))
            .collect();
        let mut ways = Vec::new();
        // Leave out the grandchildren of the last children until there are few enough heirs.
        let mut n_expanded = children.len();
        loop {
            ways.clear();
            for (i, child) in (0..n).zip(&children) {
                let next = plan.next(plan_state, i as usize);
                let is_expanded = (i as usize) < n_expanded
                    && !self.may_be_goals[next as usize]
                    && child.n > 0
                    && child.n_forbidden <= MAX_FORBIDDEN_WITH_PARENT;
                if is_expanded {
                    ways.extend((0..child.n).map(|second| Way {
                        first: i,
                        second: Some(second),
                    }));
                } else {
                    ways.push(Way {
                        first: i,
                        second: None,
                    });
                }
            }
            if ways.len() <= N_LANES {
                break;
            }
            n_expanded -= 1;
        }
        let mut row = Row {
            own: u64::from(n) | u64::from(plan_state.n_forbidden) << 32,
            may_be_goal: self.may_be_goals[id as usize].into(),
            exist: (1 << ways.len()) - 1,
            ..Row::zeroed()
        };
        let mut made = u64::from(n);
        for (lane, way) in ways.iter().enumerate() {
            let (i, child) = (way.first as usize, children[way.first as usize]);
            let mut next = plan.next(plan_state, i);
            if let Some(second) = way.second {
                if second == 0 {
                    row.counts.0[lane] = counted(child.n, child.n_forbidden);
                    made += u64::from(child.n);
                }
                next = plan.next(child, second as usize);
            }
            row.heirs[lane] = Heir {
                change: self.change(id, *way)?,
                row: (next as usize * size_of::<Row>()) as u32,
            };
        }
        self.max_made = self.max_made.max(made);
        let last = ways.last().copied().unwrap_or(Way {
            first: u32::MAX,
            second: None,
        });
        ways.resize(N_LANES, last);
        let ways = ways.try_into().ok()?;
        row.pattern = self.pattern(id, &ways);
        Some((row, ways))
    }

    /// Return the pattern of the estimates of heirs; one without meaning if they have none.
    fn pattern(&self, id: PlanStateId, ways: &[Way; N_LANES]) -> Pattern {
        let mut pattern = Pattern::zeroed();
        for (lane, way) in ways.iter().enumerate() {
            let Some((first, second)) = self.branches(id, *way) else {
                // There are no heirs: no number may be the least one beyond the bound.
                pattern.lesser = [i8::MIN; 2 * N_LANES];
                return pattern;
            };
            let first = (first, self.rules[first as usize].byte);
            for (i, branch) in [Some(first), second].into_iter().enumerate() {
                let Some((branch, byte)) = branch else {
                    continue;
                };
                let rule = self.rules[branch as usize];
                let Some((lesser, greater)) = rule.two() else {
                    continue;
                };
                let at = i * N_LANES + lane;
                pattern.bytes[at] = byte as u8;
                pattern.lesser[at] = lesser;
                pattern.more[at] = greater.wrapping_sub(lesser) as u8;
                let values = pattern.greater[i].iter_mut().zip(rule.differences);
                for (set, difference) in values {
                    *set |= u8::from(*difference == i32::from(greater)) << lane;
                }
            }
        }
        pattern
    }
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
