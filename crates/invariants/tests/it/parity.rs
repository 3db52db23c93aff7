//! Compares parity and separation with all reachable states.

use std::collections::HashSet;

use invariants::{Parity, StartSet, find};
use psvn_ir::testing::{GameShape, SplitMix64, all_states, cases, random_game};
use psvn_ir::{Game, State};

use crate::generated;

fn reachable(game: &Game, start: &State) -> HashSet<State> {
    let mut seen = HashSet::from([start.clone()]);
    let mut open = vec![start.clone()];
    while let Some(state) = open.pop() {
        for rule in game.rules() {
            if rule.canonical.applies_to(state.values()) {
                let next = State::new(rule.canonical.apply(state.values()));
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
    }
    seen
}

/// Of the 720 arrangements of the 2 x 3 puzzle, exactly those of the other parity are unreachable.
#[test]
fn half_of_the_arrangements_are_out_of_reach() {
    for (reference, n_reachable) in [("sliding-tiles:2:3", 360), ("sliding-tiles:3:2", 360)] {
        let game = generated(reference);
        let goal = game.goal_state().expect("a goal state");
        let reached = reachable(&game, &goal);
        assert_eq!(reached.len(), n_reachable);
        let parity = Parity::find(&game).expect("a parity");
        let mut n = 0;
        for values in all_states(&game) {
            let state = State::new(values);
            if let Some(separated) = parity.separates(&state, &goal) {
                assert_eq!(separated, !reached.contains(&state), "{reference}");
                n += 1;
            }
        }
        assert_eq!(n, 720);
    }
}

#[test]
fn only_games_of_permutations_have_a_parity() {
    for (reference, has) in [
        ("sliding-tiles:4:4", true),
        ("sliding-tiles:5:5:goal=blank-last", true),
        // Four tokens are reversed by two exchanges, three by one.
        ("topspin:7:4:basic", true),
        ("topspin:7:3:basic", false),
        ("pancake:5", false),
        ("hanoi:3:3", false),
        ("blocks:3", false),
        ("gripper:2", false),
    ] {
        assert_eq!(
            Parity::find(&generated(reference)).is_some(),
            has,
            "{reference}"
        );
    }
}

/// A game of one to three random permutations of four positions, each with or without a test for
/// the blank.
fn random_permutations(seed: u64) -> Game {
    let mut random = SplitMix64::new(seed);
    let mut text = "4  4 4 4 4\n".to_owned();
    for _ in 0..1 + random.below(3) {
        let mut left: Vec<&str> = vec!["A", "B", "C", "D"];
        if random.chance(70) {
            left[random.below(4)] = "0";
        }
        let mut right = left.clone();
        for _ in 0..1 + random.below(3) {
            right.swap(random.below(4), random.below(4));
        }
        text += &format!("{} => {}\n", left.join(" "), right.join(" "));
    }
    crate::load(&(text + "GOAL 0 1 2 3\n"))
}

/// What parity or a count separates is never reached, in random games.
#[test]
fn nothing_that_is_separated_is_reachable() {
    let (mut n_parities, mut n_by_parity, mut n_by_count) = (0, 0, 0);
    for seed in 0..cases(500) {
        let game = if seed % 4 == 0 {
            let shape = GameShape {
                n_rules: 1..=3,
                lost_values: false,
                ..GameShape::default()
            };
            random_game(seed, &shape)
        } else {
            random_permutations(seed)
        };
        let parity = Parity::find(&game);
        n_parities += usize::from(parity.is_some());
        let conserved = find(&game);
        for start in all_states(&game).step_by(7).map(State::new) {
            let reached = reachable(&game, &start);
            for end in all_states(&game).step_by(5).map(State::new) {
                let separated = parity.as_ref().and_then(|p| p.separates(&start, &end));
                let by_parity = separated == Some(true);
                let by_count = conserved
                    .separation(&game, &start, &[StartSet::from(&end)])
                    .is_some();
                n_by_parity += usize::from(by_parity);
                n_by_count += usize::from(by_count);
                assert!(
                    !(by_parity || by_count) || !reached.contains(&end),
                    "seed {seed}"
                );
            }
        }
    }
    assert!(
        n_parities > 50 && n_by_parity > 100 && n_by_count > 1000,
        "{n_parities}, {n_by_parity}, {n_by_count}"
    );
}
