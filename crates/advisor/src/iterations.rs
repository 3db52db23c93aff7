//! Forecasts of iterative deepening, from the iterations that are finished.
//!
//! IDA* makes about b^(d - h) nodes for a solution of cost d, where h is the mean estimate and b
//! the factor by which the nodes of an iteration grow with each unit of its bound (Korf & Reid
//! 1998, "Complexity Analysis of Admissible Heuristic Search"). So an estimate that is greater by
//! one saves a factor of b. Finished iterations measure b.

/// The growth where nothing has measured it. The 15-puzzle's is 2.13 (Edelkamp & Korf 1998),
/// Rubik's cube's 13.3 (Korf 1997); a low one expects no savings where there may be none.
const USUAL: f64 = 3.0;
/// A growth outside these limits comes from iterations that were too short. Without growth, a
/// greater estimate would save nothing.
const LIMITS: (f64, f64) = (1.05, 50.0);
/// Iterations with fewer nodes say little about the next ones: where nodes come independently, a
/// count of 100 has a standard error of a tenth.
const LEAST_NODES: u64 = 100;

/// A finished iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// Its bound on the cost.
    pub bound: u64,
    /// The nodes that it generated.
    pub nodes: u64,
}

/// The factor by which the nodes of an iteration grow with each unit of its bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth(f64);

impl Default for Growth {
    fn default() -> Self {
        Self(USUAL)
    }
}

impl Growth {
    /// Return this growth, within the limits that are taken to be possible.
    pub fn new(factor: f64) -> Self {
        Self(factor.clamp(LIMITS.0, LIMITS.1))
    }

    /// Return the factor for each unit of cost.
    pub fn factor(self) -> f64 {
        self.0
    }

    /// Measure the growth by the last two iterations; `None` if they are too small.
    pub fn measured(finished: &[Iteration]) -> Option<Self> {
        let [.., before, after] = finished else {
            return None;
        };
        let units = after.bound.checked_sub(before.bound)?;
        let is_clear = units > 0 && before.nodes >= LEAST_NODES;
        let factor = after.nodes as f64 / before.nodes.max(1) as f64;
        is_clear.then(|| Self::new(factor.powf(1.0 / units as f64)))
    }

    /// Return the geometric mean of growths; `None` if there are none.
    pub fn mean(growths: &[Self]) -> Option<Self> {
        let logarithms = growths.iter().map(|growth| growth.0.ln());
        let n = growths.len();
        (n > 0).then(|| Self::new((logarithms.sum::<f64>() / n as f64).exp()))
    }

    /// Return the nodes with an estimate of mean `with`, for each node with one of mean `of`.
    pub fn nodes(self, of: f64, with: f64) -> f64 {
        self.0.powf(of - with)
    }

    /// Return the nodes with estimates like the second ones, for each node with estimates like the
    /// first ones, where these pairs are the estimates of states like any others; `None` without
    /// pairs.
    ///
    /// A search with bound d makes the states at depth i whose estimate is at most d - i (Korf,
    /// Reid & Edelkamp 2001, "Time complexity of iterative-deepening-A*"): with growth b, in
    /// proportion to the mean of b^-h.
    pub fn nodes_of_pairs(self, pairs: impl Iterator<Item = (u64, u64)>) -> Option<f64> {
        let share = |estimate: u64| self.0.powf(-(estimate as f64));
        let add =
            |(of, with): (f64, f64), pair: (u64, u64)| (of + share(pair.0), with + share(pair.1));
        let (of, with) = pairs.fold((0.0, 0.0), add);
        (of > 0.0 && with > 0.0).then(|| with / of)
    }

    /// Return the difference in mean estimates that saves this factor of nodes.
    pub fn difference(self, factor: f64) -> f64 {
        factor.ln() / self.0.ln()
    }
}

/// A search between two iterations.
#[derive(Clone, Copy, Debug)]
pub struct Deepening<'a> {
    /// The iterations that are finished.
    pub finished: &'a [Iteration],
    /// The bound of the next one, if there is one.
    pub next: Option<u64>,
}

impl Deepening<'_> {
    /// Return the expected nodes of the next iteration; 0 where nothing is known.
    pub fn next_nodes(&self) -> f64 {
        Growth::measured(self.finished).map_or(0.0, |growth| self.nodes_to(0, growth))
    }

    /// Return the expected nodes of the iterations after the finished ones, from the next one until
    /// one with a bound of at least `cost`. Where the iterations don't show their growth, it is
    /// taken to be `usual`. 0 where nothing is known.
    pub fn nodes_until(&self, cost: u64, usual: Growth) -> f64 {
        self.nodes_to(cost, Growth::measured(self.finished).unwrap_or(usual))
    }

    fn nodes_to(&self, cost: u64, growth: Growth) -> f64 {
        let (Some(last), Some(next)) = (self.finished.last(), self.next) else {
            return 0.0;
        };
        let further = next.max(cost).saturating_sub(last.bound) as f64;
        last.nodes as f64 * growth.0.powf(further)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_greater_by_one_saves_the_growth_of_one_unit() {
        let growth = Growth::new(4.0);
        assert!((growth.nodes(5.0, 6.0) - 0.25).abs() < 1e-12);
        assert!((growth.nodes(5.0, 4.5) - 2.0).abs() < 1e-12);
        assert!((growth.difference(16.0) - 2.0).abs() < 1e-12);
        // Searches that don't grow would make every saving worthless.
        assert!(Growth::new(0.5).nodes(1.0, 2.0) < 1.0);
    }

    #[test]
    fn states_with_low_estimates_make_the_most_nodes() {
        let growth = Growth::new(4.0);
        let nodes = |pairs: &[(u64, u64)]| growth.nodes_of_pairs(pairs.iter().copied());
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
    fn finished_iterations_show_how_a_search_grows() {
        let growth = |bounds: [u64; 2], nodes: [u64; 2]| {
            let [before, after] = [0, 1].map(|i| Iteration {
                bound: bounds[i],
                nodes: nodes[i],
            });
            Growth::measured(&[before, after]).map(Growth::factor)
        };
        // By 9 in two units, and 5 more for the next two.
        let factor = growth([10, 12], [1000, 9000]).expect("clear");
        assert!((factor - 3.0).abs() < 1e-12);
        assert_eq!(growth([10, 12], [10, 90]), None);
        assert_eq!(growth([10, 10], [1000, 9000]), None);
        let mean = Growth::mean(&[Growth::new(2.0), Growth::new(8.0)]).expect("two");
        assert!((mean.factor() - 4.0).abs() < 1e-12);
        assert_eq!(Growth::mean(&[]), None);
    }

    #[test]
    fn the_next_iterations_are_forecast_by_the_growth() {
        let iteration = |bound, nodes| Iteration { bound, nodes };
        let finished = [iteration(10, 1000), iteration(11, 3000)];
        let search = Deepening {
            finished: &finished,
            next: Some(12),
        };
        let is = |nodes: f64, expected: f64| assert!((nodes - expected).abs() < 1e-6, "{nodes}");
        is(search.next_nodes(), 9_000.0);
        is(search.nodes_until(14, Growth::new(2.0)), 81_000.0);
        let short = Deepening {
            finished: &finished[1..],
            ..search
        };
        is(short.next_nodes(), 0.0);
        is(short.nodes_until(13, Growth::new(2.0)), 12_000.0);
    }
}
