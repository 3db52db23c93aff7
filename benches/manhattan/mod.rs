//! IDA* with Manhattan distance in the 15-puzzle (Korf 1985).
//!
//! The board is a word, four bits for each square. There is one function for each square of the
//! blank and last direction, so that all shifts and all tables are constants in the code: whether a
//! tile gets nearer to its place is one bit of a constant of 16 bits. No move is undone at once.

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

/// An instance solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Solved {
    /// The length of the solution.
    pub(crate) length: u64,
    /// The children made in all iterations.
    pub(crate) generated: u64,
    /// The children made in all iterations but the last one, which doesn't depend on their order.
    pub(crate) before_last: u64,
}

/// The directions of the blank in the order in which they are tried.
const ORDER: [usize; N_WAYS] = [0, 1, 2, 3];

/// No last direction.
const NONE: usize = N_WAYS;

/// A bit for each tile that gets farther from its place when it moves from `from` to `to`.
const fn farther(from: usize, to: usize) -> u32 {
    let mut set = 0;
    let mut tile = 1;
    while tile < 16 {
        if distance(tile, to) > distance(tile, from) {
            set |= 1 << tile;
        }
        tile += 1;
    }
    set
}

const fn distance(tile: usize, square: usize) -> usize {
    (tile / 4).abs_diff(square / 4) + (tile % 4).abs_diff(square % 4)
}

struct Search {
    generated: u64,
}

/// The tile at `TO` moves to the blank, if the bound allows it.
macro_rules! slide {
    ($search:ident, $board:ident, $slack:ident, $left:ident, $blank:ident, $last:ident, $way:expr) => {
        if let Some(to) = const { free($blank, $last, $way) } {
            let tile = $board >> (4 * to) & 15;
            let worse = const { farther_by($blank, $way) } >> tile & 1;
            if worse <= $slack {
                let child = $board ^ tile << (4 * to) ^ tile << (4 * $blank);
                // Each move costs 1: the total grows by 2 or stays.
                let left = $left - 1 + 2 * worse;
                if left == 0 || $search.at::<{ $way }>(to, child, $slack - worse, left) {
                    return true;
                }
            }
        }
    };
}

/// The blank's next square, unless the move undoes the last one.
const fn free(blank: usize, last: usize, way: usize) -> Option<usize> {
    if last != NONE && way == (last + 2) % N_WAYS {
        None
    } else {
        neighbor(blank, way)
    }
}

const fn farther_by(blank: usize, way: usize) -> u32 {
    match neighbor(blank, way) {
        Some(from) => farther(from, blank),
        None => 0,
    }
}

const fn n_free(blank: usize, last: usize) -> u64 {
    let (mut n, mut way) = (0, 0);
    while way < N_WAYS {
        if free(blank, last, way).is_some() {
            n += 1;
        }
        way += 1;
    }
    n
}

impl Search {
    /// Expand a node. `slack` is the number of further moves away from home that the bound allows,
    /// and `left` is the Manhattan distance.
    fn descend<const BLANK: usize, const LAST: usize>(
        &mut self,
        board: u64,
        slack: u32,
        left: u32,
    ) -> bool {
        self.generated += const { n_free(BLANK, LAST) };
        slide!(self, board, slack, left, BLANK, LAST, ORDER[0]);
        slide!(self, board, slack, left, BLANK, LAST, ORDER[1]);
        slide!(self, board, slack, left, BLANK, LAST, ORDER[2]);
        slide!(self, board, slack, left, BLANK, LAST, ORDER[3]);
        false
    }

    /// Expand a node by the square of its blank, which is a constant in the call.
    #[inline(always)]
    fn at<const LAST: usize>(&mut self, blank: usize, board: u64, slack: u32, left: u32) -> bool {
        macro_rules! squares {
            ($($square:literal)*) => {
                match blank {
                    $($square => self.descend::<$square, LAST>(board, slack, left),)*
                    _ => unreachable!("there are 16 squares"),
                }
            };
        }
        squares!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    }
}

/// Solve an instance whose goal is 0, 1, 2, ... 15.
pub(crate) fn solve_fifteen(board: &Board) -> Solved {
    let tiles = board.iter().enumerate().filter(|(_, tile)| **tile != 0);
    let left: usize = tiles
        .map(|(square, tile)| distance(*tile as usize, square))
        .sum();
    let mut search = Search { generated: 0 };
    let mut before_last = 0;
    // Each move changes the total by 0 or 2: bounds in between are useless.
    let mut slack = 0;
    let blank = board.iter().position(|tile| *tile == 0).unwrap_or(0);
    let squares = board.iter().enumerate();
    let word = squares.fold(0, |word, (i, tile)| word | u64::from(*tile) << (4 * i));
    while left > 0 && !search.at::<NONE>(blank, word, slack, left as u32) {
        before_last = search.generated;
        slack += 1;
    }
    Solved {
        length: left as u64 + 2 * u64::from(slack),
        generated: search.generated,
        before_last,
    }
}
