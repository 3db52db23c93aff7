//! The heuristic whose tables pay for themselves.

use heuristic_choice::{HeuristicSpec, NoHost, Request, prepare};
use invariants::Invariants;
use search::{CompiledGame, Searcher};

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = psvn_ir::load(&domains::generate_reference("topspin:10:4")?).game;
    let game = game.ok_or("a game without errors")?;
    let starts = [game.parse_state("3 6 1 8 10 2 7 4 9 5")?];
    let known = Invariants::from_states(&game, &starts);
    let (spec, host) = (HeuristicSpec::Auto, NoHost::default());
    let request = Request::new(&spec, &game, &starts, &known, &host);

    let compiled = CompiledGame::new(&game);
    let searcher = Searcher::builder(&compiled).build();
    let chosen = prepare(&request, &|bounds| {
        let mut run = searcher.run().limits(bounds.limits);
        run.ida_star_part(bounds.start, bounds.estimate, bounds.part)
            .ok()
    })?;
    println!("{}: {}", chosen.estimate, chosen.reason.unwrap_or_default());
    let report = searcher.run().ida_star(&starts[0], &chosen.estimate)?;
    println!("{:?}", report.solution().map(|it| it.cost));
    Ok(())
}
