//! Walks and pushes on boards, and the pictures that describe boards.

pub(crate) mod collection;
pub(crate) mod grid;
pub(crate) mod lights_out;
pub(crate) mod map;
pub(crate) mod sokoban;

mod level;
mod picture;
