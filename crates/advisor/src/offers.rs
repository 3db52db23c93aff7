//! Options with a price and an expected saving, and the one that is worth most.

use crate::Steps;

/// An option that may be bought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offer<T> {
    /// The option.
    pub option: T,
    /// The work that it takes to have it.
    pub price: Steps,
    /// The work that the search is expected to save with it.
    pub saving: Steps,
}

impl<T> Offer<T> {
    /// Return what is won in all: the saving less the price.
    pub fn gain(&self) -> Steps {
        self.saving - self.price
    }
}

/// What offers must keep to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allowance {
    /// The highest price.
    pub price: Steps,
    /// The greatest saving that counts: a search may end sooner than is forecast.
    pub saving: Steps,
}

/// Return the offer with the greatest gain that is within the allowance and pays for itself; the
/// first one of several. Its saving is the one that counts.
pub fn most_profitable<T>(
    offers: impl IntoIterator<Item = Offer<T>>,
    allowance: Allowance,
) -> Option<Offer<T>> {
    offers
        .into_iter()
        .filter(|offer| offer.price <= allowance.price)
        .map(|offer| Offer {
            saving: offer.saving.min(allowance.saving),
            ..offer
        })
        .filter(|offer| offer.gain() > 0.0)
        .reduce(|best, offer| {
            if offer.gain() > best.gain() {
                offer
            } else {
                best
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_gain_within_the_allowance_is_taken() {
        let offers = [(1, 10.0, 15.0), (2, 20.0, 40.0), (3, 60.0, 200.0)];
        let offers = offers.map(|(option, price, saving)| Offer {
            option,
            price,
            saving,
        });
        let best = |price, saving| {
            most_profitable(offers, Allowance { price, saving }).map(|offer| offer.option)
        };
        assert_eq!(best(1e9, 1e9), Some(3));
        assert_eq!(best(59.0, 1e9), Some(2));
        // A search that may end soon saves no more than its work.
        assert_eq!(best(1e9, 30.0), Some(2));
        assert_eq!(best(1e9, 12.0), Some(1));
        assert_eq!(best(1e9, 10.0), None);
        assert_eq!(best(9.0, 1e9), None);
    }
}
