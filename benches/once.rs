//! One search, made once: for tools that count instructions, which a busy machine doesn't disturb.
//!
//! - `cargo bench -p psvn-benches --bench once -- GAME LENGTH DEPTH` counts a tree of the bench
//!   `tree`.
//! - `cargo bench -p psvn-benches --bench once -- korf:NUMBER LENGTH` solves an instance of the
//!   15-puzzle by IDA* with Manhattan distance.
//!
//! Words that may follow: `one-ply` (no macro-operators at the leaves), `avx2` or `portable` (no
//! better instructions), `by-hand` (the program written by hand, where there is one), `threads=N`,
//! `once` (no first run, which makes the plan).
//!
//! Prints the number of generated nodes, and the processor time of the thread in the second of two
//! runs; with several threads, the time by the clock.

#![allow(
    clippy::print_stdout,
    reason = "a bench reports on the standard output"
)]

#[allow(dead_code, reason = "the boards are those of another bench")]
mod instances;
mod manhattan;
mod start;

use std::time::Instant;

use invariants::Invariants;
use psvn_benches::clock::processor_time;
use psvn_ir::{Game, State, Term};
use psvn_toolkit::{analyze, built_in, machine};
use search::{Bound, CompiledGame, Instructions, Searcher};

/// Korf's hundred instances.
const KORF: &str = include_str!("../extras/domains/instances/korf15.txt");

/// The options of a run.
struct Words(Vec<String>);

impl Words {
    fn has(&self, word: &str) -> bool {
        self.0.iter().any(|it| it == word)
    }

    fn n_threads(&self) -> usize {
        let number = |word: &String| word.strip_prefix("threads=")?.parse().ok();
        self.0.iter().find_map(number).unwrap_or(1)
    }

    fn instructions(&self) -> Instructions {
        match () {
            () if self.has("portable") => Instructions::Portable,
            () if self.has("avx2") => Instructions::Avx2,
            () => Instructions::default(),
        }
    }
}

/// The searcher of a game, pruned by an analysis of a length.
fn searcher(game: &Game, start: &State, length: usize, words: &Words) -> Searcher {
    let known = Invariants::from_states(game, std::slice::from_ref(start));
    let mut builder = Searcher::builder(&CompiledGame::new(game))
        .machine(machine(&analyze(game, length)))
        .invariants(move |preconditions: &[Term]| known.admits(preconditions))
        .instructions(words.instructions());
    if words.has("one-ply") {
        builder = builder.max_macro_plies(1);
    }
    builder.build()
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    let (reference, length) = match arguments.as_slice() {
        [reference, length, ..] => (reference.as_str(), length.parse().expect("a length")),
        _ => return println!("GAME LENGTH DEPTH, or korf:NUMBER LENGTH"),
    };
    let words = Words(arguments[2..].to_vec());
    let mut count: Box<dyn FnMut() -> u64> = if let Some(number) = reference.strip_prefix("korf:") {
        let number: u32 = number.parse().expect("a number");
        by_estimate(number, length, &words)
    } else {
        let depth = words.0.first().and_then(|depth| depth.parse().ok());
        by_depth(reference, length, depth.expect("a depth"), &words)
    };
    // The first run makes the plan.
    let mut nodes = 0;
    if !words.has("once") {
        nodes = count();
    }
    let n_threads = words.n_threads();
    let (started, at) = (processor_time(), Instant::now());
    let again = count();
    let elapsed = match n_threads {
        1 => processor_time() - started,
        _ => at.elapsed(),
    };
    assert!(
        nodes == 0 || nodes == again,
        "both runs make the same nodes"
    );
    println!(
        "{again} nodes, {:.3} s, {:.1} million a second",
        elapsed.as_secs_f64(),
        again as f64 / elapsed.as_secs_f64() / 1e6
    );
}

/// A count of a tree.
fn by_depth(reference: &str, length: usize, depth: u64, words: &Words) -> Box<dyn FnMut() -> u64> {
    let game = built_in(reference);
    let start = match start::fixed(reference) {
        Some(text) => game
            .parse_state(text)
            .expect("starts are states of their games"),
        None => start::scramble(&game, &CompiledGame::new(&game)).1,
    };
    let searcher = searcher(&game, &start, length, words);
    Box::new(move || {
        let tree = searcher
            .run()
            .count_forbidden(false)
            .count_tree(&start, Bound::Depth(depth))
            .expect("the start is a state of the game");
        tree.totals().generated as u64
    })
}

/// A solution of an instance of the 15-puzzle.
fn by_estimate(number: u32, length: usize, words: &Words) -> Box<dyn FnMut() -> u64> {
    let mut lines = KORF.lines().filter_map(|line| line.split_once(':'));
    let (_, rest) = lines
        .find(|(it, _)| it.trim().parse() == Ok(number))
        .expect("the number of an instance");
    let tiles = rest.split('=').next().unwrap_or_default();
    let tiles = tiles.split_whitespace().filter_map(|it| it.parse().ok());
    let board: manhattan::Board = tiles
        .collect::<Vec<u8>>()
        .try_into()
        .expect("instances have 16 tiles");
    if words.has("by-hand") {
        return Box::new(move || manhattan::solve_fifteen(&board).generated);
    }
    let game = built_in("sliding-tiles:4:4");
    let text: Vec<String> = board.iter().map(u8::to_string).collect();
    let start = game
        .parse_state(&text.join(" "))
        .expect("boards are states");
    let sums = instances::manhattan_distance(&game);
    let searcher = searcher(&game, &start, length, words);
    let n_threads = words.n_threads();
    Box::new(move || {
        let report = searcher
            .run()
            .threads(n_threads)
            .count_forbidden(false)
            .ida_star(&start, &sums)
            .expect("the start is a state of the game");
        report.iterations.iter().map(|it| it.generated).sum()
    })
}
