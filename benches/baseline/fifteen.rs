//! The 15-puzzle.

use super::Tally;
use super::lines::{Choices, Move, Tree, Twists};

/// A board: the tile in each square, 0 for the blank.
pub(crate) type Board = [u8; 16];

/// The directions of the blank: up, right, down, left.
const N_WAYS: usize = 4;

/// The square to which the blank moves, if there is one.
const fn neighbor(square: usize, way: usize) -> Option<usize> {
    match way {
        0 if square >= 4 => Some(square - 4),
        1 if square % 4 < 3 => Some(square + 1),
        2 if square < 12 => Some(square + 4),
        3 if square & 3 != 0 => Some(square - 1),
        _ => None,
    }
}

/// The solved board.
fn solved() -> Board {
    std::array::from_fn(|i| i as u8)
}

fn blank(board: &Board) -> usize {
    board.iter().position(|tile| *tile == 0).unwrap_or(0)
}

/// A plain search: the board in one word, four bits for each square.
pub(crate) struct Fifteen {
    /// The moves that may come next, by the square of the blank and the last direction, with an
    /// entry for none after the directions.
    moves: Vec<Vec<Slide>>,
}

/// A tile moves into the blank.
#[derive(Clone, Copy)]
struct Slide {
    from: u32,
    to: u32,
    memory: u32,
}

fn pack(board: &Board) -> u64 {
    let squares = board.iter().enumerate();
    squares.fold(0, |word, (i, tile)| word | u64::from(*tile) << (4 * i))
}

/// The memory of the search: the square of the blank, and the last direction, [`N_WAYS`] for none.
fn memory(square: usize, last: usize) -> usize {
    square * (N_WAYS + 1) + last
}

/// The directions that may come next, and the blank's square after each.
fn ways(square: usize, last: usize, prune: bool) -> impl Iterator<Item = (usize, usize)> {
    let back = (last < N_WAYS && prune).then(|| (last + 2) % N_WAYS);
    let fits = move |way: &usize| Some(*way) != back;
    (0..N_WAYS)
        .filter(fits)
        .filter_map(move |way| Some((way, neighbor(square, way)?)))
}

impl Fifteen {
    /// With `prune`, no move is undone at once, as in an analysis of length 2.
    pub(crate) fn new(prune: bool) -> Self {
        let memories = (0..16).flat_map(|square| (0..=N_WAYS).map(move |last| (square, last)));
        let slides = |(square, last)| {
            let slide = |(way, from): (usize, usize)| Slide {
                from: 4 * from as u32,
                to: 4 * square as u32,
                memory: memory(from, way) as u32,
            };
            ways(square, last, prune).map(slide).collect()
        };
        Self {
            moves: memories.map(slides).collect(),
        }
    }

    /// The tree below a start down to `depth`.
    pub(crate) fn count(&self, start: &Board, depth: u64) -> Tally {
        let mut tally = Tally { nodes: 1, goals: 0 };
        if depth > 0 {
            let memory = memory(blank(start), N_WAYS);
            self.descend(pack(start), memory, depth, pack(&solved()), &mut tally);
        }
        tally
    }

    fn descend(&self, board: u64, memory: usize, depth: u64, goal: u64, tally: &mut Tally) {
        let slides = &self.moves[memory];
        tally.nodes += slides.len() as u64;
        for slide in slides {
            let tile = board >> slide.from & 15;
            let child = board ^ tile << slide.from ^ tile << slide.to;
            if depth == 1 {
                tally.goals += u64::from(child == goal);
            } else {
                self.descend(child, slide.memory as usize, depth - 1, goal, tally);
            }
        }
    }
}

/// A search in the 15-puzzle with up to four children at a time.
pub(crate) fn fifteen_in_lines(start: &Board, prune: bool) -> impl Fn(u64) -> Tally + use<> {
    let mut choices: Vec<Choices<16>> = Vec::new();
    for square in 0..16 {
        for last in 0..=N_WAYS {
            let slide = |(way, to): (usize, usize)| {
                let mut from: [u8; 16] = std::array::from_fn(|i| i as u8);
                from.swap(square, to);
                (Move::plain(from), memory(to, way))
            };
            choices.push(ways(square, last, prune).map(slide).collect());
        }
    }
    let tree = Tree::new(&choices, Twists::None, solved());
    let start = *start;
    move |depth| tree.count(&start, memory(blank(&start), N_WAYS), depth)
}
