//! Rules that differ from the others with their label.

use std::collections::BTreeMap;

use psvn_ir::{Rule, RuleId};
use psvn_syntax::Diagnostic;

use crate::subject::{Subject, count, touched};

/// So many rules with a label must agree before another one is odd.
const FEWEST_ALIKE: usize = 3;

pub(crate) fn lint(subject: &Subject<'_>, findings: &mut Vec<Diagnostic>) {
    let mut by_label: BTreeMap<String, Vec<RuleId>> = BTreeMap::new();
    for (id, rule) in subject.game.rules_with_ids() {
        by_label
            .entry(rule.label.to_ascii_lowercase())
            .or_default()
            .push(id);
    }
    for rules in by_label.values() {
        // Several instances of one rule differ by what their symbols stand for.
        let first = subject.game.rule(rules[0]).source;
        if rules
            .iter()
            .all(|id| subject.game.rule(*id).source == first)
        {
            continue;
        }
        // One warning for a rule, however much is odd about it.
        let found = FEATURES
            .iter()
            .find_map(|feature| odd_one_out(subject, rules, feature));
        findings.extend(found);
    }
}

/// Something that rules with one label usually have in common.
struct Feature {
    name: &'static str,
    value: fn(&Rule) -> Option<String>,
}

const FEATURES: &[Feature] = &[
    Feature {
        name: "changes",
        value: |rule| Some(count(rule.canonical.changes().count(), "position")),
    },
    Feature {
        name: "moves values by",
        value: distance,
    },
    Feature {
        name: "costs",
        value: |rule| Some(rule.canonical.cost().to_string()),
    },
];

/// The distance between the two positions of a rule that is about two.
fn distance(rule: &Rule) -> Option<String> {
    let touched = touched(rule);
    let positions: Vec<usize> = (0..touched.len()).filter(|i| touched[*i]).collect();
    match positions.as_slice() {
        [one, other] => Some(count(other - one, "position")),
        _ => None,
    }
}

/// The one rule whose feature differs from that of all the others.
fn odd_one_out(subject: &Subject<'_>, rules: &[RuleId], feature: &Feature) -> Option<Diagnostic> {
    let mut values: BTreeMap<String, Vec<RuleId>> = BTreeMap::new();
    for id in rules {
        let value = (feature.value)(subject.game.rule(*id))?;
        values.entry(value).or_default().push(*id);
    }
    let mut groups: Vec<(String, Vec<RuleId>)> = values.into_iter().collect();
    groups.sort_by_key(|(_, rules)| std::cmp::Reverse(rules.len()));
    let [(usual, alike), (odd, single)] = groups.as_slice() else {
        return None;
    };
    let [rule] = single.as_slice() else {
        return None;
    };
    if alike.len() < FEWEST_ALIKE {
        return None;
    }
    let label = &subject.game.rule(*rule).label;
    let finding = subject.warn_at(
        *rule,
        "odd-one-out",
        format!(
            "{} {} {odd}, and the {} others with the label `{label}` {usual}",
            subject.title(*rule),
            feature.name,
            alike.len()
        ),
        "unlike its siblings",
    );
    let hint = "compare it with the others; a position or a value may be wrong";
    Some(finding.hint(hint))
}
