//! Minimization that exploits impossible successions.
//!
//! If the analysis knows that a letter can't follow another (the first rule leaves the blank where
//! the second rule needs a tile), no search ever depends on the machine's answer there. So a state
//! *cares* only about the letters that can follow its last one, and two states may become one if
//! they agree on the letters that both care about. Finding the fewest states is NP-hard with
//! don't-cares (Pfleeger 1973); here two simple steps come close in practice:
//!
//! 1. States are split by last letter, so that each has its own letters to care about; those that
//!    care about the same letters and agree on them forever are merged. This is ordinary
//!    minimization.
//! 2. One after the other, each state is put into a group that agrees with it: for each letter that
//!    both care about, the next states are the same. Groups become the states. Step 2 is repeated
//!    as long as it helps, since next states may have become equal.
//!
//! In a sliding puzzle, states with the blank in different places care about different letters, and
//! a group contains one state for each place.

use std::collections::HashMap;

use ahash::RandomState;

use crate::error::BuildError;
use crate::machine::dense::Dense;
use crate::stop::{Stop, Stopped};

/// The maximum number of groups that are compared in full with a state, among those that agree with
/// it on some letter. This bounds the time for large machines.
const MAX_TRIED: usize = 1024;

/// Marks letters that a state doesn't care about.
const ANYTHING: u32 = u32::MAX;

/// Make a machine that equals another on all words in which each letter can follow the one
/// before. On other words it may do anything. It usually has far fewer states than
/// [`minimize`](crate::minimize) finds, and never more.
///
/// `impossible(first, second)` returns whether the second letter can never follow the first. A
/// letter that no state of the result cares about is forbidden there. The result is safe only for
/// searches whose paths obey `impossible`, and no longer forbids exactly the words with a forbidden
/// part.
///
/// States are numbered breadth first; the same machine gives the same result. There are a few
/// rounds. Each takes time proportional to the number of states, split by last letter, times the
/// number of letters.
///
/// # Errors
/// When splitting by last letters gives too many states for a table.
pub fn minimize_with_dont_cares(
    machine: &Dense,
    impossible: impl Fn(u32, u32) -> bool,
) -> Result<Dense, BuildError> {
    minimize_with_dont_cares_unless(machine, impossible, &|| false)
}

/// Like [`minimize_with_dont_cares`], unless `stop` returns `true`, which is asked now and then.
///
/// # Errors
/// When it was stopped, and those of [`minimize_with_dont_cares`].
pub fn minimize_with_dont_cares_unless(
    machine: &Dense,
    impossible: impl Fn(u32, u32) -> bool,
    wanted: &dyn Fn() -> bool,
) -> Result<Dense, BuildError> {
    let ordinary = crate::minimize_unless(machine, wanted)?;
    if machine.n_letters() == 0 {
        return Ok(ordinary);
    }
    let stop = &Stop::when(wanted);
    let split = Partial::split(machine, impossible, stop)?;
    let mut smallest = split.merge_equal(stop)?;
    loop {
        let merged = smallest.merge_compatible(stop)?;
        if merged.n_states() == smallest.n_states() {
            break;
        }
        smallest = merged;
    }
    let smallest = crate::minimize_unless(&smallest.into_dense()?, wanted)?;
    Ok(if smallest.n_states() <= ordinary.n_states() {
        smallest
    } else {
        ordinary
    })
}

/// A machine that cares only about some letters in each state. State 0 is the rejecting one, the
/// start state is 1. There is at least one letter.
struct Partial {
    n_letters: usize,
    /// Rows of next states; [`ANYTHING`] where the state doesn't care.
    rows: Vec<u32>,
}

impl Partial {
    fn n_states(&self) -> usize {
        self.rows.len() / self.n_letters - 1
    }

    fn row(&self, state: usize) -> &[u32] {
        &self.rows[state * self.n_letters..][..self.n_letters]
    }

    /// One state for each pair of a state and the letter that led there.
    fn split(
        machine: &Dense,
        impossible: impl Fn(u32, u32) -> bool,
        stop: &Stop<'_>,
    ) -> Result<Self, BuildError> {
        let n_letters = machine.n_letters() as usize;
        let mut numbers: HashMap<(usize, usize), u32, RandomState> = HashMap::default();
        // The start state follows no letter.
        let mut pairs = vec![(1, n_letters)];
        numbers.insert(pairs[0], 1);
        // The rejecting state's row is never read.
        let mut rows = vec![ANYTHING; n_letters];
        let mut head = 0;
        while head < pairs.len() {
            stop.count(n_letters)?;
            let (state, last) = pairs[head];
            for (letter, next) in machine.successors(state).enumerate() {
                if last < n_letters && impossible(last as u32, letter as u32) {
                    rows.push(ANYTHING);
                    continue;
                }
                if next == 0 {
                    rows.push(0);
                    continue;
                }
                let fresh = pairs.len() as u32 + 1;
                let number = *numbers.entry((next, letter)).or_insert(fresh);
                if number == fresh {
                    pairs.push((next, letter));
                }
                rows.push(number);
            }
            Dense::check_size(n_letters as u32, pairs.len())?;
            head += 1;
        }
        Ok(Self { n_letters, rows })
    }

    /// Merge states that care about the same letters and agree on them forever (Moore).
    fn merge_equal(&self, stop: &Stop<'_>) -> Result<Self, Stopped> {
        let n = self.n_states();
        let mut class_of = vec![1_u32; n + 1];
        class_of[0] = 0;
        let mut n_classes = 0;
        let mut signature = vec![0_u32; self.n_letters];
        loop {
            let mut classes: HashMap<Box<[u32]>, u32, RandomState> = HashMap::default();
            let mut refined = vec![0_u32; n + 1];
            for (state, class) in refined.iter_mut().enumerate().skip(1) {
                stop.count(self.n_letters)?;
                self.renamed_row(state, &class_of, &mut signature);
                let fresh = classes.len() as u32 + 1;
                *class = match classes.get(signature.as_slice()) {
                    Some(class) => *class,
                    None => *classes.entry(signature.as_slice().into()).or_insert(fresh),
                };
            }
            class_of = refined;
            if classes.len() == n_classes {
                return Ok(self.merged(&class_of, n_classes));
            }
            n_classes = classes.len();
        }
    }

    /// Put each state into a group in which no state contradicts it.
    fn merge_compatible(&self, stop: &Stop<'_>) -> Result<Self, Stopped> {
        let n = self.n_states();
        let mut groups = Groups::new(self.n_letters);
        let mut class_of = vec![0_u32; n + 1];
        for (state, class) in class_of.iter_mut().enumerate().skip(1) {
            // A state may be compared with very many groups.
            stop.count(self.n_letters * MAX_TRIED)?;
            *class = groups.place(self.row(state));
        }
        Ok(self.merged(&class_of, groups.len()))
    }

    /// A state's row with states replaced by their classes.
    fn renamed_row(&self, state: usize, class_of: &[u32], row: &mut [u32]) {
        for (slot, next) in row.iter_mut().zip(self.row(state)) {
            *slot = match *next {
                ANYTHING => ANYTHING,
                next => class_of[next as usize],
            };
        }
    }

    /// One state for each class. States of a class agree on the letters they care about.
    fn merged(&self, class_of: &[u32], n_classes: usize) -> Self {
        let mut rows = vec![ANYTHING; (n_classes + 1) * self.n_letters];
        let mut row = vec![0; self.n_letters];
        for state in 1..=self.n_states() {
            self.renamed_row(state, class_of, &mut row);
            let start = class_of[state] as usize * self.n_letters;
            for (slot, next) in rows[start..].iter_mut().zip(&row) {
                debug_assert!(*slot == ANYTHING || *next == ANYTHING || slot == next);
                if *next != ANYTHING {
                    *slot = *next;
                }
            }
        }
        Self {
            n_letters: self.n_letters,
            rows,
        }
    }

    /// Return the machine, with letters forbidden that no state cares about.
    fn into_dense(self) -> Result<Dense, BuildError> {
        let n_states = self.n_states();
        let mut dense = Dense::with_capacity(self.n_letters as u32, n_states)?;
        let places: Vec<u32> = std::iter::once(0)
            .chain((0..n_states).map(|_| dense.push_state()))
            .collect();
        let mut row = vec![0; self.n_letters];
        for state in 1..=n_states {
            for (slot, next) in row.iter_mut().zip(self.row(state)) {
                *slot = match *next {
                    ANYTHING => 0,
                    next => places[next as usize],
                };
            }
            dense.set_row(places[state], &row);
        }
        dense.finish();
        Ok(dense)
    }
}

/// Groups of states that agree, and the letters that each group cares about.
struct Groups {
    n_letters: usize,
    /// Rows of the groups, from 1; group 0 is that of the rejecting state.
    rows: Vec<u32>,
    /// The sets of letters that groups care about, as bits.
    cares: Vec<u64>,
    /// For a letter and a next state, the groups with this next state after this letter.
    with: HashMap<(u32, u32), Vec<u32>, RandomState>,
    /// For each set of letters that some state cares about, the first group that may be disjoint:
    /// those before it care about one of these letters, and always will.
    first_for: HashMap<Box<[u64]>, usize, RandomState>,
}

impl Groups {
    fn new(n_letters: usize) -> Self {
        Self {
            n_letters,
            rows: vec![ANYTHING; n_letters],
            cares: vec![0; n_letters.div_ceil(64)],
            with: HashMap::default(),
            first_for: HashMap::default(),
        }
    }

    fn len(&self) -> usize {
        self.rows.len() / self.n_letters - 1
    }

    /// Put a row into a group, and return the group's number.
    fn place(&mut self, row: &[u32]) -> u32 {
        let mut care = vec![0_u64; self.n_letters.div_ceil(64)];
        for letter in cared(row) {
            care[letter / 64] |= 1 << (letter % 64);
        }
        let group = match self.agreeing(row) {
            Some(group) => group,
            None => self.disjoint(care.as_slice()),
        };
        if group > self.len() {
            self.rows.resize(self.rows.len() + self.n_letters, ANYTHING);
            self.cares.resize(self.cares.len() + care.len(), 0);
        }
        for (word, more) in self.cares[group * care.len()..].iter_mut().zip(&care) {
            *word |= more;
        }
        let start = group * self.n_letters;
        for letter in cared(row) {
            let slot = &mut self.rows[start + letter];
            if *slot == ANYTHING {
                *slot = row[letter];
                let key = (letter as u32, row[letter]);
                self.with.entry(key).or_default().push(group as u32);
            }
        }
        group as u32
    }

    /// Return a group that cares about some of the same letters and agrees on all of them.
    fn agreeing(&self, row: &[u32]) -> Option<usize> {
        let mut lists: Vec<&[u32]> = cared(row)
            .filter_map(|letter| self.with.get(&(letter as u32, row[letter])))
            .map(Vec::as_slice)
            .collect();
        // Next states that few groups share with the row are the most selective.
        lists.sort_by_key(|groups| groups.len());
        let candidates = lists.into_iter().flatten().take(MAX_TRIED);
        let agrees = |group: &&u32| {
            let group = &self.rows[**group as usize * self.n_letters..][..self.n_letters];
            let mut pairs = group.iter().zip(row);
            pairs.all(|(a, b)| a == b || *a == ANYTHING || *b == ANYTHING)
        };
        let mut candidates = candidates.filter(agrees);
        candidates.next().map(|group| *group as usize)
    }

    /// Return the first group that cares about none of the letters, perhaps a new one.
    fn disjoint(&mut self, care: &[u64]) -> usize {
        let n_groups = self.len();
        let first = match self.first_for.get_mut(care) {
            Some(first) => first,
            None => self.first_for.entry(care.into()).or_insert(1),
        };
        while *first <= n_groups {
            let group = &self.cares[*first * care.len()..][..care.len()];
            if group.iter().zip(care).all(|(a, b)| a & b == 0) {
                break;
            }
            *first += 1;
        }
        *first
    }
}

/// Return the letters that a row cares about.
fn cared(row: &[u32]) -> impl Iterator<Item = usize> + '_ {
    (0..row.len()).filter(|letter| row[*letter] != ANYTHING)
}
