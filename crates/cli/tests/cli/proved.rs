//! What a search that was stopped has proved, and what would help it.

use serde_json::Value;

use crate::{is_thorough, run};

/// What a search of the 8-puzzle comes to.
fn solve(start: &str, options: &[&str]) -> Value {
    let words = [
        "solve",
        "gen:sliding-tiles:3:3",
        "--start",
        start,
        "--format",
        "json",
    ];
    let ran = run(&[&words[..], options].concat());
    serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{options:?}: {}", ran.stderr))
}

/// Every lower bound is one, and bounds grow with the nodes that are allowed.
#[test]
fn no_solution_is_better_than_what_is_proved() {
    const STARTS: [&str; 3] = [
        "8 6 7 2 5 4 3 0 1",
        "1 4 2 3 0 5 6 7 8",
        "2 4 3 5 8 6 7 0 1",
    ];
    let methods: [&[&str]; 8] = [
        &["--algorithm", "ida"],
        &["--algorithm", "ida", "--heuristic", "manhattan"],
        &["--algorithm", "ida-cr", "--heuristic", "misplaced"],
        &["--algorithm", "ida-table", "--memory", "1M"],
        &["--algorithm", "dfid"],
        &["--algorithm", "astar", "--heuristic", "manhattan"],
        &[
            "--algorithm",
            "wida",
            "--weight",
            "2",
            "--heuristic",
            "manhattan",
        ],
        &["--algorithm", "dfbnb", "--heuristic", "manhattan"],
    ];
    let (n_starts, least_proved) = if is_thorough() { (3, 40) } else { (1, 13) };
    let mut n_proved = 0;
    for start in STARTS.into_iter().take(n_starts) {
        let least = solve(start, &["--heuristic", "linear-conflict"])["cost"]
            .as_u64()
            .unwrap();
        for method in methods {
            let mut last = 0;
            for nodes in ["1", "50", "3000", "100000"] {
                let found = solve(start, &[method, &["--nodes", nodes]].concat());
                let proved = ["cost_at_least", "length_at_least"].map(|key| found[key].as_u64());
                if found["solved"] == true {
                    assert_eq!(proved, [None, None], "{method:?}");
                    continue;
                }
                let proved = proved.into_iter().flatten().max().unwrap_or(0);
                assert!(
                    proved <= least,
                    "{method:?}, {nodes} nodes: {proved} of {least}"
                );
                assert!(
                    proved >= last,
                    "{method:?}, {nodes} nodes: {proved} after {last}"
                );
                last = proved;
                n_proved += u32::from(proved > 0);
            }
        }
    }
    assert!(n_proved > least_proved, "{n_proved}");
}

#[test]
fn a_heuristic_that_may_be_too_high_proves_nothing() {
    let options = ["--heuristic", "plain-goal-count", "--nodes", "100"];
    let found = solve("8 6 7 2 5 4 3 0 1", &options);
    assert_eq!(
        (&found["solved"], &found["cost_at_least"]),
        (&false.into(), &Value::Null)
    );
}

#[test]
fn proofs_and_helpful_options_are_reported() {
    let start = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";
    let words = [
        "solve",
        "gen:sliding-tiles:4:4",
        "--start",
        start,
        "--nodes",
        "2000000",
    ];
    let ran = run(&words);
    assert_eq!(ran.status, Some(4));
    assert!(
        ran.stdout.contains("every solution costs at least "),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("no heuristic"), "{}", ran.stdout);
    assert!(
        ran.stderr.contains("help: `--heuristic auto`"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("linear-conflict estimates 43 here"),
        "{}",
        ran.stderr
    );
    // Who has asked for silence, or for tables, gets no advice.
    assert_eq!(run(&[&words[..], &["-q"]].concat()).stderr, "");
    let fewest = ["--algorithm", "dfid"];
    let ran = run(&[&words[..], &fewest].concat());
    assert!(
        ran.stdout.contains("every solution has at least "),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stderr
            .contains("`--algorithm ida` with `--heuristic auto`"),
        "{}",
        ran.stderr
    );
}
