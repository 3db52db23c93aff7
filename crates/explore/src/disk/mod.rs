//! States in sorted files: delayed duplicate detection (Korf 2004, "Best-First Frontier Search with
//! Delayed Duplicate Detection").
//!
//! A layer is split into parts by the hashes of its states. To expand it, its files are read one
//! after another; generated states wait in memory for their part, are sorted there, and are written
//! as a run when the memory is used up. Then each part's runs are merged, and states of earlier
//! layers are left out.

mod checkpoint;
mod parts;

use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use search::Direction;
use sorted_states::{Ascending, Content, FileError, Files, FolderLock, Form, Merge, Reader, sort};

use crate::disk::checkpoint::{Checkpoint, Identity, layer_file, remove_files};
use crate::disk::parts::{PARTS, Parts};
use crate::expansion::Expansion;
use crate::report::{ExploreError, MOST_WORDS};
use crate::symmetric::Images;

/// The memory of an exploration without a limit.
const DEFAULT_MEMORY: usize = 1 << 30;

/// The minimum time between two checkpoints: waiting for the disk after each small layer would take
/// longer than making the layer again.
const BETWEEN_CHECKPOINTS: Duration = Duration::from_secs(5);

/// The bytes of the buffer of a file that is read or written.
const BUFFER: usize = 1 << 16;

/// Return the number of words in which files keep states of `n_words` words.
///
/// # Errors
/// If they are too wide.
pub fn width_for(n_words: usize) -> Result<usize, ExploreError> {
    match n_words {
        0..=4 => Ok(n_words.max(1)),
        5..=8 => Ok(8),
        9..=MOST_WORDS => Ok(MOST_WORDS),
        _ => Err(ExploreError::TooWide(n_words * 64)),
    }
}

/// The results of an exploration on a disk besides its layers.
pub(crate) struct Found {
    pub(crate) is_whole: bool,
    /// The words of the farthest states.
    pub(crate) farthest: Vec<u64>,
    pub(crate) read: u64,
    pub(crate) written: u64,
    pub(crate) resumed_from: Option<u64>,
}

/// The layers in a folder.
struct Folder<'f> {
    path: &'f Path,
    /// The layers that are complete.
    checkpoint: Checkpoint,
    /// The distances of the layers that the checkpoint on the disk needs, and the time of its
    /// writing.
    saved: Vec<u64>,
    saved_at: Instant,
    files: Files,
    /// Held while a process works in the folder.
    _lock: FolderLock,
}

/// Find all layers, or continue after those that the folder has.
pub(crate) fn explore(
    expansion: &mut Expansion<'_>,
    width: usize,
    game: String,
    roots: &[Vec<u64>],
    path: &Path,
) -> Result<Found, ExploreError> {
    let identity = Identity {
        game,
        direction: match expansion.direction {
            Direction::Forward => "forward".to_owned(),
            Direction::Backward => "backward".to_owned(),
        },
        roots: format!(
            "{:016x}",
            roots.iter().fold(0_u64, |sum, root| {
                sum.rotate_left(1) ^ expansion.states.hash(root)
            })
        ),
        words: width,
        parts: PARTS,
        forgets: expansion.forgets,
        symmetries: expansion.images.map_or(1, Images::n_symmetries),
    };
    let mut folder = Folder::open(path, identity, expansion.states.n_bytes())?;
    let resumed_from = (folder.checkpoint.layers.len() as u64).checked_sub(1);
    if resumed_from.is_some() {
        for (states, stored) in folder.checkpoint.counts() {
            if !expansion.is_deep_enough() {
                expansion.complete(states, stored);
            }
        }
    } else {
        let parts = Parts::new(&folder.files, expansion, share(expansion));
        let mut representative = expansion.representative();
        let mut outbox = parts.outbox();
        for root in roots {
            outbox.push(expansion, representative.of(root))?;
        }
        outbox.flush()?;
        drop(outbox);
        folder.complete_layer(expansion, parts)?;
    }
    while !folder.checkpoint.is_whole && !expansion.is_deep_enough() {
        let parts = Parts::new(&folder.files, expansion, share(expansion));
        folder.expand(expansion, &parts)?;
        if expansion.is_stopped() {
            break;
        }
        folder.complete_layer(expansion, parts)?;
    }
    folder.save()?;
    // An earlier call may have made more layers than this one needs.
    let is_last = folder.checkpoint.layers.len() == expansion.layers.len();
    let farthest = if is_last {
        folder.first_of_layer(expansion.options.farthest)?
    } else {
        Vec::new()
    };
    let usage = folder.files.usage();
    Ok(Found {
        is_whole: folder.checkpoint.is_whole && is_last,
        farthest,
        read: usage.read,
        written: usage.written,
        resumed_from,
    })
}

/// Return the bytes for waiting states.
fn share(expansion: &Expansion<'_>) -> usize {
    let memory = expansion.options.budget.limits().memory;
    memory.unwrap_or(DEFAULT_MEMORY) / 2
}

impl<'f> Folder<'f> {
    /// Open a folder for states of which `n_bytes` bytes may differ from zero.
    fn open(path: &'f Path, identity: Identity, n_bytes: usize) -> Result<Self, ExploreError> {
        let lock = FolderLock::take(path)?;
        let form = Form::new(identity.words, n_bytes);
        let checkpoint = match Checkpoint::load(path, &identity)? {
            Some(checkpoint) => checkpoint,
            None => Checkpoint::new(identity),
        };
        let folder = Self {
            path,
            checkpoint,
            saved: Vec::new(),
            saved_at: Instant::now(),
            files: Files::new(path, form, BUFFER),
            _lock: lock,
        };
        // Remove the unfinished layer of an earlier call.
        folder.remove_the_rest()?;
        Ok(Self {
            saved: folder.distances().collect(),
            ..folder
        })
    }

    /// Return the number of words of a state.
    fn width(&self) -> usize {
        self.checkpoint.identity.words
    }

    fn open_part(&self, distance: u64, part: usize, content: Content) -> Result<Reader, FileError> {
        let path = layer_file(self.path, distance, part);
        self.files.open(&path, content)
    }

    /// Expand the last layer.
    fn expand(&self, expansion: &Expansion<'_>, parts: &Parts) -> Result<(), FileError> {
        let (distance, contents) = self.checkpoint.files.last().expect("a layer is complete");
        let turn = AtomicUsize::new(0);
        let (width, n_words) = (self.width(), expansion.states.n_words());
        let expand = || {
            let mut moves = expansion.states.moves(expansion.direction);
            let mut outbox = parts.outbox();
            let mut representative = expansion.representative();
            loop {
                let part = turn.fetch_add(1, Ordering::Relaxed);
                let Some(content) = contents.get(part) else {
                    return outbox.flush();
                };
                let mut file = self.open_part(*distance, part, *content)?;
                loop {
                    let chunk = file.chunk()?;
                    if chunk.is_empty() {
                        break;
                    }
                    let (mut generated, mut result) = (0, Ok(()));
                    for state in chunk.chunks_exact(width) {
                        moves.each(&state[..n_words], |_, child| {
                            generated += 1;
                            if result.is_ok() {
                                result = outbox.push(expansion, representative.of(child));
                            }
                        });
                    }
                    result?;
                    let expanded = (chunk.len() / width) as u64;
                    if !expansion.goes_on(expanded, generated) {
                        return Ok(());
                    }
                }
            }
        };
        rayon::broadcast(|_| expand()).into_iter().collect()
    }

    /// Make a layer of the states that wait in parts, without those of the layers before.
    fn complete_layer(
        &mut self,
        expansion: &mut Expansion<'_>,
        parts: Parts,
    ) -> Result<(), FileError> {
        let distance = self.checkpoint.layers.len() as u64;
        let new = parts.finish(expansion)?.into_par_iter().enumerate();
        let new = new.map(|(part, sources)| self.write_part(expansion, distance, part, sources));
        let new = new.collect::<Result<Vec<(Content, u64)>, _>>()?;
        let (contents, images): (Vec<Content>, Vec<u64>) = new.into_iter().unzip();
        let stored: u64 = contents.iter().map(|content| content.states).sum();
        let states: u64 = images.iter().sum();
        if stored == 0 {
            self.checkpoint.is_whole = true;
        } else {
            self.checkpoint.layers.push(stored);
            if let Some(images) = &mut self.checkpoint.images {
                images.push(states);
            }
            self.checkpoint.files.push((distance, contents));
            if expansion.forgets && self.checkpoint.files.len() > 2 {
                self.checkpoint.files.remove(0);
            }
        }
        if self.saved_at.elapsed() >= BETWEEN_CHECKPOINTS {
            self.save()?;
        } else {
            self.remove_the_rest()?;
        }
        if stored > 0 {
            expansion.complete(states, stored);
        }
        Ok(())
    }

    /// Write the states of a part of a layer that no layer before has. Return also the number of
    /// states that those represent.
    fn write_part(
        &self,
        expansion: &Expansion<'_>,
        distance: u64,
        part: usize,
        sources: Vec<Reader>,
    ) -> Result<(Content, u64), FileError> {
        let files = self.checkpoint.files.iter();
        let known =
            files.map(|(distance, contents)| self.open_part(*distance, part, contents[part]));
        let mut known = Merge::new(known.collect::<Result<_, _>>()?)?;
        let mut generated = Merge::new(sources)?;
        let mut file = self.files.create(&layer_file(self.path, distance, part));
        let mut representative = expansion.representative();
        let n_words = expansion.states.n_words();
        let mut n_images = 0;
        while generated.advance()? {
            let state = generated.state();
            if !known.skip_to(state)? {
                file.push(state)?;
                n_images += representative.n_images(&state[..n_words]);
            }
        }
        Ok((file.finish()?.content(), n_images))
    }

    /// Make sure that the complete layers are on the disk, and record them in the checkpoint.
    fn save(&mut self) -> Result<(), FileError> {
        for (distance, contents) in &self.checkpoint.files {
            for (part, content) in contents.iter().enumerate() {
                if content.states == 0 {
                    continue;
                }
                let path = layer_file(self.path, *distance, part);
                let file = File::open(&path).map_err(FileError::io(&path))?;
                file.sync_all().map_err(FileError::io(&path))?;
            }
        }
        self.checkpoint.save(self.path)?;
        self.saved = self.distances().collect();
        self.saved_at = Instant::now();
        self.remove_the_rest()
    }

    fn distances(&self) -> impl Iterator<Item = u64> + '_ {
        self.checkpoint.files.iter().map(|(distance, _)| *distance)
    }

    /// Remove the files that neither this exploration nor the checkpoint on the disk needs.
    fn remove_the_rest(&self) -> Result<(), FileError> {
        let needed = self.distances().chain(self.saved.iter().copied());
        let needed: Vec<String> = needed
            .map(|distance| format!("layer-{distance:06}-"))
            .collect();
        remove_files(self.path, |name| {
            needed.iter().any(|needed| name.starts_with(needed))
        })
    }

    /// Return the first states of the last layer, in the order of their words.
    fn first_of_layer(&self, most: usize) -> Result<Vec<u64>, FileError> {
        let (width, mut words) = (self.width(), Vec::new());
        if let Some((distance, contents)) = self.checkpoint.files.last().filter(|_| most > 0) {
            for (part, content) in contents.iter().enumerate() {
                words.extend(self.open_part(*distance, part, *content)?.first(most)?);
            }
        }
        let kept = sort(&mut words, width);
        words.truncate(kept.min(most.saturating_mul(width)));
        Ok(words)
    }
}
