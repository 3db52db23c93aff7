//! Boards and pictures of the crates `drawing` and `pictures`.

use std::path::Path;

use psvn::{Error, Game};

pub(crate) use drawing::{BoardLayout, TooLarge};
pub(crate) use pictures::{Arrows, animation, draw_machine, draw_search, draw_tree, draw_words};

/// The layout of a game's boards: from a file, or else the one that the game declares.
pub(crate) fn layout(game: &Game, file: Option<&Path>) -> Result<Option<BoardLayout>, Error> {
    game.board_layout(file)
}

/// The same, where there has to be one.
pub(crate) fn needed_layout(game: &Game, file: Option<&Path>) -> Result<BoardLayout, Error> {
    game.needed_board_layout(file)
}
