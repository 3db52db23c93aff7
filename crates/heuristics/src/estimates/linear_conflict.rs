//! Manhattan distance with linear conflicts.

use budget::Watch;
use invariants::Invariants;
use psvn_ir::{Game, RuleId, Value, VarId};
use search::{Cell, IncrementalHeuristic, ValueSums};

use crate::effort::Effort;
use crate::estimates::manhattan::manhattan_within;
use crate::refusal::Refusal;
use crate::structure::board::{Board, Slides};
use crate::structure::goal_facts::GoalFacts;

/// The maximum number of entries of the table of a line.
const MAX_ENTRIES: usize = 1 << 21;

/// Manhattan distance, and two more moves for each tile that must leave its line to let others pass
/// (Hansson, Mayer & Yung 1992).
///
/// Two tiles in their goal row, each on the wrong side of the other, are in conflict: one of them
/// has to leave the row and come back, and Manhattan distance counts neither of the two moves. The
/// minimum number of tiles that have to leave a line is that of all tiles outside a longest
/// increasing subsequence of their goal places; a table has the number for each way to fill a line.
/// Rows and columns don't count the same moves: a tile leaves its row by a vertical move, and its
/// column by a horizontal one.
///
/// A move changes the conflicts of only two lines, those perpendicular to it, so a child's estimate
/// is computed from its parent's by four look-ups in tables.
#[derive(Clone, Debug)]
pub struct LinearConflict {
    manhattan: ValueSums,
    /// The cost of leaving a line and coming back.
    detour: u64,
    /// The lines, rows first.
    lines: Vec<Line>,
    /// The effect of each rule.
    slides: Vec<Across>,
}

/// A row or a column.
#[derive(Clone, Debug)]
struct Line {
    squares: Box<[u32]>,
    /// By value: its goal place in this line, counted from 1; 0 if it belongs elsewhere.
    homes: Box<[u32]>,
    /// By the values in the squares, as digits: the number of tiles that have to leave the line.
    leaving: Box<[u8]>,
    /// One more than the number of squares.
    base: u32,
}

/// A slide across lines: from one line to the next one, at the same place.
#[derive(Clone, Copy, Debug)]
struct Across {
    from: VarId,
    to: VarId,
    /// The lines.
    left: u32,
    entered: u32,
    /// The weight of a digit at that place.
    digit: u32,
}

impl LinearConflict {
    /// Make the heuristic for a game of sliding tiles on a rectangle.
    ///
    /// # Errors
    /// If the game is another one, has several goal conditions, or some value that is counted has
    /// several places in the goal.
    pub fn new(game: &Game, known: &Invariants) -> Result<Self, Refusal> {
        Self::within(game, known, &Effort::within(&Watch::default()))
    }

    /// The same within limits.
    pub(crate) fn within(
        game: &Game,
        known: &Invariants,
        effort: &Effort<'_>,
    ) -> Result<Self, Refusal> {
        let goals = GoalFacts::of_goals_within(game, known, effort)?;
        let [goal] = &goals[..] else {
            return Err(Refusal::kind("the game has several goal conditions"));
        };
        let slides = Slides::of(game)?;
        let n_squares = game.n_variables();
        let board = Board::of(&slides, n_squares)?;
        let distances = manhattan_within(game, known, effort)?;
        let n_values = game.domain_of(VarId(0)).size();
        // Find where each value belongs, if that is one square, and its distances are those on the
        // board.
        let home = |value: usize| -> Option<usize> {
            let value = Value(value as u32);
            if value == slides.blank {
                return None;
            }
            let mut places = (0..n_squares).filter(|square| goal.allows(*square, value));
            let home = places.next().filter(|_| places.next().is_none())?;
            let as_on_board = |square: usize| {
                let number = distances.sums()[0].number(VarId::from_index(square), value);
                u64::from(number)
                    == slides
                        .cost
                        .saturating_mul(board.distance(square, home) as u64)
            };
            (0..n_squares).all(as_on_board).then_some(home)
        };
        let homes: Vec<Option<usize>> = (0..n_values).map(home).collect();
        if homes.iter().flatten().count() < 2 {
            let reason = "fewer than two values belong to one square each and may slide freely";
            return Err(Refusal::kind(reason));
        }
        let squares = board.lines();
        let lines: Result<Vec<Line>, Refusal> = squares
            .iter()
            .map(|squares| Line::new(squares, &homes))
            .collect();
        let across = slides.slides.iter().map(|slide| {
            let (from, to) = (slide.from.index(), slide.to.index());
            let [row, other_row] = [from, to].map(|square| board.row[square]);
            let [column, other_column] =
                [from, to].map(|square| board.n_rows + board.column[square]);
            let (left, entered, place, base) = if row == other_row {
                (column, other_column, board.row[from], board.n_rows + 1)
            } else {
                (row, other_row, board.column[from], board.n_columns + 1)
            };
            Across {
                from: slide.from,
                to: slide.to,
                left: left as u32,
                entered: entered as u32,
                digit: (base as u32).pow(place as u32),
            }
        });
        let lines = lines?;
        Ok(Self {
            slides: across.collect(),
            // Distances in tables have 32 bits, so the detour must fit in 32 bits, too.
            detour: slides.cost.saturating_mul(2).min(u64::from(u32::MAX)),
            manhattan: distances.sums()[0].clone(),
            lines,
        })
    }
}

impl Line {
    fn new(squares: &[usize], homes: &[Option<usize>]) -> Result<Self, Refusal> {
        let base = squares.len() + 1;
        let n_entries = u32::try_from(squares.len())
            .ok()
            .and_then(|length| base.checked_pow(length))
            .filter(|n| *n <= MAX_ENTRIES)
            .ok_or(Refusal::TooLarge { limit: MAX_ENTRIES })?;
        let place = |home: &Option<usize>| {
            let place = squares.iter().position(|square| Some(*square) == *home);
            place.map_or(0, |place| place as u32 + 1)
        };
        let leaving = |entry: usize| {
            let digit = |i: usize| entry / base.pow(i as u32) % base;
            let homes: Vec<usize> = (0..squares.len()).map(digit).filter(|it| *it > 0).collect();
            n_leaving(&homes) as u8
        };
        Ok(Self {
            squares: squares.iter().map(|square| *square as u32).collect(),
            homes: homes.iter().map(place).collect(),
            leaving: (0..n_entries).map(leaving).collect(),
            base: base as u32,
        })
    }

    /// Return the place in the table for the values in the squares.
    #[inline]
    fn entry<C: Cell>(&self, state: &[C]) -> u32 {
        let squares = self.squares.iter().rev();
        squares.fold(0, |entry, square| {
            entry * self.base + self.homes[state[*square as usize].index()]
        })
    }
}

/// Return how many tiles have to leave a line, given their goal places in it.
fn n_leaving(homes: &[usize]) -> usize {
    // The length of the longest increasing subsequence that ends with each tile. No two tiles have
    // the same goal place unless a state has a value twice; equal ones don't block each other.
    let mut longest: Vec<usize> = Vec::new();
    for (i, home) in homes.iter().enumerate() {
        let before = homes[..i].iter().zip(&longest);
        let best = before
            .filter(|(it, _)| *it <= home)
            .map(|(_, length)| *length);
        longest.push(best.max().unwrap_or(0) + 1);
    }
    homes.len() - longest.iter().copied().max().unwrap_or(0)
}

impl IncrementalHeuristic for LinearConflict {
    /// The estimate.
    type Memo = u64;

    fn first(&self, state: &[u32]) -> (u64, u64) {
        let lines = self.lines.iter();
        let leaving = lines.map(|line| u64::from(line.leaving[line.entry(state) as usize]));
        let estimate = self.manhattan.of(state) + self.detour * leaving.sum::<u64>();
        (estimate, estimate)
    }

    fn next(&self, rule: RuleId, parent: &[u8], memo: &u64, _: &[u8]) -> (u64, u64) {
        let slide = &self.slides[rule.index()];
        let tile = parent[slide.from.index()].value();
        let left = &self.lines[slide.left as usize];
        let entered = &self.lines[slide.entered as usize];
        let (left_before, entered_before) = (left.entry(parent), entered.entry(parent));
        // The blank has no goal place: its digit is 0.
        let left_after = left_before - left.homes[tile.index()] * slide.digit;
        let entered_after = entered_before + entered.homes[tile.index()] * slide.digit;
        let cost = |line: &Line, entry: u32| self.detour * u64::from(line.leaving[entry as usize]);
        let number = |square| u64::from(self.manhattan.number(square, tile));
        let added = number(slide.to) + cost(left, left_after) + cost(entered, entered_after);
        let taken = number(slide.from) + cost(left, left_before) + cost(entered, entered_before);
        let estimate = *memo + added - taken;
        (estimate, estimate)
    }
}

#[cfg(test)]
mod tests {
    use super::n_leaving;

    #[test]
    fn the_fewest_tiles_leave() {
        assert_eq!(n_leaving(&[]), 0);
        assert_eq!(n_leaving(&[1, 2, 3]), 0);
        assert_eq!(n_leaving(&[2, 1]), 1);
        assert_eq!(n_leaving(&[3, 2, 1]), 2);
        assert_eq!(n_leaving(&[2, 3, 1]), 1);
        assert_eq!(n_leaving(&[4, 1, 2, 3]), 1);
    }
}
