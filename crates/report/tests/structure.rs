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

#[test]
fn ratios_are_of_what_both_finished() {
    let report = Report::new(&[results()]);
    let value = json(&report);
    let tables = value["experiments"][0]["tables"].as_array().unwrap();
    let summary = &tables
        .iter()
        .find(|table| table["name"] == "summary")
        .unwrap()["rows"];
    let row = summary
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["method"] == "L=2")
        .unwrap();
    assert_eq!(row["generated_ratio"], 3);
    assert_eq!(row["published"], 1234.5);
    assert_eq!(summary[0]["stopped"], 1);
    assert_eq!(summary[0]["generated_is_limited"], true);
    // 30 · (1 + 10 + 100 + 1000 + 10000 + 1 + 10) / 7
    let mean = summary[0]["generated"].as_f64().unwrap();
    assert!((mean - 30.0 * 11_122.0 / 7.0).abs() < 1e-6, "{mean}");
}

#[test]
fn text_and_csv_have_what_courses_ask_for() {
    let report = Report::new(&[results()]);
    let cells = csv(&report, "cells").unwrap();
    let mut lines = cells.lines();
    let head = lines.next().unwrap();
    assert!(
        head.starts_with("experiment,table,algorithm,heuristic,domain,instance,cost,h0,generated,time,gen_per_sec"),
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
