//! Errors of analyses, for the user.

use analyses::AnalyzeError;
use budget::StopReason;

use crate::error::Error;
use crate::game::Game;
use crate::text::{Message, Parameter, message};

impl From<AnalyzeError> for Error {
    fn from(error: AnalyzeError) -> Self {
        let message = match &error {
            AnalyzeError::Operators { .. } => {
                message![Parameter::OperatorOrder, format!(": {error}")]
            }
            AnalyzeError::GenericStart(_) => {
                message![Parameter::GenericStart, format!(": {error}")]
            }
            AnalyzeError::Ideal {
                reason: StopReason::Interrupted,
                ..
            } => "the ideal tree was not counted to the end".into(),
            _ => error.to_string().into(),
        };
        let hint = hint(&error);
        let failure = match error {
            AnalyzeError::File(error) => return error.into(),
            AnalyzeError::Machine(cause) => Self::limit(message).caused_by(cause),
            AnalyzeError::Unreadable(cause) => Self::wrong(message).caused_by(cause),
            other => Self::of_kind(other.kind(), message),
        };
        match hint {
            Some(hint) => failure.with_hint(hint),
            None => failure,
        }
    }
}

/// Return what to do about an error, where that is known.
fn hint(error: &AnalyzeError) -> Option<Message> {
    Some(match error {
        AnalyzeError::Table(_) => message![
            "allow more with `",
            Parameter::Memory,
            "`, or take another `",
            Parameter::Machine,
            "`"
        ],
        AnalyzeError::Transferred(_) => message!["allow more with `", Parameter::Memory, "`"],
        AnalyzeError::TransferredTable => message![
            "use `",
            Parameter::Machine.is("minimized"),
            "` or `",
            Parameter::Machine.is("aho-corasick"),
            "`"
        ],
        AnalyzeError::NoLabelInCommon { .. } => {
            "a machine is carried over by the labels of rules".into()
        }
        AnalyzeError::NoMachine(_) => message![
            "search with `",
            Parameter::Prune.is("none"),
            "`, or allow more with `",
            Parameter::Memory,
            "`"
        ],
        AnalyzeError::Operators { labels, .. } => {
            format!("the labels are {}", labels.join(",")).into()
        }
        AnalyzeError::NoStateToLearnFrom => message![
            "give a state with `",
            Parameter::GenericStart,
            "`, `-` for a value unlike all others"
        ],
        AnalyzeError::Learner(_) => "the learner needs operators that do one thing in each state, \
                                     and a state that has the assumed invariants"
            .into(),
        AnalyzeError::Ideal { reason, moves } if *reason != StopReason::Interrupted => message![
            format!(
                "all states within {moves} moves of the start are held in memory; count to a \
                 smaller `"
            ),
            Parameter::Depth,
            "`, or allow more with `",
            Parameter::Memory,
            "` and `",
            Parameter::Time,
            "`"
        ],
        _ => return None,
    })
}

/// Return the error of an analysis of a game.
pub(super) fn about(error: AnalyzeError, game: &Game) -> Error {
    let has_no_start = matches!(error, AnalyzeError::NoStateToLearnFrom);
    let error = Error::from(error);
    if !has_no_start {
        return error;
    }
    let message = format!("{} has no goal state to learn from", game.name());
    match error.hint() {
        Some(hint) => Error::usage(message).with_hint(hint.clone()),
        None => Error::usage(message),
    }
}
