//! The type of iterators, and the functions that begin an iteration.

use std::fmt::Write;

use super::language::Rust;
use super::text::heading;
use crate::successors::{Form, RuleList};

/// Add the type of iterators.
pub(super) fn write_iterator(text: &mut String, form: &Form) {
    text.push_str(&heading("Successors"));
    let (fields, runtime) = match form {
        Form::Sets { n_words } => (
            format!(
                "    /// Those that are still to come: bit b of word w is rule 64 w + b.\n    \
                 sets: [u64; {n_words}],\n    word: usize,\n"
            ),
            include_str!("runtime/sets.rs"),
        ),
        Form::Tree { most } => (
            format!("    rules: [u32; {most}],\n    next: usize,\n    count: usize,\n"),
            include_str!("runtime/listed.rs"),
        ),
    };
    let _ = writeln!(
        text,
        "/// The rules that apply to a state, in ascending order.\n\
         #[derive(Clone, Debug)]\n\
         pub struct RuleIter {{\n{fields}}}\n\n{}",
        runtime.trim_end()
    );
}

/// Add the function that finds the rules of a direction that apply.
pub(super) fn write_init(text: &mut String, form: &Form, list: &RuleList<'_>) {
    form.write_tables(text, &Rust, list);
    let _ = writeln!(
        text,
        "/// The rules that apply to a state.\n\
         pub fn init_{}_iter(state: &State) -> RuleIter {{\n    let vars = &state.vars;",
        list.id
    );
    let (before, behind) = match form {
        Form::Sets { n_words } => (
            format!("    let mut sets = [0_u64; {n_words}];\n    let mut set: u64;\n"),
            "    RuleIter { sets, word: 0 }\n",
        ),
        Form::Tree { most } => (
            format!(
                "    let mut iter = RuleIter {{\n        rules: [0; {most}],\n        \
                 next: 0,\n        count: 0,\n    }};\n"
            ),
            "    iter.sort();\n    iter\n",
        ),
    };
    text.push_str(&before);
    form.write_body(text, &Rust, list);
    text.push_str(behind);
    text.push_str("}\n\n");
}
