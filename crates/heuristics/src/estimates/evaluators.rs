//! The evaluators of a textbook for the 8-puzzle. They show what bad estimates do.

use invariants::Invariants;
use psvn_ir::{Game, State, Value, VarId};
use search::{Cell, Heuristic, ValueSums};

use crate::estimates::manhattan::manhattan;
use crate::refusal::Refusal;
use crate::structure::board::{Board, Slides};

/// The squares of a 3x3 board in rows.
const SIDE: usize = 3;

/// The ring around the center, clockwise, by row and column.
const RING: [(usize, usize); 8] = [
    (0, 0),
    (0, 1),
    (0, 2),
    (1, 2),
    (2, 2),
    (2, 1),
    (2, 0),
    (1, 0),
];

/// A 3x3 board of sliding tiles with one goal state.
struct EightPuzzle {
    blank: Value,
    /// The variables of the ring.
    ring: [VarId; 8],
    center: VarId,
    goal: State,
}

impl EightPuzzle {
    fn of(game: &Game) -> Result<Self, Refusal> {
        let slides = Slides::of(game)?;
        let board = Board::of(&slides, game.n_variables())?;
        if (board.n_rows, board.n_columns) != (SIDE, SIDE) {
            let reason = format!(
                "the board has {} rows of {} squares, and this is for 3 rows of 3",
                board.n_rows, board.n_columns
            );
            return Err(Refusal::kind(reason));
        }
        let Some(goal) = game.goal_state() else {
            return Err(Refusal::kind("the game hasn't one goal state"));
        };
        let rows = board.lines();
        let square = |(row, column): (usize, usize)| VarId::from_index(rows[row][column]);
        Ok(Self {
            blank: slides.blank,
            ring: RING.map(square),
            center: square((1, 1)),
            goal,
        })
    }
}

/// P + 3 S: GoodEvaluator of Heineman, Pollice & Selkow 2008, chapter 7, after Nilsson 1971. P is
/// Manhattan distance. S goes around the center: 2 for each tile that is not followed by the one
/// that follows it in the goal, and 1 if a tile stands in the center.
///
/// Not admissible, but it finds good solutions fast.
#[derive(Clone, Debug)]
pub struct GoodEvaluator {
    manhattan: ValueSums,
    ring: [VarId; 8],
    center: VarId,
    blank: Value,
    /// By value: what follows it in the goal; the blank for the blank.
    successor: Box<[Value]>,
}

impl GoodEvaluator {
    /// The evaluator.
    ///
    /// # Errors
    /// When the game isn't the 8-puzzle, or the goal's blank isn't in the center.
    pub fn new(game: &Game) -> Result<Self, Refusal> {
        let puzzle = EightPuzzle::of(game)?;
        if puzzle.goal.values()[puzzle.center.index()] != puzzle.blank {
            return Err(Refusal::kind("the goal's blank isn't in the center"));
        }
        let manhattan = manhattan(game, &Invariants::none(game))?;
        let Some(sums) = manhattan.value_sums() else {
            return Err(Refusal::kind("some tiles can't move freely"));
        };
        let mut successor = vec![puzzle.blank; game.domain_of(puzzle.center).size()];
        let at = |i: usize| puzzle.goal.values()[puzzle.ring[i % RING.len()].index()];
        for i in 0..RING.len() {
            successor[at(i).index()] = at(i + 1);
        }
        Ok(Self {
            manhattan: sums.clone(),
            ring: puzzle.ring,
            center: puzzle.center,
            blank: puzzle.blank,
            successor: successor.into(),
        })
    }

    /// The sequence score S.
    pub fn sequence_score<C: Cell>(&self, state: &[C]) -> u64 {
        let at = |i: usize| state[self.ring[i % RING.len()].index()].value();
        let out_of_sequence = (0..RING.len())
            .filter(|i| at(*i) != self.blank && at(i + 1) != self.successor[at(*i).index()]);
        2 * out_of_sequence.count() as u64
            + u64::from(state[self.center.index()].value() != self.blank)
    }
}

impl Heuristic for GoodEvaluator {
    type Memo = ();

    fn estimate<C: Cell>(&self, state: &[C]) -> u64 {
        self.manhattan.estimate(state) + 3 * self.sequence_score(state)
    }
}

/// BadEvaluator of Heineman, Pollice & Selkow 2008, chapter 7, after Nilsson 1971: the sum of the
/// differences between the numbers on opposite sides of the center, the blank being 0, compared
/// with what it is in the goal (16 in the book's). It says nothing of how far the goal is.
#[derive(Clone, Debug)]
pub struct BadEvaluator {
    /// Opposite squares: the first one's number minus the second one's.
    opposite: [(VarId, VarId); 4],
    /// The numbers on the tiles, by value.
    numbers: Box<[i64]>,
    /// The sum of the goal.
    ideal: i64,
}

impl BadEvaluator {
    /// The evaluator.
    ///
    /// # Errors
    /// When the game isn't the 8-puzzle, or its tiles have no numbers.
    pub fn new(game: &Game) -> Result<Self, Refusal> {
        let puzzle = EightPuzzle::of(game)?;
        let domain = game.domain_of(puzzle.center);
        let number = |(value, name): (usize, &str)| -> Option<i64> {
            if Value(value as u32) == puzzle.blank {
                return Some(0);
            }
            name.parse::<u16>().ok().map(i64::from)
        };
        let names = (0..domain.size()).map(|value| domain.value_name(Value(value as u32)));
        let numbers: Option<Box<[i64]>> = names.enumerate().map(number).collect();
        let Some(numbers) = numbers else {
            return Err(Refusal::kind("there are tiles without a number"));
        };
        // As in the book: left minus right, bottom minus top.
        let ring = &puzzle.ring;
        let mut this = Self {
            opposite: [
                (ring[7], ring[3]),
                (ring[6], ring[2]),
                (ring[5], ring[1]),
                (ring[4], ring[0]),
            ],
            numbers,
            ideal: 0,
        };
        this.ideal = this.sum(|var| puzzle.goal.values()[var.index()]);
        Ok(this)
    }

    fn sum(&self, value: impl Fn(VarId) -> Value) -> i64 {
        let number = |var: VarId| self.numbers[value(var).index()];
        let differences = self.opposite.iter().map(|(a, b)| number(*a) - number(*b));
        differences.sum()
    }
}

impl Heuristic for BadEvaluator {
    type Memo = ();

    fn estimate<C: Cell>(&self, state: &[C]) -> u64 {
        self.ideal
            .abs_diff(self.sum(|var| state[var.index()].value()))
    }
}
