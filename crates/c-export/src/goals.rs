//! Goals: the test, and the list of all goal states.

use std::fmt::Write;

use psvn_ir::{Game, Term, TermKind};

use crate::c_text::{all_of, heading, list};

/// The bytes that the goals take, about.
pub(crate) fn bytes(game: &Game) -> u128 {
    game.goals().len() as u128 * game.n_variables() as u128 * 20
}

/// Add the test for goal states, and the functions that list them.
pub(crate) fn write(text: &mut String, game: &Game) {
    text.push_str(&heading("Goals"));
    text.push_str(
        "/* Return 1 for a goal state, else 0. */\n\
         static inline int is_goal(const state_t *state)\n{\n",
    );
    let conditions: Vec<Vec<String>> = game
        .goals()
        .iter()
        .map(|goal| tests(goal.conditions()))
        .collect();
    if conditions.is_empty() || conditions.iter().any(Vec::is_empty) {
        // No state is a goal state, or a condition demands nothing and all states are.
        let answer = u8::from(!conditions.is_empty());
        let _ = writeln!(text, "    (void) state;\n    return {answer};\n}}\n");
    } else {
        text.push_str("    const psvn_value_t *vars = state->vars;\n");
        for tests in &conditions {
            let tests = all_of(tests, 8);
            let _ = writeln!(text, "    if ({tests}) {{\n        return 1;\n    }}");
        }
        text.push_str("    return 0;\n}\n\n");
    }
    match game.goals().is_empty() {
        true => text.push_str(
            "/* The game has no GOAL, so there is no first_goal_state and no next_goal_state. */\n\n",
        ),
        false => write_list(text, game),
    }
}

/// What a state is tested for.
pub(crate) fn tests(conditions: &[Term]) -> Vec<String> {
    conditions
        .iter()
        .enumerate()
        .filter(|(i, term)| !term.is_own_variable(*i))
        .map(|(i, term)| match term.kind() {
            TermKind::Constant(value) => format!("vars[{i}] == {}", value.0),
            TermKind::Variable(var) => format!("vars[{i}] == vars[{}]", var.0),
        })
        .collect()
}

fn write_list(text: &mut String, game: &Game) {
    let _ = writeln!(
        text,
        "/* For each condition and variable: the value, or -1 - j where the value is that of variable \
         j,\n * and free if j is this variable. */\n\
         #define PSVN_NUM_GOALS {}\n\
         static const int32_t psvn_goals[PSVN_NUM_GOALS][NUMVARS] = {{",
        game.goals().len()
    );
    for goal in game.goals() {
        text.push_str("    {\n");
        let entry = |term: &Term| match term.kind() {
            TermKind::Constant(value) => i64::from(value.0),
            TermKind::Variable(var) => -1 - i64::from(var.0),
        };
        list(text, 8, goal.conditions().iter().map(entry));
        text.push_str("    },\n");
    }
    text.push_str("};\n\n");
    text.push_str(include_str!("runtime/goal_states.c"));
}
