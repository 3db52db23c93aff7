//! Positions in the layout of the file's declaration: one line for each of its lines.

use std::ops::Range;

use game_tree::TwoPlayerGame;
use psvn_ir::{State, VarId};
use psvn_syntax::LineIndex;

/// The variables of each line.
#[derive(Debug)]
pub(super) struct Layout {
    lines: Vec<Range<usize>>,
}

impl Layout {
    /// The layout of the variables of a text.
    pub(super) fn of(text: &str) -> Self {
        let parse = psvn_syntax::parse(text);
        let index = LineIndex::new(text);
        let mut lines: Vec<Range<usize>> = Vec::new();
        let mut last = None;
        let names = parse.file.variables.iter().flat_map(|decl| &decl.domains);
        for (variable, name) in names.enumerate() {
            let (line, _) = index.line_column(name.span.start);
            match lines.last_mut() {
                Some(range) if last == Some(line) => range.end = variable + 1,
                _ => lines.push(variable..variable + 1),
            }
            last = Some(line);
        }
        Self { lines }
    }

    /// A position as lines of text, with the names of rows and columns from the labels of moves, if
    /// these have them.
    pub(super) fn show_labelled(&self, game: &TwoPlayerGame, state: &State) -> Vec<String> {
        let mut lines = self.show(game, state);
        let Some(coordinates) = Coordinates::of(&self.squares(game), game) else {
            return lines;
        };
        let n_columns = coordinates.n_columns;
        let width = self.width(game, state);
        let letters = (b'a'..).take(n_columns).map(char::from);
        let letters: Vec<String> = letters.map(|it| format!("{it:<width$}")).collect();
        lines.push(letters.join(" ").trim_end().to_owned());
        let Some(n_rows) = coordinates.n_rows else {
            return lines;
        };
        let numbers: Vec<String> = (0..lines.len())
            .map(|line| n_rows.checked_sub(line).filter(|number| *number > 0))
            .map(|number| number.map_or(String::new(), |number| number.to_string()))
            .collect();
        let margin = n_rows.to_string().len();
        let numbered = numbers.iter().zip(&lines);
        numbered
            .map(|(number, line)| format!("{number:>margin$} {line}"))
            .collect()
    }

    /// The variables of each line, without the turn.
    fn squares(&self, game: &TwoPlayerGame) -> Vec<Vec<usize>> {
        let turn = game.turn().variable.index();
        let n = game.game().n_variables();
        let lines = self.lines.iter().map(|range| {
            let shown = range.clone().filter(|i| *i != turn && *i < n);
            shown.collect::<Vec<usize>>()
        });
        lines.filter(|line| !line.is_empty()).collect()
    }

    /// The width of a square.
    fn width(&self, game: &TwoPlayerGame, state: &State) -> usize {
        let squares = self.squares(game);
        let names = squares.iter().flatten().map(|i| {
            let domain = game.game().domain_of(VarId::from_index(*i));
            domain.value_name(state.values()[*i]).chars().count()
        });
        names.max().unwrap_or(1)
    }

    /// A position as lines of text. The turn is left out, and so are lines with nothing else.
    pub(super) fn show(&self, game: &TwoPlayerGame, state: &State) -> Vec<String> {
        let name = |i: usize| {
            let domain = game.game().domain_of(VarId::from_index(i));
            domain.value_name(state.values()[i])
        };
        let width = self.width(game, state);
        self.squares(game)
            .into_iter()
            .map(|line| {
                let values: Vec<String> = line
                    .into_iter()
                    .map(|i| format!("{:<width$}", name(i)))
                    .collect();
                values.join(" ").trim_end().to_owned()
            })
            .collect()
    }
}

/// Letters for columns and numbers for rows, counted from below.
struct Coordinates {
    n_columns: usize,
    /// `None` where labels name columns alone.
    n_rows: Option<usize>,
}

impl Coordinates {
    /// The coordinates that all labels of a game use: each label is a square such as `b2`, a column
    /// such as `b`, or several of them with `-` between, and the rule changes the squares it names.
    fn of(squares: &[Vec<usize>], game: &TwoPlayerGame) -> Option<Self> {
        let rules = game.game().rules();
        let labels: Vec<Vec<(usize, Option<usize>)>> = rules
            .iter()
            .map(|rule| rule.label.split('-').map(square).collect())
            .collect::<Option<_>>()?;
        let n_rows = labels.iter().flatten().map(|(_, row)| *row).max()?;
        let n_columns = squares.first()?.len();
        if n_columns > usize::from(b'z' - b'a') + 1 {
            return None;
        }
        for (rule, label) in rules.iter().zip(&labels) {
            let changes = |i: &usize| {
                let mut changes = rule.canonical.changes();
                changes.any(|(var, _)| var.index() == *i)
            };
            for (column, row) in label {
                if *column >= n_columns || row.is_some() != n_rows.is_some() {
                    return None;
                }
                let is_named = match n_rows.zip(*row) {
                    Some((n_rows, row)) => {
                        let line = squares.get(n_rows.checked_sub(row)?)?;
                        line.get(*column).is_some_and(changes)
                    }
                    None => {
                        let mut of_column = squares.iter().filter_map(|line| line.get(*column));
                        of_column.any(changes)
                    }
                };
                if !is_named {
                    return None;
                }
            }
        }
        Some(Self { n_columns, n_rows })
    }
}

/// Column, from 0, and row, from 1, of a name such as `b2` or `b`.
fn square(name: &str) -> Option<(usize, Option<usize>)> {
    let column = name.bytes().next().filter(u8::is_ascii_lowercase)?;
    let row = match &name[1..] {
        "" => None,
        row => Some(row.parse().ok().filter(|row| *row > 0)?),
    };
    Some((usize::from(column - b'a'), row))
}

#[cfg(test)]
mod tests {
    use crate::{PlayOptions, TwoPlayers};
    use psvn::Environment;

    fn board(game: &str) -> Vec<String> {
        let env = Environment::default();
        let players = TwoPlayers::open(format!("gen:{game}"), &PlayOptions::default(), &env);
        let players = players.expect("a game of two players");
        players.labelled_board(&players.default_start())
    }

    #[test]
    fn boards_name_what_labels_name() {
        assert_eq!(
            board("tic-tac-toe"),
            ["3 . . .", "2 . . .", "1 . . .", "  a b c"]
        );
        assert_eq!(
            board("connect:4:3:3"),
            [". . . .", ". . . .", ". . . .", "0 0 0 0", "a b c d"]
        );
        // Heaps are no squares.
        assert_eq!(board("nim:1:2:3").len(), 1);
    }
}
