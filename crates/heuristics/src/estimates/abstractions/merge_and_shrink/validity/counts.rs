//! How many facts of a set hold.

use std::iter::zip;

use invariants::Invariants;
use psvn_ir::Game;

use super::super::cascade::GONE;

/// The most counts that are used: each is stored for each abstract state.
const MAX_COUNTS: usize = 64;

/// At least and at most how many of the facts of a count hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    least: u32,
    most: u32,
}

impl Range {
    const fn exactly(number: u32) -> Self {
        Self {
            least: number,
            most: number,
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            least: self.least + other.least,
            most: self.most + other.most,
        }
    }

    /// Return the smallest range with both.
    fn or(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }
}

/// The invariants that say how many facts of a set hold.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    /// By count, how many of its facts hold.
    numbers: Box<[u32]>,
    /// By variable and value, for each count: 1 if the fact is one of its facts, or else 0.
    facts: Vec<Vec<Box<[u32]>>>,
}

impl Counts {
    pub(super) fn new(game: &Game, known: &Invariants) -> Self {
        let counts: Vec<_> = known.counts().take(MAX_COUNTS).collect();
        let sizes = game.variables().iter().map(|id| game.domain(*id).size());
        let zeros = |size: usize| vec![vec![0; counts.len()].into_boxed_slice(); size];
        let mut facts: Vec<Vec<Box<[u32]>>> = sizes.map(zeros).collect();
        for (number, count) in counts.iter().enumerate() {
            for fact in &count.facts {
                facts[fact.var.index()][fact.value.index()][number] = 1;
            }
        }
        Self {
            numbers: counts.iter().map(|count| count.number).collect(),
            facts,
        }
    }

    /// Return what all variables add to the counts, whatever their values.
    fn of_all(&self) -> Vec<Range> {
        let none = vec![Range::exactly(0); self.numbers.len()];
        (0..self.facts.len()).fold(none, |sums, var| added(&sums, &self.of_variable(var)))
    }

    fn of_variable(&self, var: usize) -> Vec<Range> {
        let of_count = |count: usize| {
            let values = self.facts[var].iter();
            let values = values.map(|value| Range::exactly(value[count]));
            values.reduce(Range::or).unwrap_or(Range::exactly(0))
        };
        (0..self.numbers.len()).map(of_count).collect()
    }
}

fn added(one: &[Range], other: &[Range]) -> Vec<Range> {
    zip(one, other)
        .map(|(one, other)| one.plus(*other))
        .collect()
}

/// For each state of a factor, what the variables of the factor add to the counts.
#[derive(Clone, Debug)]
pub(super) struct CountRanges {
    /// By count, what its variables add whatever the state.
    all: Vec<Range>,
    /// By state, for each count.
    of_states: Vec<Range>,
}

impl CountRanges {
    pub(super) fn empty(counts: &Counts, n_states: usize) -> Self {
        let zero = Range::exactly(0);
        Self {
            all: vec![zero; counts.numbers.len()],
            of_states: vec![zero; counts.numbers.len() * n_states],
        }
    }

    /// The ranges of a variable, for these of its values.
    pub(super) fn of_variable(counts: &Counts, var: usize, values: &[u32]) -> Self {
        let values = values
            .iter()
            .map(|value| &counts.facts[var][*value as usize]);
        let values = values.flat_map(|value| value.iter().map(|it| Range::exactly(*it)));
        Self {
            all: counts.of_variable(var),
            of_states: values.collect(),
        }
    }

    pub(super) fn n_bytes(&self) -> usize {
        size_of_val(&*self.of_states)
    }

    #[inline]
    fn of(&self, state: u32) -> &[Range] {
        let n = self.all.len();
        &self.of_states[state as usize * n..][..n]
    }

    /// The ranges of a product with these pairs of states.
    pub(super) fn of_pairs(one: &Self, other: &Self, pairs: &[(u32, u32)]) -> Self {
        let of_pair = |(of_one, of_other): &(u32, u32)| {
            let ranges = zip(one.of(*of_one), other.of(*of_other));
            ranges.map(|(one, other)| one.plus(*other))
        };
        Self {
            all: added(&one.all, &other.all),
            of_states: pairs.iter().flat_map(of_pair).collect(),
        }
    }

    /// The ranges after states become others; those that become [`GONE`] are left out.
    pub(super) fn mapped(&self, map: &[u32], n_states: usize) -> Self {
        let n = self.all.len();
        let none = Range {
            least: u32::MAX,
            most: 0,
        };
        let mut of_states = vec![none; n * n_states];
        for (state, new) in zip(0.., map) {
            if *new != GONE {
                let merged = &mut of_states[*new as usize * n..][..n];
                for (range, own) in zip(merged, self.of(state)) {
                    *range = range.or(*own);
                }
            }
        }
        Self {
            all: self.all.clone(),
            of_states,
        }
    }
}

/// What the variables that two factors don't have add to the counts.
pub(super) struct Outside<'a> {
    counts: &'a Counts,
    ranges: Vec<Range>,
}

impl<'a> Outside<'a> {
    pub(super) fn new(counts: &'a Counts, one: &CountRanges, other: &CountRanges) -> Self {
        let inside = added(&one.all, &other.all);
        let without = |(all, inside): (&Range, &Range)| Range {
            least: all.least - inside.least,
            most: all.most - inside.most,
        };
        Self {
            counts,
            ranges: zip(&counts.of_all(), &inside).map(without).collect(),
        }
    }

    /// Return whether states of the two factors may add up to the counts.
    #[inline]
    pub(super) fn allows(
        &self,
        one: &CountRanges,
        of_one: u32,
        other: &CountRanges,
        of_other: u32,
    ) -> bool {
        let ranges = zip(one.of(of_one), other.of(of_other));
        let numbers = zip(&self.counts.numbers, &self.ranges);
        zip(ranges, numbers).all(|((one, other), (number, outside))| {
            let range = one.plus(*other).plus(*outside);
            range.least <= *number && *number <= range.most
        })
    }
}
