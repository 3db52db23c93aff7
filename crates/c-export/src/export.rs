//! What is to be written.

use psvn_ir::Game;

use crate::history::Histories;

/// The version of the form of the file. It grows when a program that includes such a file may need
/// a change.
pub const FORMAT_VERSION: u32 = 1;

/// The most bytes of a file: 64 MiB, of which a compiler makes an object in a minute or so.
pub const MOST_BYTES: usize = 64 << 20;

/// What is to be written.
#[derive(Clone, Copy, Debug)]
pub struct Export<'a> {
    /// What the comment at the top calls the game.
    pub name: &'a str,
    /// The game.
    pub game: &'a Game,
    /// The machine over its rules that is the forward history, if there is one.
    pub forward: Option<Histories<'a>>,
    /// The rules run backward.
    pub backward: Backward<'a>,
}

/// The rules run backward, or why there are none.
#[derive(Clone, Copy, Debug)]
pub enum Backward<'a> {
    /// They are in the file.
    Rules {
        /// The [backward](Game::backward) game.
        game: &'a Game,
        /// The machine over its rules that is the backward history, if there is one.
        histories: Option<Histories<'a>>,
    },
    /// They are left out, for this reason.
    LeftOut(&'a str),
}
