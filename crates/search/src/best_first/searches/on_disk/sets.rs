//! Sets of states: in memory, or in a file.

use std::sync::Arc;

use crate::best_first::searches::on_disk::error::{Halt, OnDiskError};
use crate::best_first::searches::on_disk::files::{Folder, Form, Reader, StateFile, Writer};
use crate::best_first::searches::on_disk::room::Room;
use crate::best_first::searches::on_disk::room::words::{Place, Words};
use crate::run::limits::StopReason;

/// The memory and the folder of a search.
#[derive(Debug)]
pub(super) struct Disk {
    pub(super) room: Room,
    pub(super) folder: Folder,
}

impl Disk {
    pub(super) fn form(&self) -> Form {
        self.folder.form()
    }

    /// Write ascending states to a file.
    pub(super) fn write(&self, words: &Words<'_>) -> Result<Arc<StateFile<'_>>, Halt> {
        self.begin(words)?.finish().map(Arc::new)
    }

    /// Begin a file with ascending states.
    fn begin(&self, words: &Words<'_>) -> Result<Writer<'_>, Halt> {
        let mut writer = Writer::create(&self.folder, &self.room)?;
        for state in words.states(self.form().words) {
            writer.push(state)?;
        }
        Ok(writer)
    }
}

/// Sort states, and leave one of those that are equal. Return the number of others.
pub(super) fn sort(states: &mut Words<'_>, n_words: usize) -> Result<u64, StopReason> {
    let before = states.len();
    states.change(|words| {
        match n_words {
            1 => words.sort_unstable(),
            2 => bytemuck::cast_slice_mut::<u64, [u64; 2]>(words).sort_unstable(),
            3 => bytemuck::cast_slice_mut::<u64, [u64; 3]>(words).sort_unstable(),
            _ => sort_by_number(words, n_words)?,
        }
        let mut kept = n_words.min(before);
        for from in (n_words..before).step_by(n_words) {
            if words[from..from + n_words] != words[kept - n_words..kept] {
                words.copy_within(from..from + n_words, kept);
                kept += n_words;
            }
        }
        Ok(kept)
    })?;
    Ok(((before - states.len()) / n_words) as u64)
}

/// Sort states of any number of words: first their numbers, then the states themselves, along the
/// cycles of the order.
fn sort_by_number(words: &mut [u64], n_words: usize) -> Result<(), StopReason> {
    let n_states = u32::try_from(words.len() / n_words).map_err(|_| StopReason::Memory)?;
    let of = |number: u32| number as usize * n_words..(number as usize + 1) * n_words;
    let mut order: Vec<u32> = (0..n_states).collect();
    order.sort_unstable_by(|a, b| words[of(*a)].cmp(&words[of(*b)]));
    let mut first = vec![0; n_words];
    for begin in 0..n_states {
        if order[begin as usize] == begin {
            continue;
        }
        first.copy_from_slice(&words[of(begin)]);
        let mut at = begin;
        loop {
            let from = std::mem::replace(&mut order[at as usize], at);
            if from == begin {
                words[of(at)].copy_from_slice(&first);
                break;
            }
            words.copy_within(of(from), of(at).start);
            at = from;
        }
    }
    Ok(())
}

/// Ascending states.
#[derive(Clone, Debug)]
pub(super) enum Set<'d> {
    Memory(Arc<Words<'d>>),
    File(Arc<StateFile<'d>>),
}

impl<'d> Set<'d> {
    pub(super) fn empty(disk: &'d Disk) -> Self {
        Self::Memory(Arc::new(Words::new(&disk.room)))
    }

    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Memory(words) => words.is_empty(),
            Self::File(file) => file.n_states() == 0,
        }
    }

    /// Return the number of states, and the bytes that they take in memory and in a file.
    pub(super) fn size(&self, form: Form) -> (u64, u64) {
        match self {
            Self::Memory(words) => ((words.len() / form.words) as u64, words.n_bytes() as u64),
            Self::File(file) => (file.n_states(), file.n_bytes()),
        }
    }

    pub(super) fn contains(&self, state: &[u64]) -> Result<bool, OnDiskError> {
        match self {
            Self::Memory(words) => {
                let (mut low, mut high) = (0, words.len() / state.len());
                while low < high {
                    let middle = low + (high - low) / 2;
                    match words.state(middle * state.len(), state.len()).cmp(state) {
                        std::cmp::Ordering::Equal => return Ok(true),
                        std::cmp::Ordering::Less => low = middle + 1,
                        std::cmp::Ordering::Greater => high = middle,
                    }
                }
                Ok(false)
            }
            Self::File(file) => file.contains(state),
        }
    }

    /// Read the states from the first on.
    pub(super) fn feed(&self, disk: &'d Disk) -> Result<Feed<'d>, OnDiskError> {
        let source = match self {
            Self::Memory(words) => Source::Memory(Arc::clone(words), Place::default()),
            Self::File(file) => Source::File(Reader::open(file, &disk.room)?),
        };
        Ok(Feed {
            state: vec![0; disk.form().words],
            source,
        })
    }
}

#[derive(Debug)]
enum Source<'d> {
    Memory(Arc<Words<'d>>, Place),
    File(Reader<'d>),
}

/// Reads a set.
#[derive(Debug)]
pub(super) struct Feed<'d> {
    /// The state that was read last.
    state: Vec<u64>,
    source: Source<'d>,
}

impl Feed<'_> {
    /// Return the state that was read last.
    pub(super) fn state(&self) -> &[u64] {
        &self.state
    }

    /// Read the next state. Return whether there is one.
    #[inline]
    pub(super) fn advance(&mut self) -> Result<bool, OnDiskError> {
        match &mut self.source {
            Source::Memory(words, at) => {
                let Some(state) = words.next(at, self.state.len()) else {
                    return Ok(false);
                };
                self.state.copy_from_slice(state);
                Ok(true)
            }
            Source::File(reader) => reader.next(&mut self.state),
        }
    }
}

/// Makes a set of ascending states, which goes to a file when the memory is full.
#[derive(Debug)]
pub(super) struct SetWriter<'d> {
    disk: &'d Disk,
    words: Words<'d>,
    file: Option<Writer<'d>>,
}

impl<'d> SetWriter<'d> {
    pub(super) fn new(disk: &'d Disk) -> Self {
        Self {
            disk,
            words: Words::new(&disk.room),
            file: None,
        }
    }

    /// Add a state, greater than the one before.
    pub(super) fn push(&mut self, state: &[u64]) -> Result<(), Halt> {
        if let Some(file) = &mut self.file {
            return file.push(state);
        }
        self.words.extend(state)?;
        let room = &self.disk.room;
        let is_large = 2 * self.words.n_bytes() > room.shares.list;
        if is_large || self.words.n_bytes() >= room.shares.buffer && room.is_full() {
            self.file = Some(self.disk.begin(&self.words)?);
            self.words = Words::new(room);
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Set<'d>, Halt> {
        self.words.shrink();
        match self.file {
            Some(file) => Ok(Set::File(Arc::new(file.finish()?))),
            None => Ok(Set::Memory(Arc::new(self.words))),
        }
    }
}
