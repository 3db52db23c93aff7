//! Solves 8-puzzles: analyzes the game, prepares a search with the machine and a heuristic, runs it
//! from several starts, and checks each plan by the rules.
//!
//! `cargo run -p psvn --example eight_puzzle`

use psvn::{Environment, Event, Game, Pruning, Searcher, check_moves};

fn main() -> Result<(), psvn::Error> {
    let env = Environment::default().with_listener(|event| {
        if let Event::Warning(text) = event {
            eprintln!("{text}");
        }
    });
    let game = Game::built_in("sliding-tiles:3:3", &env)?;
    let mut starts = Vec::new();
    for text in ["8 7 6 5 4 3 2 1 0", "8 6 7 2 5 4 3 0 1"] {
        starts.push(game.state("a start", text)?);
    }
    let analysis = Pruning::up_to(10).analyze(&game, &env)?;
    let searcher = Searcher::builder(&game)
        .machine(&analysis)
        .heuristic("linear-conflict".parse().map_err(psvn::Error::usage)?)
        .starts(starts.clone())
        .build(&env)?;
    let mut out = String::new();
    for start in &starts {
        let answer = searcher.run(start).ida_star()?;
        let Some(solution) = answer.solution() else {
            continue;
        };
        let plan = check_moves(&game, start, &solution.moves)?;
        let names = game.rule_names().names(&solution.moves);
        out += &format!("{} moves: {}\n", plan.cost, names.join(" "));
    }
    std::io::Write::write_all(&mut std::io::stdout(), out.as_bytes())
        .map_err(|error| psvn::Error::input(error.to_string()))
}
