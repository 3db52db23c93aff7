//! Signals that end a command: what was found so far is printed, and nothing is left behind.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

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
    send("-INT", child.id());
}

fn send(signal: &str, process: u32) {
    let status = Command::new("kill")
        .args([signal, &process.to_string()])
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

/// A batch system sends SIGTERM, and a terminal that is closed SIGHUP.
#[test]
fn a_stopped_search_on_a_disk_leaves_nothing() {
    for (signal, expected) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        check_stopped_on_a_disk(signal, expected);
    }
}

fn check_stopped_on_a_disk(signal: &str, expected: i32) {
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
    send(signal, running.0.id());
    let (status, stdout) = end(running);
    assert_eq!(status, Some(expected));
    let value: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(value["outcome"], "interrupted");
    assert!(value["cost_at_least"].as_u64() >= value["heuristic_start"].as_u64());
    assert!(value["peak_bytes"].as_u64() <= Some(2 << 20));
    assert!(!folder.exists());
}

/// Commands whose work checks nothing end at once, and a process that `nohup` started goes on.
#[test]
fn other_commands_end_by_the_signal_unless_it_is_ignored() {
    use std::os::unix::process::ExitStatusExt;

    for (signal, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        let mut child = psvn(&["check", "-"]).stdin(Stdio::piped()).spawn().unwrap();
        // It reads until its input ends, and waiting for it would end the input.
        let input = child.stdin.take();
        std::thread::sleep(Duration::from_millis(300));
        send(signal, child.id());
        assert_eq!(child.wait().unwrap().signal(), Some(number), "{signal}");
        drop(input);
    }
    let program = psvn(&["check", "-"]);
    let mut child = Command::new("sh")
        .args(["-c", "trap '' HUP; exec \"$0\" check -"])
        .arg(program.get_program())
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(300));
    send("-HUP", child.id());
    let game = b"1\n2\n0 => 1\n1 => 0\nGOAL 1\n";
    child.stdin.take().unwrap().write_all(game).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Processes that another one has started end when that one is gone, whatever ended it.
#[test]
#[cfg(target_os = "linux")]
fn no_process_outlives_the_one_that_started_it() {
    let layers = crate::folder();
    let disk = layers.path().to_str().unwrap();
    let words = ["explore", "gen:sliding-tiles:4:4", "--disk", disk];
    let words = [&words[..], &["--processes", "3", "--wait", "60s"]].concat();
    let mut first = psvn(&words)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let children = format!("/proc/{0}/task/{0}/children", first.id());
    let children = || -> Vec<u32> {
        let text = std::fs::read_to_string(&children).unwrap();
        text.split_whitespace()
            .map(|it| it.parse().unwrap())
            .collect()
    };
    within_10_seconds(|| children().len() == 2);
    let started = children();
    send("-KILL", first.id());
    first.wait().unwrap();
    let lives = |process: &u32| {
        let state = std::fs::read_to_string(format!("/proc/{process}/stat"));
        // A process that has ended is a zombie until someone asks for its status.
        state.is_ok_and(|state| !state.contains(") Z "))
    };
    within_10_seconds(|| !started.iter().any(lives));
}

#[cfg(target_os = "linux")]
fn within_10_seconds(is_so: impl Fn() -> bool) {
    let begun = std::time::Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Where `ulimit -v` leaves no memory for threads, commands do without them, or say so. Below that,
/// the program itself isn't even loaded.
#[test]
#[cfg(target_os = "linux")]
fn a_lack_of_memory_for_threads_is_no_panic() {
    let program = psvn(&[]);
    let run = |kilobytes: usize, words: &str| {
        Command::new("sh")
            .args(["-c", &format!("ulimit -v {kilobytes}; exec \"$0\" {words}")])
            .arg(program.get_program())
            .env_remove("RUST_BACKTRACE")
            .output()
            .unwrap()
    };
    let loads = |kilobytes: &usize| {
        run(*kilobytes, "compose gen:pancake:4 flip2 flip3")
            .status
            .success()
    };
    let least = (20_000..60_000).step_by(1_000).find(loads).unwrap();
    for kilobytes in (least..least + 16_000).step_by(1_000) {
        for words in [
            "analyze gen:pancake:5 -L 3 --no-cache",
            "explore gen:pancake:4 --no-cache",
        ] {
            let output = run(kilobytes, words);
            let stderr = String::from_utf8(output.stderr).unwrap();
            let status = output.status.code();
            assert!(
                status == Some(0) || status == Some(4) && stderr.contains("error: "),
                "{kilobytes}, {words}: {:?}: {stderr}",
                output.status
            );
        }
    }
}

/// What `ulimit -v` leaves is used up in the middle of the work.
#[test]
#[cfg(target_os = "linux")]
fn a_lack_of_memory_is_an_error() {
    let program = psvn(&[]);
    let words = "analyze gen:topspin:14:4 -L 6 --threads 1 --no-cache";
    for kilobytes in [70_000, 80_000, 100_000] {
        let output = Command::new("sh")
            .args(["-c", &format!("ulimit -v {kilobytes}; exec \"$0\" {words}")])
            .arg(program.get_program())
            .env_remove("RUST_BACKTRACE")
            .output()
            .unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        let said = "error: the system gives this process no more memory\n";
        assert!(stderr.ends_with(said), "{kilobytes}: {stderr}");
        assert_eq!(output.status.code(), Some(4), "{kilobytes}: {stderr}");
    }
}
