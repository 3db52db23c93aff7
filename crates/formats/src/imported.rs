//! The result of an import.

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
    ) -> Result<Self, Vec<Diagnostic>> {
        match problems.has_errors() {
            true => Err(problems.finish()),
            false => Ok(Self {
                text,
                notes: problems.finish(),
                names,
            }),
        }
    }
}

/// Return whether a remark says that a game lacks something of the original.
pub fn is_gap(note: &Diagnostic) -> bool {
    GAPS.contains(&note.code)
}
