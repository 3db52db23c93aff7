//! The states of a path: one in each line, or as boards.

use std::io::{self, Write};

use psvn::{Game, State};

use crate::drawings::BoardLayout;
use crate::show::{Align, Table};

/// The columns that boards side by side may take.
const WIDTH: usize = 76;

/// The form in which a path is shown.
#[derive(Clone, Debug, Default)]
pub(crate) enum Way {
    /// As its moves alone.
    #[default]
    Moves,
    /// State by state.
    States,
    /// Board by board.
    Boards(BoardLayout),
}

/// Write the states of a path, the start first, each after the move that leads to it: as boards if
/// there is a layout, otherwise one in each line.
///
/// # Errors
/// When `out` can't be written to.
pub(crate) fn show_way(
    game: &Game,
    layout: Option<&BoardLayout>,
    states: &[State],
    moves: &[String],
    out: &mut dyn Write,
) -> io::Result<()> {
    let names = std::iter::once("start").chain(moves.iter().map(String::as_str));
    if let Some(layout) = layout {
        let head = |(step, name): (usize, &str)| match step {
            0 => name.to_owned(),
            _ => format!("{step} {name}"),
        };
        let heads: Vec<String> = names.enumerate().map(head).collect();
        return show_boards(game, layout, states, &heads, out);
    }
    let left = |title| (title, Align::Left);
    let mut table = Table::new([("", Align::Right), left(""), left("")]);
    for (step, (name, state)) in names.zip(states).enumerate() {
        let state = game.ir().format_state(state.values());
        table.row([step.to_string(), name.to_owned(), state]);
    }
    table.print_body(out)
}

/// Write states as boards, several side by side, with a head above each.
///
/// # Errors
/// When `out` can't be written to.
pub(crate) fn show_boards(
    game: &Game,
    layout: &BoardLayout,
    states: &[State],
    heads: &[String],
    out: &mut dyn Write,
) -> io::Result<()> {
    let values: Vec<Vec<&str>> = states.iter().map(|it| game.value_names(it)).collect();
    for line in layout.side_by_side(&values, heads, WIDTH) {
        if line.is_empty() {
            writeln!(out)?;
        } else {
            writeln!(out, "    {line}")?;
        }
    }
    Ok(())
}
