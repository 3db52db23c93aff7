//! Twisty puzzles: `.tws` files of ksolve and twsearch, and the KPuzzle JSON of cubing.js.

mod comments;
mod definitions;
mod from_game;
mod kpuzzle;
mod marks;
mod notation;
mod position;
mod puzzle;
mod to_psvn;
mod turns;
mod tws;

pub use from_game::{TwsError, to_tws};
pub use kpuzzle::parse as parse_kpuzzle;
pub use puzzle::{Arrangement, Illegal, Move, Multiples, Puzzle, Set};
pub use to_psvn::{Encoding, MOST_RULES, to_psvn, to_psvn_within};
pub use turns::{MOST_ORDER, Turn};
pub use tws::parse as parse_tws;
