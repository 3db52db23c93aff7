//! The rules of one direction: constants, costs, labels, successors, and the history.

use std::fmt::Write;

use psvn_ir::{CanonicalRule, Game, Rule, TermKind, VarId};

use crate::c_text::{array, comment, heading, string};
use crate::error::ExportError;
use crate::history::{self, Histories};
use crate::successors::{Form, RuleList, max_children};

/// How the parts of a direction are called.
pub(crate) struct Names {
    /// In identifiers.
    pub(crate) id: &'static str,
    /// In identifiers that are macros of presence.
    pub(crate) upper: &'static str,
    /// In sentences.
    pub(crate) adjective: &'static str,
    pub(crate) title: &'static str,
}

pub(crate) static FORWARD: Names = Names {
    id: "fwd",
    upper: "FWD",
    adjective: "forward",
    title: "Forward rules",
};

pub(crate) static BACKWARD: Names = Names {
    id: "bwd",
    upper: "BWD",
    adjective: "backward",
    title: "Backward rules: they lead to the states before",
};

/// Rules over more variables are only named in comments: their vectors fill more than a line.
pub(crate) const MOST_SHOWN: usize = 32;

/// The rules of one direction with their history.
pub(crate) struct Direction<'a> {
    pub(crate) names: &'static Names,
    pub(crate) game: &'a Game,
    pub(crate) costs: Vec<u64>,
    pub(crate) histories: Option<Histories<'a>>,
}

impl<'a> Direction<'a> {
    /// The rules of a game, which are those of the machine.
    pub(crate) fn new(
        names: &'static Names,
        game: &'a Game,
        histories: Option<Histories<'a>>,
    ) -> Result<Self, ExportError> {
        let rules = game.rules();
        if let Some(histories) = histories {
            let letters = histories.machine.n_letters();
            if letters as usize != rules.len() {
                return Err(ExportError::Machine {
                    letters,
                    rules: rules.len(),
                });
            }
        }
        Ok(Self {
            names,
            game,
            costs: rules.iter().map(|rule| rule.canonical.cost()).collect(),
            histories,
        })
    }

    /// Refuse costs that are no `int`.
    pub(crate) fn check_costs(&self) -> Result<(), ExportError> {
        let too_high = |rule: &&Rule| i32::try_from(rule.canonical.cost()).is_err();
        match self.game.rules().iter().find(too_high) {
            None => Ok(()),
            Some(rule) => Err(ExportError::Cost {
                label: rule.label.to_string(),
                cost: rule.canonical.cost(),
            }),
        }
    }

    pub(crate) fn n_rules(&self) -> usize {
        self.costs.len()
    }

    pub(crate) fn adjective(&self) -> &'static str {
        self.names.adjective
    }

    /// The rules in canonical form.
    pub(crate) fn rules(&self) -> impl Iterator<Item = &'a CanonicalRule> + use<'a> {
        self.game.rules().iter().map(|rule| &rule.canonical)
    }

    /// The rules, to find those that apply.
    pub(crate) fn rule_list(&self) -> RuleList<'a> {
        let size = |id: &psvn_ir::DomainId| self.game.domain(*id).size();
        RuleList {
            id: self.names.id,
            rules: self.rules().collect(),
            domain_sizes: self.game.variables().iter().map(size).collect(),
        }
    }

    /// The bytes that the rules take, about: each has some lines, and one for each change.
    pub(crate) fn bytes_of_rules(&self) -> u128 {
        let changes: usize = self.rules().map(|rule| rule.changes().count()).sum();
        (150 * self.n_rules() + 50 * changes) as u128
    }

    /// The number of states of the history, and the bytes that its table takes, about.
    pub(crate) fn size_of_history(&self) -> (usize, u128) {
        let n_states = self.histories.map_or(0, |it| it.machine.n_states());
        let digits = n_states.to_string().len() + 2;
        (
            n_states,
            n_states as u128 * self.n_rules() as u128 * digits as u128,
        )
    }

    /// Add the macros that say what there is.
    pub(crate) fn write_presence(&self, text: &mut String) {
        let upper = self.names.upper;
        if self.names.id == BACKWARD.id {
            let _ = writeln!(text, "#define HAVE_{upper}_MOVES 1");
        }
        if self.histories.is_some() {
            let _ = writeln!(text, "#define HAVE_{upper}_MOVE_PRUNING 1");
        }
    }

    /// Add all of it.
    pub(crate) fn write(&self, text: &mut String, form: &Form) {
        let Names {
            id,
            title,
            adjective,
            ..
        } = self.names;
        text.push_str(&heading(title));
        let cheapest = self.costs.iter().min().unwrap_or(&0);
        let costliest = self.costs.iter().max().unwrap_or(&0);
        let rules: Vec<&CanonicalRule> = self.rules().collect();
        let _ = writeln!(
            text,
            "#define num_{id}_rules {}\n\
             #define cost_of_cheapest_{id}_rule {cheapest}\n\
             #define cost_of_costliest_{id}_rule {costliest}\n\
             /* At least the number of {adjective} rules that apply to any one state. */\n\
             #define max_{id}_children {}\n",
            rules.len(),
            max_children(&rules)
        );
        self.write_costs(text, *cheapest == *costliest);
        self.write_labels(text);
        form.write_init(text, &self.rule_list());
        self.write_apply(text);
        history::write(text, self.names.id, self.histories.map(|it| it.machine));
    }

    fn write_costs(&self, text: &mut String, are_equal: bool) {
        let id = self.names.id;
        if !are_equal {
            let name = format!("psvn_{id}_costs");
            array(text, "int", &name, &self.costs, 0);
        }
        let _ = writeln!(text, "static inline int get_{id}_rule_cost(int ruleid)\n{{");
        if are_equal {
            let _ = writeln!(
                text,
                "    (void) ruleid;\n    return cost_of_cheapest_{id}_rule;\n}}\n"
            );
        } else {
            let _ = writeln!(text, "    return psvn_{id}_costs[ruleid];\n}}\n");
        }
    }

    fn write_labels(&self, text: &mut String) {
        let id = self.names.id;
        let labels = self.game.rules().iter().map(|rule| string(&rule.label));
        array(
            text,
            "char *const",
            &format!("psvn_{id}_labels"),
            labels,
            "\"\"",
        );
        let _ = writeln!(
            text,
            "static inline const char *get_{id}_rule_label(int ruleid)\n{{\n    \
             return psvn_{id}_labels[ruleid];\n}}\n"
        );
    }

    /// Old values are read before any is written, so that both states may be the same one.
    fn write_apply(&self, text: &mut String) {
        let id = self.names.id;
        let _ = writeln!(
            text,
            "/* Set `result` to the state that a rule leads to from a state to which it applies. Both \
             may be\n * the same state. */\n\
             static inline void apply_{id}_rule(int ruleid, const state_t *state, state_t *result)\n{{"
        );
        if self.n_rules() == 0 {
            text.push_str("    (void) ruleid;\n    *result = *state;\n}\n\n");
            return;
        }
        if self.rules().any(|rule| !sources(rule).is_empty()) {
            text.push_str("    const psvn_value_t *vars = state->vars;\n");
        }
        if self.rules().any(|rule| rule.changes().next().is_some()) {
            text.push_str("    psvn_value_t *next = result->vars;\n");
        }
        text.push_str("    *result = *state;\n    switch (ruleid) {\n");
        for (number, rule) in self.game.rules().iter().enumerate() {
            self.write_case(text, number, rule);
        }
        text.push_str("    default:\n        break;\n    }\n}\n\n");
    }

    fn write_case(&self, text: &mut String, number: usize, rule: &Rule) {
        let label = match self.game.n_variables() <= MOST_SHOWN {
            true => format!("{}: {}", rule.label, self.game.format_rule(&rule.canonical)),
            false => rule.label.to_string(),
        };
        let label = comment(&label);
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
                TermKind::Constant(value) => {
                    writeln!(text, "        next[{}] = {};", var.0, value.0)
                }
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
}

/// The variables whose old values a rule writes elsewhere, in order.
fn sources(rule: &CanonicalRule) -> Vec<VarId> {
    let mut sources: Vec<VarId> = rule
        .changes()
        .filter_map(|(_, action)| action.as_variable())
        .collect();
    sources.sort_unstable();
    sources.dedup();
    sources
}
