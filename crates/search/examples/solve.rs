//! A search without a heuristic, with a machine.

use fsm::WordAutomaton;
use search::{CompiledGame, Searcher, ZeroHeuristic, replay};

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = domains::generate("pancake", &["7"])?;
    let game = psvn_ir::load(&text).game.ok_or("the text has errors")?;
    // No flip twice in a row.
    let machine = WordAutomaton::forbidding(6, (0..6).map(|flip| [flip, flip]))?.build()?;

    // Prepared once; any number of runs and threads can share it.
    let searcher = Searcher::builder(&CompiledGame::new(&game))
        .machine(machine)
        .build();
    let start = game.parse_state("5 2 7 1 4 6 3")?;
    let report = searcher.run().ida_star(&start, &ZeroHeuristic)?;
    let solution = report.solution().ok_or("every order can be reached")?;
    for rule in &solution.moves {
        println!("{}", game.rule(*rule).label);
    }
    assert_eq!(solution.cost, 7);
    assert!(game.is_goal(replay(&game, &start, &solution.moves)?.values()));
    Ok(())
}
