//! Solutions are right, shortest and cheapest, and the lack of one is reported.

use proptest::prelude::*;
use psvn_ir::{Cell, Game, State, VarId};
use search::{
    Bound, CompiledGame, CycleDetection, DEAD_END, Heuristic, Limits, Outcome, Searcher,
    SolveReport, StopReason, ZeroHeuristic, replay,
};

use crate::games::{
    all_states, arrow, constant, game, least_costs, least_goal_cost, pancake, random_game,
    sliding_tiles, state,
};

/// Check that the report's solution is valid, and return its cost and length.
fn checked(game: &Game, start: &State, report: &SolveReport) -> (u128, usize) {
    let solution = report.solution().expect("solved");
    let end = replay(game, start, &solution.moves).unwrap();
    assert!(game.is_goal(end.values()));
    let cost = solution
        .moves
        .iter()
        .map(|id| u128::from(game.rule(*id).canonical.cost()))
        .sum::<u128>();
    assert_eq!(cost, solution.cost);
    let by_iteration: u64 = report
        .iterations
        .iter()
        .map(|iteration| iteration.generated)
        .sum();
    assert_eq!(u128::from(by_iteration), report.totals.generated);
    (cost, solution.length())
}

/// The true costs to the goal, times a factor of at most 1.
struct Scaled {
    table: std::collections::HashMap<State, Option<u64>>,
    percent: u64,
}

impl Heuristic for Scaled {
    fn estimate(&self, cells: &[u32]) -> u64 {
        let state = State::new(
            cells
                .iter()
                .copied()
                .map(psvn_ir::Value)
                .collect::<Box<[_]>>(),
        );
        self.table[&state].map_or(DEAD_END, |cost| cost * self.percent / 100)
    }
}

fn scaled(game: &Game, percent: u64) -> Scaled {
    let cost = |id| game.rule(id).canonical.cost();
    let table = all_states(game)
        .into_iter()
        .map(|state| (state.clone(), least_goal_cost(game, &state, cost)));
    Scaled {
        table: table.collect(),
        percent,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_games_are_solved_with_least_cost_and_fewest_moves(
        game in random_game([2, 3], 2..5, 1..7),
        pick in any::<prop::sample::Index>(),
        mode in 0..3_usize,
        percent in 0..=100_u64,
    ) {
        let states = all_states(&game);
        let start = &states[pick.index(states.len())];
        let cycles = [CycleDetection::None, CycleDetection::Parent, CycleDetection::Path][mode];
        let compiled = CompiledGame::new(&game);
        let limits = Limits { nodes: Some(200_000), ..Limits::default() };
        let mut search = Searcher::builder(&compiled).cycle_detection(cycles).build().run().limits(limits);
        let least_cost = least_goal_cost(&game, start, |id| game.rule(id).canonical.cost());
        let fewest_moves = least_goal_cost(&game, start, |_| 1);

        let scaled = scaled(&game, percent);
        for report in [
            search.ida_star(start, &ZeroHeuristic).unwrap(),
            search.ida_star(start, &scaled).unwrap(),
        ] {
            match (&report.outcome, least_cost) {
                (Outcome::Solved(_), Some(least)) => {
                    assert_eq!(checked(&game, start, &report).0, u128::from(least));
                    assert!(report.iterations.is_sorted_by(|a, b| a.bound < b.bound));
                }
                (Outcome::NoSolution, None) | (Outcome::Stopped(StopReason::Nodes), _) => {}
                other => panic!("{other:?}"),
            }
        }
        let report = search.dfid(start).unwrap();
        match (&report.outcome, fewest_moves) {
            (Outcome::Solved(_), Some(fewest)) => {
                assert_eq!(checked(&game, start, &report).1 as u64, fewest);
                let bounds: Vec<u64> = report.iterations.iter().map(|iteration| iteration.bound).collect();
                assert_eq!(bounds, (0..=fewest).collect::<Vec<_>>());
            }
            (Outcome::NoSolution, None) | (Outcome::Stopped(StopReason::Nodes), _) => {}
            other => panic!("{other:?}"),
        }
        for depth in 0..4 {
            let report = search.dfs(start, depth).unwrap();
            match (&report.outcome, fewest_moves) {
                (Outcome::Solved(_), Some(fewest)) => {
                    assert!((fewest..=depth).contains(&(checked(&game, start, &report).1 as u64)));
                }
                (Outcome::NotWithinDepth, fewest) => assert!(fewest.is_none_or(|fewest| fewest > depth)),
                (Outcome::NoSolution, None) | (Outcome::Stopped(StopReason::Nodes), _) => {}
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn a_start_state_that_is_a_goal_state_needs_no_moves() {
    let game = pancake(5);
    let compiled = CompiledGame::new(&game);
    let mut search = Searcher::builder(&compiled).build().run();
    let start = state(0..5);
    for report in [
        search.dfs(&start, 0).unwrap(),
        search.dfid(&start).unwrap(),
        search.ida_star(&start, &ZeroHeuristic).unwrap(),
    ] {
        assert_eq!(checked(&game, &start, &report), (0, 0));
        assert_eq!((report.totals.generated, report.totals.expanded), (0, 0));
        assert_eq!(report.iterations.len(), 1);
    }
}

#[test]
fn iterations_of_unit_costs_count_the_tree() {
    let game = pancake(6);
    let compiled = CompiledGame::new(&game);
    let mut search = Searcher::builder(&compiled)
        .cycle_detection(CycleDetection::Parent)
        .build()
        .run();
    let start = state([4, 0, 5, 2, 1, 3]);
    let report = search.dfid(&start).unwrap();
    let (_, fewest) = checked(&game, &start, &report);
    assert!(fewest > 4);
    let tree = search
        .count_tree(&start, Bound::Depth(fewest as u64))
        .unwrap();
    for iteration in &report.iterations[..fewest] {
        let depth = iteration.bound as usize;
        assert_eq!(
            iteration.generated,
            tree.levels[1..=depth]
                .iter()
                .map(|level| level.generated)
                .sum::<u64>()
        );
    }
    // IDA* also makes the children beyond its bound.
    let report = search.ida_star(&start, &ZeroHeuristic).unwrap();
    assert_eq!(
        report.iterations[2].generated,
        (1..=3).map(|depth| tree.generated(depth)).sum::<u64>()
    );
}

#[test]
fn what_cant_be_reached_is_proved() {
    // Only even permutations of the eight tiles can be reached; the blank alone of 2 x 2 is small.
    let game = sliding_tiles(2, 2);
    let compiled = CompiledGame::new(&game);
    let odd = state([0, 2, 1, 3]);
    let mut search = Searcher::builder(&compiled)
        .cycle_detection(CycleDetection::Path)
        .build()
        .run();
    assert_eq!(search.dfid(&odd).unwrap().outcome, Outcome::NoSolution);
    assert_eq!(
        search.ida_star(&odd, &ZeroHeuristic).unwrap().outcome,
        Outcome::NoSolution
    );
    assert_eq!(
        search.dfs(&odd, 5).unwrap().outcome,
        Outcome::NotWithinDepth
    );
    assert_eq!(
        search.dfs(&odd, 11).unwrap().outcome,
        Outcome::NotWithinDepth
    );
    assert_eq!(search.dfs(&odd, 12).unwrap().outcome, Outcome::NoSolution);
    // Without cycle detection there is no end to the tree.
    let limits = Limits {
        nodes: Some(10_000),
        ..Limits::default()
    };
    let mut search = Searcher::builder(&compiled).build().run().limits(limits);
    assert_eq!(
        search.dfid(&odd).unwrap().outcome,
        Outcome::Stopped(StopReason::Nodes)
    );
    // A heuristic's dead ends are trusted.
    struct Knows;
    impl Heuristic for Knows {
        fn estimate(&self, _state: &[u32]) -> u64 {
            DEAD_END
        }
    }
    let report = search.ida_star(&odd, &Knows).unwrap();
    assert_eq!(
        (report.outcome, report.heuristic_start),
        (Outcome::NoSolution, DEAD_END)
    );
}

#[test]
fn free_rules_end_by_cycle_detection_along_the_path() {
    // Free moves around a ring, and one expensive move out of it.
    let mut rules: Vec<_> = (0..4)
        .map(|i| (vec![constant(i)], vec![constant((i + 1) % 4)], 0))
        .collect();
    rules.push((vec![constant(3)], vec![constant(4)], 7));
    let ring = game(1, 6, &rules, &[vec![constant(4)]]);
    let compiled = CompiledGame::new(&ring);
    let report = Searcher::builder(&compiled)
        .build()
        .run()
        .ida_star(&state([0]), &ZeroHeuristic)
        .unwrap();
    assert_eq!(report.cycle_detection, CycleDetection::Path);
    assert_eq!(checked(&ring, &state([0]), &report), (7, 4));
    let bounds: Vec<u64> = report
        .iterations
        .iter()
        .map(|iteration| iteration.bound)
        .collect();
    assert_eq!(bounds, [0, 7]);
    let unreachable = game(1, 6, &rules, &[vec![constant(5)]]);
    let compiled = CompiledGame::new(&unreachable);
    let report = Searcher::builder(&compiled)
        .build()
        .run()
        .ida_star(&state([0]), &ZeroHeuristic)
        .unwrap();
    assert_eq!(report.outcome, Outcome::NoSolution);
}

/// A heuristic given as a table for the only variable.
struct Table([u64; 3]);

impl Heuristic for Table {
    fn estimate(&self, state: &[u32]) -> u64 {
        self.0[state[0] as usize]
    }
}

#[test]
fn totals_beyond_64_bits_are_no_totals() {
    let step = |from, cost| (vec![constant(from)], vec![constant(from + 1)], cost);
    let game = game(1, 3, &[step(0, 3), step(1, 5)], &[vec![constant(2)]]);
    let compiled = CompiledGame::new(&game);
    let searchers = [
        Searcher::builder(&compiled).build(),
        Searcher::builder(&compiled).interpreted().build(),
    ];
    for searcher in searchers {
        let solve = |estimate| {
            let table = Table([0, estimate, 0]);
            searcher.run().ida_star(&state([0]), &table).unwrap()
        };
        let just_fits = solve(u64::MAX - 3);
        assert_eq!(checked(&game, &state([0]), &just_fits), (8, 2));
        let too_big = solve(u64::MAX - 2);
        assert_eq!(too_big.outcome, Outcome::Stopped(StopReason::CostOverflow));
        // The largest number is the mark of a dead end.
        assert_eq!(solve(u64::MAX).outcome, Outcome::NoSolution);
    }
}

#[test]
fn wide_values_are_searched() {
    // A dial of 300 values: up by one costs 1, up by a hundred costs 7.
    let mut rules = Vec::new();
    for value in 0..300 {
        rules.push((
            vec![constant(value), Cell::DASH],
            vec![constant((value + 1) % 300), Cell::DASH],
            1,
        ));
        rules.push((
            vec![constant(value), Cell::DASH],
            vec![constant((value + 100) % 300), Cell::DASH],
            7,
        ));
    }
    let game = game(2, 300, &rules, &[vec![constant(203), Cell::DASH]]);
    let compiled = CompiledGame::new(&game);
    assert_eq!(compiled.cell_bytes(), 2);
    let start = state([299, 299]);
    let report = Searcher::builder(&compiled)
        .build()
        .run()
        .ida_star(&start, &ZeroHeuristic)
        .unwrap();
    assert_eq!(checked(&game, &start, &report), (18, 6));
}

#[test]
fn arrows_are_solved_from_every_reachable_state() {
    let game = arrow(5);
    let compiled = CompiledGame::new(&game);
    let distances = least_costs(&game, &state([0; 5]), |_| 1);
    assert_eq!(distances.len(), 16);
    #[expect(
        clippy::iter_over_hash_type,
        reason = "each start is a case of its own"
    )]
    for (start, distance) in distances {
        let report = Searcher::builder(&compiled)
            .build()
            .run()
            .dfid(&start)
            .unwrap();
        assert_eq!(checked(&game, &start, &report).1 as u64, distance);
    }
    // Each move turns two arrows, so an odd number of them can't be put right.
    assert_eq!(game.domain_of(VarId(0)).size(), 2);
    let report = Searcher::builder(&compiled)
        .cycle_detection(CycleDetection::Path)
        .build()
        .run()
        .limits(Limits {
            nodes: Some(1000),
            ..Limits::default()
        })
        .dfid(&state([1, 0, 0, 0, 0]))
        .unwrap();
    assert!(!report.solved());
}
