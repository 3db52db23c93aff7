//! What an import makes.

use psvn_syntax::Diagnostic;

use crate::problems::Problems;

/// A text of another format as PSVN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The game.
    pub text: String,
    /// What is worth a remark, with places in the original.
    pub notes: Vec<Diagnostic>,
    /// The words of the game, with the names that they stand for in the original.
    pub names: Vec<(String, String)>,
}

impl Imported {
    /// What was made of a text, or what is wrong with it.
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
