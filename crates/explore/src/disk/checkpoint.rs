//! The file that lists the complete layers.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sorted_states::{CheckpointFile, Content, FileError};

use crate::report::ExploreError;

const FILE: CheckpointFile = CheckpointFile {
    name: "exploration.json",
    format: "psvn-exploration",
    version: 3,
};

/// The identity of an exploration. Two with the same identity find the same layers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    /// The game's content hash.
    pub(crate) game: String,
    /// "forward" or "backward".
    pub(crate) direction: String,
    /// A hash of the states at distance 0.
    pub(crate) roots: String,
    /// The identity of the codes of states in the files.
    pub(crate) codes: String,
    /// Its words there.
    pub(crate) words: usize,
    /// The parts of a layer.
    pub(crate) parts: usize,
    /// Whether only the last layers are kept.
    pub(crate) forgets: bool,
    /// The number of symmetries under which one state represents its images.
    #[serde(default = "none_but_the_identity")]
    pub(crate) symmetries: usize,
}

fn none_but_the_identity() -> usize {
    1
}

/// The complete layers of an exploration and their files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Checkpoint {
    format: String,
    version: u32,
    pub(crate) identity: Identity,
    /// The number of states in the files of each distance.
    pub(crate) layers: Vec<u64>,
    /// The number of states that those represent, with symmetries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) images: Option<Vec<u64>>,
    /// Whether there are no states beyond these layers.
    pub(crate) is_whole: bool,
    /// The contents of the parts of the layers that are kept, by distance.
    pub(crate) files: Vec<(u64, Vec<Content>)>,
}

impl Checkpoint {
    /// Iterate over the complete layers: the number of states, and the number of stored ones.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let states = self.images.as_ref().unwrap_or(&self.layers);
        states.iter().copied().zip(self.layers.iter().copied())
    }

    pub(crate) fn new(identity: Identity) -> Self {
        Self {
            format: FILE.format.to_owned(),
            version: FILE.version,
            images: (identity.symmetries > 1).then(Vec::new),
            identity,
            layers: Vec::new(),
            is_whole: false,
            files: Vec::new(),
        }
    }

    /// Load the checkpoint of a folder, if there is one; it must be of this exploration.
    pub(crate) fn load(folder: &Path, identity: &Identity) -> Result<Option<Self>, ExploreError> {
        let Some(checkpoint) = FILE.read::<Self>(folder)? else {
            return Ok(None);
        };
        let other = |what| ExploreError::OtherExploration {
            path: folder.to_owned(),
            what,
        };
        let (found, wanted) = (&checkpoint.identity, identity);
        if found.game != wanted.game {
            return Err(other("another game"));
        }
        if (&found.direction, &found.roots) != (&wanted.direction, &wanted.roots) {
            return Err(other("other start states"));
        }
        if found.symmetries != wanted.symmetries {
            return Err(other("another number of symmetries"));
        }
        if found != wanted {
            return Err(other("another layout of files"));
        }
        let kept = checkpoint.files.iter();
        if kept.clone().any(|(_, parts)| parts.len() != wanted.parts)
            || kept
                .clone()
                .any(|(distance, _)| *distance >= checkpoint.layers.len() as u64)
            || checkpoint.layers.is_empty()
            || checkpoint.images.as_ref().map(Vec::len)
                != (wanted.symmetries > 1).then_some(checkpoint.layers.len())
        {
            return Err(FILE.damaged(folder, "its parts don't fit together").into());
        }
        Ok(Some(checkpoint))
    }

    /// Replace the checkpoint of a folder atomically.
    pub(crate) fn save(&self, folder: &Path) -> Result<(), FileError> {
        let text = serde_json::to_vec_pretty(self).expect("a checkpoint is plain data");
        FILE.replace(folder, &text)
    }
}

/// Return the file of a part of a layer.
pub(crate) fn layer_file(folder: &Path, distance: u64, part: usize) -> PathBuf {
    folder.join(format!("layer-{distance:06}-{part:03}.states"))
}

/// Remove the files of an exploration in a folder that `keep` rejects.
pub(crate) fn remove_files(folder: &Path, keep: impl Fn(&str) -> bool) -> Result<(), FileError> {
    let entries = std::fs::read_dir(folder).map_err(FileError::io(folder))?;
    for entry in entries {
        let entry = entry.map_err(FileError::io(folder))?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let is_ours =
            (name.starts_with("layer-") || name.starts_with("run-")) && name.ends_with(".states");
        if is_ours && !keep(name) {
            let path = entry.path();
            std::fs::remove_file(&path).map_err(FileError::io(&path))?;
        }
    }
    Ok(())
}
