//! What `docs/sources.md` says that commands print, they print.
//!
//! A row of its tables names commands (`psvn ..` in backquotes, joined by "then"), and what stands
//! in backquotes in its column "obtained" must occur in their output, blanks aside. Rows marked
//! "(minutes)" are run by an ignored test.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::{root, run_line};

/// The rows that the tables have.
const N_ROWS: usize = 131;

/// A row of a table.
struct Row {
    number: usize,
    commands: Vec<String>,
    takes_minutes: bool,
    /// What the commands must print.
    obtained: Vec<String>,
    verdict: String,
}

/// The rows, by the columns number, item, where, command, published, obtained, verdict.
fn rows() -> Vec<Row> {
    let page = std::fs::read_to_string(root().join("docs/sources.md")).unwrap();
    let row = |line: &str| -> Option<Row> {
        let number = line.strip_prefix("| ")?.split(" |").next()?;
        let number = number.parse().ok()?;
        // An empty cell shares its blank with the bar behind it.
        let line = line.replace("| |", "|  |").replace("| |", "|  |");
        let cells: Vec<&str> = line.trim_matches('|').split(" |").map(str::trim).collect();
        assert_eq!(cells.len(), 7, "row {number}");
        Some(Row {
            number,
            commands: code(cells[3])
                .into_iter()
                .filter(|command| command.starts_with("psvn "))
                .collect(),
            takes_minutes: cells[3].contains("(minutes)"),
            obtained: code(cells[5]),
            verdict: cells[6].to_owned(),
        })
    };
    page.lines().filter_map(row).collect()
}

/// What stands in backquotes.
fn code(cell: &str) -> Vec<String> {
    cell.split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

/// A text without what blanks, and commas between digits, make of it: the page has digits as they
/// were published.
fn without_blanks(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let characters: Vec<char> = text.chars().collect();
    let is_digit = |at: Option<usize>| {
        at.and_then(|at| characters.get(at))
            .is_some_and(char::is_ascii_digit)
    };
    let between_digits =
        |at: usize| characters[at] == ',' && is_digit(at.checked_sub(1)) && is_digit(Some(at + 1));
    let kept = (0..characters.len()).filter(|at| !between_digits(*at));
    kept.map(|at| characters[at]).collect()
}

/// Everything that the commands of a row print, which all must be done well.
fn output(row: &Row) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut printed = String::new();
    for command in &row.commands {
        let (_, line) = command.split_once(' ').unwrap();
        let ran = run_line(folder.path(), line);
        printed.push_str(&ran.stdout);
        printed.push_str(&ran.stderr);
        printed.push('\n');
        assert_eq!(
            ran.status,
            Some(0),
            "row {}: {command}\n{printed}",
            row.number
        );
    }
    without_blanks(&printed)
}

/// Run the rows that take minutes, one at a time, or all others, at once.
fn run(minutes: bool) {
    let rows: Vec<Row> = rows().into_iter().filter(is_checked).collect();
    let rows = rows.iter().filter(|row| row.takes_minutes == minutes);
    // Rows of one experiment share its run.
    let mut runs: BTreeMap<&[String], Vec<&Row>> = BTreeMap::new();
    for row in rows {
        runs.entry(&row.commands).or_default().push(row);
    }
    let check = |rows: &Vec<&Row>| {
        let printed = output(rows[0]);
        let mut missing = String::new();
        for row in rows {
            for expected in &row.obtained {
                if !printed.contains(&without_blanks(expected)) {
                    missing.push_str(&format!("row {}: `{expected}` in {printed}\n", row.number));
                }
            }
        }
        missing
    };
    let missing: String = match minutes {
        true => runs.values().map(check).collect(),
        false => runs.par_iter().map(|(_, rows)| check(rows)).collect(),
    };
    assert!(missing.is_empty(), "{missing}");
}

fn is_checked(row: &Row) -> bool {
    !row.commands.is_empty() && !row.obtained.is_empty()
}

#[test]
fn each_row_is_there_once_with_a_verdict() {
    let rows = rows();
    let numbers: BTreeSet<usize> = rows.iter().map(|row| row.number).collect();
    assert_eq!(rows.len(), N_ROWS);
    assert!(numbers.into_iter().eq(1..=N_ROWS));
    for row in &rows {
        assert!(!row.verdict.is_empty(), "row {}", row.number);
        let short = ["open", "differs"];
        assert!(
            !short.contains(&row.verdict.as_str()),
            "row {} doesn't say what is missing",
            row.number
        );
    }
    assert!(rows.iter().filter(|row| is_checked(row)).count() > 50);
}

#[test]
fn commands_print_what_was_obtained() {
    run(false);
}

#[test]
#[ignore = "takes many minutes"]
fn long_commands_print_what_was_obtained() {
    run(true);
}
