//! Means and ratios if some searches were stopped.

use experiment::{LevelKind, Measured, Outcome};
use report::{Report, csv, json, text};

use crate::results::{results, results_of, searched};

/// The rows of a table of a report as JSON.
fn rows<'v>(report: &'v serde_json::Value, name: &str) -> Vec<&'v serde_json::Value> {
    let tables = report["experiments"][0]["tables"].as_array().unwrap();
    let of_name = tables.iter().filter(|table| table["name"] == name);
    of_name
        .flat_map(|table| table["rows"].as_array().unwrap())
        .collect()
}

#[test]
fn means_are_over_the_instances_that_all_finished() {
    let report = json(&Report::new(&[results()]));
    let summary = rows(&report, "summary");
    // The first method was stopped on one of eight instances, which counts for neither.
    for row in &summary[..2] {
        assert_eq!(
            (&row["instances"], &row["compared"]),
            (&8.into(), &7.into())
        );
        assert_eq!(row["generated_bound"], serde_json::Value::Null);
    }
    assert_eq!(summary[0]["stopped"], 1);
    // 30 · (1 + 10 + 100 + 1000 + 10000 + 1 + 10) / 7
    let mean = |row: usize| summary[row]["generated"].as_f64().unwrap();
    assert!(
        (mean(0) - 30.0 * 11_122.0 / 7.0).abs() < 1e-6,
        "{}",
        mean(0)
    );
    assert!(
        (mean(1) - 10.0 * 11_122.0 / 7.0).abs() < 1e-6,
        "{}",
        mean(1)
    );
    assert_eq!(summary[1]["method"], "L=2");
    assert_eq!(summary[1]["generated_ratio"], 3);
    assert_eq!(summary[1]["published"], 1234.5);
    // Of the walks of three steps, both finished both, w0 and w4; of those of six, w3 and w7, only
    // one.
    let steps = rows(&report, "steps");
    let n = |steps_: u64| -> Vec<(u64, u64)> {
        let here = steps.iter().filter(|row| {
            row["steps"] == steps_ && row["domain"] == "tiles" && row["method"] != "tree"
        });
        let pair = |row: &&serde_json::Value| {
            (
                row["trials"].as_u64().unwrap(),
                row["instances"].as_u64().unwrap(),
            )
        };
        here.map(pair).collect()
    };
    assert_eq!(n(3), [(2, 2), (2, 2)]);
    assert_eq!(n(6), [(2, 1), (2, 1)]);
    let states = |method: &str| {
        let mut rows = steps
            .iter()
            .filter(|row| row["steps"] == 6 && row["domain"] == "tiles");
        rows.find(|row| row["method"] == method).unwrap()["generated"].clone()
    };
    assert_eq!(
        (states("nothing"), states("L=2")),
        (30_000.into(), 10_000.into())
    );
}

#[test]
fn ratios_are_bounds_where_a_limit_stopped_one_side() {
    let report = Report::new(&[results_of(&[
        (
            "plain",
            vec![searched(Outcome::Nodes, 2_345_789_460, 10.0, 0.0)],
        ),
        ("pruned", vec![searched(Outcome::Solved, 30_827, 0.5, 1.5)]),
        (
            "worse",
            vec![searched(Outcome::Nodes, 5_000_000_000, 20.0, 0.0)],
        ),
    ])]);
    let value = json(&report);
    let summary = rows(&value, "summary");
    assert_eq!(summary[0]["generated_bound"], ">");
    assert_eq!(summary[0]["compared"], 1);
    let ratio = summary[1]["generated_ratio"].as_f64().unwrap();
    assert!((ratio - 2_345_789_460.0 / 30_827.0).abs() < 1e-9, "{ratio}");
    assert_eq!(summary[1]["generated_ratio_bound"], ">");
    // 10 seconds against 0.5 and 1.5 of preparation.
    assert_eq!(summary[1]["seconds_ratio"], 5);
    assert_eq!(summary[1]["seconds_ratio_bound"], ">");
    // Two stopped searches can't be compared.
    assert!(summary[2]["generated_ratio"].is_null());
    assert!(text(&report).contains("> 76,095"), "{}", text(&report));
    let table = csv(&report, "summary").unwrap();
    assert!(
        table
            .lines()
            .next()
            .unwrap()
            .ends_with("generated_bound,generated_ratio_bound,seconds_bound,seconds_ratio_bound")
    );
    assert!(table.lines().nth(2).unwrap().ends_with(",,>,,>"), "{table}");
    // The other way round.
    let report = Report::new(&[results_of(&[
        ("pruned", vec![searched(Outcome::Solved, 30, 0.5, 0.0)]),
        ("plain", vec![searched(Outcome::Time, 6000, 1.0, 0.25)]),
    ])]);
    assert!(text(&report).contains("< 0.0050"), "{}", text(&report));
    assert_eq!(
        rows(&json(&report), "summary")[1]["seconds_ratio_bound"],
        "<"
    );
}

#[test]
fn preparation_is_part_of_ratios_of_times() {
    let methods = [
        ("plain", vec![searched(Outcome::Solved, 30, 0.25, 0.0); 4]),
        ("tables", vec![searched(Outcome::Solved, 3, 0.005, 1.98); 4]),
    ];
    let report = json(&Report::new(&[results_of(&methods)]));
    let row = rows(&report, "summary")[1];
    let ratio = row["seconds_ratio"].as_f64().unwrap();
    assert!((ratio - 0.5).abs() < 1e-9, "{ratio}");
    assert_eq!(row["seconds_ratio_bound"], serde_json::Value::Null);
}

#[test]
fn finished_instances_do_not_count_as_zero() {
    let levels = |levels: &[(u64, u64)]| Measured {
        levels: levels.to_vec(),
        level_kind: Some(LevelKind::Bound),
        ..searched(
            Outcome::Solved,
            levels.iter().map(|level| level.1).sum(),
            0.1,
            0.0,
        )
    };
    let stopped = Measured {
        outcome: Outcome::Time,
        ..levels(&[(4, 1000), (6, 9000)])
    };
    let report = Report::new(&[results_of(&[
        (
            "a",
            vec![levels(&[(4, 10), (6, 60)]), levels(&[(4, 30)]), stopped],
        ),
        (
            "b",
            vec![
                levels(&[(4, 2), (6, 6)]),
                levels(&[(5, 4)]),
                levels(&[(4, 7777)]),
            ],
        ),
    ])]);
    let value = json(&report);
    let found: Vec<String> = rows(&value, "levels")
        .iter()
        .map(|row| {
            let part = |key: &str| row[key].to_string().replace('"', "");
            ["kind", "level", "method", "instances", "count"]
                .map(part)
                .join(" ")
        })
        .collect();
    assert_eq!(
        found,
        [
            "bound 4 a 2 20",
            "bound 4 b 1 2",
            "bound 5 b 1 4",
            "bound 6 a 1 60",
            "bound 6 b 1 6"
        ]
    );
    // The plot has the same points, with the numbers of instances beside them.
    let plots = &report.sections[0].plots;
    let plot = plots
        .iter()
        .find(|plot| plot.title.contains("by bound"))
        .unwrap();
    let points: Vec<(f64, f64)> = plot.series[0].points.iter().map(|p| (p.x, p.y)).collect();
    assert_eq!(points, [(4.0, 20.0), (6.0, 60.0)]);
    assert!(plot.series[0].points[0].label.ends_with("(n = 2)"));
    // They are means over two instances and over one: no line joins them.
    assert!(!plot.series[0].points[1].is_joined);
    assert!(
        plot.caption
            .contains("2 instances that all methods finished")
    );
}
