//! Connect Four with bitboards: 7 bits for each column, the lowest for the bottom row, the highest
//! always empty. A program for this game alone.

/// The least score of a won game.
const WIN: i32 = 1_000_000_000;

const BOTTOM: u64 = 0x0000_0408_1020_4081;
const BOARD: u64 = BOTTOM * 0b11_1111;

/// The distances of the squares of a line: in a column, in a row, and in both diagonals.
const DIRECTIONS: [u32; 4] = [1, 7, 6, 8];

/// Whether there is a line of four among these marks.
#[inline(always)]
fn has_line(marks: u64) -> bool {
    let line = |distance: u32| {
        let pairs = marks & (marks >> distance);
        pairs & (pairs >> (2 * distance))
    };
    DIRECTIONS.iter().fold(0, |a, distance| a | line(*distance)) != 0
}

/// The lines of four squares that aren't among the marks of the opponent.
#[inline(always)]
fn open_lines(opponent: u64) -> u32 {
    let free = BOARD & !opponent;
    let open = |distance: u32| {
        let pairs = free & (free >> distance);
        (pairs & (pairs >> (2 * distance))).count_ones()
    };
    DIRECTIONS.iter().map(|distance| open(*distance)).sum()
}

/// AlphaBeta over a fixed number of moves, columns from the left, without a table.
pub(crate) struct ConnectFour {
    /// Whether positions at the end of the search are worth the difference of open lines, or 0.
    pub(crate) evaluates: bool,
    /// Positions visited.
    pub(crate) nodes: u64,
}

impl ConnectFour {
    /// The score of the empty board for the first player, quick wins first.
    pub(crate) fn search(&mut self, ply: u32) -> i32 {
        let top = WIN + ply as i32;
        if self.evaluates {
            self.alpha_beta::<true>(0, 0, ply, -top, top)
        } else {
            self.alpha_beta::<false>(0, 0, ply, -top, top)
        }
    }

    fn alpha_beta<const EVALUATES: bool>(
        &mut self,
        own: u64,
        all: u64,
        remaining: u32,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        self.nodes += 1;
        let mut moves = (all + BOTTOM) & BOARD;
        if moves == 0 {
            return 0;
        }
        if remaining == 0 {
            return if EVALUATES {
                open_lines(all ^ own) as i32 - open_lines(own) as i32
            } else {
                0
            };
        }
        while moves != 0 {
            let square = moves & moves.wrapping_neg();
            moves ^= square;
            let score = if has_line(own | square) {
                self.nodes += 1;
                WIN + remaining as i32 - 1
            } else {
                let (own, all) = (all ^ own, all | square);
                -self.alpha_beta::<EVALUATES>(own, all, remaining - 1, -beta, -alpha)
            };
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        alpha
    }
}
