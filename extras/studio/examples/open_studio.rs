//! Serves the page for a game, and prints its address: `open_studio [GAME]`.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::path::PathBuf;

use psvn::Environment;
use studio::Studio;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = std::env::args_os().nth(1).map(PathBuf::from);
    let server = Studio::open(game.as_deref(), &Environment::default())?.listen(0)?;
    println!("{}", server.address());
    server.run()?;
    Ok(())
}
