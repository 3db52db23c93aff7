//! Laws for the growth of states with the length of walks.

mod fit;

use experiment::{PublishedMeasure, Spec};

use self::fit::{Kind, Law, fit};
use super::published::published_of;
use super::{comparable, kept, kept_or_generated, steps_of};
use crate::stats::{Group, compared, mean};
use crate::table::{Bound, Entry, Table};

/// Digits of the figures of a law.
const DIGITS: usize = 4;

/// For each domain whose instances are the ends of walks of several lengths: laws fitted to the
/// mean states by length, as measured and as published.
pub(crate) fn tables(spec: &Spec, groups: &[Group<'_>], limits: &str) -> Vec<Table> {
    let mut tables = Vec::new();
    for (domain, here) in comparable(groups) {
        let all_steps = steps_of(&here);
        let Some(first) = all_steps.first().map(|steps| *steps as f64) else {
            continue;
        };
        let mut measured = vec![Vec::new(); here.len()];
        let mut published = vec![Vec::new(); here.len()];
        for steps in all_steps {
            let at: Vec<Group<'_>> = here.iter().map(|group| group.at_steps(steps)).collect();
            let instances = compared(&at.iter().collect::<Vec<_>>());
            for (place, group) in at.iter().enumerate() {
                let (records, bound) = group.over(&instances).unwrap_or_default();
                let states = mean(records, kept_or_generated);
                let states = states.filter(|_| bound == Bound::Exact);
                measured[place].extend(states.map(|y| (steps as f64, y)));
                let figure = published_of(spec, group, Some(steps), PublishedMeasure::States);
                published[place].extend(figure.number.map(|y| (steps as f64, y)));
            }
        }
        let mut table = empty(domain, limits);
        for (place, group) in here.iter().enumerate() {
            let keeps = group.records.iter().any(|record| kept(record).is_some());
            let what = if keeps { "states kept" } else { "nodes" };
            for (of, points) in [("measured", &measured), ("published", &published)] {
                add(&mut table, [group.method, what, of], &points[place], first);
            }
        }
        if !table.rows.is_empty() {
            tables.push(table);
        }
    }
    tables
}

fn empty(domain: &str, limits: &str) -> Table {
    let caption = format!(
        "Laws through the mean number of states kept, or of generated nodes where none are kept, by the length n of the walk, over \
         the trials that all methods finished; {limits}. By least squares of logarithms; lengths with lower bounds \
         only don't count. The fit is the part of the variance of the logarithms that the law explains, and the best \
         law of each method is marked with *. The law of n - 1 where walks begin with length 2, and so on, counts \
         lengths from 1: that is what \"Algorithms in a Nutshell\" prints as n + 1."
    );
    Table::new("laws", format!("{domain}: laws of growth"), caption)
        .left("method", "method")
        .left("what", "of")
        .left("of", "figures")
        .right("lengths", "lengths")
        .left("law", "law")
        .right("factor", "c")
        .right("rate", "b")
        .right("fit", "fit")
}

/// Add the laws through some points.
fn add(table: &mut Table, names: [&str; 3], points: &[(f64, f64)], first: f64) {
    let mut kinds = vec![Kind::Power { shift: 0.0 }];
    if first > 1.0 {
        let shift = 1.0 - first;
        kinds.push(Kind::Power { shift });
    }
    kinds.push(Kind::Exponential);
    let laws: Vec<Law> = kinds.iter().filter_map(|kind| fit(*kind, points)).collect();
    let best = laws
        .iter()
        .map(|law| law.explained)
        .fold(f64::NEG_INFINITY, f64::max);
    for law in laws {
        let mark = if law.explained >= best { " *" } else { "" };
        let number = |number: f64| Entry {
            text: format!("{number:.DIGITS$}"),
            number: Some(number),
            ..Entry::default()
        };
        table.rows.push(vec![
            Entry::text(names[0]),
            Entry::text(names[1]),
            Entry::text(names[2]),
            Entry::number(points.len() as f64),
            Entry::text(in_words(law.kind)),
            number(law.factor),
            number(law.rate),
            Entry {
                text: format!("{:.DIGITS$}{mark}", law.explained),
                ..number(law.explained)
            },
        ]);
    }
}

fn in_words(kind: Kind) -> String {
    match kind {
        Kind::Power { shift: 0.0 } => "c n^b".to_owned(),
        Kind::Power { shift } if shift < 0.0 => format!("c (n - {})^b", -shift),
        Kind::Power { shift } => format!("c (n + {shift})^b"),
        Kind::Exponential => "c b^n".to_owned(),
    }
}
