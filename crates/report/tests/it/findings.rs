//! Findings in sentences and in curves.

use experiment::Outcome;
use report::{PlotKind, Report, Section, svg};

use crate::results::{results, results_by, results_of, searched};
use crate::xml::parse;

fn section(results: &experiment::Results) -> Section {
    let report = Report::new(std::slice::from_ref(results));
    report.sections.into_iter().next().unwrap()
}

#[test]
fn sentences_say_what_was_saved_and_what_is_missing() {
    let findings = section(&results()).findings;
    assert_eq!(
        findings[0],
        "tiles, compared with nothing over 7 instances: L=2 generates 33 % of the nodes in 33 % of the time."
    );
    let stopped = "tiles: nothing did not finish 1 of 8 instances within 10s.";
    assert!(
        findings.iter().any(|finding| finding == stopped),
        "{findings:?}"
    );
}

#[test]
fn bounds_are_marked_as_bounds() {
    let of = |first: Outcome, other: Outcome| {
        let findings = section(&results_of(&[
            ("plain", vec![searched(first, 1000, 8.0, 0.0)]),
            ("pruned", vec![searched(other, 100, 1.0, 1.0)]),
        ]));
        findings.findings[0].clone()
    };
    assert_eq!(
        of(Outcome::Solved, Outcome::Solved),
        "tiles, compared with plain: pruned generates 10 % of the nodes in 25 % of the time."
    );
    assert_eq!(
        of(Outcome::Time, Outcome::Solved),
        "tiles, compared with plain: pruned generates less than 10 % of the nodes in less than 25 % of the time."
    );
    assert_eq!(
        of(Outcome::Solved, Outcome::Time),
        "tiles, compared with plain: pruned generates more than 10 % of the nodes in more than 25 % of the time."
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
        findings.findings[0].clone()
    };
    assert_eq!(
        of(100, 0.003),
        "tiles, compared with plain: pruned generates 1/467 of the nodes in 1/3,333 of the time."
    );
    assert_eq!(
        of(2_000, 456.0),
        "tiles, compared with plain: pruned generates 1/23.4 of the nodes in 45.6 times the time."
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
            "tiles, compared with a: c generates 10 % of the nodes in 2 times the time; d generates 80 % of \
             the nodes in 10 % of the time."
        ]
    );
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
    assert_eq!(row, ["tiles", "2", "1", "2"]);
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
