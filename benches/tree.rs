//! Counting trees depth first: the engine with and without macro-operators at the leaves, the
//! interpreter of rules, and programs written by hand for one game each.
//!
//! Prints tables. `cargo bench -p psvn-benches --bench tree -- NAME` runs the games whose name
//! contains NAME.

#![allow(
    clippy::print_stdout,
    reason = "a bench reports on the standard output"
)]

mod baseline;
mod start;

use invariants::Invariants;
use psvn_ir::{State, Term};
use psvn_toolkit::{analyze, built_in, machine};
use search::{Bound, CompiledGame, Run, Searcher};

use baseline::{
    Fifteen, Pancakes, Tally, TopSpin, fifteen_in_lines, pancakes_in_lines, pocket_cube,
    rubiks_cube, topspin_in_lines,
};
use psvn_benches::rounds::{Contestant, Speed, rounds};

/// The number of runs of each contestant.
const N_ROUNDS: usize = 7;

/// A tree is deepened until it has this number of nodes.
const LARGE: u64 = 60_000_000;

/// The interpreter counts smaller trees.
const SMALL: u64 = 3_000_000;

/// Speeds of the C code of the reference compiler (psvn2c, gcc -O3), in million nodes a second on a
/// similar machine: without pruning, and with an analysis of length 2.
struct Reference {
    unpruned: Option<f64>,
    pruned: Option<f64>,
}

/// A game and the root of its tree.
struct Packed {
    name: &'static str,
    reference: &'static str,
    published: Reference,
}

const fn row(
    name: &'static str,
    reference: &'static str,
    unpruned: Option<f64>,
    pruned: Option<f64>,
) -> Packed {
    Packed {
        name,
        reference,
        published: Reference { unpruned, pruned },
    }
}

const ROWS: [Packed; 10] = [
    row("8-puzzle", "sliding-tiles:3:3", None, Some(117.0)),
    row("15-puzzle", "sliding-tiles:4:4", None, None),
    row("(14,3)-TopSpin", "topspin:14:3", Some(263.0), Some(109.0)),
    row("9-pancake", "pancake:9", Some(286.0), Some(227.0)),
    row("2x2x2 cube", "rubik:2", Some(187.0), Some(170.0)),
    row("3x3x3 cube", "rubik:3", None, None),
    row("16-arrow", "arrow:16", None, Some(13.5)),
    row("8-disk Hanoi", "hanoi:4:8", None, Some(63.0)),
    row("10-blocks", "blocks:10", None, Some(43.0)),
    row("Gripper, 10 balls", "gripper:10", None, Some(52.0)),
];

/// A count of the tree down to a depth.
type Count<'a> = Box<dyn FnMut(u64) -> Tally + 'a>;

fn by_toolkit<'a>(mut search: Run<'a>, start: &'a State) -> Count<'a> {
    Box::new(move |depth| {
        let tree = search
            .count_tree(start, Bound::Depth(depth))
            .expect("the start is a state of the game");
        Tally {
            nodes: tree.totals().generated as u64,
            goals: tree.goals_in_last_ply.unwrap_or_default(),
        }
    })
}

fn bytes<const N: usize>(state: &State) -> [u8; N] {
    std::array::from_fn(|i| state.values()[i].0 as u8)
}

/// The programs written by hand for a game: plain, and with lines of children.
fn by_hand(
    row: &Packed,
    rules: &[usize],
    start: &State,
    prune: bool,
) -> (Option<Count<'static>>, Option<Count<'static>>) {
    match row.reference {
        "sliding-tiles:4:4" => {
            let start = bytes(start);
            let plain = Fifteen::new(prune);
            (
                Some(Box::new(move |depth| plain.count(&start, depth))),
                Some(Box::new(fifteen_in_lines(&start, prune))),
            )
        }
        "topspin:14:3" => {
            let start = bytes(start);
            let plain = TopSpin::new(if prune { 2 } else { 0 });
            (
                Some(Box::new(move |depth| plain.count(&start, depth))),
                Some(Box::new(topspin_in_lines(&start, prune))),
            )
        }
        "pancake:9" => {
            let start = bytes(start);
            (
                Some(Box::new(move |depth| Pancakes::count(&start, prune, depth))),
                Some(Box::new(pancakes_in_lines(&start, prune))),
            )
        }
        "rubik:2" => (None, Some(Box::new(pocket_cube("FRBLUD", rules, prune)))),
        "rubik:3" => (None, Some(Box::new(rubiks_cube("BFDULR", rules, prune)))),
        _ => (None, None),
    }
}

/// The measurements of a game at one length.
struct Outcome {
    /// The ratio of the engine's best speed to the reference.
    times_reference: Option<f64>,
}

fn measure(row: &Packed, length: usize) -> Outcome {
    let game = built_in(row.reference);
    let compiled = CompiledGame::new(&game);
    let (rules, start) = match start::fixed(row.reference) {
        Some(text) => {
            let state = game.parse_state(text);
            (Vec::new(), state.expect("starts are states of their games"))
        }
        None => start::scramble(&game, &compiled),
    };
    let known = Invariants::from_states(&game, std::slice::from_ref(&start));
    let machine = machine(&analyze(&game, length));
    let searcher = || {
        let known = known.clone();
        Searcher::builder(&compiled)
            .machine(machine.clone())
            .invariants(move |preconditions: &[Term]| known.admits(preconditions))
    };
    let by_book = searcher().interpreted().build();
    let (many, one) = (searcher().build(), searcher().max_macro_plies(1).build());
    let search = |count_forbidden| many.run().count_forbidden(count_forbidden);
    let one_ply = |count_forbidden| one.run().count_forbidden(count_forbidden);
    let (plain, in_lines) = by_hand(row, &rules, &start, length >= 2);
    let in_lines = in_lines.filter(|_| baseline::available());
    let contestants: Vec<(&'static str, Option<Count<'_>>)> = vec![
        ("leaf_macros", Some(by_toolkit(search(false), &start))),
        (
            "leaf_macros, forbidden counted",
            Some(by_toolkit(search(true), &start)),
        ),
        ("one ply", Some(by_toolkit(one_ply(false), &start))),
        (
            "one ply, forbidden counted",
            Some(by_toolkit(one_ply(true), &start)),
        ),
        ("by hand, AVX-512", in_lines),
        ("by hand, plain", plain),
        ("interpreter", Some(by_toolkit(by_book.run(), &start))),
    ];
    let mut contestants: Vec<(&'static str, Count<'_>)> = contestants
        .into_iter()
        .filter_map(|(name, count)| Some((name, count?)))
        .collect();
    // Depths that make trees of the required sizes, or all of a finite tree.
    let (mut depth, mut depth_of_small) = (1, 1);
    let mut before = 0;
    loop {
        let nodes = contestants[0].1(depth).nodes;
        if nodes <= SMALL {
            depth_of_small = depth;
        }
        if nodes >= LARGE || nodes == before {
            break;
        }
        before = nodes;
        depth += 1;
    }
    // A finite tree is small: it is counted over and over.
    let tally = contestants[0].1(depth);
    let repeats = (LARGE / 4 / tally.nodes).max(1);
    for (name, count) in &mut contestants {
        if *name != "interpreter" {
            assert_eq!(count(depth), tally, "{}: {name}", row.name);
        }
    }
    let names: Vec<&str> = contestants.iter().map(|(name, _)| *name).collect();
    let mut in_rounds: Vec<Contestant<'_>> = contestants
        .into_iter()
        .map(|(name, mut count)| -> Contestant<'_> {
            if name == "interpreter" {
                Box::new(move || count(depth_of_small).nodes)
            } else {
                Box::new(move || (0..repeats).map(|_| count(depth).nodes).sum())
            }
        })
        .collect();
    let speeds = rounds(N_ROUNDS, &mut in_rounds);
    let named: Vec<(&str, &Speed)> = names.into_iter().zip(&speeds).collect();
    print_rows(row, length, depth, tally, &named)
}

fn print_rows(
    row: &Packed,
    length: usize,
    depth: u64,
    tally: Tally,
    speeds: &[(&str, &Speed)],
) -> Outcome {
    let reference = if length == 0 {
        row.published.unpruned
    } else {
        row.published.pruned
    };
    let hand = speeds
        .iter()
        .filter(|(name, _)| name.starts_with("by hand"))
        .max_by(|(_, a), (_, b)| a.best().total_cmp(&b.best()))
        .map(|(_, speed)| *speed);
    println!(
        "\n{}, length {length}, depth {depth}: {} nodes, {} goals in the last ply",
        row.name, tally.nodes, tally.goals
    );
    println!("| | million nodes a second | times by hand | times the reference |");
    println!("|---|---:|---:|---:|");
    for (name, speed) in speeds {
        let optional = |number: Option<f64>| number.map_or(String::new(), |it| format!("{it:.2}"));
        println!(
            "| {name} | {:.0} | {} | {} |",
            speed.best() / 1e6,
            optional(hand.map(|hand| speed.times(hand))),
            optional(reference.map(|reference| speed.best() / 1e6 / reference)),
        );
    }
    if let Some(reference) = reference {
        println!("| reference | {reference} | | |");
    }
    Outcome {
        times_reference: reference.map(|reference| speeds[0].1.best() / 1e6 / reference),
    }
}

fn main() {
    let filter: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    let mut ratios = Vec::new();
    for row in &ROWS {
        let wanted = |part: &String| row.name.contains(part.as_str());
        if !filter.is_empty() && !filter.iter().any(wanted) {
            continue;
        }
        for length in [0, 2] {
            let outcome = measure(row, length);
            if length == 2 {
                ratios.extend(outcome.times_reference);
            }
        }
    }
    if !ratios.is_empty() {
        let logarithms: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
        println!(
            "\nTimes the reference at length 2, geometric mean of {}: {:.2}",
            ratios.len(),
            (logarithms / ratios.len() as f64).exp()
        );
    }
}
