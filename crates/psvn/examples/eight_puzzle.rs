//! Solves 8-puzzles: analyzes the game, prepares a search with the machine and a heuristic, runs it
//! from several starts, and checks each plan by the rules.

use psvn::{Environment, Game, Pruning, Solver, check_moves};

#[allow(clippy::print_stdout, reason = "an example shows what it finds")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let env = Environment::default();
    let game = Game::built_in("sliding-tiles:3:3", &env)?;
    let starts = ["8 7 6 5 4 3 2 1 0", "8 6 7 2 5 4 3 0 1"].map(|text| game.state("a start", text));
    let starts = starts.into_iter().collect::<Result<Vec<_>, _>>()?;
    let analysis = Pruning::up_to(10).analyze(&game, &env)?;
    let solver = Solver::builder(&game)
        .machine(&analysis)
        .heuristic("linear-conflict".parse()?)
        .starts(starts.clone())
        .build(&env)?;
    for start in &starts {
        let answer = solver.solve(start)?;
        let solution = answer.solution().ok_or("there is no solution")?;
        let plan = check_moves(&game, start, &solution.moves)?;
        let names = game.rule_names().names(&solution.moves);
        println!("{} moves: {}", plan.cost, names.join(" "));
    }
    Ok(())
}
