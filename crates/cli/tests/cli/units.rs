//! `psvn work`: what is left when a process is killed in the middle.

#![cfg(unix)]

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::psvn;

/// A search of some seconds, most of them in its last bounds.
const SEARCH: [&str; 10] = [
    "solve",
    "gen:sliding-tiles:4:4",
    "--start",
    "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3",
    "--heuristic",
    "linear-conflict",
    "--prune",
    "2",
    "--format",
    "json",
];

fn run(words: &[&str]) -> (Option<i32>, serde_json::Value) {
    let output = psvn(words).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let last = text.lines().last().unwrap_or("null");
    (
        output.status.code(),
        serde_json::from_str(last).unwrap_or_default(),
    )
}

fn units(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).unwrap();
    let names = files.map(|file| file.unwrap().path().to_str().unwrap().to_owned());
    let mut units: Vec<String> = names.filter(|name| name.ends_with(".unit")).collect();
    units.sort();
    units
}

/// The cost and the counts of complete bounds.
fn found(record: &serde_json::Value) -> (serde_json::Value, Vec<serde_json::Value>) {
    let mut bounds = record["bounds"].as_array().unwrap().clone();
    bounds.pop();
    (record["cost"].clone(), bounds)
}

#[test]
fn killed_units_continue() {
    let (_, alone) = run(&SEARCH);
    let place = crate::folder();
    let folder = place.path().join("units");
    let at = folder.to_str().unwrap();
    let split = ["--units", "2", "--units-after", "200ms", "-o", at];
    let (mut status, mut record) = run(&[&SEARCH[..], &split].concat());
    let mut kills = 0;
    while status == Some(4) {
        for unit in units(&folder) {
            let mut command = psvn(&["work", &unit]);
            let mut child = command.stdout(Stdio::null()).spawn().unwrap();
            // By then it has read its unit, and may have saved something.
            std::thread::sleep(Duration::from_millis(150 + 500 * kills));
            if child.try_wait().unwrap().is_none() {
                child.kill().unwrap();
                kills += 1;
            }
            child.wait().unwrap();
            let (status, worked) = run(&["work", &unit, "--format", "json"]);
            assert_eq!(status, Some(0));
            assert_eq!(worked["complete"], true);
        }
        (status, record) = run(&["join", at, "--format", "json"]);
    }
    assert_eq!(status, Some(0), "{record}");
    assert_eq!(found(&record), found(&alone));
    assert!(kills > 0, "each unit ended before it could be killed");
}
