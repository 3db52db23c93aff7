//! Figures of several sources, and curves over weights.

use experiment::{Measured, Outcome};
use report::{PlotKind, Report, json};

use crate::results::{results_by, searched};

/// Weighted searches of two kinds at three weights, and two sources for one figure.
const SWEEP: &str = r#"
title = "Sweep"
[[domain]]
name = "tiles"
file = "none"
[[method]]
name = "WIDA*, w = 3"
algorithm = "wida"
weight = 3
[[method]]
name = "WIDA*, w = 1.5"
algorithm = "wida"
weight = "3/2"
[[method]]
name = "WA*, w = 3"
algorithm = "wastar"
weight = 3
[[method]]
name = "WA*, w = 1.5"
algorithm = "wastar"
weight = 1.5
[[method]]
name = "WA*, once"
algorithm = "wastar"
heuristic = "zero"
weight = 1.5
[[method]]
name = "IDA*"
[[published]]
domain = "tiles"
method = "WIDA*, w = 3"
measure = "generated"
value = 200
source = "second printing"
[[published]]
domain = "tiles"
method = "WIDA*, w = 3"
measure = "generated"
value = 50
note = "misprint"
source = "first printing"
[[published]]
domain = "tiles"
method = "WIDA*, w = 3"
measure = "length"
source = "neither"
note = "not said"
[[published]]
domain = "tiles"
method = "IDA*"
measure = "generated"
value = 7
"#;

fn report() -> Report {
    let solved = |nodes: &[u64]| -> Vec<Measured> {
        let one = |nodes: &u64| searched(Outcome::Solved, *nodes, 1.0, 0.0);
        nodes.iter().map(one).collect()
    };
    let methods = [
        &[90, 110][..],
        &[10, 30],
        &[5, 7],
        &[400, 600],
        &[1, 1],
        &[2, 2],
    ];
    Report::new(&[results_by(SWEEP, &methods.map(solved))])
}

#[test]
fn each_source_has_a_row() {
    let report = json(&report());
    let tables = report["experiments"][0]["tables"].as_array().unwrap();
    let table = tables.iter().find(|table| table["name"] == "published");
    let rows = table.unwrap()["rows"].as_array().unwrap();
    // Figures without a source are only in the other tables.
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[0]["source"], "second printing");
    assert_eq!(rows[0]["published"], 200);
    assert_eq!(rows[0]["obtained"], 100);
    assert_eq!(rows[0]["ratio"], 0.5);
    assert_eq!(rows[1]["source"], "first printing");
    assert_eq!(rows[1]["ratio"], 2);
    // No search has a length, and none was published.
    assert_eq!(rows[2]["instances"], 0);
    assert_eq!(rows[2]["published"], "not said");
    // The first source is listed with the methods.
    let summary = tables.iter().find(|table| table["name"] == "summary");
    assert_eq!(summary.unwrap()["rows"][0]["published"], 200);
}

#[test]
fn weights_make_curves() {
    let report = report();
    let plots = &report.sections[0].plots;
    let is_sweep = |title: &str| title == "tiles: nodes by weight";
    let plot = plots.iter().find(|plot| is_sweep(&plot.title)).unwrap();
    assert_eq!(plot.kind, PlotKind::Lines);
    let curves: Vec<(&str, Vec<(f64, f64)>)> = plot
        .series
        .iter()
        .map(|series| {
            let points = series.points.iter().map(|point| (point.x, point.y));
            (series.name.as_str(), points.collect())
        })
        .collect();
    // A method of one weight isn't a curve.
    assert_eq!(
        curves,
        [
            ("WIDA*", vec![(1.5, 20.0), (3.0, 100.0)]),
            ("WA*", vec![(1.5, 500.0), (3.0, 6.0)]),
        ]
    );
    // No clouds of points for each weight.
    assert!(plots.iter().all(|plot| plot.kind != PlotKind::Scatter));
}
