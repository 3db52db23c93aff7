//! The generators, one module for each game (or family of games).

pub(crate) mod arrow;
pub(crate) mod boards;
pub(crate) mod edit_distance;
pub(crate) mod ghi;
pub(crate) mod hanoi;
pub(crate) mod permutations;
pub(crate) mod planning;
pub(crate) mod slide_jump;
pub(crate) mod two_players;
pub(crate) mod work_or_golf;
