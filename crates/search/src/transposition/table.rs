//! The table: lower bounds on the cost to come, by state and machine state.

use std::sync::atomic::{AtomicU64, Ordering, fence};

use crate::best_first::space::packed::hash;
use crate::run::limits::StopReason;
use crate::transposition::counts::TableCounts;
use crate::transposition::keys::Keys;
use crate::transposition::words::ZeroedWords;

/// The number of entries in which a state may be stored.
const WAYS: usize = 4;

/// The words of an entry after its state: the bound; the machine state and the effort.
const BESIDE_STATE: usize = 2;

/// The key of a node.
#[derive(Clone, Copy)]
pub(crate) struct Node<'s> {
    /// The state of the game, in as many words as the table's states have.
    pub(crate) state: &'s [u64],
    /// The number of the machine's state.
    pub(crate) machine: u32,
}

/// A hash table of fixed size in sets of four entries. States are compared in full.
///
/// In a full set the entry with the least effort is replaced, and the surviving entries lose half
/// of their weight, so that old ones give way in the end. The system provides memory only when it
/// is first used, so a large table takes no time to make.
///
/// # Threads
/// Any number of threads use one table, and none waits for another. Each set has a version, which
/// is odd while a thread writes to the set. A writer that finds it odd drops its bound. A reader
/// that finds it odd, or changed after reading, may have read parts of different entries and
/// discards them. So every entry that is used was written as a whole by one thread, and a bound
/// that one thread has proved holds for all. (Reads and writes are of atomic words: a race gives
/// words that belong to different entries, never undefined behavior. The fences order them with the
/// version, as in any sequence lock.) With one thread nothing is ever dropped.
#[derive(Debug)]
pub(crate) struct Table {
    /// The words of a state.
    n_words: usize,
    n_sets: usize,
    /// By set: its version, then its entries. An entry is a state, its bound, and its machine state
    /// with the effort in the upper half: about how many nodes it took to find the bound. The
    /// effort of an empty entry is 0.
    words: ZeroedWords,
}

/// An entry without its state.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    bound: u64,
    machine: u32,
    effort: u32,
}

impl Table {
    /// Make a table of at most `bytes` bytes for states of `n_words` words.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub(crate) fn new(n_words: usize, bytes: usize) -> Result<Self, StopReason> {
        let per_set = words_per_set(n_words);
        let n_sets = bytes / (per_set * size_of::<u64>());
        Ok(Self {
            n_words,
            n_sets,
            words: ZeroedWords::new(n_sets * per_set)?,
        })
    }

    /// Return the table's size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val::<[AtomicU64]>(&self.words)
    }

    /// Return counts with the table's size.
    pub(crate) fn counts(&self) -> TableCounts {
        TableCounts {
            capacity: (self.n_sets * WAYS) as u64,
            bytes: self.bytes(),
            ..TableCounts::default()
        }
    }

    /// Return the best bound stored for a node; 0 if there is none.
    pub(crate) fn bound(&self, keys: &Keys<'_>, node: Node<'_>, counts: &mut TableCounts) -> u64 {
        let Some(set) = self.set(node.state) else {
            return 0;
        };
        counts.lookups += 1;
        let before = set.version.load(Ordering::Acquire);
        let mut found = [Entry::default(); WAYS];
        let mut n_found = 0;
        for way in 0..WAYS {
            if set.holds(way, node.state) {
                found[n_found] = set.entry(way);
                n_found += 1;
            }
        }
        fence(Ordering::Acquire);
        let after = set.version.load(Ordering::Relaxed);
        if before != after || !before.is_multiple_of(2) {
            return 0;
        }
        found[..n_found]
            .iter()
            .filter(|entry| entry.effort > 0 && keys.serves(entry.machine, node.machine))
            .map(|entry| entry.bound)
            .max()
            .unwrap_or(0)
    }

    /// Store a bound, with about how many nodes it took to find it.
    pub(crate) fn store(&self, node: Node<'_>, bound: u64, effort: u32, counts: &mut TableCounts) {
        let Some(set) = self.set(node.state) else {
            return;
        };
        let before = set.version.load(Ordering::Relaxed);
        let (read, write) = (Ordering::Relaxed, Ordering::Acquire);
        let is_free = before.is_multiple_of(2);
        let version = &set.version;
        if !is_free
            || version
                .compare_exchange(before, before + 1, write, read)
                .is_err()
        {
            return;
        }
        fence(Ordering::Release);
        set.put(node, bound, effort.max(1), counts);
        version.store(before + 2, Ordering::Release);
    }

    /// Return the set of entries for a state; `None` in a table without entries.
    #[inline]
    fn set<'t>(&'t self, state: &[u64]) -> Option<Set<'t>> {
        let per_set = words_per_set(self.n_words);
        let set = ((u128::from(hash(state)) * self.n_sets as u128) >> 64) as usize;
        let words = self.words.get(set * per_set..(set + 1) * per_set)?;
        let (version, entries) = words.split_first()?;
        Some(Set {
            version,
            entries,
            n_words: self.n_words,
        })
    }
}

/// Return the number of words of a set of entries.
fn words_per_set(n_words: usize) -> usize {
    1 + WAYS * (n_words + BESIDE_STATE)
}

/// One set.
struct Set<'t> {
    version: &'t AtomicU64,
    entries: &'t [AtomicU64],
    n_words: usize,
}

impl Set<'_> {
    #[inline]
    fn words(&self, way: usize) -> (&[AtomicU64], &[AtomicU64]) {
        let each = self.n_words + BESIDE_STATE;
        self.entries[way * each..(way + 1) * each].split_at(self.n_words)
    }

    #[inline]
    fn holds(&self, way: usize, state: &[u64]) -> bool {
        let (stored, _) = self.words(way);
        stored
            .iter()
            .zip(state)
            .all(|(stored, word)| stored.load(Ordering::Relaxed) == *word)
    }

    #[inline]
    fn entry(&self, way: usize) -> Entry {
        let (_, rest) = self.words(way);
        let [bound, rest] = [0, 1].map(|i| rest[i].load(Ordering::Relaxed));
        Entry {
            bound,
            machine: rest as u32,
            effort: (rest >> 32) as u32,
        }
    }

    #[inline]
    fn set_entry(&self, way: usize, entry: Entry) {
        let (_, rest) = self.words(way);
        rest[0].store(entry.bound, Ordering::Relaxed);
        let word = u64::from(entry.effort) << 32 | u64::from(entry.machine);
        rest[1].store(word, Ordering::Relaxed);
    }

    /// Write to the set, which this thread has locked.
    fn put(&self, node: Node<'_>, bound: u64, effort: u32, counts: &mut TableCounts) {
        counts.stores += 1;
        let Node { state, machine } = node;
        let entries: [Entry; WAYS] = std::array::from_fn(|way| self.entry(way));
        let is_same = |way: &usize| {
            entries[*way].effort > 0 && entries[*way].machine == machine && self.holds(*way, state)
        };
        if let Some(way) = (0..WAYS).find(is_same) {
            let entry = entries[way];
            self.set_entry(
                way,
                Entry {
                    bound: entry.bound.max(bound),
                    effort: entry.effort.saturating_add(effort),
                    ..entry
                },
            );
            return;
        }
        // Entries of equal effort are replaced in turn.
        let turn = counts.replacements as usize;
        let victim = (0..WAYS)
            .map(|way| (way + turn) % WAYS)
            .min_by_key(|way| entries[*way].effort)
            .unwrap_or(0);
        if entries[victim].effort > 0 {
            counts.replacements += 1;
            for (way, entry) in entries.iter().enumerate() {
                let effort = (entry.effort / 2).max(1);
                self.set_entry(way, Entry { effort, ..*entry });
            }
        }
        let (words, _) = self.words(victim);
        for (stored, word) in words.iter().zip(state) {
            stored.store(*word, Ordering::Relaxed);
        }
        let entry = Entry {
            bound,
            machine,
            effort,
        };
        self.set_entry(victim, entry);
    }
}

#[cfg(test)]
mod tests {
    use fsm::{SharedMachine, Unrestricted};

    use super::*;

    struct Tested {
        table: Table,
        machine: SharedMachine,
        counts: TableCounts,
    }

    impl Tested {
        fn new(n_words: usize, bytes: usize) -> Self {
            Self {
                table: Table::new(n_words, bytes).unwrap(),
                machine: SharedMachine::new(Unrestricted),
                counts: TableCounts::default(),
            }
        }

        fn bound(&mut self, state: &[u64], machine: u32) -> u64 {
            let keys = Keys::Exact(&self.machine);
            let node = Node { state, machine };
            self.table.bound(&keys, node, &mut self.counts)
        }

        fn store(&mut self, state: &[u64], machine: u32, bound: u64, effort: u32) {
            let node = Node { state, machine };
            self.table.store(node, bound, effort, &mut self.counts);
        }
    }

    #[test]
    fn little_work_is_replaced_first_and_nothing_stays_forever() {
        let mut table = Tested::new(1, 110);
        let size = table.table.counts();
        assert_eq!((size.capacity, size.bytes), (4, 104));
        for (state, effort) in [(1, 1000), (2, 10), (3, 1000), (4, 1000)] {
            table.store(&[state], 7, state + 50, effort);
        }
        assert_eq!(table.bound(&[2], 7), 52);
        assert_eq!(table.bound(&[2], 8), 0);
        table.store(&[5], 7, 55, 20);
        assert_eq!(table.bound(&[2], 7), 0);
        assert_eq!(table.bound(&[5], 7), 55);
        // Bounds only grow, and one state may be stored for several machine states.
        table.store(&[5], 7, 54, 20);
        assert_eq!(table.bound(&[5], 7), 55);
        table.store(&[5], 8, 60, 2000);
        assert_eq!(table.bound(&[5], 8), 60);
        for state in 10..30 {
            table.store(&[state], 7, state, 3);
        }
        assert!([1, 3, 4].iter().all(|state| table.bound(&[*state], 7) == 0));
        let counts = table.counts;
        assert_eq!((counts.stores, counts.replacements), (27, 22));
    }

    #[test]
    fn a_table_loses_nothing_until_a_set_is_full() {
        let mut table = Tested::new(2, 400 << 10);
        let mut n = 0;
        while table.counts.replacements == 0 {
            table.store(&[n, n * n], 1, n + 1, 5);
            n += 1;
        }
        // All bounds but the one that the last one replaced.
        let found = (0..n).filter(|n| table.bound(&[*n, n * n], 1) == n + 1);
        assert_eq!(found.count() as u64, n - 1);
        assert!(n > 500);
    }

    #[test]
    fn a_table_without_room_holds_nothing() {
        let mut table = Tested::new(2, 50);
        table.store(&[1, 2], 0, 3, 4);
        assert_eq!(table.bound(&[1, 2], 0), 0);
        assert_eq!(table.counts, TableCounts::default());
    }

    /// Threads write to the same few sets; each bound encodes its state and machine state.
    #[test]
    fn threads_read_what_was_written_as_a_whole() {
        let tested = Tested::new(3, 700);
        let (table, machine) = (&tested.table, &tested.machine);
        let n_sets = table.counts().capacity / WAYS as u64;
        assert!((1..10).contains(&n_sets));
        let found = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4_u64)
                .map(|thread| {
                    scope.spawn(move || {
                        let mut counts = TableCounts::default();
                        let mut random = psvn_ir::testing::SplitMix64::new(thread);
                        let mut found = 0;
                        for _ in 0..20_000 {
                            let n = random.below(40) as u64;
                            let state = [n, n * 3, !n];
                            let number = random.below(3) as u32;
                            let node = Node {
                                state: &state,
                                machine: number,
                            };
                            let expected = n * 10 + u64::from(number) + 1;
                            let keys = Keys::Exact(machine);
                            let bound = table.bound(&keys, node, &mut counts);
                            assert!(bound == 0 || bound == expected, "{bound} {expected}");
                            found += u64::from(bound > 0);
                            table.store(node, expected, 5, &mut counts);
                        }
                        found
                    })
                })
                .collect();
            let found = threads.into_iter().map(|thread| thread.join().unwrap());
            found.sum::<u64>()
        });
        assert!(found > 1_000, "{found}");
    }
}
