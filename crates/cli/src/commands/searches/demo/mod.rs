//! `psvn demo`: the program's purpose, in a few seconds. `psvn` alone does the same on a terminal.

mod searches;

use std::io::Write;

use psvn::text::units::{format_seconds, group_digits};

use self::searches::{DemoPuzzle, DemoRow, TREE_DEPTH};
use crate::drawings;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Context;
use crate::session::interrupt;
use crate::show::{Align, Table, show_boards, wrap};

const WIDTH: usize = 80;

pub(crate) fn run(cx: &mut Context) -> Result<Exit, Failure> {
    if cx.format != Format::Text {
        return Err(
            Failure::usage("`psvn demo` is for people, and prints text only")
                .hint("`psvn solve` and `psvn tree` print the same as data"),
        );
    }
    interrupt::flag(&cx.env);
    writeln!(
        cx.out,
        "A scrambled 15-puzzle, solved in as few moves as there are:\n"
    )?;
    let puzzle = searches::puzzle(&cx.env)?;
    if !puzzle.boards.is_empty() {
        show(&puzzle, cx)?;
    }
    let tree = searches::tree(&cx.env)?;
    writeln!(
        cx.out,
        "Many sequences of moves do what others do. Found from the rules alone and left\n\
         out, they save nodes:\n"
    )?;
    let title = format!("all sequences of {TREE_DEPTH} moves of (14,3)-TopSpin");
    print(
        "that 15-puzzle, by IDA* with Manhattan distance",
        &puzzle.rows,
        cx,
    )?;
    print(&title, &tree, cx)?;
    writeln!(
        cx.out,
        "\
Try next:
  psvn gen sliding-tiles 3 3 > eight.psvn   a game is a text: change it
  psvn check eight.psvn                     does it say what you meant?
  psvn analyze eight.psvn --max-length 12   find redundant sequences of moves
  psvn solve eight.psvn --start '8 7 6 5 4 3 2 1 0' --boards
  psvn play gen:tic-tac-toe --as X          games of two players
  psvn --help                               all that there is"
    )?;
    let mut rows = puzzle.rows.iter().chain(&tree);
    Ok(match rows.any(|row| row.is_stopped) {
        false => Exit::Done,
        true if cx.env.is_cancelled() => Exit::Interrupted,
        true => Exit::Limit,
    })
}

/// Show a solution: some boards, and all moves.
fn show(puzzle: &DemoPuzzle, cx: &mut Context) -> Result<(), Failure> {
    let (heads, states): (Vec<_>, Vec<_>) = puzzle.boards.iter().cloned().unzip();
    let game = &puzzle.game;
    if let Some(layout) = drawings::layout(game, None)? {
        show_boards(game, &layout, &states, &heads, &mut cx.out)?;
        writeln!(cx.out)?;
    }
    writeln!(cx.out, "The blank's way:")?;
    for line in wrap(&puzzle.moves, WIDTH - 2) {
        writeln!(cx.out, "  {line}")?;
    }
    writeln!(cx.out)?;
    Ok(())
}

fn print(title: &str, rows: &[DemoRow], cx: &mut Context) -> Result<(), Failure> {
    let mut table = Table::new([
        (title, Align::Left),
        ("nodes", Align::Right),
        ("time", Align::Right),
    ]);
    for row in rows {
        let nodes = group_digits(row.nodes);
        table.row([
            format!("  {}", row.what),
            if row.is_stopped {
                format!("> {nodes}")
            } else {
                nodes
            },
            format_seconds(row.elapsed),
        ]);
    }
    table.print(&mut cx.out)?;
    writeln!(cx.out)?;
    Ok(())
}
