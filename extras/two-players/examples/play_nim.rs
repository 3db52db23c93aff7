//! A game against the program.

use psvn::Environment;
use two_players::{ContestEvent, NextTurn, PlayOptions, Reply, TwoPlayers};

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let env = Environment::default();
    // Heaps of 1, 2 and 2. Who takes the last one wins.
    let game = TwoPlayers::open("gen:nim:1:2:2", &PlayOptions::default(), &env)?;
    let start = game.default_start();
    let (mut contest, event) = game.play(&start, "A", &env)?;
    println!("{event}");
    loop {
        match contest.next_turn()? {
            NextTurn::Yours => {
                // Ask for a good move, and make it.
                let Reply::Event(ContestEvent::Hint { by: Some(by), .. }) = contest.obey("hint")?
                else {
                    return Err("no move".into());
                };
                if let Reply::Event(event) = contest.obey(&by)? {
                    println!("{event}");
                }
            }
            NextTurn::Moved(Some(event), _) => println!("{event}"),
            NextTurn::Over(event) => {
                println!("{event}");
                assert_eq!(event.to_string(), "You have won.");
                return Ok(());
            }
            _ => return Err("the program has no move".into()),
        }
    }
}
