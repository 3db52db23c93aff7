//! All algorithms give the score and the best move of plain Minimax, with and without table and
//! move ordering.

use game_tree::{Algorithm, Analyzer, BoardEvaluation, NoMove, Settings, TwoPlayerGame, Wins};
use proptest::prelude::*;
use psvn_ir::testing::{SplitMix64, cases};
use psvn_ir::{RuleId, Value};

use crate::oracle::{AnyWorth, Oracle, built_in, random_state, random_two_player_game};

/// Return all settings of a search.
fn all_settings(wins: Wins, unquiet: &[RuleId]) -> Vec<Settings> {
    let of = |algorithm, table_bytes, order_moves| Settings {
        unquiet: unquiet.to_vec(),
        algorithm,
        wins,
        table_bytes,
        order_moves,
        ..Settings::default()
    };
    vec![
        of(Algorithm::Minimax, 0, false),
        of(Algorithm::NegMax, 0, false),
        of(Algorithm::AlphaBeta, 0, false),
        of(Algorithm::Deepening, 0, false),
        of(Algorithm::Deepening, 0, true),
        of(Algorithm::Deepening, 1 << 16, false),
        of(Algorithm::Deepening, 1 << 16, true),
        // A tiny table, which overwrites entries all the time.
        of(Algorithm::Deepening, 256, true),
    ]
}

/// Return rules of which at most one applies in a state, so that what follows is a chain.
fn unquiet_rules(game: &TwoPlayerGame, random: &mut SplitMix64) -> Vec<RuleId> {
    let turn = game.turn().variable;
    let of_player = |player: usize| -> Vec<RuleId> {
        let rules = game.game().rules_with_ids();
        let moved = rules.filter(|(_, rule)| {
            let term = rule.canonical.preconditions()[turn.index()];
            term.as_constant() == Some(Value::from_index(player))
        });
        moved.map(|(id, _)| id).collect()
    };
    let mut chosen = Vec::new();
    for player in 0..2 {
        let rules = of_player(player);
        if !rules.is_empty() {
            chosen.push(rules[random.below(rules.len())]);
        }
    }
    chosen
}

fn check(seed: u64, no_move: NoMove, wins: Wins, max_ply: u32, is_selective: bool) {
    let game = random_two_player_game(seed, no_move);
    let mut random = SplitMix64::new(seed);
    let unquiet = if is_selective {
        unquiet_rules(&game, &mut random)
    } else {
        Vec::new()
    };
    let evaluator = AnyWorth {
        n_variables: game.game().n_variables(),
    };
    let mut analyzers: Vec<_> = all_settings(wins, &unquiet)
        .into_iter()
        .map(|settings| {
            (
                settings.algorithm,
                Analyzer::new(&game, evaluator, settings),
            )
        })
        .collect();
    for _ in 0..6 {
        let state = random_state(game.game(), &mut random);
        let ply = random.below(max_ply as usize + 1) as u32;
        let mut oracle = Oracle {
            game: &game,
            wins,
            unquiet: unquiet.clone(),
            visited: 0,
        };
        let (score, best) = oracle.best(&state, ply);
        let visited = oracle.visited;
        for (place, (algorithm, analyzer)) in analyzers.iter_mut().enumerate() {
            let analysis = analyzer.analyze(&state, ply, |_| ()).unwrap();
            let last = analysis.last().unwrap();
            let context = format!(
                "seed {seed}, {no_move:?}, {wins:?}, way {place}, ply {ply}, state {}",
                game.game().format_state(state.values())
            );
            // A win proved at a smaller depth is scored for that depth.
            let more = (ply - last.ply) as i32 * last.score.signum();
            let is_decided = score.abs() >= game_tree::WIN && wins == Wins::ByDistance;
            let expected = if is_decided { score - more } else { score };
            assert_eq!(last.score, expected, "{context}");
            assert_eq!(last.best, best, "{context}");
            assert_eq!(analysis.stopped, None);
            match algorithm {
                // What is followed beyond the horizon is cut off.
                Algorithm::Minimax | Algorithm::NegMax if !is_selective => {
                    assert_eq!(last.nodes, visited, "{context}");
                }
                Algorithm::AlphaBeta if !is_selective => assert!(last.nodes <= visited),
                _ => {}
            }
            // The line is the one that the oracle plays.
            let mut at = state.clone();
            for (i, rule) in analysis.line.iter().enumerate() {
                let (_, best) = oracle.best(&at, last.ply - i as u32);
                assert_eq!(Some(*rule), best, "{context}, move {i} of the line");
                at = game.after(&at, *rule);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(500)))]

    #[test]
    fn on_random_games(seed: u64, no_move in 0..3usize, equal: bool) {
        let no_move = [NoMove::Draw, NoMove::Loss, NoMove::Win][no_move];
        check(seed, no_move, if equal { Wins::Equal } else { Wins::ByDistance }, 5, false);
    }
}

#[test]
fn on_many_random_games() {
    for seed in 0..cases(300) {
        for no_move in [NoMove::Draw, NoMove::Loss, NoMove::Win] {
            for wins in [Wins::ByDistance, Wins::Equal] {
                check(seed, no_move, wins, 4, false);
                check(seed, no_move, wins, 3, true);
            }
        }
    }
}

/// Games whose boards are words with lines.
#[test]
fn on_boards() {
    for (reference, no_move, plies) in [
        ("tic-tac-toe", NoMove::Draw, 0..=5),
        ("connect:4:4:3", NoMove::Draw, 3..=6),
        ("connect:7:6:4", NoMove::Draw, 4..=5),
        // More than 64 squares, more than 64 moves.
        ("connect:9:8:4", NoMove::Draw, 3..=4),
        ("connect:20:14:4", NoMove::Draw, 2..=2),
        ("pawns:4:4", NoMove::Loss, 3..=6),
        ("pawns:8:8", NoMove::Loss, 2..=3),
        ("nim:3:4:5", NoMove::Draw, 3..=4),
        ("nim:12:11", NoMove::Loss, 2..=3),
    ] {
        let game = built_in(reference, no_move);
        let mut random = SplitMix64::new(7);
        for wins in [Wins::ByDistance, Wins::Equal] {
            let mut analyzers: Vec<_> = all_settings(wins, &[])
                .into_iter()
                .map(|settings| Analyzer::new(&game, BoardEvaluation, settings))
                .collect();
            for ply in plies.clone() {
                let mut state = game.default_start();
                for _ in 0..random.below(8) {
                    let rules = game.rules_from(&state).unwrap();
                    if !rules.is_empty() {
                        state = game.after(&state, rules[random.below(rules.len())]);
                    }
                }
                let found: Vec<_> = analyzers
                    .iter_mut()
                    .map(|analyzer| {
                        let analysis = analyzer.analyze(&state, ply, |_| ()).unwrap();
                        let last = analysis.last().unwrap();
                        (analysis.value(), last.best, analysis.line.clone())
                    })
                    .collect();
                let [first, rest @ ..] = found.as_slice() else {
                    unreachable!()
                };
                for (place, other) in rest.iter().enumerate() {
                    let state = game.game().format_state(state.values());
                    assert_eq!(
                        other.0,
                        first.0,
                        "{reference}, {ply}, way {}, {state}",
                        place + 1
                    );
                    assert_eq!(
                        other.1,
                        first.1,
                        "{reference}, {ply}, way {}, {state}",
                        place + 1
                    );
                    assert_eq!(
                        other.2,
                        first.2,
                        "{reference}, {ply}, way {}, {state}",
                        place + 1
                    );
                }
            }
        }
    }
}
