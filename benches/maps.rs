//! Maps: A\* on a grid of 512 x 512 squares beside a program for grids alone.
//!
//! `cargo bench -p psvn-benches --bench maps` prints the times of searches from corner to corner,
//! in turns, without preparation: blind, and by the octile distance, which both compute from
//! coordinates. `-- size=256 rounds=9` chooses another size, and the number of rounds.

#![allow(
    clippy::print_stdout,
    reason = "a bench reports on the standard output"
)]

#[path = "baseline/grid.rs"]
mod grid;

use std::cell::Cell;

use formats::Format;
use formats::maps::{DIAGONAL, STRAIGHT};
use psvn_benches::rounds::{Contestant, rounds};
use psvn_ir::Game;
use search::{CompiledGame, Heuristic, Searcher, ZeroHeuristic};

use grid::Grid;

/// The octile distance between the places of a state, by the coordinates of places.
struct Octile {
    places: Vec<(u32, u32)>,
}

impl Octile {
    fn of(game: &Game) -> Self {
        let names = game.domain(game.variables()[0]).values().iter();
        let place = |name: &String| {
            let (column, row) = name.split_once(',')?;
            Some((column.parse().ok()?, row.parse().ok()?))
        };
        Self {
            places: names.filter_map(place).collect(),
        }
    }
}

impl Heuristic for Octile {
    fn estimate(&self, state: &[u32]) -> u64 {
        let [(column, row), (to_column, to_row)] =
            [state[0], state[1]].map(|place| self.places[place as usize]);
        let (across, down) = (column.abs_diff(to_column), row.abs_diff(to_row));
        let (less, more) = (across.min(down), across.max(down));
        u64::from(less * DIAGONAL + (more - less) * STRAIGHT)
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str, usual: usize| {
        let word = words.iter().find_map(|word| word.strip_prefix(name));
        word.and_then(|n| n.parse().ok()).unwrap_or(usual)
    };
    let (size, n_rounds) = (number("size=", 512), number("rounds=", 7));
    let grid = Grid::random(size, 2);
    let text = formats::import(Format::Octile, &grid.text());
    let text = text.unwrap_or_else(|errors| panic!("{errors:?}")).text;
    let game = psvn_ir::load(&text).game.expect("a game without errors");
    let last = size - 1;
    let start = game.parse_state(&format!("0,0 {last},{last}"));
    let start = start.unwrap_or_else(|error| panic!("{error}"));
    let compiled = CompiledGame::new(&game);
    let searcher = Searcher::builder(&compiled).build();
    let octile = Octile::of(&game);
    println!(
        "{} rules, {} places",
        game.rules().len(),
        octile.places.len()
    );
    println!("| search | expanded | ours, ms | by hand, ms | ratio | bytes a state |");
    println!("|---|---:|---:|---:|---:|---:|");
    for (name, heuristic) in [
        ("blind", &ZeroHeuristic as &dyn Heuristic),
        ("octile distance", &octile),
    ] {
        let is_blind = name == "blind";
        let expected = grid.a_star(is_blind).expect("the far corner is reached");
        let facts = Cell::new((0, 0.0));
        // A search is one unit of work for both.
        let ours = || {
            let report = searcher.run().a_star(&start, heuristic);
            let report = report.unwrap_or_else(|error| panic!("{error}"));
            let cost = report.solution().map(|it| it.cost);
            assert_eq!(cost, Some(u128::from(expected)), "{name}");
            let kept = report.best_first.as_ref().expect("states are kept");
            let bytes = kept.peak_bytes as f64 / kept.stored.states() as f64;
            facts.set((report.totals.expanded, bytes));
            1
        };
        let by_hand = || {
            assert_eq!(grid.a_star(is_blind), Some(expected));
            1
        };
        let mut contestants: [Contestant<'_>; 2] = [Box::new(ours), Box::new(by_hand)];
        let speeds = rounds(n_rounds, &mut contestants);
        let (expanded, bytes) = facts.get();
        println!(
            "| {name} | {expanded} | {:.1} | {:.1} | {:.2} | {bytes:.1} |",
            1e3 / speeds[0].best(),
            1e3 / speeds[1].best(),
            speeds[1].times(&speeds[0]),
        );
    }
}
