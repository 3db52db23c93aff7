//! The machine of a game as a picture.

use std::path::Path;

use fsm::OpenFile;
use pictures::{Arrows, draw_machine};
use psvn::{Environment, Game, Pruning};

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let env = Environment::default();
    let game = Game::built_in("topspin:6:3", &env)?;
    let analysis = Pruning::up_to(2).analyze(&game, &env)?;
    let machine = analysis
        .machine
        .as_ref()
        .ok_or("the machine is too large")?;
    let file = OpenFile::from_bytes(machine.to_bytes())?;
    let graph = draw_machine(
        &file,
        Some(&game),
        Path::new("topspin.fsm"),
        Arrows::All,
        &env,
    )?;
    let svg = graph.svg()?;
    assert!(svg.starts_with("<svg"));
    println!("{} states, {} bytes of SVG", graph.states.len(), svg.len());
    Ok(())
}
