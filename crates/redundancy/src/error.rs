//! Why something can't be found out about redundant sequences.

use fsm::FileError;
use psvn_ir::RuleNameError;

/// Why something can't be found out.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    kind: ErrorKind,
    message: String,
    hint: Option<Hint>,
}

/// Who has to act on an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The request is invalid.
    Usage,
    /// An input is rejected.
    Input,
    /// A limit is exceeded.
    Limit,
    /// The work was interrupted.
    Interrupted,
    /// A certificate doesn't hold that was found here.
    Wrong,
}

/// What to do about an error. A program has its own names for what it can do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hint {
    /// As the text says.
    Text(String),
    /// Look at the list of the game's rules.
    ListRules,
    /// Write machine files by an analysis.
    WriteMachineFile,
    /// Correct the state, or analyze the game without assumptions or for that state.
    AssumeLess,
    /// Search by cost, or compare sequences by length.
    CompareByLength,
    /// Analyze the game by labels.
    AnalyzeByLabels,
    /// Analyze the game for searches that tell all states apart.
    AnalyzeForStates,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hint: None,
        }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Usage, message)
    }

    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Input, message)
    }

    pub(crate) fn limit(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Limit, message)
    }

    pub(crate) fn interrupted(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Interrupted, message)
    }

    pub(crate) fn wrong(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Wrong, message)
    }

    pub(crate) fn with_hint(self, hint: impl Into<Hint>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..self
        }
    }

    /// Return who has to act.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Return what to do about it, where that is known.
    pub fn hint(&self) -> Option<&Hint> {
        self.hint.as_ref()
    }
}

impl From<&str> for Hint {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Hint {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<RuleNameError> for Error {
    fn from(error: RuleNameError) -> Self {
        let hint = match (error.hint(), &error) {
            (Some(hint), _) => Some(Hint::Text(hint)),
            (None, RuleNameError::Unknown { .. }) => Some(Hint::ListRules),
            (None, _) => None,
        };
        Self {
            hint,
            ..Self::usage(error.to_string())
        }
    }
}

/// Return the error for an invalid machine file.
pub fn unreadable(name: &str, error: &FileError) -> Error {
    Error::input(format!("{name}: {error}")).with_hint(Hint::WriteMachineFile)
}
