//! Which plots there are.

pub(crate) mod cactus;
mod costs;
mod growth;
pub(crate) mod plot;
mod scatter;
mod steps;
mod survival;
mod sweep;

use experiment::Spec;

use crate::plots::plot::{Axis, Plot, Series};
use crate::stats::Group;

/// All plots of an experiment, in display order.
pub(crate) fn all(spec: &Spec, groups: &[Group<'_>], limits: &str) -> Vec<Plot> {
    let mut plots = survival::plots(groups, limits);
    plots.extend(steps::plots(groups, limits));
    plots.extend(growth::plots(groups, limits));
    let sweeps = sweep::plots(groups, limits);
    // If there are many methods only because of their weights, these curves suffice.
    if sweeps.is_empty() {
        plots.extend(scatter::plots(spec, groups, limits));
        plots.extend(costs::plots(groups));
    }
    plots.extend(sweeps);
    plots
}

fn axis(title: impl Into<String>, is_log: bool) -> Axis {
    Axis {
        title: title.into(),
        is_log,
    }
}

/// Equal series are drawn once, under all of their names: one line would hide the other.
fn together(all: Vec<Series>) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    for one in all {
        let places = |series: &Series| series.points.iter().map(|p| (p.x, p.y)).collect::<Vec<_>>();
        match series
            .iter_mut()
            .find(|other| places(other) == places(&one))
        {
            Some(same) => same.name.push_str(&format!(" = {}", one.name)),
            None => series.push(one),
        }
    }
    series
}
