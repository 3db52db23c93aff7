//! `psvn demo`: what the program is for, in a few seconds. It is what `psvn` alone does on a
//! terminal.

use std::io::Write;
use std::time::Duration;

use psvn::heuristic::Name;
use psvn::solve::{
    Outcome, TreeColumn, TreeReport, TreeRequest, goal_state, labels, states_on_the_way,
};
use psvn::text::units::{format_seconds, wrap};
use psvn::{Game, HeuristicSpec, PruneSpec, SearchOptions, Searcher, Solution, State};

use super::solve::print_boards;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::table::{Align, Table};
use crate::session::Context;
use crate::session::interrupt;

const FIFTEEN: &str = "gen:sliding-tiles:4:4";
/// 40 moves from its goal, and no fewer.
const SCRAMBLED: &str = "6 8 4 5 11 0 1 10 3 9 15 2 12 13 7 14";
const TOPSPIN: &str = "gen:topspin:14:3";
const DEPTH: u64 = 6;
/// The number of moves between two boards that are shown.
const MOVES_BETWEEN_BOARDS: usize = 8;
/// No step of the show takes longer, on however slow a machine.
const TIME: Duration = Duration::from_secs(5);
const WIDTH: usize = 80;

/// A row of the table.
struct Row {
    what: &'static str,
    nodes: u128,
    elapsed: Duration,
    is_stopped: bool,
}

pub(crate) fn run(cx: &mut Context) -> Result<Exit, Failure> {
    if cx.format != Format::Text {
        return Err(
            Failure::usage("`psvn demo` is for people, and prints text only")
                .hint("`psvn solve` and `psvn tree` print the same as data"),
        );
    }
    interrupt::flag(&cx.env);
    let fifteen = Game::open(FIFTEEN, &cx.env)?;
    let start = state(&fifteen, SCRAMBLED)?;
    writeln!(
        cx.out,
        "A scrambled 15-puzzle, solved in as few moves as there are:\n"
    )?;
    let (solution, puzzle) = puzzle(&fifteen, &start, cx)?;
    if let Some(solution) = &solution {
        show(&fifteen, &start, solution, cx)?;
    }
    let topspin = Game::open(TOPSPIN, &cx.env)?;
    let tree = tree(&topspin, cx)?;
    writeln!(
        cx.out,
        "Many sequences of moves do what others do. Found from the rules alone and left out, they save nodes:\n"
    )?;
    let title = format!("all sequences of {DEPTH} moves of (14,3)-TopSpin");
    print(
        "that 15-puzzle, by IDA* with Manhattan distance",
        &puzzle,
        cx,
    )?;
    print(&title, &tree, cx)?;
    writeln!(
        cx.out,
        "\
Try next:
  psvn gen sliding-tiles 3 3 > eight.psvn        a game is a text: look at it, change it
  psvn check eight.psvn                          see whether it says what you meant
  psvn analyze eight.psvn --max-length 12        find the superfluous sequences of its moves
  psvn solve eight.psvn --start '8 7 6 5 4 3 2 1 0' --boards
  psvn play gen:tic-tac-toe --as X               games of two players
  psvn --help                                    all that there is"
    )?;
    let mut rows = puzzle.iter().chain(&tree);
    Ok(match rows.any(|row| row.is_stopped) {
        false => Exit::Done,
        true if cx.env.is_cancelled() => Exit::Interrupted,
        true => Exit::Limit,
    })
}

/// Solves the puzzle, with less and less of it.
fn puzzle(
    game: &Game,
    start: &State,
    cx: &Context,
) -> Result<(Option<Solution>, Vec<Row>), Failure> {
    let mut solution = None;
    let mut rows = Vec::new();
    for (prune, what) in [
        (PruneSpec::None, "nothing left out"),
        (
            PruneSpec::Length(2),
            "moves that undo the last one left out",
        ),
        (
            PruneSpec::Length(12),
            "redundant sequences of up to 12 moves left out",
        ),
    ] {
        let options = SearchOptions {
            heuristic: HeuristicSpec::named(Name::Manhattan),
            prune: Some(prune),
            time: Some(TIME),
            ..SearchOptions::default()
        };
        let searcher = Searcher::builder(game)
            .options(options)
            .starts([start.clone()])
            .build(&cx.env)?;
        let answer = searcher.run(start).solve()?;
        rows.push(Row {
            what,
            nodes: answer.generated,
            elapsed: answer.elapsed,
            is_stopped: matches!(answer.outcome, Outcome::Stopped(_)),
        });
        solution = answer.solution().cloned().or(solution);
    }
    Ok((solution, rows))
}

/// Counts a tree, with less and less of it.
fn tree(game: &Game, cx: &Context) -> Result<Vec<Row>, Failure> {
    let request = TreeRequest {
        lengths: vec![0, 2, 4],
        time: Some(TIME),
        ..TreeRequest::to_depth(DEPTH)
    };
    let report = TreeReport::count(game, &goal_state(game)?, &request, &cx.env)?;
    let row = |column: &TreeColumn| Row {
        what: match column.max_length {
            Some(2) => "redundant sequences of up to 2 moves left out",
            Some(4) => "redundant sequences of up to 4 moves left out",
            _ => "nothing left out",
        },
        nodes: column.total,
        elapsed: column.elapsed,
        is_stopped: !column.complete,
    };
    Ok(report.columns.iter().map(row).collect())
}

fn state(named: &Game, text: &str) -> Result<State, Failure> {
    let state = named.ir().parse_state(text);
    state.map_err(|error| Failure::wrong(error.to_string()))
}

/// Shows a solution: boards on the way, and all moves.
fn show(named: &Game, start: &State, solution: &Solution, cx: &mut Context) -> Result<(), Failure> {
    let layout = named.needed_board_layout(None)?;
    let all = states_on_the_way(named, start, &solution.moves);
    let n_moves = solution.moves.len();
    let (mut heads, mut states) = (Vec::new(), Vec::new());
    for (place, state) in all.into_iter().enumerate() {
        if place % MOVES_BETWEEN_BOARDS == 0 || place == n_moves {
            heads.push(match place {
                0 => "start".to_owned(),
                _ => format!("{place} moves"),
            });
            states.push(state);
        }
    }
    print_boards(&layout, named, &states, &heads, &mut cx.out)?;
    let moves = labels(named, &solution.moves);
    writeln!(cx.out, "The blank's way:")?;
    for line in wrap(&moves, WIDTH) {
        writeln!(cx.out, "  {line}")?;
    }
    writeln!(cx.out)?;
    Ok(())
}

fn print(title: &str, rows: &[Row], cx: &mut Context) -> Result<(), Failure> {
    let mut table = Table::new([
        (title, Align::Left),
        ("nodes", Align::Right),
        ("time", Align::Right),
    ]);
    for row in rows {
        let nodes = report::group_digits(row.nodes);
        table.row([
            format!("  {}", row.what),
            match row.is_stopped {
                false => nodes,
                true => format!("> {nodes}"),
            },
            format_seconds(row.elapsed),
        ]);
    }
    table.print(&mut cx.out)?;
    writeln!(cx.out)?;
    Ok(())
}
