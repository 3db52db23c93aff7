//! Ctrl-C: what was found so far is printed.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use crate::psvn;

/// Start work that would take ages and wait until it is under way, which its progress shows.
fn start(words: &[&str]) -> (Child, BufReader<std::process::ChildStderr>) {
    let words = [words, &["--progress", "always"]].concat();
    let mut child = psvn(&words)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    assert!(!line.is_empty(), "no progress is shown");
    (child, stderr)
}

fn interrupt(child: &Child) {
    let status = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(status.success());
}

fn end(
    (mut child, mut stderr): (Child, BufReader<std::process::ChildStderr>),
) -> (Option<i32>, String) {
    let mut stdout = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut stdout)
        .unwrap();
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    (child.wait().unwrap().code(), stdout)
}

#[test]
fn an_interrupted_analysis_prints_its_results_so_far() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("m.fsm");
    let file = file.to_str().unwrap();
    let words = [
        "analyze",
        "gen:topspin:16:4",
        "-L",
        "40",
        "--format",
        "json",
        "-o",
        file,
    ];
    let running = start(&words);
    interrupt(&running.0);
    let (status, stdout) = end(running);
    assert_eq!(status, Some(130));
    let value: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(value["complete"], false);
    assert_eq!(value["stopped"], "interrupted");
    // What was found is sound, so it can be used.
    let words = ["verify", "gen:topspin:16:4", file];
    assert_eq!(psvn(&words).output().unwrap().status.code(), Some(0));
}

#[test]
fn an_interrupted_search_prints_its_results_so_far() {
    // Without an estimate this would take ages.
    let start_state = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";
    let words = [
        "solve",
        "gen:sliding-tiles:4:4",
        "--start",
        start_state,
        "--format",
        "json",
    ];
    let running = start(&words);
    interrupt(&running.0);
    let (status, stdout) = end(running);
    assert_eq!(status, Some(130));
    let value: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(
        (&value["solved"], &value["outcome"]),
        (&false.into(), &"interrupted".into())
    );

    let running = start(&[
        "tree",
        "gen:pancake:10",
        "--depth",
        "60",
        "--format",
        "json",
    ]);
    interrupt(&running.0);
    let (status, stdout) = end(running);
    assert_eq!(status, Some(130));
    let value: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(value["complete"], false);
}

#[test]
fn an_interrupted_search_on_a_disk_leaves_nothing() {
    let around = tempfile::tempdir().unwrap();
    let folder = around.path().join("states");
    let words = [
        "solve",
        "gen:sliding-tiles:4:4",
        "--start",
        "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0",
        "--algorithm",
        "astar",
        "--heuristic",
        "manhattan",
        "--memory",
        "2M",
        "--format",
        "json",
        "--disk",
        folder.to_str().unwrap(),
    ];
    let running = start(&words);
    interrupt(&running.0);
    let (status, stdout) = end(running);
    assert_eq!(status, Some(130));
    let value: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(value["outcome"], "interrupted");
    assert!(value["cost_at_least"].as_u64() >= value["heuristic_start"].as_u64());
    assert!(value["peak_bytes"].as_u64() <= Some(2 << 20));
    assert!(!folder.exists());
}
