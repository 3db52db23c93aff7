//! Ranks of permutations in one word, with four bits for each place.
//!
//! A rank is the number of a permutation in the lexicographic order of its places. Where parity
//! leaves half of the permutations, the last two places follow from the others, and each rank
//! belongs to a state. The place of a marker, such as the blank of sliding tiles, comes first: it
//! tells which parity the other values have.

use std::iter::successors;

use invariants::Parity;
use psvn_ir::{Game, State, Value, VarId};
use search::PackedStates;

use crate::ranking::Ranking;
use crate::ranking::bit_counts::{Work, with_bit_counts};
use crate::ranking::partial_permutation::{FreeRanks, is_odd};

/// The bits of a place.
const BITS: u32 = 4;
/// The number of last places that are looked up together.
const LAST: usize = 7;
/// A one in each place.
const ONES: u64 = 0x1111_1111_1111_1111;

/// Ranks of permutations in one word.
#[derive(Clone, Debug)]
pub(super) struct Permutations {
    /// The values without the marker, ascending, one in each place; and their number.
    values: u64,
    n_values: usize,
    free: FreeRanks,
    marker: Option<u32>,
    /// By place of the marker, a bit: whether the others are an odd permutation. `None` if they
    /// may be odd and even.
    odd: Option<u32>,
    /// For each rank of the last places, their order: numbers of ascending values. With parity,
    /// first the even and then the odd one.
    orders: Vec<u32>,
    n_orders: u64,
    /// The number of ranks with the marker at one place, and of all.
    size_of_place: u64,
    /// The greatest word divided by that number.
    reciprocal: u64,
    size: u64,
}

/// Replaces states by their ranks.
struct RankAll<'r> {
    permutations: &'r Permutations,
    states: &'r mut [u64],
}

impl Work for RankAll<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for state in self.states {
            *state = self.permutations.rank(*state);
        }
    }
}

/// What ranks have in common that differ in the last places only.
#[derive(Clone, Debug, Default)]
pub(super) struct Prefix {
    /// One more than the common part of the ranks; 0 if there is none yet.
    number: u64,
    /// The first places, and the place of the marker.
    first: u64,
    marker: u32,
    /// The values of the last places, ascending.
    left: u64,
    /// Whether the last places are an odd permutation.
    is_odd: bool,
}

/// Return a word without one of its places.
#[inline]
fn without(word: u64, place: u32) -> u64 {
    let shift = BITS * place;
    let before = word & ((1 << shift) - 1);
    before | word >> shift >> BITS << shift
}

/// Return a word with a value put in at a place.
#[inline]
fn with(word: u64, place: u32, value: u32) -> u64 {
    let shift = BITS * place;
    let before = word & ((1 << shift) - 1);
    before | u64::from(value) << shift | word >> shift << shift << BITS
}

/// Return the first place of a value that occurs.
#[inline]
fn place_of(word: u64, value: u32) -> u32 {
    let differences = word ^ (ONES * u64::from(value));
    // The lowest of these bits belongs to the first place without a difference.
    let borrowed = differences.wrapping_sub(ONES) & !differences & ONES << (BITS - 1);
    borrowed.trailing_zeros() / BITS
}

/// Return the value at a place.
#[inline]
fn at(word: u64, place: u32) -> u32 {
    (word >> (BITS * place)) as u32 & 15
}

impl Permutations {
    /// Return `None` if the states aren't permutations, or aren't packed in this way.
    pub(super) fn new(
        game: &Game,
        states: &PackedStates,
        ranking: &Ranking,
        roots: &[Vec<u64>],
    ) -> Option<Self> {
        let places = ranking.as_partial_permutation()?;
        let n = places.vars.len();
        let in_order = (0..n as u32).all(|var| {
            let begin = BITS * var;
            states.bits(VarId(var)) == (begin..begin + BITS)
        });
        if !in_order || states.n_words() > 1 {
            return None;
        }
        let values = places.distinct_values()?;
        let roots: Vec<State> = roots.iter().map(|root| states.unpack(root)).collect();
        let parity = parity(game, &values, &roots);
        let (marker, odd) = parity.map_or((None, None), |(marker, odd)| (marker, Some(odd)));
        let mut free = FreeRanks::of(&values);
        if let Some(marker) = marker {
            free.take(marker as u8);
        }
        let mut rest = values;
        rest.retain(|value| Some(*value) != marker);
        let n_places = marker.map_or(1, |_| n as u64);
        let is_halved = odd.is_some() && rest.len() > 1;
        let orders = orders(rest.len().min(LAST), is_halved);
        let halves = 1 + u64::from(is_halved);
        let size_of_place = (1..=rest.len() as u64).product::<u64>() / halves;
        Some(Self {
            values: (rest.iter().rev()).fold(0, |word, value| word << BITS | u64::from(*value)),
            n_values: rest.len(),
            free,
            marker,
            odd: odd.filter(|_| is_halved),
            n_orders: orders.len() as u64 / halves,
            orders,
            size_of_place,
            reciprocal: u64::MAX / size_of_place,
            size: n_places * size_of_place,
        })
    }

    pub(super) fn size(&self) -> u64 {
        self.size
    }

    #[cfg(test)]
    pub(super) fn has_marker(&self) -> bool {
        self.marker.is_some()
    }

    #[inline]
    pub(super) fn is_halved(&self) -> bool {
        self.odd.is_some()
    }

    /// Return the number of the other values in the same order, wherever the marker is.
    #[inline]
    pub(super) fn without_marker(&self, rank: u64) -> u64 {
        // The product estimates the quotient, which is at most one less: faster than a division.
        let quotient = (u128::from(rank) * u128::from(self.reciprocal)) >> 64;
        let rest = rank - quotient as u64 * self.size_of_place;
        if rest < self.size_of_place {
            rest
        } else {
            rest - self.size_of_place
        }
    }

    /// Return the number of last places that follow from the others.
    #[inline]
    fn n_implied(&self) -> usize {
        1 + usize::from(self.is_halved())
    }

    /// Replace states by their ranks, with the instructions that suit this.
    pub(super) fn rank_all(&self, states: &mut [u64]) {
        with_bit_counts(RankAll {
            permutations: self,
            states,
        });
    }

    #[inline(always)]
    pub(super) fn rank(&self, state: u64) -> u64 {
        let (mut rank, mut rest, mut free) = (0, state, self.free);
        if let Some(marker) = self.marker {
            let place = place_of(state, marker);
            rest = without(state, place);
            rank = place.into();
        }
        let (n_implied, mut n_left) = (self.n_implied() as u64, self.n_values as u64);
        while n_left > n_implied {
            rank = rank * n_left + free.take(rest as u8 & 15);
            rest >>= BITS;
            n_left -= 1;
        }
        rank
    }

    #[inline]
    pub(super) fn unrank(&self, rank: u64, prefix: &mut Prefix) -> u64 {
        let number = rank / self.n_orders;
        if prefix.number != number + 1 {
            *prefix = self.prefix(number);
        }
        let rank = (rank % self.n_orders) as usize;
        let order = match self.odd {
            Some(_) => self.orders[2 * rank + usize::from(prefix.is_odd)],
            None => self.orders[rank],
        };
        let n_last = self.n_values.min(LAST) as u32;
        let mut last = 0;
        for place in 0..n_last {
            let value = at(prefix.left, at(order.into(), place));
            last |= u64::from(value) << (BITS * place);
        }
        let n_first = self.n_values as u32 - n_last;
        let state = prefix.first | last << (BITS * n_first);
        match self.marker {
            Some(marker) => with(state, prefix.marker, marker),
            None => state,
        }
    }

    /// Find the first places.
    #[cold]
    fn prefix(&self, number: u64) -> Prefix {
        let n_first = self.n_values.saturating_sub(LAST);
        let mut digits = [0; 16];
        let mut rest = number;
        for (place, digit) in digits[..n_first].iter_mut().enumerate().rev() {
            let n_left = (self.n_values - place) as u64;
            *digit = (rest % n_left) as u32;
            rest /= n_left;
        }
        let marker = rest as u32;
        let mut prefix = Prefix {
            number: number + 1,
            first: 0,
            marker,
            left: self.values,
            is_odd: self.odd.is_some_and(|odd| odd >> marker & 1 == 1),
        };
        for (place, digit) in digits[..n_first].iter().enumerate() {
            prefix.first |= u64::from(at(prefix.left, *digit)) << (BITS * place as u32);
            prefix.left = without(prefix.left, *digit);
            prefix.is_odd ^= digit & 1 == 1;
        }
        prefix
    }
}

/// Return the marker of a game, and by its place whether the others are an odd permutation where
/// all states that can be reached from the roots have the same parity.
fn parity(game: &Game, values: &[u32], roots: &[State]) -> Option<(Option<u32>, u32)> {
    let parity = Parity::find(game)?;
    let root = roots.first()?;
    let marker = parity.marker().map(|marker| marker.0);
    let n_places = marker.map_or(1, |_| values.len());
    let is_odd = |place: usize| {
        let mut ascending: Vec<u32> = values.to_vec();
        ascending.retain(|value| Some(*value) != marker);
        if let Some(marker) = marker {
            ascending.insert(place, marker);
        }
        let state = State::new(ascending.into_iter().map(Value).collect::<Vec<_>>());
        parity.separates(&state, root)
    };
    let all = (0..n_places).map(is_odd).collect::<Option<Vec<bool>>>()?;
    let odd = all
        .iter()
        .rev()
        .fold(0, |odd, it| odd << 1 | u32::from(*it));
    let same = |other: &State| parity.separates(other, root) == Some(false);
    roots.iter().all(same).then_some((marker, odd))
}

/// Return all orders of `n` numbers in lexicographic order, a number in each place. With `halves`,
/// the two orders that differ in the last places only come as the even and the odd one.
fn orders(n: usize, halves: bool) -> Vec<u32> {
    let ascending: Vec<u32> = (0..n as u32).collect();
    let all = successors(Some(ascending), |order| {
        // The next one: a longer beginning can't stay the same.
        let mut next = order.clone();
        let at = (1..n).rev().find(|at| order[at - 1] < order[*at])? - 1;
        let greater = (at + 1..n).rev().find(|it| order[*it] > order[at])?;
        next.swap(at, greater);
        next[at + 1..].reverse();
        Some(next)
    });
    let mut orders: Vec<Vec<u32>> = all.collect();
    if halves {
        let pairs = orders.as_chunks_mut::<2>().0;
        for pair in pairs.iter_mut().filter(|pair| is_odd(&pair[0])) {
            pair.swap(0, 1);
        }
    }
    let as_word = |order: &Vec<u32>| order.iter().rev().fold(0, |word, it| word << BITS | it);
    orders.iter().map(as_word).collect()
}
