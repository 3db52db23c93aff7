//! An abstraction of the 8-puzzle in which tiles 4 to 8 look alike.

use abstraction::{AbstractGame, Abstraction};

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = domains::generate("sliding-tiles", &["3", "3"])?;
    let game = psvn_ir::load(&text).game.ok_or("the text has errors")?;
    let pattern = Abstraction::from_pattern(&game, "keep 0-3")?;
    let abstract_game = AbstractGame::new(&game, &pattern)?;

    let start = game.parse_state("8 7 6 5 4 3 2 1 0")?;
    let abstract_state = abstract_game.abstract_state(start.values());
    println!("{}", abstract_game.game().format_state(&abstract_state));
    assert_eq!(
        abstract_game.game().format_state(&abstract_state),
        "4 4 4 4 4 3 2 1 0"
    );
    assert_eq!(abstract_game.game().rules().len(), 24);
    Ok(())
}
