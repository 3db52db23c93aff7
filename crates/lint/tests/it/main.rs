//! Tests the warnings about wrong puzzles, and that correct puzzles get none.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod clean;
mod corpus;
mod fixes;
mod mutants;
mod mutations;
mod space;
mod wrong;

use psvn_ir::Game;

/// The codes of all warnings about a text, those of single rules and those of the whole game; and
/// the game.
pub(crate) fn codes(text: &str) -> (Vec<&'static str>, Option<Game>) {
    let loaded = psvn_ir::load(text);
    let mut codes: Vec<&'static str> = loaded.diagnostics.iter().map(|found| found.code).collect();
    if let Some(game) = &loaded.game {
        codes.extend(lint::lint(game).iter().map(|found| found.code));
    }
    (codes, loaded.game)
}
