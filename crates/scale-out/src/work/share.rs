//! The states that one worker owns: its layers, as sorted files in a folder.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use explore::ExploreError;
use explore::files::{Content, Merge, Reader, Source, Writer, file_error};

use crate::identity::Identity;
use crate::work::candidates::Candidates;
use crate::work::checkpoint::Checkpoint;

/// The number of states between two checks whether to go on.
const BETWEEN_LOOKS: u64 = 1 << 16;

/// The states that one worker owns.
pub(crate) struct Share<const W: usize> {
    folder: PathBuf,
    pub(crate) checkpoint: Checkpoint,
    pub(crate) read: u64,
    pub(crate) written: u64,
    /// Whether the files of layers that are no longer needed are kept.
    keeps: bool,
    /// Held while a process works in the folder.
    _lock: File,
}

impl<const W: usize> Share<W> {
    /// Open the folder of a worker, which is made if it is missing.
    pub(crate) fn open(
        folder: &Path,
        identity: &Identity,
        worker: usize,
        keeps: bool,
    ) -> Result<Self, ExploreError> {
        let folder = folder.join(format!("share-{worker:04}"));
        std::fs::create_dir_all(&folder).map_err(file_error(&folder))?;
        let lock_path = folder.join("lock");
        let lock = File::create(&lock_path).map_err(file_error(&lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(ExploreError::InUse(folder)),
            Err(TryLockError::Error(error)) => return Err(file_error(&lock_path)(error)),
        }
        let checkpoint = Checkpoint::load(&folder, identity.clone(), worker)?;
        Ok(Self {
            folder,
            checkpoint,
            read: 0,
            written: 0,
            keeps,
            _lock: lock,
        })
    }

    /// Make an empty set of candidates.
    pub(crate) fn candidates(&self, bytes: usize) -> Candidates<W> {
        Candidates::new(&self.folder, bytes)
    }

    /// Drop all but the first layers.
    pub(crate) fn cut(&mut self, layers: usize) -> Result<(), ExploreError> {
        if self.checkpoint.layers.len() > layers {
            self.checkpoint.layers.truncate(layers);
            self.checkpoint.files.retain(|it| it.0 < layers as u64);
            self.checkpoint.save(&self.folder)?;
        }
        self.remove_the_rest()
    }

    /// Return the states of the last layer.
    pub(crate) fn last_layer(&mut self) -> Result<Reader<W>, ExploreError> {
        match self.checkpoint.files.last() {
            Some((distance, content)) => {
                self.read += content.states * 8 * W as u64;
                Reader::open(&self.layer_file(*distance), *content)
            }
            None => Reader::open(&self.folder, Content::default()),
        }
    }

    /// Return the states of a layer whose file is kept.
    pub(crate) fn layer(
        &mut self,
        distance: u64,
        content: Content,
    ) -> Result<Reader<W>, ExploreError> {
        self.read += content.states * 8 * W as u64;
        Reader::open(&self.layer_file(distance), content)
    }

    /// Make a layer of the candidates, without the states of the layers before, and save it.
    ///
    /// All workers have saved the layer before; whether they save this one isn't known. So if old
    /// layers can be forgotten, three are kept: this one can be remade from them.
    pub(crate) fn complete<E: From<ExploreError>>(
        &mut self,
        candidates: Candidates<W>,
        mut look: impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let distance = self.checkpoint.layers.len() as u64;
        self.written += candidates.written;
        self.read += candidates.written;
        let mut candidates = candidates.finish()?;
        let forgets = self.checkpoint.identity.forgets;
        let old = match forgets {
            true => self.checkpoint.files.len().saturating_sub(2),
            false => 0,
        };
        let mut known = Vec::new();
        for (distance, content) in &self.checkpoint.files[old..] {
            self.read += content.states * 8 * W as u64;
            known.push(Source::File(Reader::open(
                &self.layer_file(*distance),
                *content,
            )?));
        }
        let mut known = Merge::new(known)?;
        let path = self.layer_file(distance);
        let mut file = Writer::create(&path)?;
        let mut count = 0_u64;
        while let Some(state) = candidates.next()? {
            if !known.skip_to(&state)? {
                file.push::<W>(&state)?;
            }
            count += 1;
            if count.is_multiple_of(BETWEEN_LOOKS) {
                look()?;
            }
        }
        drop((candidates, known));
        let content = file.finish()?;
        self.written += content.states * 8 * W as u64;
        let file = File::open(&path).map_err(file_error(&path))?;
        file.sync_all().map_err(file_error(&path))?;
        self.checkpoint.layers.push(content.states);
        if !self.keeps {
            self.checkpoint.files.drain(..old);
        }
        self.checkpoint.files.push((distance, content));
        self.checkpoint.save(&self.folder)?;
        self.remove_the_rest()?;
        Ok(())
    }

    /// Remove files of states that the checkpoint doesn't name.
    fn remove_the_rest(&self) -> Result<(), ExploreError> {
        let folder = &self.folder;
        for entry in std::fs::read_dir(folder).map_err(file_error(folder))? {
            let path = entry.map_err(file_error(folder))?.path();
            let is_needed = self
                .checkpoint
                .files
                .iter()
                .any(|it| self.layer_file(it.0) == path);
            if path.extension().is_some_and(|it| it == "states") && !is_needed {
                std::fs::remove_file(&path).map_err(file_error(&path))?;
            }
        }
        Ok(())
    }

    /// Return the first states of the layer at a distance.
    pub(crate) fn first(&self, distance: u64, most: usize) -> Result<Vec<[u64; W]>, ExploreError> {
        let mut first = Vec::new();
        let layer = self.checkpoint.files.iter().find(|it| it.0 == distance);
        if let Some((_, content)) = layer.filter(|_| most > 0) {
            let mut file = Reader::open(&self.layer_file(distance), *content)?;
            while first.len() < most
                && let Some(state) = file.next()?
            {
                first.push(state);
            }
        }
        Ok(first)
    }

    fn layer_file(&self, distance: u64) -> PathBuf {
        self.folder.join(format!("layer-{distance:06}.states"))
    }
}
