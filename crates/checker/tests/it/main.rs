//! Valid claims, and every way to tamper with them. Brute force is the judge.

mod certificates;
mod certified_machines;
mod corpus;
mod costs;
mod forgeries;
mod invariants;
mod irrelevance;
mod labels;
mod machines;
mod parts;
mod plans;
mod random_certificates;
mod verified;
mod veripb;

use psvn_ir::Game;

fn load(text: &str) -> Game {
    let loaded = psvn_ir::load(text);
    loaded
        .game
        .unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}
