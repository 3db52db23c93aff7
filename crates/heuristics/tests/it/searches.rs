//! Searches with each heuristic, by the search that it leads to.

use heuristics::{Name, Named};
use invariants::Invariants;
use psvn_ir::testing::SplitMix64;
use psvn_ir::{Game, State};
use search::{CompiledGame, DEFAULT_TABLE_BYTES, Searcher, ZeroHeuristic};

use crate::built_in;

/// Return a state some random moves from the goal.
fn scrambled(game: &Game, random: &mut SplitMix64, n_moves: usize) -> State {
    let mut state: Box<[_]> = game.goal_state().unwrap().values().into();
    for _ in 0..n_moves {
        let rules = || {
            game.rules()
                .iter()
                .filter(|rule| rule.canonical.applies_to(&state))
        };
        let n = rules().count();
        let rule = rules().nth(random.below(n)).unwrap();
        state = rule.canonical.apply(&state);
    }
    State::new(state)
}

#[test]
fn all_searches_find_the_least_cost() {
    let cases: [(&str, usize, &[Name]); 5] = [
        (
            "sliding-tiles:3:3",
            30,
            &[
                Name::Manhattan,
                Name::LinearConflict,
                Name::Gap,
                Name::Misplaced,
                Name::GoalCount,
                Name::Weak,
            ],
        ),
        (
            "pancake:8",
            20,
            &[Name::Gap, Name::Misplaced, Name::GoalCount],
        ),
        ("topspin:9:4", 7, &[Name::Gap, Name::Misplaced]),
        ("hanoi:3:4", 20, &[Name::Manhattan, Name::Misplaced]),
        ("sliding-tiles:2:4", 60, &[Name::LinearConflict]),
    ];
    let mut random = SplitMix64::new(77);
    for (reference, n_moves, names) in cases {
        let game = built_in(reference);
        let compiled = CompiledGame::new(&game);
        for _ in 0..6 {
            let start = scrambled(&game, &mut random, n_moves);
            let cost = |found: Option<&search::Solution>| found.unwrap().cost;
            let searcher = Searcher::builder(&compiled).build();
            let blind = searcher.run().a_star(&start, &ZeroHeuristic).unwrap();
            let least = cost(blind.solution());
            for name in names {
                let heuristic = Named::new(&game, &Invariants::none(&game), &[*name]).unwrap();
                let max =
                    Named::new(&game, &Invariants::none(&game), &[*name, Name::Misplaced]).unwrap();
                for heuristic in [&heuristic, &max] {
                    let report = searcher.run().ida_star(&start, heuristic).unwrap();
                    assert_eq!(cost(report.solution()), least, "{reference}, {heuristic}");
                    assert_eq!(report.heuristic_start, heuristic.of_state(&start));
                    let by_book = Searcher::builder(&compiled)
                        .interpreted()
                        .build()
                        .run()
                        .ida_star(&start, heuristic)
                        .unwrap();
                    assert_eq!(
                        by_book.iterations, report.iterations,
                        "{reference}, {heuristic}"
                    );
                    let report = searcher.run().a_star(&start, heuristic).unwrap();
                    assert_eq!(cost(report.solution()), least, "{reference}, {heuristic}");
                    assert_eq!(
                        report.best_first.unwrap().reopened,
                        0,
                        "consistent: {reference}, {heuristic}"
                    );
                    let report = searcher
                        .run()
                        .transposition_table(DEFAULT_TABLE_BYTES)
                        .ida_star(&start, heuristic)
                        .unwrap();
                    let Some(solution) = report.solution() else {
                        panic!("{reference}, {heuristic}: not solved")
                    };
                    assert_eq!(solution.cost, least);
                }
            }
        }
    }
}
