//! Goal states, and searches that begin with them.

use std::collections::HashSet;

use psvn_ir::testing::{SplitMix64, all_states, cases};
use psvn_ir::{Game, State};
use search::{BestFirstError, GoalStates, Limits, Outcome, StopReason};

use crate::oracle::{answer, from_start, generated, load, run};

/// A game with several goals of random entries, free and repeated ones among them.
fn random_goals(seed: u64) -> Game {
    let mut random = SplitMix64::new(seed);
    let mut text = String::from("5  2 3 3 2 3\n");
    text += "A B - - - => A 0 - - -\n- A B - - => - B A - -\n1 - - - - => 0 - - - -\n";
    text += "- - - A B => - - - 1 B\n- - - 1 2 => - - - 0 0\n";
    for _ in 0..random.below(5) {
        text += "GOAL";
        for size in [2, 3, 3, 2, 3] {
            text += &match random.below(4) {
                0 => format!(" {}", random.below(size)),
                1 => " -".to_owned(),
                2 => format!(" X{}", random.below(2)),
                _ => format!(" Y{}", random.below(4)),
            };
        }
        text += "\n";
    }
    load(&text)
}

#[test]
fn goal_states_are_the_states_that_are_goals() {
    let mut several = 0;
    for seed in 0..cases(300) {
        let game = random_goals(seed);
        let expected: HashSet<State> = all_states(&game)
            .filter(|values| game.is_goal(values))
            .map(State::new)
            .collect();
        let states: Vec<State> = GoalStates::of(&game).collect();
        assert_eq!(states.len(), expected.len(), "seed {seed}");
        assert_eq!(states.into_iter().collect::<HashSet<_>>(), expected);
        assert_eq!(
            GoalStates::count_all(&game),
            Some(expected.len() as u128),
            "seed {seed}"
        );
        several += usize::from(game.goals().len() > 1);
    }
    assert!(several > 100);
}

#[test]
fn searches_from_both_ends_begin_with_all_goal_states() {
    for seed in 0..cases(300) {
        let game = random_goals(seed);
        let states: Vec<_> = all_states(&game).collect();
        let start = State::new(states[seed as usize * 37 % states.len()].clone());
        let mut search = run(&game);
        let costs = from_start(&game, &start, false);
        let goals = costs
            .iter()
            .filter(|(state, _)| game.is_goal(state.values()));
        let least = goals.map(|(_, cost)| *cost).min();
        for report in [
            search.bidirectional(&start).unwrap(),
            search.bfs(&start).unwrap(),
        ] {
            let found = answer(&game, &start, &report);
            assert_eq!(found.map(|(cost, _)| cost), least, "seed {seed}");
        }
    }
}

#[test]
fn too_many_goal_states_are_refused() {
    let game = load(
        "22 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2
        0 - - - - - - - - - - - - - - - - - - - - - => 1 - - - - - - - - - - - - - - - - - - - - -
        GOAL 1 - - - - - - - - - - - - - - - - - - - - -",
    );
    let start = game.parse_state(&"0 ".repeat(22)).unwrap();
    let mut search = run(&game);
    let error = search.bidirectional(&start).unwrap_err();
    assert_eq!(
        error,
        BestFirstError::TooManyGoalStates {
            count: Some(1 << 21)
        }
    );
    assert_eq!(
        error.to_string(),
        "a backward search begins with all goal states, and there are more than 1048576 of them: \
         2097152"
    );
    // With a filter they are counted one by one.
    let few = |state: &State| state.values()[1..].iter().all(|value| value.0 == 0);
    let mut filtered = run(&game).goal_filter(few);
    let report = filtered.bidirectional(&start).unwrap();
    assert_eq!(answer(&game, &start, &report), Some((1, 1)));
    let mut filtered = run(&game).goal_filter(|_| true);
    let error = filtered.bidirectional(&start).unwrap_err();
    assert_eq!(error, BestFirstError::TooManyGoalStates { count: None });
    // Looking for goal states that pass the filter is subject to the limits too.
    let limits = Limits {
        time: Some(std::time::Duration::ZERO),
        ..Limits::default()
    };
    let mut none = run(&game).limits(limits).goal_filter(|_| false);
    let report = none.bidirectional(&start).unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Time));
}

#[test]
fn without_goals_there_is_no_solution() {
    let game = load("1 3  0 => 1  1 => 2");
    let start = game.parse_state("0").unwrap();
    let mut search = run(&game);
    assert_eq!(GoalStates::count_all(&game), Some(0));
    for report in [
        search.bidirectional(&start).unwrap(),
        search.uniform_cost(&start).unwrap(),
        search.bfs(&start).unwrap(),
    ] {
        assert_eq!(report.outcome, Outcome::NoSolution);
    }
}

/// A rule that loses everything has as many predecessors as there are states.
#[test]
fn rules_that_lose_values_are_undone_one_state_at_a_time() {
    let game = load(
        "6  4 4 4 4 4 4
         A B C D E F => 0 0 0 0 0 1  LABEL reset
         0 0 0 0 A 1 => 1 2 3 A 0 1  LABEL spread
         1 2 3 - - - => 3 2 1 - - -  LABEL turn
         GOAL 3 2 1 - - 1",
    );
    let start = game.parse_state("3 3 3 3 3 3").unwrap();
    let mut search = run(&game);
    for report in [
        search.bidirectional(&start).unwrap(),
        search.bfs(&start).unwrap(),
    ] {
        assert_eq!(answer(&game, &start, &report), Some((3, 3)));
    }
    // Many values are lost at once, and the states are too many to list; only the visited ones are
    // made.
    let wide = generated("pancake:7");
    assert!(
        run(&wide)
            .bidirectional(&wide.goal_state().unwrap())
            .unwrap()
            .solved()
    );
}
