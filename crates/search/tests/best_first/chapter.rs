//! The depth-first search of the textbook, and its horizon effect.

use psvn_ir::testing::cases;
use search::{CompiledGame, Limits, Outcome, Searcher, StopReason};

use crate::oracle::{checked, counts, generated, load, run, state};

/// A detour of four moves and a direct path of one lead to the same state, two moves from the goal.
/// The detour's rule is the last one, so it is followed first, and the bound closes the state at
/// its end.
#[test]
fn the_horizon_hides_a_solution_within_the_bound() {
    let game = load(
        "DOMAIN place 7
         start far1 far2 far3 near almost goal
         1 place
         start => near    LABEL direct
         start => far1    LABEL detour
         far1 => far2     LABEL on1
         far2 => far3     LABEL on2
         far3 => near     LABEL back
         near => almost   LABEL up
         almost => goal   LABEL finish
         GOAL goal",
    );
    let start = game.parse_state("start").unwrap();
    let mut search = run(&game);
    assert_eq!(search.bfs(&start).unwrap().solution().unwrap().length(), 3);
    // Within 4 moves `near` isn't taken off the stack at the end of the detour: it lies at the
    // bound.
    let report = search.dfs_closed(&start, 4).unwrap();
    assert_eq!(report.solution().unwrap().length(), 3);
    // Within 5 it is, at depth 4, and `almost` is made at depth 5 and not expanded. Then the direct
    // path reaches `near` once more. It was already on the stack, so it is expanded again, and the
    // solution is found.
    assert!(search.dfs_closed(&start, 5).unwrap().solved());
    assert!(search.dfs_closed(&start, 6).unwrap().solved());

    // One place earlier, the direct path is pushed only after the detour has closed `near`.
    let game = load(
        "DOMAIN place 8
         start wait far1 far2 far3 near almost goal
         1 place
         start => wait    LABEL pause
         wait => near     LABEL direct
         start => far1    LABEL detour
         far1 => far2     LABEL on1
         far2 => far3     LABEL on2
         far3 => near     LABEL back
         near => almost   LABEL up
         almost => goal   LABEL finish
         GOAL goal",
    );
    let mut search = run(&game);
    let report = search.dfs_closed(&start_of(&game), 5).unwrap();
    assert_eq!(report.outcome, Outcome::NotFound);
    // There is a solution of 4 moves, and searches without a closed set find it.
    let solution = search.bfs(&start_of(&game)).unwrap();
    assert_eq!(solution.solution().unwrap().length(), 4);
    let compiled = CompiledGame::new(&game);
    let report = Searcher::builder(&compiled)
        .build()
        .run()
        .dfs(&start_of(&game), 5)
        .unwrap();
    assert!(matches!(report.outcome, Outcome::Solved(_)));
    // A deeper bound, and even a shallower one, finds it as well.
    for depth in [4, 6, 7, 100] {
        assert!(
            search.dfs_closed(&start_of(&game), depth).unwrap().solved(),
            "{depth}"
        );
    }
}

fn start_of(game: &psvn_ir::Game) -> psvn_ir::State {
    game.parse_state("start").unwrap()
}

/// The 8-puzzle of the chapter: many instances are missed at a bound that their solutions satisfy.
#[test]
fn the_eight_puzzle_has_a_horizon() {
    let game = generated("sliding-tiles:3:3");
    let goal = game.goal_state().unwrap();
    let mut search = run(&game);
    let mut missed = 0;
    let mut found = 0;
    for seed in 0..cases(60) {
        let mut random = psvn_ir::testing::SplitMix64::new(seed);
        let mut start = goal.clone();
        for _ in 0..13 {
            let rules = game.rules().iter().map(|rule| &rule.canonical);
            let applicable: Vec<_> = rules.filter(|r| r.applies_to(start.values())).collect();
            start = psvn_ir::State::new(
                applicable[random.below(applicable.len())].apply(start.values()),
            );
        }
        let report = search.dfs_closed(&start, 13).unwrap();
        match &report.outcome {
            Outcome::Solved(solution) => {
                found += 1;
                assert!(checked(&game, &start, solution).1 <= 13);
            }
            Outcome::NotFound => missed += 1,
            other => panic!("{other:?}"),
        }
    }
    // Each of them has a solution of at most 13 moves.
    assert!(missed > 5 && found > 5, "{missed} {found}");
}

#[test]
fn an_unbounded_search_is_complete() {
    let game = generated("sliding-tiles:2:3");
    // Two tiles are exchanged: the goal is unreachable.
    let odd = state([0, 2, 1, 3, 4, 5]);
    let mut search = run(&game);
    let report = search.dfs_closed(&odd, u64::MAX).unwrap();
    assert_eq!(report.outcome, Outcome::NoSolution);
    assert_eq!(counts(&report).stored.closed, 360);
    let limits = Limits {
        nodes: Some(100),
        ..Limits::default()
    };
    let report = run(&game)
        .limits(limits)
        .dfs_closed(&odd, u64::MAX)
        .unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Nodes));
    assert_eq!(report.totals.generated, 100);
}
