//! Rules as a search tries them: split by values where that turns all tests into comparisons with
//! constants.

use psvn_ir::{CanonicalRule, Game, Term, Value, VarId};

/// A rule, or its form for one choice of values. At most one of the branches of a rule applies to a
/// state.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    /// The number of the rule.
    pub(crate) rule: u32,
    pub(crate) canonical: CanonicalRule,
}

/// The maximum number of branches of a rule.
const MAX_BRANCHES: usize = 8;

/// The maximum ratio of a game's branches to its rules.
const MAX_GROWTH: usize = 4;

/// Return the branches of a game's rules, in the order of the rules.
///
/// If some rule compares variables with each other, and no rule has too many values to choose from,
/// those rules are split into one branch for each choice of values of the variables compared or
/// copied.
pub(crate) fn branches(game: &Game) -> Vec<Branch> {
    let rules = || {
        let rules = game.rules_with_ids();
        rules.map(|(id, rule)| (id.0, &rule.canonical))
    };
    let compares =
        |rule: &CanonicalRule| rule.tests().any(|(_, term)| term.as_variable().is_some());
    let whole = || {
        let branch = |(rule, canonical): (u32, &CanonicalRule)| Branch {
            rule,
            canonical: canonical.clone(),
        };
        rules().map(branch).collect()
    };
    if !rules().any(|(_, rule)| compares(rule)) {
        return whole();
    }
    let mut branches = Vec::new();
    for (rule, canonical) in rules() {
        match split(game, canonical) {
            Some(parts) => branches.extend(
                parts
                    .into_iter()
                    .map(|canonical| Branch { rule, canonical }),
            ),
            None => return whole(),
        }
        if branches.len() > MAX_GROWTH * game.rules().len() {
            return whole();
        }
    }
    branches
}

/// Return a rule for each choice of the values compared or copied; `None` if there are too many.
fn split(game: &Game, rule: &CanonicalRule) -> Option<Vec<CanonicalRule>> {
    let involved = rule.tests().chain(rule.changes());
    let mut vars: Vec<VarId> = involved
        .filter_map(|(_, term)| term.as_variable())
        .collect();
    vars.sort_unstable();
    vars.dedup();
    let mut parts = vec![rule.clone()];
    for var in vars {
        let size = game.domain_of(var).size();
        if parts.len() * size > MAX_BRANCHES {
            return None;
        }
        parts = parts
            .iter()
            .flat_map(|part| (0..size as u32).map(move |value| with_value(part, var, Value(value))))
            .collect();
    }
    Some(parts)
}

/// Return the rule for states in which a variable has this value.
fn with_value(rule: &CanonicalRule, var: VarId, value: Value) -> CanonicalRule {
    let put = |term: &Term| match term.as_variable() {
        Some(it) if it == var => Term::constant(value),
        _ => *term,
    };
    let preconditions: Vec<Term> = rule.preconditions().iter().map(put).collect();
    let actions: Vec<Term> = rule.actions().iter().map(put).collect();
    CanonicalRule::canonicalize(&preconditions, &actions, rule.cost())
}
