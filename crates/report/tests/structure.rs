//! The structure of pages and plots: well-formed, self-contained, axes right, labels apart.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use experiment::{
    FORMAT, GameEntry, Header, LevelKind, Limits, Measured, Outcome, Record, Results, Spec, VERSION,
};
use report::{Axis, Plot, PlotKind, Point, Report, Series, csv, html, json, svg, text};
use roxmltree::{Document, Node, ParsingOptions};

const SPEC: &str = r#"
title = "Pruning <in> \"two\" puzzles & more"
description = "A test of reports."
[limits]
time = "10s"
[[domain]]
name = "tiles"
file = "gen:sliding-tiles:3:3"
[[domain]]
name = "a domain with a name that is longer than any name should be, really"
file = "gen:topspin:8:3"
[[method]]
name = "nothing"
algorithm = "ida"
[[method]]
name = "L=2"
prune = 2
[[method]]
name = "tree"
command = "tree"
[[published]]
domain = "tiles"
method = "L=2"
measure = "generated"
value = 1234.5
"#;

fn record(spec: &Spec, domain: usize, method: usize, number: u64, measured: Measured) -> Record {
    let method = &spec.methods[method];
    Record {
        key: format!("{domain} {} {number}", method.name),
        domain: spec.domains[domain].name.clone(),
        method: method.name.clone(),
        instance: format!("w{number}"),
        steps: Some(3 + number % 4),
        start: "0 1 2".to_owned(),
        options: spec
            .options_of(&spec.domains[domain], method, None)
            .unwrap(),
        limits: Limits::default(),
        measured,
    }
}

/// A file of results: searches that prune need a third of the nodes, one was stopped, one failed.
fn results() -> Results {
    let spec = Spec::parse(SPEC).unwrap();
    let header = Header {
        format: FORMAT.to_owned(),
        version: VERSION,
        program: "psvn test".to_owned(),
        spec_hash: String::new(),
        games: vec![GameEntry {
            domain: "tiles".to_owned(),
            hash: String::new(),
        }],
        cells: 50,
        jobs: 1,
        processors: 2,
        spec: spec.clone(),
    };
    let mut records = Vec::new();
    for domain in 0..2 {
        for method in 0..2 {
            for number in 0..8u64 {
                let generated = 30 * 10u64.pow(number as u32 % 5) / (1 + 2 * method as u64);
                let stopped = number == 7 && method == 0;
                records.push(record(
                    &spec,
                    domain,
                    method,
                    number,
                    Measured {
                        outcome: if stopped {
                            Outcome::Time
                        } else {
                            Outcome::Solved
                        },
                        cost: (!stopped).then_some(10 + number % 3),
                        length: (!stopped).then_some(10 + number % 3),
                        h0: Some(4),
                        generated: Some(generated),
                        seconds: generated as f64 * 1e-7,
                        levels: vec![(8, generated / 10 + 1), (10, generated)],
                        level_kind: Some(LevelKind::Bound),
                        ..Measured::default()
                    },
                ));
            }
        }
        records.push(record(
            &spec,
            domain,
            2,
            0,
            Measured {
                generated: Some(111),
                levels: vec![(0, 1), (1, 10), (2, 100)],
                level_kind: Some(LevelKind::Depth),
                ..Measured::default()
            },
        ));
        records.push(record(&spec, domain, 2, 1, Measured::failed("a <reason>")));
    }
    let mut bytes = serde_json::to_vec(&header).unwrap();
    for record in &records {
        bytes.push(b'\n');
        bytes.extend(serde_json::to_vec(record).unwrap());
    }
    bytes.push(b'\n');
    Results::parse(&bytes).unwrap()
}

fn parse(xml: &str) -> Document<'_> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(xml, options).unwrap()
}

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

fn of_class<'a, 'input>(document: &'a Document<'input>, class: &str) -> Vec<Node<'a, 'input>> {
    let all = document.descendants();
    all.filter(|node| {
        node.attribute("class")
            .is_some_and(|c| c.split(' ').any(|c| c == class))
    })
    .collect()
}

#[test]
fn a_page_stands_for_itself() {
    let page = html(&Report::new(&[results()]));
    let document = parse(&page);
    for node in document.descendants().filter(Node::is_element) {
        let name = node.tag_name().name();
        assert!(
            !["script", "link", "img", "iframe", "object"].contains(&name),
            "{name}"
        );
        for attribute in node.attributes() {
            assert!(!attribute.name().starts_with("on") && attribute.name() != "src");
            if attribute.name() == "href" {
                // Links lead to places in the page.
                let id = attribute.value().strip_prefix('#').unwrap();
                assert!(
                    document
                        .descendants()
                        .any(|other| other.attribute("id") == Some(id)),
                    "{id}"
                );
            }
        }
    }
    for needed in [
        "prefers-color-scheme:dark",
        "@media print",
        "<!DOCTYPE html>",
    ] {
        assert!(page.contains(needed), "{needed}");
    }
    assert!(!page.contains("url(") && !page.contains("@import") && !page.contains("http:"));
    assert!(page.contains("Pruning &lt;in&gt; &quot;two&quot; puzzles &amp; more"));
    assert!(page.contains("a &lt;reason&gt;"));
    let svgs = document
        .descendants()
        .filter(|node| node.tag_name().name() == "svg");
    // Two of steps, of depth and bound each, of costs; one scatter plot.
    assert_eq!(svgs.count(), 2 + 4 + 2 + 1);
    // Every table and every plot says what it shows.
    for plot in document
        .descendants()
        .filter(|node| node.tag_name().name() == "figure")
    {
        let caption = plot
            .children()
            .find(|node| node.tag_name().name() == "figcaption")
            .unwrap();
        assert!(caption.text().unwrap().len() > 20);
    }
}

fn plot(kind: PlotKind, points: &[(f64, f64)]) -> Plot {
    Plot {
        title: "Title".to_owned(),
        caption: "Caption".to_owned(),
        kind,
        x: Axis {
            title: "depth".to_owned(),
            is_log: kind == PlotKind::Scatter,
        },
        y: Axis {
            title: "nodes".to_owned(),
            is_log: kind != PlotKind::Bars,
        },
        series: vec![Series {
            name: "one".to_owned(),
            points: points
                .iter()
                .map(|(x, y)| Point {
                    x: *x,
                    y: *y,
                    label: String::new(),
                    is_limited: false,
                })
                .collect(),
        }],
    }
}

/// The place of a tick with this label.
fn tick(document: &Document<'_>, class: &str, label: &str, coordinate: &str) -> f64 {
    let all = of_class(document, class);
    let found = all.into_iter().find(|node| node.text() == Some(label));
    number(
        found.unwrap_or_else(|| panic!("no tick {label}")),
        coordinate,
    )
}

#[test]
fn points_are_where_the_ticks_say() {
    let drawn = svg(&plot(
        PlotKind::Lines,
        &[(0.0, 1.0), (5.0, 1000.0), (10.0, 1e5)],
    ));
    let document = parse(&drawn);
    let marks: Vec<(f64, f64)> = document
        .descendants()
        .filter(|node| node.tag_name().name() == "circle")
        .skip(1) // that of the legend
        .map(|node| (number(node, "cx"), number(node, "cy")))
        .collect();
    for ((x, y), (x_label, y_label)) in marks.iter().zip([("0", "1"), ("5", "1000"), ("10", "10⁵")])
    {
        assert!(
            (x - tick(&document, "tick-x", x_label, "x")).abs() < 0.2,
            "{x_label}"
        );
        // The baseline of a label is four pixels below the middle of its digits.
        assert!(
            (y + 4.0 - tick(&document, "tick-y", y_label, "y")).abs() < 0.2,
            "{y_label}"
        );
    }
    assert_eq!(marks.len(), 3);
    // Larger is further up.
    assert!(marks[0].1 > marks[1].1 && marks[1].1 > marks[2].1);
}

#[test]
fn bars_are_as_high_as_they_should_be() {
    let drawn = svg(&plot(PlotKind::Bars, &[(3.0, 10.0), (4.0, 5.0)]));
    let document = parse(&drawn);
    let bars: Vec<(f64, f64, f64)> = of_class(&document, "bar")
        .into_iter()
        .skip(1)
        .map(|node| {
            (
                number(node, "x"),
                number(node, "width"),
                number(node, "height"),
            )
        })
        .collect();
    assert!((bars[0].2 - 2.0 * bars[1].2).abs() < 0.3, "{bars:?}");
    for (bar, label) in bars.iter().zip(["3", "4"]) {
        let middle = bar.0 + bar.1 / 2.0;
        assert!((middle - tick(&document, "tick-x", label, "x")).abs() < 0.3);
    }
}

#[test]
fn the_diagonal_joins_equal_values() {
    let drawn = svg(&plot(PlotKind::Scatter, &[(10.0, 10.0), (1000.0, 10.0)]));
    let document = parse(&drawn);
    let diagonal = of_class(&document, "diagonal")[0];
    let circle = document
        .descendants()
        .filter(|n| n.tag_name().name() == "circle")
        .nth(1)
        .unwrap();
    let [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map(|name| number(diagonal, name));
    let (cx, cy) = (number(circle, "cx"), number(circle, "cy"));
    let on_line = y1 + (cx - x1) / (x2 - x1) * (y2 - y1);
    assert!((cy - on_line).abs() < 0.2, "{cy} {on_line}");
}

/// About where a text is: left, right, top, bottom.
fn extent(node: Node<'_, '_>) -> [f64; 4] {
    let width = 6.6 * node.text().unwrap_or_default().chars().count() as f64;
    let (x, y) = (number(node, "x"), number(node, "y"));
    let left = match node.attribute("text-anchor") {
        Some("middle") => x - width / 2.0,
        Some("end") => x - width,
        _ => x,
    };
    [left, left + width, y - 9.0, y + 2.0]
}

/// No labels of the plot overlap each other or stick out of it.
fn check_labels(drawn: &str) {
    let document = parse(drawn);
    let view = document.root_element().attribute("viewBox").unwrap();
    let size: Vec<f64> = view.split(' ').map(|n| n.parse().unwrap()).collect();
    let texts: Vec<Node<'_, '_>> = document
        .descendants()
        .filter(|node| node.tag_name().name() == "text" && node.attribute("transform").is_none())
        .collect();
    for (i, first) in texts.iter().enumerate() {
        let a = extent(*first);
        let inside = a[0] >= 0.0 && a[1] <= size[2] + 12.0 && a[2] >= 0.0 && a[3] <= size[3];
        assert!(inside, "{:?} sticks out: {a:?}", first.text());
        for second in &texts[i + 1..] {
            let b = extent(*second);
            let overlap = a[0] < b[1] && b[0] < a[1] && a[2] < b[3] && b[2] < a[3];
            assert!(!overlap, "{:?} and {:?}", first.text(), second.text());
        }
    }
}

#[test]
fn labels_are_apart() {
    for end in [1.0, 7.0, 31.0, 80.0, 250.0, 123_456.0] {
        for high in [2.0, 900.0, 1e6, 3e12, 1e30] {
            let points = [(0.0, 1.0), (end / 2.0, high / 2.0), (end, high)];
            for kind in [PlotKind::Lines, PlotKind::Bars] {
                check_labels(&svg(&plot(kind, &points)));
            }
            check_labels(&svg(&plot(PlotKind::Scatter, &[(1.0, high), (high, 3.0)])));
        }
    }
    let mut many = plot(PlotKind::Lines, &[(0.0, 1.0), (9.0, 100.0)]);
    for i in 0..12 {
        let series = Series {
            name: format!("a method with number {i}"),
            ..many.series[0].clone()
        };
        many.series.push(series);
    }
    many.series[0].name = "x".repeat(500);
    check_labels(&svg(&many));
    for plot in Report::new(&[results()])
        .sections
        .iter()
        .flat_map(|section| &section.plots)
    {
        check_labels(&svg(plot));
    }
}

/// The rows of a table of a report as JSON.
fn rows<'v>(report: &'v serde_json::Value, name: &str) -> Vec<&'v serde_json::Value> {
    let tables = report["experiments"][0]["tables"].as_array().unwrap();
    let of_name = tables.iter().filter(|table| table["name"] == name);
    of_name
        .flat_map(|table| table["rows"].as_array().unwrap())
        .collect()
}

#[test]
fn means_are_of_what_all_finished() {
    let report = json(&Report::new(&[results()]));
    let summary = rows(&report, "summary");
    // The first method was stopped on one of eight instances: it counts for neither.
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
    // For the walks of three steps, w0 and w4, both finished both; of those of six, w3 and w7, only
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
        rows.find(|row| row["method"] == method).unwrap()["states"].clone()
    };
    assert_eq!(
        (states("nothing"), states("L=2")),
        (30_000.into(), 10_000.into())
    );
}

/// Results of some methods on some instances of one domain, all searches.
fn results_of(methods: &[(&str, Vec<Measured>)]) -> Results {
    let mut text = "title = \"Some\"\n[[domain]]\nname = \"tiles\"\nfile = \"none\"\n".to_owned();
    for (name, _) in methods {
        text.push_str(&format!("[[method]]\nname = \"{name}\"\n"));
    }
    let spec = Spec::parse(&text).unwrap();
    let header = Header {
        format: FORMAT.to_owned(),
        version: VERSION,
        program: "psvn test".to_owned(),
        spec_hash: String::new(),
        games: Vec::new(),
        cells: 1,
        jobs: 1,
        processors: 2,
        spec: spec.clone(),
    };
    let mut bytes = serde_json::to_vec(&header).unwrap();
    for (place, (_, all)) in methods.iter().enumerate() {
        for (number, measured) in (0..).zip(all) {
            let mut record = record(&spec, 0, place, number, measured.clone());
            record.steps = None;
            bytes.push(b'\n');
            bytes.extend(serde_json::to_vec(&record).unwrap());
        }
    }
    bytes.push(b'\n');
    Results::parse(&bytes).unwrap()
}

fn searched(outcome: Outcome, generated: u64, seconds: f64, preparation: f64) -> Measured {
    Measured {
        outcome,
        generated: Some(generated),
        seconds,
        preparation_seconds: preparation,
        ..Measured::default()
    }
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
    // Two that were stopped say nothing of each other.
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
fn instances_that_have_ended_are_no_zeroes() {
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
    assert!(
        plot.caption
            .contains("2 instances that all methods finished")
    );
}

/// The records of a text in CSV.
fn records(text: &str) -> Vec<Vec<String>> {
    let mut records = vec![vec![String::new()]];
    let mut is_quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let record = records.last_mut().unwrap();
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => {
                chars.next();
                record.last_mut().unwrap().push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => record.push(String::new()),
            '\n' if !is_quoted => records.push(vec![String::new()]),
            c => record.last_mut().unwrap().push(c),
        }
    }
    assert_eq!(records.pop().unwrap(), [""], "the last line has an end");
    records
}

#[test]
fn every_csv_is_one_table() {
    let other = results_of(&[
        ("one", vec![searched(Outcome::Solved, 3, 0.1, 0.0)]),
        ("two", vec![searched(Outcome::Time, 4, 0.2, 0.0)]),
    ]);
    let analysis = Measured {
        words: Some(7),
        levels: vec![(2, 7)],
        level_kind: Some(LevelKind::Length),
        ..Measured::default()
    };
    let analyses = results_of(&[("L=2", vec![analysis])]);
    // Experiments with other methods and domains stand in the same table.
    let report = Report::new(&[results(), other, analyses]);
    let mut names: Vec<&str> = Vec::new();
    for section in &report.sections {
        names.extend(section.tables.iter().map(|table| table.name));
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(
        names,
        ["analyses", "cells", "costs", "levels", "steps", "summary"]
    );
    for name in names {
        let table = records(&csv(&report, name).unwrap());
        let (head, rows) = table.split_first().unwrap();
        assert_eq!(head[0], "experiment", "{name}");
        assert!(!rows.is_empty(), "{name}");
        let mut keys: Vec<&String> = head.iter().collect();
        keys.sort();
        keys.dedup();
        assert_eq!(
            keys.len(),
            head.len(),
            "{name}: names of columns are different"
        );
        for row in rows {
            assert_eq!(row.len(), head.len(), "{name}: {row:?}");
            assert_ne!(row, head, "{name}");
        }
    }
    let levels = csv(&report, "levels").unwrap();
    assert_eq!(
        levels.lines().next(),
        Some("experiment,domain,kind,level,method,instances,count")
    );
    assert!(levels.contains(",tiles,depth,2,tree,1,100\n"), "{levels}");
    assert!(
        levels.contains("\nSome,tiles,length,2,L=2,1,7\n"),
        "{levels}"
    );
}

#[test]
fn reports_say_what_is_counted_and_not_made() {
    let counted = Measured {
        generated_is_counted: Some(true),
        ..searched(Outcome::Solved, 3, 0.1, 0.0)
    };
    let made = Measured {
        generated_is_counted: Some(false),
        ..counted.clone()
    };
    let report = Report::new(&[results_of(&[("ida", vec![counted]), ("astar", vec![made])])]);
    let cells = records(&csv(&report, "cells").unwrap());
    let place = cells[0]
        .iter()
        .position(|key| key == "generated_is_counted")
        .unwrap();
    let of_cells: Vec<&str> = cells[1..].iter().map(|row| row[place].as_str()).collect();
    assert_eq!(of_cells, ["yes", "no"]);
    for page in [text(&report).replace('\n', " "), html(&report)] {
        assert!(
            page.contains("counted without being made one by one"),
            "{page}"
        );
    }
}

#[test]
fn text_and_csv_have_what_courses_ask_for() {
    let report = Report::new(&[results()]);
    let cells = csv(&report, "cells").unwrap();
    let mut lines = cells.lines();
    let head = lines.next().unwrap();
    assert!(
        head.starts_with(
            "experiment,algorithm,heuristic,domain,instance,cost,h0,generated,time,gen_per_sec"
        ),
        "{head}"
    );
    let quoted = "\"Pruning <in> \"\"two\"\" puzzles & more\"";
    assert!(lines.clone().all(|line| line.starts_with(quoted)));
    assert_eq!(lines.clone().count(), 36);
    let stopped = lines.find(|line| line.contains("time limit")).unwrap();
    assert!(stopped.contains(",ida,zero,tiles,w7,na,4,"), "{stopped}");
    assert!(csv(&report, "nothing").is_none());
    let text = text(&report);
    assert!(
        text.contains("Nodes and time by method") && text.contains("limits for each cell: 10s")
    );
    assert!(text.contains("> 3,000"), "{text}");
}
