//! The file that lists the complete stages of a worker.

use std::path::Path;

use explore::ExploreError;
use serde::{Deserialize, Serialize};
use sorted_states::{CheckpointFile, Content, FileError};

use crate::identity::Identity;

const FILE: CheckpointFile = CheckpointFile {
    name: "share.json",
    format: "psvn-exploration-share",
    version: 3,
};

/// The complete stages of a worker and their files: layers, where all moves cost the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Checkpoint {
    pub(crate) identity: Identity,
    /// The number of the worker among all.
    pub(crate) worker: usize,
    /// The number of its states in each stage. The last ones can be empty.
    pub(crate) layers: Vec<u64>,
    /// The contents of the files that are kept, by stage.
    pub(crate) files: Vec<(u64, Content)>,
}

/// A checkpoint with a mark of its kind and a checksum.
#[derive(Serialize, Deserialize)]
struct Sealed {
    format: String,
    version: u32,
    crc32: u32,
    checkpoint: Checkpoint,
}

impl Checkpoint {
    pub(crate) fn new(identity: Identity, worker: usize) -> Self {
        Self {
            identity,
            worker,
            layers: Vec::new(),
            files: Vec::new(),
        }
    }

    fn crc32(&self) -> u32 {
        crc32fast::hash(&serde_json::to_vec(self).expect("a checkpoint is plain data"))
    }

    /// Load the checkpoint of a folder, or an empty one. It must be of this exploration.
    pub(crate) fn load(
        folder: &Path,
        identity: Identity,
        worker: usize,
    ) -> Result<Self, ExploreError> {
        let Some(sealed) = FILE.read::<Sealed>(folder)? else {
            return Ok(Self::new(identity, worker));
        };
        let found = sealed.checkpoint;
        if found.crc32() != sealed.crc32 {
            return Err(FILE.damaged(folder, "its checksum is wrong").into());
        }
        let other = |what| ExploreError::OtherExploration {
            path: folder.to_owned(),
            what,
        };
        if found.identity.game != identity.game {
            return Err(other("another game"));
        }
        let start = |identity: &Identity| (identity.direction.clone(), identity.roots.clone());
        if start(&found.identity) != start(&identity) {
            return Err(other("other start states"));
        }
        let shape = |identity: &Identity| (identity.processes, identity.threads);
        if shape(&found.identity) != shape(&identity) || found.worker != worker {
            return Err(other("another number of processes or threads"));
        }
        // Another version of the program continues with files of the same format.
        let found_identity = Identity {
            version: identity.version.clone(),
            ..found.identity.clone()
        };
        if found_identity != identity {
            return Err(other("another layout of files"));
        }
        let last = found.layers.len() as u64;
        if found.files.iter().any(|(stage, _)| *stage >= last) {
            return Err(FILE.damaged(folder, "its parts don't fit together").into());
        }
        Ok(Self { identity, ..found })
    }

    /// Replace the checkpoint of a folder atomically, and make sure that it is on the disk.
    pub(crate) fn save(&self, folder: &Path) -> Result<(), FileError> {
        let sealed = Sealed {
            format: FILE.format.to_owned(),
            version: FILE.version,
            crc32: self.crc32(),
            checkpoint: self.clone(),
        };
        let text = serde_json::to_vec(&sealed).expect("a checkpoint is plain data");
        FILE.replace(folder, &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity() -> Identity {
        Identity {
            version: "1".to_owned(),
            game: "a".to_owned(),
            direction: "forward".to_owned(),
            roots: "0".to_owned(),
            codes: String::new(),
            words: 1,
            forgets: true,
            processes: 2,
            threads: 1,
        }
    }

    #[test]
    fn a_checkpoint_is_read_back_by_the_same_exploration_only() {
        let folder = tempfile::tempdir().unwrap();
        let load = |identity, worker| Checkpoint::load(folder.path(), identity, worker);
        assert_eq!(load(identity(), 1).unwrap(), Checkpoint::new(identity(), 1));
        let checkpoint = Checkpoint {
            layers: vec![1, 2],
            files: vec![(
                1,
                Content {
                    states: 2,
                    bytes: 5,
                    crc32: 9,
                },
            )],
            ..Checkpoint::new(identity(), 1)
        };
        checkpoint.save(folder.path()).unwrap();
        assert_eq!(load(identity(), 1).unwrap(), checkpoint);
        let refused = |identity, worker| load(identity, worker).unwrap_err().to_string();
        assert!(refused(identity(), 0).contains("another number of processes"));
        let other = |change: fn(&mut Identity)| {
            let mut other = identity();
            change(&mut other);
            refused(other, 1)
        };
        assert!(other(|it| it.game = "b".to_owned()).contains("another game"));
        assert!(other(|it| it.roots = "1".to_owned()).contains("other start states"));
        assert!(other(|it| it.processes = 3).contains("another number of processes"));
        assert!(other(|it| it.words = 2).contains("another layout"));
    }

    #[test]
    fn a_changed_checkpoint_is_refused_whatever_changed() {
        let folder = tempfile::tempdir().unwrap();
        let checkpoint = Checkpoint {
            layers: vec![1, 2],
            files: vec![(
                1,
                Content {
                    states: 2,
                    bytes: 5,
                    crc32: 9,
                },
            )],
            ..Checkpoint::new(identity(), 1)
        };
        checkpoint.save(folder.path()).unwrap();
        let path = folder.path().join(FILE.name);
        let whole = std::fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            std::fs::write(&path, &changed).unwrap();
            let loaded = Checkpoint::load(folder.path(), identity(), 1);
            assert!(loaded.is_err(), "byte {at}");
            std::fs::write(&path, &whole[..at]).unwrap();
            assert!(Checkpoint::load(folder.path(), identity(), 1).is_err());
        }
    }
}
