//! Whole spaces: `explore` beside programs for one puzzle each.
//!
//! Both keep two bits a state and use one thread. `cargo bench -p psvn-benches --bench space`
//! counts the 2x2x2 cube with a fixed corner; `-- whole-cube eleven rounds=1` the cube with all
//! orientations (88 million states) and the 11-puzzle (239 million).

#![allow(
    clippy::print_stdout,
    reason = "a bench reports on the standard output"
)]

#[path = "baseline/spaces.rs"]
mod spaces;

use std::cell::Cell;

use explore::{Options, Origin, Report, Storage, explore};
use psvn_benches::rounds::{Contestant, rounds};
use psvn_toolkit::built_in;
use spaces::{ElevenPuzzle, PocketCube, Space};

/// Count a space in both ways, in turns, and print a line of the table.
fn compare(name: &str, reference: &str, by_hand: &impl Space, n_rounds: usize) {
    let game = built_in(reference);
    let expected = by_hand.layers();
    let bytes = Cell::new(0);
    let ours = || {
        let options = Options {
            storage: Storage::Ranked,
            ..Options::default()
        };
        let report = explore(&game, &Origin::Goals, &options);
        let report: Report = report.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(report.layers, expected, "{name}");
        bytes.set(report.peak_bytes);
        report.states()
    };
    let theirs = || by_hand.layers().iter().sum();
    let mut contestants: [Contestant<'_>; 2] = [Box::new(ours), Box::new(theirs)];
    let speeds = rounds(n_rounds, &mut contestants);
    let states: u64 = expected.iter().sum();
    println!(
        "| {name} | {states} | {:.1} | {:.1} | {:.2} | {:.2} |",
        speeds[0].best() / 1e6,
        speeds[1].best() / 1e6,
        speeds[0].times(&speeds[1]),
        bytes.get() as f64 * 8.0 / states as f64,
    );
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let n_rounds = words.iter().find_map(|word| word.strip_prefix("rounds="));
    let n_rounds = n_rounds.and_then(|n| n.parse().ok()).unwrap_or(5);
    let names = ["cube", "whole-cube", "eleven"];
    let is_named = words.iter().any(|word| names.contains(&word.as_str()));
    let is_wanted = |name: &str| {
        if is_named {
            words.iter().any(|word| word == name)
        } else {
            name == "cube"
        }
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.unwrap_or_else(|error| panic!("{error}"));
    println!("| space | states | million a second | by hand | ratio | bits a state |");
    println!("|---|---:|---:|---:|---:|---:|");
    // The thread whose time is taken does all the work.
    pool.install(|| {
        if is_wanted("cube") {
            let cube = PocketCube::fixed();
            compare("2x2x2, a fixed corner", "rubik:2:fixed", &cube, n_rounds);
        }
        if is_wanted("whole-cube") {
            let cube = PocketCube::whole();
            compare("2x2x2, all orientations", "rubik:2", &cube, n_rounds);
        }
        if is_wanted("eleven") {
            let puzzle = "sliding-tiles:3:4";
            compare("11-puzzle", puzzle, &ElevenPuzzle, n_rounds);
        }
    });
}
