//! Curves over the weight of weighted searches.

use std::collections::{BTreeMap, BTreeSet};

use super::axis;
use crate::plots::plot::{Plot, PlotKind, Point, Series};
use crate::stats::{Group, compared, generated, mean};
use crate::table::Bound;
use crate::tables;

/// The options of a method without its weight, shared by the methods of one curve.
type Others = BTreeMap<String, Option<String>>;

/// For each domain with methods that differ only in the weight: nodes by weight, a curve for each
/// kind of method, named by the part of its methods' names before the last comma.
pub(crate) fn plots(groups: &[Group<'_>], limits: &str) -> Vec<Plot> {
    let mut plots = Vec::new();
    for domain in tables::domains(groups) {
        let weighted = groups.iter().filter(|group| group.domain == domain);
        let weighted: Vec<(f64, Others, &Group<'_>)> = weighted
            .filter_map(|group| weight(group).map(|(weight, others)| (weight, others, group)))
            .collect();
        let mut kinds: Vec<&Others> = Vec::new();
        for (_, others, _) in &weighted {
            if !kinds.contains(&others) {
                kinds.push(others);
            }
        }
        let mut all_series = Vec::new();
        for kind in kinds {
            let of_kind = weighted.iter().filter(|(_, others, _)| others == kind);
            let mut curve: Vec<(f64, &Group<'_>)> = of_kind
                .map(|(weight, _, group)| (*weight, *group))
                .collect();
            curve.sort_by(|one, other| one.0.total_cmp(&other.0));
            if curve.len() > 1 {
                all_series.push(series(&curve, &weighted));
            }
        }
        if all_series.is_empty() {
            continue;
        }
        plots.push(Plot {
            title: format!("{domain}: nodes by weight"),
            caption: format!(
                "Mean number of generated nodes by the weight of the estimate, over the instances that all methods of \
                 the same weight finished; {limits}. Hollow points are lower bounds, and points over different \
                 numbers of instances are not joined."
            ),
            kind: PlotKind::Lines,
            x: axis("weight of the estimate (log scale)", true),
            y: axis("generated nodes (log scale)", true),
            series: all_series,
        });
    }
    plots
}

fn series(curve: &[(f64, &Group<'_>)], all: &[(f64, Others, &Group<'_>)]) -> Series {
    let mut n_before = None;
    let points = curve.iter().filter_map(|(weight, group)| {
        let same = all.iter().filter(|(other, ..)| other == weight);
        let same: Vec<&Group<'_>> = same.map(|(.., group)| *group).collect();
        let instances: BTreeSet<&str> = compared(&same);
        let (records, bound) = group.over(&instances).unwrap_or_default();
        let n = records.len();
        let nodes = mean(records, generated)?;
        Some(Point {
            x: *weight,
            y: nodes,
            label: format!(
                "{}: {}{} (n = {n})",
                group.method,
                bound.sign(),
                crate::short(nodes)
            ),
            is_limited: bound != Bound::Exact,
            is_joined: n_before.replace(n) == Some(n),
        })
    });
    let name = curve.first().map_or("", |(_, group)| group.method);
    Series {
        name: name
            .rsplit_once(',')
            .map_or(name, |(name, _)| name)
            .to_owned(),
        points: points.collect(),
    }
}

/// The weight of a group's method, and its other options.
fn weight(group: &Group<'_>) -> Option<(f64, Others)> {
    let mut others = group.records.first()?.options.clone();
    let text = others.remove("weight").flatten()?;
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let weight = match text.split_once('/') {
        None => number(&text)?,
        Some((above, below)) => number(above)? / number(below)?,
    };
    (weight.is_finite() && weight > 0.0).then_some((weight, others))
}
