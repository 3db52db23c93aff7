//! A puzzle and a tree, searched with more and more pruning: the toolkit's purpose, in seconds.

use std::time::Duration;

use psvn::Environment;
use psvn::Error;
use psvn::Game;
use psvn::Limits;
use psvn::Solution;
use psvn::heuristic::{HeuristicSpec, Name};
use psvn::solve::{
    Outcome, PruneSpec, SearchOptions, Solver, TreeColumn, TreeReport, TreeRequest, goal_state,
    labels, states_on_the_way,
};

const FIFTEEN: &str = "sliding-tiles:4:4";
/// A 15-puzzle whose shortest solution has 40 moves.
const SCRAMBLED: &str = "6 8 4 5 11 0 1 10 3 9 15 2 12 13 7 14";
const TOPSPIN: &str = "topspin:14:3";
/// The number of moves between two boards that are shown.
const MOVES_BETWEEN_BOARDS: usize = 8;
/// The limit for each step, on any machine.
const TIME: Duration = Duration::from_secs(5);

/// The depth of the tree that is counted.
pub(super) const TREE_DEPTH: u64 = 6;

/// A search that leaves something out.
#[derive(Clone, Debug)]
pub(super) struct DemoRow {
    /// The sequences or nodes that are left out.
    pub(super) what: &'static str,
    /// The nodes generated.
    pub(super) nodes: u128,
    /// The time of the search.
    pub(super) elapsed: Duration,
    /// Whether a limit stopped it.
    pub(super) is_stopped: bool,
}

/// A scrambled 15-puzzle that was solved three times.
#[derive(Debug)]
pub(super) struct DemoPuzzle {
    /// The game.
    pub(super) game: Game,
    /// Some boards along the solution, each with its head; none without a solution.
    pub(super) boards: Vec<(String, psvn::State)>,
    /// The labels of the moves.
    pub(super) moves: Vec<String>,
    /// The searches, with more and more pruning.
    pub(super) rows: Vec<DemoRow>,
}

/// Solve a puzzle several times, with more and more pruning.
///
/// # Errors
/// When there isn't enough memory.
pub(super) fn puzzle(env: &Environment) -> Result<DemoPuzzle, Error> {
    let game = Game::built_in(FIFTEEN, env)?;
    let start = game.state("the start", SCRAMBLED)?;
    let mut solution: Option<Solution> = None;
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
            limits: Limits {
                time: Some(TIME),
                ..Limits::default()
            },
            ..SearchOptions::default()
        };
        let solver = Solver::builder(&game)
            .options(options)
            .starts([start.clone()])
            .build(env)?;
        let answer = solver.solve(&start)?;
        rows.push(DemoRow {
            what,
            nodes: answer.generated,
            elapsed: answer.elapsed,
            is_stopped: matches!(answer.outcome, Outcome::Stopped(_)),
        });
        solution = answer.solution().cloned().or(solution);
    }
    let (mut boards, mut moves) = (Vec::new(), Vec::new());
    if let Some(solution) = &solution {
        let all = states_on_the_way(&game, &start, &solution.moves);
        let n_moves = solution.moves.len();
        for (place, state) in all.into_iter().enumerate() {
            if place % MOVES_BETWEEN_BOARDS == 0 || place == n_moves {
                let head = match place {
                    0 => "start".to_owned(),
                    _ => format!("{place} moves"),
                };
                boards.push((head, state));
            }
        }
        moves = labels(&game, &solution.moves);
    }
    Ok(DemoPuzzle {
        game,
        boards,
        moves,
        rows,
    })
}

/// Count the tree of (14,3)-TopSpin down to [`TREE_DEPTH`], with more and more pruning.
///
/// # Errors
/// When there isn't enough memory.
pub(super) fn tree(env: &Environment) -> Result<Vec<DemoRow>, Error> {
    let game = Game::built_in(TOPSPIN, env)?;
    let request = TreeRequest {
        lengths: vec![0, 2, 4],
        limits: Limits {
            time: Some(TIME),
            ..Limits::default()
        },
        ..TreeRequest::to_depth(TREE_DEPTH)
    };
    let report = TreeReport::count(&game, &goal_state(&game)?, &request, env)?;
    let row = |column: &TreeColumn| DemoRow {
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
