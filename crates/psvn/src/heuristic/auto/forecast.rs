//! Forecasts of a search's length with a greater or smaller estimate.
//!
//! IDA* makes about b^(d - h) nodes for a solution of cost d, where h is the mean estimate and b
//! the factor by which the nodes of a bound grow with each unit of cost (Korf & Reid 1998,
//! "Complexity Analysis of Admissible Heuristic Search"). So an estimate that is greater by one
//! saves a factor of b. The tries of the choice measure b.

use search::Iteration;

/// The factor where no try has measured it, and its limits.
const USUAL: f64 = 3.0;
const LIMITS: (f64, f64) = (1.05, 50.0);
/// Bounds with fewer nodes say little about the next ones.
const LEAST_NODES: u64 = 100;

/// The growth of searches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forecast {
    /// The factor of nodes for each unit of cost.
    growth: f64,
}

impl Default for Forecast {
    fn default() -> Self {
        Self { growth: USUAL }
    }
}

impl Forecast {
    /// A forecast with this growth of nodes per unit of cost.
    pub(super) fn new(growth: f64) -> Self {
        Self {
            growth: growth.clamp(LIMITS.0, LIMITS.1),
        }
    }

    /// The nodes with an estimate of mean `with`, for each node with one of mean `of`.
    pub(super) fn nodes(&self, of: f64, with: f64) -> f64 {
        self.growth.powf(of - with)
    }

    /// The nodes with estimates like the second ones, for each node with estimates like the first
    /// ones, where these pairs are the estimates of states like any others.
    ///
    /// A search with bound d makes the states at depth i whose estimate is at most d - i (Korf,
    /// Reid & Edelkamp 2001, "Time complexity of iterative-deepening-A*"): with growth b, in
    /// proportion to the mean of b^-h.
    pub(super) fn nodes_of_pairs(&self, pairs: impl Iterator<Item = (u64, u64)>) -> Option<f64> {
        let share = |said: u64| self.growth.powf(-(said as f64));
        let add =
            |(of, with): (f64, f64), pair: (u64, u64)| (of + share(pair.0), with + share(pair.1));
        let (of, with) = pairs.fold((0.0, 0.0), add);
        (of > 0.0 && with > 0.0).then(|| with / of)
    }

    /// The difference in estimates that saves this factor of nodes.
    pub(super) fn more(&self, factor: f64) -> f64 {
        factor.ln() / self.growth.ln()
    }
}

/// The factor by which nodes grow with each unit of cost, by the last two finished bounds; `None`
/// if they are too small.
pub(super) fn growth(finished: &[Iteration]) -> Option<f64> {
    match finished {
        [.., before, after] => between(before, after),
        _ => None,
    }
}

/// The expected nodes of the next bound; 0 where nothing is known.
pub(crate) fn next_nodes(finished: &[Iteration], next: Option<u64>) -> f64 {
    let (Some(last), Some(next)) = (finished.last(), next) else {
        return 0.0;
    };
    let further = next.saturating_sub(last.bound) as f64;
    let growth = growth(finished);
    growth.map_or(0.0, |growth| last.generated as f64 * growth.powf(further))
}

/// The expected nodes of the bounds after the finished ones, from the next one until one of at
/// least `cost`.
pub(super) fn nodes_until(
    finished: &[Iteration],
    next: Option<u64>,
    cost: u64,
    usual: &Forecast,
) -> f64 {
    let (Some(last), Some(next)) = (finished.last(), next) else {
        return 0.0;
    };
    let further = next.max(cost).saturating_sub(last.bound) as f64;
    let growth = growth(finished).unwrap_or(usual.growth);
    last.generated as f64 * growth.powf(further)
}

/// The factor for each unit of cost between two bounds.
fn between(before: &Iteration, after: &Iteration) -> Option<f64> {
    let units = after.bound.checked_sub(before.bound)?;
    let is_clear = units > 0 && before.generated >= LEAST_NODES;
    let factor = after.generated as f64 / before.generated.max(1) as f64;
    is_clear.then(|| factor.powf(1.0 / units as f64).clamp(LIMITS.0, LIMITS.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_one_more_saves_the_growth_of_one_unit() {
        let forecast = Forecast::new(4.0);
        assert!((forecast.nodes(5.0, 6.0) - 0.25).abs() < 1e-12);
        assert!((forecast.nodes(5.0, 4.5) - 2.0).abs() < 1e-12);
        assert!((forecast.more(16.0) - 2.0).abs() < 1e-12);
        // Searches that don't grow would make every saving worthless.
        assert!(Forecast::new(0.5).nodes(1.0, 2.0) < 1.0);
    }

    #[test]
    fn states_of_which_little_is_said_make_the_most_nodes() {
        let forecast = Forecast::new(4.0);
        let nodes = |pairs: &[(u64, u64)]| forecast.nodes_of_pairs(pairs.iter().copied());
        let is = |pairs: &[(u64, u64)], expected: f64| {
            let nodes = nodes(pairs).expect("pairs");
            assert!((nodes - expected).abs() < 1e-12, "{nodes}");
        };
        is(&[(9, 9), (8, 8)], 1.0);
        is(&[(9, 10), (8, 8)], (1.0 / 16.0 + 1.0) / (1.0 / 4.0 + 1.0));
        is(&[(9, 9), (8, 9)], 2.0 / (1.0 + 4.0));
        assert_eq!(nodes(&[]), None);
    }

    #[test]
    fn the_bounds_tell_how_a_search_grows() {
        let iteration = |bound, generated| Iteration {
            bound,
            generated,
            expanded: 0,
            pruned_by_machine: 0,
            pruned_by_cycle: 0,
        };
        // By 9 in two units, and 5 more for the next two.
        let factor = between(&iteration(10, 1000), &iteration(12, 9000));
        assert!((factor.expect("clear") - 3.0).abs() < 1e-12);
        assert_eq!(between(&iteration(10, 10), &iteration(12, 90)), None);
        assert_eq!(between(&iteration(10, 1000), &iteration(10, 9000)), None);
    }
}
