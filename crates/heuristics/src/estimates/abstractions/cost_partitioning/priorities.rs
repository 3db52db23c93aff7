//! Which abstractions get costs first.

use std::iter::zip;

use search::DEAD_END;

use super::saturated::Remaining;
use super::transition_system::TransitionSystem;

/// What the abstractions estimate with the full costs, and how much they take from others.
pub(super) struct Priorities {
    distances: Vec<Vec<u64>>,
    /// By abstraction: the costs that it takes and others would need, at least 1.
    stolen: Vec<f64>,
}

impl Priorities {
    pub(super) fn new(systems: &[TransitionSystem], costs: &[u64]) -> Self {
        let mut all = Remaining::new(costs);
        let distances: Vec<Vec<u64>> = systems.iter().map(|it| it.distances(costs)).collect();
        let needed = zip(systems, &distances).map(|(system, it)| all.saturated(system, it));
        let needed: Vec<Vec<u64>> = needed.collect();
        let mut wanted = vec![0_u64; costs.len()];
        for (system, needed) in zip(systems, &needed) {
            for (operator, needed) in zip(system.operators(), needed) {
                let wanted = &mut wanted[*operator as usize];
                *wanted = wanted.saturating_add(*needed);
            }
        }
        let stolen = |(system, needed): (&TransitionSystem, &Vec<u64>)| {
            let operators = zip(system.operators(), needed);
            let stolen = operators.map(|(operator, needed)| {
                let operator = *operator as usize;
                let lacking = wanted[operator].saturating_sub(costs[operator]);
                lacking.min(*needed) as f64
            });
            stolen.sum::<f64>().max(1.0)
        };
        Self {
            stolen: zip(systems, &needed).map(stolen).collect(),
            distances,
        }
    }

    /// Return the order for a sample, unless an abstraction shows it to be a dead end.
    pub(super) fn order(&self, sample: &[u32]) -> Option<Vec<usize>> {
        let estimates = zip(&self.distances, sample).map(|(it, state)| it[*state as usize]);
        let mut scores = Vec::new();
        for (estimate, stolen) in zip(estimates, &self.stolen) {
            if estimate == DEAD_END {
                return None;
            }
            scores.push(estimate as f64 / stolen);
        }
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|one, other| scores[*other].total_cmp(&scores[*one]));
        Some(order)
    }
}
