//! The rules of one direction: constants, costs, labels, successors, and the history.

use std::fmt::Write;

use psvn_ir::{Rule, TermKind};

use super::text::{array, comment, heading, string};
use super::{history, successors};
use crate::direction::Direction;
use crate::successors::Form;

/// Add all of it.
pub(super) fn write(text: &mut String, direction: &Direction<'_>, form: &Form) {
    let (id, upper) = (direction.names.id, direction.names.upper);
    let adjective = direction.names.adjective;
    text.push_str(&heading(direction.names.title));
    let (cheapest, costliest) = direction.range_of_costs();
    let _ = writeln!(
        text,
        "/// The number of {adjective} rules.\n\
         pub const NUM_{upper}_RULES: usize = {};\n\
         /// The least cost of a {adjective} rule.\n\
         pub const COST_OF_CHEAPEST_{upper}_RULE: u64 = {cheapest};\n\
         /// The greatest cost of a {adjective} rule.\n\
         pub const COST_OF_COSTLIEST_{upper}_RULE: u64 = {costliest};\n\
         /// At least the number of {adjective} rules that apply to any one state.\n\
         pub const MAX_{upper}_CHILDREN: usize = {};\n",
        direction.n_rules(),
        direction.max_children()
    );
    array(
        text,
        "The costs of the rules.",
        &format!("{upper}_COSTS"),
        "u64",
        direction.costs.iter(),
    );
    let labels = direction.game.rules().iter();
    array(
        text,
        "The labels of the rules.",
        &format!("{upper}_LABELS"),
        "&str",
        labels.map(|rule| string(&rule.label)),
    );
    let _ = writeln!(
        text,
        "/// The cost of a rule.\n\
         pub fn get_{id}_rule_cost(rule: usize) -> u64 {{\n    {upper}_COSTS[rule]\n}}\n\n\
         /// The label of a rule.\n\
         pub fn get_{id}_rule_label(rule: usize) -> &'static str {{\n    {upper}_LABELS[rule]\n}}\n"
    );
    successors::write_init(text, form, &direction.list);
    write_apply(text, direction);
    history::write(text, direction);
}

fn write_apply(text: &mut String, direction: &Direction<'_>) {
    let _ = writeln!(
        text,
        "/// The state that a rule leads to from a state to which it applies.\n\
         pub fn apply_{}_rule(rule: usize, state: &State) -> State {{\n    \
         let vars = &state.vars;\n    let mut next = state.vars;\n    match rule {{",
        direction.names.id
    );
    for (number, rule) in direction.game.rules().iter().enumerate() {
        write_case(text, direction, number, rule);
    }
    text.push_str("        _ => {}\n    }\n    State { vars: next }\n}\n\n");
}

/// Values are read from the old state, so their order doesn't matter.
fn write_case(text: &mut String, direction: &Direction<'_>, number: usize, rule: &Rule) {
    let label = comment(&direction.describe(rule));
    let _ = writeln!(text, "        // {label}\n        {number} => {{");
    for (var, action) in rule.canonical.changes() {
        let value = match action.kind() {
            TermKind::Constant(value) => value.0.to_string(),
            TermKind::Variable(from) => format!("vars[{}]", from.0),
        };
        let _ = writeln!(text, "            next[{}] = {value};", var.0);
    }
    text.push_str("        }\n");
}
