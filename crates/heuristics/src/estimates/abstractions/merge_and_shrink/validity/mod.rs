//! Which abstract states no state has that satisfies the invariants.

mod counts;
mod exclusions;

use invariants::Invariants;
use psvn_ir::Game;

use self::counts::{CountRanges, Counts, Outside};
use self::exclusions::{Excluded, Exclusions, HeldFacts};

/// The invariants of a game, as far as they tell which abstract states fit together.
#[derive(Clone, Debug)]
pub(super) struct Known {
    counts: Counts,
    exclusions: Exclusions,
}

impl Known {
    pub(super) fn new(game: &Game, known: &Invariants) -> Self {
        Self {
            counts: Counts::new(game, known),
            exclusions: Exclusions::new(game, known),
        }
    }
}

/// What is known of the states of a factor, whatever the values of other variables.
#[derive(Clone, Debug)]
pub(super) struct Traits {
    ranges: CountRanges,
    held: HeldFacts,
}

impl Traits {
    /// The states of a factor without variables.
    pub(super) fn empty(known: &Known, n_states: usize) -> Self {
        Self {
            ranges: CountRanges::empty(&known.counts, n_states),
            held: HeldFacts::empty(&known.exclusions, n_states),
        }
    }

    /// The states of a variable, one for each of these values.
    pub(super) fn of_variable(known: &Known, var: usize, values: &[u32]) -> Self {
        Self {
            ranges: CountRanges::of_variable(&known.counts, var, values),
            held: HeldFacts::of_variable(&known.exclusions, var, values),
        }
    }

    /// The states of a product, which are these pairs of states.
    pub(super) fn of_pairs(one: &Self, other: &Self, pairs: &[(u32, u32)]) -> Self {
        Self {
            ranges: CountRanges::of_pairs(&one.ranges, &other.ranges, pairs),
            held: HeldFacts::of_pairs(&one.held, &other.held, pairs),
        }
    }

    /// States become others; those that become [`GONE`](super::cascade::GONE) are left out.
    pub(super) fn mapped(&self, map: &[u32], n_states: usize) -> Self {
        Self {
            ranges: self.ranges.mapped(map, n_states),
            held: self.held.mapped(map, n_states),
        }
    }

    pub(super) fn n_bytes(&self) -> usize {
        self.ranges.n_bytes() + self.held.n_bytes()
    }
}

/// Tells which states of two factors may be those of one state.
pub(super) struct Compatible<'a> {
    one: &'a Traits,
    other: &'a Traits,
    outside: Outside<'a>,
    excluded: Excluded,
}

impl<'a> Compatible<'a> {
    pub(super) fn new(known: &'a Known, one: &'a Traits, other: &'a Traits) -> Self {
        Self {
            one,
            other,
            outside: Outside::new(&known.counts, &one.ranges, &other.ranges),
            excluded: Excluded::new(&known.exclusions, &other.held),
        }
    }

    #[inline]
    pub(super) fn are(&self, one: u32, other: u32) -> bool {
        self.excluded.allow(&self.one.held, one, other)
            && (self.outside).allows(&self.one.ranges, one, &self.other.ranges, other)
    }
}
