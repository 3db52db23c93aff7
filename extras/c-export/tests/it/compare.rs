//! The required output of any program, whatever its language.

use c_export::HistoryForm;
use psvn_ir::testing::{GameShape, SplitMix64, random_game};
use psvn_ir::{State, Value, all_states};

use crate::compiler::Program;
use crate::oracle::Subject;

/// A random game, some with compressed histories.
pub(crate) fn random_subject(seed: u64, shape: &GameShape, length: usize) -> Subject {
    let form = match seed % 2 {
        0 => HistoryForm::Table,
        _ => HistoryForm::Compressed,
    };
    Subject::new(random_game(seed, shape), length).with_histories(form)
}

/// More rules than a word has bits.
pub(crate) fn many_rules() -> GameShape {
    GameShape {
        n_rules: 70..=140,
        n_variables: 4..=5,
        constants: 60,
        ..GameShape::default()
    }
}

/// Counts forward from a start and backward from the goal, and the least cost.
pub(crate) fn counts_and_cost(
    subject: &Subject,
    program: &Program,
    start: &State,
    depth: u64,
    name: &str,
) {
    let text = subject.game.format_state(start.values());
    assert_eq!(
        program.run(&["count", &depth.to_string(), &text]),
        subject.counts(start, depth, false),
        "{name}"
    );
    let goal = subject.game.goal_state().unwrap();
    assert_eq!(
        program.run(&["backward", &(depth / 2).to_string()]),
        subject.counts(&goal, depth / 2, true),
        "{name}, backward"
    );
    let a_star = program.run(&["astar", &text]);
    let ida = subject.ida(start).unwrap();
    let cost = ida.lines().last().unwrap();
    assert_eq!(a_star.split(',').next().unwrap(), cost, "{name}");
}

/// Everything about states and goals.
pub(crate) fn states(
    subject: &Subject,
    program: &Program,
    states: &[Box<[Value]>],
    most_goals: usize,
    name: &str,
) {
    let line = |state: &[Value]| subject.game.format_state(state).to_uppercase() + " \n";
    let input: String = states.iter().map(|state| line(state)).collect();
    assert_eq!(
        program.run_with(&["states", &most_goals.to_string()], &input),
        subject.states(states, most_goals),
        "{name}"
    );
}

/// All states, and counts and costs from some of them. Returns the starts, with the output of A*.
pub(crate) fn all_of_a_small_game(
    subject: &Subject,
    program: &Program,
    seed: u64,
    name: &str,
) -> Vec<(String, String)> {
    let all: Vec<Box<[Value]>> = all_states(&subject.game).collect();
    states(subject, program, &all, 1000, name);
    let mut random = SplitMix64::new(seed);
    let mut starts = Vec::new();
    for _ in 0..8 {
        let start = State::new(all[random.below(all.len())].clone());
        let text = subject.game.format_state(start.values());
        assert_eq!(
            program.run(&["count", "5", &text]),
            subject.counts(&start, 5, false),
            "{name} from {text}"
        );
        let a_star = subject.a_star(&start);
        assert_eq!(program.run(&["astar", &text]), a_star, "{name} from {text}");
        starts.push((text, a_star));
    }
    starts
}

/// State maps, abstractions and histories, which the program tests itself. Returns its output.
pub(crate) fn parts(program: &Program, start: &str) -> String {
    let folder = program.folder().display().to_string();
    program.run(&["parts", &folder, start])
}
