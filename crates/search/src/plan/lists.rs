//! The lists of rules that may come next.

use std::num::NonZeroU32;

use ahash::AHashMap;
use bytemuck::{Pod, Zeroable};
use psvn_ir::{Game, Value, VarId};

use super::lookups::Lookups;
use super::partial_states::PartialStates;
use crate::game::branches::Branch;
use crate::game::lines::{Line, Lines};
use crate::game::packed::{Change, Form, Test};
use crate::kernel::gathers_quickly;

/// The number of a list, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ListId(pub(crate) NonZeroU32);

/// Rules that may come next, in the order of their numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    /// The number of rules.
    pub(crate) n: u32,
    /// Where their changes begin.
    pub(crate) changes: u32,
    /// Where their tests begin; `None` when all of them always apply.
    pub(crate) tests: Option<u32>,
    /// Where their comparisons of variables begin; `None` when there are none.
    pub(crate) equalities: Option<u32>,
    /// Where the numbers of the rules begin.
    pub(crate) rules: u32,
    /// The [table](Lookups) of its tests; [`Lookups::NONE`] where there is none.
    pub(crate) lookup: u32,
}

/// The rules of all lists of a plan.
#[derive(Default)]
pub(crate) struct ListIndex {
    lists: Vec<List>,
    rules: Vec<u32>,
    /// By place of a change; [`NO_BRANCH`] between the lists.
    branches: Vec<u32>,
    longest: u64,
}

impl ListIndex {
    /// Estimate its size in bytes.
    fn bytes(&self) -> usize {
        let numbers = self.rules.len() + self.branches.len();
        size_of_val(self.lists.as_slice()) + numbers * size_of::<u32>()
    }

    /// Return a list.
    #[inline(always)]
    pub(crate) fn get(&self, id: ListId) -> List {
        self.lists[id.0.get() as usize - 1]
    }

    /// Return the rules of a list.
    #[inline(always)]
    pub(crate) fn rules(&self, list: ListId) -> &[u32] {
        let list = self.get(list);
        &self.rules[list.rules as usize..][..list.n as usize]
    }

    /// Return the branch of each change, by its place; `None` between the lists.
    pub(crate) fn branch_by_change(&self) -> Vec<Option<u32>> {
        let branches = self.branches.iter();
        branches
            .map(|branch| (*branch != NO_BRANCH).then_some(*branch))
            .collect()
    }

    /// Return the number of rules of the longest list.
    #[inline(always)]
    pub(crate) fn longest(&self) -> u64 {
        self.longest
    }

    /// Return the number of lists.
    pub(crate) fn len(&self) -> usize {
        self.lists.len()
    }

    /// Return the number of the next list.
    fn next_id(&self) -> ListId {
        ListId(NonZeroU32::MIN.saturating_add(self.lists.len() as u32))
    }

    /// Add a list with these branches, whose rules are given by branch. The list's other fields are
    /// complete.
    fn add(&mut self, list: List, entries: &[(u32, u32)], rules: &[u32]) {
        self.branches.resize(list.changes as usize, NO_BRANCH);
        for (branch, _) in entries {
            self.branches.push(*branch);
            self.rules.push(rules[*branch as usize]);
        }
        self.longest = self.longest.max(entries.len() as u64);
        self.lists.push(list);
    }
}

/// The changes and tests of all lists of a plan.
pub(crate) struct Lists<R> {
    first: Lines<R>,
    second: Lines<R>,
    masks: Lines<R>,
    values: Lines<R>,
    equal_first: Lines<R>,
    equal_second: Lines<R>,
    pub(crate) lookups: Lookups<R>,
}

/// Marks a place without a change.
const NO_BRANCH: u32 = u32::MAX;

impl<R: Pod> Lists<R> {
    /// Estimate their size in bytes.
    fn bytes(&self) -> usize {
        let lines = [
            &self.first,
            &self.second,
            &self.masks,
            &self.values,
            &self.equal_first,
            &self.equal_second,
        ];
        lines.iter().map(|lines| lines.bytes()).sum::<usize>() + self.lookups.bytes()
    }

    fn new() -> Self {
        Self {
            first: Lines::new(),
            second: Lines::new(),
            masks: Lines::new(),
            values: Lines::new(),
            equal_first: Lines::new(),
            equal_second: Lines::new(),
            lookups: Lookups::default(),
        }
    }

    /// Return both operands of the changes of all lists.
    #[inline(always)]
    pub(crate) fn changes(&self) -> (&[R], &[R]) {
        (self.first.packed_states(), self.second.packed_states())
    }

    /// Add the changes of a list. Return where they begin.
    fn push_changes(&mut self, changes: &[Change<R>]) -> u32 {
        let n = changes.len();
        self.second.push(n, &mut |i| changes[i].second);
        self.first.push(n, &mut |i| changes[i].first)
    }

    /// Add the tests of a list. Return where they begin.
    fn push_tests(&mut self, tests: &[Test<R>]) -> u32 {
        let n = tests.len();
        self.values.push(n, &mut |i| tests[i].value);
        self.masks.push(n, &mut |i| tests[i].mask)
    }

    /// Add the comparisons of variables of a list. Return where they begin.
    fn push_equalities(&mut self, equalities: &[Change<R>]) -> u32 {
        let n = equalities.len();
        self.equal_second.push(n, &mut |i| equalities[i].second);
        self.equal_first.push(n, &mut |i| equalities[i].first)
    }

    /// Return the lines with both operands of the changes of a list of `n` rules that begin at a
    /// place.
    #[inline(always)]
    pub(crate) fn lines(&self, changes: u32, n: usize) -> (&[Line], &[Line]) {
        (
            self.first.of_list(changes, n),
            self.second.of_list(changes, n),
        )
    }

    /// Return masks and values of the tests of all lists.
    #[inline(always)]
    pub(crate) fn tests(&self) -> (&[R], &[R]) {
        (self.masks.packed_states(), self.values.packed_states())
    }

    /// Return the comparisons of variables of all lists.
    #[inline(always)]
    pub(crate) fn equalities(&self) -> (&[R], &[R]) {
        (
            self.equal_first.packed_states(),
            self.equal_second.packed_states(),
        )
    }
}

/// Makes lists, each only once.
pub(super) struct ListBuilder<'f, F: Form> {
    form: &'f F,
    /// By branch.
    changes: Vec<Change<F::Packed>>,
    /// By branch.
    rules: Vec<u32>,
    numbers: AHashMap<Vec<(u32, u32)>, ListId>,
    index: ListIndex,
    lists: Lists<F::Packed>,
    /// The bits of variables that some value has.
    possible: F::Packed,
    /// Whether there are [tables](Lookups).
    has_lookups: bool,
}

/// Return the bits that some value of a variable has.
fn possible_bits<F: Form>(game: &Game, form: &F) -> F::Packed {
    let mut possible = F::Packed::zeroed();
    for var in (0..game.n_variables()).map(VarId::from_index) {
        for value in (0..game.domain_of(var).size()).map(Value::from_index) {
            let test = form.test(&[(var, value)]);
            let bytes = bytemuck::bytes_of(&test.value);
            for (all, byte) in bytemuck::bytes_of_mut(&mut possible).iter_mut().zip(bytes) {
                *all |= byte;
            }
        }
    }
    possible
}

impl<'f, F: Form> ListBuilder<'f, F> {
    pub(super) fn new(game: &Game, branches: &[Branch], form: &'f F) -> Self {
        let changes = branches
            .iter()
            .map(|branch| form.change(&branch.canonical))
            .collect();
        let rules = branches.iter().map(|branch| branch.rule).collect();
        Self {
            form,
            changes,
            rules,
            numbers: AHashMap::new(),
            index: ListIndex::default(),
            lists: Lists::new(),
            possible: possible_bits(game, form),
            has_lookups: gathers_quickly(),
        }
    }
}

/// Makes lists, for any packed states.
pub(super) trait MakesLists {
    /// Return the list of these branches with these tests.
    fn list(&mut self, entries: Vec<(u32, u32)>, partial_states: &PartialStates<'_>) -> ListId;

    /// Return a list.
    fn get(&self, id: ListId) -> List;

    /// Estimate the size of the lists in bytes.
    fn bytes(&self) -> usize;
}

impl<F: Form> MakesLists for ListBuilder<'_, F> {
    fn list(&mut self, entries: Vec<(u32, u32)>, partial_states: &PartialStates<'_>) -> ListId {
        if let Some(id) = self.numbers.get(&entries) {
            return *id;
        }
        let id = self.index.next_id();
        let list = self.add(&entries, partial_states);
        self.index.add(list, &entries, &self.rules);
        self.numbers.insert(entries, id);
        id
    }

    fn get(&self, id: ListId) -> List {
        self.index.get(id)
    }

    fn bytes(&self) -> usize {
        self.index.bytes() + self.lists.bytes()
    }
}

impl<F: Form> ListBuilder<'_, F> {
    /// Add the changes and tests of a list.
    fn add(&mut self, entries: &[(u32, u32)], partial_states: &PartialStates<'_>) -> List {
        let lists = &mut self.lists;
        let mut changes = Vec::with_capacity(entries.len());
        for (branch, _) in entries {
            changes.push(self.changes[*branch as usize]);
        }
        let start = lists.push_changes(&changes);
        let (mut is_tested, mut compares_variables) = (false, false);
        for (_, test) in entries {
            is_tested |= *test != PartialStates::NO_TEST;
            compares_variables |= !partial_states.demands(*test).equalities.is_empty();
        }
        let mut list = List {
            n: entries.len() as u32,
            changes: start,
            tests: None,
            equalities: None,
            rules: u32::try_from(self.index.rules.len()).expect("fewer than 2^32 entries"),
            lookup: Lookups::<F::Packed>::NONE,
        };
        if is_tested {
            let mut tests: Vec<Test<F::Packed>> = Vec::with_capacity(entries.len());
            for (_, test) in entries {
                tests.push(self.form.test(&partial_states.demands(*test).constants));
            }
            if Lookups::<F::Packed>::EXIST
                && self.has_lookups
                && !compares_variables
                && let Some(lookup) = lists.lookups.add(&tests, &self.possible)
            {
                list.lookup = lookup;
            }
            list.tests = Some(lists.push_tests(&tests));
        }
        if compares_variables {
            changes.clear();
            for (_, test) in entries {
                changes.push(
                    self.form
                        .equality(&partial_states.demands(*test).equalities),
                );
            }
            list.equalities = Some(lists.push_equalities(&changes));
        }
        list
    }

    pub(super) fn finish(self) -> (ListIndex, Lists<F::Packed>) {
        (self.index, self.lists)
    }
}
