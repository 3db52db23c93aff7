//! Findings in sentences, which a reader wants before any table.

use experiment::Spec;

use crate::stats::{Group, compared};
use crate::table::Bound;
use crate::tables::runs::OfMethod;
use crate::tables::{self, Totals};

/// If more methods are compared with the first one, only the best of them get a sentence.
const MOST_METHODS: usize = 3;

/// The findings of an experiment, with the spread of its runs.
pub(crate) fn findings(spec: &Spec, groups: &[Group<'_>], spreads: &[OfMethod<'_>]) -> Vec<String> {
    let mut sentences = Vec::new();
    for (domain, groups) in tables::comparable(groups) {
        sentences.extend(comparison(domain, &groups));
    }
    sentences.extend(unfinished(spec, groups));
    sentences.extend(spread(spreads));
    sentences
}

/// A method beside the first one.
struct Beside<'g, 'a> {
    group: &'g Group<'a>,
    /// The nodes of the first method divided by those of this one.
    nodes: Option<(f64, Bound)>,
    /// The time of the first method divided by that of this one, preparation included.
    time: Option<(f64, Bound)>,
    /// The times of both in seconds, if they are too short to compare.
    too_short: Option<(f64, f64)>,
}

/// Compares the methods of a domain with the first of them.
fn comparison<'g, 'a>(domain: &str, groups: &[&'g Group<'a>]) -> Option<String> {
    let instances = compared(groups);
    let first = groups.iter().find(|group| group.is_first)?;
    let base = Totals::of(first, &instances);
    let beside = |group: &'g Group<'a>| {
        let totals = Totals::of(group, &instances);
        let too_short = base.seconds.zip(totals.seconds);
        Beside {
            group,
            nodes: base.ratio(&totals, |totals| totals.generated),
            time: base.ratio(&totals, |totals| totals.seconds),
            too_short: too_short.filter(|_| base.is_too_short_for(&totals)),
        }
    };
    let mut others: Vec<Beside<'_, '_>> = groups
        .iter()
        .filter(|group| !group.is_first)
        .map(|group| beside(group))
        .filter(|beside| beside.nodes.is_some() || beside.time.is_some())
        .collect();
    if others.len() > MOST_METHODS {
        let best = |value: fn(&Beside<'_, '_>) -> Option<(f64, Bound)>| {
            let known = others
                .iter()
                .enumerate()
                .filter_map(|(i, it)| Some((i, value(it)?.0)));
            known
                .max_by(|one, other| one.1.total_cmp(&other.1))
                .map(|(i, _)| i)
        };
        let time = |it: &Beside<'_, '_>| it.time.filter(|_| it.too_short.is_none());
        let (of_nodes, of_time) = (best(|it| it.nodes), best(time));
        let mut place = 0;
        others.retain(|_| {
            place += 1;
            of_nodes == Some(place - 1) || of_time == Some(place - 1)
        });
    }
    if others.is_empty() {
        return None;
    }
    let n = match instances.len() {
        1 => String::new(),
        n => format!(" over {} instances", crate::group_digits(n as u128)),
    };
    let clauses: Vec<String> = others.iter().map(clause).collect();
    let clauses = clauses.join("; ");
    Some(format!(
        "{domain}, compared with {}{n}: {clauses}.",
        first.method
    ))
}

/// The needs of a method, as a part of a sentence.
fn clause(it: &Beside<'_, '_>) -> String {
    let nodes = it.nodes.map(|(ratio, bound)| match bound {
        Bound::Exact if is_one(ratio) => "generates as many nodes".to_owned(),
        _ => format!("generates {}", share_in_words((ratio, bound), "nodes")),
    });
    let time = it.time.filter(|_| it.too_short.is_none());
    let time = time.map(|ratio| share_in_words(ratio, "time"));
    let what = match (nodes, time) {
        (Some(nodes), Some(time)) => format!("{nodes} in {time}"),
        (Some(nodes), None) => nodes,
        (None, Some(time)) => format!("takes {time}"),
        (None, None) => "was measured".to_owned(),
    };
    let too_short = it.too_short.map(|(first, own)| {
        let [first, own] = [first, own].map(crate::number::time);
        format!(" (times of {first} and {own} are too short to compare)")
    });
    format!(
        "{} {what}{}",
        it.group.method,
        too_short.unwrap_or_default()
    )
}

/// The needs of a method relative to the first one, given the ratio of the first to it: as a
/// fraction, in percent or as a multiple, whichever reads best.
fn share_in_words((ratio, bound): (f64, Bound), what: &str) -> String {
    let sign = match bound {
        Bound::Exact => "",
        Bound::Lower => "less than ",
        Bound::Upper => "more than ",
    };
    match 1.0 / ratio {
        _ if bound == Bound::Exact && is_one(ratio) => format!("the same {what}"),
        part if part < 0.095 => format!("{sign}1/{} of the {what}", in_words(ratio)),
        part if part < 0.995 => format!("{sign}{:.0} % of the {what}", 100.0 * part),
        times => format!("{sign}{} times the {what}", in_words(times)),
    }
}

/// A multiple in a sentence, with no more digits than a reader can remember.
fn in_words(times: f64) -> String {
    match times {
        few if few < 10.0 => crate::short(few),
        some if some < 100.0 && some.fract() > 0.05 => format!("{some:.1}"),
        many => crate::short(many.round()),
    }
}

/// Whether a ratio reads as 1.
fn is_one(ratio: f64) -> bool {
    (ratio - 1.0).abs() < 0.005
}

/// The greatest spread of the times of repeated runs, if they are long enough to measure it.
fn spread(spreads: &[OfMethod<'_>]) -> Option<String> {
    let share = |of: &&OfMethod<'_>| of.spread.share();
    let widest = spreads
        .iter()
        .filter(|of| of.spread.mean() >= tables::SHORT)
        .max_by(|one, other| share(one).total_cmp(&share(other)))?;
    Some(format!(
        "Times differ from run to run: most for {} in {}, with a standard deviation of {:.1} % of the mean.",
        widest.method,
        widest.domain,
        100.0 * widest.spread.share(),
    ))
}

/// Sentences about unfinished cells.
fn unfinished(spec: &Spec, groups: &[Group<'_>]) -> Vec<String> {
    let within = match &spec.limits.time {
        Some(time) => format!(" within {time}"),
        None => " within the limits".to_owned(),
    };
    let of = |group: &&Group<'_>| group.n_limited() > 0;
    let sentence = |group: &Group<'_>| {
        format!(
            "{}: {} did not finish {} of {} instances{within}.",
            group.domain,
            group.method,
            crate::group_digits(group.n_limited() as u128),
            crate::group_digits(group.records.len() as u128),
        )
    };
    groups.iter().filter(of).map(sentence).collect()
}
