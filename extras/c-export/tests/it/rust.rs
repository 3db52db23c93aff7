//! The same games as modules of Rust: compiled, run, and compared with the library and with C.

use c_export::HistoryForm;
use psvn_ir::testing::GameShape;

use crate::compare;
use crate::compiler::{self, Build, Program};
use crate::games::{TOO_MANY_SQUARES, walk};
use crate::oracle::Subject;

#[test]
fn built_in_games() {
    for (number, (reference, length, depth, steps)) in [
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
    ]
    .into_iter()
    .enumerate()
    {
        let form = match number % 2 {
            0 => HistoryForm::Compressed,
            _ => HistoryForm::Table,
        };
        let subject = Subject::built_in(reference, length).with_histories(form);
        let program = Program::rust(&subject.to_rust());
        let start = walk(&subject, steps);
        compare::counts_and_cost(&subject, &program, &start, depth, reference);
    }
}

/// Every state, rule and goal of random games.
#[test]
fn random_games_as_rust() {
    let several_domains = GameShape {
        several_domains: true,
        ..GameShape::default()
    };
    for (seed, shape) in [
        (0, &several_domains),
        (3, &several_domains),
        (5, &compare::many_rules()),
    ] {
        let subject = compare::random_subject(seed, shape, seed as usize % 4);
        let program = Program::rust(&subject.to_rust());
        compare::all_of_a_small_game(&subject, &program, seed, &format!("game {seed}"));
    }
}

/// State maps, abstractions and histories give the same output in both languages, and each reads
/// the maps of the other.
#[test]
fn parts_are_those_of_c() {
    if !compiler::is_there() {
        return;
    }
    for (reference, n_values) in [
        ("sliding-tiles:3:3", None),
        ("pancake:6", None),
        ("", Some(200)),
    ] {
        let subject = match n_values {
            None => Subject::built_in(reference, 2),
            // Values that take two bytes in C.
            Some(size) => {
                let source =
                    format!("2 {size} 2\n 0 A => 7 A\n 7 A => 199 A\n A 0 => A 1\n GOAL - 1\n");
                Subject::new(psvn_ir::load(&source).game.unwrap(), 1)
            }
        };
        let start = subject
            .game
            .goal_state()
            .unwrap_or_else(|| subject.game.parse_state("0 0").unwrap());
        let start = subject.game.format_state(start.values());
        let programs = [
            Program::new(&subject.to_c(), Build::Plain),
            Program::rust(&subject.to_rust()),
        ];
        let [c, rust] = programs.each_ref().map(|it| compare::parts(it, &start));
        assert_eq!(c, rust);
        let n: u64 = c.split(' ').next().unwrap().parse().unwrap();
        let expected = format!("{n} states, sum {}\n", n * (n - 1) / 2);
        for of in &programs {
            let map = of.folder().join("map").display().to_string();
            for by in &programs {
                assert_eq!(by.run(&["map", &map]), expected);
            }
        }
    }
}

/// Names with everything that is special in comments or strings, costs too large for an `int` of C,
/// and thousands of values, which get a decision tree. It takes longest, so its name comes first.
#[test]
fn a_game_of_odd_names_and_many_values() {
    let last = TOO_MANY_SQUARES - 1;
    let mut source = format!(
        "DOMAIN \"quoted\" 2 back\\slash {{d\u{e9}}}\n2  {TOO_MANY_SQUARES} \"quoted\"\n\
         7 A => 8 A LABEL */\u{202e}\"\\x COST 4000000000\n"
    );
    for square in 0..last {
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
    let last = format!("{last} {{d\u{e9}}}");
    let states = ["7 back\\slash", "8 {d\u{e9}}", &last].map(|state| {
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
        ("1 2\n GOAL -\n", "cost 0, 0 states cost less"),
        ("1 2\n GOAL 1\n", "unsolvable, 1 states"),
    ] {
        let subject = Subject::new(psvn_ir::load(source).game.unwrap(), 1);
        let program = Program::rust(&subject.to_rust());
        assert_eq!(program.run(&["astar", "0"]).trim_end(), last);
    }
}
