//! Why an analysis, or a machine, can't be made.

use budget::StopReason;
use budget::amounts::format_bytes;
use fsm::{BuildError, TableError};
use host::{Host, HostExt};
use move_prune::{LearnError, OperatorError};
use redundancy::ErrorKind;

use crate::engine::machines::Size;

/// Why an analysis, or a machine, can't be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnalyzeError {
    /// A machine is too large.
    #[error("the machine can't be built: {0}")]
    Machine(#[source] BuildError),
    /// The table machine takes more bytes than it may.
    #[error(
        "the table machine has {} states and would take {}", .0.states, format_bytes(.0.bytes)
    )]
    Table(Size),
    /// The machine of words that were carried over takes more bytes than it may.
    #[error("the machine has {} states and would take {}", .0.states, format_bytes(.0.bytes))]
    Transferred(Size),
    /// Words can't be carried over between games without a common label.
    #[error("`{from}` and `{to}` have no label in common")]
    NoLabelInCommon {
        /// The game that the words were found for.
        from: String,
        /// The other game.
        to: String,
    },
    /// Words were carried over, and a table machine is requested.
    #[error("a table machine remembers words that a machine file doesn't hold")]
    TransferredTable,
    /// No machine for this many rules fits in memory.
    #[error("a machine for {0} rules is too large")]
    NoMachine(usize),
    /// An analysis has no machine.
    #[error("the analysis has no machine, since it would be too large")]
    Unbuilt,
    /// A machine can't be used.
    #[error("the machine can't be read: {0}")]
    Unreadable(#[source] TableError),
    /// A machine has too many states for a table.
    #[error("{0}")]
    TooManyStates(TableError),
    /// The length of sequences doesn't fit in a machine file.
    #[error("the length doesn't fit in 32 bits")]
    Length,
    /// The order of operators isn't one of all labels.
    #[error("{error}")]
    Operators {
        /// The reason.
        error: OperatorError,
        /// All labels.
        labels: Vec<String>,
    },
    /// The game has no goal state, and no other state to learn from is given.
    #[error("there is no goal state to learn from")]
    NoStateToLearnFrom,
    /// The state to learn from isn't one of the game.
    #[error("{0}")]
    GenericStart(String),
    /// The learner can't learn from these operators, or from this state.
    #[error("nothing can be learned: {0}")]
    Learner(LearnError),
    /// The ideal tree of operators was requested.
    #[error("the ideal tree is one of rules, not of operators")]
    IdealOfOperators,
    /// The ideal tree was requested for an order that keeps several paths to a state.
    #[error(
        "the ideal tree has one path to each state, and the order `cost` keeps all cheapest ones"
    )]
    IdealOfAllPaths,
    /// The machine is too large for a comparison with the ideal tree.
    #[error("the machine is too large, so its tree can't be compared with the ideal one")]
    IdealOfNoMachine,
    /// The ideal tree wasn't counted to the end.
    #[error("the ideal tree was not counted to the end: {reason}")]
    Ideal {
        /// What stopped it.
        reason: StopReason,
        /// The moves from the start to the farthest states that are held in memory.
        moves: usize,
    },
    /// Work was stopped before its end, which is named as in "the machine was minimized".
    #[error("{} before {before}", match .reason {
        StopReason::Interrupted => "interrupted",
        _ => "the time ran out",
    })]
    Stopped {
        /// What stopped it.
        reason: StopReason,
        /// The end of the work.
        before: &'static str,
    },
    /// A machine file says something that can't be used, or that is wrong.
    #[error(transparent)]
    File(#[from] redundancy::Error),
}

impl AnalyzeError {
    /// Return who has to act.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::TransferredTable
            | Self::Operators { .. }
            | Self::NoStateToLearnFrom
            | Self::IdealOfOperators
            | Self::IdealOfAllPaths => ErrorKind::Usage,
            Self::NoLabelInCommon { .. } | Self::GenericStart(_) | Self::Learner(_) => {
                ErrorKind::Input
            }
            Self::Unreadable(_) => ErrorKind::Wrong,
            Self::Ideal { reason, .. } | Self::Stopped { reason, .. } => match reason {
                StopReason::Interrupted => ErrorKind::Interrupted,
                _ => ErrorKind::Limit,
            },
            Self::File(error) => error.kind(),
            Self::Machine(_)
            | Self::Table(_)
            | Self::Transferred(_)
            | Self::NoMachine(_)
            | Self::Unbuilt
            | Self::TooManyStates(_)
            | Self::Length
            | Self::IdealOfNoMachine => ErrorKind::Limit,
        }
    }

    /// Return the error of work that stopped since its host said so: `before` names its end.
    pub(crate) fn stopped(host: &dyn Host, before: &'static str) -> Self {
        let reason = host.end().unwrap_or(StopReason::Time);
        Self::Stopped { reason, before }
    }
}
