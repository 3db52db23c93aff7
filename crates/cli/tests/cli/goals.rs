//! Machines for searches for goals: what they leave out of account, and who refuses them.

use std::path::Path;

use serde_json::Value;

use crate::{Ran, run_in};

/// A walk on a board of 3 x 3. The third variable remembers the last direction; nothing looks at
/// it.
const WALK: &str = "\
3  3 3 4
0 - - => 1 - 0 LABEL E
1 - - => 2 - 0 LABEL E
2 - - => 1 - 1 LABEL W
1 - - => 0 - 1 LABEL W
- 0 - => - 1 2 LABEL N
- 1 - => - 2 2 LABEL N
- 2 - => - 1 3 LABEL S
- 1 - => - 0 3 LABEL S
GOAL 2 2 -
";

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr))
}

fn analyze(folder: &Path, more: &[&str]) -> Value {
    // The searches below start where the invariants of the goal don't hold.
    let words = [
        "analyze",
        "walk.psvn",
        "-L",
        "3",
        "--invariants",
        "none",
        "--format",
        "json",
    ];
    json(&run_in(folder, &[&words, more].concat()))
}

#[test]
fn variables_that_no_goal_tests_are_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::write(at.join("walk.psvn"), WALK).unwrap();
    let plain = analyze(at, &[]);
    assert!(plain.get("ignored_variables").is_none());
    let for_goals = analyze(at, &["--for", "goals", "-o", "goals.fsm"]);
    assert_eq!(for_goals["ignored_variables"], serde_json::json!([3]));
    // Shorter words leave out more.
    let growth = |analysis: &Value| analysis["branching_factor"].as_f64().unwrap();
    assert!(growth(&for_goals) < growth(&plain));
    // Proved by other code.
    let verified = run_in(at, &["verify", "walk.psvn", "goals.fsm"]);
    assert_eq!(
        verified.status,
        Some(0),
        "{}{}",
        verified.stdout,
        verified.stderr
    );

    // A search for a goal leaves it out by itself, and finds what others find.
    let solve = |pruned: &str| {
        let words = [
            "solve",
            "walk.psvn",
            "--start",
            "0 0 0",
            "--format",
            "json",
            "--prune",
        ];
        let ran = run_in(at, &[&words[..], &[pruned]].concat());
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        let solved = json(&ran);
        (solved["cost"].as_u64(), solved["generated"].as_u64())
    };
    let unpruned = solve("none");
    assert_eq!(unpruned.0, Some(4));
    assert_eq!(solve("3"), solve("goals.fsm"));
    assert_eq!(solve("3").0, unpruned.0);
    assert!(solve("3").1 < unpruned.1);

    // A tree is of all states.
    let tree = |more: &[&str]| {
        let words = ["tree", "walk.psvn", "--start", "0 0 0", "--depth", "4"];
        run_in(at, &[&words[..], more].concat())
    };
    assert_eq!(tree(&["--max-length", "0,2"]).status, Some(0));
    let refused = tree(&["--prune", "goals.fsm"]);
    assert_eq!(refused.status, Some(3), "{}", refused.stdout);
    assert!(
        refused.stderr.contains("serves searches for goals"),
        "{}",
        refused.stderr
    );
}

#[test]
fn other_goals_are_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::write(at.join("walk.psvn"), WALK).unwrap();
    analyze(at, &["--for", "goals", "-o", "goals.fsm"]);
    // Rules and their fingerprint are the same. The first goal doesn't look at it either.
    let other = WALK.replace("GOAL 2 2 -", "GOAL 2 1 -");
    std::fs::write(at.join("other.psvn"), other).unwrap();
    let picky = WALK.replace("GOAL 2 2 -", "GOAL 2 2 2");
    std::fs::write(at.join("picky.psvn"), picky).unwrap();
    let solve = |game: &str| {
        let words = ["solve", game, "--start", "0 0 0", "--prune", "goals.fsm"];
        run_in(at, &words)
    };
    assert_eq!(solve("other.psvn").status, Some(0));
    let refused = solve("picky.psvn");
    assert_eq!(refused.status, Some(3), "{}", refused.stdout);
    assert!(
        refused.stderr.contains("goal 1 tests variable 3"),
        "{}",
        refused.stderr
    );
    let verified = run_in(at, &["verify", "picky.psvn", "goals.fsm"]);
    assert_eq!(verified.status, Some(1), "{}", verified.stderr);
    assert!(
        verified.stdout.contains("goal 1 tests variable 3"),
        "{}",
        verified.stdout
    );
}
