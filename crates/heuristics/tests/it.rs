//! Heuristics compared with true distances, published values, and direct counts.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "it/admissible.rs"]
mod admissible;
#[path = "it/combined.rs"]
mod combined;
#[path = "it/fits.rs"]
mod fits;
#[path = "it/perimeter.rs"]
mod perimeter;
#[path = "it/published.rs"]
mod published;
#[path = "it/searches.rs"]
mod searches;
#[path = "it/values.rs"]
mod values;

use psvn_ir::{Game, State};
use search::Heuristic;

/// A built-in game.
fn built_in(reference: &str) -> Game {
    load(&domains::generate_reference(reference).unwrap())
}

/// A game from text.
fn load(text: &str) -> Game {
    let loaded = psvn_ir::load(text);
    let diagnostics = loaded.diagnostics;
    loaded.game.unwrap_or_else(|| panic!("{diagnostics:#?}"))
}

/// The estimate of a state.
fn estimate(heuristic: &impl Heuristic, state: &State) -> u64 {
    let cells: Vec<u32> = state.values().iter().map(|value| value.0).collect();
    heuristic.estimate(&cells)
}
