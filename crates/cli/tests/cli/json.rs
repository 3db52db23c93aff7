//! The keys that scripts rely on, with values that are known.

use serde_json::Value;

use crate::{run, run_with_input};

/// What a command prints as JSON, and its exit status.
pub(crate) fn json(words: &[&str]) -> (Option<i32>, Value) {
    let words = [words, &["--format", "json"]].concat();
    let ran = run(&words);
    let value = serde_json::from_str(&ran.stdout)
        .unwrap_or_else(|error| panic!("{words:?}: {error}\n{}\n{}", ran.stdout, ran.stderr));
    (ran.status, value)
}

#[test]
fn analyze() {
    let words = [
        "analyze",
        "gen:hanoi:4:8",
        "-L",
        "3",
        "--invariants",
        "none",
    ];
    let (status, value) = json(&words);
    assert_eq!(status, Some(0));
    assert_eq!(value["rules"], 96);
    assert_eq!(value["variables"], 32);
    assert_eq!(value["max_length"], 3);
    assert_eq!(value["order"], "length-lexicographic");
    assert_eq!(value["assumed_invariants"], serde_json::json!([]));
    assert_eq!(value["assumed_of"], "none");
    assert_eq!(value["from_cache"], false);
    assert_eq!(value["redundant_words"], 1296 + 4704);
    assert_eq!(value["complete"], true);
    assert!(value["seconds"].as_f64().unwrap() > 0.0);
    let levels = value["levels"].as_array().unwrap();
    let counts = |key: &str| -> Vec<u64> {
        levels
            .iter()
            .map(|level| level[key].as_u64().unwrap())
            .collect()
    };
    assert_eq!(counts("length"), [1, 2, 3]);
    assert_eq!(counts("redundant"), [0, 1296, 4704]);
    for level in levels {
        let number = |key: &str| level[key].as_u64().unwrap();
        assert!(number("composed") >= number("impossible") + number("redundant") + number("kept"));
    }
    let fsm = &value["fsm"];
    let kept = counts("kept");
    assert_eq!(fsm["table"]["states"], 1 + kept[0] + kept[1]);
    assert_eq!(fsm["trie_states"], fsm["aho_corasick"]["states"]);
    for machine in ["table", "aho_corasick", "minimized"] {
        assert!(fsm[machine]["bytes"].as_u64().unwrap() > 0, "{machine}");
    }
    let size = |machine: &str| fsm[machine]["states"].as_u64().unwrap();
    assert!(size("minimized") <= size("aho_corasick") && size("aho_corasick") <= size("table"));
    let branching = value["branching_factor"].as_f64().unwrap();
    assert!((1.0..96.0).contains(&branching));
}

#[test]
fn an_analysis_that_a_limit_stops_reports_it_and_keeps_its_results() {
    let (status, value) = json(&["analyze", "gen:topspin:14:3", "-L", "9", "--memory", "100K"]);
    assert_eq!(status, Some(4));
    assert_eq!(value["complete"], false);
    assert_eq!(value["stopped"], "memory");
    let levels = value["levels"].as_array().unwrap();
    assert!(levels.len() < 9 && value["max_length"] == levels.len());
    let redundant: u64 = levels
        .iter()
        .map(|level| level["redundant"].as_u64().unwrap())
        .sum();
    assert_eq!(value["redundant_words"], redundant);
    let (status, value) = json(&["analyze", "gen:topspin:14:3", "-L", "60", "--time", "50ms"]);
    assert_eq!(status, Some(4));
    assert_eq!(value["stopped"], "time");
}

#[test]
fn branching_factors_leave_out_what_cannot_follow() {
    // A way without a choice: ON, OFF, ON, OFF ...
    let game = b"1\n2\n0 => 1 LABEL ON\n1 => 0 LABEL OFF COST 0\nGOAL 1\n";
    let ran = run_with_input(&["analyze", "-", "-L", "1", "--format", "json"], game);
    let value: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(value["branching_factor"], 2.0);
    let ran = run_with_input(&["analyze", "-", "-L", "2", "--format", "json"], game);
    let value: Value = serde_json::from_str(&ran.stdout).unwrap();
    // Undoing a move is redundant with doing nothing, so nothing is left to go on with.
    assert_eq!(value["branching_factor"], 0.0);
}

#[test]
fn tree() {
    let (status, value) = json(&[
        "tree",
        "gen:sliding-tiles:4:4",
        "--max-length",
        "0,2",
        "--parent",
    ]);
    assert_eq!(status, Some(0));
    let columns = value["columns"].as_array().unwrap();
    let nodes = |column: usize| -> Vec<u64> {
        let nodes = columns[column]["nodes"].as_array().unwrap();
        nodes.iter().map(|count| count.as_u64().unwrap()).collect()
    };
    assert_eq!(
        nodes(0)[..11],
        [1, 2, 6, 18, 58, 186, 602, 1946, 6298, 20378, 65946]
    );
    let pruned = [1, 2, 4, 10, 24, 54, 108, 218, 472, 1030, 2204, 4666, 9880];
    assert_eq!(nodes(1), pruned);
    // In this game the redundant pairs are the moves that undo each other.
    assert_eq!(nodes(2), pruned);
    assert_eq!(columns[0]["max_length"], 0);
    assert_eq!(columns[1]["max_length"], 2);
    assert_eq!(columns[2]["max_length"], Value::Null);
    for column in columns {
        assert!(column["seconds"].is_number() && column["generated_per_second"].is_number());
    }
}

#[test]
fn solve_prints_one_object_per_line() {
    let ran = run_with_input(
        &[
            "solve",
            "gen:pancake:4",
            "--instances",
            "-",
            "--format",
            "json",
        ],
        b"a: 2 4 1 3 = 4\n1 2 3 4\n",
    );
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    let lines: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let [first, second] = lines.as_slice() else {
        panic!("two instances: {}", ran.stdout)
    };
    assert_eq!(first["instance"], "a");
    assert_eq!(first["solved"], true);
    assert_eq!(first["cost"], 4);
    assert_eq!(first["length"], 4);
    assert_eq!(first["moves"].as_array().unwrap().len(), 4);
    assert_eq!(first["heuristic_start"], 0);
    let generated: u64 = first["bounds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|bound| bound["generated"].as_u64().unwrap())
        .sum();
    assert_eq!(first["generated"], generated);
    for key in ["expanded", "pruned", "seconds", "generated_per_second"] {
        assert!(first[key].is_number(), "{key}");
    }
    assert_eq!(second["instance"], "2");
    assert_eq!(second["moves"], serde_json::json!([]));
}

#[test]
fn solve_says_which_heuristic_it_used() {
    let start = "1 4 2 3 0 5 6 7 8";
    let solve = |heuristic: &str| {
        let words = ["solve", "gen:sliding-tiles:3:3:blank=4", "--start", start];
        let (status, value) = json(&[&words[..], &["--heuristic", heuristic]].concat());
        assert_eq!(status, Some(0));
        value
    };
    let value = solve("manhattan");
    assert_eq!(value["heuristic"], "manhattan");
    assert_eq!(value["admissible"], true);
    assert!(value["heuristic_start"].as_u64().unwrap() > 0);
    let greatest = solve("misplaced,manhattan");
    assert_eq!(greatest["heuristic"], "max(misplaced, manhattan)");
    assert_eq!(greatest["heuristic_start"], value["heuristic_start"]);
    assert_eq!(greatest["cost"], value["cost"]);
    let good = solve("good");
    assert_eq!(good["admissible"], false);
    assert!(good["heuristic_start"].as_u64() > value["heuristic_start"].as_u64());
}

#[test]
fn check() {
    let game = b"2\n2 2\n0 A => A\nGOAL 0 0\n";
    let ran = run_with_input(&["check", "-", "--format", "json"], game);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(3), ""));
    let value: Value = serde_json::from_str(&ran.stdout).unwrap();
    let found = &value["diagnostics"][0];
    assert_eq!(found["severity"], "error");
    assert_eq!(found["file"], "<stdin>");
    assert_eq!((&found["line"], &found["column"]), (&3.into(), &8.into()));
    for key in ["code", "message", "hint"] {
        assert!(found[key].is_string(), "{key}");
    }
}

#[test]
fn show_lists_every_rule_however_many() {
    let (status, value) = json(&["show", "gen:blocks:12"]);
    assert_eq!(status, Some(0));
    assert_eq!(value["rules"].as_array().unwrap().len(), 288);
    assert!(!run(&["show", "gen:blocks:12"]).stdout.contains("\n  288  "));
    assert!(
        run(&["show", "gen:blocks:12", "--all"])
            .stdout
            .contains("\n  288  ")
    );
}

#[test]
fn explain_gives_its_verdict() {
    let verdict = |words: &[&str]| {
        let words = [&["explain", "gen:arrow:6"], words].concat();
        let (status, value) = json(&words);
        assert_eq!(status, Some(0));
        value["verdict"].as_str().unwrap().to_owned()
    };
    assert_eq!(verdict(&["R4-00", "R1-11"]), "redundant");
    assert_eq!(verdict(&["R2-00", "R4-00", "R1-11"]), "contains-redundant");
    assert_eq!(verdict(&["R1-11", "R4-00"]), "not-redundant");
    assert_eq!(verdict(&["R1-00", "R2-00"]), "impossible");
    let stopped = [
        "explain",
        "gen:arrow:6",
        "R1-11",
        "R4-00",
        "R5-11",
        "--memory",
        "1B",
    ];
    let (status, value) = json(&stopped);
    assert_eq!((status, &value["verdict"]), (Some(4), &"unknown".into()));
}

#[test]
fn a_tree_stopped_by_a_limit() {
    let words = [
        "tree",
        "gen:topspin:14:3",
        "-L",
        "0,2",
        "-d",
        "5",
        "--nodes",
        "10000",
    ];
    let (status, value) = json(&words);
    assert_eq!(status, Some(4));
    assert_eq!(value["complete"], false);
    let column = &value["columns"][0];
    assert_eq!(column["nodes"], serde_json::json!([1, 14, 196, 2744]));
    assert_eq!(
        (&column["complete"], &column["stopped"]),
        (&false.into(), &"nodes".into())
    );
    let (status, value) = json(&words[..6]);
    assert_eq!(status, Some(0));
    let full = value["columns"][1]["nodes"].as_array().unwrap();
    let (_, cut) = json(&words);
    let cut = cut["columns"][1]["nodes"].as_array().unwrap().clone();
    assert!(cut.len() > 3 && cut == full[..cut.len()]);
    assert!(value["columns"][1].get("stopped").is_none());
}

#[test]
fn a_start_that_is_proved_unsolvable() {
    let odd = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0";
    let words = ["solve", "gen:sliding-tiles:4:4", "--start", odd];
    for algorithm in [
        "dfid",
        "ida",
        "ida-cr",
        "bts",
        "dfbnb",
        "ida-table",
        "bfs",
        "ucs",
        "astar",
        "bidirectional",
        "nbs",
        "sma",
    ] {
        let (status, value) = json(&[&words[..], &["-a", algorithm]].concat());
        assert_eq!(status, Some(1), "{algorithm}");
        assert_eq!(value["outcome"], "no-solution");
        assert!(value["proof"].as_str().unwrap().contains("parity"));
        assert_eq!(
            (&value["solved"], &value["generated"]),
            (&false.into(), &0.into())
        );
        assert_eq!(value["bounds"], serde_json::json!([]));
        assert!(value["heuristic"].is_null() && value["heuristic_start"].is_null());
    }
    // Whoever wants to search does.
    let anyway = ["--search-anyway", "--nodes", "1000"];
    let (status, value) = json(&[&words[..], &anyway].concat());
    assert_eq!((status, &value["outcome"]), (Some(4), &"nodes".into()));
    assert_eq!(value["generated"], 1000);
}

#[test]
fn a_closed_set_that_misses_solutions_proves_nothing() {
    let game = b"1\n7\n0 => 4\n0 => 1\n1 => 2\n2 => 3\n4 => 3\n3 => 5\n5 => 6\nGOAL 6\n";
    let solve = |algorithm: &str, depth: &str| {
        let words = ["solve", "-", "--start", "0", "-a", algorithm, "-d", depth];
        let ran = run_with_input(&[&words[..], &["--format", "json"]].concat(), game);
        let value: Value = serde_json::from_str(&ran.stdout).unwrap();
        (ran.status, value["outcome"].as_str().unwrap().to_owned())
    };
    assert_eq!(solve("dfs", "4"), (Some(0), "solved".to_owned()));
    assert_eq!(solve("dfs", "3"), (Some(4), "not-within-depth".to_owned()));
    assert_eq!(solve("dfs-closed", "4"), (Some(4), "not-found".to_owned()));
    assert_eq!(solve("dfs-closed", "5"), (Some(0), "solved".to_owned()));
}
