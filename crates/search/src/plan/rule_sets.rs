//! The set of rules that apply to a packed state, looked up instead of tested rule by rule.
//!
//! A rule that compares variables with constants applies exactly if each byte of the packed state
//! agrees with it. So for each byte there is a table that maps each value to the set of rules that
//! agree with it, and the applicable rules are the intersection of the sets for the bytes of a
//! packed state. That takes one step for each tested byte, however many rules there are. The rules
//! that the machine allows or forbids are one more set for each plan state.
//!
//! These tables are not the [`RuleTables`](crate::game::rule_tables::RuleTables) of the searches
//! that expand one node at a time: a set here has a fixed number of words, so that it stays in
//! registers and the leaf loops are compiled without a loop over words.

use crate::game::branches::Branch;
use crate::game::packed::{Change, Form, Read, Test};

use super::{Plan, PlanState, PlanStateId};

/// The words of a set.
pub(crate) const WORDS: usize = 4;

/// A set of branches of rules; the branches of a rule change packed states differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Set([u64; WORDS]);

impl Set {
    const NONE: Self = Self([0; WORDS]);
    const ALL: Self = Self([!0; WORDS]);

    fn insert(&mut self, branch: usize) {
        self.0[branch / 64] |= 1 << (branch % 64);
    }

    #[inline(always)]
    pub(crate) fn and(mut self, other: &Self) -> Self {
        for i in 0..WORDS {
            self.0[i] &= other.0[i];
        }
        self
    }

    #[inline(always)]
    pub(crate) fn len(self) -> u64 {
        let mut n = 0;
        for i in 0..WORDS {
            n += self.0[i].count_ones();
        }
        u64::from(n)
    }

    /// Return the 64 rules from number `64 * i` on.
    #[inline(always)]
    pub(crate) fn word(self, i: usize) -> u64 {
        self.0[i]
    }
}

/// The rules that agree with each value of a byte.
#[derive(Clone, Debug)]
struct Byte {
    number: usize,
    by_value: Box<[Set; 256]>,
}

/// The sets of a plan state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetPlanState {
    pub(crate) allowed: Set,
    /// The rules that the machine forbids and that need a test.
    pub(crate) forbidden: Set,
    /// The rules that may lead to a goal.
    pub(crate) to_goal: Set,
    /// The number of rules that always apply and are forbidden.
    pub(crate) n_forbidden: u32,
    /// Where the plan states after the rules begin.
    next: u32,
}

/// The sets of a plan.
#[derive(Clone, Debug)]
pub(crate) struct RuleSets<R> {
    bytes: Vec<Byte>,
    plan_states: Vec<SetPlanState>,
    /// Rows by branch.
    next: Vec<PlanStateId>,
    /// By branch.
    changes: Vec<Change<R>>,
    /// The maximum number of rules that a plan state below another one allows.
    longest: u64,
}

/// With at most this many tests in each plan state, rules are tested, eight at a time, and no sets
/// are made.
const FEW_TESTS: usize = 16;

/// The maximum number of entries of the tables of successors.
const MAX_NEXT: usize = 1 << 22;

impl<R: Read> RuleSets<R> {
    /// Build the sets of a plan; `None` if it has too many rules, if its rules compare variables,
    /// or if sets wouldn't save time.
    pub(super) fn new<F: Form<Packed = R>>(
        plan: &Plan<R>,
        branches: &[Branch],
        form: &F,
    ) -> Option<Self> {
        let lists = plan.plan_states.iter().map(|it| plan.lists.get(it.list));
        let most_tests = lists.filter(|list| list.tests.is_some()).map(|list| list.n);
        if most_tests.max()? as usize <= FEW_TESTS
            || branches.len() > 64 * WORDS
            || branches.len().checked_mul(plan.plan_states.len())? > MAX_NEXT
        {
            return None;
        }
        let tests = branches.iter().map(|branch| {
            let tests = branch.canonical.tests();
            let constants: Option<Vec<_>> = tests
                .map(|(var, term)| Some((var, term.as_constant()?)))
                .collect();
            Some(form.test(&constants?))
        });
        let tests: Vec<Test<R>> = tests.collect::<Option<_>>()?;
        let bytes = (0..size_of::<R>()).map(|number| Byte::new(number, &tests));
        let bytes = bytes.filter(|byte| byte.by_value.iter().any(|it| *it != Set::ALL));
        let branch_by_change: Vec<Option<u32>> = plan.lists.branch_by_change().collect();
        let of_list = |changes: u32, n: u32| {
            let places = &branch_by_change[changes as usize..][..n as usize];
            let branches = places.iter().map(|it| it.expect("a list has branches"));
            branches.map(|branch| branch as usize)
        };
        let mut this = Self {
            bytes: bytes.collect(),
            plan_states: Vec::with_capacity(plan.plan_states.len()),
            next: Vec::with_capacity(plan.plan_states.len() * branches.len()),
            changes: branches
                .iter()
                .map(|branch| form.change(&branch.canonical))
                .collect(),
            longest: 0,
        };
        for plan_state in &plan.plan_states {
            let (mut allowed, mut forbidden, mut to_goal) = (Set::NONE, Set::NONE, Set::NONE);
            if let Some(list) = plan_state.forbidden {
                let list = plan.lists.get(list);
                of_list(list.changes, list.n).for_each(|branch| forbidden.insert(branch));
            }
            let next = this.next.len();
            this.next.resize(next + branches.len(), 0);
            for (i, branch) in of_list(plan_state.changes, plan_state.n).enumerate() {
                allowed.insert(branch);
                if plan.goal_rules(*plan_state, i) >> (i % 64) & 1 == 1 {
                    to_goal.insert(branch);
                }
                this.next[next + branch] = plan.next(*plan_state, i);
            }
            this.plan_states.push(SetPlanState {
                allowed,
                forbidden,
                to_goal,
                n_forbidden: plan_state.n_forbidden,
                next: u32::try_from(next).ok()?,
            });
        }
        let below = plan.next.iter().map(|id| plan.plan_states[*id as usize].n);
        this.longest = below.max().unwrap_or_default().into();
        Some(this)
    }

    /// Return the rules that apply to a packed state. The set may contain numbers that no rule has.
    #[inline(always)]
    pub(crate) fn applicable(&self, packed: &R) -> Set {
        let mut set = Set::ALL;
        for byte in &self.bytes {
            set = set.and(&byte.by_value[packed.read_byte(byte.number) as usize & 255]);
            // The early exit makes compilers look up one byte after the other. Gathering the words
            // of several bytes is slower.
            if set == Set::NONE {
                break;
            }
        }
        set
    }

    #[inline(always)]
    pub(crate) fn plan_state(&self, id: PlanStateId) -> &SetPlanState {
        &self.plan_states[id as usize]
    }

    /// Return the plan state after a rule that a plan state allows.
    #[inline(always)]
    pub(crate) fn next(&self, plan_state: &SetPlanState, branch: usize) -> PlanStateId {
        self.next[plan_state.next as usize + branch]
    }

    #[inline(always)]
    pub(crate) fn change(&self, branch: usize) -> &Change<R> {
        &self.changes[branch]
    }

    /// Return how many plies, three at most, can be made at once under a plan state, and the
    /// maximum number of their nodes.
    #[inline(always)]
    pub(crate) fn at_once(&self, plan_state: PlanState, left: u64, max_nodes: u64) -> (usize, u64) {
        let mut nodes = u64::from(plan_state.n);
        let mut ply = nodes;
        let mut plies = 1;
        while plies < 3 && (plies as u64) < left {
            ply *= self.longest;
            if nodes + ply > max_nodes {
                break;
            }
            nodes += ply;
            plies += 1;
        }
        (plies, nodes)
    }
}

impl Byte {
    fn new<R: Read>(number: usize, tests: &[Test<R>]) -> Self {
        let set = |value: usize| {
            let mut set = Set::ALL;
            for (branch, test) in tests.iter().enumerate() {
                if value as u32 & test.mask.read_byte(number) != test.value.read_byte(number) {
                    set.0[branch / 64] &= !(1 << (branch % 64));
                }
            }
            set
        };
        Self {
            number,
            by_value: Box::new(std::array::from_fn(set)),
        }
    }
}

#[cfg(test)]
mod tests {
    use fsm::Unrestricted;

    use crate::front::planned::AnyPlanned;
    use crate::front::planned::tests::planned;

    /// Return the number of sets for a game of switches, where a switch can be turned on only after
    /// the one before it.
    fn n_sets(n_switches: usize) -> usize {
        let state = |set: &[(usize, &str)]| {
            let value = |i| set.iter().find(|it| it.0 == i).map_or("-", |it| it.1);
            let values: Vec<&str> = (0..n_switches).map(value).collect();
            values.join(" ")
        };
        let mut text = format!("DOMAIN switch 2 off on\n{n_switches}");
        text += &" switch".repeat(n_switches);
        text += "\n";
        for i in 0..n_switches {
            let before = (i + n_switches - 1) % n_switches;
            let (lhs, rhs) = (state(&[(before, "on"), (i, "off")]), state(&[(i, "on")]));
            text += &format!("{lhs} => {rhs}\n");
        }
        text += &format!("GOAL {}\n", "on ".repeat(n_switches));
        let AnyPlanned::Bits1(planned) = planned(&text, Unrestricted) else {
            panic!("64 bits are enough");
        };
        planned.plan.sets.map_or(0, |sets| sets.bytes.len())
    }

    #[test]
    fn sets_are_for_many_tests() {
        assert_eq!(n_sets(8), 0);
        assert_eq!(n_sets(20), 3);
        assert_eq!(n_sets(63), 8);
    }
}
