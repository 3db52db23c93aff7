//! A plot as SVG, from numbers.

use report::{Axis, Plot, PlotKind, Point, Series, svg};

fn series(name: &str, growth: f64) -> Series {
    let point = |depth: i32| Point {
        x: f64::from(depth),
        y: growth.powi(depth),
        label: format!("depth {depth}"),
        is_limited: false,
        is_joined: true,
    };
    Series {
        name: name.to_owned(),
        points: (0..10).map(point).collect(),
    }
}

fn axis(title: &str, is_log: bool) -> Axis {
    Axis {
        title: title.to_owned(),
        is_log,
    }
}

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() {
    let plot = Plot {
        title: "Nodes by depth".to_owned(),
        caption: "(14,3)-TopSpin, from the goal".to_owned(),
        kind: PlotKind::Lines,
        x: axis("depth", false),
        y: axis("nodes", true),
        series: vec![series("no pruning", 14.0), series("L=2", 5.5)],
    };
    let picture = svg(&plot);
    println!("{picture}");
    assert!(picture.contains("Nodes by depth"));
}
