//! Goals: the test, and the list of all goal states.

use std::fmt::Write;

use psvn_ir::Game;

use super::runtime;
use super::text::heading;
use crate::goals::{ENTRIES, conditions, entries};
use crate::text::{all_of, list};

/// Add the test for goal states, and the functions that list them.
pub(super) fn write(text: &mut String, game: &Game) {
    text.push_str(&heading("Goals"));
    text.push_str(
        "/* Return 1 for a goal state, otherwise 0. */\n\
         static inline int is_goal(const state_t *state)\n{\n",
    );
    let conditions: Vec<Vec<String>> = game.goals().iter().map(conditions).collect();
    if conditions.is_empty() || conditions.iter().any(Vec::is_empty) {
        // No state is a goal state, or a condition has no tests and all states are.
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
    if game.goals().is_empty() {
        text.push_str(
            "/* The game has no GOAL, so there is no first_goal_state and no next_goal_state. */\n\n",
        );
    } else {
        write_list(text, game);
    }
}

fn write_list(text: &mut String, game: &Game) {
    let _ = writeln!(
        text,
        "/* {}\n * {} */\n\
         #define PSVN_NUM_GOALS {}\n\
         static const int32_t psvn_goals[PSVN_NUM_GOALS][NUMVARS] = {{",
        ENTRIES[0],
        ENTRIES[1],
        game.goals().len()
    );
    for goal in game.goals() {
        text.push_str("    {\n");
        list(text, 8, entries(goal));
        text.push_str("    },\n");
    }
    text.push_str("};\n\n");
    text.push_str(runtime::GOAL_STATES);
}
