//! Why a command fails.

use std::io::{self, Write};

use psvn::ErrorKind;
use psvn::store::read;

use crate::exit::Exit;
use crate::output::terms::CommandTerms;

/// An error on its way to the user: a message, perhaps a hint, and the exit code.
#[derive(Debug)]
pub(crate) struct Failure {
    kind: Kind,
    hint: Option<String>,
}

#[derive(Debug)]
enum Kind {
    /// The command line, an input, or a limit.
    Message { exit: Exit, message: String },
    /// The error was printed already.
    Reported(Exit),
    /// Standard output can't be written to.
    Output(io::Error),
}

impl Failure {
    /// The command line makes no sense.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }

    /// An input is rejected.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::new(Exit::Input, message)
    }

    /// Something exceeds a limit.
    pub(crate) fn limit(message: impl Into<String>) -> Self {
        Self::new(Exit::Limit, message)
    }

    /// The program was built without something, which a feature of its package adds.
    #[cfg(not(all(
        feature = "c-export",
        feature = "cluster",
        feature = "debugger",
        feature = "domains",
        feature = "experiments",
        feature = "formats",
        feature = "lsp",
        feature = "players",
        feature = "studio"
    )))]
    pub(crate) fn missing(what: &str, feature: &str) -> Self {
        Self::usage(format!("this program was built without {what}"))
            .hint(format!("build it with the feature `{feature}`"))
    }

    /// The error was printed already.
    pub(crate) fn reported(exit: Exit) -> Self {
        Self {
            kind: Kind::Reported(exit),
            hint: None,
        }
    }

    fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self {
            kind: Kind::Message {
                exit,
                message: message.into(),
            },
            hint: None,
        }
    }

    /// Add a hint.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The exit code.
    pub(crate) fn exit(&self) -> Exit {
        match &self.kind {
            Kind::Message { exit, .. } | Kind::Reported(exit) => *exit,
            Kind::Output(_) => Exit::Input,
        }
    }

    /// The message, unless it was printed already.
    pub(crate) fn message(&self) -> Option<String> {
        match &self.kind {
            Kind::Message { message, .. } => Some(message.clone()),
            Kind::Reported(_) => None,
            Kind::Output(error) => Some(cant_write(&read::reason(error))),
        }
    }

    /// A hint: what to do about it.
    pub(crate) fn hint_text(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Whether the reader of standard output has gone.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(&self.kind, Kind::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

fn cant_write(reason: &str) -> String {
    format!("can't write to standard output: {reason}")
}

/// Report that standard output can't be written to, where no command runs.
pub(crate) fn output(reason: &str) -> Exit {
    let _ = writeln!(io::stderr(), "error: {}", cant_write(reason));
    Exit::Input
}

/// Commands use `?` on plain I/O errors only when they write to standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self {
            kind: Kind::Output(error),
            hint: None,
        }
    }
}

impl From<psvn::analysis::AnalyzeError> for Failure {
    fn from(error: psvn::analysis::AnalyzeError) -> Self {
        psvn::Error::from(error).into()
    }
}

impl From<psvn::heuristic::PrepareError> for Failure {
    fn from(error: psvn::heuristic::PrepareError) -> Self {
        psvn::Error::from(error).into()
    }
}

impl From<psvn::Error> for Failure {
    fn from(error: psvn::Error) -> Self {
        let exit = match error.kind() {
            ErrorKind::Usage => Exit::Usage,
            ErrorKind::Limit => Exit::Limit,
            ErrorKind::Interrupted => Exit::Interrupted,
            ErrorKind::Wrong => Exit::No,
            _ => Exit::Input,
        };
        // Errors of a text were printed when it was read.
        if matches!(error, psvn::Error::Text(_)) {
            return Self::reported(exit);
        }
        let failure = Self::new(exit, error.message().in_terms_of(&CommandTerms));
        match error.hint() {
            Some(hint) => failure.hint(hint.in_terms_of(&CommandTerms)),
            None => failure,
        }
    }
}
