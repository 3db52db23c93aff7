//! The states that one worker owns: its stages, as sorted files in a folder.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use explore::ExploreError;
use explore::files::{Content, Difference, Reader, Writer, file_error};

use crate::error::ClusterError;
use crate::identity::Identity;
use crate::work::candidates::Candidates;
use crate::work::checkpoint::Checkpoint;

/// The maximum number of files of known states that are open at once.
const MOST_OPEN: usize = 64;

/// The states that one worker owns.
pub(crate) struct Share {
    folder: PathBuf,
    pub(crate) checkpoint: Checkpoint,
    pub(crate) read: u64,
    pub(crate) written: u64,
    /// Whether the files of layers that are no longer needed are kept.
    keeps: bool,
    /// Held while a process works in the folder.
    _lock: File,
}

impl Share {
    /// Return the number of words of a state.
    fn width(&self) -> usize {
        self.checkpoint.identity.words
    }

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
    pub(crate) fn candidates(&self, bytes: usize) -> Candidates {
        Candidates::new(&self.folder, self.width(), bytes)
    }

    /// Forget all but the first stages.
    pub(crate) fn cut(&mut self, stages: usize) -> Result<(), ExploreError> {
        if self.checkpoint.layers.len() > stages {
            self.checkpoint.layers.truncate(stages);
            self.checkpoint.files.retain(|it| it.0 < stages as u64);
            self.checkpoint.save(&self.folder)?;
        }
        self.remove_the_rest()
    }

    /// Return the states of a stage whose file is kept.
    pub(crate) fn stage(&mut self, stage: usize) -> Result<Reader, ExploreError> {
        let file = self.file(stage as u64);
        let (path, content) = file.unwrap_or_default();
        self.read += content.bytes(self.width());
        Reader::open(&path, self.width(), content)
    }

    /// Return the file of a stage, if it is kept.
    fn file(&self, stage: u64) -> Option<(PathBuf, Content)> {
        let files = &self.checkpoint.files;
        let at = files.binary_search_by_key(&stage, |it| it.0).ok()?;
        Some((self.stage_file(stage), files[at].1))
    }

    /// Make a stage from candidates, without the states of the stages from `first` on, and save it.
    /// Files of earlier stages are removed unless all are kept.
    ///
    /// All workers have saved the stage before; whether they save this one isn't known. So the
    /// files stay from which this one can be made again.
    pub(crate) fn complete(
        &mut self,
        candidates: Candidates,
        first: usize,
        look: &dyn Fn() -> Result<(), ClusterError>,
    ) -> Result<(), ClusterError> {
        let stage = self.checkpoint.layers.len() as u64;
        self.written += candidates.written;
        self.read += candidates.written;
        let mut candidates = candidates.finish()?;
        let known = self.checkpoint.files.iter();
        let known = known.filter(|(stage, content)| *stage >= first as u64 && content.states > 0);
        let known: Vec<(u64, Content)> = known.copied().collect();
        let path = self.stage_file(stage);
        let (left, last) = known.split_at(known.len().saturating_sub(1) / MOST_OPEN * MOST_OPEN);
        for (number, known) in left.chunks(MOST_OPEN).enumerate() {
            let path = self.folder.join(format!("left-{number:06}.states"));
            let content = self.leave_out(candidates, known, &path, look)?;
            self.read += content.bytes(self.width());
            candidates = vec![Reader::open(&path, self.width(), content)?];
        }
        let content = self.leave_out(candidates, last, &path, look)?;
        // A stage without states has a file, too.
        let file = match content.states {
            0 => File::create(&path),
            _ => File::open(&path),
        };
        let file = file.map_err(file_error(&path))?;
        file.sync_all().map_err(file_error(&path))?;
        self.checkpoint.layers.push(content.states);
        if !self.keeps {
            self.checkpoint.files.retain(|it| it.0 >= first as u64);
        }
        self.checkpoint.files.push((stage, content));
        self.checkpoint.save(&self.folder)?;
        self.remove_the_rest()?;
        Ok(())
    }

    /// Write the candidates that some stages don't have to a file.
    fn leave_out(
        &mut self,
        candidates: Vec<Reader>,
        known: &[(u64, Content)],
        path: &Path,
        look: &dyn Fn() -> Result<(), ClusterError>,
    ) -> Result<Content, ClusterError> {
        let width = self.width();
        let sources = known.iter().map(|(stage, content)| {
            self.read += content.bytes(width);
            Reader::open(&self.stage_file(*stage), width, *content)
        });
        let known = sources.collect::<Result<_, _>>()?;
        let mut new = Difference::new(width, candidates, known)?;
        let mut file = Writer::new(path, width);
        let mut states = Vec::new();
        while new.next(&mut states)? {
            file.write(&states)?;
            look()?;
        }
        let content = file.finish()?;
        self.written += content.bytes(self.width());
        Ok(content)
    }

    /// Remove files of states that the checkpoint doesn't list.
    fn remove_the_rest(&self) -> Result<(), ExploreError> {
        let folder = &self.folder;
        for entry in std::fs::read_dir(folder).map_err(file_error(folder))? {
            let path = entry.map_err(file_error(folder))?.path();
            let is_needed = self
                .checkpoint
                .files
                .iter()
                .any(|it| self.stage_file(it.0) == path);
            if path.extension().is_some_and(|it| it == "states") && !is_needed {
                std::fs::remove_file(&path).map_err(file_error(&path))?;
            }
        }
        Ok(())
    }

    /// Return the words of the first states of a stage.
    pub(crate) fn first(&self, stage: usize, most: usize) -> Result<Vec<u64>, ExploreError> {
        match self.file(stage as u64).filter(|_| most > 0) {
            Some((path, content)) => Reader::open(&path, self.width(), content)?.first(most),
            None => Ok(Vec::new()),
        }
    }

    fn stage_file(&self, stage: u64) -> PathBuf {
        self.folder.join(format!("layer-{stage:06}.states"))
    }
}
