//! Histories: what a path leaves to be remembered, and which rules are not valid after it.

use std::fmt::Write;

use fsm::Dense;

use crate::c_text::{array, unsigned_type};

/// A machine, and what it is.
#[derive(Clone, Copy, Debug)]
pub struct Histories<'a> {
    /// The machine; its letters are the rules.
    pub machine: &'a Dense,
    /// The length of the longest sequences that were compared.
    pub max_length: usize,
    /// The order of sequences within which replacements come first.
    pub order: &'a str,
}

/// Add the functions of the history of a direction, `fwd` or `bwd`.
///
/// The table has a row for each state of the machine, with the number of the next state from 1, or
/// 0 where the rule is not valid. A history is the number of a state from 0, so the initial one is
/// 0 for both directions.
pub(crate) fn write(text: &mut String, id: &str, machine: Option<&Dense>) {
    if id == "fwd" {
        text.push_str(
            "/* The history of the empty path, in both directions. */\n\
             #define init_history 0\n\n",
        );
    }
    let Some(machine) = machine else {
        let _ = writeln!(
            text,
            "/* No sequence is pruned: there is one history, and all rules are valid after it. */\n\
             static inline int {id}_rule_valid_for_history(int history, int ruleid)\n{{\n    \
             (void) history;\n    (void) ruleid;\n    return 1;\n}}\n\n\
             static inline int next_{id}_history(int history, int ruleid)\n{{\n    \
             (void) ruleid;\n    return history;\n}}\n"
        );
        return;
    };
    text.push_str(
        "/* A row for each history: after each rule the next history plus 1, or 0 where a sequence \
         that\n * ends with the rule is redundant. */\n",
    );
    let n_states = machine.n_states();
    let entries = (1..=n_states).flat_map(|state| machine.successors(state));
    array(
        text,
        unsigned_type(n_states),
        &format!("psvn_{id}_histories"),
        entries,
        0,
    );
    let _ = writeln!(
        text,
        "\n/* Return 0 if the rule may be left out after a path with this history, else 1. */\n\
         static inline int {id}_rule_valid_for_history(int history, int ruleid)\n{{\n    \
         return psvn_{id}_histories[(size_t) history * num_{id}_rules + (size_t) ruleid] != 0;\n}}\n\n\
         /* Return the history of the path with one more rule. If that isn't valid, the path is \
         forgotten, so\n * that nothing is pruned on its account. */\n\
         static inline int next_{id}_history(int history, int ruleid)\n{{\n    \
         int next = (int) psvn_{id}_histories[(size_t) history * num_{id}_rules + (size_t) ruleid];\n    \
         return next == 0 ? init_history : next - 1;\n}}\n"
    );
}
