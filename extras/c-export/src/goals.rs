//! Goals, in a form that is common to all languages.

use psvn_ir::{Game, Goal, Term, TermKind, VarId};

/// The bytes that the goals take, about.
pub(crate) fn bytes(game: &Game) -> u128 {
    game.goals().len() as u128 * game.n_variables() as u128 * 20
}

/// A test of a variable as a condition.
pub(crate) fn condition(var: VarId, term: &Term) -> String {
    match term.kind() {
        TermKind::Constant(value) => format!("vars[{}] == {}", var.0, value.0),
        TermKind::Variable(other) => format!("vars[{}] == vars[{}]", var.0, other.0),
    }
}

/// The conditions that a goal demands of a state.
pub(crate) fn conditions(goal: &Goal) -> Vec<String> {
    let terms = goal.conditions().iter().enumerate();
    terms
        .filter(|(i, term)| !term.is_own_variable(*i))
        .map(|(i, term)| condition(VarId::from_index(i), term))
        .collect()
}

/// The entries for each variable in the tables of goals. The comment on them is [`ENTRIES`].
pub(crate) fn entries(goal: &Goal) -> impl Iterator<Item = i64> + '_ {
    goal.conditions().iter().map(|term| match term.kind() {
        TermKind::Constant(value) => i64::from(value.0),
        TermKind::Variable(var) => -1 - i64::from(var.0),
    })
}

/// The comment on the tables of goals.
pub(crate) const ENTRIES: [&str; 2] = [
    "For each condition and variable: the value, or -1 - j where the value is that of variable j,",
    "and free if j is this variable.",
];
