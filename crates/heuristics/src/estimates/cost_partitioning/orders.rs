//! Orders in which abstractions get the costs that they need.

use std::iter::zip;

use search::DEAD_END;

use super::saturated::Remaining;
use super::transition_system::TransitionSystem;
use crate::effort::Effort;
use crate::refusal::Refusal;

/// The most orders whose sums are kept: an estimate adds for each of them.
const MAX_ORDERS: usize = 32;

/// The most orders that are tried.
const MAX_TRIED: usize = 256;

/// The most transitions and operators that are visited to try orders.
const MAX_VISITS: usize = 1 << 28;

/// Saturated cost partitioning: an abstraction takes of each operator's cost what its distances to
/// the goal need, and leaves the rest to the next one (Seipp & Helmert 2014, "Diverse and Additive
/// Cartesian Abstraction Heuristics"). The sum is admissible, and so is the greatest sum over
/// several orders (Seipp, Keller & Helmert 2020, "Saturated Cost Partitioning for Optimal Classical
/// Planning"). Each sum is consistent.
///
/// For each sample there is an order: first those abstractions whose estimate is high, compared with
/// the costs that they take away from others. Orders that are best for no sample are dropped.
#[derive(Clone, Debug)]
pub(crate) struct PartitionedSums {
    n_orders: usize,
    /// By abstraction: for each state, its estimates in the orders.
    tables: Box<[Box<[u64]>]>,
}

impl PartitionedSums {
    /// Share the costs among abstractions. A sample has its state in each abstraction.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn new(
        systems: &[TransitionSystem],
        costs: &[u64],
        samples: &[Vec<u32>],
        effort: &Effort<'_>,
    ) -> Result<Self, Refusal> {
        let priorities = Priorities::new(systems, costs);
        let mut kept: Vec<Vec<Vec<u64>>> = Vec::new();
        let mut best = vec![0; samples.len()];
        let n_states: usize = systems.iter().map(TransitionSystem::n_states).sum();
        let n_transitions: usize = systems.iter().map(TransitionSystem::n_transitions).sum();
        let visits = 2 * (n_transitions + n_states + costs.len());
        let most_tried = (MAX_VISITS / visits.max(1)).clamp(1, MAX_TRIED);
        for sample in samples.iter().take(most_tried) {
            effort.check((kept.len() + 1) * n_states * size_of::<u64>())?;
            let Some(order) = priorities.order(sample) else {
                continue;
            };
            let tables = tables_of(systems, costs, &order, Some(sample));
            let mut is_better = kept.is_empty();
            for (sample, best) in zip(samples, &mut best) {
                let estimates = zip(&tables, sample).map(|(table, state)| table[*state as usize]);
                let sum = estimates.fold(0, added);
                is_better |= sum > *best;
                *best = sum.max(*best);
            }
            if is_better {
                kept.push(tables);
            }
            if kept.len() == MAX_ORDERS {
                break;
            }
        }
        if kept.is_empty() {
            let order: Vec<usize> = (0..systems.len()).collect();
            kept.push(tables_of(systems, costs, &order, None));
        }
        let table = |number: usize, system: &TransitionSystem| {
            let states = 0..system.n_states();
            let rows = states.flat_map(|state| kept.iter().map(move |it| it[number][state]));
            rows.collect()
        };
        let systems = systems.iter().enumerate();
        Ok(Self {
            n_orders: kept.len(),
            tables: systems.map(|(number, it)| table(number, it)).collect(),
        })
    }

    pub(crate) fn n_bytes(&self) -> usize {
        let sizes = self.tables.iter().map(|table| table.len());
        sizes.sum::<usize>() * size_of::<u64>()
    }

    /// Return the greatest sum for a state, by its states in the abstractions; [`DEAD_END`] if one
    /// of them has no way to its goal.
    #[inline]
    pub(crate) fn greatest(&self, states: impl Iterator<Item = u32>) -> u64 {
        let mut sums = [0_u64; MAX_ORDERS];
        let sums = &mut sums[..self.n_orders];
        for (table, state) in zip(&self.tables, states) {
            let first = state as usize * self.n_orders;
            let row = &table[first..first + self.n_orders];
            // Whether the goal is reached doesn't depend on costs.
            if row[0] == DEAD_END {
                return DEAD_END;
            }
            for (sum, estimate) in zip(&mut *sums, row) {
                *sum = sum.saturating_add(*estimate);
            }
        }
        let greatest = sums.iter().max().copied().unwrap_or(0);
        greatest.min(DEAD_END - 1)
    }
}

/// Return the estimates of the states of each abstraction, in an order of abstractions.
///
/// First, each abstraction takes what the estimate of the sample needs, and caps all higher ones
/// (Seipp & Helmert 2019, "Subset-Saturated Cost Partitioning for Optimal Classical Planning");
/// then it takes what is left for those.
fn tables_of(
    systems: &[TransitionSystem],
    costs: &[u64],
    order: &[usize],
    sample: Option<&[u32]>,
) -> Vec<Vec<u64>> {
    let mut remaining = Remaining::new(costs);
    let zeros = systems.iter().map(|system| vec![0; system.n_states()]);
    let mut tables: Vec<Vec<u64>> = zeros.collect();
    for sample in sample.map(Some).into_iter().chain([None]) {
        for number in order {
            let farthest = sample.map(|states| states[*number]);
            let estimates = remaining.take(&systems[*number], farthest);
            for (sum, estimate) in zip(&mut tables[*number], estimates) {
                *sum = added(*sum, estimate);
            }
        }
    }
    tables
}

/// Add two estimates; one [`DEAD_END`] makes a dead end.
fn added(one: u64, other: u64) -> u64 {
    if one == DEAD_END || other == DEAD_END {
        return DEAD_END;
    }
    one.saturating_add(other).min(DEAD_END - 1)
}

/// What the abstractions estimate with the full costs, and how much they take from others.
struct Priorities {
    distances: Vec<Vec<u64>>,
    /// By abstraction: the costs that it takes and others would need, at least 1.
    stolen: Vec<f64>,
}

impl Priorities {
    fn new(systems: &[TransitionSystem], costs: &[u64]) -> Self {
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
    fn order(&self, sample: &[u32]) -> Option<Vec<usize>> {
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
