//! Boards of states, with the moves between them.

use drawing::BoardLayout;
use psvn::text::units::count;
use psvn::{Game, State};

/// The seconds of each step of an animated picture.
const STEP: f64 = 0.7;

/// Draw states with the moves between them as an animated picture in SVG.
pub fn animation(game: &Game, layout: &BoardLayout, states: &[State], moves: &[String]) -> String {
    let values: Vec<Vec<&str>> = states.iter().map(|it| game.value_names(it)).collect();
    let title = format!("{}: {}", game.name(), count(moves.len(), "move"));
    drawing::animate(&title, layout, &values, moves, STEP)
}
