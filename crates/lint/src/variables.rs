//! Variables and values that play no part.

use std::collections::BTreeSet;

use psvn_ir::{DomainId, Value, VarId};
use psvn_syntax::Diagnostic;

use crate::conservation::conserved_counts;
use crate::subject::named_values::named_values;
use crate::subject::{Subject, count};

/// For each value that is not mentioned, at least this many must be.
const FEWEST_USED: usize = 3;
/// If every other variable is mentioned in more rules than this, one forgotten rule and its inverse
/// can't be why a variable is missing from all of them.
const MOST_FORGOTTEN: u32 = 2;
/// The most variables or values that one warning names.
const MOST_NAMED: usize = 6;

pub(crate) fn lint(subject: &Subject<'_>, findings: &mut Vec<Diagnostic>) {
    if subject.n_rules() == 0 {
        return;
    }
    unchanged_variables(subject, findings);
    unused_values(subject, findings);
}

fn unchanged_variables(subject: &Subject<'_>, findings: &mut Vec<Diagnostic>) {
    let game = subject.game;
    let mut changed = vec![false; game.n_variables()];
    for rule in game.rules() {
        for (position, _) in rule.canonical.changes() {
            changed[position.index()] = true;
        }
    }
    let mentions = subject.mentions();
    let of_kind = |mentioned: bool| -> Vec<usize> {
        (0..changed.len())
            .filter(|i| !changed[*i] && (mentions[*i] > 0) == mentioned)
            // A variable with one value can't change.
            .filter(|i| game.domain_of(VarId::from_index(*i)).size() > 1)
            .collect()
    };
    let unused = of_kind(false);
    let constant = of_kind(true);
    // A token that never moves, such as that of a TopSpin written relative to it, is in no rule,
    // and the others are in many.
    let least = mentions.iter().copied().filter(|n| *n > 0).min();
    if !unused.is_empty() && least.is_none_or(|least| least <= MOST_FORGOTTEN) {
        findings.push(
            Diagnostic::warning(
                "unused-variable",
                format!("no rule tests or changes {}", positions(&unused)),
            )
            .hint("a rule may be missing, or the variables may be superfluous"),
        );
    }
    if !constant.is_empty() {
        findings.push(
            Diagnostic::warning(
                "constant-variable",
                format!("rules test {}, but none changes it", positions(&constant)),
            )
            .hint(
                "it keeps the value that it has in the start state; a rule that changes it may be \
                 missing",
            ),
        );
    }
}

/// `variable 3`, `variables 3, 4 and 2 more`.
fn positions(positions: &[usize]) -> String {
    let named: Vec<String> = positions
        .iter()
        .take(MOST_NAMED)
        .map(|position| (position + 1).to_string())
        .collect();
    let rest = match positions.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let noun = if positions.len() == 1 {
        "variable"
    } else {
        "variables"
    };
    format!("{noun} {}{rest}", named.join(", "))
}

/// Warn of a value that neither rules nor goals mention while they mention most others of the
/// domain.
///
/// Only domains whose values are mostly mentioned count: if rules move values as symbols only, no
/// value is mentioned, and nothing is wrong.
fn unused_values(subject: &Subject<'_>, findings: &mut Vec<Diagnostic>) {
    let game = subject.game;
    let mut used: Vec<Vec<bool>> = game
        .domains()
        .iter()
        .map(|domain| vec![false; domain.size()])
        .collect();
    let home = |position: usize| game.variables()[position].index();
    let rules = game.rules().iter().flat_map(|rule| {
        let (p, a) = (rule.canonical.preconditions(), rule.canonical.actions());
        p.iter().enumerate().chain(a.iter().enumerate())
    });
    let goals = game
        .goals()
        .iter()
        .flat_map(|goal| goal.conditions().iter().enumerate());
    for (position, term) in rules.chain(goals) {
        if let Some(value) = term.as_constant() {
            used[home(position)][value.index()] = true;
        }
    }
    let named = named_values(game);
    let conserved: BTreeSet<(DomainId, Value)> = conserved_counts(game).into_iter().collect();
    for (number, used) in used.iter().enumerate() {
        let id = DomainId::from_index(number);
        let n_used = used.iter().filter(|used| **used).count();
        let n_unused = used.len() - n_used;
        if !game.variables().contains(&id)
            || n_unused == 0
            || n_used < FEWEST_USED
            || n_unused * FEWEST_USED > n_used
        {
            continue;
        }
        // If rules move named values on a board, values that never move are in no rule.
        let is_moved = |value: usize| {
            named[number][value] && conserved.contains(&(id, Value::from_index(value)))
        };
        if (0..used.len()).all(|value| !used[value] || is_moved(value)) {
            continue;
        }
        let domain = game.domain(id);
        let names: Vec<String> = (0..used.len())
            .filter(|value| !used[*value])
            .take(MOST_NAMED)
            .map(|value| format!("`{}`", domain.values()[value]))
            .collect();
        findings.push(
            Diagnostic::warning(
                "unused-value",
                format!(
                    "neither rules nor goals mention {} of domain `{}`, and they mention {}",
                    names.join(", "),
                    domain.name(),
                    match n_used {
                        n if n_unused == 1 => format!("the other {}", count(n, "value")),
                        n => count(n, "other value"),
                    },
                ),
            )
            .hint("a rule may be missing, or the value may be misspelled where it is used"),
        );
    }
}
