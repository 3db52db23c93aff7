//! Whole state spaces: the number of states at each distance.

#[cfg(feature = "cluster")]
pub mod cluster;
mod graph;
mod pace;
mod words;

use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;

use budget::{Limits, StopReason, Watch};
use explore::{OnLayer, Options, Origin, Storage, StoredAs};
use psvn_ir::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::environment::{Environment, free_memory, has_room_for_threads};
use crate::error::Error;
use crate::game::Game;
use crate::game::instance::n_reachable;

pub use self::graph::{GraphMove, StateGraph};
use self::pace::Pace;
use self::words::{explained, storage_in_words};

/// The storage of states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExplorationStorage {
    /// In memory, and by rank once many states are found, if most ranks are likely to be states.
    #[default]
    Automatic,
    /// Two bits for each rank.
    Ranked,
    /// Packed states in memory.
    Memory,
    /// Sorted files in a folder. The exploration continues after the complete layers in it.
    Disk(PathBuf),
}

/// Options of an exploration.
///
/// ```
/// use psvn::{Environment, Exploration, Game};
///
/// let env = Environment::default();
/// let game = Game::built_in("pancake:6", &env)?;
/// let report = Exploration::default().run(&game, &env, &mut |_| {})?;
/// let states: Vec<u64> = report.layers.iter().map(|layer| layer.states).collect();
/// assert_eq!(states, [1, 5, 20, 79, 199, 281, 133, 2]);
/// assert_eq!(report.greatest_distance, Some(7));
/// # Ok::<(), psvn::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// The states to begin with, along the rules. If there are none, all goal states, against the
    /// rules.
    pub starts: Vec<State>,
    /// The greatest distance to complete.
    pub depth: Option<u64>,
    /// The storage of states.
    pub storage: ExplorationStorage,
    /// Whether one state stands for all its images under the symmetries of the game, in memory or
    /// on a disk.
    pub symmetries: bool,
    /// Whether the goals are looked for on the way from the starts: each layer says how many of its
    /// states are goals, and unless `depth` is set, the first one that has any is the last. In
    /// memory only, and without symmetries.
    pub seeks_goals: bool,
    /// The number of farthest states that are listed.
    pub farthest: usize,
    /// The limits: nodes are generated states; memory is that of states, three quarters of the free
    /// memory if `None`. Without a flag of their own, the environment's cancellation interrupts.
    pub limits: Limits,
}

/// A complete layer of an exploration.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct ExploredLayer {
    /// Its distance in moves.
    pub distance: u64,
    /// The number of states at that distance.
    pub states: u64,
    /// The number of states up to that distance.
    pub total: u64,
    /// The number of states that were stored for them, where symmetries are used: one for all
    /// images of a state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orbits: Option<u64>,
    /// The number of states at that distance that are goals, where these are looked for on the way
    /// from the starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goals: Option<u64>,
    /// The seconds since the exploration began.
    pub seconds: f64,
}

/// The result of an exploration.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct ExplorationReport {
    /// The name of the game.
    pub file: String,
    /// The states that it began with, as text; none where it began with the goals.
    pub starts: Vec<String>,
    /// The complete layers.
    pub layers: Vec<ExploredLayer>,
    /// The number of states in them.
    pub states: u64,
    /// The number of states at all distances, in decimal digits, where the rules only move values,
    /// there is one start or goal state, and the group of the moves is found quickly.
    #[serde(default)]
    pub space: Option<String>,
    /// The least distance from a start to a goal, where goals were looked for and one was found.
    #[serde(default)]
    pub nearest_goal: Option<u64>,
    /// The greatest distance of all states, where all were found.
    pub greatest_distance: Option<u64>,
    /// Whether all states were found.
    pub complete: bool,
    /// The limit that stopped it, if one did.
    pub stopped: Option<StopReason>,
    /// States at the next distance that were found when it stopped.
    pub beyond: u64,
    /// The number of times that a state was generated.
    pub generated: u64,
    /// Some states of the last layer.
    pub farthest: Vec<String>,
    /// How states were stored: `ranked`, `memory`, `disk`, or `cluster`.
    pub storage: String,
    /// The storage in words.
    pub storage_description: String,
    /// The maximum number of bytes that were held for states.
    pub peak_bytes: u64,
    /// The bytes read from files.
    pub bytes_read: u64,
    /// The bytes written to files.
    pub bytes_written: u64,
    /// The number of processes that explored together.
    pub processes: u64,
    /// The bytes that processes sent each other.
    pub bytes_sent: u64,
    /// The distance of the last layer that an earlier call had completed in the folder.
    pub resumed_from: Option<u64>,
    /// The seconds that it took.
    pub seconds: f64,
}

impl Exploration {
    /// Explore a game. `on_layer` is called with each layer when it is complete.
    ///
    /// # Errors
    /// When there is nothing to begin with, the storage doesn't serve the game, or a file fails. A
    /// limit or a cancellation isn't an error: complete layers are reported.
    pub fn run(
        &self,
        game: &Game,
        env: &Environment,
        on_layer: &mut dyn FnMut(&ExploredLayer),
    ) -> Result<ExplorationReport, Error> {
        let budget = self.budget(env);
        let storage = match &self.storage {
            ExplorationStorage::Automatic => Storage::Automatic,
            ExplorationStorage::Ranked => Storage::Ranked,
            ExplorationStorage::Memory => Storage::Memory,
            ExplorationStorage::Disk(path) => Storage::Disk(path.clone()),
        };
        let (phase, pace) = (env.begin(), Pace::default());
        let on_progress = |progress: &budget::Progress| pace.show(progress, "", &phase);
        let (origin, on_progress) = (&self.origin(), &on_progress);
        let explored = |on_told: &OnLayer<'_>| {
            let options = Options {
                budget,
                depth: self.depth,
                storage,
                symmetries: self.symmetries,
                seeks_goals: self.seeks_goals,
                farthest: self.farthest,
                on_layer: Some(on_told),
                on_progress: Some(on_progress),
            };
            env.install(|| explore::explore(game.ir(), origin, &options))
        };
        let (report, layers) = telling_layers(explored, on_layer)?;
        let report = report.map_err(explained)?;
        Ok(self.reported(game, env, (report, layers), 1))
    }
}

impl Exploration {
    /// Report what some processes found.
    fn reported(
        &self,
        game: &Game,
        env: &Environment,
        (report, layers): (explore::Report, Vec<ExploredLayer>),
        processes: usize,
    ) -> ExplorationReport {
        let text = |state: &State| game.ir().format_state(state.values());
        let (storage, storage_description) =
            storage_in_words(&report.stored_as, processes, env.threads());
        let (bytes_read, bytes_written, bytes_sent) = match report.stored_as {
            StoredAs::Disk { read, written, .. } => (read, written, 0),
            StoredAs::Cluster {
                read,
                written,
                sent,
                ..
            } => (read, written, sent),
            _ => (0, 0, 0),
        };
        ExplorationReport {
            file: game.name().to_owned(),
            starts: self.starts.iter().map(text).collect(),
            states: report.states(),
            space: self.space(game, env),
            nearest_goal: layers
                .iter()
                .find(|layer| layer.goals.is_some_and(|goals| goals > 0))
                .map(|layer| layer.distance),
            greatest_distance: report.greatest_distance(),
            complete: report.is_whole,
            stopped: report.stopped,
            beyond: report.beyond,
            generated: report.generated,
            farthest: report.farthest.iter().map(text).collect(),
            storage: storage.to_owned(),
            storage_description,
            peak_bytes: report.peak_bytes,
            bytes_read,
            bytes_written,
            processes: processes as u64,
            bytes_sent,
            resumed_from: report.resumed_from(),
            seconds: report.elapsed.as_secs_f64(),
            layers,
        }
    }

    fn origin(&self) -> Origin {
        match self.starts.as_slice() {
            [] => Origin::Goals,
            starts => Origin::States(starts.to_vec()),
        }
    }

    /// Return the number of states at all distances, if the group of the moves gives it.
    fn space(&self, game: &Game, env: &Environment) -> Option<String> {
        let game = game.ir();
        let start = match self.starts.as_slice() {
            [] => game.goal_state(),
            [start] => Some(start.clone()),
            _ => None,
        };
        n_reachable(game, &start?, &|| env.is_cancelled())
    }

    fn budget(&self, env: &Environment) -> Watch {
        let limits = env.limits(&self.limits);
        let memory = limits.memory.or_else(|| {
            let free = free_memory()?;
            usize::try_from(free / 4 * 3).ok()
        });
        Watch::new(Limits { memory, ..limits })
    }
}

/// Do work in another thread, and pass on the layers that it reports in this one; return its result
/// and those layers.
///
/// # Errors
/// When the system refuses the thread.
fn telling_layers<R: Send>(
    work: impl FnOnce(&OnLayer<'_>) -> R + Send,
    on_layer: &mut dyn FnMut(&ExploredLayer),
) -> Result<(R, Vec<ExploredLayer>), Error> {
    if !has_room_for_threads(1) {
        return Err(no_thread());
    }
    let (sender, layers) = mpsc::channel();
    thread::scope(|scope| {
        let work = move || {
            work(&|layer: &explore::Layer| {
                // The report has all layers, so a missing receiver isn't an error.
                sender.send(*layer).ok();
            })
        };
        let work = thread::Builder::new()
            .spawn_scoped(scope, work)
            .map_err(|_| no_thread())?;
        let mut seen = Vec::new();
        for layer in layers {
            let layer = ExploredLayer {
                distance: layer.distance,
                states: layer.states,
                total: layer.total,
                orbits: layer.orbits,
                goals: layer.goals,
                seconds: layer.elapsed.as_secs_f64(),
            };
            on_layer(&layer);
            seen.push(layer);
        }
        match work.join() {
            Ok(found) => Ok((found, seen)),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// The error that the system refuses a thread.
fn no_thread() -> Error {
    Error::limit("not enough memory to start threads")
        .with_hint("let the system give this process more, as by `ulimit -v`")
}
