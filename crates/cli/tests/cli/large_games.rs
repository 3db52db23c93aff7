//! Games that are too large for something: limits hold from the first byte on, and nothing panics.

use std::fmt::Write;

use crate::{Ran, run, run_with_input};

/// A rule with six unbound symbols of six values each: 46,656 rules for each line.
fn unbound(n_lines: usize) -> String {
    let mut text = "12\n6 6 6 6 6 6 6 6 6 6 6 6\n".to_owned();
    for _ in 0..n_lines {
        writeln!(text, "- - - - - - A B C D E F => G H I J K L - - - - - -").unwrap();
    }
    text + "GOAL 0 0 0 0 0 0 0 0 0 0 0 0\n"
}

#[test]
fn too_many_rules_are_refused_by_all_commands() {
    let text = unbound(30);
    let start = ["--start", "0 0 0 0 0 0 0 0 0 0 0 0"];
    let commands: [&[&str]; 5] = [
        &["check", "-"],
        &["show", "-"],
        &["tree", "-", "--depth", "1"],
        &["solve", "-", start[0], start[1]],
        &["analyze", "-", "-L", "1"],
    ];
    for words in commands {
        let Ran { status, stderr, .. } = run_with_input(words, text.as_bytes());
        assert_eq!(status, Some(4), "{words:?}: {stderr}");
        let said = "rule `rule_22` expands to 46,656 rules: with it the game has 1,026,432 rules, and the \
                    limit is 1,000,000";
        assert!(stderr.contains(said), "{words:?}: {stderr}");
        assert!(stderr.contains(":24:"), "{words:?}: {stderr}");
    }
    for words in [
        &["solve", "-", start[0], start[1], "--memory", "20M"][..],
        &["analyze", "-", "-L", "1", "--memory", "20M"],
        &["pdb", "-", "--pattern", "keep 1", "--memory", "20M"],
    ] {
        let Ran { status, stderr, .. } = run_with_input(words, text.as_bytes());
        assert_eq!(status, Some(4), "{words:?}: {stderr}");
        assert!(
            stderr.contains("the rules need about"),
            "{words:?}: {stderr}"
        );
        assert!(
            stderr.contains("`--memory` may allow more"),
            "{words:?}: {stderr}"
        );
    }
}

#[test]
fn reading_ends_when_the_time_runs_out() {
    let Ran { status, stderr, .. } = run_with_input(
        &[
            "solve",
            "-",
            "--start",
            "0 0 0 0 0 0 0 0 0 0 0 0",
            "--time",
            "1ms",
        ],
        unbound(20).as_bytes(),
    );
    assert_eq!(status, Some(4), "{stderr}");
    assert!(
        stderr.contains("the time ran out before the game was read"),
        "{stderr}"
    );
}

/// A planning task with `n` lamps that one operator changes, each by the lamp after it: a rule for
/// each of the 2^n states.
fn lamps(n: usize) -> String {
    let variables: String = (0..n)
        .map(|i| {
            format!("begin_variable\nvar{i}\n-1\n2\nAtom off({i})\nAtom on({i})\nend_variable\n")
        })
        .collect();
    let effects: String = (0..n)
        .map(|i| format!("1 {} 1 {i} -1 0\n", (i + 1) % n))
        .collect();
    format!(
        "begin_version\n3\nend_version\nbegin_metric\n0\nend_metric\n{n}\n{variables}0\nbegin_state\n{}\
         end_state\nbegin_goal\n1\n0 0\nend_goal\n1\nbegin_operator\nswitch\n0\n{n}\n{effects}1\n\
         end_operator\n0\n",
        "1\n".repeat(n)
    )
}

#[test]
fn imports_keep_the_limits_of_all_commands() {
    let text = lamps(48);
    for words in [
        &["solve", "-"][..],
        &["explore", "-"],
        &["tree", "-", "--depth", "1"],
        &["analyze", "-", "-L", "1"],
        &["pdb", "-", "--pattern", "keep 1"],
    ] {
        let words = [words, &["--memory", "20M"]].concat();
        let Ran { status, stderr, .. } = run_with_input(&words, text.as_bytes());
        assert_eq!(status, Some(4), "{words:?}: {stderr}");
        for said in [
            "reading this task takes more memory than the limit of 20.0 MiB",
            "operator `switch` needs more",
            "`--memory` may allow more",
        ] {
            assert!(stderr.contains(said), "{words:?}: {stderr}");
        }
    }
    for words in [
        &["solve", "-", "--time", "1ms"][..],
        &["explore", "-", "--time", "1ms"],
        &["tree", "-", "--depth", "1", "--time", "1ms"],
    ] {
        let Ran { status, stderr, .. } = run_with_input(words, text.as_bytes());
        assert_eq!(status, Some(4), "{words:?}: {stderr}");
        assert!(stderr.contains("the time ran out"), "{words:?}: {stderr}");
    }
}

/// Fifty thousand variables are more than an analysis can number.
#[test]
fn games_of_very_many_variables_are_searched_without_pruning() {
    const N: usize = 50_000;
    let rest = "- ".repeat(N - 1);
    let text = format!(
        "{N}\n{}\n0 {rest}=> 1 {rest}\n1 {rest}=> 0 {rest}\nGOAL 1 {rest}\n",
        "2 ".repeat(N)
    );
    let Ran { status, stderr, .. } =
        run_with_input(&["analyze", "-", "--invariants", "none"], text.as_bytes());
    assert_eq!(status, Some(4), "{stderr}");
    assert!(
        stderr.contains("the game has too many variables"),
        "{stderr}"
    );
    let start = "0 ".repeat(N);
    let words = ["solve", "-", "--start", &start, "-a", "bfs"];
    let Ran {
        status,
        stdout,
        stderr,
    } = run_with_input(&words, text.as_bytes());
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stdout.contains("solved in 1 move"), "{stdout}");
    let words = ["solve", "-", "--start", &start, "-a", "dfid"];
    let Ran {
        status,
        stdout,
        stderr,
    } = run_with_input(&words, text.as_bytes());
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stdout.contains("solved in 1 move"), "{stdout}");
    assert!(stderr.contains("nothing is pruned"), "{stderr}");
}

/// A rule that changes nothing counts, is warned of once, and is redundant.
#[test]
fn rules_that_change_nothing_are_kept_and_redundant() {
    let text = "2\n2 2\n0 - => 1 -\nA B => A B\n1 - => 0 -\n- 0 => - 0\n- - => - -\nGOAL 0 0\n";
    let Ran { stderr, .. } = run_with_input(&["check", "-"], text.as_bytes());
    assert_eq!(stderr.matches("no-op-rule").count(), 1, "{stderr}");
    assert!(stderr.contains("2 more of this kind"), "{stderr}");
    assert!(!stderr.contains("duplicate-rule"), "{stderr}");
    let words = [
        "tree", "-", "--start", "0 0", "--depth", "3", "-L", "0,1", "--format", "json",
    ];
    let Ran {
        status,
        stdout,
        stderr,
    } = run_with_input(&words, text.as_bytes());
    assert_eq!(status, Some(0), "{stderr}");
    let report: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let nodes = |column: usize| report["columns"][column]["nodes"].clone();
    assert_eq!(nodes(0), serde_json::json!([1, 3, 9, 27]));
    assert_eq!(nodes(1), serde_json::json!([1, 1, 1, 1]));
    let words = ["analyze", "-", "-L", "1", "--format", "json"];
    let Ran { stdout, .. } = run_with_input(&words, text.as_bytes());
    let report: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(report["rules"], 4);
    assert_eq!(report["redundant_words"], 2);
    for algorithm in [
        "ida",
        "dfid",
        "bfs",
        "astar",
        "bidirectional",
        "ida-table",
        "dfbnb",
        "ucs",
    ] {
        for prune in ["none", "parent", "2"] {
            if algorithm != "dfid" && algorithm != "ida" && prune == "parent" {
                continue;
            }
            let words = [
                "solve", "-", "--start", "1 0", "-a", algorithm, "--prune", prune,
            ];
            let Ran {
                status,
                stdout,
                stderr,
            } = run_with_input(&words, text.as_bytes());
            // Searches that detect duplicates by state take no machine.
            if status == Some(2) {
                continue;
            }
            assert_eq!(status, Some(0), "{words:?}: {stderr}");
            assert!(stdout.contains("solved in 1 move"), "{words:?}: {stdout}");
        }
    }
}

/// A game may have more symmetries than a search can use: then it is searched without them.
#[test]
fn a_game_with_too_many_symmetries_is_searched_without_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("switches.psvn");
    // Any of 7 switches may take the place of any other one: 5,040 symmetries.
    let turned_on = |switch: usize| {
        let row = |value: &str| {
            let entries = (0..7).map(|it| if it == switch { value } else { "-" });
            entries.collect::<Vec<_>>().join(" ")
        };
        format!("{} => {}\n", row("0"), row("1"))
    };
    let rules: String = (0..7).map(turned_on).collect();
    let text = format!("7\n{}\n{rules}GOAL {}\n", "2 ".repeat(7), "1 ".repeat(7));
    std::fs::write(&file, text).unwrap();
    let starts = folder.path().join("starts.txt");
    std::fs::write(&starts, "0 0 0 0 0 0 0\n1 0 0 1 0 0 1\n").unwrap();
    let words = ["solve", file.to_str().unwrap(), "--algorithm", "ucs"];
    let instances = ["--symmetries", "--instances", starts.to_str().unwrap()];
    let ran = run(&[&words[..], &instances].concat());
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(
        ran.stdout.contains("2 of 2 instances solved"),
        "{}",
        ran.stdout
    );
    let note = "more than 1024 symmetries, so the search doesn't use them";
    assert_eq!(ran.stderr.matches(note).count(), 1, "{}", ran.stderr);
}
