//! Plots: points match the ticks, and labels don't overlap.

use report::{Axis, Plot, PlotKind, Point, Report, Series, svg};
use roxmltree::{Document, Node};

use crate::results::results;
use crate::xml::{number, of_class, parse};

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
                    is_joined: true,
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
        .skip(1) // the mark in the legend
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
fn bars_have_the_right_heights() {
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

/// The approximate extent of a text: left, right, top, bottom.
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
fn labels_do_not_overlap() {
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
        .flat_map(report::Section::all_plots)
    {
        check_labels(&svg(plot));
    }
}
