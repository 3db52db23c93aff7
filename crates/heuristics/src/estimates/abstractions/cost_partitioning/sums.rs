//! Sums of estimates that share costs.

use std::iter::zip;

use search::DEAD_END;

use super::orders::{MAX_ORDERS, Tables, shared};
use super::transition_system::TransitionSystem;
use crate::effort::Effort;
use crate::refusal::Refusal;

/// Saturated cost partitioning: an abstraction takes of each operator's cost what its distances to
/// the goal need, and leaves the rest to the next one (Seipp & Helmert 2014, "Diverse and Additive
/// Cartesian Abstraction Heuristics"). The sum is admissible, and so is the greatest sum over
/// several orders (Seipp, Keller & Helmert 2020, "Saturated Cost Partitioning for Optimal Classical
/// Planning"). Each sum is consistent.
#[derive(Clone, Debug)]
pub(crate) struct PartitionedSums {
    n_orders: usize,
    /// By abstraction: for each state, its estimates in the orders.
    tables: Box<[Box<[u64]>]>,
}

impl PartitionedSums {
    /// Share the costs of operators among abstractions, for the sake of starts and of samples. Each
    /// of them is given as its states in the abstractions.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn new(
        systems: &[TransitionSystem],
        costs: &[u64],
        starts: &[Vec<u32>],
        samples: &[Vec<u32>],
        effort: &Effort<'_>,
    ) -> Result<Self, Refusal> {
        let orders = shared(systems, costs, (starts, samples), effort)?;
        let table = |number: usize, system: &TransitionSystem| {
            let states = 0..system.n_states();
            let in_orders = |state: usize| orders.iter().map(move |it: &Tables| it[number][state]);
            states.flat_map(in_orders).collect()
        };
        let systems = systems.iter().enumerate();
        Ok(Self {
            n_orders: orders.len(),
            tables: systems.map(|(number, it)| table(number, it)).collect(),
        })
    }

    /// Leave out abstractions that estimate 0 in all orders, and return for each whether it is
    /// kept.
    pub(crate) fn leave_out_zeros(&mut self) -> Vec<bool> {
        let is_used = |table: &[u64]| table.iter().any(|estimate| *estimate > 0);
        let is_kept = self.tables.iter().map(|table| is_used(table)).collect();
        let tables = std::mem::take(&mut self.tables).into_iter();
        self.tables = tables.filter(|table| is_used(table)).collect();
        is_kept
    }

    /// Return the number of orders.
    pub(crate) fn n_orders(&self) -> usize {
        self.n_orders
    }

    /// Return the bytes of the tables.
    pub(crate) fn n_bytes(&self) -> usize {
        self.tables.iter().map(|table| size_of_val(&**table)).sum()
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
