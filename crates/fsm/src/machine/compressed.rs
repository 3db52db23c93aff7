//! The form for large machines: rows stored as differences.
//!
//! Most rows of a large machine differ from some other row in few letters: in an Aho-Corasick
//! machine, a state continues like its longest suffix, except for the few letters by which its word
//! continues in the trie. So a few *base rows* are kept whole, and each state has a *record*: its
//! base row and its exceptions. References don't chain, so a step reads one record and at most one
//! base row, in constant time; the few base rows stay in the cache.
//!
//! The machine is one array of 32-bit words. States and rows are places in it (they are
//! *premultiplied*), so it can be used straight from a memory map:
//!
//! | what | words |
//! |---|---|
//! | 0: no record stands here, so place 0 can mean the rejecting state | 1 |
//! | base rows: for each letter the next state's record, or 0 | b · n |
//! | records, the start state's first | |
//!
//! With few letters, a record is a [`Layout::Bitmap`]: the place of its base row, ⌈n/24⌉ words that
//! mark its exceptions, and the next states for these. A word of marks holds 24 bits and, in the
//! high byte, the number of marks in the words before. With many letters, it is a [`Layout::List`]:
//! the place of its base row, the number of exceptions, their letters in ascending order, and the
//! next states for these.

use std::fmt;
use std::num::NonZeroU32;

use crate::error::BuildError;
use crate::machine::bases::{Bases, MAX_BITMAP_LETTERS, read_row};
use crate::machine::bytes::{Word, Words, file_words};
use crate::machine::dense::{Dense, TableError};
use crate::machine::{Machine, state_of};

/// A state of a [`Compressed`] machine: the place of its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CompressedState(pub(crate) NonZeroU32);

state_of!(CompressedState);

/// How records identify the letters that are exceptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// By a bit for each letter: fastest, and smallest for few letters.
    Bitmap,
    /// By a sorted list of letters.
    List,
}

/// Letters marked by one word.
const MARKS: usize = 24;

/// An immutable machine with compressed rows.
///
/// It accepts the same words as the [`Dense`] machine that it was made from. Cloning is cheap.
#[derive(Clone, PartialEq, Eq)]
pub struct Compressed {
    layout: Layout,
    n_letters: u32,
    n_states: u32,
    n_bases: u32,
    words: Words,
}

impl Compressed {
    /// Return the compressed form of a machine. Its states are in the same order.
    ///
    /// Takes time proportional to the size of the table times the bounded number of rows that each
    /// row is compared with. The same machine gives the same form.
    ///
    /// # Errors
    /// When it would have more than 2^32 words, which implies that it is larger than its table.
    pub fn from_dense(machine: &Dense) -> Result<Self, BuildError> {
        let n_letters = machine.n_letters() as usize;
        let n_states = machine.n_states();
        let too_large = || BuildError::TooLarge {
            states: n_states,
            n_letters: n_letters as u32,
        };
        let bases = Bases::choose(machine);
        let n_exceptions: usize = bases.n_exceptions.iter().map(|n| *n as usize).sum();
        let bit_words = n_letters.div_ceil(MARKS);
        let list_words = n_states + n_exceptions;
        let layout = if n_letters <= MAX_BITMAP_LETTERS && n_states * bit_words <= list_words {
            Layout::Bitmap
        } else {
            Layout::List
        };
        // The place of each state's record, then the end of all.
        let first = 1 + bases.rows.len();
        let mut places = Vec::with_capacity(n_states + 2);
        // The rejecting state's place is 0.
        places.push(0_u32);
        let mut place = first;
        for n in &bases.n_exceptions {
            places.push(u32::try_from(place).map_err(|_| too_large())?);
            place += record_len(layout, bit_words, *n as usize);
        }
        u32::try_from(place).map_err(|_| too_large())?;
        let mut words = Vec::with_capacity(place);
        words.push(0);
        words.extend(bases.rows.iter().map(|next| places[*next as usize]));
        let mut row = vec![0_u32; n_letters];
        let mut bits = vec![0_u32; bit_words];
        for state in 1..=n_states {
            read_row(machine, state, &mut row);
            let base = bases.base_of[state - 1] as usize * n_letters;
            words.push(1 + base as u32);
            let base_row = &bases.rows[base..][..n_letters];
            let exceptions = || (0..n_letters).filter(|letter| row[*letter] != base_row[*letter]);
            match layout {
                Layout::Bitmap => {
                    bits.fill(0);
                    for letter in exceptions() {
                        bits[letter / MARKS] |= 1 << (letter % MARKS);
                    }
                    let mut before = 0;
                    for word in &mut bits {
                        let n = word.count_ones();
                        *word |= before << MARKS;
                        before += n;
                    }
                    words.extend_from_slice(&bits);
                }
                Layout::List => {
                    words.push(bases.n_exceptions[state - 1]);
                    words.extend(exceptions().map(|letter| letter as u32));
                }
            }
            words.extend(exceptions().map(|letter| places[row[letter] as usize]));
        }
        Ok(Self {
            layout,
            n_letters: n_letters as u32,
            n_states: n_states as u32,
            n_bases: (bases.rows.len() / n_letters.max(1)) as u32,
            words: Words::Owned(words.into()),
        })
    }

    /// Make a machine from the words of a file. Only the bounds are checked, so this takes constant
    /// time. [`check`](Self::check) checks the rest.
    pub(crate) fn from_words(
        layout: Layout,
        n_letters: u32,
        n_states: u32,
        n_bases: u32,
        words: Words,
    ) -> Result<Self, &'static str> {
        let first = u64::from(n_bases) * u64::from(n_letters) + 1;
        let shortest = record_len(layout, (n_letters as usize).div_ceil(MARKS), 0) as u64;
        let least = u128::from(first) + u128::from(n_states) * u128::from(shortest);
        if n_states == 0 || (n_bases == 0 && n_letters > 0) || u32::try_from(words.len()).is_err() {
            return Err("the machine has no start state, or too many");
        }
        if least > words.len() as u128 {
            return Err("the machine's records don't fit in its section");
        }
        Ok(Self {
            layout,
            n_letters,
            n_states,
            n_bases,
            words,
        })
    }

    /// Check that all places are those of rows and records. Takes linear time.
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        let mut is_record = bitvec::bitvec![0; self.words.len()];
        let mut place = self.first_record();
        for _ in 0..self.n_states {
            let end = self.record_end(place).ok_or("a record is cut off")?;
            is_record.set(place, true);
            place = end;
        }
        if place != self.words.len() {
            return Err("something comes after the last record");
        }
        let is_state = |next: u32| next == 0 || is_record[next as usize];
        let in_range = |next: u32| (next as usize) < is_record.len();
        let n_letters = self.n_letters as usize;
        let rows = 1..self.first_record();
        let word = |place| self.words.get(place).unwrap_or(u32::MAX);
        if word(0) != 0
            || !rows
                .clone()
                .map(word)
                .all(|next| in_range(next) && is_state(next))
        {
            return Err("a row leads to no state");
        }
        for place in is_record.iter_ones() {
            let base = word(place) as usize;
            if base == 0 || base >= rows.end.max(2) || !(base - 1).is_multiple_of(n_letters.max(1))
            {
                return Err("a record refers to no row");
            }
            let Some(exceptions) = self.exceptions(place) else {
                return Err("a record's marks are miscounted");
            };
            let mut last = None;
            for (letter, next) in exceptions {
                if last.is_some_and(|last| letter <= last) || letter >= self.n_letters {
                    return Err("a record's letters are out of order");
                }
                if !in_range(next) || !is_state(next) {
                    return Err("a record leads to no state");
                }
                last = Some(letter);
            }
        }
        Ok(())
    }

    /// Return the size of the alphabet.
    pub fn n_letters(&self) -> u32 {
        self.n_letters
    }

    /// Return the number of states, without the rejecting one.
    pub fn n_states(&self) -> usize {
        self.n_states as usize
    }

    /// Return the number of rows that are kept whole.
    pub fn n_base_rows(&self) -> usize {
        self.n_bases as usize
    }

    /// Return how records name exceptions.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Return the bytes of rows and records.
    pub fn bytes(&self) -> usize {
        self.words.len() * size_of::<u32>()
    }

    /// Return all states in order, the start state first. (Finds each from the one before.)
    pub fn states(&self) -> impl Iterator<Item = CompressedState> + '_ {
        let mut place = self.first_record();
        (0..self.n_states).map_while(move |_| {
            let state = CompressedState(NonZeroU32::new(place as u32)?);
            place = self.record_end(place)?;
            Some(state)
        })
    }

    /// Return the states after each letter; `None` for forbidden letters.
    pub fn successors(
        &self,
        state: CompressedState,
    ) -> impl ExactSizeIterator<Item = Option<CompressedState>> + '_ {
        let n_letters = self.n_letters as usize;
        (0..n_letters).map(move |letter| self.next(state, letter as u32))
    }

    /// Return the machine as a table, with states in the same order.
    ///
    /// # Errors
    /// When the table is too large, or the machine comes from a damaged file that was not verified.
    pub fn to_dense(&self) -> Result<Dense, TableError> {
        let places: Vec<CompressedState> = self.states().collect();
        let n_states = places.len();
        Dense::check_size(self.n_letters, n_states)?;
        let mut table = Vec::with_capacity(n_states * self.n_letters as usize);
        for next in places.iter().flat_map(|state| self.successors(*state)) {
            table.push(match next {
                None => 0,
                Some(next) => match places.binary_search(&next) {
                    Ok(index) => index as u32 + 1,
                    Err(_) => {
                        return Err(TableError::Entry {
                            entry: next.0.get(),
                            n_states,
                        });
                    }
                },
            });
        }
        Dense::from_table(self.n_letters, n_states, &table)
    }

    /// Copy the machine into its own memory.
    pub(crate) fn to_owned_words(&self) -> Self {
        Self {
            words: self.words.to_owned_words(),
            ..*self
        }
    }

    pub(crate) fn words(&self) -> &Words {
        &self.words
    }

    fn first_record(&self) -> usize {
        1 + self.n_bases as usize * self.n_letters as usize
    }

    fn bit_words(&self) -> usize {
        (self.n_letters as usize).div_ceil(MARKS)
    }

    /// Return the number of exceptions of a record.
    fn n_exceptions(&self, place: usize) -> Option<usize> {
        match self.layout {
            Layout::Bitmap => match self.bit_words() {
                0 => Some(0),
                n => {
                    let (before, marks) = split_marks(self.words.get(place + n)?);
                    Some((before + marks.count_ones()) as usize)
                }
            },
            Layout::List => self.words.get(place + 1).map(|n| n as usize),
        }
    }

    /// Return the end of a record, if that is within the machine.
    fn record_end(&self, place: usize) -> Option<usize> {
        let n = self.n_exceptions(place)?;
        let end = place.checked_add(record_len(self.layout, self.bit_words(), n))?;
        (end <= self.words.len()).then_some(end)
    }

    /// Return the exceptions of a record that lies within the machine: letters and next states.
    /// `None` if the count of its marks is wrong.
    pub(crate) fn exceptions(&self, place: usize) -> Option<impl Iterator<Item = (u32, u32)> + '_> {
        let n = self.n_exceptions(place)?;
        let letters: Vec<u32> = match self.layout {
            Layout::Bitmap => {
                let mut letters = Vec::new();
                for word in 0..self.bit_words() {
                    let (before, marks) = split_marks(self.words.get(place + 1 + word)?);
                    if before as usize != letters.len() {
                        return None;
                    }
                    let marked = (0..MARKS).filter(|bit| marks >> bit & 1 == 1);
                    letters.extend(marked.map(|bit| (word * MARKS + bit) as u32));
                }
                letters
            }
            Layout::List => (0..n)
                .map(|i| self.words.get(place + 2 + i))
                .collect::<Option<_>>()?,
        };
        let nexts = self.record_end(place)? - n;
        Some((letters.into_iter().zip(nexts..)).map(|(letter, next)| {
            let next = self.words.get(next);
            (letter, next.unwrap_or(u32::MAX))
        }))
    }
}

/// Return the word with the next state after a letter; `None` if a place is outside the machine,
/// which happens only in damaged files.
#[inline]
fn step<W: Word>(
    words: &[W],
    layout: Layout,
    bit_words: usize,
    place: usize,
    letter: u32,
) -> Option<u32> {
    let word = |place: usize| words.get(place).map(|word| word.value());
    let base = word(place)? as usize;
    let place = match layout {
        Layout::Bitmap => {
            let letter = letter as usize;
            let (before, marks) = split_marks(word(place + 1 + letter / MARKS)?);
            let bit = 1_u32 << (letter % MARKS);
            let rank = before + (marks & (bit - 1)).count_ones();
            // Both places are known here, so the processor has no branch to predict.
            let exception = place + 1 + bit_words + rank as usize;
            if marks & bit == 0 {
                base + letter
            } else {
                exception
            }
        }
        Layout::List => {
            let n = word(place + 1)? as usize;
            let letters = words.get(place + 2..)?.get(..n)?;
            match letters.binary_search_by_key(&letter, |word| word.value()) {
                Ok(found) => place + 2 + n + found,
                Err(_) => base + letter as usize,
            }
        }
    };
    word(place)
}

/// Return the number of marks before a word of marks, and the marks.
#[inline]
fn split_marks(word: u32) -> (u32, u32) {
    (word >> MARKS, word & ((1 << MARKS) - 1))
}

impl fmt::Debug for Compressed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compressed")
            .field("layout", &self.layout)
            .field("n_letters", &self.n_letters)
            .field("n_states", &self.n_states)
            .field("n_base_rows", &self.n_bases)
            .field("bytes", &self.bytes())
            .finish()
    }
}

impl Machine for Compressed {
    type State = CompressedState;

    #[inline]
    fn start(&self) -> CompressedState {
        CompressedState(NonZeroU32::new(self.first_record() as u32).expect("at least 1"))
    }

    /// Return a machine from a damaged, unverified file may lead to a place outside it. The start
    /// state replaces such a place: it has no memory of the word so far, so it forbids no word that
    /// is allowed otherwise.
    #[inline]
    fn next(&self, state: CompressedState, letter: u32) -> Option<CompressedState> {
        let place = state.0.get() as usize;
        let next = match &self.words {
            Words::Owned(words) => step(words, self.layout, self.bit_words(), place, letter),
            Words::File { bytes, range } => {
                let words = file_words(bytes, range);
                step(words, self.layout, self.bit_words(), place, letter)
            }
        };
        match next {
            Some(next) => NonZeroU32::new(next).map(CompressedState),
            None => Some(self.start()),
        }
    }
}

/// Return the number of words of a record.
fn record_len(layout: Layout, bit_words: usize, n_exceptions: usize) -> usize {
    match layout {
        Layout::Bitmap => 1 + bit_words + n_exceptions,
        Layout::List => 2 + 2 * n_exceptions,
    }
}
