//! Instances of the 15-puzzle, and their heuristic.

use psvn_ir::Game;
use search::ValueSums;

use crate::manhattan::Board;

/// Some of the hundred instances that Korf published in 1985, by number, with the length of their
/// shortest solutions. The goal is 0, 1, 2, ... 15.
pub(crate) const INSTANCES: [(u32, u64, Board); 6] = [
    (
        2,
        55,
        [13, 5, 4, 10, 9, 12, 8, 14, 2, 3, 7, 1, 0, 15, 11, 6],
    ),
    (
        5,
        56,
        [4, 7, 14, 13, 10, 3, 9, 12, 11, 5, 6, 15, 1, 2, 8, 0],
    ),
    (
        16,
        42,
        [1, 3, 2, 5, 10, 9, 15, 6, 8, 14, 13, 11, 12, 4, 7, 0],
    ),
    (
        20,
        52,
        [6, 12, 11, 3, 13, 7, 9, 15, 2, 14, 8, 10, 4, 1, 5, 0],
    ),
    (
        23,
        49,
        [10, 9, 3, 11, 0, 13, 2, 14, 5, 6, 4, 7, 8, 15, 1, 12],
    ),
    (
        96,
        49,
        [1, 7, 15, 14, 2, 6, 4, 9, 12, 11, 13, 3, 0, 8, 5, 10],
    ),
];

/// Manhattan distance, written by hand.
pub(crate) fn manhattan_distance(game: &Game) -> ValueSums {
    ValueSums::new(game, |square, tile| match tile.0 {
        0 => 0,
        tile => (square.0 / 4).abs_diff(tile / 4) + (square.0 % 4).abs_diff(tile % 4),
    })
}
