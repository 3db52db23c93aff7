//! The number of instances solved within some nodes, or some time.

use experiment::Record;

use super::{axis, together};
use crate::plots::plot::{Plot, PlotKind, Point, Series};
use crate::stats::{Group, generated, seconds};
use crate::tables;

/// With fewer instances, the table suffices.
const LEAST_INSTANCES: usize = 5;

/// Two plots, over nodes and over time, for each domain in which methods search from several
/// instances.
pub(super) fn plots(groups: &[Group<'_>], limits: &str) -> Vec<Plot> {
    let mut plots = Vec::new();
    for (domain, groups) in tables::searches(groups) {
        let n_finished = groups.iter().map(|group| tables::finished(group)).max();
        if n_finished.unwrap_or(0) < LEAST_INSTANCES {
            continue;
        }
        let nodes = together(
            groups
                .iter()
                .filter_map(|group| series(group, generated))
                .collect(),
        );
        plots.push(Plot {
            title: format!("{domain}: instances finished by nodes"),
            caption: format!(
                "How many instances each method finishes within a number of generated nodes; {limits}."
            ),
            kind: PlotKind::Steps,
            x: axis("generated nodes (log scale)", true),
            y: axis("finished instances", false),
            series: nodes,
        });
        let times = groups.iter().filter_map(|group| {
            // Work done once for all instances is divided equally among them.
            let share = group.preparation() / group.records.len().max(1) as f64;
            series(group, move |record| Some(seconds(record)? + share))
        });
        plots.push(Plot {
            title: format!("{domain}: instances finished by time"),
            caption: format!(
                "How many instances each method finishes within some time, each with an equal share of the method's \
                 preparation; {limits}."
            ),
            kind: PlotKind::Steps,
            x: axis("time (s, log scale)", true),
            y: axis("finished instances", false),
            series: times.collect(),
        });
    }
    plots.retain(|plot| plot.series.iter().any(|series| series.points.len() > 1));
    plots
}

/// The instances of a method, sorted by the value they need.
fn series(group: &Group<'_>, value: impl Fn(&Record) -> Option<f64>) -> Option<Series> {
    let mut needed: Vec<f64> = group
        .whole()
        .filter_map(value)
        .filter(|needed| *needed > 0.0)
        .collect();
    needed.sort_by(f64::total_cmp);
    let points = needed.iter().enumerate().map(|(i, needed)| Point {
        x: *needed,
        y: (i + 1) as f64,
        label: format!(
            "{}: {} within {}",
            group.method,
            i + 1,
            crate::short(*needed)
        ),
        is_limited: false,
        is_joined: true,
    });
    (!needed.is_empty()).then(|| Series {
        name: group.method.to_owned(),
        points: points.collect(),
    })
}
