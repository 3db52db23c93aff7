//! A search that may buy tables: when the advisor buys them, and what that saves.

use advisor::{Allowance, Deepening, Growth, Iteration, Offer, Remaining, most_profitable};

/// The steps of a node.
const STEPS: f64 = 10.0;

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() {
    // Tables by name, price and the amount by which they raise the mean estimate.
    let tables = [("small", 1e4, 2.0), ("large", 2e6, 5.0)];
    let (mut finished, mut spent) = (Vec::new(), 0.0);
    let mut nodes = 10;
    for bound in 20.. {
        finished.push(Iteration { bound, nodes });
        spent += nodes as f64 * STEPS;
        let search = Deepening {
            finished: &finished,
            next: Some(bound + 1),
        };
        let growth = Growth::measured(&finished).unwrap_or_default();
        let next = search.next_nodes() * STEPS;
        let remaining = Remaining::of_unsolved(spent, &[next], f64::INFINITY);
        let offers = tables.map(|(option, price, more)| Offer {
            option,
            price,
            saving: remaining.steps * (1.0 - growth.nodes(0.0, more)),
        });
        let allowance = Allowance {
            price: remaining.affordable(spent, next),
            saving: f64::INFINITY,
        };
        if let Some(best) = most_profitable(offers, allowance) {
            println!(
                "after bound {bound} and {spent} steps: the {} table",
                best.option
            );
            assert_eq!((bound, best.option), (24, "small"));
            break;
        }
        nodes *= 3;
    }
}
