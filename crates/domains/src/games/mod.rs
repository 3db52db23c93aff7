//! The generators, one module for each game (or family of games).

pub(crate) mod arrow;
pub(crate) mod blocks;
pub(crate) mod connect;
pub(crate) mod edit_distance;
pub(crate) mod ghi;
pub(crate) mod grid;
pub(crate) mod gripper;
pub(crate) mod hanoi;
pub(crate) mod lights_out;
pub(crate) mod logistics;
pub(crate) mod maze;
pub(crate) mod nim;
pub(crate) mod pancake;
pub(crate) mod pawns;
pub(crate) mod pyraminx;
pub(crate) mod rubik;
pub(crate) mod slide_jump;
pub(crate) mod sliding_tiles;
pub(crate) mod sokoban;
pub(crate) mod tic_tac_toe;
pub(crate) mod topspin;
pub(crate) mod work_or_golf;

mod picture;
mod squares;
mod tokens;
