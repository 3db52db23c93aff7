//! Runs of one experiment in several files, and comparisons of numbers.

use experiment::{Outcome, Results};
use report::{Mark, Report, Section, Table, csv, html, latex, markdown, text};

use crate::results::{results_of, searched};

/// A run of an experiment with two methods, whose searches take these times in seconds.
fn run(plain: &[f64], pruned: &[f64]) -> Results {
    let of = |times: &[f64], nodes| {
        let times = times.iter();
        times
            .map(|time| searched(Outcome::Solved, nodes, *time, 0.5))
            .collect()
    };
    results_of(&[("plain", of(plain, 900)), ("pruned", of(pruned, 300))])
}

fn sections(results: &[Results]) -> Vec<Section> {
    Report::new(results).sections
}

fn table<'a>(section: &'a Section, name: &str) -> &'a Table {
    let mut tables = section.tables.iter();
    tables.find(|table| table.name == name).unwrap()
}

fn texts(table: &Table, key: &str) -> Vec<String> {
    let place = table.columns.iter().position(|column| column.key == key);
    let place = place.unwrap();
    let entries = table.rows.iter().map(|row| &row[place]);
    entries.map(|entry| entry.text.clone()).collect()
}

fn numbers(table: &Table, key: &str) -> Vec<Option<f64>> {
    let place = table.columns.iter().position(|column| column.key == key);
    let place = place.unwrap();
    table.rows.iter().map(|row| row[place].number).collect()
}

/// Two runs of less than a millisecond.
fn sections_of_short_runs() -> Section {
    let runs = [run(&[0.000_1], &[0.000_2]), run(&[0.000_9], &[0.000_2])];
    sections(&runs).remove(0)
}

#[test]
fn runs_of_one_experiment_are_one_section() {
    let all = [
        run(&[1.0, 3.0], &[2.0, 1.0]),
        run(&[2.0, 4.0], &[2.0, 1.0]),
        run(&[3.0, 5.0], &[2.0, 1.0]),
    ];
    let sections = sections(&all);
    assert_eq!(sections.len(), 1);
    let summary = table(&sections[0], "summary");
    // Two instances in each run: means of 2 and 4 seconds.
    assert_eq!(numbers(summary, "seconds"), [Some(3.0), Some(1.5)]);
    assert_eq!(numbers(summary, "instances"), [Some(2.0); 2]);
    let runs = table(&sections[0], "runs");
    assert_eq!(texts(runs, "method"), ["plain", "pruned"]);
    assert_eq!(numbers(runs, "runs"), [Some(3.0); 2]);
    assert_eq!(numbers(runs, "mean_seconds"), [Some(6.0), Some(3.0)]);
    // Runs of 4, 6 and 8 seconds.
    assert_eq!(numbers(runs, "deviation_seconds"), [Some(2.0), Some(0.0)]);
    assert_eq!(numbers(runs, "least_seconds"), [Some(4.0), Some(3.0)]);
    assert_eq!(numbers(runs, "greatest_seconds"), [Some(8.0), Some(3.0)]);
    assert_eq!(texts(runs, "deviation_share"), ["33.3%", "0.0%"]);
    let last = sections[0].notes.last().unwrap();
    assert_eq!(
        last,
        "Times differ from run to run: most for plain in tiles, with a standard deviation of 33.3% of \
         the mean."
    );
    assert!(sections[0].notes.iter().any(|note| note.contains("3 runs")));
    let short = sections_of_short_runs();
    assert!(!short.notes.iter().any(|it| it.contains("run to run")));
    for written in [
        text(&Report::new(&all)),
        markdown(&Report::new(&all)),
        html(&Report::new(&all)),
        latex(&Report::new(&all), Some("runs")).unwrap(),
        csv(&Report::new(&all), "runs").unwrap(),
    ] {
        assert!(written.contains("pruned"), "{written}");
    }
}

#[test]
fn one_run_has_no_spread() {
    let sections = sections(&[run(&[1.0], &[2.0])]);
    assert!(!sections[0].tables.iter().any(|table| table.name == "runs"));
    assert!(!sections[0].notes.iter().any(|note| note.contains("runs")));
}

#[test]
fn other_experiments_have_separate_sections() {
    let other = results_of(&[("else", vec![searched(Outcome::Solved, 1, 1.0, 0.0)])]);
    assert_eq!(sections(&[run(&[1.0], &[2.0]), other]).len(), 2);
}

#[test]
fn runs_on_other_machines_have_separate_sections() {
    let mut there = run(&[9.0], &[9.0]);
    if let Some(header) = &mut there.header {
        header.machine = Some("another".to_owned());
    }
    let sections = sections(&[run(&[1.0], &[2.0]), there, run(&[3.0], &[2.0])]);
    let seconds = |section: &Section| numbers(table(section, "summary"), "seconds")[0];
    let all: Vec<Option<f64>> = sections.iter().map(seconds).collect();
    assert_eq!(all, [Some(2.0), Some(9.0)]);
}

#[test]
fn runs_far_from_the_others_are_named() {
    let times = [1.0, 1.1, 0.9, 1.05, 9.0];
    let all: Vec<Results> = times.iter().map(|time| run(&[*time], &[1.0])).collect();
    let sections = sections(&all);
    let runs = table(&sections[0], "runs");
    // Equal times have no outliers, and neither have a few ordinary ones.
    assert_eq!(texts(runs, "outliers"), ["9.00 s", ""]);
    let sections = self::sections(&all[..4]);
    assert_eq!(texts(table(&sections[0], "runs"), "outliers"), ["", ""]);
}

#[test]
fn a_run_that_was_stopped_counts_for_all() {
    let stopped = results_of(&[
        ("plain", vec![searched(Outcome::Time, 500, 9.0, 0.5)]),
        ("pruned", vec![searched(Outcome::Solved, 300, 2.0, 0.5)]),
    ]);
    let all = [run(&[1.0], &[2.0]), stopped];
    let sections = sections(&all);
    let summary = table(&sections[0], "summary");
    assert_eq!(texts(summary, "stopped"), ["1", ""]);
    let note = "Runs differ in 1 cell, for which the run that needed most is shown: tiles, plain, w0: \
                solved and time limit.";
    assert!(
        sections[0].notes.iter().any(|found| found == note),
        "{:?}",
        sections[0].notes
    );
    // No instance of the first method was finished by both runs.
    assert_eq!(texts(table(&sections[0], "runs"), "method"), ["pruned"]);
}

/// The same report in whatever order the files are given, also where runs of a cell differ.
#[test]
fn the_order_of_files_changes_nothing() {
    let of = |nodes, seconds| {
        results_of(&[
            ("plain", vec![searched(Outcome::Solved, 900, 1.0, 0.5)]),
            (
                "pruned",
                vec![searched(Outcome::Solved, nodes, seconds, 0.5)],
            ),
        ])
    };
    let runs = [of(115_523, 2.0), of(129_709, 3.0), of(115_523, 2.5)];
    let written = |order: [usize; 3]| {
        let report = Report::new(&order.map(|place| runs[place].clone()));
        let data = report::json(&report).to_string();
        (text(&report), html(&report), data, csv(&report, "cells"))
    };
    let first = written([0, 1, 2]);
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        assert_eq!(written(order), first, "{order:?}");
    }
    let said = first.0.replace('\n', " ");
    assert!(
        said.contains("tiles, pruned, w0: 115,523 nodes and 129,709 nodes"),
        "{said}"
    );
    assert!(first.3.unwrap().contains(",129709,"));
}

#[test]
fn times_that_are_too_short_are_not_compared() {
    let of = |plain, pruned| {
        let one = |nodes, seconds| vec![searched(Outcome::Solved, nodes, seconds, 0.0)];
        let results = results_of(&[("plain", one(1000, plain)), ("pruned", one(100, pruned))]);
        sections(&[results]).remove(0)
    };
    let short = of(0.000_005, 0.002_8);
    assert_eq!(
        short.findings[1],
        "tiles: pruned generates 10% of the nodes of plain, over its one instance."
    );
    assert_eq!(texts(table(&short, "summary"), "seconds_ratio"), ["", ""]);
    // One of them is long enough to be compared.
    let long = of(0.000_5, 0.5);
    assert_eq!(
        long.findings[1],
        "tiles: pruned generates 10% of the nodes of plain in 1,000 times the time, over its one instance."
    );
    let marks = |section: &Section, key: &str| -> Vec<Mark> {
        let table = table(section, "summary");
        let place = table.columns.iter().position(|column| column.key == key);
        table
            .rows
            .iter()
            .map(|row| row[place.unwrap()].mark)
            .collect()
    };
    assert_eq!(marks(&long, "generated_ratio"), [Mark::None, Mark::Better]);
    assert_eq!(marks(&long, "seconds_ratio"), [Mark::None, Mark::Worse]);
    assert_eq!(marks(&short, "seconds_ratio"), [Mark::None, Mark::None]);
    let same = of(0.5, 0.51);
    assert_eq!(marks(&same, "seconds_ratio"), [Mark::None, Mark::Same]);
}

#[test]
fn marks_can_be_read_without_colors() {
    let report = Report::new(&[run(&[1.0], &[2.0])]);
    let plain = text(&report);
    // A third of the nodes, and 2.5 seconds with preparation against 1.5 of the other one.
    assert!(
        plain.contains("3 ▲") && plain.contains("0.6000 ▼"),
        "{plain}"
    );
    let page = html(&report);
    assert!(page.contains("3 <span class=\"better\" role=\"img\" aria-label=\"better\">▲</span>"));
    let paper = latex(&report, Some("summary")).unwrap();
    assert!(paper.contains("3 $\\uparrow$") && paper.contains("0.6000 $\\downarrow$"));
}
