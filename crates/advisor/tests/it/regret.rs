//! The work of a search that is advised, and that of the best choice in hindsight.

use advisor::{Addition, Advice, Search, advise, invest};
use proptest::prelude::*;

use crate::simulated::{Law, Simulated, family};

fn laws() -> impl Strategy<Value = Law> {
    (1.3..14.0_f64, 1_u64..4, 2_u64..26, 0.001..1.0_f64).prop_map(
        |(growth, first_bound, bounds, part_of_last)| {
            // No more than 10^13 nodes.
            let most = (13.0 * std::f64::consts::LN_10 / growth.ln()) as u64;
            Law {
                growth,
                first_bound,
                last_bound: first_bound + bounds.min(most.saturating_sub(first_bound)).max(1),
                part_of_last,
            }
        },
    )
}

/// The work of a search with one option that is known, for each step of the best choice in
/// hindsight.
fn times_with_one(law: &Law, price: f64, ratio: f64) -> f64 {
    let addition = Addition { price, ratio };
    let mut search = Simulated::new(law.clone(), Vec::new(), Some(addition));
    let best = search.best_in_hindsight();
    invest(&mut search);
    search.work_to_the_end() / best
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    /// The bound that the documentation of the crate derives.
    #[test]
    fn with_one_known_option_the_regret_is_bounded(
        law in laws(),
        price in 0.0..13.0_f64,
        ratio in 0.0..1.0_f64,
    ) {
        let times = times_with_one(&law, 10_f64.powf(price), ratio);
        let bound = (2.0 + law.greatest_step()).max(4.0);
        prop_assert!(times <= bound, "{times} > {bound}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    /// The same bound where members show their quality only once they are bought, and iterations
    /// are searched again with each. It isn't derived: no case in this many breaks it.
    #[test]
    fn with_a_family_of_unknown_quality_the_regret_is_no_greater(
        law in laws(),
        first in 0.0..6.0_f64,
        factor in 1.5..4.0_f64,
        n in 1..12,
        value in (0.0..1.0_f64, 0.1..1.0_f64),
    ) {
        let family = family(10_f64.powf(first), factor, n, value, law.growth);
        let mut search = Simulated::new(law.clone(), vec![family], None);
        let best = search.best_in_hindsight();
        invest(&mut search);
        let times = search.work_to_the_end() / best;
        let bound = (2.0 + law.greatest_step()).max(4.0);
        prop_assert!(times <= bound, "{times} > {bound}");
    }
}

/// Options that are bought between two searches cost no more in all than the work that was expected
/// to remain.
#[test]
fn what_is_bought_at_once_costs_no_more_than_what_remains() {
    let law = Law {
        growth: 3.0,
        first_bound: 1,
        last_bound: 20,
        part_of_last: 1.0,
    };
    let families = (0..4).map(|i| family(1e3 + 10.0 * f64::from(i), 2.0, 12, (0.5, 0.6), 3.0));
    let mut search = Simulated::new(law, families.collect(), None);
    let mut n_bought = 0;
    for _ in 0..200 {
        let expected = search.standing().remaining.steps;
        let before = search.paid.len();
        let spent = search.standing().spent;
        while let Advice::Buy(id) = advise(&search) {
            match search.buy(id) {
                Ok(()) => {}
                Err(never) => match never {},
            }
        }
        let paid: f64 = search.paid[before..].iter().sum();
        n_bought += search.paid.len() - before;
        // The first members of unknown families come on top.
        assert!(paid <= expected + 0.95 * spent, "{paid} of {expected}");
        if search.standing().remaining.is_known {
            break;
        }
        let standing = search.standing();
        search.search(standing.spent.max(standing.next_iteration * 1.2));
    }
    assert!(n_bought > 5, "{n_bought}");
}
