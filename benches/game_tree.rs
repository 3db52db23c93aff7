//! AlphaBeta on Connect Four: the game read from PSVN beside a program written for it with
//! bitboards.
//!
//! Both walk the same tree, with the same scores. Prints a table.
//! `cargo bench -p psvn-benches --bench game_tree`.

#![allow(
    clippy::print_stdout,
    reason = "a bench reports on the standard output"
)]

#[path = "baseline/connect_four.rs"]
mod connect_four;

use game_tree::{
    Algorithm, Analyzer, BoardEvaluation, Evaluator, NoEvaluation, NoMove, Settings, Turn,
    TwoPlayerGame,
};
use psvn_toolkit::built_in;

use connect_four::ConnectFour;
use psvn_benches::rounds::{Contestant, rounds};

/// The number of runs of each contestant.
const N_ROUNDS: usize = 7;

/// The number of moves to look ahead.
const PLY: u32 = 11;

/// The look-ahead of the deepening search, which is compared by its time.
const DEEP_PLY: u32 = 15;

fn analyzer<'g>(
    game: &'g TwoPlayerGame,
    evaluator: impl Evaluator + 'g,
    algorithm: Algorithm,
) -> Analyzer<'g> {
    let settings = Settings {
        algorithm,
        find_line: false,
        ..Settings::default()
    };
    Analyzer::new(game, evaluator, settings)
}

/// The score and the number of positions of a search of the empty board.
fn search(game: &TwoPlayerGame, analyzer: &mut Analyzer<'_>, ply: u32) -> (i32, u64) {
    let analysis = analyzer
        .analyze(&game.default_start(), ply, |_| ())
        .expect("the empty board is a position");
    (
        analysis.last().expect("nothing stops it").score,
        analysis.nodes,
    )
}

fn measure(name: &str, game: &TwoPlayerGame, evaluator: impl Evaluator + Copy, evaluates: bool) {
    let mut generic = analyzer(game, evaluator, Algorithm::AlphaBeta);
    let by_hand = |ply| {
        let mut program = ConnectFour {
            evaluates,
            nodes: 0,
        };
        (program.search(ply), program.nodes)
    };
    let tree = by_hand(PLY);
    assert_eq!(search(game, &mut generic, PLY), tree, "the same tree");
    let mut contestants: Vec<Contestant<'_>> = vec![
        Box::new(|| search(game, &mut generic, PLY).1),
        Box::new(|| by_hand(PLY).1),
    ];
    let speeds = rounds(N_ROUNDS, &mut contestants);
    println!(
        "\n{name}, {PLY} moves ahead: {} positions, score {}",
        tree.1, tree.0
    );
    println!("| | million positions a second | times by hand |");
    println!("|---|---:|---:|");
    for (name, speed) in ["read from PSVN", "by hand"].iter().zip(&speeds) {
        println!(
            "| {name} | {:.1} | {:.2} |",
            speed.best() / 1e6,
            speed.times(&speeds[1])
        );
    }
}

/// Compare the deepening search with plain AlphaBeta by the number of positions.
fn deepening(game: &TwoPlayerGame) {
    println!("\nDeepening, with a table of 64 MiB and an order of moves");
    println!("| moves ahead | positions | ms |");
    println!("|---:|---:|---:|");
    for ply in [PLY, DEEP_PLY] {
        let mut search = analyzer(game, BoardEvaluation, Algorithm::Deepening);
        let analysis = search
            .analyze(&game.default_start(), ply, |_| ())
            .expect("the empty board is a position");
        println!(
            "| {ply} | {} | {:.1} |",
            analysis.nodes,
            analysis.elapsed.as_secs_f64() * 1e3
        );
    }
}

fn main() {
    let game = built_in("connect:7:6:4");
    let turn = Turn::find(&game).expect("somebody moves");
    let game = TwoPlayerGame::new(&game, turn, NoMove::Draw).expect("not too large");
    measure("Connect Four, no evaluation", &game, NoEvaluation, false);
    measure("Connect Four, open lines", &game, BoardEvaluation, true);
    deepening(&game);
}
