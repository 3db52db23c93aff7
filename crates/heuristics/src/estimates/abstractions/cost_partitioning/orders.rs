//! Orders in which abstractions get the costs that they need.

use std::iter::zip;

use search::DEAD_END;

use super::priorities::Priorities;
use super::saturated::Remaining;
use super::transition_system::TransitionSystem;
use crate::effort::Effort;
use crate::refusal::Refusal;

/// The most orders that are kept: an estimate adds for each of them.
pub(super) const MAX_ORDERS: usize = 32;

/// The most visits to transitions, states and operators to try orders.
const MAX_VISITS: usize = 1 << 27;

/// The most samples in a row whose orders aren't kept.
const MAX_FRUITLESS: usize = 50;

/// The part of the visits for orders that put one abstraction first.
const PART_OF_FIRSTS: usize = 2;

/// The estimates of the states of each abstraction, in one order.
pub(super) type Tables = Vec<Vec<u64>>;

/// Return the estimates in the orders that are the best ones for some starts and samples, at least
/// one order.
///
/// For each of them it tries the order in which those abstractions are first whose estimate is high
/// compared with the costs that they take away from others. For starts it also tries what comes of
/// it if one of the abstractions is put first.
///
/// # Errors
/// If there is no more time, or not enough memory for an order.
pub(super) fn shared(
    systems: &[TransitionSystem],
    costs: &[u64],
    (starts, samples): (&[Vec<u32>], &[Vec<u32>]),
    effort: &Effort<'_>,
) -> Result<Vec<Tables>, Refusal> {
    let priorities = Priorities::new(systems, costs);
    let mut trials = Trials::new(systems, costs, starts, samples);
    effort.check(trials.n_bytes())?;
    let of_start = MAX_VISITS / PART_OF_FIRSTS / starts.len().max(1);
    for start in starts {
        if !effort.has_room(trials.n_bytes())? {
            break;
        }
        let Some(order) = priorities.order(start) else {
            continue;
        };
        let mut best = trials.of(&order, start);
        let last = trials.visits + of_start;
        for place in 1..order.len() {
            if trials.visits >= last || !effort.has_room(trials.n_bytes())? {
                break;
            }
            let mut order = order.clone();
            order[..=place].rotate_right(1);
            let tables = trials.of(&order, start);
            if sum(&tables, start) > sum(&best, start) {
                best = tables;
            }
        }
        trials.keep(best);
    }
    let mut n_fruitless = 0;
    for sample in samples {
        let is_enough = trials.kept.len() == MAX_ORDERS || trials.visits >= MAX_VISITS;
        if is_enough || n_fruitless == MAX_FRUITLESS || !effort.has_room(trials.n_bytes())? {
            break;
        }
        if let Some(order) = priorities.order(sample) {
            let tables = trials.of(&order, sample);
            let is_kept = trials.keep(tables);
            n_fruitless = if is_kept { 0 } else { n_fruitless + 1 };
        }
    }
    if trials.kept.is_empty() {
        let order: Vec<usize> = (0..systems.len()).collect();
        trials.kept.push(tables_of(systems, costs, &order, None));
    }
    Ok(trials.kept)
}

/// The orders that were tried.
struct Trials<'a> {
    systems: &'a [TransitionSystem],
    costs: &'a [u64],
    /// The starts, and then the samples.
    states: Vec<&'a [u32]>,
    /// By start or sample, its greatest sum in an order that was kept.
    best: Vec<u64>,
    kept: Vec<Tables>,
    visits: usize,
    visits_of_order: usize,
    bytes_of_order: usize,
}

impl<'a> Trials<'a> {
    fn new(
        systems: &'a [TransitionSystem],
        costs: &'a [u64],
        starts: &'a [Vec<u32>],
        samples: &'a [Vec<u32>],
    ) -> Self {
        let n_states: usize = systems.iter().map(TransitionSystem::n_states).sum();
        let n_transitions: usize = systems.iter().map(TransitionSystem::n_transitions).sum();
        Self {
            systems,
            costs,
            states: starts.iter().chain(samples).map(Vec::as_slice).collect(),
            best: vec![0; starts.len() + samples.len()],
            kept: Vec::new(),
            visits: 0,
            visits_of_order: 4 * n_transitions + n_states + costs.len(),
            bytes_of_order: n_states * size_of::<u64>(),
        }
    }

    /// Return the bytes of the abstractions, of the estimates that are kept, and of those in two
    /// more orders.
    fn n_bytes(&self) -> usize {
        let systems = self.systems.iter().map(TransitionSystem::n_bytes);
        systems.sum::<usize>() + (self.kept.len() + 2) * self.bytes_of_order
    }

    /// Return the estimates in an order, for the sake of a state.
    fn of(&mut self, order: &[usize], state: &[u32]) -> Tables {
        self.visits += self.visits_of_order;
        tables_of(self.systems, self.costs, order, Some(state))
    }

    /// Keep estimates if they are the best ones so far for a start or sample, and return whether
    /// they are.
    fn keep(&mut self, tables: Tables) -> bool {
        let mut is_best = self.kept.is_empty();
        for (state, best) in zip(&self.states, &mut self.best) {
            let sum = sum(&tables, state);
            // All orders find the same dead ends.
            if sum != DEAD_END && sum > *best {
                *best = sum;
                is_best = true;
            }
        }
        if is_best {
            self.kept.push(tables);
        }
        is_best
    }
}

/// Return the estimates in an order of abstractions.
///
/// First, each abstraction takes what the estimate of a state needs, and higher ones count as that
/// (Seipp & Helmert 2019, "Subset-Saturated Cost Partitioning for Optimal Classical Planning");
/// then it takes what is left for those.
fn tables_of(
    systems: &[TransitionSystem],
    costs: &[u64],
    order: &[usize],
    state: Option<&[u32]>,
) -> Tables {
    let mut remaining = Remaining::new(costs);
    let zeros = systems.iter().map(|system| vec![0; system.n_states()]);
    let mut tables: Tables = zeros.collect();
    for state in state.map(Some).into_iter().chain([None]) {
        for number in order {
            let farthest = state.map(|states| states[*number]);
            let estimates = remaining.take(&systems[*number], farthest);
            for (sum, estimate) in zip(&mut tables[*number], estimates) {
                *sum = added(*sum, estimate);
            }
        }
    }
    tables
}

/// Return the sum of a state, given by its states in the abstractions.
fn sum(tables: &Tables, state: &[u32]) -> u64 {
    let estimates = zip(tables, state).map(|(table, state)| table[*state as usize]);
    estimates.fold(0, added)
}

/// Add two estimates; one [`DEAD_END`] makes a dead end.
fn added(one: u64, other: u64) -> u64 {
    if one == DEAD_END || other == DEAD_END {
        return DEAD_END;
    }
    one.saturating_add(other).min(DEAD_END - 1)
}

#[cfg(test)]
mod tests {
    use budget::Watch;
    use psvn_ir::random::SplitMix64;

    use super::*;

    const N_OPERATORS: usize = 6;

    /// Some states, with random transitions between them.
    fn random_system(random: &mut SplitMix64) -> TransitionSystem {
        let n_states = 2 + random.below(6);
        let mut into = vec![Vec::new(); n_states];
        for _ in 0..3 * n_states {
            let (source, target) = (random.below(n_states), random.below(n_states));
            if source != target {
                into[target].push((random.below(N_OPERATORS) as u32, source as u32));
            }
        }
        TransitionSystem::new(&into, [0].into_iter())
    }

    /// Return the greatest falls of estimates by operators.
    fn falls(system: &TransitionSystem, estimates: &[u64]) -> Vec<u64> {
        let mut falls = vec![0; N_OPERATORS];
        for it in system.transitions() {
            let (before, after) = (estimates[it.source as usize], estimates[it.target as usize]);
            assert!(before != DEAD_END || after == DEAD_END, "{it:?}");
            if before != DEAD_END {
                let fall = &mut falls[it.operator as usize];
                *fall = before.saturating_sub(after).max(*fall);
            }
        }
        falls
    }

    #[test]
    fn no_operator_is_paid_for_twice() {
        let mut random = SplitMix64::new(5);
        let mut n_orders = 0;
        for case in 0..300 {
            let systems: Vec<_> = (0..4).map(|_| random_system(&mut random)).collect();
            let costs: Vec<u64> = (0..N_OPERATORS).map(|_| random.below(5) as u64).collect();
            let mut states = |n: usize| -> Vec<Vec<u32>> {
                let sizes = (0..n).map(|_| systems.iter().map(TransitionSystem::n_states));
                let mut state = |sizes: &mut dyn Iterator<Item = usize>| {
                    sizes.map(|size| random.below(size) as u32).collect()
                };
                sizes.map(|mut sizes| state(&mut sizes)).collect()
            };
            let (starts, samples) = (states(2), states(8));
            let watch = Watch::default();
            let effort = Effort::within(&watch);
            let orders = shared(&systems, &costs, (&starts, &samples), &effort).expect("no limit");
            n_orders += orders.len();
            for tables in &orders {
                let mut paid = vec![0; N_OPERATORS];
                for (system, estimates) in zip(&systems, tables) {
                    for (paid, fall) in zip(&mut paid, falls(system, estimates)) {
                        *paid += fall;
                    }
                }
                assert!(
                    zip(&paid, &costs).all(|(paid, cost)| paid <= cost),
                    "case {case}"
                );
            }
            // Alone, an abstraction of a start may take all costs.
            for start in &starts {
                let greatest = orders.iter().map(|tables| sum(tables, start)).max();
                for (system, state) in zip(&systems, start) {
                    let alone = system.distances(&costs)[*state as usize];
                    assert!(greatest >= Some(alone), "case {case}");
                }
            }
        }
        assert!(n_orders > 400, "{n_orders}");
    }
}
