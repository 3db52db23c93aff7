//! Random games, all states of which are tried, also with checks of memory and undefined behavior.

use psvn_ir::testing::{GameShape, SplitMix64, random_game};
use psvn_ir::{State, Value, all_states};

use crate::compiler::{self, Build, Program};
use crate::oracle::Subject;

fn check(seed: u64, shape: &GameShape, length: usize, build: Build) {
    let subject = Subject::new(random_game(seed, shape), length);
    let program = Program::new(&subject.to_c(), build);
    let states: Vec<Box<[Value]>> = all_states(&subject.game).collect();
    let input: String = states
        .iter()
        .map(|state| subject.game.format_state(state) + " \n")
        .collect();
    assert_eq!(
        program.run_with(&["states", "1000"], &input),
        subject.states(&states, 1000),
        "game {seed}"
    );
    let mut random = SplitMix64::new(seed);
    for _ in 0..8 {
        let start = State::new(states[random.below(states.len())].clone());
        let start_text = subject.game.format_state(start.values());
        let counts = subject.counts(&start, 5, false);
        assert_eq!(
            program.run(&["count", "5", &start_text]),
            counts,
            "game {seed} from {start_text}"
        );
        let a_star = subject.a_star(&start);
        assert_eq!(
            program.run(&["astar", &start_text]),
            a_star,
            "game {seed} from {start_text}"
        );
        // Rules that cost nothing can be repeated for ever, and so can those of an unsolvable game.
        let is_bounded = subject
            .game
            .rules()
            .iter()
            .all(|it| it.canonical.cost() > 0);
        if is_bounded && a_star.starts_with("cost") {
            for radius in [None, Some("2")] {
                let arguments: Vec<&str> = ["ida", &start_text].into_iter().chain(radius).collect();
                let found = program.run(&arguments);
                assert_eq!(
                    found.lines().last().unwrap(),
                    a_star.split(',').next().unwrap(),
                    "game {seed} from {start_text}"
                );
            }
        }
        let folder = program.folder().display().to_string();
        program.run(&["parts", &folder, &start_text]);
    }
}

/// Every kind of rule, with machines of lengths 0 to 3.
#[test]
fn random_games() {
    if !compiler::is_there() {
        return;
    }
    let shape = GameShape {
        several_domains: true,
        ..GameShape::default()
    };
    for seed in 0..12 {
        check(seed, &shape, seed as usize % 4, Build::Fast);
    }
}

/// More rules than a word has bits.
#[test]
fn random_games_with_many_rules() {
    if !compiler::is_there() {
        return;
    }
    let shape = GameShape {
        n_rules: 70..=140,
        n_variables: 4..=5,
        constants: 60,
        ..GameShape::default()
    };
    for seed in 0..3 {
        check(seed, &shape, seed as usize % 2, Build::Fast);
    }
}

#[test]
fn memory_and_arithmetic_are_clean() {
    if !compiler::is_there() {
        return;
    }
    for seed in 100..104 {
        check(seed, &GameShape::default(), 2, Build::Checked);
    }
    for (reference, start) in [
        ("sliding-tiles:2:3", "5 4 3 2 1 0"),
        ("hanoi:3:3", "0 0 1 0 0 1 0 0 1 0 0 0"),
    ] {
        let subject = Subject::built_in(reference, 3);
        let program = Program::new(&subject.to_c(), Build::Checked);
        let start = match subject.game.parse_state(start) {
            Ok(start) => start,
            Err(_) => subject.game.goal_state().unwrap(),
        };
        let text = subject.game.format_state(start.values());
        let counts = subject.counts(&start, 8, false);
        assert_eq!(program.run(&["count", "8", &text]), counts);
        program.run(&["ida", &text, "4"]);
        program.run(&["parts", &program.folder().display().to_string(), &text]);
    }
}
