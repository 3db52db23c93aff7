//! Goals: the test, and the list of all goal states.

use std::fmt::Write;

use psvn_ir::Game;

use super::language::Rust;
use super::text::heading;
use crate::goals::{ENTRIES, conditions, entries};
use crate::language::Language;
use crate::text::list;

/// Add the test for goal states, and the list of all of them.
pub(super) fn write(text: &mut String, game: &Game) {
    text.push_str(&heading("Goals"));
    text.push_str(
        "/// Whether a state is a goal state.\npub fn is_goal(state: &State) -> bool {\n    \
         let vars = &state.vars;\n",
    );
    for goal in game.goals() {
        let mut conditions = conditions(goal);
        if conditions.is_empty() {
            conditions.push("true".to_owned());
        }
        text.push_str(&Rust.guarded(4, &conditions, "return true;"));
    }
    let _ = writeln!(
        text,
        "    false\n}}\n\n/// {}\n/// {}\nstatic GOALS: [[i64; NUM_VARIABLES]; {}] = [",
        ENTRIES[0],
        ENTRIES[1],
        game.goals().len()
    );
    for goal in game.goals() {
        text.push_str("    [\n");
        list(text, 8, entries(goal));
        text.push_str("    ],\n");
    }
    text.push_str("];\n\n");
    text.push_str(include_str!("runtime/goal_states.rs"));
}
