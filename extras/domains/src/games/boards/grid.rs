//! A walk on a rectangular grid.

use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::info::DomainInfo;
use crate::psvn::{Game, Rule};

pub(crate) const INFO: DomainInfo = DomainInfo {
    name: "grid",
    usage: "grid ROWS COLS",
    summary: "a walk on a grid: many paths, few squares",
    options: &[],
    example: "grid 5 5",
    build,
};

/// Rules by direction (Right, Left, Up, Down), then by the coordinate that changes.
fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    let n_rows = args.number("ROWS", 1..=100_000)?;
    let n_columns = args.number("COLS", 1..=100_000)?;
    if n_rows * n_columns < 2 {
        return Err(args.invalid("COLS", n_columns, "a grid of at least 2 squares"));
    }
    args.finish()?;
    args.check_size(2, 2 * (n_rows - 1) + 2 * (n_columns - 1))?;

    let mut game = Game::new([
        format!("A walk on a grid of {n_rows} rows and {n_columns} columns"),
        "A move goes one square to the right, left, up or down. Paths to a square grow exponentially\n\
         with their length, squares only quadratically. The goal is the top left corner."
            .to_owned(),
        "Encoding: the row (0 at the top) and the column (0 at the left). A rule for each direction and\n\
         value, in the order Right, Left, Up, Down; all rules of a direction share its label."
            .to_owned(),
        "Source: Taylor & Korf, \"Pruning Duplicate Nodes in Depth-First Search\" (1993), whose grid has no\n\
         borders and one operator for each direction."
            .to_owned(),
    ]);
    game.grid(n_rows, n_columns, "open walker 1,2 @");
    // A declared domain has at least two values; the built-in domain `1` has the one value 0.
    let row = declare(&mut game, "row", n_rows);
    let column = declare(&mut game, "column", n_columns);
    game.variables([row, column], "");
    for value in 1..n_columns {
        game.rule(Rule::new("Right").change(1, value - 1, value));
    }
    for value in 1..n_columns {
        game.rule(Rule::new("Left").change(1, value, value - 1));
    }
    for value in 1..n_rows {
        game.rule(Rule::new("Up").change(0, value, value - 1));
    }
    for value in 1..n_rows {
        game.rule(Rule::new("Down").change(0, value - 1, value));
    }
    game.goal([0, 0], "");
    Ok(game)
}

fn declare(game: &mut Game, name: &str, size: usize) -> String {
    if size == 1 {
        return "1".to_owned();
    }
    game.domain(name, 0..size);
    name.to_owned()
}
