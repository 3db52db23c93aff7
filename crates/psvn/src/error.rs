//! Why something can't be done.

use std::error::Error as StdError;
use std::fmt;

use redundancy::Hint;

use crate::text::{Message, Parameter, Source, Task, message};

/// An error of this library: the reason why something can't be done.
///
/// [`kind`](Self::kind) says who has to act, [`hint`](Self::hint) says how, and
/// [`source`](StdError::source) gives the cause. Messages and hints name settings of this library;
/// a program with other names writes them in its own [terms](crate::text::Terms).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The request is invalid: options contradict each other, or a name is unknown.
    #[error("{0}")]
    Usage(Explanation),
    /// An input is rejected, or a file can't be read or written.
    #[error("{0}")]
    Input(Explanation),
    /// A limit is exceeded, and there is no partial result.
    #[error("{0}")]
    Limit(Explanation),
    /// The work was cancelled, and there is no partial result.
    #[error("{0}")]
    Interrupted(Explanation),
    /// A result failed its check, such as a solution that doesn't end in a goal state. This is a
    /// mistake in the program or in a file that claims the result.
    #[error("{0}")]
    Wrong(Explanation),
    /// A text has errors, each with its place.
    #[error("{0}")]
    Text(Box<TextErrors>),
}

/// The kind of an error: it says who has to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The request is invalid: whoever wrote it has to change it.
    Usage,
    /// An input is rejected, or a file can't be read or written.
    Input,
    /// A limit is exceeded: a higher limit or a smaller request may help.
    Limit,
    /// The work was cancelled.
    Interrupted,
    /// A result failed its check.
    Wrong,
}

/// A message, with its cause and a hint where there are any.
#[derive(Debug)]
pub struct Explanation {
    message: Message,
    hint: Option<Message>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl Explanation {
    fn new(message: impl Into<Message>) -> Self {
        Self {
            message: message.into(),
            hint: None,
            source: None,
        }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message.fmt(f)
    }
}

impl StdError for Explanation {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

/// The errors of a text.
#[derive(Debug)]
pub struct TextErrors {
    /// The text with its diagnostics.
    pub text: Source,
    /// [`Input`](ErrorKind::Input) if the text is rejected, [`Limit`](ErrorKind::Limit) if it is
    /// larger than a limit allows.
    pub kind: ErrorKind,
}

impl fmt::Display for TextErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut errors = self.text.diagnostics.iter().filter(|it| it.is_error());
        let Some(first) = errors.next() else {
            return write!(f, "`{}` can't be read", self.text.name);
        };
        write!(f, "{}", self.text.name)?;
        if let Some(label) = &first.primary {
            let index = psvn_syntax::LineIndex::new(&self.text.text);
            let (line, column) = index.line_column(label.span.start);
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", first.message)?;
        match errors.count() {
            0 => Ok(()),
            n => write!(f, " (and {n} more)"),
        }
    }
}

impl StdError for TextErrors {}

/// An error of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The stable name of the kind of error, in kebab case, such as `wrong-row-length`.
    pub code: &'static str,
    /// The problem.
    pub message: String,
    /// The line and the column, in characters, both from 1; `None` where it has no place.
    pub place: Option<(usize, usize)>,
    /// A hint: what to do about it.
    pub hint: Option<String>,
}

impl TextErrors {
    /// Return the errors with their places, in the order of the text.
    pub fn errors(&self) -> Vec<TextError> {
        let index = psvn_syntax::LineIndex::new(&self.text.text);
        let errors = self.text.diagnostics.iter().filter(|it| it.is_error());
        let error = |it: &psvn_syntax::Diagnostic| TextError {
            code: it.code,
            message: it.message.clone(),
            place: it
                .primary
                .as_ref()
                .map(|label| index.line_column(label.span.start)),
            hint: it.hint.clone(),
        };
        errors.map(error).collect()
    }
}

impl From<psvn_ir::RuleNameError> for Error {
    fn from(error: psvn_ir::RuleNameError) -> Self {
        redundancy::Error::from(error).into()
    }
}

impl From<redundancy::Error> for Error {
    fn from(error: redundancy::Error) -> Self {
        let failure = Self::of_kind(error.kind(), error.to_string());
        match error.hint() {
            Some(hint) => failure.with_hint(hint_of(hint)),
            None => failure,
        }
    }
}

/// A hint about redundant sequences, in this library's terms.
fn hint_of(hint: &Hint) -> Message {
    match hint {
        Hint::Text(text) => text.into(),
        Hint::ListRules => message![Task::ListRules, " the rules"],
        Hint::WriteMachineFile => message![Task::WriteMachineFile, " machine files"],
        Hint::AssumeLess => message![
            "correct the state, or analyze the game again with `",
            Parameter::Invariants.is("none"),
            "` or with this state as `",
            Parameter::Start,
            "`"
        ],
        Hint::CompareByLength => message![
            "search by cost (`",
            Parameter::Algorithm.is("ida"),
            "`), or analyze with `",
            Parameter::Order.is(move_prune::Order::LengthLexicographic.name()),
            "`"
        ],
        Hint::AnalyzeByLabels => message![
            "analyze the game again with `",
            Parameter::Letters.is("labels"),
            "`"
        ],
        Hint::AnalyzeForStates => message![
            "analyze the game with `",
            Parameter::SearchFor.is("states"),
            "`"
        ],
        _ => Message::default(),
    }
}

impl From<search::BestFirstError> for Error {
    fn from(error: search::BestFirstError) -> Self {
        Self::input(error.to_string()).caused_by(error)
    }
}

impl From<search::StateMismatch> for Error {
    fn from(error: search::StateMismatch) -> Self {
        Self::input(error.to_string()).caused_by(error)
    }
}

impl Error {
    /// Make an error of the kind [`Usage`](ErrorKind::Usage).
    pub fn usage(message: impl Into<Message>) -> Self {
        Self::Usage(Explanation::new(message))
    }

    /// Make an error of the kind [`Input`](ErrorKind::Input).
    pub fn input(message: impl Into<Message>) -> Self {
        Self::Input(Explanation::new(message))
    }

    /// Make an error of the kind [`Limit`](ErrorKind::Limit).
    pub fn limit(message: impl Into<Message>) -> Self {
        Self::Limit(Explanation::new(message))
    }

    /// Make an error of the kind [`Interrupted`](ErrorKind::Interrupted).
    pub fn interrupted(message: impl Into<Message>) -> Self {
        Self::Interrupted(Explanation::new(message))
    }

    /// Make an error of the kind [`Wrong`](ErrorKind::Wrong).
    pub fn wrong(message: impl Into<Message>) -> Self {
        Self::Wrong(Explanation::new(message))
    }

    /// Make an error of the kind that an analysis gives.
    pub(crate) fn of_kind(kind: redundancy::ErrorKind, message: impl Into<Message>) -> Self {
        match kind {
            redundancy::ErrorKind::Usage => Self::usage(message),
            redundancy::ErrorKind::Limit => Self::limit(message),
            redundancy::ErrorKind::Interrupted => Self::interrupted(message),
            redundancy::ErrorKind::Wrong => Self::wrong(message),
            _ => Self::input(message),
        }
    }

    /// A text has errors.
    pub fn text(text: Source, kind: ErrorKind) -> Self {
        Self::Text(Box::new(TextErrors { text, kind }))
    }

    fn explanation_mut(&mut self) -> Option<&mut Explanation> {
        match self {
            Self::Usage(it)
            | Self::Input(it)
            | Self::Limit(it)
            | Self::Interrupted(it)
            | Self::Wrong(it) => Some(it),
            Self::Text(_) => None,
        }
    }

    /// Add a hint: what to do about it.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<Message>) -> Self {
        if let Some(explanation) = self.explanation_mut() {
            explanation.hint = Some(hint.into());
        }
        self
    }

    /// Put the subject in front of the message.
    #[must_use]
    pub(crate) fn about(mut self, what: &str) -> Self {
        if let Some(explanation) = self.explanation_mut() {
            let message = std::mem::replace(&mut explanation.message, what.into());
            explanation.message.push(message);
        }
        self
    }

    /// Add the cause.
    #[must_use]
    pub fn caused_by(mut self, source: impl StdError + Send + Sync + 'static) -> Self {
        if let Some(explanation) = self.explanation_mut() {
            explanation.source = Some(Box::new(source));
        }
        self
    }

    /// Return the kind of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Usage(_) => ErrorKind::Usage,
            Self::Input(_) => ErrorKind::Input,
            Self::Limit(_) => ErrorKind::Limit,
            Self::Interrupted(_) => ErrorKind::Interrupted,
            Self::Wrong(_) => ErrorKind::Wrong,
            Self::Text(errors) => errors.kind,
        }
    }

    /// Return the message, for programs with their own [terms](crate::text::Terms).
    pub fn message(&self) -> Message {
        match self {
            Self::Usage(it)
            | Self::Input(it)
            | Self::Limit(it)
            | Self::Interrupted(it)
            | Self::Wrong(it) => it.message.clone(),
            Self::Text(errors) => errors.to_string().into(),
        }
    }

    /// Return the hint, where there is one.
    pub fn hint(&self) -> Option<&Message> {
        match self {
            Self::Usage(it)
            | Self::Input(it)
            | Self::Limit(it)
            | Self::Interrupted(it)
            | Self::Wrong(it) => it.hint.as_ref(),
            Self::Text(_) => None,
        }
    }
}
