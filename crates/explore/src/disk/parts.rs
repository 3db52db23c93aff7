//! The generated states of the parts of the next layer: in memory, and in sorted runs.

use std::sync::{Mutex, MutexGuard};

use search::PackedStates;
use sorted_states::{FileError, Files, Reader, Runs, append, sort};

use crate::codes::{Coder, Codes};
use crate::expansion::Expansion;

/// The number of parts of a layer.
pub(crate) const PARTS: usize = 64;
/// The number of states that may wait in one thread for one part.
const WAITING: usize = 256;
/// The number of states that are coded together.
const UNCODED: usize = 512;
/// The maximum number of runs of a part before they are merged: that many files are open at once.
const MOST_RUNS: usize = 64;

/// The bytes of memory for states that wait, and for runs; the rest is for buffers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shares {
    pub(crate) waiting: usize,
    pub(crate) runs: usize,
}

impl Shares {
    pub(crate) fn of(memory: usize) -> Self {
        Self {
            waiting: memory / 4,
            runs: memory / 2,
        }
    }

    /// Return the number of states that a thread may sort together: the threads share half as much
    /// as waiting states take, for the states and a copy.
    fn most_sorted(self) -> usize {
        self.waiting / 2 / rayon::current_num_threads() / (2 * size_of::<u64>())
    }
}

/// One part of the next layer.
pub(crate) struct Part {
    /// The words of waiting states.
    waiting: Vec<u64>,
    runs: Runs,
}

/// The parts of the next layer.
pub(crate) struct Parts {
    files: Files,
    parts: Vec<Mutex<Part>>,
    /// The number of words of a part that may wait.
    most: usize,
    shares: Shares,
}

fn lock(part: &Mutex<Part>) -> MutexGuard<'_, Part> {
    part.lock().expect("no thread panics while it holds a part")
}

impl Parts {
    /// Make empty parts with these shares of the memory together.
    pub(crate) fn new(files: &Files, expansion: &Expansion<'_>, shares: Shares) -> Self {
        expansion.account(0, shares.waiting + shares.runs);
        // Each thread may hold one part more, while it is sorted and written.
        let parts = PARTS + rayon::current_num_threads();
        let width = files.form().words();
        let empty = || Part {
            waiting: Vec::new(),
            runs: Runs::new(MOST_RUNS),
        };
        Self {
            files: files.clone(),
            parts: (0..PARTS).map(|_| Mutex::new(empty())).collect(),
            most: (shares.waiting / parts / (8 * width)).max(WAITING) * width,
            shares,
        }
    }

    /// Return the number of words of a state.
    fn width(&self) -> usize {
        self.files.form().words()
    }

    /// Return a collector of states for one thread.
    pub(crate) fn outbox<'p>(
        &'p self,
        codes: &'p Codes,
        expansion: &'p Expansion<'_>,
    ) -> Outbox<'p> {
        let most = WAITING * self.width();
        Outbox {
            parts: self,
            codes,
            states: expansion.states,
            coder: codes.coder(expansion.states),
            uncoded: Vec::with_capacity(UNCODED),
            waiting: (0..PARTS).map(|_| Vec::with_capacity(most)).collect(),
            width: self.width(),
            most,
        }
    }

    fn extend(&self, number: usize, states: &[u64]) -> Result<(), FileError> {
        let mut part = lock(&self.parts[number]);
        part.waiting.extend_from_slice(states);
        if part.waiting.len() < self.most {
            return Ok(());
        }
        // Other threads may add to the part while its states are sorted and written.
        let mut full = std::mem::take(&mut part.waiting);
        drop(part);
        let kept = sort(&mut full, self.width());
        full.truncate(kept);
        let in_memory = || lock(&self.parts[number]).runs.take_from_memory();
        let most = self.shares.most_sorted();
        let run = self.files.write_run(full, most, in_memory)?;
        let mut part = lock(&self.parts[number]);
        part.runs.add(run);
        if part.runs.is_full() {
            part.runs.merge(&self.files)?;
        }
        Ok(())
    }

    /// Return the parts, none of which gets further states.
    pub(crate) fn finish(&mut self) -> Vec<Part> {
        let parts = std::mem::take(&mut self.parts).into_iter();
        let inner = parts.map(Mutex::into_inner);
        inner
            .map(|part| part.expect("no thread panics while it holds a part"))
            .collect()
    }

    /// Count the memory of the parts no longer.
    pub(crate) fn release(self, expansion: &Expansion<'_>) {
        expansion.account(self.shares.waiting + self.shares.runs, 0);
    }

    /// Return the states generated for a part, in sorted sequences.
    pub(crate) fn sources(&self, mut part: Part) -> Result<Vec<Reader>, FileError> {
        let kept = sort(&mut part.waiting, self.width());
        part.waiting.truncate(kept);
        let most = self.shares.most_sorted();
        part.runs.open_with(&self.files, part.waiting, most)
    }
}

/// Return the part of the states with a hash.
#[inline]
fn part_of(hash: u64) -> usize {
    (hash >> (64 - PARTS.trailing_zeros())) as usize
}

/// The states that one thread has generated, for each part.
pub(crate) struct Outbox<'p> {
    parts: &'p Parts,
    codes: &'p Codes,
    states: &'p PackedStates,
    coder: Coder<'p>,
    /// States of one word, which are coded together.
    uncoded: Vec<u64>,
    waiting: Vec<Vec<u64>>,
    /// The number of words of a state.
    width: usize,
    /// The number of words that may wait for a part.
    most: usize,
}

impl Outbox<'_> {
    /// Add a state.
    #[inline]
    pub(crate) fn push(&mut self, state: &[u64]) -> Result<(), FileError> {
        if let [word] = state {
            self.uncoded.push(*word);
            if self.uncoded.len() < UNCODED {
                return Ok(());
            }
            return self.code_all();
        }
        let code = self.coder.code(state);
        let number = part_of(self.codes.hash(self.states, code));
        let waiting = &mut self.waiting[number];
        append(waiting, code, self.width);
        if waiting.len() < self.most {
            return Ok(());
        }
        self.pass_on(number)
    }

    /// Code the states that wait for it.
    #[inline(never)]
    fn code_all(&mut self) -> Result<(), FileError> {
        let mut states = std::mem::take(&mut self.uncoded);
        self.coder.code_all(&mut states);
        for code in &states {
            let number = part_of(self.codes.hash(self.states, &[*code]));
            let waiting = &mut self.waiting[number];
            waiting.push(*code);
            if waiting.len() >= self.most {
                self.pass_on(number)?;
            }
        }
        states.clear();
        self.uncoded = states;
        Ok(())
    }

    fn pass_on(&mut self, number: usize) -> Result<(), FileError> {
        let waiting = &mut self.waiting[number];
        let result = self.parts.extend(number, waiting);
        waiting.clear();
        result
    }

    /// Pass on all states.
    pub(crate) fn flush(&mut self) -> Result<(), FileError> {
        self.code_all()?;
        (0..PARTS).try_for_each(|number| self.pass_on(number))
    }
}
