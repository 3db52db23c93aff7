//! What an exploration may use, who hears of it, and what it found.

use std::time::Duration;

use budget::{OnProgress, StopReason, Watch};
use explore::OnLayer;
use psvn_ir::State;

/// What an exploration may use, and who hears of it.
#[derive(Default)]
pub struct Options<'a> {
    /// Limits: nodes are states that all processes generate together, as each one estimates them
    /// from its own; memory is that of this process, 1 GiB if `None`. Processes may have different
    /// ones: all stop when one does. Memory is no reason to stop: states are written to files.
    pub budget: Watch,
    /// The greatest distance to complete, the same in all processes; all of them if `None`.
    pub depth: Option<u64>,
    /// How many of the farthest states the report lists, the same in all processes.
    pub farthest: usize,
    /// Receives each complete layer, in every process.
    pub on_layer: Option<&'a OnLayer<'a>>,
    /// Receives progress within a layer, of all processes, in the first one. `level` is the
    /// distance of the layer that is made, `done` the number of states of the layer before that
    /// were expanded, `total` how many there are.
    pub on_progress: Option<&'a OnProgress<'a>>,
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("budget", &self.budget)
            .field("depth", &self.depth)
            .field("farthest", &self.farthest)
            .finish_non_exhaustive()
    }
}

/// What all processes found together; the same in each of them, but for the time.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The number of states at each distance, for complete layers.
    pub layers: Vec<u64>,
    /// Why the exploration stopped before all states were found; `None` also when the greatest
    /// distance that was asked for is complete.
    pub stopped: Option<StopReason>,
    /// Whether there are no states beyond the last layer.
    pub is_whole: bool,
    /// How many times a state was generated, without earlier calls.
    pub generated: u64,
    /// Some states of the last layer, the first ones in the order of packed states.
    pub farthest: Vec<State>,
    /// The most bytes that the processes held for states, as they are counted.
    pub peak_bytes: u64,
    /// The bytes read from files.
    pub read: u64,
    /// The bytes written to files.
    pub written: u64,
    /// The bytes sent from one process to another.
    pub sent: u64,
    /// The distance of the last layer that an earlier call had completed, if there was one.
    pub resumed_from: Option<u64>,
    /// The bytes of a packed state.
    pub bytes_of_state: usize,
    /// Whether only the last layers were kept.
    pub forgets: bool,
    /// How long it took in this process, with the time until all had come.
    pub elapsed: Duration,
}

impl Report {
    /// The number of states in complete layers.
    pub fn states(&self) -> u64 {
        self.layers.iter().sum()
    }

    /// The greatest distance of all states, where all of them were found.
    pub fn greatest_distance(&self) -> Option<u64> {
        self.is_whole.then(|| self.layers.len() as u64 - 1)
    }
}
