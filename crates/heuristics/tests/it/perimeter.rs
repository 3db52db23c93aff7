//! Perimeters have the states near the goals at their exact costs, and searches with and without
//! them find the same.

use std::collections::HashMap;

use heuristics::{Perimeter, PerimeterStop};
use psvn_ir::testing::{GameShape, all_states, random_game};
use psvn_ir::{Game, State, Value};
use search::{CompiledGame, DEAD_END, GoalStates, Heuristic, Searcher, ZeroHeuristic};

use crate::built_in;

const ROOM: usize = 1 << 24;

/// Make a perimeter without a machine.
fn perimeter(game: &Game, radius: u64) -> Perimeter {
    let backward = game.backward(1000).unwrap();
    let goals = GoalStates::of(game);
    let free = |(), _| Some(());
    Perimeter::around(goals, &backward, (), free, radius, ROOM, &|| false).unwrap()
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
    for seed in 0..80 {
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
    for seed in 0..40 {
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

#[test]
fn what_takes_too_much_is_refused() {
    let game = built_in("sliding-tiles:2:3");
    let backward = game.backward(1000).unwrap();
    let around = |radius, bytes, asked: bool| {
        let goals = GoalStates::of(&game);
        let free = |(), _| Some(());
        Perimeter::around(goals, &backward, (), free, radius, bytes, &|| asked).map(|it| it.len())
    };
    assert_eq!(around(0, ROOM, false), Ok(1));
    assert_eq!(around(2, ROOM, false), Ok(1 + 2 + 3));
    assert_eq!(around(12, 1000, false), Err(PerimeterStop::Memory));
    assert_eq!(around(40, ROOM, true), Err(PerimeterStop::Requested));
}
