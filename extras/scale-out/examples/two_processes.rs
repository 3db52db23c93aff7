//! The greatest distance in the 8-puzzle, found by two processes.

use std::process::Command;

use explore::{Options, Origin};
use scale_out::{explore, local};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = domains::generate("sliding-tiles", &["3", "3"])?;
    let game = psvn_ir::load(&text).game.ok_or("a game with errors")?;
    let mut words = std::env::args().skip(1);
    if let (Some(process), Some(folder)) = (words.next(), words.next()) {
        // One of the processes started below.
        let (process, stdin) = (process.parse()?, std::io::stdin().lock());
        let member = local::join(process, folder.as_ref(), stdin, std::io::stdout())?;
        explore(&game, &Origin::Goals, member, &Options::default())?;
        return Ok(());
    }
    let folder = std::env::temp_dir().join("psvn-two-processes");
    let program = std::env::current_exe()?;
    let (member, _children) = local::start(2, &folder, &mut |process| {
        let mut command = Command::new(&program);
        command.arg(process.to_string()).arg(&folder);
        command
    })?;
    let report = explore(&game, &Origin::Goals, member, &Options::default())?;
    #[allow(clippy::print_stdout, reason = "an example shows what it found")]
    {
        let (moves, states) = (report.layers.len() - 1, report.states());
        println!("{states} states, at most {moves} moves");
    }
    Ok(())
}
