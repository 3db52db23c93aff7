//! The result of an import.

use psvn_ir::LoadStop;
use psvn_syntax::Diagnostic;

use crate::problems::Problems;

/// A text of another format as PSVN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The game.
    pub text: String,
    /// Remarks, with places in the original.
    pub notes: Vec<Diagnostic>,
    /// The words of the game, with the original names that they stand for.
    pub names: Vec<(String, String)>,
}

impl Imported {
    /// Return the result of an import, or the errors in the text.
    pub(crate) fn unless_wrong(
        text: String,
        names: Vec<(String, String)>,
        problems: Problems,
    ) -> Result<Self, Rejected> {
        match problems.has_errors() {
            true => Err(problems.into()),
            false => Ok(Self {
                text,
                notes: problems.finish(),
                names,
            }),
        }
    }
}

/// Why a text of another format gives no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// All findings in the text, each with its place; at least one is an error.
    pub diagnostics: Vec<Diagnostic>,
    /// The limit that was reached, if any. One of the errors says where, and what took it.
    pub stopped: Option<LoadStop>,
}

impl From<Problems> for Rejected {
    fn from(problems: Problems) -> Self {
        Self {
            stopped: problems.stopped(),
            diagnostics: problems.finish(),
        }
    }
}

impl From<Vec<Diagnostic>> for Rejected {
    /// Findings that have nothing to do with limits.
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Self {
            diagnostics,
            stopped: None,
        }
    }
}
