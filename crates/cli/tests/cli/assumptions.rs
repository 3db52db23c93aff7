//! What an analysis assumes of states, and that nobody uses it for others.

use serde_json::Value;

use crate::{run, run_in, run_with_input};

/// What an analysis assumes, and where it comes from.
fn assumed(words: &[&str]) -> (String, Vec<String>) {
    let ran = run(&[&["analyze", "--format", "json"], words].concat());
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let value: Value = serde_json::from_str(&ran.stdout).unwrap();
    let source = value["assumed_of"].as_str().unwrap().to_owned();
    let lines = value["assumed_invariants"].as_array().unwrap();
    let text = |line: &Value| line.as_str().unwrap().to_owned();
    (source, lines.iter().map(text).collect())
}

#[test]
fn the_invariants_of_the_goal_are_assumed_unless_there_are_starts() {
    let game = "gen:sliding-tiles:2:3";
    let (source, of_goal) = assumed(&[game]);
    assert_eq!((source.as_str(), of_goal.len()), ("goal", 6));
    assert!(of_goal.contains(&"exactly 1 of variables 1-6 holds 0".to_owned()));
    assert_eq!(assumed(&[game, "--invariants", "goal"]).1, of_goal);
    assert_eq!(
        assumed(&[game, "--invariants", "none"]),
        ("none".to_owned(), vec![])
    );

    let (source, of_start) = assumed(&[game, "--start", "0 0 1 2 3 4"]);
    assert_eq!(source, "start");
    assert!(
        of_start.contains(&"exactly 2 of variables 1-6 hold 0".to_owned()),
        "{of_start:?}"
    );
    assert_eq!(
        assumed(&[game, "--start", "0 0 1 2 3 4", "--invariants", "start"]).1,
        of_start
    );

    // Only what holds for all starts.
    let folder = tempfile::tempdir().unwrap();
    let starts = folder.path().join("starts.txt");
    std::fs::write(&starts, "0 0 1 2 3 4\n# and\nb: 0 0 5 2 3 4 = 9\n").unwrap();
    let (source, of_both) = assumed(&[game, "--instances", starts.to_str().unwrap()]);
    assert_eq!(source, "start");
    let common: Vec<String> = of_start
        .iter()
        .filter(|line| {
            !line.contains("holds 1") && !line.contains("holds 5") && !line.contains(" 5")
        })
        .cloned()
        .collect();
    assert!(!common.is_empty());
    for line in common {
        assert!(of_both.contains(&line), "{line} is not in {of_both:?}");
    }
    assert!(!of_both.contains(&"exactly 1 of variables 1-6 holds 1".to_owned()));
}

#[test]
fn without_a_goal_nothing_is_assumed() {
    let game = b"2  2 2\n0 1 => 1 0 LABEL a\n1 0 => 0 1 LABEL b\n";
    let ran = run_with_input(&["analyze", "-"], game);
    assert_eq!(ran.status, Some(0));
    let note = "note: <stdin> has no goal, so nothing is assumed of states; `--start` gives one\n";
    assert!(ran.stderr.ends_with(note), "{}", ran.stderr);
    assert!(
        ran.stdout.contains("no invariants assumed"),
        "{}",
        ran.stdout
    );
    assert_eq!(run_with_input(&["analyze", "-q", "-"], game).stderr, "");
    let none = ["analyze", "-", "--invariants", "none"];
    assert!(!run_with_input(&none, game).stderr.contains("note"));
    let ran = run_with_input(&["analyze", "-", "--invariants", "goal"], game);
    assert_eq!(ran.status, Some(3));
    assert!(ran.stderr.contains("has no goal"), "{}", ran.stderr);
}

#[test]
fn a_start_that_breaks_what_was_assumed_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |words: &[&str]| run_in(folder.path(), words);
    let game = "gen:sliding-tiles:2:3";
    let analyzed = at(&["analyze", game, "-L", "6", "-o", "m.fsm"]);
    assert_eq!(analyzed.status, Some(0), "{}", analyzed.stderr);
    assert!(analyzed.stdout.contains("6 invariants of the goal assumed"));
    let described = at(&["fsm", "m.fsm", "--format", "json"]).stdout;
    let described: Value = serde_json::from_str(&described).unwrap();
    assert_eq!(described["assumed_invariants"].as_array().unwrap().len(), 6);

    let solve = |start: &str| {
        let words = ["solve", game, "--start", start, "--prune", "m.fsm"];
        at(&[&words[..], &["--search-anyway"]].concat())
    };
    assert_eq!(solve("1 2 0 3 4 5").status, Some(0));
    let refused = solve("1 2 0 3 4 0");
    assert_eq!(refused.status, Some(3));
    assert!(
        refused.stderr.contains("occurs 2 times"),
        "{}",
        refused.stderr
    );
    // A machine that assumes nothing serves every start, and one for that start serves it.
    for options in [&["--invariants", "none"][..], &["--start", "1 2 0 3 4 0"]] {
        let words = [&["analyze", game, "-L", "4", "-o", "m.fsm"], options].concat();
        assert_eq!(at(&words).status, Some(0));
        let solved = at(&[
            "solve",
            game,
            "--start",
            "1 2 0 3 4 0",
            "--prune",
            "m.fsm",
            "--algorithm",
            "dfs",
            "--depth",
            "4",
        ]);
        // It has no solution, or none that close: the machine is not what is wrong.
        assert!(matches!(solved.status, Some(1 | 4)), "{}", solved.stderr);
    }
}
