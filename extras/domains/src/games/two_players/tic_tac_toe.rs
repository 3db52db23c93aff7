//! Tic-tac-toe.

use super::squares::{board_with_turn, line_goals, lines, square_name, squares};
use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::info::DomainInfo;
use crate::psvn::{Game, Rule};

pub(crate) const INFO: DomainInfo = DomainInfo {
    name: "tic-tac-toe",
    usage: "tic-tac-toe",
    summary: "two players: three in a row on 3 by 3 squares",
    options: &[],
    example: "tic-tac-toe",
    build,
};

const SIDE: usize = 3;

/// Rules of X, then of O, each row by row from the top left. Variables: the turn, then the squares
/// in the same order.
fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    args.finish()?;
    let n_squares = SIDE * SIDE;
    let mut game = Game::new([
        "Tic-tac-toe, a game for two players".to_owned(),
        "X and O put their marks on empty squares in turn. Who has three in a row, column or diagonal\n\
         has won; if the board is full before, the game is drawn. X begins on an empty board."
            .to_owned(),
        "Encoding: whose turn it is, then the squares, row by row from the top left. Rule b2 puts the\n\
         mark of the player whose turn it is on the square in column b, second row from the bottom. A\n\
         goal is a line of the player who has just moved. The start: the first value of each variable."
            .to_owned(),
        "Source: Heineman, Pollice & Selkow, \"Algorithms in a Nutshell\" (2nd edition, 2016), chapter 7;\n\
         the order of the moves is theirs."
            .to_owned(),
        "players: 2".to_owned(),
    ]);
    board_with_turn(&mut game, "blank .", squares(SIDE, SIDE));
    game.domain("player", ["X", "O"]);
    game.domain("square", [".", "X", "O"]);
    game.variables(["player"], "whose turn it is");
    for _ in 0..SIDE {
        game.variables(vec!["square"; SIDE], "");
    }
    for (player, other) in [("X", "O"), ("O", "X")] {
        for square in 0..n_squares {
            let name = square_name(square / SIDE, square % SIDE, SIDE);
            let mut rule = Rule::new(name)
                .change(0, player, other)
                .change(1 + square, ".", player);
            if square == 0 {
                rule = rule.note(format!("{player} moves."));
            }
            game.rule(rule);
        }
    }
    line_goals(&mut game, &lines(SIDE, SIDE, SIDE), n_squares, 0);
    Ok(game)
}
