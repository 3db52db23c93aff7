//! The table: lower bounds on the cost to come, by state and machine state.

use crate::best_first::budget::Budget;
use crate::best_first::packed::hash;
use crate::best_first::transposition::TableCounts;
use crate::limits::StopReason;

/// Entries that a state may be stored in.
const WAYS: usize = 4;

/// Which entries serve a node.
pub(crate) trait Key<S> {
    /// Whether what was learned at a machine state holds at another one, for the same state.
    fn serves(&self, stored: S, visitor: S) -> bool;
}

/// Those of the same machine state.
pub(crate) struct Exact;

impl<S: Eq> Key<S> for Exact {
    #[inline]
    fn serves(&self, stored: S, visitor: S) -> bool {
        stored == visitor
    }
}

/// All: wrong beside a machine. For the test that shows it.
#[cfg(test)]
pub(crate) struct StateOnly;

#[cfg(test)]
impl<S> Key<S> for StateOnly {
    fn serves(&self, _stored: S, _visitor: S) -> bool {
        true
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry<S> {
    machine: S,
    /// What it costs at least to reach a goal by sequences that the machine state allows.
    bound: u64,
    /// About how many nodes it took to find that out; 0 in an empty entry.
    effort: u32,
}

/// A hash table of fixed size in sets of four entries. States are compared in full.
///
/// In a full set the entry that took the least work is replaced, and those that survive lose half
/// of their weight, so that old ones give way in the end.
pub(crate) struct Table<S> {
    n_words: usize,
    states: Vec<u64>,
    entries: Vec<Entry<S>>,
    pub(crate) counts: TableCounts,
}

impl<S: Copy + Eq> Table<S> {
    /// A table of at most so many bytes. `any` fills empty entries.
    pub(crate) fn new(
        n_words: usize,
        bytes: usize,
        any: S,
        budget: &mut Budget,
    ) -> Result<Self, StopReason> {
        let entry_bytes = n_words * size_of::<u64>() + size_of::<Entry<S>>();
        let n_entries = bytes / (WAYS * entry_bytes) * WAYS;
        let (mut states, mut entries) = (Vec::new(), Vec::new());
        budget.grow(&mut states, n_entries * n_words)?;
        budget.grow(&mut entries, n_entries)?;
        states.resize(n_entries * n_words, 0);
        let empty = Entry {
            machine: any,
            bound: 0,
            effort: 0,
        };
        entries.resize(n_entries, empty);
        let counts = TableCounts {
            capacity: n_entries as u64,
            bytes: n_entries * entry_bytes,
            ..TableCounts::default()
        };
        Ok(Self {
            n_words,
            states,
            entries,
            counts,
        })
    }

    /// The set of entries for a state.
    fn set(&self, state: &[u64]) -> std::ops::Range<usize> {
        let n_sets = (self.entries.len() / WAYS) as u128;
        let set = ((u128::from(hash(state)) * n_sets) >> 64) as usize;
        set * WAYS..(set + 1) * WAYS
    }

    fn holds(&self, entry: usize, state: &[u64]) -> bool {
        self.entries[entry].effort > 0
            && self.states[entry * self.n_words..(entry + 1) * self.n_words] == *state
    }

    /// The best bound that is stored for a node; 0 if none is.
    pub(crate) fn bound(&mut self, key: &impl Key<S>, state: &[u64], machine: S) -> u64 {
        if self.entries.is_empty() {
            return 0;
        }
        self.counts.lookups += 1;
        self.set(state)
            .filter(|entry| self.holds(*entry, state))
            .filter(|entry| key.serves(self.entries[*entry].machine, machine))
            .map(|entry| self.entries[entry].bound)
            .max()
            .unwrap_or(0)
    }

    /// Stores a bound.
    pub(crate) fn store(&mut self, state: &[u64], machine: S, bound: u64, effort: u32) {
        if self.entries.is_empty() {
            return;
        }
        self.counts.stores += 1;
        let effort = effort.max(1);
        let set = self.set(state);
        let same = set
            .clone()
            .find(|entry| self.entries[*entry].machine == machine && self.holds(*entry, state));
        if let Some(entry) = same {
            let entry = &mut self.entries[entry];
            entry.bound = entry.bound.max(bound);
            entry.effort = entry.effort.saturating_add(effort);
            return;
        }
        // Among equals each one has its turn.
        let turn = self.counts.replacements as usize;
        let victim = (0..WAYS)
            .map(|way| set.start + (way + turn) % WAYS)
            .min_by_key(|entry| self.entries[*entry].effort)
            .unwrap_or(set.start);
        if self.entries[victim].effort > 0 {
            self.counts.replacements += 1;
            for entry in &mut self.entries[set] {
                entry.effort = (entry.effort / 2).max(1);
            }
        }
        self.states[victim * self.n_words..(victim + 1) * self.n_words].copy_from_slice(state);
        self.entries[victim] = Entry {
            machine,
            bound,
            effort,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_work_is_replaced_first_and_nothing_stays_forever() {
        let mut budget = Budget::new(None);
        let mut table: Table<u8> = Table::new(1, 100, 0, &mut budget).unwrap();
        assert_eq!((table.counts.capacity, table.counts.bytes), (4, 96));
        for (state, effort) in [(1, 1000), (2, 10), (3, 1000), (4, 1000)] {
            table.store(&[state], 7, state + 50, effort);
        }
        assert_eq!(table.bound(&Exact, &[2], 7), 52);
        assert_eq!(table.bound(&Exact, &[2], 8), 0);
        table.store(&[5], 7, 55, 20);
        assert_eq!(table.bound(&Exact, &[2], 7), 0);
        assert_eq!(table.bound(&Exact, &[5], 7), 55);
        // Bounds only grow, and one state may stand there for several machine states.
        table.store(&[5], 7, 54, 20);
        assert_eq!(table.bound(&Exact, &[5], 7), 55);
        table.store(&[5], 8, 60, 2000);
        assert_eq!(table.bound(&Exact, &[5], 8), 60);
        for state in 10..30 {
            table.store(&[state], 7, state, 3);
        }
        assert!(
            [1, 3, 4]
                .iter()
                .all(|state| table.bound(&Exact, &[*state], 7) == 0)
        );
        let counts = table.counts;
        assert_eq!((counts.stores, counts.replacements), (27, 22));
    }

    #[test]
    fn a_table_without_room_holds_nothing() {
        let mut table: Table<()> = Table::new(2, 50, (), &mut Budget::new(Some(0))).unwrap();
        table.store(&[1, 2], (), 3, 4);
        assert_eq!(table.bound(&Exact, &[1, 2], ()), 0);
        assert_eq!(table.counts, TableCounts::default());
        assert!(Table::new(2, 5000, (), &mut Budget::new(Some(4000))).is_err());
    }
}
