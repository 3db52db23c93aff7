//! A board with two pieces.

use std::fmt::Write as _;

/// The moves: their labels, rows down and columns to the right.
const DIRECTIONS: [(&str, isize, isize); 4] = [
    ("up", -1, 0),
    ("right", 0, 1),
    ("down", 1, 0),
    ("left", 0, -1),
];

/// A game on a board, with a rule for each piece, square and direction.
pub(super) fn text(rows: usize, columns: usize) -> String {
    let n = rows * columns;
    let mut text = format!(
        "# My board game: the pieces a and b change places.\n\
         #\n\
         # A state has a value for each square, row by row: `_` is empty, `a` and `b` are pieces. Change\n\
         # the start and the goal, and which pieces may go where: add values for other pieces, or delete\n\
         # the rules that lead through a wall.\n\
         #\n\
         # layout: rows {rows} columns {columns} blank _\n"
    );
    let mut start = vec!["_"; n];
    (start[0], start[n - 1]) = ("a", "b");
    let mut goal = start.clone();
    goal.swap(0, n - 1);
    let _ = writeln!(text, "# start: {}", start.join(" "));
    text.push_str("\nDOMAIN square 3 _ a b\n\n");
    let _ = writeln!(text, "{n}");
    for _ in 0..rows {
        let _ = writeln!(text, "{}", vec!["square"; columns].join(" "));
    }
    for piece in ["a", "b"] {
        let _ = writeln!(text, "\n# {piece} moves to an empty square beside it.");
        for (label, down, right) in DIRECTIONS {
            for square in 0..n {
                let to = neighbor(square, (rows, columns), (down, right));
                let Some(to) = to else {
                    continue;
                };
                let mut sides = [vec!["-"; n], vec!["-"; n]];
                (sides[0][square], sides[0][to]) = (piece, "_");
                (sides[1][square], sides[1][to]) = ("_", piece);
                let [before, after] = sides.map(|side| side.join(" "));
                let _ = writeln!(text, "{before} => {after} LABEL {piece}-{label}");
            }
        }
    }
    let _ = writeln!(
        text,
        "\n# `-` in a goal is any value.\nGOAL {}",
        goal.join(" ")
    );
    text
}

/// The square beside another one, if there is one.
fn neighbor(
    square: usize,
    (rows, columns): (usize, usize),
    (down, right): (isize, isize),
) -> Option<usize> {
    let row = (square / columns).checked_add_signed(down)?;
    let column = (square % columns).checked_add_signed(right)?;
    (row < rows && column < columns).then_some(row * columns + column)
}
