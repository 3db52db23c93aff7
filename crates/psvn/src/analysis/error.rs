//! Errors of analyses, for the user.

use analyses::AnalyzeError;
use budget::StopReason;
use fsm::BuildError;

use crate::error::Error;
use crate::game::Game;
use crate::text::{Parameter, message};

impl From<AnalyzeError> for Error {
    fn from(error: AnalyzeError) -> Self {
        let text = error.to_string();
        match error {
            AnalyzeError::Machine(error) => of_machine(text, error),
            AnalyzeError::Table(_) => Self::limit(text).with_hint(message![
                "allow more with `",
                Parameter::Memory,
                "`, or take another `",
                Parameter::Machine,
                "`"
            ]),
            AnalyzeError::Transferred(_) => {
                Self::limit(text).with_hint(message!["allow more with `", Parameter::Memory, "`"])
            }
            AnalyzeError::TransferredTable => Self::usage(text).with_hint(message![
                "use `",
                Parameter::Machine.is("minimized"),
                "` or `",
                Parameter::Machine.is("aho-corasick"),
                "`"
            ]),
            AnalyzeError::NoLabelInCommon { .. } => {
                Self::input(text).with_hint("a machine is carried over by the labels of rules")
            }
            AnalyzeError::NoMachine(_) => Self::limit(text).with_hint(message![
                "search with `",
                Parameter::Prune.is("none"),
                "`, or allow more with `",
                Parameter::Memory,
                "`"
            ]),
            AnalyzeError::Unreadable(error) => Self::wrong(text).caused_by(error),
            AnalyzeError::Operators { labels, .. } => {
                Self::usage(message![Parameter::OperatorOrder, format!(": {text}")])
                    .with_hint(format!("the labels are {}", labels.join(",")))
            }
            AnalyzeError::NoStateToLearnFrom => Self::usage(text).with_hint(message![
                "give a state with `",
                Parameter::GenericStart,
                "`, `-` for a value unlike all others"
            ]),
            AnalyzeError::GenericStart(_) => {
                Self::input(message![Parameter::GenericStart, format!(": {text}")])
            }
            AnalyzeError::Learner(_) => Self::input(text).with_hint(
                "the learner needs operators that do one thing in each state, and a state that has \
                 the assumed invariants",
            ),
            AnalyzeError::IdealOfOperators => Self::usage(text),
            AnalyzeError::Ideal { reason, moves } => of_ideal(text, reason, moves),
            AnalyzeError::Stopped { reason, .. } => match reason {
                StopReason::Interrupted => Self::interrupted(text),
                _ => Self::limit(text),
            },
            AnalyzeError::File(error) => error.into(),
            _ => Self::limit(text),
        }
    }
}

fn of_machine(text: String, error: BuildError) -> Error {
    Error::limit(text).caused_by(error)
}

fn of_ideal(text: String, reason: StopReason, moves: usize) -> Error {
    if reason == StopReason::Interrupted {
        return Error::interrupted("the ideal tree was not counted to the end");
    }
    Error::limit(text).with_hint(message![
        format!(
            "all states within {moves} moves of the start are held in memory; count to a smaller `"
        ),
        Parameter::Depth,
        "`, or allow more with `",
        Parameter::Memory,
        "` and `",
        Parameter::Time,
        "`"
    ])
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
