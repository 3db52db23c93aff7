//! A state that moves change and change back, with what its estimate is made of.

use crate::costs::estimates::heuristic::ProvedHeuristic;
use crate::costs::setting::steps::Step;
use crate::costs::sums::{weigh, weight};

/// The state that a search is in.
pub(crate) struct Position<'c> {
    heuristic: &'c ProvedHeuristic<'c>,
    pub(crate) state: Vec<u32>,
    /// For each potential the sum of the state.
    sums: Vec<u64>,
    /// For each table the key of the state's image, and the estimate.
    images: Vec<Image>,
    /// Variables that changed on the way, with the values before.
    undo: Vec<(usize, u32)>,
    /// Tables whose estimate may have changed on the way, with the one before.
    estimates_before: Vec<(usize, u64)>,
}

struct Image {
    key: Vec<u64>,
    estimate: u64,
}

/// A place on the way: the lengths of the lists of old values and of old estimates.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    n_undo: usize,
    n_estimates: usize,
}

impl<'c> Position<'c> {
    pub(crate) fn new(heuristic: &'c ProvedHeuristic<'c>, start: &[u32]) -> Self {
        let images = heuristic.tables.iter().map(|table| {
            let mut key = Vec::new();
            table.images.key(start, &mut key);
            let estimate = table.estimate(&key);
            Image { key, estimate }
        });
        let sums = heuristic.potentials.iter();
        Self {
            heuristic,
            state: start.to_vec(),
            sums: sums.map(|it| weigh(&it.weights, start)).collect(),
            images: images.collect(),
            undo: Vec::new(),
            estimates_before: Vec::new(),
        }
    }

    /// The place on the way.
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            n_undo: self.undo.len(),
            n_estimates: self.estimates_before.len(),
        }
    }

    /// Carry out a step.
    pub(crate) fn carry_out(&mut self, step: &Step) {
        let before = self.undo.len();
        self.undo.extend(step.changes(&self.state));
        self.exchange(before);
    }

    /// Take back what has changed since a place on the way.
    pub(crate) fn take_back(&mut self, before: Mark) {
        self.exchange(before.n_undo);
        self.undo.truncate(before.n_undo);
        for (table, estimate) in self.estimates_before.drain(before.n_estimates..) {
            self.images[table].estimate = estimate;
        }
    }

    /// Exchange the values of the state with those in the list from an index on.
    fn exchange(&mut self, from: usize) {
        for (variable, value) in &mut self.undo[from..] {
            let old = std::mem::replace(&mut self.state[*variable], *value);
            for (table, image) in self.heuristic.tables.iter().zip(&mut self.images) {
                table.images.change(&mut image.key, *variable, old, *value);
            }
            for (potential, sum) in self.heuristic.potentials.iter().zip(&mut self.sums) {
                let weights = &potential.weights[*variable];
                *sum += u64::from(weight(weights, *value));
                *sum -= u64::from(weight(weights, old));
            }
            *value = old;
        }
    }

    /// The estimate of the state. Only the tables in which it differs from the state at `before`
    /// are asked again.
    pub(crate) fn estimate(&mut self, before: Mark) -> u64 {
        let changes = &self.undo[before.n_undo..];
        let tables = self.heuristic.tables.iter().zip(&mut self.images);
        for (number, (table, image)) in tables.enumerate() {
            let differs = |(variable, old): &(usize, u32)| {
                table
                    .images
                    .tells_apart(*variable, *old, self.state[*variable])
            };
            if changes.iter().any(differs) {
                let estimate = table.estimate(&image.key);
                let old = std::mem::replace(&mut image.estimate, estimate);
                self.estimates_before.push((number, old));
            }
        }
        let potentials = self.heuristic.potentials.iter().zip(&self.sums);
        let by_potential = potentials.map(|(it, sum)| it.of_sum(*sum)).max();
        let by_tables = self
            .heuristic
            .greatest_sum(|table| self.images[table].estimate);
        by_potential.unwrap_or(0).max(by_tables)
    }
}
