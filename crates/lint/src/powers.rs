//! Turns that come with their powers: a face of Rubik's cube by one, two and three quarters.

use std::collections::{BTreeMap, BTreeSet};

use psvn_ir::RuleId;
use psvn_syntax::Diagnostic;

use crate::subject::Subject;

/// The most rules, and the largest order of a turn, that are considered.
const MOST_RULES: usize = 2_000;
const LARGEST_ORDER: usize = 12;
/// At least this many turns must be complete before another is odd.
const FEWEST_COMPLETE: usize = 2;

/// Warn of a turn that lacks a rule. A turn is a rule that only moves values, with all its powers.
/// If all powers are rules except those of one turn, that turn lacks a rule.
pub(crate) fn lint(subject: &Subject<'_>, findings: &mut Vec<Diagnostic>) {
    if subject.n_rules() > MOST_RULES {
        return;
    }
    let mut rules: BTreeMap<Vec<usize>, RuleId> = BTreeMap::new();
    for (id, rule) in subject.game.rules_with_ids() {
        if let Some(permutation) = rule.canonical.value_sources() {
            rules.insert(permutation, id);
        }
    }
    // Each turn is the set of all its powers, whichever rule it is made from.
    let mut turns: BTreeMap<BTreeSet<Vec<usize>>, RuleId> = BTreeMap::new();
    for (permutation, id) in &rules {
        let Some(powers) = powers(permutation) else {
            return;
        };
        turns.entry(powers).or_insert(*id);
    }
    // A half turn is not a separate turn if the quarter turn is a rule.
    let sets: Vec<BTreeSet<Vec<usize>>> = turns.keys().cloned().collect();
    turns.retain(|powers, _| {
        !sets
            .iter()
            .any(|other| other != powers && powers.is_subset(other))
    });
    turns.retain(|powers, _| powers.len() > 1);
    let (complete, lacking): (Vec<_>, Vec<_>) = turns
        .iter()
        .partition(|(powers, _)| powers.iter().all(|power| rules.contains_key(power)));
    let [(powers, rule)] = lacking.as_slice() else {
        return;
    };
    let n_missing = powers
        .iter()
        .filter(|power| !rules.contains_key(*power))
        .count();
    if complete.len() < FEWEST_COMPLETE || n_missing != 1 {
        return;
    }
    findings.push(
        subject
            .warn_at(
                **rule,
                "missing-power",
                format!(
                    "one repetition of {} isn't a rule, and those of the {} other turns all are",
                    subject.title(**rule),
                    complete.len()
                ),
                "repeat this one",
            )
            .hint("a rule may be missing or wrong"),
    );
}

/// A permutation's powers except the identity; `None` if there are many.
fn powers(permutation: &[usize]) -> Option<BTreeSet<Vec<usize>>> {
    let mut powers = BTreeSet::new();
    let mut power = permutation.to_vec();
    while power.iter().enumerate().any(|(i, from)| *from != i) {
        if powers.len() > LARGEST_ORDER {
            return None;
        }
        let next = permutation.iter().map(|from| power[*from]).collect();
        powers.insert(std::mem::replace(&mut power, next));
    }
    Some(powers)
}
