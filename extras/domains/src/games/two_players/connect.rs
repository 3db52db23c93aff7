//! Connect-k: marks fall to the lowest empty square of a column.

use super::squares::{board_with_turn, column_name, line_goals, lines, squares};
use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::info::DomainInfo;
use crate::psvn::{Game, Rule};

pub(crate) const INFO: DomainInfo = DomainInfo {
    name: "connect",
    usage: "connect COLS ROWS K",
    summary: "two players: K in a line, marks fall down; `connect 7 6 4` is Connect Four",
    options: &[],
    example: "connect 7 6 4",
    build,
};

/// Rules of X, then of O; by column from the left, and in each column from the bottom. Variables:
/// the turn, the squares row by row from the top left, the number of marks in each column.
fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    let n_columns = args.number("COLS", 1..=50)?;
    let n_rows = args.number("ROWS", 1..=50)?;
    let length = args.number("K", 2..=50)?;
    if length > n_columns.max(n_rows) {
        return Err(args.invalid("K", length, "a line that fits on the board"));
    }
    args.finish()?;
    let n_squares = n_columns * n_rows;
    let n_variables = 1 + n_squares + n_columns;
    args.check_size(n_variables, 2 * n_squares)?;

    let mut game = Game::new([
        format!(
            "Connect {length} in a line on {n_columns} columns and {n_rows} rows, a game for two players"
        ),
        format!(
            "X and O drop marks into the columns in turn; a mark falls to the lowest empty square. Who has\n\
             {length} in a line (row, column or diagonal) has won; if the board is full before, the game is\n\
             drawn. X begins on an empty board."
        ),
        "Encoding: whose turn it is, the squares row by row from the top left, and the number of marks in\n\
         each column from the left. Each column has a rule for each height and player, and these share\n\
         its label: a, b, c and so on. A goal is a line of the player who has just moved. The start: the\n\
         first value of each variable."
            .to_owned(),
        "Source: Allis, \"A Knowledge-Based Approach of Connect-Four\" (1988): X wins on 7 columns and\n\
         6 rows with four in a line."
            .to_owned(),
        "players: 2".to_owned(),
    ]);
    board_with_turn(&mut game, "blank .", squares(n_rows, n_columns));
    game.domain("player", ["X", "O"]);
    game.domain("square", [".", "X", "O"]);
    game.domain("height", 0..=n_rows);
    game.variables(["player"], "whose turn it is");
    for _ in 0..n_rows {
        game.variables(vec!["square"; n_columns], "");
    }
    game.variables(vec!["height"; n_columns], "marks in each column");
    for (player, other) in [("X", "O"), ("O", "X")] {
        for column in 0..n_columns {
            for height in 0..n_rows {
                let square = (n_rows - 1 - height) * n_columns + column;
                let mut rule = Rule::new(column_name(column))
                    .change(0, player, other)
                    .change(1 + square, ".", player)
                    .change(1 + n_squares + column, height, height + 1);
                if column + height == 0 {
                    rule = rule.note(format!("{player} moves."));
                }
                game.rule(rule);
            }
        }
    }
    let lines = lines(n_rows, n_columns, length);
    line_goals(&mut game, &lines, n_squares, n_columns);
    Ok(game)
}
