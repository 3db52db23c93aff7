//! Results as texts and as tables: what holds for all of them.

use crate::{folder, psvn, run_in};

/// Commands that print a result, with its number of columns in CSV; 0 where it isn't a table.
const RESULTS: [(&str, usize); 11] = [
    ("show gen:topspin:6:3", 8),
    ("analyze gen:topspin:6:3 -L 3 --split auto", 5),
    ("analyze gen:topspin:6:3 -L 2 --ideal 4", 3),
    ("fsm tiles.fsm --game gen:sliding-tiles:2:3", 0),
    ("verify tiles.fsm --game gen:sliding-tiles:2:3", 0),
    ("explain gen:sliding-tiles:2:3 R#1 R#1", 0),
    ("compose gen:sliding-tiles:2:3 R#1 R#1", 0),
    ("tree gen:pancake:5 -d 4 -L 0 -L 2", 3),
    ("pdb gen:sliding-tiles:2:3 'keep 0 1 2'", 3),
    ("gen --list", 4),
    ("explore gen:pancake:5", 4),
];

#[test]
fn more_is_shown_on_request_and_rows_have_a_field_for_each_column() {
    let folder = folder();
    let made = run_in(
        folder.path(),
        &[
            "analyze",
            "gen:sliding-tiles:2:3",
            "-L",
            "3",
            "-o",
            "tiles.fsm",
        ],
    );
    assert_eq!(made.status, Some(0), "{}", made.stderr);
    for (line, n_columns) in RESULTS {
        let words = crate::split(line);
        let run = |more: &[&str]| {
            let mut words = Vec::from_iter(words.iter().map(String::as_str));
            words.extend(more);
            let output = psvn(&words).current_dir(folder.path()).output();
            crate::Ran::from(output.unwrap())
        };
        let (brief, full) = (run(&[]), run(&["-v"]));
        assert_eq!(brief.status, Some(0), "{line}: {}", brief.stderr);
        assert!(brief.stdout.ends_with('\n'), "{line}: {}", brief.stdout);
        let n_lines = |ran: &crate::Ran| ran.stdout.lines().count();
        assert!(n_lines(&full) >= n_lines(&brief), "{line}: {}", full.stdout);
        let table = run(&["--format", "csv"]);
        if n_columns == 0 {
            assert_ne!(table.status, Some(0), "{line}: {}", table.stdout);
            continue;
        }
        let mut rows = csv(&table.stdout);
        assert!(rows.len() > 1, "{line}: {}", table.stdout);
        rows.retain(|row| row.len() != n_columns);
        assert!(rows.is_empty(), "{line}: {rows:?}");
    }
}

/// The fields of each row.
fn csv(text: &str) -> Vec<Vec<String>> {
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

#[test]
fn a_series_is_shown_with_its_problems_and_its_end() {
    let folder = folder();
    let instances = "near: 1 0 2 3 4 5\nodd: 0 1 2 3 5 4\nwrong: 1 2 0 3 4 5 | 1\n";
    std::fs::write(folder.path().join("starts.txt"), instances).unwrap();
    let game = "gen:sliding-tiles:2:3";
    let ran = run_in(
        folder.path(),
        &["solve", game, "--instances", "starts.txt", "--stats"],
    );
    let text = &ran.stdout;
    assert!(
        text.contains("odd: 0 1 2 3 5 4\n  no solution exists: "),
        "{text}"
    );
    assert!(text.contains("\n2 of 3 instances solved; "), "{text}");
}

#[test]
fn look_ups_and_misses_are_shown_for_each_search_and_for_all() {
    let folder = folder();
    std::fs::write(
        folder.path().join("starts.txt"),
        "1 0 2 3 4 5\n3 1 2 0 4 5\n",
    )
    .unwrap();
    let table = "pdb(keep 0 1 2)";
    let words = [
        "solve",
        "gen:sliding-tiles:2:3",
        "--instances",
        "starts.txt",
    ];
    let words = [&words[..], &["--stats", "--heuristic", table]].concat();
    let ran = run_in(folder.path(), &words);
    let text = &ran.stdout;
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    // Both instances, and the sum.
    assert_eq!(text.matches(" a node").count() / 2, 3, "{text}");
    let reasons = text.matches("cache misses: not counted, since ").count();
    let counts = text.matches("cache misses: ").count() - reasons;
    assert!(
        (counts, reasons) == (3, 0) || (counts, reasons) == (0, 1),
        "{text}"
    );
}
