//! Limits on time, by the clock. Other programs run too, so these are for a quiet machine.

use std::time::{Duration, Instant};

use crate::psvn;

const FAR: &str = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0";

#[test]
#[allow(clippy::print_stdout, reason = "a measurement says what it measured")]
#[ignore = "compares with the clock, so it needs a machine that does nothing else"]
fn commands_end_when_their_time_runs_out() {
    let fifteen = "gen:sliding-tiles:4:4";
    let solve = ["solve", fifteen, "--start", FAR];
    let with = |words: &[&'static str]| [&solve[..], words].concat();
    let commands: Vec<Vec<&str>> = vec![
        with(&["--prune", "none"]),
        with(&["--prune", "14"]),
        with(&["--heuristic", "auto"]),
        with(&["-a", "bfs"]),
        with(&["-a", "ucs"]),
        with(&["-a", "astar", "--heuristic", "manhattan"]),
        with(&["-a", "dfs-closed", "--depth", "1000000"]),
        with(&["-a", "bidirectional"]),
        with(&["-a", "ida-table", "--memory", "1G"]),
        with(&["-a", "dfbnb", "--cost-bound", "200"]),
        vec!["tree", "gen:topspin:14:3", "-L", "0", "--depth", "30"],
        vec!["analyze", "gen:topspin:14:3", "-L", "30"],
        vec!["analyze", fifteen, "-L", "30"],
        vec!["analyze", fifteen, "-L", "30", "--operators", "labels"],
        vec!["pdb", fifteen, "--pattern", "keep 1-7"],
        vec!["play", "gen:connect:7:6:4", "--ply", "30"],
        vec!["play", "gen:connect:7:6:4", "--solve", "--memory", "4G"],
    ];
    let time = Duration::from_secs(3);
    let mut late = Vec::new();
    for words in commands {
        let started = Instant::now();
        let output = psvn(&words).args(["--time", "3s"]).output().unwrap();
        let elapsed = started.elapsed();
        assert_eq!(output.status.code(), Some(4), "{words:?}");
        println!("{:>7.3} s  {}", elapsed.as_secs_f64(), words.join(" "));
        if elapsed > time + time / 20 {
            late.push((words.join(" "), elapsed));
        }
    }
    assert!(late.is_empty(), "{late:#?}");
}
