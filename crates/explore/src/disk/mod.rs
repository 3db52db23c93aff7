//! States in sorted files: delayed duplicate detection (Korf 2004, "Best-First Frontier Search with
//! Delayed Duplicate Detection").
//!
//! A layer is split into parts. To expand it, its files are read one after another; generated
//! states wait in memory for their part, are sorted there, and become runs: in memory, as files
//! are, while there is room, and on the disk when the memory is used up. Then each part's runs are
//! merged, and states of earlier layers are left out.
//!
//! Where all states have a rank, files hold these: their differences are shorter.

mod checkpoint;
mod parts;

use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use psvn_ir::Game;
use rayon::prelude::*;
use search::Direction;
use sorted_states::{Ascending, Content, FileError, Files, FolderLock, Merge, Reader};

use crate::codes::{Codes, LeastStates};
use crate::disk::checkpoint::{Checkpoint, Identity, layer_file, remove_files};
use crate::disk::parts::{PARTS, Parts, Shares};
use crate::expansion::Expansion;
use crate::origin::Origin;
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
pub(crate) fn width_for(n_words: usize) -> Result<usize, ExploreError> {
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
    /// The ranking of the states in the files, if they are ranked.
    pub(crate) ranking: Option<String>,
}

/// The layers in a folder.
struct Folder<'f> {
    path: &'f Path,
    codes: &'f Codes,
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
    (game, origin): (&Game, &Origin),
    roots: &[Vec<u64>],
    path: &Path,
) -> Result<Found, ExploreError> {
    let codes = Codes::new(game, origin, expansion.states, roots)?;
    let identity = Identity {
        game: game.content_hash().to_string(),
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
        codes: codes.identity(expansion.states),
        words: codes.form().words(),
        parts: PARTS,
        forgets: expansion.forgets,
        symmetries: expansion.images.map_or(1, Images::n_symmetries),
    };
    let mut folder = Folder::open(path, identity, &codes, shares(expansion))?;
    let resumed_from = (folder.checkpoint.layers.len() as u64).checked_sub(1);
    if resumed_from.is_some() {
        for (states, stored) in folder.checkpoint.counts() {
            if !expansion.is_deep_enough() {
                expansion.complete(states, stored);
            }
        }
    } else {
        let parts = Parts::new(&folder.files, expansion, shares(expansion));
        let mut representative = expansion.representative();
        let mut outbox = parts.outbox(&codes, expansion);
        for root in roots {
            outbox.push(representative.of(root))?;
        }
        outbox.flush()?;
        drop(outbox);
        folder.complete_layer(expansion, parts)?;
    }
    while !folder.checkpoint.is_whole && !expansion.is_deep_enough() {
        let parts = Parts::new(&folder.files, expansion, shares(expansion));
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
        folder.least_of_layer(expansion)?
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
        ranking: codes.ranking(),
    })
}

fn shares(expansion: &Expansion<'_>) -> Shares {
    let memory = expansion.options.budget.limits().memory;
    Shares::of(memory.unwrap_or(DEFAULT_MEMORY))
}

impl<'f> Folder<'f> {
    /// Open a folder.
    fn open(
        path: &'f Path,
        identity: Identity,
        codes: &'f Codes,
        shares: Shares,
    ) -> Result<Self, ExploreError> {
        let lock = FolderLock::take(path)?;
        let memory = shares.runs as u64;
        let checkpoint = match Checkpoint::load(path, &identity)? {
            Some(checkpoint) => checkpoint,
            None => Checkpoint::new(identity),
        };
        let folder = Self {
            path,
            codes,
            checkpoint,
            saved: Vec::new(),
            saved_at: Instant::now(),
            files: Files::with_memory(path, codes.form(), BUFFER, memory),
            _lock: lock,
        };
        // Remove the unfinished layer of an earlier call.
        folder.remove_the_rest()?;
        Ok(Self {
            saved: folder.distances().collect(),
            ..folder
        })
    }

    fn open_part(&self, distance: u64, part: usize, content: Content) -> Result<Reader, FileError> {
        let path = layer_file(self.path, distance, part);
        self.files.open(&path, content)
    }

    /// Expand the last layer.
    fn expand(&self, expansion: &Expansion<'_>, parts: &Parts) -> Result<(), FileError> {
        let (distance, contents) = self.checkpoint.files.last().expect("a layer is complete");
        let turn = AtomicUsize::new(0);
        let width = self.codes.form().words();
        let expand = || {
            let mut moves = expansion.states.moves(expansion.direction);
            let mut outbox = parts.outbox(self.codes, expansion);
            let mut decoder = self.codes.coder(expansion.states);
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
                    for code in chunk.chunks_exact(width) {
                        moves.each(decoder.state(code), |_, child| {
                            generated += 1;
                            if result.is_ok() {
                                result = outbox.push(representative.of(child));
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
        mut parts: Parts,
    ) -> Result<(), FileError> {
        let distance = self.checkpoint.layers.len() as u64;
        let waiting = parts.finish().into_par_iter().enumerate();
        let new = waiting.map(|(number, part)| {
            let sources = parts.sources(part)?;
            self.write_part(expansion, distance, number, sources)
        });
        let new = new.collect::<Result<Vec<(Content, u64)>, _>>()?;
        parts.release(expansion);
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
        let mut decoder = self.codes.coder(expansion.states);
        let mut n_images = 0;
        while generated.advance()? {
            let code = generated.state();
            if !known.skip_to(code)? {
                file.push(code)?;
                n_images += match expansion.images {
                    Some(_) => representative.n_images(decoder.state(code)),
                    None => 1,
                };
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

    /// Return the words of the least states of the last layer.
    fn least_of_layer(&self, expansion: &Expansion<'_>) -> Result<Vec<u64>, FileError> {
        let most = expansion.options.farthest;
        let mut least = LeastStates::new(self.codes, expansion.states, most);
        if let Some((distance, contents)) = self.checkpoint.files.last() {
            for (part, content) in contents.iter().enumerate() {
                least.add(self.open_part(*distance, part, *content)?)?;
            }
        }
        Ok(least.words())
    }
}
