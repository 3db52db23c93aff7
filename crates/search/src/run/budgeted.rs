//! Budgeted tree search: bounds whose rounds make neither too few nodes nor too many (Helmert,
//! Lattimore, Lelis, Orseau & Sturtevant 2019, "Iterative budgeted exponential search").
//!
//! IDA\* raises its bound to the least total above it. Where totals are many, a round may make
//! hardly more nodes than the one before, and all rounds together the square of the last one. Here
//! a round that made less than [`LEAST`] times the budget is followed by rounds with greater bounds
//! and at most [`MOST`] times as many nodes: the steps to the next bound are doubled until one is
//! too far, and then what lies between is halved. So all rounds make about N log C nodes, where N
//! are those that IDA\* makes in its last round, and C is the least cost.

use crate::run::deepening::{Rounds, counted};
use crate::run::limits::{StopReason, Watch};
use crate::run::report::{Outcome, Solution, SolveReport};
use crate::walk::threshold::Frontier;

/// The least growth of nodes from one budget to the next.
const LEAST: u64 = 2;

/// The most growth: a round that makes more nodes is ended, and its bound is too great.
const MOST: u64 = 8;

/// What a round shows.
enum Shown {
    /// There is no solution within the bound; with the number of nodes that the round made.
    Nothing(u64),
    /// There are more nodes within the bound than the budget has.
    TooMany,
}

/// A search under way. An `Err` of its functions is its end.
struct Search<'a, 's, 'p> {
    rounds: &'a mut dyn Rounds,
    game: &'a psvn_ir::Game,
    report: &'a mut SolveReport,
    watch: &'a mut Watch<'s, 'p>,
    /// No solution costs less.
    least_cost: u64,
    /// The best solution of a round that was ended by its budget.
    best: Option<Solution>,
}

/// Search until there is a solution of least cost, or a proof that there is none. `first` is the
/// estimate of the start.
pub(super) fn search(
    rounds: &mut dyn Rounds,
    game: &psvn_ir::Game,
    first: u64,
    report: &mut SolveReport,
    watch: &mut Watch<'_, '_>,
) -> Outcome {
    let mut search = Search {
        rounds,
        game,
        report,
        watch,
        least_cost: first,
        best: None,
    };
    let outcome = match search.run() {
        Ok(never) => match never {},
        Err(outcome) => outcome,
    };
    let (best, least_cost) = (search.best, search.least_cost);
    match outcome {
        Outcome::NoSolution => best.map_or(Outcome::NoSolution, Outcome::Solved),
        Outcome::Stopped(reason) => {
            report.best_so_far = best;
            report.next_bound = Some(least_cost);
            Outcome::Stopped(reason)
        }
        outcome => outcome,
    }
}

impl Search<'_, '_, '_> {
    fn run(&mut self) -> Result<std::convert::Infallible, Outcome> {
        let mut budget = 0;
        loop {
            let before = self.least_cost;
            let made = match self.round(before, None)? {
                Shown::Nothing(made) => made,
                Shown::TooMany => continue,
            };
            budget = if made >= budget * LEAST {
                made
            } else {
                self.far_enough(budget, self.least_cost - before)?
            };
        }
    }

    /// Search within greater bounds until a round makes enough nodes, and return the next budget.
    /// The first bound is a `step` above the least cost.
    fn far_enough(&mut self, budget: u64, mut step: u64) -> Result<u64, Outcome> {
        let enough = budget.saturating_mul(LEAST);
        let most = budget.saturating_mul(MOST);
        // A bound within which there are too many nodes.
        let mut too_far = None;
        loop {
            let bound = match too_far {
                None => self.least_cost.saturating_add(step),
                Some(bound) if bound > self.least_cost => {
                    self.least_cost + (bound - self.least_cost) / 2
                }
                Some(_) => return Ok(enough),
            };
            step = step.saturating_mul(2);
            // What is left has to be searched without a budget.
            if too_far.is_some() && bound == self.least_cost {
                return Ok(enough);
            }
            match self.round(bound, Some(most))? {
                Shown::Nothing(made) if made >= enough => return Ok(made),
                Shown::Nothing(_) => {}
                Shown::TooMany => too_far = Some(bound),
            }
        }
    }

    /// Search within a bound, and make at most `most` nodes.
    fn round(&mut self, bound: u64, most: Option<u64>) -> Result<Shown, Outcome> {
        let bound = match &self.best {
            // Only a better solution matters, and there is none below the least cost.
            Some(best) if best.cost <= u128::from(self.least_cost) => {
                return Err(Outcome::Solved(best.clone()));
            }
            Some(best) => bound.min(u64::try_from(best.cost - 1).unwrap_or(u64::MAX)),
            None => bound,
        };
        let bound = bound.min(self.rounds.max_bound());
        let _span = tracing::debug_span!("bound", bound).entered();
        self.watch.bound = bound;
        let before = self.watch.generated();
        // Each solution within the least cost has it.
        let seeks_best = bound > self.least_cost;
        let rounds = &mut *self.rounds;
        let mut walk =
            |watch: &mut Watch<'_, '_>| rounds.round(bound, seeks_best, Frontier::least(), watch);
        let round = match most {
            None => walk(self.watch),
            Some(most) => self.watch.within(most, walk),
        };
        let limit = self.watch.limits().nodes.unwrap_or(u64::MAX);
        let is_budget = most.is_some() && self.watch.generated() < limit;
        let round = match round {
            Ok(round) => round,
            Err(StopReason::Nodes) if is_budget => return Ok(Shown::TooMany),
            Err(reason) => return Err(Outcome::Stopped(reason)),
        };
        counted(&round, bound, self.report);
        let found = round
            .found
            .map(|rules| Solution::of_rules(self.game, rules));
        match (round.end, found) {
            (Ok(()), Some(solution)) => Err(Outcome::Solved(solution)),
            (Ok(()), None) => {
                let next = round.frontier.next_bound(0.0);
                self.least_cost = match next {
                    None if !round.overflow => return Err(Outcome::NoSolution),
                    Some(next) if next <= self.rounds.max_bound() => next,
                    _ => return Err(Outcome::Stopped(StopReason::CostOverflow)),
                };
                Ok(Shown::Nothing(self.watch.generated() - before))
            }
            (Err(reason), found) => {
                let is_better =
                    |new: &Solution| self.best.as_ref().is_none_or(|best| new.cost < best.cost);
                if let Some(found) = found.filter(is_better) {
                    self.best = Some(found);
                }
                if reason == StopReason::Nodes && is_budget {
                    Ok(Shown::TooMany)
                } else {
                    Err(Outcome::Stopped(reason))
                }
            }
        }
    }
}
