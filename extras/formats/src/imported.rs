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

/// The codes of remarks on what the game lacks.
const GAPS: &[&str] = &["kpuzzle-derived", "kpuzzle-orbit", "sas-no-goal"];

impl Imported {
    /// Return the remarks on what the game lacks of the original. Whoever computes something from
    /// the game must know them, since it may not hold for the original.
    pub fn gaps(&self) -> impl Iterator<Item = &Diagnostic> {
        self.notes.iter().filter(|note| is_gap(note))
    }

    /// Return the result of an import, or the errors in the text.
    pub(crate) fn unless_wrong(
        text: String,
        names: Vec<(String, String)>,
        problems: Problems,
    ) -> Result<Self, Rejected> {
        if problems.has_errors() {
            Err(problems.into())
        } else {
            Ok(Self {
                text,
                notes: problems.finish(),
                names,
            })
        }
    }
}

/// Return whether a remark says that a game lacks something of the original.
pub fn is_gap(note: &Diagnostic) -> bool {
    GAPS.contains(&note.code)
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
