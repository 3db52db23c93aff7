//! The set of rules that apply to a packed state, looked up instead of tested rule by rule.
//!
//! A rule that compares variables with constants applies exactly if each byte of the packed state
//! agrees with it. So for each byte there is a table that maps each value to the set of rules that
//! agree with it, and the applicable rules are the intersection of the sets for the bytes of a
//! packed state. That takes one step for each tested byte, however many rules there are. The rules
//! that the machine allows or forbids are one more set for each plan state. The rules that lead to
//! a goal are found in the same way, nearly: by bytes of the child that may be those of some goal.
//!
//! These tables are not the [`RuleTables`](crate::game::rule_tables::RuleTables) of the searches
//! that expand one node at a time: a set here has a fixed number of words, so that it stays in
//! registers and the leaf loops are compiled without a loop over words.

use std::hint::select_unpredictable;
use std::iter::zip;

use bytemuck::Pod;
use psvn_ir::{CanonicalRule, Term, VarId};

use crate::game::branches::Branch;
use crate::game::packed::{Change, Form, Test};

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

    fn remove(&mut self, branch: usize) {
        self.0[branch / 64] &= !(1 << (branch % 64));
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

    /// Return the words of the set, and one without rules.
    #[inline(always)]
    pub(crate) fn words(&self) -> Words {
        let mut words = [0; WORDS + 1];
        for (i, word) in self.0.into_iter().enumerate() {
            words[i] = word;
        }
        words
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::NONE
    }
}

/// The words of a set, and one without rules.
pub(crate) type Words = [u64; WORDS + 1];

/// The rules of a set that are still to come.
///
/// Which words have rules can't be foreseen, so there are no branches about them: whoever asks for
/// rules branches once, after the last one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// The later words with rules, and the one without, a bit for each.
    later: u32,
    /// The number of the first rule of the current word.
    first: usize,
    /// The rules of the current word.
    rest: u64,
}

impl Rules {
    #[inline(always)]
    pub(crate) fn of(words: &Words) -> Self {
        let mut this = Self {
            later: 1 << WORDS,
            first: 0,
            rest: 0,
        };
        for (i, word) in words[..WORDS].iter().enumerate() {
            this.later |= u32::from(*word != 0) << i;
        }
        this.go_on(words);
        this
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.rest == 0
    }

    /// Return the next rule. There must be one.
    #[inline(always)]
    pub(crate) fn next(&mut self, words: &Words) -> usize {
        let rule = self.first + self.rest.trailing_zeros() as usize;
        self.rest &= self.rest.wrapping_sub(1);
        self.go_on(words);
        rule
    }

    /// Go to the next word if the current one has no more rules.
    #[inline(always)]
    fn go_on(&mut self, words: &Words) {
        let i = (self.later.trailing_zeros() as usize).min(WORDS);
        let is_over = self.rest == 0;
        let later = self.later & self.later.wrapping_sub(1);
        self.first = select_unpredictable(is_over, 64 * i, self.first);
        self.later = select_unpredictable(is_over, later, self.later);
        self.rest = select_unpredictable(is_over, words[i], self.rest);
    }
}

/// The bytes that are looked up without a test in between.
const BYTES_AT_ONCE: usize = 2;

/// Sets of rules by byte and value.
type Tables = Vec<[[Set; 256]; BYTES_AT_ONCE]>;

/// The sets of a plan state that are needed at each node.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct SetPlanState {
    pub(crate) allowed: Set,
    /// Where the plan states after the rules begin.
    next: u32,
    /// Where the rest is.
    number: u32,
    /// Whether some rules may lead to a goal.
    pub(crate) reaches_goals: bool,
}

/// The sets of a plan state that few nodes need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RareSets {
    /// The rules that the machine forbids and that need a test.
    pub(crate) forbidden: Set,
    /// The rules that may lead to a goal.
    pub(crate) to_goal: Set,
    /// The number of rules that always apply and are forbidden.
    pub(crate) n_forbidden: u32,
}

/// The sets of a plan.
#[derive(Clone, Debug)]
pub(crate) struct RuleSets<R> {
    /// By byte and value: the rules that agree with it.
    agreeing: Tables,
    /// By byte and value: the rules after which the byte may be that of a goal.
    goal_agreeing: Tables,
    plan_states: Vec<SetPlanState>,
    rare: Vec<RareSets>,
    /// Rows by branch.
    next: Vec<PlanStateId>,
    /// By branch.
    changes: Vec<Change<R>>,
    /// At least the number of rules that apply to a state together.
    most: u64,
    /// At least the number of rules that apply to a state below another one.
    longest: u64,
}

/// With at most this many tests in each plan state, rules are tested, eight at a time, and no sets
/// are made.
const FEW_TESTS: usize = 16;

/// With more goals, nearly all bytes are those of some goal.
const MAX_GOALS: usize = 64;

/// The maximum number of entries of the tables of successors.
const MAX_NEXT: usize = 1 << 22;

impl<R: Pod> RuleSets<R> {
    /// Build the sets of a plan; `None` if it has too many rules, if its rules compare variables,
    /// or if sets wouldn't save time.
    pub(super) fn new<F: Form<Packed = R>>(
        plan: &Plan<R>,
        branches: &[Branch],
        form: &F,
    ) -> Option<Self> {
        let lists = plan.graph.plan_states.iter().map(|it| plan.list(it.list));
        let most_tests = lists.filter(|list| list.tests.is_some()).map(|list| list.n);
        if most_tests.max()? as usize <= FEW_TESTS
            || branches.len() > 64 * WORDS
            || branches.len().checked_mul(plan.graph.plan_states.len())? > MAX_NEXT
        {
            return None;
        }
        let tests = constants(branches, form, |rule| rule.tests().collect())?;
        let changes = constants(branches, form, |rule| rule.changes().collect())?;
        let branch_by_change = plan.graph.lists.branch_by_change();
        let of_list = |changes: u32, n: u32| {
            let places = &branch_by_change[changes as usize..][..n as usize];
            let branches = places.iter().map(|it| it.expect("a list has branches"));
            branches.map(|branch| branch as usize)
        };
        let mut this = Self {
            agreeing: agreeing(&tests),
            goal_agreeing: goal_agreeing(&changes, &plan.goals),
            plan_states: Vec::with_capacity(plan.graph.plan_states.len()),
            rare: Vec::with_capacity(plan.graph.plan_states.len()),
            next: Vec::with_capacity(plan.graph.plan_states.len() * branches.len()),
            changes: branches
                .iter()
                .map(|branch| form.change(&branch.canonical))
                .collect(),
            most: most_together(&tests),
            longest: 0,
        };
        for plan_state in &plan.graph.plan_states {
            let (mut allowed, mut forbidden, mut to_goal) = (Set::NONE, Set::NONE, Set::NONE);
            if let Some(list) = plan_state.forbidden {
                let list = plan.list(list);
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
                next: u32::try_from(next).ok()?,
                number: u32::try_from(this.rare.len()).ok()?,
                reaches_goals: !to_goal.is_empty(),
            });
            this.rare.push(RareSets {
                forbidden,
                to_goal,
                n_forbidden: plan_state.n_forbidden,
            });
        }
        let below = plan
            .graph
            .next
            .iter()
            .map(|id| plan.graph.plan_states[*id as usize].n);
        this.longest = this.most.min(below.max().unwrap_or_default().into());
        Some(this)
    }

    /// Return the rules that apply to a packed state. The set may contain numbers that no rule has.
    #[inline(always)]
    pub(crate) fn applicable(&self, packed: &R) -> Set {
        intersection(&self.agreeing, packed)
    }

    /// Return the rules that may lead from a packed state to a goal, if they apply: all that do,
    /// and few others.
    #[inline(always)]
    pub(crate) fn to_goal(&self, packed: &R) -> Set {
        intersection(&self.goal_agreeing, packed)
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

    #[inline(always)]
    pub(crate) fn rare(&self, plan_state: &SetPlanState) -> &RareSets {
        &self.rare[plan_state.number as usize]
    }

    /// Return how many plies, three at most, can be made at once under a plan state, and the
    /// maximum number of their nodes.
    #[inline(always)]
    pub(crate) fn at_once(&self, plan_state: PlanState, left: u64, max_nodes: u64) -> (usize, u64) {
        let mut nodes = u64::from(plan_state.n).min(self.most);
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

/// Return the intersection of the sets for the bytes of a packed state.
#[inline(always)]
fn intersection<R: Pod>(tables: &Tables, packed: &R) -> Set {
    let mut set = Set::ALL;
    let (values, _) = bytemuck::bytes_of(packed).as_chunks::<BYTES_AT_ONCE>();
    for (by_value, values) in zip(tables, values) {
        for i in 0..BYTES_AT_ONCE {
            set = set.and(&by_value[i][usize::from(values[i])]);
        }
    }
    set
}

/// Return a part of each rule as a test: the variables that it tests, or those that it changes.
/// `None` if some are not compared with constants, or not changed to constants.
fn constants<F: Form>(
    branches: &[Branch],
    form: &F,
    part: impl Fn(&CanonicalRule) -> Vec<(VarId, Term)>,
) -> Option<Vec<Test<F::Packed>>> {
    let test = |branch: &Branch| {
        let terms = part(&branch.canonical).into_iter();
        let constants = terms.map(|(var, term)| Some((var, term.as_constant()?)));
        Some(form.test(&constants.collect::<Option<Vec<_>>>()?))
    };
    branches.iter().map(test).collect()
}

/// Return the number of bytes up to the last one that some test compares.
fn n_bytes<R: Pod>(tests: &[Test<R>]) -> usize {
    let masks = tests.iter().map(|test| bytemuck::bytes_of(&test.mask));
    let lengths = masks.map(|mask| {
        mask.iter()
            .rposition(|byte| *byte != 0)
            .map_or(0, |at| at + 1)
    });
    lengths.max().unwrap_or_default()
}

/// Return whether no state passes both tests.
fn excludes<R: Pod>(one: &Test<R>, other: &Test<R>) -> bool {
    let words = [&one.mask, &other.mask, &one.value, &other.value].map(bytemuck::bytes_of);
    let [masks, other_masks, values, other_values] = words;
    let both = masks
        .iter()
        .zip(other_masks)
        .map(|(one, other)| one & other);
    let differing = values
        .iter()
        .zip(other_values)
        .map(|(one, other)| one ^ other);
    both.zip(differing)
        .any(|(both, differing)| both & differing != 0)
}

/// Return the mask and the value of a test in one byte.
fn of_byte<R: Pod>(test: &Test<R>, number: usize) -> [u8; 2] {
    [&test.mask, &test.value].map(|it| bytemuck::bytes_of(it)[number])
}

/// Return the sets that have all rules, for the bytes that some tests compare.
fn all_rules<R: Pod>(tests: &[Test<R>]) -> Tables {
    vec![[[Set::ALL; 256]; BYTES_AT_ONCE]; n_bytes(tests).div_ceil(BYTES_AT_ONCE)]
}

/// Return, by byte and value, the tests that agree with it.
fn agreeing<R: Pod>(tests: &[Test<R>]) -> Tables {
    let mut sets = all_rules(tests);
    for (number, by_value) in sets.as_flattened_mut().iter_mut().enumerate() {
        for (branch, test) in tests.iter().enumerate() {
            let [mask, wanted] = of_byte(test, number);
            if mask == 0 {
                continue;
            }
            for (value, set) in by_value.iter_mut().enumerate() {
                if value as u8 & mask != wanted {
                    set.remove(branch);
                }
            }
        }
    }
    sets
}

/// Return, by byte and value, the changes after which the byte agrees with some goal.
fn goal_agreeing<R: Pod>(changes: &[Test<R>], goals: &[Test<R>]) -> Tables {
    if goals.len() > MAX_GOALS {
        return Vec::new();
    }
    let mut sets = all_rules(goals);
    for (number, by_value) in sets.as_flattened_mut().iter_mut().enumerate() {
        let goals: Vec<[u8; 2]> = goals.iter().map(|goal| of_byte(goal, number)).collect();
        let is_of_goal = |value: u8| goals.iter().any(|[mask, wanted]| value & mask == *wanted);
        let is_of_goal: Vec<bool> = (0..=u8::MAX).map(is_of_goal).collect();
        for (branch, change) in changes.iter().enumerate() {
            let [mask, set_to] = of_byte(change, number);
            for (value, set) in by_value.iter_mut().enumerate() {
                if !is_of_goal[value & !usize::from(mask) | usize::from(set_to)] {
                    set.remove(branch);
                }
            }
        }
    }
    sets
}

/// Return a number that is at least that of the tests that one state passes: tests are put into
/// groups of which a state passes one test at most.
fn most_together<R: Pod>(tests: &[Test<R>]) -> u64 {
    let mut groups: Vec<Vec<&Test<R>>> = Vec::new();
    for test in tests {
        let fits = |group: &&mut Vec<&Test<R>>| group.iter().all(|it| excludes(it, test));
        match groups.iter_mut().find(fits) {
            Some(group) => group.push(test),
            None => groups.push(vec![test]),
        }
    }
    groups.len() as u64
}

#[cfg(test)]
mod tests {
    use fsm::Unrestricted;

    use super::{RuleSets, Rules, Set};
    use crate::front::planned::tests::planned_in_bits;
    use crate::game::packed::Bits;

    /// Return what a function says of the sets for a game of switches, where a switch can be turned
    /// on only after the one before it; 0 if there are none.
    fn of_sets<T: Default>(n_switches: usize, says: impl Fn(&RuleSets<Bits<1>>) -> T) -> T {
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
        let planned = planned_in_bits(&text, Unrestricted);
        planned.plan.sets.as_ref().map(says).unwrap_or_default()
    }

    fn n_sets(n_switches: usize) -> usize {
        let is_tested = |by_value: &&[Set; 256]| by_value.iter().any(|it| *it != Set::ALL);
        of_sets(n_switches, |sets| {
            let by_byte = sets.agreeing.as_flattened().iter();
            by_byte.filter(is_tested).count()
        })
    }

    #[test]
    fn sets_are_for_many_tests() {
        assert_eq!(n_sets(8), 0);
        assert_eq!(n_sets(20), 3);
        assert_eq!(n_sets(63), 8);
    }

    #[test]
    fn neighbors_cannot_be_turned_on_together() {
        assert_eq!(of_sets(20, |sets| sets.most), 10);
        // The last one is a neighbor of the first.
        assert_eq!(of_sets(21, |sets| sets.most), 11);
    }

    #[test]
    fn rules_come_in_order() {
        let mut set = Set::NONE;
        let rules = [0, 1, 63, 130, 191, 255];
        rules.into_iter().for_each(|rule| set.insert(rule));
        let words = set.words();
        let mut rest = Rules::of(&words);
        let all: Vec<usize> =
            std::iter::from_fn(|| (!rest.is_empty()).then(|| rest.next(&words))).collect();
        assert_eq!(all, rules);
        assert!(Rules::of(&Set::NONE.words()).is_empty());
    }
}
