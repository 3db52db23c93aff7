//! Manhattan distance, found from the rules of the 8-puzzle and used by IDA*.

use heuristics::{Name, Named};
use invariants::Invariants;
use search::{CompiledGame, Searcher};

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = domains::generate("sliding-tiles", &["3", "3"])?;
    let game = psvn_ir::load(&text).game.ok_or("the text has errors")?;
    let invariants = Invariants::from_goals(&game);
    let manhattan = Named::new(&game, &invariants, &[Name::Manhattan])?;

    let start = game.parse_state("8 7 6 0 4 1 2 5 3")?;
    assert_eq!(manhattan.of_state(&start), 21);
    let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
    let report = searcher.run().ida_star(&start, &manhattan)?;
    let cost = report.solution().map(|solution| solution.cost);
    println!("cost {cost:?}, {} nodes generated", report.totals.generated);
    assert_eq!(cost, Some(31));
    Ok(())
}
