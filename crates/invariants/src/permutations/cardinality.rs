//! Exact numbers too large for a machine word, as products of primes.

use std::collections::BTreeMap;
use std::fmt;

/// A number of states or permutations: 43,252,003,274,489,856,000 for the cube of three layers.
///
/// It is stored as its prime factors, and printed in decimal digits without separators.
///
/// ```
/// let game = psvn_ir::load("
///     3  3 3 3
///     A B C => B C A
///     A B C => B A C
///     GOAL 0 1 2
/// ").game.expect("a game without errors");
/// let work = invariants::Arrangements::USUAL_WORK;
/// let arrangements = invariants::Arrangements::find(&game, work, &|| false).expect("a group");
/// let goal = game.goal_state().expect("a goal state");
/// let size = arrangements.reachable(&goal, &|| false).expect("a small group");
/// assert_eq!(size.to_string(), "6");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cardinality {
    /// The exponents of the primes that divide it.
    exponents: BTreeMap<usize, u32>,
}

impl Cardinality {
    /// The product of some numbers, none of which is 0.
    pub(super) fn product(factors: impl IntoIterator<Item = usize>) -> Self {
        let mut size = Self::default();
        for factor in factors {
            size.multiply(factor);
        }
        size
    }

    /// Multiply by a small positive number. Trial division takes time proportional to its square
    /// root.
    pub(super) fn multiply(&mut self, mut factor: usize) {
        let mut prime = 2;
        while prime * prime <= factor {
            while factor.is_multiple_of(prime) {
                *self.exponents.entry(prime).or_default() += 1;
                factor /= prime;
            }
            prime += 1;
        }
        if factor > 1 {
            *self.exponents.entry(factor).or_default() += 1;
        }
    }

    /// The quotient by a divisor.
    pub(super) fn divided_by(mut self, divisor: &Self) -> Self {
        for (prime, exponent) in &divisor.exponents {
            let left = self.exponents.entry(*prime).or_default();
            debug_assert!(*left >= *exponent, "a divisor divides");
            *left = left.saturating_sub(*exponent);
        }
        self.exponents.retain(|_, exponent| *exponent > 0);
        self
    }

    fn factors(&self) -> impl Iterator<Item = u64> + '_ {
        let exponents = self.exponents.iter();
        exponents
            .flat_map(|(prime, exponent)| std::iter::repeat_n(*prime as u64, *exponent as usize))
    }
}

impl fmt::Display for Cardinality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const BASE: u64 = 1_000_000_000;
        // The lowest digits first, nine in each.
        let mut digits: Vec<u64> = vec![1];
        for prime in self.factors() {
            let mut carry = 0;
            for digit in &mut digits {
                let product = *digit * prime + carry;
                (*digit, carry) = (product % BASE, product / BASE);
            }
            if carry > 0 {
                digits.push(carry);
            }
        }
        let mut text = String::new();
        for (i, digit) in digits.iter().rev().enumerate() {
            match i {
                0 => text += &digit.to_string(),
                _ => text += &format!("{digit:09}"),
            }
        }
        f.pad_integral(true, "", &text)
    }
}
