//! Findings in short sentences, which a reader wants before any table.

use std::collections::BTreeSet;

use crate::stats::{Group, compared};
use crate::table::Bound;
use crate::tables::cells::runs::OfMethod;
use crate::tables::{self, Totals};

/// The findings of an experiment, at most three: how many instances were finished, and the greatest
/// savings of nodes and of time. Where only a bound is known there is no sentence.
pub(crate) fn findings(groups: &[Group<'_>]) -> Vec<String> {
    let pairs: Vec<Pair<'_>> = tables::comparable(groups)
        .into_iter()
        .flat_map(|(domain, groups)| pairs(domain, &groups))
        .collect();
    let greatest = |value: fn(&Pair<'_>) -> Option<f64>| {
        // Of equal ones, the first.
        let known = pairs.iter().rev();
        let known = known.filter_map(|pair| Some((pair, value(pair)?)));
        let greatest = known.max_by(|one, other| one.1.total_cmp(&other.1));
        greatest.map(|(pair, _)| pair)
    };
    let fewest_nodes = greatest(|pair| pair.nodes);
    let least_time = greatest(|pair| pair.time);
    let is_other = |pair: &&Pair<'_>| !fewest_nodes.is_some_and(|other| std::ptr::eq(*pair, other));
    let sentences = [
        finished(groups),
        fewest_nodes.map(Pair::sentence),
        least_time.filter(is_other).map(Pair::sentence_of_time),
    ];
    sentences.into_iter().flatten().collect()
}

/// A method beside the first one, in a domain.
struct Pair<'a> {
    domain: &'a str,
    first: &'a str,
    method: &'a str,
    /// The nodes of the first method divided by those of this one.
    nodes: Option<f64>,
    /// The time of the first method divided by that of this one, preparation included, if the times
    /// are long enough to compare.
    time: Option<f64>,
    /// The number of instances on which they are compared.
    n: usize,
    /// The number of all instances.
    n_instances: usize,
}

/// The methods of a domain beside the first of them.
fn pairs<'a>(domain: &'a str, groups: &[&Group<'a>]) -> Vec<Pair<'a>> {
    let instances = compared(groups);
    let all: BTreeSet<&str> = groups
        .iter()
        .flat_map(|group| &group.records)
        .map(|record| record.instance.as_str())
        .collect();
    let Some(first) = groups.iter().find(|group| group.is_first) else {
        return Vec::new();
    };
    let base = Totals::of(first, &instances);
    let beside = |group: &&&Group<'a>| {
        let totals = Totals::of(group, &instances);
        let exact = |ratio: Option<(f64, Bound)>| match ratio? {
            (ratio, Bound::Exact) => Some(ratio),
            _ => None,
        };
        let time = exact(base.ratio(&totals, |totals| totals.seconds));
        Pair {
            domain,
            first: first.method,
            method: group.method,
            nodes: exact(base.ratio(&totals, |totals| totals.generated)),
            time: time.filter(|_| !base.is_too_short_for(&totals)),
            n: totals.records.len(),
            n_instances: all.len(),
        }
    };
    let others = groups.iter().filter(|group| !group.is_first);
    others.collect::<Vec<_>>().iter().map(beside).collect()
}

impl Pair<'_> {
    fn sentence(&self) -> String {
        let Self {
            domain,
            first,
            method,
            ..
        } = self;
        let nodes = match self.nodes {
            Some(ratio) if is_one(ratio) => format!("as many nodes as {first}"),
            Some(ratio) => format!("{} nodes of {first}", share(ratio)),
            None => return self.sentence_of_time(),
        };
        let time = self.time.map(|ratio| {
            if is_one(ratio) {
                " in the same time".to_owned()
            } else {
                format!(" in {} time", share(ratio))
            }
        });
        let time = time.unwrap_or_default();
        format!(
            "{domain}: {method} generates {nodes}{time}, {}.",
            self.over()
        )
    }

    fn sentence_of_time(&self) -> String {
        let Self {
            domain,
            first,
            method,
            ..
        } = self;
        let ratio = self.time.unwrap_or(1.0);
        let time = if is_one(ratio) {
            format!("as long as {first}")
        } else {
            format!("{} time of {first}", share(ratio))
        };
        format!("{domain}: {method} takes {time}, {}.", self.over())
    }

    /// On how many instances they are compared.
    fn over(&self) -> String {
        let number = |n: usize| crate::group_digits(n as u128);
        match (self.n, self.n_instances) {
            (1, 1) => "over its one instance".to_owned(),
            (n, all) if n == all => format!("over all {} instances", number(n)),
            (1, all) => format!(
                "over the one of {} instances that all finished",
                number(all)
            ),
            (n, all) => format!(
                "over the {} of {} instances that all finished",
                number(n),
                number(all)
            ),
        }
    }
}

/// The needs of a method as a share of those of the first one, given the ratio of the first to it:
/// as a fraction, in percent or as a multiple, whichever reads best.
fn share(ratio: f64) -> String {
    match 1.0 / ratio {
        part if part < 0.095 => format!("1/{} of the", in_words(ratio)),
        part if part < 0.995 => format!("{:.0}% of the", 100.0 * part),
        times => format!("{} times the", in_words(times)),
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

/// How many instances the best and the worst method finished.
fn finished(groups: &[Group<'_>]) -> Option<String> {
    let searches = groups.iter().filter(|group| tables::is_search(group));
    let mut methods: Vec<(&str, usize, usize)> = Vec::new();
    for group in searches {
        let (n, all) = (tables::finished(group), group.records.len());
        match methods.iter_mut().find(|(name, ..)| *name == group.method) {
            Some((_, finished, instances)) => {
                *finished += n;
                *instances += all;
            }
            None => methods.push((group.method, n, all)),
        }
    }
    let share = |(_, n, all): &(&str, usize, usize)| *n as f64 / (*all).max(1) as f64;
    let best = methods
        .iter()
        .rev()
        .max_by(|one, other| share(one).total_cmp(&share(other)))?;
    let worst = methods
        .iter()
        .min_by(|one, other| share(one).total_cmp(&share(other)))?;
    let number = |n: usize| crate::group_digits(n as u128);
    let of = |(_, n, all): &(&str, usize, usize)| match n == all {
        true if *all == 1 => "the one instance".to_owned(),
        true => format!("all {} instances", number(*all)),
        false => format!("{} of {} instances", number(*n), number(*all)),
    };
    let same = methods.iter().all(|it| (it.1, it.2) == (best.1, best.2));
    Some(match methods.as_slice() {
        [only] => format!("{} finished {}.", only.0, of(only)),
        [_, _] if same => format!("Both methods finished {}.", of(best)),
        all if same => format!("All {} methods finished {}.", all.len(), of(best)),
        _ => format!(
            "{} finished {}, {} {} of {}.",
            best.0,
            of(best),
            worst.0,
            number(worst.1),
            number(worst.2)
        ),
    })
}

/// The greatest spread of the times of repeated runs, if they are long enough to measure it.
pub(crate) fn spread(spreads: &[OfMethod<'_>]) -> Option<String> {
    let share = |of: &&OfMethod<'_>| of.spread.share();
    let widest = spreads
        .iter()
        .filter(|of| of.spread.mean() >= tables::SHORT)
        .max_by(|one, other| share(one).total_cmp(&share(other)))?;
    Some(format!(
        "Times differ from run to run: most for {} in {}, with a standard deviation of {:.1}% of the mean.",
        widest.method,
        widest.domain,
        100.0 * widest.spread.share(),
    ))
}
