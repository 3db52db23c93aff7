//! Results that are kept between runs.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{Ran, psvn};

/// Run a command with a cache in which everything is kept, whatever time it took.
fn run(folder: &Path, words: &[&str]) -> Ran {
    let output = psvn(words)
        .env("PSVN_CACHE_DIR", folder.join("cache"))
        .env("PSVN_CACHE_MIN_TIME", "0")
        .current_dir(folder)
        .output();
    output.unwrap().into()
}

fn analyze(folder: &Path, options: &[&str]) -> Value {
    let words = [&["analyze", "--format", "json"], options].concat();
    let ran = run(folder, &words);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

/// The kept results.
fn kept(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder.join("cache")) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// A report without what may differ from run to run.
fn comparable(mut report: Value) -> Value {
    report["seconds"].take();
    report["from_cache"].take();
    report
}

#[test]
fn a_kept_result_is_the_same_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let options = ["gen:topspin:9:3", "-L", "4", "-o"];
    let with = |file| [&options[..], &[file]].concat();
    let found = analyze(folder, &with("a.fsm"));
    assert_eq!(
        (&found["from_cache"], kept(folder).len()),
        (&false.into(), 1)
    );
    let again = analyze(folder, &with("b.fsm"));
    assert_eq!(again["from_cache"], true);
    assert_eq!(comparable(again), comparable(found.clone()));
    let bytes = |file: &str| fs::read(folder.join(file)).unwrap();
    assert_eq!(bytes("a.fsm"), bytes("b.fsm"));
    // How the game is named and laid out, and how the result is printed, changes nothing.
    let text = run(folder, &["gen", "topspin", "9", "3"]).stdout;
    fs::write(folder.join("game.psvn"), text + "\n# the end\n").unwrap();
    let words = ["analyze", "game.psvn", "-L", "4", "-v", "--threads", "1"];
    let ran = run(folder, &words);
    assert!(ran.stderr.contains("from the cache"), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("game.psvn: "), "{}", ran.stdout);
    assert_eq!(kept(folder).len(), 1);

    let not_cached = analyze(folder, &[&with("c.fsm")[..], &["--no-cache"]].concat());
    assert_eq!(not_cached["from_cache"], false);
    assert_eq!(bytes("a.fsm"), bytes("c.fsm"));
    let valid = run(folder, &["verify", "gen:topspin:9:3", "b.fsm"]);
    assert_eq!(valid.status, Some(0));
}

#[test]
fn searches_and_analyses_share_kept_results() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let game = "gen:topspin:9:3";
    // Nodes by depth, and whether they come from the cache.
    let columns = |more: &[&str]| {
        let words = [
            &[
                "tree", game, "-L", "0,2,4", "-d", "6", "--format", "json", "-v",
            ],
            more,
        ]
        .concat();
        let ran = run(folder, &words);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        let report: Value = serde_json::from_str(&ran.stdout).unwrap();
        let columns = report["columns"].as_array().unwrap().iter();
        let nodes: Vec<Value> = columns.map(|column| column["nodes"].clone()).collect();
        (nodes, ran.stderr.contains("from the cache"))
    };
    let (found, from_cache) = columns(&["--no-cache"]);
    assert!(!from_cache && kept(folder).is_empty());
    assert_eq!(columns(&[]), (found.clone(), false));
    assert_eq!(columns(&[]), (found, true));
    // The start is the goal, so what is assumed is the same.
    let analysis = analyze(folder, &[game, "-L", "4"]);
    assert_eq!(analysis["from_cache"], true);
    assert_eq!(kept(folder).len(), 1);
    let start = "1 0 2 3 4 5 6 7";
    let words = ["solve", game, "--start", start, "--prune", "3", "-v"];
    let solved = |words: &[&str]| {
        let ran = run(folder, words);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        ran.stderr.contains("from the cache")
    };
    assert!(!solved(&words) && solved(&words));
    assert_eq!(kept(folder).len(), 2);
}

#[test]
fn options_that_change_the_result_are_part_of_its_key() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let source = "2 3 3\n0 A => 1 A COST 2 LABEL b\nA 0 => A 1 LABEL a\nGOAL 1 0\n";
    fs::write(folder.join("game.psvn"), source).unwrap();
    fs::write(
        folder.join("other.psvn"),
        source.replace("COST 2", "COST 3"),
    )
    .unwrap();
    let mut n_kept = 0;
    for options in [
        &["game.psvn"][..],
        &["other.psvn"],
        &["game.psvn", "-L", "3"],
        &["game.psvn", "--invariants", "none"],
        &["game.psvn", "--start", "2 2"],
        &["game.psvn", "--order", "cost-length-lexicographic"],
        &["game.psvn", "--rule-order", "label"],
        &["game.psvn", "--rule-order", "optimize"],
        &["game.psvn", "--rule-order", "optimize", "--seed", "9"],
        &["game.psvn", "-o", "m.fsm", "--machine", "aho-corasick"],
        &["game.psvn", "--sleep-sets"],
        &["game.psvn", "--dont-cares"],
        &["game.psvn", "--operators", "labels"],
        &[
            "game.psvn",
            "--operators",
            "labels",
            "--rule-order",
            "label",
        ],
        &["game.psvn", "--method", "learner"],
        &["game.psvn", "--method", "learner", "--generic-start", "1 -"],
    ] {
        let found = analyze(folder, options);
        n_kept += 1;
        assert_eq!(found["from_cache"], false, "{options:?}");
        assert_eq!(kept(folder).len(), n_kept, "{options:?}");
        let again = analyze(folder, options);
        assert_eq!(again["from_cache"], true, "{options:?}");
        assert_eq!(comparable(again), comparable(found), "{options:?}");
    }
    // A limit that stops nothing changes nothing.
    let limited = analyze(folder, &["game.psvn", "--memory", "4G"]);
    assert_eq!(limited["from_cache"], true);
}

#[test]
fn what_is_incomplete_or_depends_on_the_day_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let game = "gen:topspin:12:3";
    for (status, options) in [
        (4, &[game, "-L", "9", "--memory", "100K"][..]),
        (0, &["gen:ghi", "-L", "auto"]),
        (0, &[game, "--no-cache"]),
    ] {
        let ran = run(folder, &[&["analyze"], options].concat());
        assert_eq!(ran.status, Some(status), "{}", ran.stderr);
        assert!(kept(folder).is_empty(), "{options:?}");
    }
    // By default, only what took a while is worth it. (Here nothing ever takes long enough.)
    let output = psvn(&["analyze", game])
        .env("PSVN_CACHE_DIR", folder.join("cache"))
        .env("PSVN_CACHE_MIN_TIME", "1000h")
        .output();
    assert_eq!(output.unwrap().status.code(), Some(0));
    assert!(kept(folder).is_empty());
    // A complete result serves those who set a limit, too.
    analyze(folder, &[game, "-L", "4"]);
    let limited = analyze(folder, &[game, "-L", "4", "--time", "1h"]);
    assert_eq!(
        (&limited["from_cache"], &limited["complete"]),
        (&true.into(), &true.into())
    );
}

#[test]
fn damaged_and_foreign_entries_are_replaced_with_a_note() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let analyze = |words: &[&str]| run(folder, &[&["analyze", "--format", "json"], words].concat());
    assert_eq!(analyze(&["gen:pancake:5"]).stderr, "");
    let [path] = &kept(folder)[..] else {
        panic!("one result is kept")
    };
    let good = fs::read(path).unwrap();
    assert_eq!(analyze(&["gen:pancake:6"]).stderr, "");
    let other = kept(folder)
        .into_iter()
        .find(|other| other != path)
        .unwrap();

    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 4;
    let bad: [&[u8]; 5] = [
        &flipped,
        &good[..good.len() - 1],
        b"",
        b"gibberish",
        &fs::read(other).unwrap(),
    ];
    for bytes in bad {
        fs::write(path, bytes).unwrap();
        let ran = analyze(&["gen:pancake:5"]);
        assert_eq!(ran.status, Some(0));
        assert!(
            ran.stderr.contains("can't be used, and is replaced"),
            "{}",
            ran.stderr
        );
        assert!(ran.stdout.contains("\"from_cache\": false"));
        assert!(
            analyze(&["gen:pancake:5"])
                .stdout
                .contains("\"from_cache\": true")
        );
    }
}

#[test]
fn a_missing_cache_folder_is_not_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("cache"), "a file where the folder should be").unwrap();
    let ran = run(folder, &["analyze", "gen:pancake:5"]);
    assert_eq!(
        (ran.status, ran.stderr.contains("error")),
        (Some(0), false),
        "{}",
        ran.stderr
    );
    let ran = run(folder, &["analyze", "gen:pancake:5", "-v", "--no-cache"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
    let mut command = psvn(&["analyze", "gen:pancake:5"]);
    command
        .env("PSVN_CACHE_SIZE", "lots")
        .env("PSVN_CACHE_MIN_TIME", "soon");
    let ran = Ran::from(command.output().unwrap());
    assert_eq!(ran.status, Some(0));
    assert!(
        ran.stderr.contains("PSVN_CACHE_SIZE is ignored"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("PSVN_CACHE_MIN_TIME is ignored"),
        "{}",
        ran.stderr
    );
}

#[test]
fn tables_of_heuristics_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let start = "1 4 2 6 3 5 7 8 0";
    let game = "gen:sliding-tiles:3:3";
    let solve = |heuristic: &str, more: &[&str]| {
        let words = ["solve", game, "--start", start, "--prune", "none", "-v"];
        let words = [
            &words[..],
            &["--format", "json", "--heuristic", heuristic],
            more,
        ]
        .concat();
        let ran = run(folder, &words);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        let record: Value = serde_json::from_str(&ran.stdout).unwrap();
        let n_kept = ran.stderr.matches("a table comes from the cache").count();
        (record["cost"].clone(), record["generated"].clone(), n_kept)
    };
    let plain = solve("keep 0-4", &["--no-cache"]);
    assert_eq!((plain.2, kept(folder).len()), (0, 0));
    assert_eq!(solve("keep 0-4", &[]), plain);
    let with_kept = (plain.0.clone(), plain.1.clone(), 1);
    assert_eq!(solve("keep 0-4", &[]), with_kept);
    // The table, and the list of tables that searches named.
    assert_eq!(kept(folder).len(), 2);
    let sum = solve("keep 1-4 + keep 5-8", &[]);
    assert_eq!((sum.2, kept(folder).len()), (0, 4));
    assert_eq!(solve("keep 1-4 + keep 5-8", &[]), (sum.0, sum.1, 2));
    let described = run(folder, &["cache", "--format", "json"]).stdout;
    let described: Value = serde_json::from_str(&described).unwrap();
    assert_eq!(
        (&described["results"], &described["tables"]),
        (&1.into(), &3.into())
    );
    // A damaged one is replaced.
    for path in kept(folder) {
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&path, bytes).unwrap();
    }
    assert_eq!(solve("keep 0-4", &[]), plain);
    assert_eq!(solve("keep 0-4", &[]), with_kept);
}

#[test]
fn the_cache_is_described_and_cleared() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let cache = |words: &[&str]| run(folder, &[&["cache"], words].concat()).stdout;
    let place = folder.join("cache");
    assert_eq!(cache(&["path"]), format!("{}\n", place.display()));
    assert_eq!(cache(&["size"]), "0\n");
    assert!(cache(&[]).contains("0 results, 0 tables, 0 B of at most 2.0 GiB"));
    analyze(folder, &["gen:pancake:5"]);
    analyze(folder, &["gen:pancake:6"]);
    let bytes: u64 = kept(folder)
        .iter()
        .map(|path| fs::metadata(path).unwrap().len())
        .sum();
    assert_eq!(cache(&["size"]), format!("{bytes}\n"));
    let described: Value = serde_json::from_str(&cache(&["--format", "json"])).unwrap();
    assert_eq!(described["results"], 2);
    assert_eq!(described["bytes"], bytes);
    assert!(cache(&["clear"]).starts_with("2 files removed"));
    assert!(kept(folder).is_empty());
    assert_eq!(psvn(&["cache"]).output().unwrap().status.code(), Some(2));
}
