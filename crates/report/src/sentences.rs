//! What came out, in sentences: what a reader wants to know before any table.

use experiment::Spec;

use crate::stats::{Group, compared};
use crate::table::Bound;
use crate::tables::{self, Totals};

/// Where more methods are compared with the first one, only the best of them have a sentence.
const MOST_METHODS: usize = 3;

/// The findings of an experiment.
pub(crate) fn findings(spec: &Spec, groups: &[Group<'_>]) -> Vec<String> {
    let mut sentences = Vec::new();
    for (domain, groups) in tables::comparable(groups) {
        sentences.extend(comparisons(domain, &groups));
    }
    sentences.extend(unfinished(spec, groups));
    sentences
}

/// A method beside the first one.
struct Beside<'g, 'a> {
    group: &'g Group<'a>,
    /// How many times as many nodes the first one makes.
    nodes: Option<(f64, Bound)>,
    /// How many times as much time it takes, preparation included.
    time: Option<(f64, Bound)>,
}

/// How the methods of a domain compare with the first of them.
fn comparisons(domain: &str, groups: &[&Group<'_>]) -> Vec<String> {
    let instances = compared(groups);
    let Some(first) = groups.iter().find(|group| group.is_first) else {
        return Vec::new();
    };
    let base = Totals::of(first, &instances);
    let beside = |group: &&Group<'_>| {
        let totals = Totals::of(group, &instances);
        (
            base.ratio(&totals, |totals| totals.generated),
            base.ratio(&totals, |totals| totals.seconds),
        )
    };
    let mut others: Vec<Beside<'_, '_>> = groups
        .iter()
        .filter(|group| !group.is_first)
        .map(|group| {
            let (nodes, time) = beside(group);
            Beside { group, nodes, time }
        })
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
        let (of_nodes, of_time) = (best(|it| it.nodes), best(|it| it.time));
        let mut place = 0;
        others.retain(|_| {
            place += 1;
            of_nodes == Some(place - 1) || of_time == Some(place - 1)
        });
    }
    let n = match instances.len() {
        1 => String::new(),
        n => format!(", over {} instances", crate::group_digits(n as u128)),
    };
    let sentence = |it: &Beside<'_, '_>| {
        let nodes = it.nodes.map(|ratio| nodes_in_words(ratio, first.method));
        let time = it.time.map(time_in_words);
        let what = match (nodes, time) {
            (Some(nodes), Some(time)) => format!("{nodes} and takes {time}"),
            (Some(nodes), None) => nodes,
            (None, Some(time)) => format!("takes {time} that {} takes", first.method),
            (None, None) => String::new(),
        };
        format!("{domain}: {} {what}{n}.", it.group.method)
    };
    others.iter().map(sentence).collect()
}

/// A ratio of nodes, the first method's to this one's.
fn nodes_in_words((ratio, bound): (f64, Bound), first: &str) -> String {
    let (more, fewer) = match bound {
        Bound::Exact => ("", ""),
        Bound::Lower => ("more than ", "less than "),
        Bound::Upper => ("less than ", "more than "),
    };
    if is_one(ratio) {
        format!("makes {fewer}as many nodes as {first}")
    } else if ratio > 1.0 {
        format!("makes 1 of {more}{} nodes of {first}", in_words(ratio))
    } else {
        let times = in_words(1.0 / ratio);
        format!("makes {fewer}{times} times the nodes of {first}")
    }
}

/// A ratio of times, the first method's to this one's.
fn time_in_words((ratio, bound): (f64, Bound)) -> String {
    let share = match bound {
        Bound::Exact => "",
        Bound::Lower => "less than ",
        Bound::Upper => "more than ",
    };
    match 1.0 / ratio {
        part if part < 0.1 => format!("{share}1/{} of the time", in_words(ratio)),
        part if part < 1.0 => format!("{share}{part:.2} of the time"),
        times => format!("{share}{} times the time", in_words(times)),
    }
}

/// A number of times in a sentence, with no more digits than a reader keeps in mind.
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

/// What was not finished.
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
