//! Results as texts and as tables: what holds for all of them.

use crate::{Ran, run_line};

/// Commands whose results are tables as well.
const TABLES: [&str; 5] = [
    "show gen:topspin:6:3",
    "analyze gen:topspin:6:3 -L 3 --split auto",
    "tree gen:pancake:5 --depth 4 --prune none,2",
    "gen --list",
    "explore gen:pancake:5",
];

#[test]
fn more_is_shown_on_request_and_rows_have_a_field_for_each_column() {
    let folder = crate::folder();
    for line in TABLES {
        let run = |more: &str| run_line(folder.path(), &format!("{line}{more}"));
        let (brief, full) = (run(""), run(" -v"));
        assert_eq!(brief.status, Some(0), "{line}: {}", brief.stderr);
        let n_lines = |ran: &Ran| ran.stdout.lines().count();
        assert!(n_lines(&full) >= n_lines(&brief), "{line}: {}", full.stdout);
        let table = run(" --format csv").stdout;
        let widths: Vec<usize> = rows(&table).iter().map(Vec::len).collect();
        assert!(widths.len() > 1, "{line}: {table}");
        assert!(widths.iter().all(|n| *n == widths[0]), "{line}: {table}");
    }
}

/// The fields of each row.
fn rows(text: &str) -> Vec<Vec<String>> {
    let mut rows = vec![vec![String::new()]];
    let mut is_quoted = false;
    for c in text.trim_end().chars() {
        let row = rows.last_mut().unwrap();
        match c {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => row.push(String::new()),
            '\n' if !is_quoted => rows.push(vec![String::new()]),
            c => row.last_mut().unwrap().push(c),
        }
    }
    rows
}
