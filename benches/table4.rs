//! Table 4 of Burch & Holte 2011 in one command: nodes and times of depth-first search to a fixed
//! depth, with parent pruning and beside machines, for all games of the table, with deeper machines
//! added.
//!
//! Prints a table. `cargo bench -p psvn-benches --bench table4 -- NAME` makes the rows whose name
//! contains NAME.

#![allow(
    clippy::print_stdout,
    reason = "a bench reports on the standard output"
)]

use std::time::{Duration, Instant};

use invariants::Invariants;
use move_prune::{Analysis, Options};
use psvn_ir::{Game, State, Term};
use psvn_toolkit::{analyze, built_in, canonical_rules, machine};
use search::{Bound, CompiledGame, CycleDetection, Limits, Searcher};

use psvn_benches::clock::processor_time;

/// The number of start states over which most rows of the table sum.
const N_STARTS: u64 = 100;

/// The steps of a random walk to a start state.
const N_STEPS: usize = 1_000;

/// A cell of the table is given up after this time.
const MOST: Duration = Duration::from_secs(60);

/// The roots of a row's trees.
#[derive(Clone, Copy, PartialEq)]
enum Starts {
    /// At 100 random states.
    Random,
    /// Anywhere: the tree has the same size below all states. It is counted once and multiplied
    /// by 100.
    Anywhere,
    /// At this state alone; the published figures are for it, too.
    Only(&'static str),
}

/// A row of the table.
struct Row {
    name: &'static str,
    reference: &'static str,
    depth: u64,
    /// Thousands of nodes, as published (with the corrections of 2012 and 2014): parent pruning,
    /// length 2, length 3. `None` where the authors gave up after an hour.
    published: [Option<u64>; 3],
    starts: Starts,
    /// Further lengths, with the invariants of the start states.
    deeper: &'static [usize],
}

const ROWS: [Row; 9] = [
    Row {
        name: "16-arrow",
        reference: "arrow:16",
        depth: 15,
        published: [None, Some(3_277), Some(3_277)],
        starts: Starts::Anywhere,
        deeper: &[],
    },
    Row {
        name: "10-blocks world",
        reference: "blocks:10",
        depth: 11,
        published: [Some(352_028); 3],
        starts: Starts::Random,
        deeper: &[4],
    },
    Row {
        name: "8-puzzle",
        reference: "sliding-tiles:3:3",
        depth: 25,
        published: [Some(368_357); 3],
        starts: Starts::Random,
        deeper: &[6, 10, 14, 20],
    },
    Row {
        name: "9-pancake",
        reference: "pancake:9",
        depth: 9,
        published: [Some(5_380_481), Some(5_380_481), Some(5_288_231)],
        starts: Starts::Anywhere,
        deeper: &[4, 5, 6],
    },
    Row {
        name: "4-peg Hanoi, 8 disks",
        reference: "hanoi:4:8",
        depth: 10,
        published: [Some(1_422_419), Some(31_673), Some(9_060)],
        starts: Starts::Random,
        deeper: &[4],
    },
    Row {
        name: "2x2x2 cube",
        reference: "rubik:2",
        depth: 6,
        published: [Some(2_715_477), Some(833_111), Some(515_614)],
        starts: Starts::Anywhere,
        deeper: &[4, 5],
    },
    Row {
        name: "(14,3)-TopSpin",
        reference: "topspin:14:3",
        depth: 9,
        published: [None, Some(2_165_977), Some(316_437)],
        starts: Starts::Anywhere,
        deeper: &[4, 5, 6],
    },
    Row {
        name: "Work or Golf",
        reference: "work-or-golf",
        depth: 13,
        published: [None, Some(209_501), Some(58_712)],
        starts: Starts::Random,
        deeper: &[4],
    },
    Row {
        name: "Gripper",
        reference: "gripper:10",
        depth: 14,
        published: [Some(9_794_961), Some(590_870), Some(25_982)],
        starts: Starts::Only("a none none a a a a a a a a a a"),
        deeper: &[4, 5],
    },
];

/// The same states in every run, at the ends of random walks from the goal.
fn random_starts(game: &Game, compiled: &CompiledGame, n_starts: u64) -> Vec<State> {
    let goal = game.goal_state().expect("these games have one goal state");
    let walk = |number: u64| {
        let mut state = goal.clone();
        let mut seed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for _ in 0..N_STEPS {
            let applicable = compiled.applicable_rules(&state).unwrap_or_default();
            // A linear congruential generator (Knuth's MMIX) is random enough for a walk.
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let rule = applicable[(seed >> 33) as usize % applicable.len()];
            if let Ok(Some(next)) = compiled.apply(&state, rule) {
                state = next;
            }
        }
        state
    };
    (1..=n_starts).map(walk).collect()
}

/// The analysis of a game within the invariants of the starts.
fn analyze_knowing(game: &Game, max_length: usize, known: &Invariants) -> Analysis {
    let admits = |preconditions: &[Term]| known.admits(preconditions);
    let options = Options {
        max_length,
        admits: Some(&admits),
        ..Options::default()
    };
    move_prune::analyze(game.n_variables(), &canonical_rules(game), &options, |_| ())
}

/// A cell: nodes and processor time of the searches from all starts.
struct Cell {
    nodes: u128,
    time: Duration,
    /// The time of the analysis, the machine and the plan of the search.
    preparation: Duration,
    complete: bool,
}

/// Count the trees of all starts: with parent pruning, or beside the machine for words up to a
/// length.
fn cell(
    row: &Row,
    game: &Game,
    starts: &[State],
    length: Option<usize>,
    known: &Invariants,
) -> Cell {
    let compiled = CompiledGame::new(game);
    let begun = Instant::now();
    let machine = machine(&match length {
        None => analyze(game, 0),
        // As in the papers, without invariants.
        Some(length) if length <= 3 => analyze(game, length),
        Some(length) => analyze_knowing(game, length, known),
    });
    let mut search = Searcher::builder(&compiled)
        .machine(machine)
        .invariants({
            let known = known.clone();
            move |preconditions: &[Term]| known.admits(preconditions)
        })
        .cycle_detection(match length {
            None => CycleDetection::Parent,
            Some(_) => CycleDetection::None,
        })
        .build()
        .run()
        .count_forbidden(false)
        .limits(Limits {
            time: Some(MOST),
            ..Limits::default()
        });
    // The first search makes the plan, for all starts.
    if let Some(start) = starts.first() {
        drop(search.count_tree(start, Bound::Depth(1)));
    }
    let preparation = begun.elapsed();
    let begun = Instant::now();
    let started = processor_time();
    let mut cell = Cell {
        nodes: 0,
        time: Duration::ZERO,
        preparation,
        complete: true,
    };
    for start in starts {
        let tree = search.count_tree(start, Bound::Depth(row.depth));
        let tree = tree.expect("starts are states of the game");
        cell.nodes += tree.totals().generated;
        if tree.stopped.is_some() || begun.elapsed() > MOST {
            cell.complete = false;
            break;
        }
    }
    cell.time = processor_time() - started;
    cell
}

fn print_row(row: &Row) {
    let game = built_in(row.reference);
    let compiled = CompiledGame::new(&game);
    let (starts, scale) = match row.starts {
        Starts::Random => (random_starts(&game, &compiled, N_STARTS), 1),
        Starts::Anywhere => (random_starts(&game, &compiled, 1), u128::from(N_STARTS)),
        Starts::Only(text) => {
            let start = game.parse_state(text);
            (vec![start.expect("starts are states of their games")], 1)
        }
    };
    let known = Invariants::from_states(&game, &starts);
    let columns = [None, Some(2), Some(3)]
        .into_iter()
        .chain(row.deeper.iter().copied().map(Some));
    for (place, length) in columns.enumerate() {
        let cell = cell(row, &game, &starts, length, &known);
        let published = match row.published.get(place) {
            None => String::new(),
            Some(None) => "> 3600 s".to_owned(),
            Some(Some(nodes)) if row.starts == Starts::Random => nodes.to_string(),
            Some(Some(nodes)) => format!("{nodes} ="),
        };
        let time = cell.time.as_secs_f64();
        let (nodes, time) = if cell.complete {
            let nodes = (cell.nodes * scale + 500) / 1_000;
            (nodes.to_string(), format!("{:.3}", time * scale as f64))
        } else {
            (format!("> {}", cell.nodes / 1_000), format!("> {time:.0}"))
        };
        let preparation = cell.preparation.as_secs_f64();
        let column = length.map_or("PP".to_owned(), |length| format!("L = {length}"));
        println!(
            "| {} | {} | {column} | {published} | {nodes} | {time} | {preparation:.3} |",
            row.name, row.depth
        );
    }
}

fn main() {
    let filter: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    println!(
        "Thousands of nodes generated from {N_STARTS} start states; seconds of processor time for all of them."
    );
    println!("Gripper: from the one start state that the published figures are for.");
    println!(
        "=: the same from every start; one is counted, and nodes and time are taken {N_STARTS} times."
    );
    println!("| game | depth | pruning | published | nodes | seconds | preparation |");
    println!("|---|---:|---|---:|---:|---:|---:|");
    for row in &ROWS {
        if filter.is_empty() || filter.iter().any(|part| row.name.contains(part.as_str())) {
            print_row(row);
        }
    }
}
