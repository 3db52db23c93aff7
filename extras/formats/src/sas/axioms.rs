//! Checks that axioms have the form of version 3.

use psvn_syntax::{Diagnostic, Span};

use super::task::Task;
use crate::problems::Problems;

fn refuse(problems: &mut Problems, code: &'static str, message: String, span: Span, hint: &str) {
    let error = Diagnostic::error(code, message).at(span, "");
    problems.push(match hint {
        "" => error,
        hint => error.hint(hint),
    });
}

/// Reject axioms that don't have the form of version 3.
pub(super) fn check(task: &Task, problems: &mut Problems) {
    let axioms = task.axioms.iter();
    for axiom in axioms.filter(|axiom| !task.gives_default(axiom)) {
        let head = &task.variables[axiom.variable];
        let Some(layer) = head.layer else {
            let message = format!("an axiom derives `{}`, which has no layer", head.name);
            refuse(
                problems,
                "sas-axiom",
                message,
                axiom.span,
                "layer -1 is for operators",
            );
            continue;
        };
        let default = task.state[axiom.variable];
        if head.facts.len() != 2 || axiom.before != default || axiom.after == default {
            let message = format!("axioms can't give `{}` this value", head.name);
            let hint = "a derived variable has two values: the initial one, and the one that \
                        axioms give it";
            refuse(problems, "sas-axiom", message, axiom.span, hint);
        }
        for fact in &axiom.conditions {
            let Some(other) = task.variables[fact.variable].layer else {
                continue;
            };
            let is_negative = fact.value == task.state[fact.variable];
            if other > layer || other == layer && is_negative {
                let message = format!("the axioms of `{}` aren't stratified", head.name);
                let hint = "an axiom may ask for what its own layer derives, and for anything \
                            of lower layers";
                refuse(problems, "sas-axiom-layer", message, axiom.span, hint);
            }
        }
    }
    for operator in &task.operators {
        let mut written = operator.effects.iter().map(|effect| effect.variable);
        if let Some(variable) = written.find(|variable| task.is_derived(*variable)) {
            let name = &task.variables[variable].name;
            let message = format!(
                "operator `{}` writes the derived variable `{name}`",
                operator.name
            );
            refuse(problems, "sas-derived-effect", message, operator.span, "");
        }
    }
}
