//! What an import makes.

use psvn_syntax::Diagnostic;

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
