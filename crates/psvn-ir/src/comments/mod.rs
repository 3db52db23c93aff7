//! Comments in a game's text that this toolkit reads; other programs skip them.
//!
//! | comment line | what it declares |
//! |---|---|
//! | `# start: STATE`, `# start NAME: STATE` | start states |
//! | `# players: N` | how many players move: 1, or 2 in turn |
//! | `# alias: NAME = MOVES` | another name of a move, or one of several moves in a row |
//! | `# rotation: NAME = MOVE -> MOVE ..` | a turn of the whole puzzle |
//! | `# illegal: VARIABLE = VALUES, ..` | values that no state has together |
//! | `# abstraction: NAME` | the name of the abstraction block that follows |
//!
//! Layouts of boards (`# layout:`) are known where boards are drawn.

mod abstractions;
mod aliases;
mod illegal;
mod rotations;
mod start;

pub use self::abstractions::{AbstractionBlock, Abstractions, mentions_abstractions};
pub use self::aliases::Aliases;
pub use self::illegal::Illegal;
pub use self::rotations::Rotations;

use crate::Game;

/// What the comments in a game's text declare.
#[derive(Clone, Debug, Default)]
pub struct Comments {
    /// The start state, in the spelling of the text.
    pub start: Option<String>,
    /// The start states that have names, after these.
    pub named_starts: Vec<(String, String)>,
    /// The number of players: 1 or 2.
    pub players: Option<u8>,
    /// Names of moves beside the labels.
    pub aliases: Aliases,
    /// Turns of the whole puzzle.
    pub rotations: Rotations,
    /// Values that no state has together.
    pub illegal: Illegal,
    /// Abstraction blocks with their names.
    pub abstractions: Abstractions,
}

impl Comments {
    /// Read the comments of the text of a game. Lines that aren't understood declare nothing.
    pub fn of(text: &str, game: &Game) -> Self {
        Self {
            start: start::declared(text),
            named_starts: start::named(text),
            players: players(text),
            aliases: Aliases::of(text),
            rotations: Rotations::of(text),
            illegal: Illegal::of(text, game),
            abstractions: Abstractions::of(text),
        }
    }
}

/// Return the number of players that a comment line `# players: N` declares: 1 or 2.
pub fn players(text: &str) -> Option<u8> {
    lines_of(text, "players").find_map(|players| match players {
        "1" => Some(1),
        "2" => Some(2),
        _ => None,
    })
}

/// The comment lines, without the marks that begin them.
fn lines(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = line.trim_start();
        line.strip_prefix('#').or_else(|| line.strip_prefix(';'))
    })
}

/// The contents of the comment lines that begin with a word and a colon.
fn lines_of<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = &'t str> {
    lines(text)
        .filter_map(move |comment| comment.trim().strip_prefix(word))
        .filter_map(|rest| rest.strip_prefix(':'))
        .map(str::trim)
}
