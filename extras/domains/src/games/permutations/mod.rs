//! Puzzles whose rules move values between positions and create no new ones.

pub(crate) mod pancake;
pub(crate) mod pyraminx;
pub(crate) mod rubik;
pub(crate) mod sliding_tiles;
pub(crate) mod topspin;

mod tokens;
