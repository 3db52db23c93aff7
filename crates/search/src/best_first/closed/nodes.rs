//! The stored states of a search by cost.

use psvn_ir::RuleId;

use crate::best_first::budget::Budget;
use crate::best_first::closed::batch::Batch;
use crate::best_first::closed::column::Column;
use crate::best_first::closed::costs::Costs;
use crate::best_first::closed::prefetch::prefetch;
use crate::best_first::closed::store::StateStore;
use crate::best_first::closed::trace::Trace;
use crate::best_first::report::StoredStates;
use crate::best_first::space::Space;
use crate::best_first::space::moves::Moves;
use crate::run::limits::StopReason;

/// The states of one direction of a search, with their path costs.
///
/// A state takes its packed form, about 5 bytes of the index, the bytes of its cost, and a bit.
/// Links to parents are kept only where parents can't be found again by backward moves (see
/// [`trace`](crate::best_first::closed::trace)).
#[derive(Debug)]
pub(crate) struct Nodes {
    pub(crate) store: StateStore,
    pub(crate) costs: Costs,
    pub(crate) parents: Option<Column<u32>>,
    /// The number of moves on the path to each state, if counts by depth are wanted.
    depths: Option<Column<u32>>,
    /// A bit for each state: whether it was expanded at its present cost.
    closed: Column<u64>,
    n_closed: u64,
}

/// The parent of a state that has none.
pub(crate) const NO_PARENT: u32 = u32::MAX;

impl Nodes {
    pub(crate) fn new(space: &Space, has_depths: bool) -> Self {
        let implicit = space.parents_can_be_found(space.least_cost() > 0);
        Self {
            store: StateStore::new(space.packing.size()),
            costs: Costs::new(space.cost_unit),
            parents: (!implicit).then(|| Column::new(1)),
            depths: has_depths.then(|| Column::new(1)),
            closed: Column::new(1),
            n_closed: 0,
        }
    }

    /// Prefetch the states that look-ups of these children will read.
    #[inline]
    pub(crate) fn fetch(&self, batch: &Batch) {
        self.store.fetch(batch.hashes(), |id| self.costs.fetch(id));
    }

    /// Prefetch the data that are read when a state is expanded.
    #[inline]
    pub(crate) fn fetch_node(&self, id: u32) {
        self.store.fetch_state(id);
        self.costs.fetch(id);
        prefetch(&self.closed.get(id as usize / 64)[0]);
    }

    /// Store a state that isn't stored yet, with its hash.
    #[inline]
    pub(crate) fn insert(
        &mut self,
        hash: u64,
        state: &[u64],
        cost: u64,
        parent: u32,
        budget: &mut Budget,
    ) -> Result<u32, StopReason> {
        // The store comes last, so that every state in it has an entry in all other tables.
        self.costs.push(cost, budget)?;
        if let Some(parents) = &mut self.parents {
            parents.push(&[parent], budget)?;
        }
        if let Some(depths) = &mut self.depths {
            let depth = match parent {
                NO_PARENT => 0,
                parent => depths.get(parent as usize)[0] + 1,
            };
            depths.push(&[depth], budget)?;
        }
        if self.store.len().is_multiple_of(64) {
            self.closed.push(&[0], budget)?;
        }
        self.store.insert_by_hash(hash, state, budget)
    }

    /// Record that a state was reached at a new least cost. Return whether it was closed.
    pub(crate) fn improve(&mut self, id: u32, cost: u64, parent: u32) -> bool {
        self.costs.lower(id, cost);
        if let Some(parents) = &mut self.parents {
            parents.get_mut(id as usize)[0] = parent;
        }
        if let Some(depths) = &mut self.depths {
            let depth = depths.get(parent as usize)[0] + 1;
            depths.get_mut(id as usize)[0] = depth;
        }
        let word = &mut self.closed.get_mut(id as usize / 64)[0];
        let was_closed = *word >> (id % 64) & 1 == 1;
        *word &= !(1 << (id % 64));
        self.n_closed -= u64::from(was_closed);
        was_closed
    }

    /// Mark a state as expanded.
    #[inline]
    pub(crate) fn close(&mut self, id: u32) {
        self.closed.get_mut(id as usize / 64)[0] |= 1 << (id % 64);
        self.n_closed += 1;
    }

    /// Return whether a state was expanded at its present cost.
    #[inline]
    pub(crate) fn is_closed(&self, id: u32) -> bool {
        self.closed.get(id as usize / 64)[0] >> (id % 64) & 1 == 1
    }

    /// Return the number of moves on the path to a state; 0 if depths aren't counted.
    #[inline]
    pub(crate) fn depth(&self, id: u32) -> u64 {
        let depths = self.depths.as_ref();
        depths.map_or(0, |depths| depths.get(id as usize)[0].into())
    }

    /// Return the number of states that are not expanded yet.
    pub(crate) fn n_open(&self) -> u64 {
        self.store.len() as u64 - self.n_closed
    }

    /// Return the rules from a state back to one of the roots, which were stored first, the last
    /// rule first. `moves` are those of the search, and those that lead back.
    pub(crate) fn rules_back(
        &self,
        space: &Space,
        from: u32,
        [onward, back]: [&Moves; 2],
        n_roots: u32,
    ) -> Vec<RuleId> {
        let trace = Trace {
            space,
            store: &self.store,
            parents: self.parents.as_ref(),
            onward,
            back,
            path_cost: |id| self.costs.get(id),
            rule_cost: |rule| space.cost(rule),
            n_roots,
        };
        trace.rules_back(from)
    }

    /// Return the sizes of the tables, and of open lists.
    pub(crate) fn stored(&self, open_bytes: usize) -> StoredStates {
        StoredStates {
            closed: self.n_closed,
            open: self.n_open(),
            table_bytes: self.store.bytes()
                + self.costs.bytes()
                + self.parents.as_ref().map_or(0, Column::bytes)
                + self.depths.as_ref().map_or(0, Column::bytes)
                + self.closed.bytes(),
            open_bytes,
        }
    }
}
