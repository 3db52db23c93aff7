//! The solver compared with plain Minimax on games in which no position recurs.

use game_tree::{
    Algorithm, Analyzer, Limits, NoEvaluation, NoMove, Outcome, Representative, Settings,
    SolveError, StopReason, TwoPlayerGame, Value, solve, solve_up_to,
};
use psvn_ir::State;
use psvn_ir::testing::cases;

use crate::oracle::{built_in, random_two_player_game};

/// Where play may go on forever, looking ahead finds the same wins and losses as the solver, and
/// draws are the positions that no depth decides.
#[test]
fn solutions_are_what_looking_ahead_finds() {
    let mut found = [0; 3];
    for seed in 0..cases(150) {
        for no_move in [NoMove::Draw, NoMove::Loss, NoMove::Win] {
            let game = random_two_player_game(seed, no_move);
            let start = game.default_start();
            let solution = solve(&game, &start, &Limits::default()).unwrap();
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

/// Return the least image of the board under rotations and reflections, by brute force.
fn least_image(state: &State) -> State {
    let values = state.values();
    let reflected = |i: usize| i / 3 * 3 + 2 - i % 3;
    let turned = |i: usize| i % 3 * 3 + 2 - i / 3;
    let mut places: [usize; 9] = std::array::from_fn(|i| i);
    let mut images = Vec::new();
    for _ in 0..4 {
        places = places.map(turned);
        for flip in [false, true] {
            let board = places.map(|i| values[1 + if flip { reflected(i) } else { i }]);
            images.push([&values[..1], &board].concat());
        }
    }
    State::new(images.into_iter().min().unwrap())
}

/// "Algorithms in a Nutshell": 765 positions and 26,830 games; 255,168 games if each counts.
#[test]
fn tic_tac_toe_up_to_symmetry() {
    let game = built_in("tic-tac-toe", NoMove::Draw);
    let start = game.default_start();
    let limits = Limits::default();
    let all = solve(&game, &start, &limits).unwrap();
    assert_eq!((all.n_positions(), all.n_games()), (5_478, Some(255_168)));
    let one = Representative::chosen_by(least_image);
    let few = solve_up_to(&game, &start, one, &limits).unwrap();
    assert_eq!((few.n_positions(), few.n_games()), (765, Some(26_830)));
    for (state, outcome) in all.positions() {
        assert_eq!(few.outcome(&state), Some(outcome));
        let best = few.best(&state).map(|rule| game.after(&state, rule));
        let best = best.map(|state| all.outcome(&state));
        let expected = all.best(&state).map(|rule| game.after(&state, rule));
        assert_eq!(best, expected.map(|state| all.outcome(&state)));
    }
}

/// Games are counted one by one, by visiting all of them.
#[test]
fn games_are_counted_unless_they_may_never_end() {
    fn walk(game: &TwoPlayerGame, state: &State, depth: usize) -> Option<u128> {
        let rules = game.rules_from(state).unwrap();
        if rules.is_empty() {
            return Some(1);
        }
        let below = depth.checked_sub(1)?;
        let games = rules
            .iter()
            .map(|rule| walk(game, &game.after(state, *rule), below));
        games.sum()
    }
    let (mut n_finite, mut n_endless) = (0, 0);
    for seed in 0..cases(150) {
        let game = random_two_player_game(seed, NoMove::Draw);
        let start = game.default_start();
        let solution = solve(&game, &start, &Limits::default()).unwrap();
        // A path longer than the number of positions has a cycle.
        match solution.n_games() {
            Some(n_games) => {
                assert_eq!(walk(&game, &start, solution.n_positions()), Some(n_games));
                n_finite += 1;
            }
            None => {
                let mut state = vec![start.clone()];
                for _ in 0..solution.n_positions() {
                    let next = state.iter().flat_map(|state| {
                        let rules = game.rules_from(state).unwrap();
                        let next = rules.into_iter().map(|rule| game.after(state, rule));
                        next.collect::<Vec<_>>()
                    });
                    let mut next: Vec<State> = next.collect();
                    next.sort();
                    next.dedup();
                    state = next;
                }
                assert!(!state.is_empty(), "seed {seed}");
                n_endless += 1;
            }
        }
    }
    assert!(n_finite > 5 && n_endless > 5, "{n_finite} {n_endless}");
}

#[test]
fn limits_are_kept() {
    let game = built_in("connect:7:6:4", NoMove::Draw);
    let start = game.default_start();
    let error = solve(
        &game,
        &start,
        &Limits {
            memory: Some(1 << 20),
            ..Limits::default()
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
