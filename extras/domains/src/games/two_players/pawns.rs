//! A game of pawns; on 3 by 3 squares it is Hexapawn.

use super::squares::{board_with_turn, square_name, squares};
use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::info::DomainInfo;
use crate::psvn::{Game, Rule, Token};

pub(crate) const INFO: DomainInfo = DomainInfo {
    name: "pawns",
    usage: "pawns COLS ROWS",
    summary: "two players: pawns run for the other side; `pawns 3 3` is Hexapawn",
    options: &[],
    example: "pawns 3 3",
    build,
};

/// Rules of white, then of black; by square row by row from the top left, then steps before
/// captures to the left before captures to the right. Variables: the turn, then the squares in the
/// same order.
fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    let n_columns = args.number("COLS", 1..=50)?;
    let n_rows = args.number("ROWS", 3..=50)?;
    args.finish()?;
    let n_squares = n_columns * n_rows;
    args.check_size(1 + n_squares, 6 * n_squares)?;

    let mut game = Game::new([
        format!("Pawns on {n_columns} columns and {n_rows} rows, a game for two players"),
        "A pawn steps to the empty square before it, or captures a pawn of the other color on one of the\n\
         two squares diagonally before it. White moves up and begins. Who brings a pawn to the other side\n\
         has won. In Gardner's game, who can't move has lost: `psvn play --no-move loss`. Then black wins\n\
         on 3 columns and 3 rows."
            .to_owned(),
        "Encoding: whose turn it is, then the squares, row by row from the top left. Rule a1-b2 moves from\n\
         a1 to b2. Rows have domains of their own, so that the first value of each variable is the start."
            .to_owned(),
        "Source: Gardner, \"Mathematical Games\", Scientific American 206 (3), 1962 (Hexapawn).".to_owned(),
        "players: 2".to_owned(),
    ]);
    board_with_turn(
        &mut game,
        "blank . show white w show black b",
        squares(n_rows, n_columns),
    );
    game.domain("player", ["white", "black"]);
    game.domain("top", ["b", ".", "w"]);
    game.domain("middle", [".", "w", "b"]);
    game.domain("bottom", ["w", ".", "b"]);
    game.variables(["player"], "whose turn it is");
    for row in 0..n_rows {
        let domain = match row {
            0 => "top",
            _ if row + 1 == n_rows => "bottom",
            _ => "middle",
        };
        game.variables(vec![domain; n_columns], "");
    }
    let square = |row: usize, column: usize| 1 + row * n_columns + column;
    let name = |row, column| square_name(row, column, n_rows);
    for (player, other, own, their) in [("white", "black", "w", "b"), ("black", "white", "b", "w")]
    {
        let mut note = Some(format!("{player} moves."));
        for row in 0..n_rows {
            let ahead = if own == "w" {
                row.checked_sub(1)
            } else {
                Some(row + 1)
            };
            let Some(ahead) = ahead.filter(|ahead| *ahead < n_rows) else {
                continue;
            };
            for column in 0..n_columns {
                for (sideways, target) in [(0, "."), (-1, their), (1, their)] {
                    let Some(to) = column
                        .checked_add_signed(sideways)
                        .filter(|to| *to < n_columns)
                    else {
                        continue;
                    };
                    let mut rule = Rule::new(format!("{}-{}", name(row, column), name(ahead, to)))
                        .change(0, player, other)
                        .change(square(row, column), own, ".")
                        .change(square(ahead, to), target, own);
                    if let Some(note) = note.take() {
                        rule = rule.note(note);
                    }
                    game.rule(rule);
                }
            }
        }
    }
    for (player, other, own, last) in [
        ("White", "black", "w", 0),
        ("Black", "white", "b", n_rows - 1),
    ] {
        for column in 0..n_columns {
            let mut tokens: Vec<Token> = vec!["-".to_owned(); 1 + n_squares];
            tokens[0] = other.to_owned();
            tokens[square(last, column)] = own.to_owned();
            let note = if column == 0 {
                format!("{player} has moved to the other side.")
            } else {
                String::new()
            };
            game.goal(tokens, &note);
        }
    }
    Ok(game)
}
