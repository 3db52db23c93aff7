//! The evaluators of a textbook for boards of sliding tiles. They show the effect of bad estimates.

use invariants::Invariants;
use psvn_ir::{Game, State, Value, VarId};
use search::{Cell, Heuristic, IncrementalHeuristic, ValueSums};

use crate::estimates::manhattan::manhattan;
use crate::refusal::Refusal;
use crate::structure::board::{Board, Slides};

/// A board of sliding tiles with one goal state.
struct Tiles {
    blank: Value,
    board: Board,
    /// The variables, row by row.
    rows: Vec<Vec<VarId>>,
    goal: State,
}

impl Tiles {
    fn of(game: &Game) -> Result<Self, Refusal> {
        let slides = Slides::of(game)?;
        let board = Board::of(&slides, game.n_variables())?;
        let Some(goal) = game.goal_state() else {
            return Err(Refusal::kind("the game hasn't one goal state"));
        };
        let rows = board.lines().into_iter().take(board.n_rows);
        let rows = rows.map(|row| row.into_iter().map(VarId::from_index).collect());
        Ok(Self {
            blank: slides.blank,
            rows: rows.collect(),
            board,
            goal,
        })
    }

    /// Return the squares at the edge, clockwise from the first corner.
    fn ring(&self) -> Result<Vec<VarId>, Refusal> {
        let (n_rows, n_columns) = (self.board.n_rows, self.board.n_columns);
        if n_rows < 3 || n_columns < 3 {
            let reason = format!(
                "the board has {n_rows} rows of {n_columns} squares, and this is for 3 rows of 3 or more"
            );
            return Err(Refusal::kind(reason));
        }
        let (last_row, last_column) = (n_rows - 1, n_columns - 1);
        let top = (0..last_column).map(|column| (0, column));
        let right = (0..last_row).map(|row| (row, last_column));
        let bottom = (1..=last_column).rev().map(|column| (last_row, column));
        let left = (1..=last_row).rev().map(|row| (row, 0));
        let squares = top.chain(right).chain(bottom).chain(left);
        Ok(squares
            .map(|(row, column)| self.rows[row][column])
            .collect())
    }

    /// Return the numbers on the tiles, by value; 0 is the blank.
    fn numbers(&self, game: &Game) -> Result<Box<[i64]>, Refusal> {
        let domain = game.domain_of(VarId::from_index(0));
        let number = |value: usize| -> Option<i64> {
            let value = Value(value as u32);
            if value == self.blank {
                return Some(0);
            }
            let number = domain.value_name(value).parse::<u16>();
            number.ok().map(i64::from)
        };
        let numbers: Option<Box<[i64]>> = (0..domain.size()).map(number).collect();
        numbers.ok_or_else(|| Refusal::kind("there are tiles without a number"))
    }
}

/// P + k S, where k is the number of rows: GoodEvaluator of Heineman, Pollice & Selkow 2008,
/// chapter 7, after Nilsson 1971. P is Manhattan distance. S is counted around the edge: 2 for each
/// tile that is not followed by its successor, and 1 if there is a tile in the center.
///
/// In the 8-puzzle the successor of a tile is the one that follows it in the goal. On larger boards
/// it is the one with the next number, and the first one follows the last one, as in the authors'
/// program for the 15-puzzle; the goal itself then has S above 0.
///
/// The center of a board without a middle is the square above and left of it.
///
/// Not admissible, but finds good solutions fast.
#[derive(Clone, Debug)]
pub struct GoodEvaluator {
    manhattan: ValueSums,
    ring: Box<[VarId]>,
    center: VarId,
    blank: Value,
    /// k.
    factor: u64,
    /// By value: its successor; the blank for the blank.
    successor: Box<[Value]>,
}

impl GoodEvaluator {
    /// Make the evaluator of a game.
    ///
    /// # Errors
    /// If the game isn't one of sliding tiles on a board of 3 rows of 3 or more; in the 8-puzzle,
    /// if the goal's blank isn't in the center; on larger boards, if tiles have no numbers.
    pub fn new(game: &Game) -> Result<Self, Refusal> {
        let tiles = Tiles::of(game)?;
        let ring = tiles.ring()?;
        let (n_rows, n_columns) = (tiles.board.n_rows, tiles.board.n_columns);
        let center = tiles.rows[(n_rows - 1) / 2][(n_columns - 1) / 2];
        let mut successor = vec![tiles.blank; game.domain_of(center).size()];
        if (n_rows, n_columns) == (3, 3) {
            if tiles.goal.values()[center.index()] != tiles.blank {
                return Err(Refusal::kind("the goal's blank isn't in the center"));
            }
            let at = |i: usize| tiles.goal.values()[ring[i % ring.len()].index()];
            for i in 0..ring.len() {
                successor[at(i).index()] = at(i + 1);
            }
        } else {
            let numbers = tiles.numbers(game)?;
            let mut values: Vec<usize> = (0..numbers.len()).collect();
            values.retain(|value| Value(*value as u32) != tiles.blank);
            values.sort_by_key(|value| numbers[*value]);
            for (i, value) in values.iter().enumerate() {
                successor[*value] = Value(values[(i + 1) % values.len()] as u32);
            }
        }
        let manhattan = manhattan(game, &Invariants::none(game))?;
        let Some(sums) = manhattan.value_sums() else {
            return Err(Refusal::kind("some tiles can't move freely"));
        };
        Ok(Self {
            manhattan: sums.clone(),
            ring: ring.into(),
            center,
            blank: tiles.blank,
            factor: n_rows as u64,
            successor: successor.into(),
        })
    }

    /// Return the sequence score S.
    pub fn sequence_score<C: Cell>(&self, state: &[C]) -> u64 {
        let at = |i: usize| state[self.ring[i % self.ring.len()].index()].value();
        let out_of_sequence = (0..self.ring.len())
            .filter(|i| at(*i) != self.blank && at(i + 1) != self.successor[at(*i).index()]);
        2 * out_of_sequence.count() as u64
            + u64::from(state[self.center.index()].value() != self.blank)
    }
}

impl Heuristic for GoodEvaluator {
    fn estimate(&self, state: &[u32]) -> u64 {
        self.manhattan.of(state) + self.factor * self.sequence_score(state)
    }
}

/// BadEvaluator of Heineman, Pollice & Selkow 2008, chapter 7, after Nilsson 1971: the sum of the
/// differences between the numbers on opposite sides of the center, the blank being 0, compared
/// with the goal's sum (16 in the book). It has no relation to the distance from the goal.
#[derive(Clone, Debug)]
pub struct BadEvaluator {
    /// Opposite squares: the first one's number minus the second one's.
    opposite: Box<[(VarId, VarId)]>,
    /// The numbers on the tiles, by value.
    numbers: Box<[i64]>,
    /// The sum of the goal.
    ideal: i64,
}

impl BadEvaluator {
    /// Make the evaluator of a game.
    ///
    /// # Errors
    /// If the game isn't one of sliding tiles on a board, or its tiles have no numbers.
    pub fn new(game: &Game) -> Result<Self, Refusal> {
        let tiles = Tiles::of(game)?;
        let squares = tiles.rows.concat();
        let n_columns = tiles.board.n_columns;
        let pairs = (0..squares.len() / 2).map(|i| {
            let (first, second) = (squares[i], squares[squares.len() - 1 - i]);
            // As in the book: left minus right, bottom minus top.
            let same_row = i / n_columns == (squares.len() - 1 - i) / n_columns;
            if same_row {
                (first, second)
            } else {
                (second, first)
            }
        });
        let mut this = Self {
            opposite: pairs.collect(),
            numbers: tiles.numbers(game)?,
            ideal: 0,
        };
        this.ideal = this.sum(|var| tiles.goal.values()[var.index()]);
        Ok(this)
    }

    fn sum(&self, value: impl Fn(VarId) -> Value) -> i64 {
        let number = |var: VarId| self.numbers[value(var).index()];
        let differences = self.opposite.iter().map(|(a, b)| number(*a) - number(*b));
        differences.sum()
    }
}

impl Heuristic for BadEvaluator {
    fn estimate(&self, state: &[u32]) -> u64 {
        self.ideal
            .abs_diff(self.sum(|var| Value(state[var.index()])))
    }
}
