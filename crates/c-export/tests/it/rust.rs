//! The same games as modules of Rust: compiled, run, and compared with the library.

use psvn_ir::testing::{GameShape, SplitMix64, random_game};
use psvn_ir::{State, Value, all_states};

use crate::compiler::Program;
use crate::games::walk;
use crate::oracle::Subject;

/// Counts forward and backward, and the least cost.
fn check(reference: &str, length: usize, depth: u64, steps: usize) {
    let subject = Subject::built_in(reference, length);
    let program = Program::rust(&subject.to_rust());
    let start = walk(&subject, steps);
    let text = subject.game.format_state(start.values());
    assert_eq!(
        program.run(&["count", &depth.to_string(), &text]),
        subject.counts(&start, depth, false),
        "{reference}"
    );
    let goal = subject.game.goal_state().unwrap();
    let depth = depth / 2;
    assert_eq!(
        program.run(&["backward", &depth.to_string()]),
        subject.counts(&goal, depth, true),
        "{reference}, backward"
    );
    assert_eq!(
        program.run(&["astar", &text]).split(',').next().unwrap(),
        subject.ida(&start).unwrap().lines().last().unwrap(),
        "{reference}"
    );
}

#[test]
fn built_in_games() {
    for (reference, length, depth, steps) in [
        ("sliding-tiles:3:3", 6, 13, 13),
        ("sliding-tiles:4:4", 2, 11, 8),
        ("pancake:7", 3, 6, 12),
        ("topspin:9:3", 2, 6, 4),
        ("hanoi:4:4", 3, 6, 7),
        ("rubik:2", 2, 4, 3),
        ("blocks:5", 0, 7, 6),
        ("arrow:8", 3, 6, 5),
        ("gripper:3", 2, 7, 6),
        ("work-or-golf", 2, 8, 5),
    ] {
        check(reference, length, depth, steps);
    }
}

/// Every state, rule and goal of random games.
#[test]
fn random_games_as_rust() {
    let shapes = [
        GameShape {
            several_domains: true,
            ..GameShape::default()
        },
        GameShape {
            n_rules: 70..=140,
            n_variables: 4..=5,
            constants: 60,
            ..GameShape::default()
        },
    ];
    for (seed, shape) in [(0, 0), (2, 0), (3, 1)] {
        let subject = Subject::new(random_game(seed, &shapes[shape]), seed as usize % 4);
        let program = Program::rust(&subject.to_rust());
        let states: Vec<Box<[Value]>> = all_states(&subject.game).collect();
        let format = |state: &[Value]| subject.game.format_state(state).to_uppercase() + " \n";
        let input: String = states.iter().map(|state| format(state)).collect();
        assert_eq!(
            program.run_with(&["states", "1000"], &input),
            subject.states(&states, 1000),
            "game {seed}"
        );
        let mut random = SplitMix64::new(seed);
        for _ in 0..8 {
            let start = State::new(states[random.below(states.len())].clone());
            let text = subject.game.format_state(start.values());
            assert_eq!(
                program.run(&["count", "5", &text]),
                subject.counts(&start, 5, false),
                "game {seed} from {text}"
            );
            assert_eq!(
                program.run(&["astar", &text]),
                subject.a_star(&start),
                "game {seed} from {text}"
            );
        }
    }
}

/// Names with everything that means something in comments or strings, costs beyond an `int` of C,
/// and thousands of values, for which there is a decision tree.
#[test]
fn unusual_games() {
    let mut source = String::from(
        "DOMAIN \"quoted\" 2 back\\slash {d\u{e9}}\n2  1500 \"quoted\"\n\
         7 A => 8 A LABEL */\u{202e}\"\\x COST 4000000000\n",
    );
    for square in 0..1499 {
        let next = square + 1;
        source.push_str(&format!("{square} - => {next} - LABEL right\n"));
        source.push_str(&format!("{next} - => {square} - LABEL left COST 2\n"));
    }
    source.push_str("- {d\u{e9}} => 3 back\\slash LABEL last\n GOAL 5 back\\slash\n GOAL 3 -\n");
    let loaded = psvn_ir::load(&source);
    let game = loaded
        .game
        .unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let subject = Subject::new(game, 0);
    let text = subject.to_rust();
    assert!(text.contains("by a decision tree") && text.is_ascii());
    assert_eq!(text, subject.to_rust());
    let program = Program::rust(&text);
    let states = ["7 back\\slash", "8 {d\u{e9}}", "1499 {d\u{e9}}"].map(|state| {
        let state = subject.game.parse_state(state).unwrap();
        Box::from(state.values())
    });
    let input = states.each_ref().map(|it| subject.game.format_state(it));
    assert_eq!(
        program.run_with(&["states", "5"], &(input.join("\n") + "\n")),
        subject.states(&states, 5)
    );
}

/// A game without goals, and one without rules.
#[test]
fn games_that_lack_something_as_rust() {
    for (source, last) in [
        ("1 2\n 0 => 1\n", "unsolvable, 2 states"),
        ("1 2\n GOAL 1\n", "unsolvable, 1 states"),
        ("1 2\n GOAL -\n", "cost 0, 0 states cost less"),
    ] {
        let subject = Subject::new(psvn_ir::load(source).game.unwrap(), 1);
        let program = Program::rust(&subject.to_rust());
        assert_eq!(program.run(&["astar", "0"]).trim_end(), last);
    }
}
