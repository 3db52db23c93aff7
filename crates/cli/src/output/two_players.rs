//! Warnings of commands for one player about games of two players.

use psvn::Game;

use crate::session::Context;

/// The warning of `psvn analyze`.
pub(crate) const ANALYSIS: &str =
    "redundant sequences hold only if one player makes all moves; `psvn play` doesn't use them";
/// The warning of `psvn solve`.
pub(crate) const SOLUTION: &str =
    "a solution is a line of play in which both work together; `psvn play` finds the best moves";
/// The warning of `psvn tree`.
pub(crate) const TREE: &str =
    "the columns with pruning are right only if one player makes all moves";

/// Warn that a command for one player is used on a game that is declared as one of two.
pub(crate) fn warn(game: &Game, consequence: &str, cx: &Context) {
    if game.players() == Some(2) {
        cx.log.warning(&format!(
            "{} is a game of two players: {consequence}",
            game.name()
        ));
    }
}
