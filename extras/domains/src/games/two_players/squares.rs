//! Helpers for two-player board games: boards, names of squares, and lines of squares.

use crate::psvn::{Game, Token};

/// Declare the layout: the turn behind the sign >, and below it these rows of variables, counted
/// from 0.
pub(super) fn board_with_turn(game: &mut Game, rest: &str, rows: Vec<Vec<usize>>) {
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0).max(2);
    let numbers = rows.into_iter().map(|row| {
        let numbers = row.into_iter().map(|variable| (variable + 1).to_string());
        numbers.collect::<Vec<String>>()
    });
    let turn = vec![">".to_owned(), "1".to_owned()];
    let rows: Vec<Vec<String>> = std::iter::once(turn)
        .chain(numbers)
        .map(|mut row| {
            row.resize(n_columns, "-".to_owned());
            row
        })
        .collect();
    game.board(rows.len(), n_columns, rest, rows);
}

/// The variables of the squares of a board, row by row, after that of the turn.
pub(super) fn squares(n_rows: usize, n_columns: usize) -> Vec<Vec<usize>> {
    let row = |row: usize| (0..n_columns).map(move |column| 1 + row * n_columns + column);
    (0..n_rows).map(|number| row(number).collect()).collect()
}

/// The name of a square in players' notation: a letter for the column, and the number of the row
/// from the bottom. Columns after the 26th are `c27`, `c28` and so on, with a dash before the row.
pub(super) fn square_name(row: usize, column: usize, n_rows: usize) -> String {
    let row = n_rows - row;
    if column < 26 {
        format!("{}{row}", column_name(column))
    } else {
        format!("{}-{row}", column_name(column))
    }
}

/// The name of a column: a letter for the first 26.
pub(super) fn column_name(column: usize) -> String {
    match u8::try_from(column) {
        Ok(number) if number < 26 => char::from(b'a' + number).to_string(),
        _ => format!("c{}", column + 1),
    }
}

/// The lines of `length` squares on a board, each as the numbers of its squares, row by row from
/// the top: all rows, then columns, then diagonals to the right, then to the left.
pub(super) fn lines(n_rows: usize, n_columns: usize, length: usize) -> Vec<Vec<usize>> {
    let mut lines = Vec::new();
    for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
        for row in 0..n_rows {
            for column in 0..n_columns {
                let square = |step: usize| {
                    let row = row + step * down;
                    let column = column.checked_add_signed(right * step as isize)?;
                    (row < n_rows && column < n_columns).then_some(row * n_columns + column)
                };
                if let Some(line) = (0..length).map(square).collect() {
                    lines.push(line);
                }
            }
        }
    }
    lines
}

/// Add a goal for each line and each player: the other player is to move, and the line is full of
/// the player's marks. `n_behind` variables follow those of the squares.
pub(super) fn line_goals(game: &mut Game, lines: &[Vec<usize>], n_squares: usize, n_behind: usize) {
    for (player, other) in [("X", "O"), ("O", "X")] {
        for (number, line) in lines.iter().enumerate() {
            let mut tokens: Vec<Token> = vec!["-".to_owned(); 1 + n_squares + n_behind];
            tokens[0] = other.to_owned();
            for square in line {
                tokens[1 + square] = player.to_owned();
            }
            let note = if number == 0 {
                format!("{player} has moved, and has a line.")
            } else {
                String::new()
            };
            game.goal(tokens, &note);
        }
    }
}
