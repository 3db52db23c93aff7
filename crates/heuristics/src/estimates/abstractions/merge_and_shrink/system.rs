//! Factors, which are merged until one is left.

use invariants::Invariants;
use psvn_ir::Game;

use super::atomic;
use super::bisimulation;
use super::counts::Counts;
use super::factor::Factor;
use super::label_reduction;
use super::merging;
use super::product::{Pairs, Size};
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
            visits: 1 << 29,
        }
    }
}

/// The most pairs of states that are looked up, for each state that a product may have: most of
/// them may break an invariant.
const PAIRS_OF_STATE: usize = 16;

/// Factors whose product is the game, and the costs of their labels.
#[derive(Clone, Debug)]
pub(super) struct FactoredSystem {
    pub(super) factors: Vec<Factor>,
    pub(super) costs: Vec<u64>,
    pub(super) counts: Counts,
}

impl FactoredSystem {
    /// Make the factors of a game before any of them are merged.
    ///
    /// # Errors
    /// If the game has no goal, or its rules have too many instances, or a limit is reached.
    pub(super) fn new(
        game: &Game,
        known: &Invariants,
        effort: &Effort<'_>,
    ) -> Result<Self, Refusal> {
        let counts = Counts::new(game, known);
        let (factors, costs) = atomic::factors(game, known, &counts, effort)?;
        Ok(Self {
            factors,
            costs,
            counts,
        })
    }

    fn n_bytes(&self) -> usize {
        let factors = self.factors.iter().map(Factor::n_bytes);
        factors.sum::<usize>() + size_of_val(&*self.costs)
    }

    /// Merge the factors until one is left, or until the limits allow no further product.
    ///
    /// # Errors
    /// If there is no more time.
    pub(super) fn merge_all(
        &mut self,
        limits: &Limits,
        effort: &Effort<'_>,
    ) -> Result<(), Refusal> {
        let mut visits = limits.visits;
        while self.factors.len() > 1 && self.factors.iter().all(|factor| factor.n_states() > 0) {
            effort.check(self.n_bytes())?;
            label_reduction::reduce(&mut self.factors, &self.costs);
            let (one, other) = merging::next_pair(&self.factors, self.costs.len());
            if !self.merge((one, other), limits, &mut visits, effort)? {
                break;
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
        limits: &Limits,
        visits: &mut usize,
        effort: &Effort<'_>,
    ) -> Result<bool, Refusal> {
        let Some(product) = self.merged(one, other, limits, visits, effort)? else {
            return Ok(false);
        };
        self.factors.remove(other);
        self.factors.remove(one);
        self.factors.push(product);
        Ok(true)
    }

    /// Return the product of two factors, shrunk as far as the limits ask for it; nothing if they
    /// don't even allow a small one.
    fn merged(
        &self,
        one: usize,
        other: usize,
        limits: &Limits,
        visits: &mut usize,
        effort: &Effort<'_>,
    ) -> Result<Option<Factor>, Refusal> {
        let (one, other) = (&self.factors[one], &self.factors[other]);
        let held = self.n_bytes();
        let mut most = [one.n_states(), other.n_states()];
        let mut pairs = limits.states.saturating_mul(PAIRS_OF_STATE);
        loop {
            most = fitting(most, pairs);
            let mut shrunk = [one, other].into_iter().zip(most).map(|(factor, most)| {
                let (classes, looks) = bisimulation::classes(factor, most);
                *visits = visits.saturating_sub(looks);
                let mut factor = factor.clone();
                if classes.n_classes < factor.n_states() {
                    factor.shrink(&classes.of_states, classes.n_classes, &self.costs);
                }
                factor
            });
            let (Some(one), Some(other)) = (shrunk.next(), shrunk.next()) else {
                return Ok(None);
            };
            drop(shrunk);
            let n_pairs = one.n_states() * other.n_states();
            let size = Size {
                transitions: limits.transitions,
                visits: *visits,
            };
            let needed = held + n_pairs * 12;
            if effort.has_room(needed)? {
                let found = Pairs::new(&self.counts, &one, &other);
                if found.n_states() <= limits.states {
                    let (product, looks) = found.product(size, &self.costs);
                    *visits = visits.saturating_sub(looks);
                    if product.is_some() {
                        return Ok(product);
                    }
                }
            }
            effort.check(held)?;
            if *visits == 0 || n_pairs <= 1 {
                return Ok(None);
            }
            most = [one.n_states(), other.n_states()];
            pairs = n_pairs / 2;
        }
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
