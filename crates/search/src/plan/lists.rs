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

/// All lists of a plan.
pub(crate) struct Lists<R> {
    lists: Vec<List>,
    first: Lines<R>,
    second: Lines<R>,
    masks: Lines<R>,
    values: Lines<R>,
    equal_first: Lines<R>,
    equal_second: Lines<R>,
    rules: Vec<u32>,
    /// By place of a change; [`NO_BRANCH`] between the lists.
    branches: Vec<u32>,
    longest: u64,
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
        let numbers = self.rules.len() + self.branches.len();
        lines.iter().map(|lines| lines.bytes()).sum::<usize>()
            + size_of_val(self.lists.as_slice())
            + numbers * size_of::<u32>()
            + self.lookups.bytes()
    }

    fn new() -> Self {
        Self {
            lists: Vec::new(),
            first: Lines::new(),
            second: Lines::new(),
            masks: Lines::new(),
            values: Lines::new(),
            equal_first: Lines::new(),
            equal_second: Lines::new(),
            rules: Vec::new(),
            branches: Vec::new(),
            longest: 0,
            lookups: Lookups::default(),
        }
    }

    /// Return a list.
    #[inline(always)]
    pub(crate) fn get(&self, id: ListId) -> List {
        self.lists[id.0.get() as usize - 1]
    }

    /// Return both operands of the changes of all lists.
    #[inline(always)]
    pub(crate) fn changes(&self) -> (&[R], &[R]) {
        (self.first.packed_states(), self.second.packed_states())
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

    /// Return the rules of a list.
    #[inline(always)]
    pub(crate) fn rules(&self, list: ListId) -> &[u32] {
        let list = self.get(list);
        &self.rules[list.rules as usize..][..list.n as usize]
    }

    /// Iterate over the branch of each change, by its place; `None` between the lists.
    pub(crate) fn branch_by_change(&self) -> impl Iterator<Item = Option<u32>> + '_ {
        self.branches
            .iter()
            .map(|branch| (*branch != NO_BRANCH).then_some(*branch))
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
}

/// Makes lists, each only once.
pub(super) struct ListBuilder<'f, F: Form> {
    form: &'f F,
    /// By branch.
    changes: Vec<Change<F::Packed>>,
    /// By branch.
    rules: Vec<u32>,
    numbers: AHashMap<Vec<(u32, u32)>, ListId>,
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
            lists: Lists::new(),
            possible: possible_bits(game, form),
            has_lookups: gathers_quickly(),
        }
    }

    /// Return the list of these branches with these tests.
    pub(super) fn list(
        &mut self,
        entries: Vec<(u32, u32)>,
        partial_states: &PartialStates<'_>,
    ) -> ListId {
        if let Some(id) = self.numbers.get(&entries) {
            return *id;
        }
        let lists = &mut self.lists;
        let id = ListId(NonZeroU32::MIN.saturating_add(lists.lists.len() as u32));
        let changes = entries
            .iter()
            .map(|(branch, _)| self.changes[*branch as usize]);
        let start = lists.first.push(changes.clone().map(|change| change.first));
        lists.second.push(changes.map(|change| change.second));
        lists.branches.resize(start as usize, NO_BRANCH);
        lists
            .branches
            .extend(entries.iter().map(|(branch, _)| *branch));
        let demands = entries
            .iter()
            .map(|(_, test)| partial_states.demands(*test));
        let form = self.form;
        let compares_variables = demands
            .clone()
            .any(|demands| !demands.equalities.is_empty());
        let mut lookup = None;
        let tests = entries
            .iter()
            .any(|(_, test)| *test != PartialStates::NO_TEST)
            .then(|| {
                let mut tests: Vec<Test<F::Packed>> = Vec::with_capacity(entries.len());
                for demands in demands.clone() {
                    tests.push(form.test(&demands.constants));
                }
                if Lookups::<F::Packed>::EXIST && self.has_lookups && !compares_variables {
                    lookup = lists.lookups.add(&tests, &self.possible);
                }
                lists.values.push(tests.iter().map(|test| test.value));
                lists.masks.push(tests.iter().map(|test| test.mask))
            });
        let equalities = compares_variables.then(|| {
            let changes: Vec<Change<F::Packed>> = demands
                .map(|demands| form.equality(&demands.equalities))
                .collect();
            let seconds = changes.iter().map(|change| change.second);
            lists.equal_second.push(seconds);
            lists
                .equal_first
                .push(changes.iter().map(|change| change.first))
        });
        let rules = u32::try_from(lists.rules.len()).expect("fewer than 2^32 entries");
        let numbers = entries
            .iter()
            .map(|(branch, _)| self.rules[*branch as usize]);
        lists.rules.extend(numbers);
        lists.longest = lists.longest.max(entries.len() as u64);
        lists.lists.push(List {
            n: entries.len() as u32,
            changes: start,
            tests,
            equalities,
            rules,
            lookup: lookup.unwrap_or(Lookups::<F::Packed>::NONE),
        });
        self.numbers.insert(entries, id);
        id
    }

    /// Estimate the size of the lists in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.lists.bytes()
    }

    pub(super) fn get(&self, id: ListId) -> List {
        self.lists.get(id)
    }

    pub(super) fn finish(self) -> Lists<F::Packed> {
        self.lists
    }
}
