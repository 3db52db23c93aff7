//! Options and report of an exploration by several processes.

use std::time::Duration;

use budget::{OnProgress, StopReason, Watch};
use explore::OnLayer;
use psvn_ir::State;

/// Options of an exploration: limits, depth, reports.
#[derive(Default)]
pub struct Options<'a> {
    /// Limits: nodes are the states that all processes generate together, as each one estimates
    /// them from its own; memory is that of this process, 1 GiB if `None`. The limits of the
    /// processes may differ: all stop when one does. A full memory doesn't stop it: states are
    /// written to files.
    pub budget: Watch,
    /// The greatest distance to complete, the same in all processes; all of them if `None`.
    pub depth: Option<u64>,
    /// How many of the farthest states the report lists, the same in all processes.
    pub farthest: usize,
    /// Receives each complete layer, in every process.
    pub on_layer: Option<&'a OnLayer<'a>>,
    /// Receives progress of all processes within a layer, in the first process. `level` is the
    /// distance of the layer being made, `done` the number of expanded states of the layer before,
    /// `total` the size of that layer.
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

/// The common result of all processes; the same in each of them, except for the time.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The number of states at each distance, for complete layers.
    pub layers: Vec<u64>,
    /// Why the exploration stopped before all states were found; also `None` when the greatest
    /// requested distance is complete.
    pub stopped: Option<StopReason>,
    /// Whether there are no states beyond the last layer.
    pub is_whole: bool,
    /// How many times a state was generated, without earlier calls.
    pub generated: u64,
    /// Some states of the last layer, the first ones in the order of packed states.
    pub farthest: Vec<State>,
    /// The peak of the bytes that the processes held for states, as counted.
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
    /// The elapsed time in this process, including the time until all had connected.
    pub elapsed: Duration,
}

impl Report {
    /// Return the number of states in complete layers.
    pub fn states(&self) -> u64 {
        self.layers.iter().sum()
    }

    /// Return the greatest distance of all states, if all were found.
    pub fn greatest_distance(&self) -> Option<u64> {
        self.is_whole.then(|| self.layers.len() as u64 - 1)
    }
}
