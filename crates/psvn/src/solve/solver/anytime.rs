//! Restarting weighted A* (Richter, Thayer & Ruml 2010, "The Joy of Forgetting: Faster Anytime
//! Search via Restarting").

use std::time::Instant;

use search::{Limits, Outcome, Solution, SolveReport, Weight};

use super::from_start::FromStart;
use super::left;
use crate::error::Error;
use crate::solve::answers::Answer;
use crate::text::units::group_digits;

/// The weights, each the first that a search may begin with.
const WEIGHTS: [(u64, u64); 5] = [(5, 1), (3, 1), (2, 1), (3, 2), (1, 1)];

impl FromStart<'_> {
    /// Search by ever smaller weights, each time only for solutions that cost less than the best
    /// one so far. The last weight is 1; a search that finds nothing proves that none costs less.
    ///
    /// # Errors
    /// As for a search by weighted A*.
    pub(super) fn anytime(self) -> Result<Answer, Error> {
        let started = Instant::now();
        let mut best: Option<(Solution, Weight)> = None;
        let mut whole: Option<SolveReport> = None;
        for weight in self.weights() {
            let generated = whole.as_ref().map_or(0, |report| report.totals.generated);
            let left = left(&self.limits, started, generated);
            let below = best.as_ref().map(|(solution, _)| solution.cost);
            let mut report = self.weighted(weight, below, left)?;
            if let Some(earlier) = whole.take() {
                report.preparation += earlier.preparation;
                report.elapsed += earlier.elapsed;
                report.put_before(earlier);
            }
            let outcome = std::mem::replace(&mut report.outcome, Outcome::NoSolution);
            match outcome {
                Outcome::Solved(solution) => {
                    self.tell(&solution, weight);
                    best = Some((solution, weight));
                    whole = Some(report);
                    continue;
                }
                // Nothing costs less.
                Outcome::NoSolution => {
                    if let Some((solution, _)) = best {
                        report.outcome = Outcome::Solved(solution);
                    }
                }
                other => {
                    let proved = best
                        .as_ref()
                        .map(|(solution, weight)| at_least(solution, *weight));
                    report.outcome = other;
                    report.next_bound = report.next_bound.max(proved);
                    report.best_so_far = best.map(|(solution, _)| solution);
                }
            }
            return Ok(self.solver.answer(self.start, report));
        }
        // The last weight is 1, so the best solution costs least.
        let mut report = whole.expect("there is a weight");
        if let Some((solution, _)) = best {
            report.outcome = Outcome::Solved(solution);
        }
        Ok(self.solver.answer(self.start, report))
    }

    /// The weights of the searches, the last of which is 1.
    fn weights(&self) -> Vec<Weight> {
        let weight = |(numerator, denominator)| {
            Weight::new(numerator, denominator).expect("these are small numbers")
        };
        let all = WEIGHTS.map(weight);
        let Some(first) = self.solver.options.weight else {
            return all.to_vec();
        };
        let ratio =
            |weight: Weight| f64::from(weight.numerator()) / f64::from(weight.denominator());
        let later = all.into_iter().filter(|it| ratio(*it) < ratio(first));
        std::iter::once(first).chain(later).collect()
    }

    fn weighted(
        &self,
        weight: Weight,
        below: Option<u128>,
        limits: Limits,
    ) -> Result<SolveReport, Error> {
        let solver = self.solver;
        let mut run = solver
            .searcher()
            .run()
            .limits(limits)
            .on_progress(solver.on_progress(self.start))
            .count_depths(solver.options.count_depths);
        if let Some(cost) = below {
            run = run.below(u64::try_from(cost).unwrap_or(u64::MAX));
        }
        Ok(run.weighted_a_star(self.start, &solver.heuristic.estimate, weight)?)
    }

    /// Say that a better solution was found.
    fn tell(&self, solution: &Solution, weight: Weight) {
        if weight.numerator() > weight.denominator() && self.solver.heuristic.is_admissible() {
            self.solver.env.note(format!(
                "a solution of cost {} was found, at most {weight} times the least; looking for a \
                 better one",
                group_digits(solution.cost)
            ));
        }
    }
}

/// The least that a solution can cost if one that a weight found costs as much as this one.
fn at_least(solution: &Solution, weight: Weight) -> u64 {
    let cost = solution.cost * u128::from(weight.denominator());
    let least = cost.div_ceil(weight.numerator().into());
    u64::try_from(least).unwrap_or(u64::MAX)
}
