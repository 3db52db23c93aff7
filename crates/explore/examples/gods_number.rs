//! The hardest positions of the 8-puzzle, and how many moves they take.

use explore::{Options, Origin, explore};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = domains::generate("sliding-tiles", &["3", "3"])?;
    let game = psvn_ir::load(&text).game.ok_or("a game with errors")?;
    let options = Options {
        farthest: 2,
        ..Options::default()
    };
    let report = explore(&game, &Origin::Goals, &options)?;
    let (moves, states) = (report.layers.len() - 1, report.states());
    #[allow(clippy::print_stdout, reason = "an example shows what it found")]
    {
        println!("{states} states, at most {moves} moves");
        for state in &report.farthest {
            println!("{}", game.format_state(state.values()));
        }
    }
    Ok(())
}
