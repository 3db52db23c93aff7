//! The states of a breadth-first search: layer by layer, in the order of their numbers.

use std::ops::Range;

use crate::best_first::budget::Budget;
use crate::best_first::closed::column::Column;
use crate::best_first::closed::nodes::NO_PARENT;
use crate::best_first::closed::store::StateStore;
use crate::best_first::report::StoredStates;
use crate::best_first::space::Space;
use crate::best_first::space::packed::hash;
use crate::run::limits::StopReason;

/// Stored states with their depths. The states of a depth have consecutive numbers, so that neither
/// depths nor an open list are stored: a state takes its packed form and about 5 bytes.
#[derive(Debug)]
pub(crate) struct Layers {
    pub(crate) store: StateStore,
    pub(crate) parents: Option<Column<u32>>,
    /// The number of the first state of each depth.
    starts: Vec<u32>,
    /// The number of the first state that isn't expanded.
    pub(crate) n_closed: u32,
}

impl Layers {
    pub(crate) fn new(space: &Space, budget: &mut Budget) -> Result<Self, StopReason> {
        let implicit = space.parents_can_be_found(true);
        let mut layers = Self {
            store: StateStore::new(space.packing.size()),
            parents: (!implicit).then(|| Column::new(1)),
            starts: Vec::new(),
            n_closed: 0,
        };
        budget.push(&mut layers.starts, 0)?;
        Ok(layers)
    }

    /// Store a state that isn't stored yet, with its hash, in the last layer.
    pub(crate) fn insert(
        &mut self,
        hash: u64,
        state: &[u64],
        parent: u32,
        budget: &mut Budget,
    ) -> Result<u32, StopReason> {
        if let Some(parents) = &mut self.parents {
            parents.push(&[parent], budget)?;
        }
        self.store.insert_by_hash(hash, state, budget)
    }

    /// Store a root.
    pub(crate) fn insert_root(
        &mut self,
        state: &[u64],
        budget: &mut Budget,
    ) -> Result<u32, StopReason> {
        self.insert(hash(state), state, NO_PARENT, budget)
    }

    /// Return the states of the last layer.
    pub(crate) fn last(&self) -> Range<u32> {
        let start = self.starts.last().copied().unwrap_or(0);
        start..self.store.len() as u32
    }

    /// Begin the next layer.
    pub(crate) fn begin(&mut self, budget: &mut Budget) -> Result<(), StopReason> {
        budget.push(&mut self.starts, self.store.len() as u32)
    }

    /// Return the depth of the last layer.
    pub(crate) fn last_depth(&self) -> u64 {
        self.starts.len() as u64 - 1
    }

    /// Return the depth of a state.
    pub(crate) fn depth(&self, id: u32) -> u64 {
        self.starts.partition_point(|start| *start <= id) as u64 - 1
    }

    /// Return the number of states at each depth.
    pub(crate) fn sizes(&self) -> Vec<u64> {
        let ends = self.starts.iter().skip(1).copied();
        let ends = ends.chain([self.store.len() as u32]);
        let sizes = self.starts.iter().zip(ends);
        let mut sizes: Vec<u64> = sizes.map(|(start, end)| u64::from(end - start)).collect();
        while sizes.last() == Some(&0) {
            sizes.pop();
        }
        sizes
    }

    /// Return the sizes of the tables.
    pub(crate) fn stored(&self) -> StoredStates {
        StoredStates {
            closed: u64::from(self.n_closed),
            open: self.store.len() as u64 - u64::from(self.n_closed),
            table_bytes: self.store.bytes()
                + self.parents.as_ref().map_or(0, Column::bytes)
                + self.starts.capacity() * size_of::<u32>(),
            open_bytes: 0,
        }
    }
}
