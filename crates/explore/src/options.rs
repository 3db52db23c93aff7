//! Options of an exploration: limits, storage, reports.

use std::path::PathBuf;

use budget::{OnProgress, Watch};

use crate::report::Layer;

/// Receives each layer when it is complete.
pub type OnLayer<'a> = dyn Fn(&Layer) + Sync + 'a;

/// The way in which states are stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Storage {
    /// In memory, until the layers take an eighth of a table of ranks, if that fits the memory and
    /// most ranks are likely to be states. A small table is used from the start.
    #[default]
    Automatic,
    /// Two bits for each rank.
    Ranked,
    /// Packed states in memory.
    Memory,
    /// Sorted files in a folder, which is made if it is missing. If the folder has complete layers
    /// of the same exploration, it continues from them.
    Disk(PathBuf),
}

/// Options of an exploration: limits, storage, reports.
#[derive(Default)]
pub struct Options<'a> {
    /// Limits: nodes are generated states; memory is that of stored and waiting states.
    pub budget: Watch,
    /// The greatest distance to complete; all of them if `None`.
    pub depth: Option<u64>,
    /// How states are stored.
    pub storage: Storage,
    /// Whether one state represents all its images under the symmetries of the game that preserve
    /// the exploration's origin. States are then packed, in memory or on a disk.
    pub symmetries: bool,
    /// Whether the goals of the game are looked for on the way from start states: each layer says
    /// how many of its states are goals, and unless `depth` is set, the first one that has any is
    /// the last. In memory only, and without symmetries.
    pub seeks_goals: bool,
    /// The number of farthest states that the report lists.
    pub farthest: usize,
    /// Receives each complete layer.
    pub on_layer: Option<&'a OnLayer<'a>>,
    /// Receives progress within a layer, from any thread, several times a second. `level` is the
    /// distance of the layer being made, `done` the number of expanded states of the layer before,
    /// `total` the size of that layer.
    pub on_progress: Option<&'a OnProgress<'a>>,
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("budget", &self.budget)
            .field("depth", &self.depth)
            .field("storage", &self.storage)
            .field("symmetries", &self.symmetries)
            .field("seeks_goals", &self.seeks_goals)
            .field("farthest", &self.farthest)
            .finish_non_exhaustive()
    }
}
