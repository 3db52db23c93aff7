//! All solutions within a cost, against all paths that a plain walk finds.

use std::ops::ControlFlow;

use fsm::{Dense, WordAutomaton};
use move_prune::{Options, Order, analyze};
use psvn_ir::testing::{GameShape, SplitMix64, cases, random_game};
use psvn_ir::{Game, RuleId, State};
use search::{CompiledGame, CycleDetection, Limits, Searcher, StopReason, ZeroHeuristic};

use crate::games::{all_states, least_goal_cost, sliding_tiles, state};

/// All paths from a state to a first goal that cost exactly as much as is left and reach no state
/// twice, in the order of their rules.
fn paths(
    game: &Game,
    path: &mut Vec<State>,
    left: u64,
    rules: &mut Vec<RuleId>,
    all: &mut Vec<Vec<RuleId>>,
) {
    let end = path.last().expect("the start").clone();
    if game.is_goal(end.values()) {
        if left == 0 {
            all.push(rules.clone());
        }
        return;
    }
    for (id, rule) in game.rules_with_ids() {
        let rule = &rule.canonical;
        if !rule.applies_to(end.values()) || rule.cost() > left {
            continue;
        }
        let next = State::new(rule.apply(end.values()));
        if path.contains(&next) {
            continue;
        }
        path.push(next);
        rules.push(id);
        paths(game, path, left - rule.cost(), rules, all);
        path.pop();
        rules.pop();
    }
}

/// A machine that forbids what costs more than something else, up to a length.
fn machine(game: &Game, length: usize) -> Dense {
    let rules: Vec<_> = game.rules().iter().map(|r| r.canonical.clone()).collect();
    let options = Options {
        order: Order::Cost,
        ..Options::up_to(length)
    };
    let analysis = analyze(game.n_variables(), &rules, &options, |_| {});
    let words: Vec<Vec<u32>> = analysis.redundant_letters().collect();
    let automaton = WordAutomaton::forbidding(rules.len() as u32, &words).unwrap();
    automaton.build().unwrap()
}

/// What a searcher finds within a cost.
fn found(searcher: &Searcher, start: &State, cost: u64) -> Vec<Vec<RuleId>> {
    let mut all = Vec::new();
    let report = searcher
        .run()
        .all_within(start, &ZeroHeuristic, cost, &mut |rules| {
            all.push(rules.to_vec());
            ControlFlow::Continue(())
        });
    assert!(report.unwrap().is_complete);
    all
}

#[test]
fn random_games_have_all_their_solutions() {
    let mut n_solutions = 0;
    let mut n_pruned = 0;
    for seed in 0..cases(1_500) {
        let game = random_game(seed, &GameShape::default());
        let states = all_states(&game);
        let mut random = SplitMix64::new(seed);
        let start = &states[random.below(states.len())];
        let cost = |id| game.rule(id).canonical.cost();
        let Some(least) = least_goal_cost(&game, start, cost) else {
            continue;
        };
        let mut expected = Vec::new();
        paths(
            &game,
            &mut vec![start.clone()],
            least,
            &mut Vec::new(),
            &mut expected,
        );
        let compiled = CompiledGame::new(&game);
        let length = (seed % 4) as usize;
        let forbidding = machine(&game, length);
        for interpreted in [false, true] {
            for cycles in [
                CycleDetection::None,
                CycleDetection::Parent,
                CycleDetection::Path,
            ] {
                let mut builder = Searcher::builder(&compiled).cycle_detection(cycles);
                if interpreted {
                    builder = builder.interpreted();
                }
                let builder = builder.machine(forbidding.clone());
                assert_eq!(
                    found(&builder.build(), start, least),
                    expected,
                    "seed {seed}"
                );
            }
        }
        n_solutions += expected.len();
        n_pruned += usize::from(forbidding.n_states() > 2);
    }
    assert!(
        n_solutions > 500 && n_pruned > 150,
        "{n_solutions} {n_pruned}"
    );
}

#[test]
fn commuting_moves_are_found_in_each_order() {
    // Three lamps that are switched on: 3! orders, of which other machines leave one.
    let game =
        psvn_ir::load("3  2 2 2\n0 - - => 1 - -\n- 0 - => - 1 -\n- - 0 => - - 1\nGOAL 1 1 1\n");
    let game = game.game.unwrap();
    let start = game.parse_state("0 0 0").unwrap();
    let compiled = CompiledGame::new(&game);
    let by_cost = Searcher::builder(&compiled)
        .machine(machine(&game, 3))
        .build();
    assert_eq!(found(&by_cost, &start, 3).len(), 6);
}

#[test]
fn who_has_enough_ends_the_search_and_limits_stop_it() {
    let game = sliding_tiles(3, 3);
    let start = state([8, 7, 6, 0, 4, 1, 2, 5, 3]);
    let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
    let mut n = 0;
    let mut some = |_: &[RuleId]| {
        n += 1;
        if n == 2 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let start_near = state([1, 4, 2, 3, 5, 8, 6, 7, 0]);
    let report = searcher
        .run()
        .all_within(&start_near, &ZeroHeuristic, 12, &mut some)
        .unwrap();
    assert!(!report.is_complete && report.stopped.is_none());
    assert_eq!(n, 2);
    let limits = Limits {
        nodes: Some(1_000),
        ..Limits::default()
    };
    let mut run = searcher.run().limits(limits);
    let report = run.all_within(&start, &ZeroHeuristic, 31, &mut |_| {
        ControlFlow::Continue(())
    });
    assert_eq!(report.unwrap().stopped, Some(StopReason::Nodes));
}
