//! Rules run backward: analyses, trees, and searches from both sides.

use std::path::Path;

use serde_json::Value;

use crate::run_in;

fn json(folder: &Path, words: &[&str]) -> Value {
    let ran = run_in(folder, &[words, &["--format", "json"]].concat());
    assert_eq!(ran.status, Some(0), "{words:?}: {}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

/// One way only: a counter that can be reset from anywhere. Backward, the reset leads to all
/// values.
const COUNTER: &str = "\
2  4 2
0 - => 1 -  LABEL up    1 - => 2 -  LABEL up    2 - => 3 -  LABEL up
A B => 0 B  LABEL reset
- 0 => - 1  LABEL flip  - 1 => - 0  LABEL flip
GOAL 0 0
";

#[test]
fn machines_of_backward_rules_are_proved_and_used() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::write(at.join("counter.psvn"), COUNTER).unwrap();
    for game in ["counter.psvn", "gen:hanoi:3:3"] {
        let analysis = json(
            at,
            &["analyze", game, "-L", "3", "--backward", "-o", "back.fsm"],
        );
        assert!(analysis["redundant_words"].as_u64() > Some(0));
        let proof = json(at, &["verify", game, "back.fsm", "--backward"]);
        assert_eq!(proof["valid"], Value::from(true));
        let words = [
            "tree",
            game,
            "--backward",
            "--max-length",
            "0,3",
            "-p",
            "back.fsm",
            "-d",
            "6",
        ];
        let tree = json(at, &words);
        let columns = tree["columns"].as_array().unwrap();
        // Machines of files come first.
        assert_eq!(columns[0]["nodes"], columns[2]["nodes"], "{tree:#}");
        assert_ne!(columns[1]["nodes"], columns[2]["nodes"]);
    }
    // Forward it is another game.
    assert_eq!(
        run_in(at, &["verify", "counter.psvn", "back.fsm"]).status,
        Some(3)
    );
}

#[test]
fn searches_from_both_sides_find_the_same_costs() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::write(at.join("counter.psvn"), COUNTER).unwrap();
    let games = [
        ("gen:sliding-tiles:3:3", "8 1 3 4 0 2 7 6 5", "manhattan"),
        ("gen:pancake:7", "5 2 7 1 4 6 3", "gap"),
        ("gen:pancake:6", "4 6 2 5 1 3", "zero"),
        ("counter.psvn", "3 1", "zero"),
    ];
    for (game, start, heuristic) in games {
        let solve = |more: &[&str]| {
            let words = ["solve", game, "--start", start, "--heuristic", heuristic];
            let answer = json(at, &[&words[..], more].concat());
            (
                answer["cost"].as_u64().unwrap(),
                answer["generated"].as_u64().unwrap(),
            )
        };
        let plain = solve(&["--prune", "2"]);
        for radius in ["0", "1", "4"] {
            for more in [
                &["--prune", "3"][..],
                &["--prune", "none"],
                &["--algorithm", "dfbnb"],
            ] {
                let both = solve(&[&["--perimeter", radius], more].concat());
                assert_eq!(both.0, plain.0, "{game}, {radius}, {more:?}");
            }
        }
        let nearer = solve(&["--prune", "2", "--perimeter", "4"]);
        assert_eq!(nearer.0, plain.0);
        // With a good estimate, bounds that the perimeter adds may cost more than it saves.
        if heuristic == "zero" {
            assert!(nearer.1 < plain.1, "{game}: {nearer:?}, {plain:?}");
        }
    }
    let words = [
        "solve",
        "gen:pancake:7",
        "--start",
        "5 2 7 1 4 6 3",
        "--perimeter",
        "3",
    ];
    let refused = run_in(at, &[&words[..], &["--algorithm", "astar"]].concat());
    assert_eq!(refused.status, Some(2));
    assert!(
        refused.stderr.contains("takes no `--perimeter`"),
        "{}",
        refused.stderr
    );
    let full = run_in(at, &[&words[..], &["--memory", "200B"]].concat());
    assert_eq!(full.status, Some(4), "{}", full.stderr);
}
