//! The states by their distance as a plot.

use psvn::{ExplorationReport, ExploredLayer};
use report::{Axis, Plot, PlotKind, Point, Series};

/// Return the states by distance as a picture.
pub(crate) fn exploration_plot(report: &ExplorationReport) -> String {
    report::svg(&plot(report))
}

/// Return a plot of the states by distance, and of the orbits where symmetries count.
fn plot(found: &ExplorationReport) -> Plot {
    let bars = |name: &str, count: fn(&ExploredLayer) -> Option<u64>| {
        let bar = |layer: &ExploredLayer| {
            let count = count(layer)?;
            Some(Point {
                x: layer.distance as f64,
                y: count as f64,
                label: format!("{} moves: {count} {name}", layer.distance),
                is_limited: false,
                is_joined: true,
            })
        };
        let points: Vec<Point> = found.layers.iter().filter_map(bar).collect();
        let name = name.to_owned();
        (!points.is_empty()).then_some(Series { name, points })
    };
    let series = [
        bars("states", |layer| Some(layer.states)),
        bars("orbits", |layer| layer.orbits),
    ];
    let from = match found.starts.len() {
        0 => "to a goal",
        _ => "from the start",
    };
    Plot {
        title: found.file.clone(),
        caption: format!("{} states by the number of moves {from}", found.states),
        kind: PlotKind::Bars,
        x: Axis {
            title: "moves".to_owned(),
            is_log: false,
        },
        y: Axis {
            title: "states".to_owned(),
            is_log: false,
        },
        series: series.into_iter().flatten().collect(),
    }
}
