use std::sync::Arc;

use psvn_ir::{State, Value};
use search::DEAD_END;

use super::{BatchHeuristic, StateBlock, check_estimates, solve};
use crate::solve::{Answer, PruneSpec, check_moves};
use crate::{Algorithm, Environment, Error, Game, Solver};

/// A heuristic of one state, for batches.
struct Each<F>(F);

impl<F: Fn(&[usize]) -> u64> BatchHeuristic for Each<F> {
    fn estimate(&mut self, states: &Arc<StateBlock>) -> Result<Vec<u64>, Error> {
        let row = |state: usize| states.state(state).collect::<Vec<usize>>();
        Ok((0..states.len())
            .map(|state| (self.0)(&row(state)))
            .collect())
    }
}

fn each<F: Fn(&[usize]) -> u64>(of: F) -> Each<F> {
    Each(of)
}

/// Return the tiles of a 2 x 3 or 3 x 3 puzzle that are away from home.
fn misplaced(row: &[usize]) -> u64 {
    let tiles = row.iter().enumerate();
    tiles
        .filter(|(place, value)| **value != 0 && *value != place)
        .count() as u64
}

fn run(
    game: &Game,
    start: &State,
    algorithm: Algorithm,
    prune: Option<PruneSpec>,
    heuristic: &mut dyn BatchHeuristic,
    batch: usize,
) -> Result<Answer, Error> {
    let env = Environment::default();
    let mut builder = Solver::builder(game)
        .algorithm(algorithm)
        .starts([start.clone()]);
    if let Some(prune) = prune {
        builder = builder.prune(prune);
    }
    solve(&builder.build(&env)?, start, heuristic, batch, &env)
}

/// Return the least costs by uniform-cost search, which shares nothing with the searches here.
fn least(game: &Game, start: &State) -> Option<u128> {
    let env = Environment::default();
    let solver = Solver::builder(game)
        .algorithm(Algorithm::UniformCost)
        .starts([start.clone()])
        .build(&env)
        .unwrap();
    let answer = solver.solve(start).unwrap();
    answer.solution().map(|solution| solution.cost)
}

/// States of a game, by a walk that depends only on its number.
fn states(game: &Game, n_states: usize) -> Vec<State> {
    let mut random = 12345_u64;
    let mut state = game.ir().goal_state().unwrap();
    let mut found = Vec::new();
    while found.len() < n_states {
        for _ in 0..17 {
            let rules = game.ir().rules().iter().map(|rule| &rule.canonical);
            let possible: Vec<_> = rules.filter(|it| it.applies_to(state.values())).collect();
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let rule = possible[(random >> 33) as usize % possible.len()];
            state = State::new(rule.apply(state.values()));
        }
        found.push(state.clone());
    }
    found
}

#[test]
fn batches_of_any_size_find_least_costs() {
    let env = Environment::default();
    for (name, h) in [
        ("sliding-tiles:2:3", misplaced as fn(&[usize]) -> u64),
        ("pancake:6", |_| 0),
        ("topspin:6:3", |_| 0),
        ("hanoi:4:3", |_| 0),
    ] {
        let game = Game::built_in(name, &env).unwrap();
        for start in states(&game, 6) {
            let cost = least(&game, &start);
            assert!(cost.is_some(), "{name}");
            for (algorithm, prune) in [
                (Algorithm::AStar, None),
                (Algorithm::Ida, Some(PruneSpec::None)),
                (Algorithm::Ida, Some(PruneSpec::Parent)),
                (Algorithm::Ida, Some(PruneSpec::Length(3))),
            ] {
                // Without pruning and without a heuristic, whole trees are large.
                let is_large = prune == Some(PruneSpec::None) && cost > Some(7);
                if is_large {
                    continue;
                }
                for batch in [1, 7, 1000] {
                    let answer = run(&game, &start, algorithm, prune.clone(), &mut each(h), batch);
                    let answer = answer.unwrap();
                    let solution = answer.solution().expect("there is one");
                    let what = format!("{name}, {algorithm:?}, {prune:?}, {batch}");
                    assert_eq!(Some(solution.cost), cost, "{what}");
                    let checked = check_moves(&game, &start, &solution.moves).unwrap();
                    assert_eq!(Some(checked.cost), cost, "{what}");
                }
            }
        }
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let env = Environment::default();
    let game = Game::built_in("pancake:4", &env).unwrap();
    let start = states(&game, 1).remove(0);
    let error = run(&game, &start, Algorithm::Bfs, None, &mut each(|_| 0), 1)
        .err()
        .unwrap();
    assert!(error.to_string().contains("takes no estimates"), "{error}");
    struct Few;
    impl BatchHeuristic for Few {
        fn estimate(&mut self, _: &Arc<StateBlock>) -> Result<Vec<u64>, Error> {
            Ok(Vec::new())
        }
    }
    let error = run(&game, &start, Algorithm::AStar, None, &mut Few, 1)
        .err()
        .unwrap();
    assert_eq!(
        error.to_string(),
        "the heuristic gave 0 estimates for 1 states"
    );
    let free = "1  3\n0 => 1 COST 0\n1 => 0 COST 0\n1 => 2\nGOAL 2\n";
    let free = Game::parse("free", free, &env).unwrap();
    let start = State::new(vec![Value(0)]);
    let error = run(&free, &start, Algorithm::Ida, None, &mut each(|_| 0), 1)
        .err()
        .unwrap();
    assert!(error.to_string().contains("would not end"), "{error}");
    let answer = run(&free, &start, Algorithm::AStar, None, &mut each(|_| 0), 1).unwrap();
    assert_eq!(answer.solution().map(|it| it.cost), Some(1));
}

#[test]
fn limits_and_cancellation_stop() {
    let env = Environment::default();
    let game = Game::built_in("sliding-tiles:4:4", &env).unwrap();
    let start = "15 14 13 12 11 10 9 8 7 6 5 4 3 1 2 0";
    let start = game.state("the start", start).unwrap();
    for algorithm in [Algorithm::AStar, Algorithm::Ida] {
        let mut options = crate::SearchOptions {
            algorithm,
            limits: crate::Limits {
                nodes: Some(5000),
                ..Default::default()
            },
            ..Default::default()
        };
        let of = |options: &crate::SearchOptions, env: &Environment| {
            let solver = Solver::builder(&game)
                .options(options.clone())
                .starts([start.clone()])
                .build(env)
                .unwrap();
            let answer = solve(&solver, &start, &mut each(misplaced), 16, env).unwrap();
            answer.outcome.code()
        };
        assert_eq!(of(&options, &env), "nodes");
        options.limits.nodes = None;
        options.limits.memory = Some(1 << 16);
        if algorithm == Algorithm::AStar {
            assert_eq!(of(&options, &env), "memory");
        }
        let cancelled = Environment::default();
        options.limits.memory = None;
        let solver = Solver::builder(&game)
            .options(options)
            .starts([start.clone()])
            .build(&cancelled)
            .unwrap();
        let flag = Arc::clone(cancelled.cancellation());
        flag.store(true, std::sync::atomic::Ordering::Relaxed);
        let answer = solve(&solver, &start, &mut each(misplaced), 16, &cancelled).unwrap();
        assert_eq!(answer.outcome.code(), "interrupted");
    }
}

#[test]
fn estimates_are_compared_with_least_costs() {
    let env = Environment::default();
    let game = Game::built_in("sliding-tiles:2:3", &env).unwrap();
    let goal = game.ir().goal_state().unwrap();
    let check = |h: &dyn Fn(&[usize]) -> u64| {
        check_estimates(&game, &goal, &mut each(h), 1000, &env).unwrap()
    };
    let found = check(&misplaced);
    assert_eq!((found.states, found.solvable), (360, 360));
    assert!(found.admissible && found.consistent && found.worst.is_none());
    // The mean distance of all 360 states, counted from the layers of the whole state space.
    let report = crate::Exploration::default()
        .run(&game, &env, &mut |_| {})
        .unwrap();
    let sum: u64 = report.layers.iter().map(|it| it.distance * it.states).sum();
    assert!((found.mean_cost - sum as f64 / 360.0).abs() < 1e-9);
    let doubled = check(&|row| 2 * misplaced(row));
    assert!(!doubled.admissible && !doubled.consistent);
    let worst = doubled.worst.unwrap();
    assert!(worst.estimate > Some(worst.cost));
    // An estimate that drops at once is admissible but not consistent.
    let jumps = check(&|row| if misplaced(row) == 5 { 5 } else { 0 });
    assert!(jumps.admissible && !jumps.consistent && jumps.inconsistent_steps > 0);
    let dead = check(&|row| if misplaced(row) == 5 { DEAD_END } else { 0 });
    assert_eq!(dead.worst.map(|it| it.estimate), Some(None));
    let error = check_estimates(&game, &goal, &mut each(|_| 0), 100, &env).unwrap_err();
    assert!(
        error.to_string().contains("more than 100 states"),
        "{error}"
    );
}
