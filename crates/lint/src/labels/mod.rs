//! Labels that are used unevenly.

pub(crate) mod siblings;

use std::collections::{BTreeMap, BTreeSet};

use psvn_syntax::Diagnostic;

use crate::subject::Subject;

/// At least this number of labels must have equally many rules before another is odd.
const FEWEST_EVEN: usize = 3;

pub(crate) fn lint(subject: &Subject<'_>, findings: &mut Vec<Diagnostic>) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for source in subject.game.source_rules() {
        *counts.entry(source.label.to_ascii_lowercase()).or_insert(0) += 1;
    }
    let named: Vec<&str> = counts.keys().map(String::as_str).collect();
    let mut complaints = Vec::new();
    complaints.extend(uneven(&counts));
    complaints.extend(numbers(&named));
    complaints.extend(table(&named));
    for (code, label, message, hint) in complaints {
        let rule = subject
            .game
            .source_rules()
            .iter()
            .find(|rule| rule.label.eq_ignore_ascii_case(&label));
        findings.push(
            Diagnostic::warning(code, message)
                .at_maybe(rule.and_then(|rule| rule.span), "")
                .hint(hint),
        );
    }
}

/// Code, a label to point to, message, hint.
type Complaint = (&'static str, String, String, String);

/// All labels but one have the same number of rules, at least three, and that one has one more or
/// one less.
fn uneven(counts: &BTreeMap<String, usize>) -> Option<Complaint> {
    let mut tally: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for (label, count) in counts {
        tally.entry(*count).or_default().push(label);
    }
    let mut groups: Vec<(usize, Vec<&str>)> = tally.into_iter().collect();
    groups.sort_by_key(|(_, labels)| std::cmp::Reverse(labels.len()));
    let [(usual, even), (odd, single)] = groups.as_slice() else {
        return None;
    };
    let [label] = single.as_slice() else {
        return None;
    };
    if even.len() < FEWEST_EVEN || *usual < 3 || usual.abs_diff(*odd) != 1 {
        return None;
    }
    Some((
        "uneven-labels",
        (*label).to_owned(),
        format!(
            "{odd} rules have the label `{label}`, and each of the {} other labels has {usual}",
            even.len()
        ),
        if odd < usual {
            "a rule may be missing, or have the wrong label".to_owned()
        } else {
            "a rule may be superfluous, or have the wrong label".to_owned()
        },
    ))
}

/// Labels that differ in one number, such as `flip2`, `flip3`, `flip5`: a number is missing between
/// them, or the first is 3 or more.
fn numbers(labels: &[&str]) -> Vec<Complaint> {
    let mut series: BTreeMap<(&str, &str), BTreeSet<u64>> = BTreeMap::new();
    for label in labels {
        let Some(start) = label.find(|c: char| c.is_ascii_digit()) else {
            continue;
        };
        let digits = label[start..].find(|c: char| !c.is_ascii_digit());
        let end = digits.map_or(label.len(), |length| start + length);
        // `rule_7` is the default label of a rule without one.
        if label[end..].contains(|c: char| c.is_ascii_digit()) || &label[..start] == "rule_" {
            continue;
        }
        if let Ok(number) = label[start..end].parse() {
            series
                .entry((&label[..start], &label[end..]))
                .or_default()
                .insert(number);
        }
    }
    let mut complaints = Vec::new();
    for ((front, back), numbers) in series {
        let (Some(first), Some(last)) = (numbers.first().copied(), numbers.last().copied()) else {
            continue;
        };
        // Two numbers that don't begin at the start, such as the sizes of two jugs, are no series.
        let is_series = numbers.len() >= 3 || (numbers.len() == 2 && first <= 2);
        let missing: Vec<u64> = if last - first == numbers.len() as u64 && is_series {
            (first..last).filter(|n| !numbers.contains(n)).collect()
        } else if last - first + 1 == numbers.len() as u64 && first == 3 && numbers.len() >= 2 {
            vec![first - 1]
        } else {
            continue;
        };
        if let [missing] = missing.as_slice() {
            complaints.push((
                "label-gap",
                format!("{front}{last}{back}"),
                format!(
                    "there are labels from `{front}{first}{back}` to `{front}{last}{back}`, but no \
                     `{front}{missing}{back}`"
                ),
                "a rule may be missing".to_owned(),
            ));
        }
    }
    complaints
}

/// Labels made of two parts, such as `U`, `U2`, `U'`, `R`, `R2`, `R'`: each first part comes with
/// the same second parts, except one first part that lacks one.
fn table(labels: &[&str]) -> Option<Complaint> {
    let mut stems: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for label in labels {
        let (stem, ending) = split(label);
        stems.entry(stem).or_default().insert(ending);
    }
    let full = stems.values().max_by_key(|endings| endings.len())?;
    let short: Vec<_> = stems
        .iter()
        .filter(|(_, endings)| *endings != full)
        .collect();
    let [(stem, endings)] = short.as_slice() else {
        return None;
    };
    if stems.len() < 3 || full.len() < 2 || !endings.is_subset(full) {
        return None;
    }
    let mut missing = full.difference(endings);
    let (Some(ending), None) = (missing.next(), missing.next()) else {
        return None;
    };
    Some((
        "label-gap",
        format!("{stem}{}", endings.first()?),
        format!(
            "there is no label `{stem}{ending}`, and the {} others that go like `{stem}` have one with \
             `{ending}`",
            stems.len() - 1
        ),
        "a rule may be missing".to_owned(),
    ))
}

/// A label without its last part, and that part: digits, or signs behind the last letter or digit.
fn split(label: &str) -> (&str, &str) {
    let word = label.trim_end_matches(|c: char| !c.is_alphanumeric());
    let stem = if word.len() == label.len() {
        label.trim_end_matches(|c: char| c.is_ascii_digit())
    } else {
        word
    };
    label.split_at(stem.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(labels: &[&str]) -> Vec<String> {
        let numbers = numbers(labels).into_iter();
        numbers.chain(table(labels)).map(|found| found.2).collect()
    }

    #[test]
    fn gaps_are_seen_and_series_left_alone() {
        assert_eq!(
            missing(&["flip2", "flip3", "flip5", "flip6"]),
            ["there are labels from `flip2` to `flip6`, but no `flip4`"]
        );
        assert_eq!(missing(&["flip3", "flip4"]).len(), 1);
        assert!(missing(&["flip2", "flip3", "flip4"]).is_empty());
        assert!(missing(&["turn0", "turn1", "turn2"]).is_empty());
        assert_eq!(missing(&["flip2", "flip4"]).len(), 1);
        assert!(missing(&["fill3", "fill5"]).is_empty());
        assert!(missing(&["rule_1", "rule_3", "rule_4"]).is_empty());
        assert!(missing(&["a2", "b9", "c4"]).is_empty());
        assert_eq!(
            missing(&["u", "u2", "u'", "r", "r'", "f", "f2", "f'"]).len(),
            1
        );
        assert!(missing(&["u", "u2", "u'", "r", "r2", "r'", "f", "f2", "f'"]).is_empty());
    }
}
