//! The input of an export, and games of the crate `psvn` as such.

mod of_game;

use psvn_ir::Game;

pub use self::of_game::{Language, ProgramExport, ProgramFile};
use crate::history::Histories;

/// The version of the file's form. It grows when a program that includes the file may need a
/// change.
pub const FORMAT_VERSION: u32 = 1;

/// The most bytes of a file: 64 MiB, which a compiler translates in about a minute.
pub const MOST_BYTES: usize = 64 << 20;

/// The input of an export.
#[derive(Clone, Copy, Debug)]
pub struct Export<'a> {
    /// The game's name in the comment at the top.
    pub name: &'a str,
    /// The game.
    pub game: &'a Game,
    /// The machine over its rules that gives the forward history, if there is one.
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
        /// The machine over its rules that gives the backward history, if there is one.
        histories: Option<Histories<'a>>,
    },
    /// They are left out, for this reason.
    LeftOut(&'a str),
}
