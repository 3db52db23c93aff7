//! A pattern database of the 8-puzzle, and a search with it.

use abstraction::Abstraction;
use pattern_databases::{Options, PatternDatabase};
use search::{CompiledGame, Searcher};

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = domains::generate("sliding-tiles", &["3", "3"])?;
    let game = psvn_ir::load(&text).game.ok_or("the text has errors")?;
    let pattern = Abstraction::from_pattern(&game, "keep 0-4")?;
    let table = PatternDatabase::build(&game, &pattern, &Options::default())?;
    println!("{} entries", table.n_entries());
    assert_eq!(table.n_entries(), 9 * 8 * 7 * 6 * 5);

    let start = game.parse_state("7 2 4 5 0 6 8 3 1")?;
    let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
    let report = searcher.run().ida_star(&start, &table)?;
    let cost = report.solution().map(|solution| solution.cost);
    println!("cost {cost:?}, {} nodes generated", report.totals.generated);
    assert_eq!(cost, Some(26));
    Ok(())
}
