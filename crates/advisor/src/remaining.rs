//! How much work remains, and how much an option may therefore cost: the rule that bounds regret.

use crate::Steps;

/// The part of the remaining work that an option may cost where a trial has shown how much remains.
/// An option that saves all of it then leaves a saving of half; the forecast of the saving may be
/// wrong by a factor of two before anything is lost.
const SHARE_OF_KNOWN: f64 = 0.5;
/// The parts of the next iteration that an option may cost, each with the most for a step so far.
/// The next iteration has to be searched in any case, unless it has the answer early on. So a
/// larger part is taken only of less.
const SHARES_OF_NEXT: [(f64, f64); 2] = [(0.1, 3.0), (0.5, 1.5)];

/// The work that remains with the option in use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Remaining {
    /// The steps.
    pub steps: Steps,
    /// Whether a trial has shown that; else they are a lower bound.
    pub is_known: bool,
}

impl Remaining {
    /// Return work that a trial has shown.
    pub fn known(steps: Steps) -> Self {
        Self {
            steps,
            is_known: true,
        }
    }

    /// Return work of which only a forecast is known.
    pub fn forecast(steps: Steps) -> Self {
        Self {
            steps,
            is_known: false,
        }
    }

    /// Return the work of a search without an answer: at least as much as all work so far (by the
    /// principle of ski rental), and as any of the lower bounds; no more than the limits allow.
    pub fn of_unsolved(spent: Steps, lower_bounds: &[Steps], most: Steps) -> Self {
        let least = lower_bounds.iter().copied().fold(spent, f64::max);
        Self::forecast(least.min(most))
    }

    /// Return the highest price of an option, where `spent` steps were spent and the next iteration
    /// takes `next` steps.
    pub fn affordable(self, spent: Steps, next: Steps) -> Steps {
        if self.is_known {
            self.steps * SHARE_OF_KNOWN
        } else {
            let of_next = |(share, most): &(f64, f64)| (next * share).min(spent * most);
            SHARES_OF_NEXT.iter().map(of_next).fold(spent, f64::max)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_may_cost_what_was_spent_or_a_part_of_what_must_be() {
        assert_eq!(Remaining::known(10.0).affordable(100.0, 1e9), 5.0);
        let unknown = Remaining::of_unsolved(100.0, &[20.0, 130.0], f64::INFINITY);
        assert_eq!(unknown, Remaining::forecast(130.0));
        let as_much_again = Remaining::of_unsolved(100.0, &[20.0], f64::INFINITY);
        assert_eq!(as_much_again, Remaining::forecast(100.0));
        assert_eq!(unknown.affordable(100.0, 130.0), 100.0);
        // Half of the next iteration, up to 1.5 times as much as was spent.
        assert_eq!(unknown.affordable(100.0, 240.0), 120.0);
        assert_eq!(unknown.affordable(100.0, 1_000.0), 150.0);
        // A tenth of it, up to 3 times as much.
        assert_eq!(unknown.affordable(100.0, 2_000.0), 200.0);
        assert_eq!(unknown.affordable(100.0, 1e6), 300.0);
        let limited = Remaining::of_unsolved(100.0, &[], 30.0);
        assert_eq!(limited.steps, 30.0);
    }
}
