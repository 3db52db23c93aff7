//! Perimeters have the states near the goals at their exact costs, and searches with and without
//! them find the same.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use budget::{Limits, StopReason, Watch};
use heuristics::Perimeter;
use psvn_ir::testing::{GameShape, all_states, cases, random_game};
use psvn_ir::{Game, State, Value};
use search::{CompiledGame, DEAD_END, GoalStates, Heuristic, Searcher, ZeroHeuristic};

use crate::built_in;

/// Make a perimeter without a machine.
fn perimeter(game: &Game, radius: u64) -> Perimeter {
    within(game, radius, Limits::default()).unwrap()
}

fn within(game: &Game, radius: u64, limits: Limits) -> Result<Perimeter, StopReason> {
    let backward = game.backward(1000).unwrap();
    let goals = GoalStates::of(game);
    let free = |(), _| Some(());
    Perimeter::around(goals, &backward, (), free, radius, &Watch::new(limits))
}

/// Return the least cost to a goal from each state that has one, by relaxing all forward moves
/// until nothing changes: with neither backward rules nor a search.
fn goal_costs(game: &Game) -> HashMap<Box<[Value]>, u64> {
    let states: Vec<Box<[Value]>> = all_states(game).collect();
    let goals = states.iter().filter(|state| game.is_goal(state));
    let mut costs: HashMap<Box<[Value]>, u64> = goals.map(|it| (it.clone(), 0)).collect();
    loop {
        let mut changed = false;
        for state in &states {
            for rule in game.rules().iter().map(|rule| &rule.canonical) {
                if !rule.applies_to(state) {
                    continue;
                }
                let Some(after) = costs.get(&rule.apply(state)).copied() else {
                    continue;
                };
                let cost = after + rule.cost();
                if costs.get(state).is_none_or(|known| *known > cost) {
                    costs.insert(state.clone(), cost);
                    changed = true;
                }
            }
        }
        if !changed {
            return costs;
        }
    }
}

#[test]
fn states_near_the_goals_have_their_least_costs() {
    let mut n_within = 0;
    for seed in 0..cases(80) {
        let game = random_game(seed, &GameShape::default());
        let radius = seed % 5;
        let found = perimeter(&game, radius);
        let costs = goal_costs(&game);
        for state in all_states(&game) {
            let expected = costs.get(&state).copied();
            let within = expected.filter(|cost| *cost <= radius);
            n_within += usize::from(within > Some(0));
            assert_eq!(found.cost(&state), within, "seed {seed}");
            // Outside, the estimate is at most the true cost.
            let cells: Vec<u32> = state.iter().map(|value| value.0).collect();
            let estimate = found.with(&ZeroHeuristic).estimate(&cells);
            assert!(estimate <= expected.unwrap_or(DEAD_END), "seed {seed}");
            assert!(within.is_some() || estimate > radius, "seed {seed}");
        }
    }
    assert!(n_within > 100, "{n_within}");
}

#[test]
fn searches_find_the_same_costs() {
    for seed in 0..cases(40) {
        let game = random_game(seed, &GameShape::default());
        let found = perimeter(&game, seed % 4);
        let costs = goal_costs(&game);
        let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
        // Searches from states without a solution would not end.
        let near = all_states(&game).filter_map(|state| Some((*costs.get(&state)?, state)));
        for (expected, state) in near.filter(|(cost, _)| *cost <= 5).take(8) {
            let start = State::new(state);
            let estimate = found.with(&ZeroHeuristic);
            let report = searcher.run().ida_star(&start, &estimate).unwrap();
            let cost = report.solution().map(|it| it.cost);
            assert_eq!(cost, Some(u128::from(expected)), "seed {seed}");
        }
    }
}

#[test]
fn fewer_nodes_from_both_sides() {
    let game = built_in("sliding-tiles:2:3");
    let around = perimeter(&game, 8);
    let costs = goal_costs(&game);
    let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
    let far = costs.iter().filter(|(_, cost)| **cost == 14);
    let start = far
        .map(|(state, _)| State::new(state.clone()))
        .min_by_key(|it| it.values().to_vec());
    let start = start.unwrap();
    let plain = searcher.run().ida_star(&start, &ZeroHeuristic).unwrap();
    let both = searcher
        .run()
        .ida_star(&start, &around.with(&ZeroHeuristic))
        .unwrap();
    assert_eq!(plain.solution().map(|it| it.cost), Some(14));
    assert_eq!(both.solution().map(|it| it.cost), Some(14));
    assert!(both.totals.generated * 4 < plain.totals.generated);
}

/// Whatever limit ends it, a perimeter has all states up to its radius at their least costs, and
/// no other ones.
#[test]
fn what_is_stopped_is_a_smaller_perimeter() {
    let mut radii = [0; 4];
    for seed in 0..cases(60) {
        let game = random_game(seed, &GameShape::default());
        let costs = goal_costs(&game);
        for limit in [10, 100, 1_000] {
            let nodes = Limits {
                nodes: Some(limit),
                ..Limits::default()
            };
            let memory = Limits {
                memory: Some(8 * limit as usize),
                ..Limits::default()
            };
            for limits in [nodes, memory] {
                let Ok(found) = within(&game, 4, limits) else {
                    continue;
                };
                let radius = found.radius();
                assert_eq!(found.stopped().is_some(), radius < 4, "seed {seed}");
                if radius < 4 {
                    radii[radius as usize] += 1;
                }
                for state in all_states(&game) {
                    let expected = costs.get(&state).copied();
                    let near = expected.filter(|cost| *cost <= radius);
                    assert_eq!(found.cost(&state), near, "seed {seed}, radius {radius}");
                    let cells: Vec<u32> = state.iter().map(|value| value.0).collect();
                    let estimate = found.with(&ZeroHeuristic).estimate(&cells);
                    assert!(estimate <= expected.unwrap_or(DEAD_END), "seed {seed}");
                }
            }
        }
    }
    assert!(radii.iter().all(|n| *n > 0), "{radii:?}");
}

#[test]
fn each_limit_ends_a_perimeter() {
    let game = built_in("sliding-tiles:2:3");
    let around = |radius, limits| {
        let found = within(&game, radius, limits)?;
        Ok((found.radius(), found.len(), found.stopped()))
    };
    let all = Limits::default();
    assert_eq!(around(0, all.clone()), Ok((0, 1, None)));
    assert_eq!(around(2, all.clone()), Ok((2, 1 + 2 + 3, None)));
    let few = Limits {
        nodes: Some(20),
        ..all.clone()
    };
    assert_eq!(around(40, few), Ok((2, 1 + 2 + 3, Some(StopReason::Nodes))));
    let little = Limits {
        memory: Some(1000),
        ..all.clone()
    };
    let (radius, _, stopped) = around(40, little).unwrap();
    assert!(radius < 10);
    assert_eq!(stopped, Some(StopReason::Memory));
    // Without the goals there is none.
    let none = Limits {
        nodes: Some(0),
        ..all.clone()
    };
    assert_eq!(around(40, none), Err(StopReason::Nodes));
    let no_time = Limits {
        time: Some(Duration::ZERO),
        ..all.clone()
    };
    assert_eq!(around(40, no_time), Err(StopReason::Time));
    let asked = Limits {
        interrupt: Some(Arc::new(AtomicBool::new(true))),
        ..all
    };
    assert_eq!(around(40, asked), Err(StopReason::Interrupted));
}
