//! The growth of work with the length of the walk to the start state.

use experiment::Record;

use super::axis;
use crate::plots::plot::{Plot, PlotKind, Point, Series};
use crate::stats::{Group, compared, generated, mean};
use crate::table::Bound;
use crate::tables;

/// A plot of generated nodes, and one of the states kept, for each domain in which methods search
/// from the ends of walks of several lengths.
pub(super) fn plots(groups: &[Group<'_>], limits: &str) -> Vec<Plot> {
    let mut plots = Vec::new();
    for (domain, here) in tables::searches(groups) {
        let of = |what: &str, value: fn(&Record) -> Option<f64>| {
            let caption = format!(
                "Mean number of {what} by the steps of the random walk to the start state, over the trials that all \
                 methods finished; {limits}. Hollow points are lower bounds, and points over different numbers of trials \
                 are not joined."
            );
            let series = series(&here, value);
            let is_curve = series.iter().any(|series| series.points.len() > 1);
            is_curve.then(|| Plot {
                title: format!("{domain}: {what} by the length of the walk"),
                caption,
                kind: PlotKind::Lines,
                x: axis("steps of the random walk", false),
                y: axis(format!("{what} (log scale)"), true),
                series,
            })
        };
        plots.extend(of("generated nodes", generated));
        plots.extend(of("states kept", tables::kept));
    }
    plots
}

/// The mean of a value for each length, of the methods that have it.
fn series(groups: &[&Group<'_>], value: fn(&Record) -> Option<f64>) -> Vec<Series> {
    let mut all: Vec<Series> = groups
        .iter()
        .map(|group| Series {
            name: group.method.to_owned(),
            points: Vec::new(),
        })
        .collect();
    let mut n_before = vec![None; groups.len()];
    for steps in tables::steps_of(groups) {
        let at: Vec<Group<'_>> = groups.iter().map(|group| group.at_steps(steps)).collect();
        let instances = compared(&at.iter().collect::<Vec<_>>());
        for ((group, series), n_before) in at.iter().zip(&mut all).zip(&mut n_before) {
            let (records, bound) = group.over(&instances).unwrap_or_default();
            let n = records.len();
            let Some(states) = mean(records, value) else {
                continue;
            };
            series.points.push(Point {
                x: steps as f64,
                y: states,
                label: format!(
                    "{}, {steps} steps: {}{} (n = {n})",
                    group.method,
                    bound.sign(),
                    crate::short(states)
                ),
                is_limited: bound != Bound::Exact,
                is_joined: n_before.replace(n) == Some(n),
            });
        }
    }
    all.retain(|series| !series.points.is_empty());
    all
}
