//! Random games whose states are all tested, also with checks of memory and undefined behavior.

use psvn_ir::testing::{GameShape, cases};

use crate::compare;
use crate::compiler::{self, Build, Program};
use crate::oracle::Subject;

fn check(seed: u64, shape: &GameShape, length: usize, build: Build) {
    let subject = compare::random_subject(seed, shape, length);
    let program = Program::new(&subject.to_c(), build);
    let name = format!("game {seed}");
    for (start, a_star) in compare::all_of_a_small_game(&subject, &program, seed, &name) {
        // Rules that cost nothing can be repeated forever, and so can those of an unsolvable game.
        let mut rules = subject.game.rules().iter();
        let is_bounded = rules.all(|it| it.canonical.cost() > 0);
        if is_bounded && a_star.starts_with("cost") {
            for radius in [None, Some("2")] {
                let arguments: Vec<&str> = ["ida", &start].into_iter().chain(radius).collect();
                let found = program.run(&arguments);
                assert_eq!(
                    found.lines().last().unwrap(),
                    a_star.split(',').next().unwrap(),
                    "{name} from {start}"
                );
            }
        }
        compare::parts(&program, &start);
    }
}

/// Every third program is optimized.
fn build(seed: u64) -> Build {
    if seed.is_multiple_of(3) {
        Build::Fast
    } else {
        Build::Plain
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
    // Some have machines of lengths 1 to 3, in both forms, and each kind of program. The compiler
    // takes seconds for some of them.
    for seed in 0..cases(12) {
        check(seed, &shape, (seed as usize / 2) % 4, build(seed));
    }
}

#[test]
fn random_games_with_many_rules() {
    if !compiler::is_there() {
        return;
    }
    for seed in 0..cases(3) {
        check(seed, &compare::many_rules(), seed as usize % 2, build(seed));
    }
}

#[test]
fn memory_and_arithmetic_are_clean() {
    if !compiler::is_there() {
        return;
    }
    for seed in 100..100 + cases(4) {
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
        compare::parts(&program, &text);
    }
}
