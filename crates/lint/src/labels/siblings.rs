//! Rules that differ from the others with their label.

use std::collections::BTreeMap;

use psvn_ir::{Rule, RuleId};
use psvn_syntax::Diagnostic;

use crate::subject::{Subject, count, touched};

/// At least this many rules with a label must agree before another is odd.
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
    for rules in by_label.values() {
        // One warning per rule, however many of its features are odd.
        let mut found = FEATURES
            .iter()
            .filter_map(|feature| odd_one_out(subject, rules, feature));
        findings.extend(found.next().map(|odd| odd.warning(subject, "label")));
    }
    for rules in by_series.values() {
        // The first and the last rule of a series are often odd in one way, and rarely in two.
        let [begin, end] = &SERIES_FEATURES;
        let odd = odd_one_out(subject, rules, begin);
        let other = odd_one_out(subject, rules, end);
        if let (Some(odd), Some(other)) = (odd, other)
            && odd.rule == other.rule
        {
            findings.push(odd.warning(subject, "label except for the number"));
        }
    }
}

/// A label with its only number left out, such as `flip#` for `flip3`. `rule_3` isn't a label, but
/// the default name of a rule without one.
fn series(label: &str) -> Option<String> {
    let start = label.find(|c: char| c.is_ascii_digit())?;
    let rest = label[start..].trim_start_matches(|c: char| c.is_ascii_digit());
    let front = &label[..start];
    (front != "rule_" && !rest.contains(|c: char| c.is_ascii_digit()))
        .then(|| format!("{front}#{rest}"))
}

/// A feature that rules with one label usually share.
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

/// The first position of a rule, and the distance from its number to its end: `flip3` ends at the
/// third position.
const SERIES_FEATURES: [Feature; 2] = [
    Feature {
        name: "begins at",
        value: |rule| {
            let first = touched(rule).iter().position(|touched| *touched)?;
            Some(format!("position {}", first + 1))
        },
    },
    Feature {
        name: "ends behind its number by",
        value: |rule| {
            let last = touched(rule).iter().rposition(|touched| *touched)?;
            let digits = rule.label.matches(|c: char| c.is_ascii_digit());
            let number: i64 = digits.collect::<String>().parse().ok()?;
            Some((last as i64 + 1).checked_sub(number)?.to_string())
        },
    },
];

/// The distance between the two positions of a rule that involves two.
fn distance(rule: &Rule) -> Option<String> {
    let touched = touched(rule);
    let positions: Vec<usize> = (0..touched.len()).filter(|i| touched[*i]).collect();
    match positions.as_slice() {
        [one, other] => Some(count(other - one, "position")),
        _ => None,
    }
}

/// A rule that differs from its siblings.
struct Odd {
    rule: RuleId,
    n_others: usize,
    feature: &'static str,
    here: String,
    usual: String,
}

impl Odd {
    fn warning(&self, subject: &Subject<'_>, common: &str) -> Diagnostic {
        let Odd {
            rule,
            n_others,
            feature,
            here,
            usual,
        } = self;
        let title = subject.title(*rule);
        let message = format!(
            "{title} {feature} {here}; for the {n_others} others with its {common} that is {usual}"
        );
        subject
            .warn_at(*rule, "odd-one-out", message, "unlike its siblings")
            .hint("compare it with the others; a position or a value may be wrong")
    }
}

/// The one rule whose feature differs from that of all the others.
fn odd_one_out(subject: &Subject<'_>, rules: &[RuleId], feature: &Feature) -> Option<Odd> {
    let rule = |id: &RuleId| subject.game.rule(*id);
    // Several instances of one rule differ by the values of their symbols.
    if rules
        .iter()
        .all(|id| rule(id).source == rule(&rules[0]).source)
    {
        return None;
    }
    let mut values: BTreeMap<String, Vec<RuleId>> = BTreeMap::new();
    for id in rules {
        let value = (feature.value)(rule(id))?;
        values.entry(value).or_default().push(*id);
    }
    let mut groups: Vec<(String, Vec<RuleId>)> = values.into_iter().collect();
    groups.sort_by_key(|(_, rules)| std::cmp::Reverse(rules.len()));
    let [(usual, alike), (here, single)] = groups.as_slice() else {
        return None;
    };
    let [odd] = single.as_slice() else {
        return None;
    };
    (alike.len() >= FEWEST_ALIKE).then(|| Odd {
        rule: *odd,
        n_others: alike.len(),
        feature: feature.name,
        here: here.clone(),
        usual: usual.clone(),
    })
}
