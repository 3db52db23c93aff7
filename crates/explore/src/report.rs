//! The report of an exploration.

use std::path::PathBuf;
use std::time::Duration;

use budget::StopReason;
use psvn_ir::State;
use search::StateMismatch;
use sorted_states::FileError;

/// The maximum number of words of a state.
pub const MOST_WORDS: usize = 64;

/// A complete layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer {
    /// Its distance in moves.
    pub distance: u64,
    /// The number of states at that distance.
    pub states: u64,
    /// The number of states up to that distance.
    pub total: u64,
    /// The number of states that were stored for them, with symmetries.
    pub orbits: Option<u64>,
    /// The number of states at that distance that are goals, where these are looked for.
    pub goals: Option<u64>,
    /// The time from the start of the exploration, without the earlier calls that it continues.
    pub elapsed: Duration,
}

/// How the states of an exploration were stored.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoredAs {
    /// Two bits for each rank.
    Ranks {
        /// The number of ranks.
        ranks: u64,
        /// The ranking, in a few words.
        ranking: String,
        /// The number of layers that were found as packed states in memory, before ranks took
        /// over.
        layers_before: u64,
    },
    /// Packed states in memory.
    Packed {
        /// The bytes of a packed state.
        bytes_of_state: usize,
        /// Whether only the last layers were kept.
        forgets: bool,
        /// The number of symmetries under which one state represents its images; 1 without
        /// symmetries.
        symmetries: usize,
    },
    /// Sorted files.
    Disk {
        /// The bytes of a packed state.
        bytes_of_state: usize,
        /// Whether only the last layers were kept.
        forgets: bool,
        /// The number of symmetries under which one state represents its images; 1 without
        /// symmetries.
        symmetries: usize,
        /// The ranking, in a few words, where files hold ranks in place of packed states.
        ranking: Option<String>,
        /// The bytes read from files.
        read: u64,
        /// The bytes written to files.
        written: u64,
        /// The distance of the last layer that an earlier call had completed, if there was one.
        resumed_from: Option<u64>,
    },
    /// Sorted files of several processes.
    Cluster {
        /// The bytes of a packed state.
        bytes_of_state: usize,
        /// Whether only the last layers were kept.
        forgets: bool,
        /// The ranking, in a few words, where files hold ranks in place of packed states.
        ranking: Option<String>,
        /// The bytes that all processes read from files.
        read: u64,
        /// The bytes that all processes wrote to files.
        written: u64,
        /// The bytes sent from one process to another.
        sent: u64,
        /// The distance of the last layer that an earlier call had completed, if there was one.
        resumed_from: Option<u64>,
    },
}

/// The result of an exploration, by one process or by several; each of several processes gets the
/// same, except for the time.
#[derive(Clone, Debug)]
pub struct Report {
    /// The number of states at each distance, for complete layers.
    pub layers: Vec<u64>,
    /// The number of states stored at each distance, with symmetries: one for all that are images
    /// of each other.
    pub orbits: Option<Vec<u64>>,
    /// Why the exploration stopped before all states were found; also `None` when the greatest
    /// requested distance is complete.
    pub stopped: Option<StopReason>,
    /// Whether there are no states beyond the last layer.
    pub is_whole: bool,
    /// The number of states of the next layer found before the exploration stopped; with
    /// symmetries, of stored ones. Several processes don't count them.
    pub beyond: u64,
    /// How many times a state was generated, without earlier calls.
    pub generated: u64,
    /// Some states of the last layer, the first ones in the order of packed states or ranks.
    pub farthest: Vec<State>,
    /// The peak of the bytes held for states, as counted; of several processes, the sum.
    pub peak_bytes: u64,
    /// How states were stored.
    pub stored_as: StoredAs,
    /// The elapsed time, including the time until all processes had connected.
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

    /// Return the distance of the last layer that an earlier call had completed, if there was one.
    pub fn resumed_from(&self) -> Option<u64> {
        match self.stored_as {
            StoredAs::Disk { resumed_from, .. } | StoredAs::Cluster { resumed_from, .. } => {
                resumed_from
            }
            StoredAs::Ranks { .. } | StoredAs::Packed { .. } => None,
        }
    }
}

/// The reasons why there is no exploration.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExploreError {
    /// The game has no goal.
    #[error("the game has no goal, so there are no distances to it")]
    NoGoal,
    /// No start states were given.
    #[error("there is no start state")]
    NoStart,
    /// A start state is not a state of the game.
    #[error(transparent)]
    Start(#[from] StateMismatch),
    /// The goal conditions are satisfied by more states than fit the memory.
    #[error("{} states satisfy the goal conditions, more than fit the memory", number(.0))]
    TooManyGoals(Option<u128>),
    /// The states are too wide.
    #[error("a state takes {0} bits, more than the {most} that can be explored", most = MOST_WORDS * 64)]
    TooWide(usize),
    /// States can't be ranked, or their table is too large.
    #[error("the states can't be stored by rank: {0}")]
    NotRanked(String),
    /// Symmetries were requested together with ranks.
    #[error("states can't be stored by rank together with symmetries")]
    RankedSymmetries,
    /// Goals were to be looked for on the way from states that are stored in another way than one
    /// by one in memory, or in the direction from the goals.
    #[error("goals are looked for on the way from a start, in memory and without symmetries")]
    GoalsNotCounted,
    /// There are too many symmetries to map each state by all of them.
    #[error("the game has more than {0} symmetries")]
    TooManySymmetries(usize),
    /// A file or folder can't be used, or differs from what was written.
    #[error(transparent)]
    Files(#[from] FileError),
    /// The folder holds another exploration.
    #[error("{} holds an exploration of {what}", path.display())]
    OtherExploration {
        /// The folder.
        path: PathBuf,
        /// The difference: "another game", for example.
        what: &'static str,
    },
}

fn number(count: &Option<u128>) -> String {
    count.map_or_else(|| "too many".to_owned(), |n| n.to_string())
}
