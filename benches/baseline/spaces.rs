//! Whole spaces by breadth-first search over two bits a state, written for one puzzle: states are
//! numbers, and successors are computed or looked up.

const NEW: u64 = 0;
const DONE: u64 = 3;
const EACH: u64 = 0x5555_5555_5555_5555;

/// A puzzle whose states are the numbers below a bound, the goal among them.
pub(crate) trait Space {
    fn n_states(&self) -> usize;

    fn goal(&self) -> usize;

    /// Call `each` with all neighbors of a state.
    fn neighbors(&self, state: usize, each: impl FnMut(usize));

    /// The number of states at each distance from the goal.
    fn layers(&self) -> Vec<u64> {
        let mut words = vec![0_u64; self.n_states().div_ceil(32)];
        let (mut current, mut next) = (1, 2);
        words[self.goal() / 32] = current << (self.goal() % 32 * 2);
        let mut sizes = Vec::new();
        loop {
            let mut size = 0;
            for word in 0..words.len() {
                let differs = words[word] ^ (EACH * current);
                let mut found = !(differs | differs >> 1) & EACH;
                size += u64::from(found.count_ones());
                // Mark current states as done.
                words[word] ^= found * (current ^ DONE);
                while found != 0 {
                    let state = word * 32 + found.trailing_zeros() as usize / 2;
                    found &= found - 1;
                    self.neighbors(state, |neighbor| {
                        let shift = neighbor % 32 * 2;
                        let word = &mut words[neighbor / 32];
                        if *word >> shift & 3 == NEW {
                            *word |= next << shift;
                        }
                    });
                }
            }
            if size == 0 {
                return sizes;
            }
            sizes.push(size);
            std::mem::swap(&mut current, &mut next);
        }
    }
}

/// A quarter turn: the corner that comes to each place, and its twist there. Corners are URF, UFL,
/// ULB, UBR, DFR, DLF, DRB and DBL.
struct Turn([usize; 8], [usize; 8]);

const U: Turn = Turn([3, 0, 1, 2, 4, 5, 6, 7], [0; 8]);
const R: Turn = Turn([4, 1, 2, 0, 6, 5, 3, 7], [2, 0, 0, 1, 1, 0, 2, 0]);
const F: Turn = Turn([1, 5, 2, 3, 0, 4, 6, 7], [1, 2, 0, 0, 2, 1, 0, 0]);
const D: Turn = Turn([0, 1, 2, 3, 5, 7, 4, 6], [0; 8]);
const L: Turn = Turn([0, 2, 7, 3, 4, 1, 6, 5], [0, 1, 2, 0, 0, 2, 0, 1]);
const B: Turn = Turn([0, 1, 3, 6, 4, 5, 7, 2], [0, 0, 1, 2, 0, 0, 1, 2]);

/// The 2x2x2 cube: the order of the corners times their twists, with a table of moves for either.
pub(crate) struct PocketCube {
    n_moves: usize,
    n_twists: usize,
    /// The next order by order and move; `twists` has the next twists by twists and move.
    orders: Vec<u32>,
    twists: Vec<u32>,
}

impl PocketCube {
    /// All six faces turn, so each position counts once for each orientation of the whole cube.
    pub(crate) fn whole() -> Self {
        Self::new(8, &[U, R, F, D, L, B])
    }

    /// One corner stays in place.
    pub(crate) fn fixed() -> Self {
        Self::new(7, &[U, R, F])
    }

    fn new(n_corners: usize, turns: &[Turn]) -> Self {
        let n_orders = (1..=n_corners).product();
        let n_twists = 3_usize.pow(n_corners as u32 - 1);
        let (mut orders, mut twists) = (Vec::new(), Vec::new());
        for number in 0..n_orders {
            let order = order_of(number, n_corners);
            for Turn(from, _) in turns {
                let mut turned = order;
                for _ in 0..3 {
                    turned = std::array::from_fn(|place| turned[from[place]]);
                    orders.push(number_of(&turned[..n_corners]) as u32);
                }
            }
        }
        for number in 0..n_twists {
            let mut twist = [0; 8];
            let mut rest = number;
            for place in &mut twist[..n_corners - 1] {
                *place = rest % 3;
                rest /= 3;
            }
            let sum: usize = twist.iter().sum();
            twist[n_corners - 1] = (3 - sum % 3) % 3;
            for Turn(from, by) in turns {
                let mut turned = twist;
                for _ in 0..3 {
                    turned = std::array::from_fn(|place| (turned[from[place]] + by[place]) % 3);
                    let digits = turned[..n_corners - 1].iter().rev();
                    twists.push(digits.fold(0, |number, digit| number * 3 + digit) as u32);
                }
            }
        }
        Self {
            n_moves: 3 * turns.len(),
            n_twists,
            orders,
            twists,
        }
    }
}

/// The permutation with a number, in lexicographic order; places after it are unchanged.
fn order_of(mut number: usize, n: usize) -> [usize; 8] {
    let mut order: [usize; 8] = std::array::from_fn(|place| place);
    let mut product: usize = (1..n).product();
    for place in 0..n.saturating_sub(1) {
        order[place..=place + number / product].rotate_right(1);
        number %= product;
        product /= n - 1 - place;
    }
    order
}

fn number_of(order: &[usize]) -> usize {
    (0..order.len()).fold(0, |number, place| {
        let less = order[place..].iter().filter(|it| **it < order[place]);
        number * (order.len() - place) + less.count()
    })
}

impl Space for PocketCube {
    fn n_states(&self) -> usize {
        self.orders.len() / self.n_moves * self.n_twists
    }

    fn goal(&self) -> usize {
        0
    }

    #[inline(always)]
    fn neighbors(&self, state: usize, mut each: impl FnMut(usize)) {
        let orders = &self.orders[state / self.n_twists * self.n_moves..][..self.n_moves];
        let twists = &self.twists[state % self.n_twists * self.n_moves..][..self.n_moves];
        for (order, twist) in orders.iter().zip(twists) {
            each(*order as usize * self.n_twists + *twist as usize);
        }
    }
}

/// The puzzle of 3 x 4 tiles: the place of the blank, and the order of the tiles, row by row. Moves
/// along a row keep the order; others move a tile past three. So the row of the blank decides the
/// half of all orders, and the last two tiles need no number.
pub(crate) struct ElevenPuzzle;

const SQUARES: usize = 12;
const COLUMNS: usize = 4;
const TILES: usize = SQUARES - 1;
/// The number of orders of the tiles after each place, with the same beginning.
const BEHIND: [usize; TILES - 2] = {
    let mut behind = [1; TILES - 2];
    let mut place = TILES - 3;
    while place > 0 {
        behind[place - 1] = behind[place] * (TILES - place);
        place -= 1;
    }
    behind
};

impl Space for ElevenPuzzle {
    fn n_states(&self) -> usize {
        BEHIND[0] * TILES * SQUARES
    }

    fn goal(&self) -> usize {
        0
    }

    #[inline(always)]
    fn neighbors(&self, state: usize, mut each: impl FnMut(usize)) {
        let (order, blank) = (state / SQUARES, state % SQUARES);
        let column = blank % COLUMNS;
        if column > 0 {
            each(state - 1);
        }
        if column + 1 < COLUMNS {
            each(state + 1);
        }
        // The number of lesser tiles after each tile. All but the last two make the state's number.
        let mut less = [0_usize; TILES];
        let mut rest = order;
        for (less, behind) in less.iter_mut().zip(BEHIND) {
            *less = rest / behind;
            rest %= behind;
        }
        let sum: usize = less.iter().sum();
        less[TILES - 2] = (sum + blank / COLUMNS) % 2;
        if blank + COLUMNS < SQUARES {
            // The tile below the blank comes before three others.
            let mut moved = less;
            let mut tile = less[blank + 3];
            for place in (blank..blank + 3).rev() {
                // The counts decide which of two tiles is less.
                let is_less = less[place] <= tile;
                moved[place + 1] = less[place] - usize::from(!is_less);
                tile += usize::from(is_less);
            }
            moved[blank] = tile;
            each(number_of_less(&moved) * SQUARES + blank + COLUMNS);
        }
        if blank >= COLUMNS {
            // The tile above the blank goes after three others.
            let first = blank - COLUMNS;
            let mut moved = less;
            let mut tile = less[first];
            for place in first..first + 3 {
                let is_less = less[place + 1] < tile;
                moved[place] = less[place + 1] + usize::from(!is_less);
                tile -= usize::from(is_less);
            }
            moved[first + 3] = tile;
            each(number_of_less(&moved) * SQUARES + blank - COLUMNS);
        }
    }
}

#[inline(always)]
fn number_of_less(less: &[usize; TILES]) -> usize {
    less.iter()
        .zip(BEHIND)
        .map(|(less, behind)| less * behind)
        .sum()
}
