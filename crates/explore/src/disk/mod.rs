//! States in sorted files: delayed duplicate detection (Korf 2004, "Best-First Frontier Search with
//! Delayed Duplicate Detection").
//!
//! A layer is split into parts by the hashes of its states. To expand it, its files are read one
//! after another; generated states wait in memory for their part, are sorted there, and are written
//! as a run when the memory is used up. Then each part's runs are merged, and states of earlier
//! layers are left out.

mod checkpoint;
pub(crate) mod merge;
mod parts;
pub(crate) mod saved;
pub(crate) mod sorted_file;
pub(crate) mod states;

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use search::Direction;

use crate::disk::checkpoint::{Checkpoint, Identity, layer_file, remove_files};
use crate::disk::merge::Difference;
use crate::disk::parts::{PARTS, Parts};
use crate::disk::sorted_file::{Content, Reader, Writer, file_error};
use crate::disk::states::keep_first;
use crate::expansion::Expansion;
use crate::report::ExploreError;
use crate::symmetric::Images;
use crate::threads;

/// The memory of an exploration without a limit.
const DEFAULT_MEMORY: usize = 1 << 30;

/// The minimum time between two checkpoints: waiting for the disk after each small layer would take
/// longer than making the layer again.
const BETWEEN_CHECKPOINTS: Duration = Duration::from_secs(5);

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
    read: AtomicU64,
    written: AtomicU64,
    /// Held while a process works in the folder.
    _lock: File,
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
    let mut folder = Folder::open(path, identity)?;
    let resumed_from = (folder.checkpoint.layers.len() as u64).checked_sub(1);
    if resumed_from.is_some() {
        for (states, stored) in folder.checkpoint.counts() {
            if !expansion.is_deep_enough() {
                expansion.complete(states, stored);
            }
        }
    } else {
        let parts = Parts::new(path, width, expansion, share(expansion));
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
        let parts = Parts::new(path, width, expansion, share(expansion));
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
    Ok(Found {
        is_whole: folder.checkpoint.is_whole && is_last,
        farthest,
        read: folder.read.into_inner(),
        written: folder.written.into_inner(),
        resumed_from,
    })
}

/// Return the bytes for waiting states.
fn share(expansion: &Expansion<'_>) -> usize {
    let memory = expansion.options.budget.limits().memory;
    memory.unwrap_or(DEFAULT_MEMORY) / 2
}

impl<'f> Folder<'f> {
    fn open(path: &'f Path, identity: Identity) -> Result<Self, ExploreError> {
        std::fs::create_dir_all(path).map_err(file_error(path))?;
        let lock_path = path.join("lock");
        let lock = File::create(&lock_path).map_err(file_error(&lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(ExploreError::InUse(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(file_error(&lock_path)(error)),
        }
        let checkpoint = match Checkpoint::load(path, &identity)? {
            Some(checkpoint) => checkpoint,
            None => Checkpoint::new(identity),
        };
        let folder = Self {
            path,
            checkpoint,
            saved: Vec::new(),
            saved_at: Instant::now(),
            read: AtomicU64::new(0),
            written: AtomicU64::new(0),
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

    fn open_part(
        &self,
        distance: u64,
        part: usize,
        content: Content,
    ) -> Result<Reader, ExploreError> {
        self.read
            .fetch_add(content.bytes(self.width()), Ordering::Relaxed);
        let path = layer_file(self.path, distance, part);
        Reader::open(&path, self.width(), content)
    }

    /// Expand the last layer.
    fn expand(&self, expansion: &Expansion<'_>, parts: &Parts<'_>) -> Result<(), ExploreError> {
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
        let failure = Mutex::new(Ok(()));
        threads::on_each(&|| {
            if let Err(error) = expand() {
                *failure.lock().unwrap_or_else(PoisonError::into_inner) = Err(error);
            }
        });
        failure.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Make a layer of the states that wait in parts, without those of the layers before.
    fn complete_layer(
        &mut self,
        expansion: &mut Expansion<'_>,
        parts: Parts<'_>,
    ) -> Result<(), ExploreError> {
        let (distance, width) = (self.checkpoint.layers.len() as u64, self.width());
        let files = &self.checkpoint.files;
        let written = &self.written;
        let runs = parts.finish(expansion)?;
        let (images, expansion_of) = (AtomicU64::new(0), &*expansion);
        let contents = threads::map(runs, |part, run| -> Result<Content, ExploreError> {
            written.fetch_add(run.written, Ordering::Relaxed);
            self.read.fetch_add(run.written, Ordering::Relaxed);
            let known = files
                .iter()
                .map(|(distance, contents)| self.open_part(*distance, part, contents[part]));
            let known = known.collect::<Result<_, _>>()?;
            let mut new = Difference::new(width, run.sources, known)?;
            let mut file = Writer::new(&layer_file(self.path, distance, part), width);
            let mut representative = expansion_of.representative();
            let n_words = expansion_of.states.n_words();
            let (mut states, mut n_images) = (Vec::new(), 0);
            while new.next(&mut states)? {
                file.write(&states)?;
                for state in states.chunks_exact(width) {
                    n_images += representative.n_images(&state[..n_words]);
                }
            }
            images.fetch_add(n_images, Ordering::Relaxed);
            let content = file.finish()?;
            written.fetch_add(content.bytes(self.width()), Ordering::Relaxed);
            Ok(content)
        });
        let contents = contents.into_iter().collect::<Result<Vec<Content>, _>>()?;
        let stored: u64 = contents.iter().map(|content| content.states).sum();
        let states = images.into_inner();
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

    /// Make sure that the complete layers are on the disk, and record them in the checkpoint.
    fn save(&mut self) -> Result<(), ExploreError> {
        for (distance, contents) in &self.checkpoint.files {
            for (part, content) in contents.iter().enumerate() {
                if content.states == 0 {
                    continue;
                }
                let path = layer_file(self.path, *distance, part);
                let file = File::open(&path).map_err(file_error(&path))?;
                file.sync_all().map_err(file_error(&path))?;
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
    fn remove_the_rest(&self) -> Result<(), ExploreError> {
        let needed = self.distances().chain(self.saved.iter().copied());
        let needed: Vec<String> = needed
            .map(|distance| format!("layer-{distance:06}-"))
            .collect();
        remove_files(self.path, |name| {
            needed.iter().any(|needed| name.starts_with(needed))
        })
    }

    /// Return the first states of the last layer, in the order of their words.
    fn first_of_layer(&self, most: usize) -> Result<Vec<u64>, ExploreError> {
        let (width, mut words) = (self.width(), Vec::new());
        if let Some((distance, contents)) = self.checkpoint.files.last().filter(|_| most > 0) {
            for (part, content) in contents.iter().enumerate() {
                let path = layer_file(self.path, *distance, part);
                words.extend(Reader::open(&path, width, *content)?.first(most)?);
            }
        }
        keep_first(&mut words, width, most);
        Ok(words)
    }
}
