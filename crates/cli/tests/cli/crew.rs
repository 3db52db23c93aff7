//! `psvn tree` and `psvn solve` on several processes: the same counts and costs, and what happens
//! when some are killed.

#![cfg(all(unix, feature = "cluster"))]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

#[cfg(target_os = "linux")]
use crate::cluster::children;
use crate::cluster::{SECRET, SOON, end, hosts, kill, start, weighted};
use crate::psvn;

/// A tree that is large enough to be handed out.
const TREE: [&str; 8] = [
    "tree",
    "gen:pancake:8",
    "--depth",
    "9",
    "--prune",
    "none,parent,2",
    "--format",
    "csv",
];

/// A search whose last bounds are large enough, without a heuristic.
const SEARCH: [&str; 8] = [
    "solve",
    "gen:pancake:9",
    "--start",
    "9 5 1 2 6 3 8 4 7",
    "--prune",
    "parent",
    "--format",
    "json",
];

fn printed(words: &[&str]) -> (String, String) {
    let output = psvn(words).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    (String::from_utf8(output.stdout).unwrap(), stderr)
}

#[test]
fn any_number_of_processes_counts_the_same_tree() {
    check_tree(&TREE);
}

#[test]
fn any_number_of_processes_counts_the_same_tree_to_a_cost() {
    // All of them have bounds large enough to be handed out, the smaller one in fewer pieces.
    let mut words = TREE;
    words[1..6].copy_from_slice(&["gen:pancake:8", "--cost", "8", "--prune", "none"]);
    check_tree(&words);
    let folder = crate::folder();
    let game = weighted(folder.path(), "8");
    let words = [
        "tree",
        game.as_str(),
        "--cost",
        "34",
        "--prune",
        "none",
        "--format",
        "csv",
    ];
    check_tree(&words);
}

/// The numbers of processes that are compared with a call without processes.
const NUMBERS_OF_PROCESSES: [&str; 3] = ["1", "2", "3"];

/// Compare a table of trees on some processes with that of a call without.
fn check_tree(words: &[&str]) {
    let (expected, _) = printed(words);
    assert!(expected.lines().count() > 9, "{expected}");
    for n in NUMBERS_OF_PROCESSES {
        let (found, notes) = printed(&[words, &["--processes", n]].concat());
        assert_eq!(found, expected, "{n} processes");
        assert!(notes.contains(" searched "), "{notes}");
    }
}

/// The cost and the counts of complete bounds.
fn bounds(json: &str) -> (Value, Vec<Value>) {
    let record: Value = serde_json::from_str(json).unwrap();
    let mut bounds = record["bounds"].as_array().unwrap().clone();
    bounds.pop();
    (record["cost"].clone(), bounds)
}

#[test]
fn any_number_of_processes_finds_the_same_within_each_bound() {
    for more in [&[][..], &["--algorithm", "dfid"]] {
        let search = [&SEARCH[..], more].concat();
        let (alone, _) = printed(&search);
        let expected = bounds(&alone);
        assert!(expected.1.len() > 5, "{alone}");
        let mut first: Option<Value> = None;
        for n in NUMBERS_OF_PROCESSES {
            let (found, notes) = printed(&[&search[..], &["--processes", n]].concat());
            assert_eq!(bounds(&found), expected, "{n} processes");
            assert!(notes.contains(" searched "), "{notes}");
            // The solution is the same one, too.
            let record: Value = serde_json::from_str(&found).unwrap();
            let moves = record["moves"].clone();
            assert_eq!(*first.get_or_insert_with(|| moves.clone()), moves);
        }
    }
}

#[test]
fn rules_of_different_costs_are_searched_together() {
    let folder = crate::folder();
    let game = weighted(folder.path(), "8");
    let words = [
        "solve",
        game.as_str(),
        "--start",
        "7 5 1 2 6 3 8 4",
        "--prune",
        "parent",
    ];
    let search = [&words[..], &["--format", "json"]].concat();
    let (alone, _) = printed(&search);
    let expected = bounds(&alone);
    assert!(expected.1.len() > 5, "{alone}");
    for n in NUMBERS_OF_PROCESSES {
        let (found, notes) = printed(&[&search[..], &["--processes", n]].concat());
        assert_eq!(bounds(&found), expected, "{n} processes");
        assert!(notes.contains(" searched "), "{notes}");
    }
}

#[test]
fn processes_of_a_file_of_hosts_all_print_the_tree() {
    let folder = crate::folder();
    let hosts = hosts(folder.path(), 2);
    let (expected, _) = printed(&TREE);
    let run = |process: &str| {
        let words = [&TREE[..], &["--hosts", &hosts, "--process", process]].concat();
        let mut command = psvn(&words);
        command.env("PSVN_SECRET", SECRET);
        command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let processes = [run("0"), run("1")];
    for (status, stdout, stderr) in processes.map(end) {
        assert_eq!(status, Some(0), "{stderr}");
        assert_eq!(stdout, expected);
    }
}

#[test]
fn a_limit_leaves_complete_depths_and_ends_all() {
    let words = ["--depth", "14", "--processes", "3"];
    let tree = ["tree", "gen:pancake:9", "--format", "csv"];
    for limit in [["--time", "1s"], ["--nodes", "20000000"]] {
        let running = start(&[&tree[..], &words, &limit].concat());
        let (status, stdout, stderr) = end(running);
        assert_eq!(status, Some(4), "{stderr}");
        assert!(stdout.contains("\n2,64,"), "{stdout}");
        assert!(!stderr.contains("error"), "{stderr}");
    }
}

/// Read what a process says until it has said how far it is.
fn wait_for_progress(child: &mut Child) -> BufReader<std::process::ChildStderr> {
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let started = Instant::now();
    let mut line = String::new();
    while !line.contains("nodes") {
        line.clear();
        assert!(stderr.read_line(&mut line).unwrap() > 0, "it ended");
        assert!(started.elapsed() < SOON, "it says nothing");
    }
    stderr
}

#[test]
#[cfg(target_os = "linux")]
fn the_others_do_the_work_of_a_killed_process() {
    let n_moves = 8_u64;
    let words = "tree gen:pancake:9 --prune parent --format csv";
    let words: Vec<&str> = words.split(' ').collect();
    let depth = ["--depth", "10"];
    // All moves at the start, and never the same one again.
    let rows = (1..=10).map(|depth| {
        let nodes = n_moves * (n_moves - 1).pow(depth - 1);
        format!("{depth},{nodes}\n")
    });
    let expected = format!("depth,parent\n0,1\n{}", rows.collect::<String>());
    for victim in [1, 0] {
        let more = ["--processes", "3", "--progress", "always"];
        let mut running = start(&[&words[..], &depth, &more].concat());
        let mut stderr = wait_for_progress(&mut running);
        let others = children(running.id());
        assert_eq!(others.len(), 2);
        kill(if victim == 0 { running.id() } else { others[0] });
        let mut said = String::new();
        stderr.read_to_string(&mut said).unwrap();
        let mut stdout = String::new();
        running
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut stdout)
            .unwrap();
        let status = running.wait().unwrap().code();
        if victim == 0 {
            assert_eq!(status, None);
            assert!(
                said.contains("process 0") && said.contains("is lost"),
                "{said}"
            );
        } else {
            assert_eq!(status, Some(0), "{said}");
            assert_eq!(stdout, expected);
            assert!(said.contains("is lost"), "{said}");
            assert!(
                said.contains("the others search its unfinished subtrees again"),
                "{said}"
            );
        }
        for other in others {
            let started = Instant::now();
            while std::path::Path::new(&format!("/proc/{other}/exe")).exists() {
                assert!(started.elapsed() < SOON, "process {other} is left over");
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
}

#[test]
fn what_several_processes_cannot_do_is_refused() {
    let failed = |words: &[&str]| {
        let output = psvn(words).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let two = ["--processes", "2"];
    let solve = ["solve", "gen:pancake:5", "--start", "2 1 3 4 5"];
    let (status, stderr) = failed(&[&solve[..], &["--algorithm", "astar"], &two].concat());
    assert_eq!(status, Some(2), "{stderr}");
    assert!(stderr.contains("a search of one process"), "{stderr}");
    let (status, stderr) = failed(&[&solve[..], &["--cycles", "path"], &two].concat());
    assert_eq!(status, Some(2), "{stderr}");
    assert!(
        stderr.contains("cycle detection along the path"),
        "{stderr}"
    );
    let (status, stderr) = failed(&["tree", "-", "--processes", "2"]);
    assert_eq!(status, Some(2), "{stderr}");
    assert!(stderr.contains("standard input"), "{stderr}");
}
