//! Who shows warnings about games, and how.

use crate::{Ran, run_in};

/// A puzzle with a move that can't be made, and one that names another orbit.
const GAPS: &str = include_str!("../cmd/import.in/gap.json");

/// Run in a folder with a file of a game.
fn with_file(text: &str, words: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("game.psvn"), text).unwrap();
    run_in(folder.path(), words)
}

/// Two lamps. The rules 3 to 6 are copies, and the first one misspells a value.
const LAMPS: &str = "DOMAIN lamp 2 off on\n2 lamp lamp\n\
    of - => on -\non - => off -\n- off => - on\n- off => - on\n- off => - on\n- off => - on\n- on => - off\n\
    GOAL on on\n";

#[test]
fn warnings_are_shown_by_check_and_on_request() {
    for words in [
        &["show", "game.psvn"][..],
        &["analyze", "game.psvn", "-L", "2"],
        &["tree", "game.psvn", "-d", "2"],
        &["solve", "game.psvn", "--start", "off off"],
        &["explain", "game.psvn", "rule_1"],
        &["pdb", "game.psvn", "--pattern", "keep on"],
    ] {
        let ran = with_file(LAMPS, words);
        assert_eq!(ran.status, Some(0), "{words:?}: {}", ran.stderr);
        // One line says that there are some.
        assert!(
            !ran.stderr.contains("warning["),
            "{words:?}: {}",
            ran.stderr
        );
        let said = "warning: game.psvn: 2 warnings; `psvn check FILE` shows them\n";
        assert_eq!(
            ran.stderr.matches(said).count(),
            1,
            "{words:?}: {}",
            ran.stderr
        );
        let ran = with_file(LAMPS, &[words, &["-q"]].concat());
        assert!(!ran.stderr.contains("warning"), "{words:?}: {}", ran.stderr);
        let ran = with_file(LAMPS, &[words, &["-v"]].concat());
        assert!(
            ran.stderr.contains("warning[symbol-near-value]"),
            "{words:?}: {}",
            ran.stderr
        );
    }
}

#[test]
fn warnings_with_one_cause_are_merged_into_one() {
    let ran = with_file(LAMPS, &["check", "game.psvn"]);
    assert_eq!(ran.status, Some(0));
    assert_eq!(ran.stderr.matches("warning[duplicate-rule]").count(), 1);
    assert!(
        ran.stderr
            .contains("note: 2 more of this kind, in lines 7, 8"),
        "{}",
        ran.stderr
    );
    let ran = with_file(LAMPS, &["check", "-v", "game.psvn"]);
    assert_eq!(ran.stderr.matches("warning[duplicate-rule]").count(), 3);
    assert!(!ran.stderr.contains("more of this kind"), "{}", ran.stderr);
    let ran = with_file(LAMPS, &["check", "game.psvn", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let found = report["diagnostics"].as_array().unwrap();
    let duplicate = found
        .iter()
        .find(|found| found["code"] == "duplicate-rule")
        .unwrap();
    assert_eq!(duplicate["count"], 3);
    assert_eq!(duplicate["others"][1]["line"], 8);
    assert_eq!(report["warnings"], found.len());
}

#[test]
fn games_without_warnings_and_large_ones_are_read_in_silence() {
    let lamps = LAMPS.replace("of -", "off -");
    let ran = with_file(&lamps, &["show", "game.psvn"]);
    assert!(
        ran.stderr.contains("1 warning; `psvn check FILE` shows it"),
        "{}",
        ran.stderr
    );
    let row = "- off => - on\n";
    let lamps = lamps.replace(&row.repeat(4), row);
    assert_eq!(with_file(&lamps, &["show", "game.psvn"]).stderr, "");
    // 11,000 copies of a rule: looking for warnings would take longer than reading them.
    let row = "off - => on -\n";
    let ran = with_file(
        &format!(
            "DOMAIN lamp 2 off on\n2 lamp lamp\n{}GOAL on on\n",
            row.repeat(11_000)
        ),
        &["tree", "game.psvn", "-d", "0", "--prune", "none"],
    );
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
}

#[test]
fn all_warnings_about_one_rule_are_one_block() {
    let text = domains::generate_reference("sliding-tiles:3:3").unwrap();
    let right = "- - - - - 0 - - X => - - - - - X - - 0 LABEL D";
    let wrong = "- - - - - 0 X - - => - - - - - X 0 - - LABEL D";
    assert!(text.contains(right));
    let ran = with_file(&text.replace(right, wrong), &["check", "game.psvn"]);
    assert_eq!(ran.stderr.matches("warning[").count(), 1, "{}", ran.stderr);
    assert_eq!(ran.stderr.matches(wrong).count(), 1, "{}", ran.stderr);
    for code in [
        "warning[no-inverse]",
        "odd-one-out:",
        "irregular-grid:",
        "broken-symmetry:",
    ] {
        assert!(ran.stderr.contains(code), "{code}: {}", ran.stderr);
    }
    assert!(ran.stdout.contains("4 warnings"), "{}", ran.stdout);
    // The innocent rule is only named.
    assert!(
        ran.stderr.contains("1 more of this kind, in line 26"),
        "{}",
        ran.stderr
    );
}

#[test]
fn comment_lines_with_a_meaning_are_checked() {
    let lamps = "2 2 2\n0 - => 1 -\n1 - => 0 -\n- 0 => - 1\n- 1 => - 0\nGOAL 1 1\n";
    for (comment, said) in [
        ("# strat: 0 0", "did you mean `start:`?"),
        ("# start: 0", "the declared start isn't a state"),
        ("# layout: row 1 columns 2", "did you mean `rows`?"),
        (
            "# layout: rows 2 columns 2",
            "the board has 4 places, and the game has 2 variables",
        ),
    ] {
        let ran = with_file(&format!("{comment}\n{lamps}"), &["check", "game.psvn"]);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        assert!(ran.stderr.contains(said), "{comment}: {}", ran.stderr);
        assert!(
            ran.stderr.contains("game.psvn:1:"),
            "{comment}: {}",
            ran.stderr
        );
    }
    let ran = with_file(&format!("# start: 0 0\n{lamps}"), &["check", "game.psvn"]);
    assert_eq!(ran.stderr, "");
}

/// Marks on two squares in turn: nobody takes a mark back.
const MARKS: &str =
    "3 2 3 3\n0 0 - => 1 1 -\n0 - 0 => 1 - 1\n1 0 - => 0 2 -\n1 - 0 => 0 - 2\nGOAL - 1 2\n";
/// One thing after the other is rowed over a river.
const BOAT: &str = "3 2 2 2\n0 0 - => 1 1 -\n1 1 - => 0 0 -\n0 - 0 => 1 - 1\n1 - 1 => 0 - 0\n\
    1 - - => 0 - -\n0 - - => 1 - -\nGOAL 1 1 1\n";

#[test]
fn the_number_of_players_is_asked_for_once() {
    let check = |text: &str| with_file(text, &["check", "game.psvn"]).stderr;
    assert!(
        check(MARKS).contains("warning[two-players]"),
        "{}",
        check(MARKS)
    );
    assert!(!check(BOAT).contains("two-players"), "{}", check(BOAT));
    for players in [1, 2] {
        let text = format!("# players: {players}\n{MARKS}");
        assert!(!check(&text).contains("two-players"));
        let ran = with_file(&text, &["analyze", "game.psvn", "-L", "2"]);
        assert_eq!(
            ran.stderr.contains("is a game of two players"),
            players == 2,
            "{}",
            ran.stderr
        );
    }
    // Without such a line other commands say nothing, and `play` goes by the rules.
    for text in [MARKS, BOAT] {
        let ran = with_file(text, &["analyze", "game.psvn", "-L", "2"]);
        assert!(!ran.stderr.contains("two players"), "{}", ran.stderr);
    }
    let ran = with_file(
        MARKS,
        &["play", "game.psvn", "--start", "0 0 0", "--ply", "2"],
    );
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
}

#[test]
fn a_machine_of_labels_is_measured_by_the_rules_that_can_follow() {
    let game = "gen:sliding-tiles:3:3";
    let folder = tempfile::tempdir().unwrap();
    let at = |words: &[&str]| run_in(folder.path(), words);
    let factor = |words: &[&str]| {
        let ran = at(words);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        report["branching_factor"].as_f64().unwrap()
    };
    for (file, operators) in [("labels.fsm", "labels"), ("rules.fsm", "rules")] {
        let words = [
            "analyze",
            game,
            "-L",
            "2",
            "--operators",
            operators,
            "-o",
            file,
        ];
        assert_eq!(at(&words).status, Some(0));
    }
    // Both forbid to go straight back, and nothing else.
    let labels = ["fsm", "labels.fsm", "--game", game, "--format", "json"];
    let rules = ["fsm", "rules.fsm", "--game", game, "--format", "json"];
    assert!((factor(&labels) - factor(&rules)).abs() < 1e-6);
    assert!(factor(&labels) < 2.0, "{}", factor(&labels));
    assert!(
        factor(
            &labels[..2]
                .iter()
                .chain(&labels[4..])
                .copied()
                .collect::<Vec<_>>()
        ) > 2.9
    );
    let text = at(&["fsm", "labels.fsm", "--game", game]).stdout;
    assert!(
        text.contains("of sequences of rules whose neighbors can follow each other"),
        "{text}"
    );
    assert!(!text.contains("--game"), "{text}");
    for form in [
        &["--dot"][..],
        &["--svg"],
        &["--svg", "--trie"],
        &["--dot", "--trie"],
    ] {
        let ran = at(&[&["fsm", "labels.fsm", "--game", game], form].concat());
        assert_eq!(ran.status, Some(0), "{form:?}: {}", ran.stderr);
        assert!(
            ran.stdout.contains('U') && ran.stdout.contains('L'),
            "{form:?}"
        );
    }
}

/// Results for a game are none for the original where something was left out.
#[test]
fn every_command_says_what_an_import_leaves_out() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("gap.json"), GAPS).unwrap();
    for words in [
        &["solve", "gap.json", "--scramble", "T R"][..],
        &["explore", "gap.json"],
        &["tree", "gap.json", "--scramble", "T", "-d", "2"],
        &["analyze", "gap.json", "-L", "2"],
        &["show", "gap.json"],
        &["check", "gap.json"],
        &["import", "kpuzzle", "gap.json"],
        &["apply", "gap.json", "T R"],
        &["gen-instances", "gap.json", "--count", "2"],
        &["pdb", "gap.json", "--pattern", "keep 0 1"],
        &["compose", "gap.json", "T", "R"],
    ] {
        let ran = run_in(folder.path(), words);
        assert_eq!(ran.status, Some(0), "{words:?}: {}", ran.stderr);
        for code in ["kpuzzle-orbit", "kpuzzle-derived"] {
            let warning = format!("warning[{code}]");
            assert_eq!(
                ran.stderr.matches(&warning).count(),
                1,
                "{words:?}: {}",
                ran.stderr
            );
        }
    }
}
