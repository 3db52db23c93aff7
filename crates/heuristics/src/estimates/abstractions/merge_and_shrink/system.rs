//! Factors, which are merged until one is left.

use std::borrow::Cow;
use std::collections::HashSet;
use std::iter::zip;

use invariants::Invariants;
use psvn_ir::Game;

use super::atomic;
use super::bisimulation;
use super::factor::Factor;
use super::label_reduction;
use super::merging;
use super::product::Pairs;
use super::validity::Known;
use crate::effort::Effort;
use crate::refusal::Refusal;

/// How large factors may become, and how long that may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The most states of a factor.
    pub(super) states: usize,
    /// The most transitions of a factor.
    pub(super) transitions: usize,
    /// The most looks at transitions.
    pub(super) visits: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            states: 50_000,
            transitions: 4_000_000,
            visits: 1 << 26,
        }
    }
}

/// Whether information may be lost where a product would be too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shrinking {
    /// Only states are united that all products would unite by bisimulation. Factors whose product
    /// is too large aren't merged.
    Exact,
    /// As much as the limits ask for.
    Lossy,
}

/// The most pairs of states that are looked up, for each state that a product may have: most of
/// them may break an invariant.
const PAIRS_OF_STATE: usize = 16;

/// About the bytes of a pair of states that are in use while a product is made.
const BYTES_OF_PAIR: usize = 12;

/// About the bytes of a transition of a product that are in use while it is made.
const BYTES_OF_TRANSITION: usize = 24;

/// The part of what seems to fit that is tried next.
const SAFELY: f64 = 0.98;

/// Factors whose product is the game, and the costs of their labels.
#[derive(Clone, Debug)]
pub(super) struct FactoredSystem {
    pub(super) factors: Vec<Factor>,
    /// By factor, a number that no other one has had.
    serials: Vec<u32>,
    pub(super) costs: Vec<u64>,
    pub(super) known: Known,
    /// Whether no states were united that a product of all factors might tell apart.
    pub(super) is_exact: bool,
    /// The bytes that are in use besides.
    pub(super) bytes_beside: usize,
}

impl FactoredSystem {
    /// Make the factors of a game before any of them are merged.
    ///
    /// # Errors
    /// If the game has no goal, or its rules have too many instances, or a limit is reached.
    pub(super) fn new(
        game: &Game,
        invariants: &Invariants,
        starts: &[Vec<u32>],
        effort: &Effort<'_>,
    ) -> Result<Self, Refusal> {
        let known = Known::new(game, invariants);
        let (factors, costs) = atomic::factors(game, invariants, &known, starts, effort)?;
        Ok(Self {
            serials: (0..factors.len() as u32).collect(),
            factors,
            costs,
            known,
            is_exact: true,
            bytes_beside: 0,
        })
    }

    pub(super) fn n_bytes(&self) -> usize {
        let factors = self.factors.iter().map(Factor::n_bytes);
        factors.sum::<usize>() + size_of_val(&*self.costs) + self.bytes_beside
    }

    /// Return whether there are several factors, and all of them have a way to their goals.
    fn has_pairs(&self) -> bool {
        self.factors.len() > 1 && self.factors.iter().all(|factor| factor.n_states() > 0)
    }

    /// Merge the factors until one is left, or until the limits allow no further product.
    ///
    /// # Errors
    /// If there is no more time.
    pub(super) fn merge_all(
        &mut self,
        shrinking: Shrinking,
        limits: &Limits,
        effort: &Effort<'_>,
    ) -> Result<(), Refusal> {
        let mut visits = limits.visits;
        let mut misfits = HashSet::new();
        let mut is_new = true;
        while self.has_pairs() && visits > 0 {
            effort.check(self.n_bytes())?;
            let looks: usize = self.factors.iter().map(Factor::n_labels).sum();
            visits = visits.saturating_sub(looks);
            if is_new {
                label_reduction::reduce(&mut self.factors, &self.costs);
            }
            let serials = |(one, other)| (self.serials[one], self.serials[other]);
            let is_misfit = |pair| misfits.contains(&serials(pair));
            let pair = merging::next_pair(&self.factors, self.costs.len(), &is_misfit);
            let Some(pair) = pair else {
                break;
            };
            let serials = serials(pair);
            is_new = self.merge(pair, shrinking, limits, &mut visits, effort)?;
            if !is_new {
                misfits.insert(serials);
            }
        }
        Ok(())
    }

    /// Put the product of two factors, the smaller number first, in their place, as the last one.
    /// Return whether the limits allow it.
    ///
    /// # Errors
    /// If there is no more time.
    pub(super) fn merge(
        &mut self,
        (one, other): (usize, usize),
        shrinking: Shrinking,
        limits: &Limits,
        visits: &mut usize,
        effort: &Effort<'_>,
    ) -> Result<bool, Refusal> {
        for number in [one, other] {
            let factor = &mut self.factors[number];
            let (classes, looks) = bisimulation::classes(factor, usize::MAX, &self.costs);
            *visits = visits.saturating_sub(looks);
            factor.shrink(&classes, &self.costs);
        }
        let Some(product) = self.product((one, other), shrinking, limits, visits, effort)? else {
            return Ok(false);
        };
        let last = self.serials[self.serials.len() - 1];
        for number in [other, one] {
            self.factors.remove(number);
            self.serials.remove(number);
        }
        self.factors.push(product);
        self.serials.push(last + 1);
        Ok(true)
    }

    /// Return the product of two factors, which may be shrunk as far as the limits ask for it;
    /// nothing if they don't allow it.
    fn product(
        &mut self,
        (one, other): (usize, usize),
        shrinking: Shrinking,
        limits: &Limits,
        visits: &mut usize,
        effort: &Effort<'_>,
    ) -> Result<Option<Factor>, Refusal> {
        let held = self.n_bytes();
        // Half of the looks of a product are for its states.
        let of_product = *visits / (2 * (self.factors.len() - 1));
        let mut factors = [one, other].map(|number| Cow::Borrowed(&self.factors[number]));
        let mut most_pairs = self.likely_pairs(&factors[0], &factors[1], limits.states);
        loop {
            let sizes = [0, 1].map(|number: usize| factors[number].n_states());
            let fitting = fitting(sizes, most_pairs);
            if fitting != sizes && shrinking == Shrinking::Exact {
                return Ok(None);
            }
            for (factor, (size, most)) in zip(&mut factors, zip(sizes, fitting)) {
                if most < size {
                    let (classes, looks) = bisimulation::classes(factor, most, &self.costs);
                    *visits = visits.saturating_sub(looks);
                    factor.to_mut().shrink(&classes, &self.costs);
                    self.is_exact = false;
                }
            }
            let [one, other] = &factors;
            let n_pairs = one.n_states() * other.n_states();
            most_pairs = n_pairs / 2;
            let of_pairs = held + n_pairs * BYTES_OF_PAIR;
            if effort.has_room(of_pairs)? {
                let pairs = Pairs::new(&self.known, one, other);
                let looks = pairs.n_visits();
                let n_transitions = looks.min(limits.transitions);
                if pairs.n_states() > limits.states {
                    // About as large a part of the pairs of fewer states will fit together.
                    let part = limits.states as f64 / pairs.n_states() as f64;
                    let likely = (n_pairs as f64 * part * SAFELY) as usize;
                    most_pairs = likely.max(most_pairs);
                } else if looks <= of_product
                    && effort.has_room(of_pairs + n_transitions * BYTES_OF_TRANSITION)?
                {
                    *visits = visits.saturating_sub(looks);
                    let product = pairs.product(limits.transitions, &self.costs);
                    if product.is_some() {
                        return Ok(product);
                    }
                }
            }
            if *visits == 0 || n_pairs <= 1 {
                return Ok(None);
            }
        }
    }

    /// Return the number of pairs of which about as many as `states` fit together.
    fn likely_pairs(&self, one: &Factor, other: &Factor, states: usize) -> usize {
        let part = Pairs::part(&self.known, one, other);
        let likely = (states as f64 / part.max(f64::EPSILON)) as usize;
        likely.min(states.saturating_mul(PAIRS_OF_STATE))
    }
}

/// Return how many states two factors may keep, of these numbers, so that their product has at most
/// as many pairs: the same number if both are large.
fn fitting([one, other]: [usize; 2], pairs: usize) -> [usize; 2] {
    if one.saturating_mul(other) <= pairs {
        return [one, other];
    }
    let balanced = pairs.isqrt().max(1);
    if one <= balanced {
        [one, (pairs / one.max(1)).max(1)]
    } else if other <= balanced {
        [(pairs / other.max(1)).max(1), other]
    } else {
        [balanced, balanced]
    }
}
