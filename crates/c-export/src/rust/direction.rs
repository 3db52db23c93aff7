//! The rules of one direction: constants, costs, labels, successors, and the history.

use std::fmt::Write;

use psvn_ir::{CanonicalRule, Rule, TermKind};

use super::names::{array, unsigned_type};
use super::{comment, heading, string, successors};
use crate::c_text::list;
use crate::direction::{Direction, MOST_SHOWN};
use crate::successors::{Form, RuleList, max_children};

/// Add all of it.
pub(super) fn write(
    text: &mut String,
    direction: &Direction<'_>,
    list: &RuleList<'_>,
    form: &Form,
) {
    let (id, upper) = (direction.names.id, direction.names.upper);
    let adjective = direction.names.adjective;
    text.push_str(&heading(direction.names.title));
    let rules: Vec<&CanonicalRule> = direction.rules().collect();
    let _ = writeln!(
        text,
        "/// The number of {adjective} rules.\n\
         pub const NUM_{upper}_RULES: usize = {};\n\
         /// The least cost of a {adjective} rule.\n\
         pub const COST_OF_CHEAPEST_{upper}_RULE: u64 = {};\n\
         /// The greatest cost of a {adjective} rule.\n\
         pub const COST_OF_COSTLIEST_{upper}_RULE: u64 = {};\n\
         /// At least the number of {adjective} rules that apply to any one state.\n\
         pub const MAX_{upper}_CHILDREN: usize = {};\n",
        rules.len(),
        direction.costs.iter().min().unwrap_or(&0),
        direction.costs.iter().max().unwrap_or(&0),
        max_children(&rules)
    );
    let costs = direction.costs.iter();
    array(
        text,
        "The costs of the rules.",
        &format!("{upper}_COSTS"),
        "u64",
        costs,
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
    successors::write_init(text, form, list, upper);
    write_apply(text, direction);
    write_history(text, direction);
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
    let game = direction.game;
    let label = match game.n_variables() <= MOST_SHOWN {
        true => format!("{}: {}", rule.label, game.format_rule(&rule.canonical)),
        false => rule.label.to_string(),
    };
    let _ = writeln!(
        text,
        "        // {}\n        {number} => {{",
        comment(&label)
    );
    for (var, action) in rule.canonical.changes() {
        let _ = match action.kind() {
            TermKind::Constant(value) => {
                writeln!(text, "            next[{}] = {};", var.0, value.0)
            }
            TermKind::Variable(from) => {
                writeln!(text, "            next[{}] = vars[{}];", var.0, from.0)
            }
        };
    }
    text.push_str("        }\n");
}

fn write_history(text: &mut String, direction: &Direction<'_>) {
    let (id, upper) = (direction.names.id, direction.names.upper);
    let Some(histories) = direction.histories else {
        let _ = writeln!(
            text,
            "/// Whether a rule may not be left out after a path with this history: no sequence is pruned.\n\
             pub fn {id}_rule_valid_for_history(history: History, rule: usize) -> bool {{\n    true\n}}\n\n\
             /// The history of the path with one more rule.\n\
             pub fn next_{id}_history(history: History, rule: usize) -> History {{\n    history\n}}"
        );
        return;
    };
    let machine = histories.machine;
    let n_states = machine.n_states();
    let n_entries = n_states * direction.n_rules();
    let _ = writeln!(
        text,
        "/// A row for each history: after each rule the next history plus 1, or 0 where a sequence that\n\
         /// ends with the rule is redundant.\n\
         static {upper}_HISTORIES: [{}; {n_entries}] = [",
        unsigned_type(n_states)
    );
    list(
        text,
        4,
        (1..=n_states).flat_map(|state| machine.successors(state)),
    );
    let _ = writeln!(
        text,
        "];\n\n\
         /// Whether a rule may not be left out after a path with this history.\n\
         pub fn {id}_rule_valid_for_history(history: History, rule: usize) -> bool {{\n    \
         {upper}_HISTORIES[history as usize * NUM_{upper}_RULES + rule] != 0\n}}\n\n\
         /// The history of the path with one more rule. If that isn't valid, the path is\n\
         /// forgotten, so that nothing is pruned on its account.\n\
         pub fn next_{id}_history(history: History, rule: usize) -> History {{\n    \
         let next = {upper}_HISTORIES[history as usize * NUM_{upper}_RULES + rule];\n    \
         History::from(next).checked_sub(1).unwrap_or(INIT_HISTORY)\n}}"
    );
}
