//! Goals that no rule leads to.

use psvn_ir::{Goal, RuleId, Term, TermKind, Value, VarId};
use psvn_syntax::Diagnostic;

use crate::subject::Subject;

pub(crate) fn lint(subject: &Subject<'_>, findings: &mut Vec<Diagnostic>) {
    let game = subject.game;
    if game.rules().is_empty() {
        return;
    }
    for goal in game.goals() {
        if let Some((position, value)) = never_produced(subject, goal) {
            let domain = game.domain_of(position);
            let value = domain.value_name(value);
            findings.push(
                Diagnostic::warning(
                    "goal-never-produced",
                    format!(
                        "the goal wants `{value}` for variable {}, which rules change, but never to \
                         `{value}`",
                        position.0 + 1
                    ),
                )
                .at_maybe(goal.span, "only starts that have it already get here")
                .hint("a rule may be missing, or a value misspelt"),
            );
        } else if !game
            .rules_with_ids()
            .any(|(id, _)| leads_to(subject, id, goal))
        {
            findings.push(
                Diagnostic::warning(
                    "unreachable-goal",
                    "no rule leads from another state to this goal",
                )
                .at_maybe(goal.span, "only starts that satisfy it get here")
                .hint("a rule may be missing, or the goal may ask for what can't be at once"),
            );
        }
    }
}

/// A position that rules change, and a value that the goal wants there and no rule puts there.
fn never_produced(subject: &Subject<'_>, goal: &Goal) -> Option<(VarId, Value)> {
    let game = subject.game;
    let mut changed = vec![false; game.n_variables()];
    let mut produced = vec![false; game.n_variables()];
    for rule in game.rules() {
        for (position, after) in rule.canonical.changes() {
            let i = position.index();
            changed[i] = true;
            // What an unknown stands for can be any value, as far as is known here.
            produced[i] |= after
                .as_constant()
                .is_none_or(|value| goal.conditions()[i].as_constant() == Some(value));
        }
    }
    let wanted = goal.conditions().iter().enumerate();
    wanted
        .filter_map(|(i, term)| Some((i, term.as_constant()?)))
        .find(|(i, _)| changed[*i] && !produced[*i])
        .map(|(i, value)| (VarId::from_index(i), value))
}

/// Whether a rule can lead to a goal state from a state that differs from it: what it leaves behind
/// doesn't contradict what the goal wants.
///
/// Constants are compared, and unknowns that two positions share. That is less than the whole truth,
/// so a goal is reported only if no rule can lead there.
fn leads_to(subject: &Subject<'_>, rule: RuleId, goal: &Goal) -> bool {
    let rule = &subject.game.rule(rule).canonical;
    if rule.changes().next().is_none() {
        return false;
    }
    let mut known: Vec<Option<Value>> = vec![None; rule.n_variables()];
    let wanted = |term: &Term| term.as_constant();
    for (after, want) in rule.actions().iter().zip(goal.conditions()) {
        let Some(want) = wanted(want) else { continue };
        match after.kind() {
            TermKind::Constant(value) if value != want => return false,
            TermKind::Constant(_) => {}
            TermKind::Variable(var) => {
                if known[var.index()]
                    .replace(want)
                    .is_some_and(|other| other != want)
                {
                    return false;
                }
            }
        }
    }
    true
}
