//! Built-in games: counts and least costs, with machines of several lengths.

use c_export::HistoryForm;
use psvn_ir::State;

use crate::compare;
use crate::compiler::{self, Build, Program};
use crate::oracle::Subject;

/// A game, lengths of machines, the depth to count to, and the number of steps to the start.
struct Case {
    reference: &'static str,
    lengths: &'static [usize],
    depth: u64,
    steps: usize,
}

const fn case(
    reference: &'static str,
    lengths: &'static [usize],
    depth: u64,
    steps: usize,
) -> Case {
    Case {
        reference,
        lengths,
        depth,
        steps,
    }
}

/// A state at the end of a walk from the goal.
pub(crate) fn walk(subject: &Subject, steps: usize) -> State {
    let mut state: Box<[_]> = subject.game.goal_state().unwrap().values().into();
    let mut random = 2_463_534_242_u64;
    for _ in 0..steps {
        let rules = subject.game.rules().iter();
        let rules: Vec<_> = rules
            .filter(|rule| rule.canonical.applies_to(&state))
            .collect();
        if rules.is_empty() {
            break;
        }
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let rule = rules[(random >> 20) as usize % rules.len()];
        state = rule.canonical.apply(&state);
    }
    State::new(state)
}

fn check(case: &Case) {
    if !compiler::is_there() {
        return;
    }
    for (number, length) in case.lengths.iter().enumerate() {
        // The longest sequences need the most states, and that machine is compressed. One program
        // of each game is optimized.
        let (form, build) = if number + 1 == case.lengths.len() {
            (HistoryForm::Compressed, Build::Fast)
        } else {
            (HistoryForm::Auto, Build::Plain)
        };
        let subject = Subject::built_in(case.reference, *length).with_histories(form);
        let name = format!("{} up to length {length}", case.reference);
        let program = Program::new(&subject.to_c(), build);
        let start = walk(&subject, case.steps);
        compare::counts_and_cost(&subject, &program, &start, case.depth, &name);
        let start_text = subject.game.format_state(start.values());
        let expected = subject.ida(&start);
        let found = program.run(&["ida", &start_text]);
        assert_eq!(Some(&found), expected.as_ref(), "{name}");
        let cost = found.lines().last().unwrap();
        // With an estimate that is exact near the goals, the cost stays the same.
        let with_map = program.run(&["ida", &start_text, "3"]);
        assert_eq!(with_map.lines().last().unwrap(), cost, "{name}");
        compare::parts(&program, &start_text);
    }
}

#[test]
fn sliding_tiles() {
    check(&case("sliding-tiles:3:3", &[0, 2, 6], 13, 13));
}

#[test]
fn fifteen_puzzle() {
    check(&case("sliding-tiles:4:4", &[2, 6], 12, 10));
}

#[test]
fn pancakes() {
    check(&case("pancake:7", &[0, 3], 6, 30));
}

#[test]
fn topspin() {
    check(&case("topspin:9:3", &[2, 4], 6, 5));
}

#[test]
fn hanoi() {
    check(&case("hanoi:4:4", &[2, 3], 6, 7));
}

#[test]
fn cube_2() {
    check(&case("rubik:2", &[1, 3], 4, 3));
}

#[test]
fn cube_3_with_stickers() {
    check(&case("rubik:3", &[2], 4, 3));
}

#[test]
fn blocks() {
    check(&case("blocks:5", &[0, 2], 7, 8));
}

/// Rules that can't be undone: the goal can't be reached from most states, so the start is given.
#[test]
fn arrows() {
    check(&case("arrow:8", &[0, 2, 3], 6, 5));
}

#[test]
fn gripper() {
    check(&case("gripper:3", &[2, 3], 7, 6));
}

#[test]
fn work_or_golf() {
    check(&case("work-or-golf", &[2], 8, 6));
}

/// The squares of a row that is too long for sets of rules, so that the game gets a decision tree.
/// Compilers take long for thousands of rules.
pub(crate) const TOO_MANY_SQUARES: usize = 1500;

/// One variable with thousands of values for many rules: by a decision tree.
#[test]
fn a_long_row_of_squares() {
    if !compiler::is_there() {
        return;
    }
    let last = TOO_MANY_SQUARES - 1;
    let mut source = format!("2  {TOO_MANY_SQUARES} 3\n");
    for square in 0..last {
        let next = square + 1;
        source.push_str(&format!("{square} - => {next} - LABEL right\n"));
        source.push_str(&format!("{next} - => {square} - LABEL left COST 2\n"));
    }
    source.push_str("- A => - 2 LABEL last\n 17 1 => - 0 LABEL there\n GOAL 20 2\n");
    let game = psvn_ir::load(&source).game.unwrap();
    let subject = Subject::new(game, 0);
    let text = subject.to_c();
    assert!(text.contains("by a decision tree"));
    let program = Program::new(&text, Build::Plain);
    let start = subject.game.parse_state("15 1").unwrap();
    assert_eq!(
        program.run(&["count", "8", "15 1"]),
        subject.counts(&start, 8, false)
    );
    assert_eq!(program.run(&["astar", "15 1"]), subject.a_star(&start));
    let states = ["0 0", "17 1", "16 1", &format!("{last} 2")].map(|state| {
        let state = subject.game.parse_state(state).unwrap();
        Box::from(state.values())
    });
    let input = states.each_ref().map(|it| subject.game.format_state(it));
    assert_eq!(
        program.run_with(&["states", "5"], &(input.join("\n") + "\n")),
        subject.states(&states, 5)
    );
}
