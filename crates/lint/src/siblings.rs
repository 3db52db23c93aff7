//! Rules that differ from the others with their label.

use std::collections::BTreeMap;

use psvn_ir::{Rule, RuleId};
use psvn_syntax::Diagnostic;

use crate::subject::{Subject, count, touched};

/// So many rules with a label must agree before another one is odd.
const FEWEST_ALIKE: usize = 3;

pub(crate) fn lint(subject: &Subject<'_>, findings: &mut Vec<Diagnostic>) {
    let mut by_label: BTreeMap<String, Vec<RuleId>> = BTreeMap::new();
    let mut by_series: BTreeMap<String, Vec<RuleId>> = BTreeMap::new();
    for (id, rule) in subject.game.rules_with_ids() {
        let label = rule.label.to_ascii_lowercase();
        if let Some(series) = series(&label) {
            by_series.entry(series).or_default().push(id);
        }
        by_label.entry(label).or_default().push(id);
    }
    let same_label = by_label.values().map(|rules| (rules, FEATURES, "label"));
    let numbered = by_series
        .values()
        .map(|rules| (rules, SERIES_FEATURES, "label but for the number"));
    for (rules, features, common) in same_label.chain(numbered) {
        // Several instances of one rule differ by what their symbols stand for.
        let first = subject.game.rule(rules[0]).source;
        if rules
            .iter()
            .all(|id| subject.game.rule(*id).source == first)
        {
            continue;
        }
        // One warning for a rule, however much is odd about it.
        let found = features
            .iter()
            .find_map(|feature| odd_one_out(subject, rules, feature, common));
        findings.extend(found);
    }
}

/// A label with its only number left out, such as `flip#` for `flip3`. `rule_3` is no label, but what a rule
/// without one is called.
fn series(label: &str) -> Option<String> {
    let start = label.find(|c: char| c.is_ascii_digit())?;
    let rest = label[start..].trim_start_matches(|c: char| c.is_ascii_digit());
    let front = &label[..start];
    (front != "rule_" && !rest.contains(|c: char| c.is_ascii_digit()))
        .then(|| format!("{front}#{rest}"))
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

const SERIES_FEATURES: &[Feature] = &[Feature {
    name: "begins at",
    value: |rule| {
        let first = touched(rule).iter().position(|touched| *touched)?;
        Some(format!("position {}", first + 1))
    },
}];

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
fn odd_one_out(
    subject: &Subject<'_>,
    rules: &[RuleId],
    feature: &Feature,
    common: &str,
) -> Option<Diagnostic> {
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
    let finding = subject.warn_at(
        *rule,
        "odd-one-out",
        format!(
            "{} {} {odd}; for the {} others with its {common} that is {usual}",
            subject.title(*rule),
            feature.name,
            alike.len()
        ),
        "unlike its siblings",
    );
    let hint = "compare it with the others; a position or a value may be wrong";
    Some(finding.hint(hint))
}
