//! The growth of work with the length of the walk to the start state.

use super::axis;
use crate::plot::{Plot, PlotKind, Point, Series};
use crate::stats::{Group, compared, mean};
use crate::table::Bound;
use crate::tables;

/// A plot for each domain whose instances are the ends of walks of several lengths.
pub(super) fn plots(groups: &[Group<'_>], limits: &str) -> Vec<Plot> {
    let mut plots = Vec::new();
    for (domain, here) in tables::comparable(groups) {
        let steps = tables::steps_of(&here);
        if steps.len() < 2 {
            continue;
        }
        let mut series: Vec<Series> = here
            .iter()
            .map(|group| Series {
                name: group.method.to_owned(),
                points: Vec::new(),
            })
            .collect();
        for steps in steps {
            let at: Vec<Group<'_>> = here.iter().map(|group| group.at_steps(steps)).collect();
            let instances = compared(&at.iter().collect::<Vec<_>>());
            for (group, series) in at.iter().zip(&mut series) {
                let (records, bound) = group.over(&instances).unwrap_or_default();
                let n = records.len();
                let Some(states) = mean(records, tables::kept_or_generated) else {
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
                });
            }
        }
        series.retain(|series| !series.points.is_empty());
        if series.iter().all(|series| series.points.len() < 2) {
            continue;
        }
        plots.push(Plot {
            title: format!("{domain}: states by the length of the walk"),
            caption: format!(
                "Mean number of states that were kept, or else generated, by the steps of the random walk to the start \
                 state, over the trials that all methods finished; {limits}. Hollow points are lower bounds."
            ),
            kind: PlotKind::Lines,
            x: axis("steps of the random walk", false),
            y: axis("states (log scale)", true),
            series,
        });
    }
    plots
}
