//! What `docs/sources.md` says that commands print, they print.
//!
//! A row of its tables names commands (`psvn ..` in backquotes, joined by "then"), and what stands
//! in backquotes in its column "obtained" must occur in their output or in files that they write,
//! blanks aside. Ignored tests run the rows marked "(gate)", as the project's gate does, and those
//! marked "(minutes)", which take too long for it.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::{root, run_line};

/// The rows that the tables have.
const N_ROWS: usize = 131;

/// The rows whose commands take too long for the gate.
const TOO_LONG: [usize; 8] = [30, 32, 33, 67, 75, 76, 77, 124];

/// Shorter expectations say little: many outputs have such words.
const FEWEST_CHARACTERS: usize = 5;

/// When the commands of a row are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Always,
    InTheGate,
    Rarely,
}

/// A row of a table.
struct Row {
    number: usize,
    commands: Vec<String>,
    when: When,
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
            when: match cells[3] {
                cell if cell.contains("(minutes)") => When::Rarely,
                cell if cell.contains("(gate)") => When::InTheGate,
                _ => When::Always,
            },
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

/// Everything that the commands of a row print, which all must end well, and the pictures that
/// they write. They find the files of `docs` as in the root of the repository.
fn output(row: &Row) -> String {
    let folder = tempfile::tempdir().unwrap();
    let sources = folder.path().join("docs/sources");
    std::fs::create_dir_all(&sources).unwrap();
    for file in std::fs::read_dir(root().join("docs/sources")).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), sources.join(file.file_name())).unwrap();
    }
    let mut printed = String::new();
    for command in &row.commands {
        let (_, line) = command.split_once(' ').unwrap();
        let ran = run_line(folder.path(), line);
        printed.push_str(&ran.stdout);
        printed.push_str(&ran.stderr);
        printed.push('\n');
        // 4: no solution within the depth that the row gives.
        assert!(
            matches!(ran.status, Some(0 | 4)),
            "row {}: {command}\n{printed}",
            row.number
        );
    }
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "svg") {
            printed.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
    without_blanks(&printed)
}

/// Run the rows of a kind: those that take long one at a time, others at once.
fn run(when: When) {
    let rows: Vec<Row> = rows().into_iter().filter(has_commands).collect();
    let rows = rows.iter().filter(|row| row.when == when);
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
    let missing: String = match when {
        When::Always => runs.par_iter().map(|(_, rows)| check(rows)).collect(),
        When::InTheGate | When::Rarely => runs.values().map(check).collect(),
    };
    assert!(missing.is_empty(), "{missing}");
}

fn has_commands(row: &Row) -> bool {
    !row.commands.is_empty()
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
}

#[test]
fn each_row_with_commands_says_what_they_print_and_is_run() {
    let rows: Vec<Row> = rows().into_iter().filter(has_commands).collect();
    assert!(rows.len() > 80);
    for row in &rows {
        let longest = row.obtained.iter().map(|it| it.chars().count()).max();
        assert!(
            longest >= Some(FEWEST_CHARACTERS) && !row.obtained.iter().any(|it| it == "<svg"),
            "row {}: {:?} say little",
            row.number,
            row.obtained
        );
    }
    let ignored = rows.iter().filter(|row| row.when == When::Rarely);
    assert!(ignored.map(|row| row.number).eq(TOO_LONG));
}

#[test]
fn commands_print_what_was_obtained() {
    run(When::Always);
}

#[test]
#[ignore = "takes 3 minutes: analyses and searches of Taylor's figures"]
fn longer_commands_print_what_was_obtained() {
    run(When::InTheGate);
}

#[test]
#[ignore = "takes 60 minutes: whole experiments"]
fn manual_commands_print_what_was_obtained() {
    run(When::Rarely);
}
