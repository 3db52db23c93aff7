//! The states that one worker owns: its stages, as sorted files in a folder.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use explore::ExploreError;
use sorted_states::{
    Ascending, Content, FileError, Files, FolderLock, Form, Merge, Reader, SortedFile, Usage,
    Writer,
};

use crate::error::ClusterError;
use crate::identity::Identity;
use crate::work::candidates::Candidates;
use crate::work::checkpoint::Checkpoint;

/// The maximum number of files of known states that are open at once.
const MOST_OPEN: usize = 64;
/// The bytes of the buffer of a file that is read or written.
const BUFFER: usize = 1 << 16;
/// The number of candidates between two checks whether to stop.
const BETWEEN_LOOKS: u64 = 1 << 10;

/// The states that one worker owns.
pub(crate) struct Share {
    folder: PathBuf,
    files: Files,
    pub(crate) checkpoint: Checkpoint,
    /// Whether the files of layers that are no longer needed are kept.
    keeps: bool,
    /// Held while a process works in the folder.
    _lock: FolderLock,
}

impl Share {
    /// Open the folder of a worker, which is made if it is missing, for files of states of a form.
    /// Temporary ones may take some bytes of memory.
    pub(crate) fn open(
        folder: &Path,
        identity: &Identity,
        (form, memory): (Form, u64),
        worker: usize,
        keeps: bool,
    ) -> Result<Self, ExploreError> {
        let folder = folder.join(format!("share-{worker:04}"));
        let lock = FolderLock::take(&folder)?;
        let checkpoint = Checkpoint::load(&folder, identity.clone(), worker)?;
        Ok(Self {
            files: Files::with_memory(&folder, form, BUFFER, memory),
            folder,
            checkpoint,
            keeps,
            _lock: lock,
        })
    }

    /// Return the bytes of files that were read and written.
    pub(crate) fn usage(&self) -> Usage {
        self.files.usage()
    }

    /// Return the bytes of temporary files in memory.
    pub(crate) fn bytes_in_memory(&self) -> u64 {
        self.files.bytes_in_memory()
    }

    /// Make an empty set of candidates, each of which is sent as some bytes.
    pub(crate) fn candidates(&self, memory: usize, sent_bytes: usize) -> Candidates {
        Candidates::new(&self.files, memory, sent_bytes)
    }

    /// Forget all but the first stages.
    pub(crate) fn cut(&mut self, stages: usize) -> Result<(), FileError> {
        if self.checkpoint.layers.len() > stages {
            self.checkpoint.layers.truncate(stages);
            self.checkpoint.files.retain(|it| it.0 < stages as u64);
            self.checkpoint.save(&self.folder)?;
        }
        self.remove_the_rest()
    }

    /// Return the states of a stage; none if its file isn't kept.
    pub(crate) fn stage(&self, stage: usize) -> Result<Reader, FileError> {
        let (path, content) = self.file(stage as u64).unwrap_or_default();
        self.files.open(&path, content)
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
        let mut candidates = candidates.finish()?;
        let known = self.checkpoint.files.iter();
        let known = known.filter(|(stage, content)| *stage >= first as u64 && content.states > 0);
        let known: Vec<(u64, Content)> = known.copied().collect();
        let (left, last) = known.split_at(known.len().saturating_sub(1) / MOST_OPEN * MOST_OPEN);
        for known in left.chunks(MOST_OPEN) {
            let left = self.leave_out(candidates, known, self.files.temporary(), look)?;
            candidates = vec![Arc::new(left).open()?];
        }
        let path = self.stage_file(stage);
        let new = self.leave_out(candidates, last, self.files.create(&path), look)?;
        let content = new.content();
        // A stage without states has a file, too.
        let file = match content.states {
            0 => File::create(&path),
            _ => File::open(&path),
        };
        let file = file.map_err(FileError::io(&path))?;
        file.sync_all().map_err(FileError::io(&path))?;
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
        &self,
        candidates: Vec<Reader>,
        known: &[(u64, Content)],
        mut file: Writer,
        look: &dyn Fn() -> Result<(), ClusterError>,
    ) -> Result<SortedFile, ClusterError> {
        let known = known
            .iter()
            .map(|(stage, content)| self.files.open(&self.stage_file(*stage), *content));
        let mut known = Merge::new(known.collect::<Result<_, _>>()?)?;
        let mut candidates = Merge::new(candidates)?;
        let mut n_candidates = 0_u64;
        while candidates.advance()? {
            n_candidates += 1;
            if n_candidates.is_multiple_of(BETWEEN_LOOKS) {
                look()?;
            }
            if !known.skip_to(candidates.state())? {
                file.push(candidates.state())?;
            }
        }
        Ok(file.finish()?)
    }

    /// Remove files of states that the checkpoint doesn't list.
    fn remove_the_rest(&self) -> Result<(), FileError> {
        let folder = &self.folder;
        for entry in std::fs::read_dir(folder).map_err(FileError::io(folder))? {
            let path = entry.map_err(FileError::io(folder))?.path();
            let is_needed = self
                .checkpoint
                .files
                .iter()
                .any(|it| self.stage_file(it.0) == path);
            if path.extension().is_some_and(|it| it == "states") && !is_needed {
                std::fs::remove_file(&path).map_err(FileError::io(&path))?;
            }
        }
        Ok(())
    }

    /// Return the words of the first states of a stage.
    pub(crate) fn first(&self, stage: usize, most: usize) -> Result<Vec<u64>, FileError> {
        self.stage(stage)?.first(most)
    }

    fn stage_file(&self, stage: u64) -> PathBuf {
        self.folder.join(format!("layer-{stage:06}.states"))
    }
}
