//! The table: lower bounds on the cost to come, by state and machine state.

use crate::best_first::budget::Budget;
use crate::best_first::report::TableCounts;
use crate::best_first::space::packed::hash;
use crate::run::limits::StopReason;

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

/// A table begins with no fewer sets than this, and fewer than twice as many.
const FEWEST_SETS: usize = 256;

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
///
/// The memory for the whole table is taken at the beginning, and touched only as far as the table
/// is used: it begins with few sets, and doubles them where one overflows, until all of it is in
/// use.
pub(crate) struct Table<S> {
    n_words: usize,
    states: Vec<u64>,
    entries: Vec<Entry<S>>,
    /// What empty entries hold.
    empty: Entry<S>,
    /// How many times more the sets may double.
    doublings: u32,
    pub(crate) counts: TableCounts,
}

impl<S: Copy + Eq> Table<S> {
    /// A table of at most `bytes` bytes. `any` fills empty entries.
    pub(crate) fn new(
        n_words: usize,
        bytes: usize,
        any: S,
        budget: &mut Budget,
    ) -> Result<Self, StopReason> {
        let entry_bytes = n_words * size_of::<u64>() + size_of::<Entry<S>>();
        let n_sets = bytes / (WAYS * entry_bytes);
        let doublings = (n_sets / FEWEST_SETS).checked_ilog2().unwrap_or(0);
        let first_sets = n_sets >> doublings;
        let n_entries = (first_sets << doublings) * WAYS;
        let (mut states, mut entries) = (Vec::new(), Vec::new());
        budget.grow(&mut states, n_entries * n_words)?;
        budget.grow(&mut entries, n_entries)?;
        let empty = Entry {
            machine: any,
            bound: 0,
            effort: 0,
        };
        states.resize(first_sets * WAYS * n_words, 0);
        entries.resize(first_sets * WAYS, empty);
        let counts = TableCounts {
            capacity: n_entries as u64,
            bytes: n_entries * entry_bytes,
            ..TableCounts::default()
        };
        Ok(Self {
            n_words,
            states,
            entries,
            empty,
            doublings,
            counts,
        })
    }

    /// Doubles the sets. The room for them is there.
    fn double(&mut self) {
        let n_sets = self.entries.len() / WAYS;
        self.doublings -= 1;
        self.entries.resize(self.entries.len() * 2, self.empty);
        self.states.resize(self.states.len() * 2, 0);
        // The states of a set go to the two sets at its double place. From the last one on, what is
        // overwritten has gone away before.
        let mut set_states = vec![0; WAYS * self.n_words];
        for set in (0..n_sets).rev() {
            let old = set * WAYS..(set + 1) * WAYS;
            let mut set_entries = [self.empty; WAYS];
            set_entries.copy_from_slice(&self.entries[old.clone()]);
            let words = old.start * self.n_words..old.end * self.n_words;
            set_states.copy_from_slice(&self.states[words]);
            self.entries[old].fill(self.empty);
            for (entry, state) in set_entries.iter().zip(set_states.chunks(self.n_words)) {
                if entry.effort > 0 {
                    let free = |at: &usize| self.entries[*at].effort == 0;
                    // A set takes in no more than the old one had.
                    if let Some(at) = self.set(state).find(free) {
                        self.put(at, state, *entry);
                    }
                }
            }
        }
    }

    fn put(&mut self, at: usize, state: &[u64], entry: Entry<S>) {
        self.states[at * self.n_words..(at + 1) * self.n_words].copy_from_slice(state);
        self.entries[at] = entry;
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

    /// Store a bound.
    pub(crate) fn store(&mut self, state: &[u64], machine: S, bound: u64, effort: u32) {
        if self.entries.is_empty() {
            return;
        }
        self.counts.stores += 1;
        let effort = effort.max(1);
        let mut set = self.set(state);
        let same = set
            .clone()
            .find(|entry| self.entries[*entry].machine == machine && self.holds(*entry, state));
        if let Some(entry) = same {
            let entry = &mut self.entries[entry];
            entry.bound = entry.bound.max(bound);
            entry.effort = entry.effort.saturating_add(effort);
            return;
        }
        while self.doublings > 0 && set.clone().all(|entry| self.entries[entry].effort > 0) {
            self.double();
            set = self.set(state);
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
        let entry = Entry {
            machine,
            bound,
            effort,
        };
        self.put(victim, state, entry);
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
    fn a_table_that_grows_loses_nothing_until_it_is_full() {
        let mut budget = Budget::new(None);
        let bytes = 400 << 10;
        let mut table: Table<u8> = Table::new(2, bytes, 0, &mut budget).unwrap();
        let first = table.entries.len();
        // Its memory is there from the beginning, and not in use yet.
        let capacity = table.counts.capacity as usize;
        assert!(capacity >= 2 * first && table.entries.capacity() >= capacity);
        assert!(table.counts.bytes <= bytes && table.counts.bytes * 10 >= bytes * 9);
        let mut n = 0;
        while table.counts.replacements == 0 {
            table.store(&[n, n * n], 1, n + 1, 5);
            n += 1;
        }
        assert_eq!(table.entries.len(), capacity);
        // All but the one that was replaced by the last one.
        let found = (0..n).filter(|n| table.bound(&Exact, &[*n, n * n], 1) == n + 1);
        assert_eq!(found.count() as u64, n - 1);
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
