//! What a search that was stopped has proved, and what would help it.

use serde_json::Value;

use crate::run;

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
    let mut n_proved = 0;
    for start in STARTS {
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
    assert!(n_proved > 40, "{n_proved}");
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

/// A bound on cost cuts off states by their estimates, so an estimate that may be too high hides
/// solutions.
#[test]
fn a_bound_on_cost_proves_nothing_with_such_a_heuristic() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("three.psvn");
    std::fs::write(&file, "3\n2 2 2\n1 1 1 => 0 0 0\nGOAL 0 0 0\n").unwrap();
    let file = file.to_str().unwrap();
    let words = ["solve", file, "--start", "1 1 1", "--algorithm", "dfbnb"];
    let with = |heuristic, bound, format| {
        let options = ["--heuristic", heuristic, "--cost-bound", bound, "--format"];
        run(&[&words[..], &options, &[format]].concat())
    };
    let ran = with("plain-goal-count", "1", "text");
    let expected = "no solution found that costs at most 1; plain-goal-count may estimate too high";
    assert!(ran.stdout.contains(expected), "{}", ran.stdout);
    assert_eq!(ran.status, Some(4));
    for (heuristic, bound, outcome) in [
        ("plain-goal-count", "1", "not-found"),
        ("plain-goal-count", "3", "solved"),
        ("goal-count", "0", "not-within-cost"),
        ("goal-count", "1", "solved"),
    ] {
        let ran = with(heuristic, bound, "json");
        let found: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(found["outcome"], outcome, "{heuristic}, {bound}");
        let ran = with(heuristic, bound, "csv");
        let row = ran.stdout.lines().nth(1).unwrap();
        assert!(row.starts_with(&format!("1,{outcome},")), "{row}");
    }
    let specification = folder.path().join("bounds.toml");
    let results = folder.path().join("bounds.jsonl");
    std::fs::write(
        &specification,
        format!(
            "title = 'Bounds'\n[[domain]]\nname = 'three'\nfile = '{file}'\ninstances = [{{ state = '1 1 1' }}]\n\
             [[method]]\nname = 'bounded'\nalgorithm = 'dfbnb'\n\
             heuristic = 'plain-goal-count'\ncost-bound = 1\n"
        ),
    )
    .unwrap();
    let words = ["experiment", specification.to_str().unwrap(), "-o"];
    let ran = run(&[&words[..], &[results.to_str().unwrap()]].concat());
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let results = std::fs::read_to_string(&results).unwrap();
    assert!(results.contains("\"outcome\":\"not-found\""), "{results}");
}

/// The bounds that tries have come to stay proved, whatever is searched afterwards.
#[test]
fn what_tries_of_heuristics_prove_is_kept() {
    let start = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";
    let solve = |options: &[&str]| {
        let words = ["solve", "gen:sliding-tiles:4:4", "--start", start];
        run(&[&words[..], &["--no-cache", "--memory", "1M"], options].concat())
    };
    let json = |options: &[&str]| {
        let ran = solve(&[options, &["--format", "json"]].concat());
        serde_json::from_str::<Value>(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr))
    };
    // The tries of the choice come to higher bounds than a search of a few nodes.
    let (few, auto) = (["--nodes", "200000"], ["--heuristic", "auto"]);
    let with = json(&[&auto[..], &few].concat());
    let tried = with["generated_in_tries"].as_u64().unwrap();
    assert!(tried > 1000, "{tried}");
    assert_eq!(with["outcome"], "nodes");
    assert!(with["cost_at_least"].as_u64() >= with["heuristic_start"].as_u64());
    let text = solve(&[&auto[..], &few].concat()).stdout;
    assert!(
        text.contains(" generated before, to choose a heuristic\n"),
        "{text}"
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
