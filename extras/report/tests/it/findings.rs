//! Findings in sentences and in curves.

use experiment::Outcome;
use report::{Mark, PlotKind, Report, Section, svg};

use crate::results::{results, results_by, results_of, searched};
use crate::xml::parse;

fn section(results: &experiment::Results) -> Section {
    let report = Report::new(std::slice::from_ref(results));
    report.sections.into_iter().next().unwrap()
}

#[test]
fn sentences_say_what_was_finished_and_what_was_saved() {
    let findings = section(&results()).findings;
    assert_eq!(
        findings,
        [
            "L=2 finished all 16 instances, nothing 14 of 16.",
            "tiles: L=2 generates 33% of the nodes of nothing in 33% of the time, over the 7 of 8 instances \
             that all finished."
        ]
    );
}

#[test]
fn a_bound_has_no_sentence_and_no_mark() {
    let of = |first: Outcome, other: Outcome| {
        let section = section(&results_of(&[
            ("plain", vec![searched(first, 1000, 8.0, 0.0)]),
            ("pruned", vec![searched(other, 100, 1.0, 1.0)]),
        ]));
        let summary = section.tables.iter().find(|it| it.name == "summary");
        let entries = summary.unwrap().rows.iter().flatten();
        let marks = entries.filter(|entry| entry.mark != Mark::None).count();
        (section.findings, marks)
    };
    let (findings, marks) = of(Outcome::Solved, Outcome::Solved);
    assert_eq!(
        findings,
        [
            "Both methods finished the one instance.",
            "tiles: pruned generates 10% of the nodes of plain in 25% of the time, over its one instance."
        ]
    );
    assert_eq!(marks, 2);
    let (findings, marks) = of(Outcome::Time, Outcome::Solved);
    assert_eq!(
        findings,
        ["pruned finished the one instance, plain 0 of 1."]
    );
    assert_eq!(marks, 0);
    let (findings, marks) = of(Outcome::Solved, Outcome::Time);
    assert_eq!(
        findings,
        ["plain finished the one instance, pruned 0 of 1."]
    );
    assert_eq!(marks, 0);
}

#[test]
fn sentences_say_over_how_many_instances() {
    let solved = |nodes| searched(Outcome::Solved, nodes, 1.0, 0.0);
    let stopped = || searched(Outcome::Time, 5, 2.0, 0.0);
    let findings = section(&results_of(&[
        ("plain", vec![solved(1000), stopped(), stopped(), stopped()]),
        ("pruned", vec![solved(10), solved(9), solved(8), stopped()]),
    ]))
    .findings;
    assert_eq!(
        findings,
        [
            "pruned finished 3 of 4 instances, plain 1 of 4.",
            "tiles: pruned generates 1/100 of the nodes of plain in the same time, over the one of 4 \
             instances that all finished."
        ]
    );
}

#[test]
fn numbers_in_sentences_are_short() {
    let of = |nodes, seconds| {
        let findings = section(&results_of(&[
            ("plain", vec![searched(Outcome::Solved, 46_721, 10.0, 0.0)]),
            (
                "pruned",
                vec![searched(Outcome::Solved, nodes, seconds, 0.0)],
            ),
        ]));
        findings.findings[1].clone()
    };
    assert_eq!(
        of(100, 0.003),
        "tiles: pruned generates 1/467 of the nodes of plain in 1/3,333 of the time, over its one instance."
    );
    assert_eq!(
        of(2_000, 456.0),
        "tiles: pruned generates 1/23.4 of the nodes of plain in 45.6 times the time, over its one instance."
    );
}

#[test]
fn of_many_methods_the_best_are_named() {
    let one = |nodes, seconds| vec![searched(Outcome::Solved, nodes, seconds, 0.0)];
    let findings = section(&results_of(&[
        ("a", one(1000, 1.0)),
        ("b", one(900, 0.9)),
        ("c", one(100, 2.0)),
        ("d", one(800, 0.1)),
        ("e", one(700, 0.7)),
    ]));
    assert_eq!(
        findings.findings,
        [
            "All 5 methods finished the one instance.",
            "tiles: c generates 10% of the nodes of a in 2 times the time, over its one instance.",
            "tiles: d takes 10% of the time of a, over its one instance."
        ]
    );
}

#[test]
fn the_front_counts_the_instances_of_all_domains() {
    let section = section(&results());
    let front = section.front.unwrap();
    let lengths: Vec<(&str, usize)> = front
        .series
        .iter()
        .map(|series| (series.name.as_str(), series.points.len()))
        .collect();
    assert_eq!(lengths, [("nothing", 14), ("L=2", 16)]);
    assert!(
        front.caption.contains("all 16 instances"),
        "{}",
        front.caption
    );
    let last = front.series[1].points.last().unwrap();
    assert_eq!(last.y, 16.0);
}

#[test]
fn survival_rises_to_the_number_of_finished_instances() {
    let all: Vec<_> = (1..=6)
        .map(|i| {
            let outcome = if i == 6 {
                Outcome::Time
            } else {
                Outcome::Solved
            };
            searched(outcome, 10 * i, i as f64, 6.0)
        })
        .collect();
    let text = "title = \"Some\"\n[[domain]]\nname = \"tiles\"\nfile = \"none\"\n[[method]]\nname = \"one\"\n";
    let section = section(&results_by(text, &[all]));
    let plots: Vec<_> = section
        .plots
        .iter()
        .filter(|plot| plot.kind == PlotKind::Steps)
        .collect();
    assert_eq!(plots.len(), 2);
    let points = |n: usize| -> Vec<(f64, f64)> {
        plots[n].series[0]
            .points
            .iter()
            .map(|point| (point.x, point.y))
            .collect()
    };
    let nodes: Vec<(f64, f64)> = (1..=5).map(|i| (f64::from(10 * i), f64::from(i))).collect();
    assert_eq!(points(0), nodes);
    // Each of six instances has a sixth of six seconds of preparation.
    let times: Vec<(f64, f64)> = (1..=5)
        .map(|i| (f64::from(i) + 1.0, f64::from(i)))
        .collect();
    assert_eq!(points(1), times);
    // The curve begins at the lower edge and never falls.
    let drawn = svg(plots[0]);
    let document = parse(&drawn);
    let path = document
        .descendants()
        .filter_map(|node| node.attribute("d"))
        .find(|path| path.contains('V'))
        .unwrap();
    let heights: Vec<f64> = path
        .split('V')
        .skip(1)
        .map(|part| part.split('H').next().unwrap().parse().unwrap())
        .collect();
    assert_eq!(heights.len(), 5);
    assert!(heights.windows(2).all(|pair| pair[1] < pair[0]), "{path}");
}

#[test]
fn unfinished_instances_have_a_table() {
    let section = section(&results_of(&[
        (
            "one",
            vec![
                searched(Outcome::Solved, 3, 0.1, 0.0),
                searched(Outcome::Time, 3, 0.1, 0.0),
            ],
        ),
        (
            "two",
            vec![
                searched(Outcome::Solved, 3, 0.1, 0.0),
                searched(Outcome::Solved, 3, 0.1, 0.0),
            ],
        ),
    ]));
    let table = section
        .tables
        .iter()
        .find(|table| table.name == "coverage")
        .unwrap();
    let row: Vec<&str> = table.rows[0]
        .iter()
        .map(|entry| entry.text.as_str())
        .collect();
    assert_eq!(row, ["tiles", "1", "1/2  100 ms", "2/2  100 ms"]);
    let shades: Vec<Option<f64>> = table.rows[0].iter().map(|entry| entry.shade).collect();
    assert_eq!(shades, [None, None, Some(0.5), Some(1.0)]);
}

#[test]
fn the_experiment_can_be_repeated_from_the_page() {
    let section = section(&results());
    let spec = experiment::Spec::parse(&section.spec).unwrap();
    assert_eq!(spec.methods.len(), 3);
    assert!(
        section.notes[0].contains("on 2026-11-23 by psvn test"),
        "{}",
        section.notes[0]
    );
}
