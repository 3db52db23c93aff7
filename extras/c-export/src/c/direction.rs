//! The rules of one direction: constants, costs, labels, successors, and the history.

use std::fmt::Write;

use psvn_ir::{Rule, TermKind};

use super::text::{array, comment, heading, string};
use super::{history, successors};
use crate::direction::{Direction, sources};
use crate::successors::Form;

/// Add all of it.
pub(super) fn write(text: &mut String, direction: &Direction<'_>, form: &Form) {
    let (id, adjective) = (direction.names.id, direction.names.adjective);
    text.push_str(&heading(direction.names.title));
    let (cheapest, costliest) = direction.range_of_costs();
    let _ = writeln!(
        text,
        "#define num_{id}_rules {}\n\
         #define cost_of_cheapest_{id}_rule {cheapest}\n\
         #define cost_of_costliest_{id}_rule {costliest}\n\
         /* At least the number of {adjective} rules that apply to any one state. */\n\
         #define max_{id}_children {}\n",
        direction.n_rules(),
        direction.max_children()
    );
    write_costs(text, direction, cheapest == costliest);
    write_labels(text, direction);
    successors::write_init(text, form, &direction.list);
    write_apply(text, direction);
    history::write(text, direction);
}

fn write_costs(text: &mut String, direction: &Direction<'_>, are_equal: bool) {
    let id = direction.names.id;
    if !are_equal {
        let name = format!("psvn_{id}_costs");
        array(text, "int", &name, &direction.costs, 0);
    }
    let _ = writeln!(text, "static inline int get_{id}_rule_cost(int ruleid)\n{{");
    let _ = if are_equal {
        writeln!(
            text,
            "    (void) ruleid;\n    return cost_of_cheapest_{id}_rule;\n}}\n"
        )
    } else {
        writeln!(text, "    return psvn_{id}_costs[ruleid];\n}}\n")
    };
}

fn write_labels(text: &mut String, direction: &Direction<'_>) {
    let id = direction.names.id;
    let labels = direction.game.rules().iter();
    array(
        text,
        "char *const",
        &format!("psvn_{id}_labels"),
        labels.map(|rule| string(&rule.label)),
        "\"\"",
    );
    let _ = writeln!(
        text,
        "static inline const char *get_{id}_rule_label(int ruleid)\n{{\n    \
         return psvn_{id}_labels[ruleid];\n}}\n"
    );
}

/// Old values are read before any is written, so both states may be the same object.
fn write_apply(text: &mut String, direction: &Direction<'_>) {
    let _ = writeln!(
        text,
        "/* Set `result` to the state that a rule leads to from a state to which it applies. Both \
         may be\n * the same state. */\n\
         static inline void apply_{}_rule(int ruleid, const state_t *state, state_t *result)\n{{",
        direction.names.id
    );
    if direction.n_rules() == 0 {
        text.push_str("    (void) ruleid;\n    *result = *state;\n}\n\n");
        return;
    }
    let rules = || direction.list.rules.iter();
    if rules().any(|rule| !sources(rule).is_empty()) {
        text.push_str("    const psvn_value_t *vars = state->vars;\n");
    }
    if rules().any(|rule| rule.changes().next().is_some()) {
        text.push_str("    psvn_value_t *next = result->vars;\n");
    }
    text.push_str("    *result = *state;\n    switch (ruleid) {\n");
    for (number, rule) in direction.game.rules().iter().enumerate() {
        write_case(text, direction, number, rule);
    }
    text.push_str("    default:\n        break;\n    }\n}\n\n");
}

fn write_case(text: &mut String, direction: &Direction<'_>, number: usize, rule: &Rule) {
    let label = comment(&direction.describe(rule));
    let rule = &rule.canonical;
    let sources = sources(rule);
    let brace = if sources.is_empty() { "" } else { " {" };
    let _ = writeln!(text, "    case {number}:{brace} /* {label} */");
    for var in &sources {
        let _ = writeln!(
            text,
            "        const psvn_value_t x{} = vars[{}];",
            var.0 + 1,
            var.0
        );
    }
    for (var, action) in rule.changes() {
        let _ = match action.kind() {
            TermKind::Constant(value) => writeln!(text, "        next[{}] = {};", var.0, value.0),
            TermKind::Variable(from) => {
                writeln!(text, "        next[{}] = x{};", var.0, from.0 + 1)
            }
        };
    }
    text.push_str("        break;\n");
    if !sources.is_empty() {
        text.push_str("    }\n");
    }
}
