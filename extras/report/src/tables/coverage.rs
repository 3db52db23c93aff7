//! Domains by methods: the instances that each method finished, and the time that it took.

use std::collections::BTreeSet;

use experiment::{LevelKind, Outcome};

use super::{Totals, comparable, is_analysis};
use crate::stats::{Group, compared};
use crate::table::{Bound, Entry, Table};

/// Whether a group searches for solutions; trees are only counted.
pub(crate) fn is_search(group: &Group<'_>) -> bool {
    group.records.iter().any(|record| {
        !matches!(record.measured.outcome, Outcome::Complete | Outcome::Failed)
            && record.measured.level_kind != Some(LevelKind::Depth)
    })
}

/// The instances that each method finished with their time, a row for each domain and a column for
/// each method.
pub(crate) fn coverage(groups: &[Group<'_>], limits: &str) -> Option<Table> {
    let rows: Vec<(&str, Vec<&Group<'_>>)> = comparable(groups)
        .into_iter()
        .filter(|(_, groups)| !groups.iter().any(|group| is_analysis(group)))
        .collect();
    let mut methods: Vec<&str> = Vec::new();
    for group in rows.iter().flat_map(|(_, groups)| groups) {
        if !methods.contains(&group.method) {
            methods.push(group.method);
        }
    }
    if methods.is_empty() {
        return None;
    }
    let title = "Instances finished, and their time";
    let caption = format!(
        "How many of the instances each method finished, with a solution or with the proof that there is none, and its \
         mean time, preparation included, over the n instances that all methods finished; {limits}. The stronger the shade, the better."
    );
    let mut table = Table::new("coverage", title, caption.as_str())
        .left("domain", "domain")
        .right("compared", "n");
    for method in &methods {
        table = table.right("finished", *method);
    }
    let mut long = Table::new("coverage", title, caption)
        .left("domain", "domain")
        .left("method", "method")
        .right("instances", "instances")
        .right("finished", "finished")
        .right("compared", "n")
        .bounds("seconds", "time");
    for (domain, here) in &rows {
        let instances = compared(here);
        let command = here.first().map_or("", |group| group.command);
        let is_alone = rows.iter().filter(|(other, _)| other == domain).count() == 1;
        let name = if is_alone {
            (*domain).to_owned()
        } else {
            format!("{domain} ({command})")
        };
        let times: Vec<Option<Time>> = here.iter().map(|it| Time::of(it, &instances)).collect();
        let exact = times
            .iter()
            .flatten()
            .filter(|time| time.bound == Bound::Exact);
        let least = exact.map(|time| time.mean).reduce(f64::min);
        let n = instances.len();
        let mut row = vec![Entry::text(name), Entry::number(n as f64)];
        for method in &methods {
            let place = here.iter().position(|group| group.method == *method);
            row.push(place.map_or_else(Entry::default, |place| {
                entry(here[place], times[place].as_ref(), least)
            }));
        }
        table.rows.push(row);
        for (group, time) in here.iter().zip(&times) {
            let bound = time.as_ref().map_or(Bound::Exact, |time| time.bound);
            long.rows.push(vec![
                Entry::text(*domain),
                Entry::text(group.method),
                Entry::number(group.records.len() as f64),
                Entry::number(finished(group) as f64),
                Entry::number(time.as_ref().map_or(0, |time| time.n) as f64),
                Entry::time(time.as_ref().map(|time| time.mean)).bounded(bound),
            ]);
        }
    }
    table.long = Some(Box::new(long));
    Some(table)
}

/// The time of a method for an instance.
struct Time {
    /// The mean in seconds, with the preparation divided equally among the instances.
    mean: f64,
    bound: Bound,
    /// The number of instances.
    n: usize,
}

impl Time {
    /// The time of a group over some instances; `None` if it isn't known.
    fn of(group: &Group<'_>, instances: &BTreeSet<&str>) -> Option<Self> {
        let totals = Totals::of(group, instances);
        let n = totals.records.len();
        Some(Self {
            mean: totals.seconds? / n as f64,
            bound: totals.bound,
            n,
        })
    }
}

/// What a method came to in a domain, where the least time of a method is `least`.
fn entry(group: &Group<'_>, time: Option<&Time>, least: Option<f64>) -> Entry {
    let (n, all) = (finished(group), group.records.len());
    let shown = time.map(|time| {
        let sign = match time.bound.sign() {
            "" => String::new(),
            sign => format!("{sign} "),
        };
        format!("  {sign}{}", crate::number::time(time.mean))
    });
    let share = n as f64 / all.max(1) as f64;
    // Half of the shade is for what was finished, and half for the time, which halves it with every
    // tenfold.
    let exact = time.filter(|time| time.bound == Bound::Exact);
    let speed = match (exact, least) {
        (Some(time), Some(least)) if least > 0.0 => 0.5_f64.powf((time.mean / least).log10()),
        _ => 0.0,
    };
    Entry {
        text: format!("{n}/{all}{}", shown.unwrap_or_default()),
        number: Some(n as f64),
        shade: Some(share * (1.0 + speed) / 2.0),
        ..Entry::default()
    }
}

/// The number of instances that a group finished.
pub(crate) fn finished(group: &Group<'_>) -> usize {
    group.whole().count()
}

/// The groups that search, in the form of [`comparable`].
pub(crate) fn searches<'g, 'a>(groups: &'g [Group<'a>]) -> Vec<(&'a str, Vec<&'g Group<'a>>)> {
    let mut found = comparable(groups);
    for (_, groups) in &mut found {
        groups.retain(|group| is_search(group));
    }
    found.retain(|(_, groups)| !groups.is_empty());
    found
}
