//! Sliding tiles: a game whose rules exchange a blank with a neighbor, and the rows and columns of
//! its board.

use std::collections::VecDeque;

use psvn_ir::{Game, Term, Value, VarId};

use crate::refusal::Refusal;

/// The slide of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slide {
    /// The place of the tile before: the variable that gets the blank.
    pub(crate) from: VarId,
    /// The place of the tile afterward.
    pub(crate) to: VarId,
}

/// A game of sliding tiles on any graph: each rule exchanges the blank with one other value, and
/// all cost the same.
#[derive(Clone, Debug)]
pub(crate) struct Slides {
    pub(crate) blank: Value,
    /// The cost of each rule.
    pub(crate) cost: u64,
    /// By rule.
    pub(crate) slides: Vec<Slide>,
}

impl Slides {
    /// Interpret a game as one of sliding tiles.
    pub(crate) fn of(game: &Game) -> Result<Self, Refusal> {
        let [first, ..] = game.rules() else {
            return Err(Refusal::kind("the game has no rules"));
        };
        if game.variables().iter().any(|it| *it != game.variables()[0]) {
            return Err(Refusal::kind("the variables have different domains"));
        }
        let blanks =
            |rule: &psvn_ir::Rule| -> Vec<(Value, Slide)> { exchanges(&rule.canonical).collect() };
        let mut common: Vec<Value> = blanks(first).into_iter().map(|(blank, _)| blank).collect();
        for (id, rule) in game.rules_with_ids() {
            let of_rule = blanks(rule);
            common.retain(|blank| of_rule.iter().any(|(it, _)| it == blank));
            if common.is_empty() {
                let reason =
                    "doesn't just exchange one blank, common to all rules, with another value";
                return Err(Refusal::rule(game, id, reason));
            }
        }
        let blank = common[0];
        let cost = first.canonical.cost();
        let slides = game.rules().iter().map(|rule| {
            let mut all = blanks(rule).into_iter();
            all.find(|(it, _)| *it == blank).map(|(_, slide)| slide)
        });
        if let Some((id, _)) = game
            .rules_with_ids()
            .find(|(_, it)| it.canonical.cost() != cost)
        {
            return Err(Refusal::rule(
                game,
                id,
                "doesn't cost the same as the first rule",
            ));
        }
        Ok(Self {
            blank,
            cost,
            slides: slides.flatten().collect(),
        })
    }
}

/// Iterate over the ways to interpret a rule as an exchange of a blank (which it names) with
/// another value.
fn exchanges(rule: &psvn_ir::CanonicalRule) -> impl Iterator<Item = (Value, Slide)> + '_ {
    let changes: Vec<(VarId, Term)> = rule.changes().collect();
    let pairs = match changes[..] {
        [a, b] => vec![(a, b), (b, a)],
        _ => Vec::new(),
    };
    pairs
        .into_iter()
        .filter_map(|((to, gets), (from, gets_blank))| {
            let blank = rule.preconditions()[to.index()].as_constant()?;
            let is_exchange =
                gets_blank == Term::constant(blank) && gets == rule.preconditions()[from.index()];
            is_exchange.then_some((blank, Slide { from, to }))
        })
}

/// A rectangle of squares, each a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    pub(crate) n_rows: usize,
    pub(crate) n_columns: usize,
    /// By variable.
    pub(crate) row: Vec<usize>,
    pub(crate) column: Vec<usize>,
}

impl Board {
    /// Find rows and columns in the graph of slides. The first row begins at the first corner in
    /// the order of variables, and ends at the adjacent corner that comes first.
    pub(crate) fn of(slides: &Slides, n_squares: usize) -> Result<Self, Refusal> {
        let no_board = || {
            Refusal::kind("the positions between which values slide don't form a rectangular grid")
        };
        let mut neighbors: Vec<Vec<usize>> = vec![Vec::new(); n_squares];
        for slide in &slides.slides {
            let (from, to) = (slide.from.index(), slide.to.index());
            if !neighbors[from].contains(&to) {
                neighbors[from].push(to);
                neighbors[to].push(from);
            }
        }
        let corners: Vec<usize> = (0..n_squares)
            .filter(|i| neighbors[*i].len() == 2)
            .collect();
        let [first, others @ ..] = &corners[..] else {
            return Err(no_board());
        };
        // The adjacent corners are all but the opposite one, which is the farthest.
        let distances = distances(&neighbors, *first);
        let Some(opposite) = others.iter().copied().max_by_key(|it| distances[*it]) else {
            return Err(no_board());
        };
        let mut beside = others.iter().copied().filter(|it| *it != opposite);
        let (Some(right), Some(below), None) = (beside.next(), beside.next(), beside.next()) else {
            return Err(no_board());
        };
        // On a grid, the distances from both ends of a side add up to its length plus twice the
        // distance from it.
        let along = |end: usize| -> Option<(usize, Vec<usize>)> {
            let length = distances[end];
            let from_end = self::distances(&neighbors, end);
            let place = |square: usize| {
                let double = (distances[square] + length).checked_sub(from_end[square])?;
                (double % 2 == 0 && double / 2 <= length).then_some(double / 2)
            };
            let places: Option<Vec<usize>> = (0..n_squares).map(place).collect();
            Some((length + 1, places?))
        };
        let (Some((n_columns, column)), Some((n_rows, row))) = (along(right), along(below)) else {
            return Err(no_board());
        };
        let board = Self {
            n_rows,
            n_columns,
            row,
            column,
        };
        if board.is_grid(&neighbors) {
            Ok(board)
        } else {
            Err(no_board())
        }
    }

    /// Return whether the graph is the grid of this board.
    fn is_grid(&self, neighbors: &[Vec<usize>]) -> bool {
        if self.n_rows * self.n_columns != neighbors.len() {
            return false;
        }
        let mut taken = vec![false; neighbors.len()];
        for square in 0..neighbors.len() {
            let place = &mut taken[self.row[square] * self.n_columns + self.column[square]];
            if std::mem::replace(place, true) {
                return false;
            }
        }
        let n_edges = neighbors.iter().map(Vec::len).sum::<usize>() / 2;
        let expected = self.n_rows * (self.n_columns - 1) + self.n_columns * (self.n_rows - 1);
        let near = |square: usize| {
            neighbors[square]
                .iter()
                .all(|it| self.distance(square, *it) == 1)
        };
        n_edges == expected && (0..neighbors.len()).all(near)
    }

    /// Return the Manhattan distance.
    pub(crate) fn distance(&self, one: usize, other: usize) -> usize {
        self.row[one].abs_diff(self.row[other]) + self.column[one].abs_diff(self.column[other])
    }

    /// Return the squares of each row, from left to right, and then those of each column, from top
    /// to bottom.
    pub(crate) fn lines(&self) -> Vec<Vec<usize>> {
        let mut lines: Vec<Vec<usize>> = vec![vec![0; self.n_columns]; self.n_rows];
        lines.extend(vec![vec![0; self.n_rows]; self.n_columns]);
        for square in 0..self.row.len() {
            let (row, column) = (self.row[square], self.column[square]);
            lines[row][column] = square;
            lines[self.n_rows + column][row] = square;
        }
        lines
    }
}

/// Return distances by breadth-first search; for unreachable places, the number of places.
pub(crate) fn distances(neighbors: &[Vec<usize>], from: usize) -> Vec<usize> {
    let mut found = vec![neighbors.len(); neighbors.len()];
    found[from] = 0;
    let mut queue = VecDeque::from([from]);
    while let Some(place) = queue.pop_front() {
        for next in &neighbors[place] {
            if found[*next] == neighbors.len() {
                found[*next] = found[place] + 1;
                queue.push_back(*next);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(reference: &str) -> Game {
        let text = domains::generate_reference(reference).expect("a built-in game");
        psvn_ir::load(&text).game.expect("a game")
    }

    #[test]
    fn boards_are_found_from_the_rules() {
        for (rows, columns) in [(2, 2), (2, 5), (4, 4), (5, 3), (7, 8)] {
            let game = game(&format!("sliding-tiles:{rows}:{columns}"));
            let slides = Slides::of(&game).expect("tiles slide");
            let board = Board::of(&slides, game.n_variables()).expect("a board");
            assert_eq!((board.n_rows, board.n_columns), (rows, columns));
            for square in 0..rows * columns {
                assert_eq!(board.row[square], square / columns);
                assert_eq!(board.column[square], square % columns);
            }
        }
    }

    #[test]
    fn other_graphs_are_no_boards() {
        let line = game("sliding-tiles:1:5");
        let slides = Slides::of(&line).expect("tiles slide");
        assert!(Board::of(&slides, 5).is_err());
        for (reference, rule) in [("pancake:5", "flip2"), ("topspin:6:3", "")] {
            let refusal = Slides::of(&game(reference)).expect_err("no tiles");
            assert!(refusal.to_string().contains(rule), "{refusal}");
        }
    }
}
