//! `psvn demo`: what the program is for, in a few seconds. It is what `psvn` alone does on a
//! terminal.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use heuristics::Named;
use psvn_ir::{RuleId, State};
use search::{Bound, CompiledGame, Limits, Outcome, Searcher, Solution, StopReason};

use super::solve::print_boards;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::table::{Align, Table};
use crate::session::Context;
use crate::session::interrupt;
use psvn::Game;
use psvn::solve::{PreparedPruning, PruneSpec};
use psvn::text::units::{format_seconds, wrap};

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
    stopped: Option<StopReason>,
}

/// What there is to see.
struct Demo {
    interrupt: Arc<AtomicBool>,
}

pub(crate) fn run(cx: &mut Context) -> Result<Exit, Failure> {
    if cx.format != Format::Text {
        return Err(
            Failure::usage("`psvn demo` is for people, and prints text only")
                .hint("`psvn solve` and `psvn tree` print the same as data"),
        );
    }
    let demo = Demo {
        interrupt: interrupt::flag(&cx.env),
    };
    let fifteen = Game::open(FIFTEEN, &cx.env)?;
    let start = state(&fifteen, SCRAMBLED)?;
    writeln!(
        cx.out,
        "A scrambled 15-puzzle, solved in as few moves as there are:\n"
    )?;
    let (solution, puzzle) = demo.puzzle(&fifteen, &start, cx)?;
    if let Some(solution) = &solution {
        show(&fifteen, &start, solution, cx)?;
    }
    let topspin = Game::open(TOPSPIN, &cx.env)?;
    let tree = demo.tree(&topspin, cx)?;
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
    let rows = puzzle.iter().chain(&tree);
    let stops: Vec<StopReason> = rows.filter_map(|row| row.stopped).collect();
    Ok(match stops.as_slice() {
        [] => Exit::Done,
        stops if stops.contains(&StopReason::Interrupted) => Exit::Interrupted,
        _ => Exit::Limit,
    })
}

impl Demo {
    fn limits(&self) -> Limits {
        Limits {
            time: Some(TIME),
            interrupt: Some(Arc::clone(&self.interrupt)),
            ..Limits::default()
        }
    }

    fn pruning(
        &self,
        length: usize,
        game: &Game,
        start: &State,
        by_moves: bool,
        cx: &Context,
    ) -> Result<PreparedPruning, Failure> {
        let limits = move_prune::Limits {
            nodes: None,
            time: Some(TIME),
            memory: None,
            interrupt: Some(Arc::clone(&self.interrupt)),
        };
        let spec = match length {
            0 => PruneSpec::None,
            length => PruneSpec::Length(length),
        };
        let starts = std::slice::from_ref(start);
        let env = &cx.env;
        Ok(PreparedPruning::prepare(
            &spec, game, starts, by_moves, limits, env,
        )?)
    }

    /// Solves the puzzle, with less and less of it.
    fn puzzle(
        &self,
        named: &Game,
        start: &State,
        cx: &Context,
    ) -> Result<(Option<Solution>, Vec<Row>), Failure> {
        let compiled = CompiledGame::new(named.ir());
        let mut solution = None;
        let mut rows = Vec::new();
        for (length, what) in [
            (0, "nothing left out"),
            (2, "moves that undo the last one left out"),
            (12, "redundant sequences of up to 12 moves left out"),
        ] {
            let pruning = self.pruning(length, named, start, false, cx)?;
            let manhattan = Named::new(named.ir(), &pruning.known, &[heuristics::Name::Manhattan])
                .map_err(|error| Failure::wrong(error.to_string()))?;
            let search = Searcher::builder(&compiled);
            let report = match &pruning.machine {
                Some(machine) => search
                    .machine(machine.clone())
                    .build()
                    .run()
                    .limits(self.limits())
                    .ida_star(start, &manhattan),
                None => search
                    .build()
                    .run()
                    .limits(self.limits())
                    .ida_star(start, &manhattan),
            };
            let report = report.map_err(|error| Failure::input(error.to_string()))?;
            rows.push(Row {
                what,
                nodes: report.totals.generated,
                elapsed: report.elapsed,
                stopped: match report.outcome {
                    Outcome::Stopped(reason) => Some(reason),
                    _ => None,
                },
            });
            solution = report.solution().cloned().or(solution);
        }
        Ok((solution, rows))
    }

    /// Counts a tree, with less and less of it.
    fn tree(&self, named: &Game, cx: &Context) -> Result<Vec<Row>, Failure> {
        let compiled = CompiledGame::new(named.ir());
        let start = named.ir().goal_state();
        let start = start.ok_or_else(|| Failure::wrong("TopSpin has one goal state".to_owned()))?;
        let mut rows = Vec::new();
        for (length, what) in [
            (0, "nothing left out"),
            (2, "redundant sequences of up to 2 moves left out"),
            (4, "redundant sequences of up to 4 moves left out"),
        ] {
            let pruning = self.pruning(length, named, &start, true, cx)?;
            let search = Searcher::builder(&compiled);
            let bound = Bound::Depth(DEPTH);
            let count = match &pruning.machine {
                Some(machine) => search
                    .machine(machine.clone())
                    .build()
                    .run()
                    .limits(self.limits())
                    .count_tree(&start, bound),
                None => search
                    .build()
                    .run()
                    .limits(self.limits())
                    .count_tree(&start, bound),
            };
            let count = count.map_err(|error| Failure::input(error.to_string()))?;
            rows.push(Row {
                what,
                nodes: count.totals().generated,
                elapsed: count.elapsed,
                stopped: count.stopped,
            });
        }
        Ok(rows)
    }
}

fn state(named: &Game, text: &str) -> Result<State, Failure> {
    let state = named.ir().parse_state(text);
    state.map_err(|error| Failure::wrong(error.to_string()))
}

/// Shows a solution: boards on the way, and all moves.
fn show(named: &Game, start: &State, solution: &Solution, cx: &mut Context) -> Result<(), Failure> {
    let game = named.ir();
    let layout = named.needed_board_layout(None)?;
    let (mut heads, mut states) = (vec!["start".to_owned()], vec![start.clone()]);
    let n_moves = solution.moves.len();
    for end in 1..=n_moves {
        if end % MOVES_BETWEEN_BOARDS == 0 || end == n_moves {
            // By the rules as they are written, not by the compiled game.
            let state = search::replay(game, start, &solution.moves[..end]);
            let state = state.map_err(|error| Failure::wrong(error.to_string()))?;
            heads.push(format!("{end} moves"));
            states.push(state);
        }
    }
    print_boards(&layout, named, &states, &heads, &mut cx.out)?;
    let label = |rule: &RuleId| game.rule(*rule).label.to_string();
    let moves: Vec<String> = solution.moves.iter().map(label).collect();
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
            match row.stopped {
                None => nodes,
                Some(_) => format!("> {nodes}"),
            },
            format_seconds(row.elapsed),
        ]);
    }
    table.print(&mut cx.out)?;
    writeln!(cx.out)?;
    Ok(())
}
