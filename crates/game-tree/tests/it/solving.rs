//! The solver against plain Minimax on games where no position comes again.

use game_tree::{
    Algorithm, Analyzer, Limits, NoEvaluation, NoMove, Outcome, Settings, SolveError, SolveLimits,
    StopReason, Value, solve,
};

use crate::oracle::{built_in, random_two_player_game};

/// Where play may go on for ever, looking ahead finds the same wins and losses as the solver, and
/// draws are what no number of moves decides.
#[test]
fn solutions_are_what_looking_ahead_finds() {
    let mut found = [0; 3];
    for seed in 0..150 {
        for no_move in [NoMove::Draw, NoMove::Loss, NoMove::Win] {
            let game = random_two_player_game(seed, no_move);
            let start = game.default_start();
            let solution = solve(&game, &start, &SolveLimits::default()).unwrap();
            let settings = Settings {
                table_bytes: 1 << 20,
                ..Settings::default()
            };
            let mut analyzer = Analyzer::new(&game, NoEvaluation, settings);
            for (state, outcome) in solution.positions() {
                let ply = solution.n_positions() as u32;
                let analysis = analyzer.analyze(&state, ply.min(20), |_| ()).unwrap();
                let value = analysis.value().unwrap();
                match outcome {
                    Outcome::Win(moves) => {
                        assert_eq!(value, Value::Win(Some(moves)), "seed {seed}");
                    }
                    Outcome::Loss(moves) => {
                        assert_eq!(value, Value::Loss(Some(moves)), "seed {seed}");
                    }
                    Outcome::Draw => assert_eq!(value, Value::Open(0), "seed {seed}"),
                }
            }
            found
                .iter_mut()
                .zip(solution.counts())
                .for_each(|(sum, n)| *sum += n);
        }
    }
    assert!(found.iter().all(|n| *n > 100), "{found:?}");
}

#[test]
fn limits_are_kept() {
    let game = built_in("connect:7:6:4", NoMove::Draw);
    let start = game.default_start();
    let error = solve(
        &game,
        &start,
        &SolveLimits {
            bytes: 1 << 20,
            ..SolveLimits::default()
        },
    )
    .unwrap_err();
    assert!(matches!(
        error,
        SolveError::Stopped {
            reason: StopReason::Memory,
            ..
        }
    ));
    for (nodes, algorithm) in [
        (1, Algorithm::Minimax),
        (100, Algorithm::AlphaBeta),
        (12_345, Algorithm::Deepening),
    ] {
        let settings = Settings {
            algorithm,
            limits: Limits {
                nodes: Some(nodes),
                ..Limits::default()
            },
            ..Settings::default()
        };
        let mut analyzer = Analyzer::new(&game, NoEvaluation, settings);
        let analysis = analyzer.analyze(&start, 12, |_| ()).unwrap();
        assert_eq!(
            (analysis.nodes, analysis.stopped),
            (nodes, Some(StopReason::Nodes))
        );
    }
}
