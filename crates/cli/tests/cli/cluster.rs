//! `psvn explore` on several processes: the same counts, and what happens when some are killed.

#![cfg(all(unix, feature = "cluster"))]

use std::io::Read;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::psvn;

/// The secret of processes in tests, unless another one is made.
pub(crate) const SECRET: &str = "4bTz0yqXvJr7mWc2KpLf9hNd";

/// How long anything may take that should end soon.
pub(crate) const SOON: Duration = Duration::from_secs(60);

/// The distances, states and totals in what `--format csv` prints.
fn counts(csv: &str) -> Vec<String> {
    let lines = csv
        .lines()
        .map(|line| line.rsplit_once(',').expect("four columns").0.to_owned());
    lines.collect()
}

fn explored(words: &[&str]) -> Vec<String> {
    let output = psvn(&[&["explore", "--format", "csv"], words].concat())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert_eq!(stderr, "");
    counts(&String::from_utf8(output.stdout).unwrap())
}

/// Wait for the end of a process: its status and what it printed.
pub(crate) fn end(mut child: Child) -> (Option<i32>, String, String) {
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < SOON, "it hangs");
        std::thread::sleep(Duration::from_millis(20));
    }
    let (mut stdout, mut stderr) = (String::new(), String::new());
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut stdout)
        .unwrap();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut stderr)
        .unwrap();
    (child.wait().unwrap().code(), stdout, stderr)
}

pub(crate) fn start(words: &[&str]) -> Child {
    psvn(words)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

pub(crate) fn kill(process: u32) {
    let status = Command::new("kill")
        .args(["-KILL", &process.to_string()])
        .status()
        .unwrap();
    assert!(status.success());
}

/// The processes that a process has started.
#[cfg(target_os = "linux")]
pub(crate) fn children(process: u32) -> Vec<u32> {
    let mut children = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(id) = entry.file_name().to_string_lossy().parse::<u32>() else {
            continue;
        };
        // The name, in parentheses, can hold blanks; behind it come the state and the parent.
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let parent = stat
            .rsplit_once(')')
            .and_then(|(_, rest)| rest.split_whitespace().nth(1));
        if parent == Some(&process.to_string()) {
            children.push(id);
        }
    }
    children.sort_unstable();
    children
}

/// Wait until the second worker has completed some layers and the process has started `n` others.
/// Return these others. An earlier call may have left the layers, so they alone prove nothing.
fn wait_for_layers(folder: &Path, layer: usize, process: u32, n: usize) -> Vec<u32> {
    let file = folder.join(format!("share-0001/layer-{layer:06}.states"));
    let started = Instant::now();
    loop {
        let others = children(process);
        if others.len() == n && file.exists() {
            return others;
        }
        assert!(
            started.elapsed() < SOON,
            "{others:?}, and a layer {layer}: {}",
            file.exists()
        );
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn any_number_of_processes_prints_the_same() {
    let folder = crate::folder();
    for game in ["gen:pancake:7", "gen:hanoi:3:5"] {
        let expected = explored(&[game]);
        for n in ["1", "2", "3", "7"] {
            let layers = folder
                .path()
                .join(format!("{}-{n}", game.replace(':', "-")));
            let words = [game, "--processes", n, "--disk", layers.to_str().unwrap()];
            assert_eq!(explored(&words), expected, "{game} with {n} processes");
        }
    }
}

#[test]
fn a_folder_in_the_cache_is_gone_at_the_end() {
    let cache = crate::folder();
    let explore = |more: &[&str]| {
        let words = ["explore", "gen:pancake:6", "--processes", "2"];
        let mut command = psvn(&[&words, more].concat());
        command
            .env("PSVN_CACHE_DIR", cache.path())
            .output()
            .unwrap()
    };
    let folders = || {
        let folder = cache.path().join("explorations");
        std::fs::read_dir(folder).unwrap().count()
    };
    // Stopped by a limit, it is gone on with.
    assert_eq!(explore(&["--nodes", "1"]).status.code(), Some(4));
    assert_eq!(folders(), 1);
    let output = explore(&[]);
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains("continued from distance"), "{stdout}");
    assert!(
        stdout.contains("sorted files of 2 processes of 1 thread"),
        "{stdout}"
    );
    assert_eq!(folders(), 0);
}

#[test]
#[cfg(target_os = "linux")]
fn when_any_process_is_killed_the_others_report_it_and_the_next_call_resumes() {
    let game = "gen:pancake:9";
    let expected = explored(&[game]);
    for victim in [0, 1, 2] {
        let folder = crate::folder();
        let layers = folder.path().to_str().unwrap();
        let words = [
            "explore",
            game,
            "--processes",
            "3",
            "--disk",
            layers,
            "--format",
            "csv",
        ];
        let running = start(&words);
        let others = wait_for_layers(folder.path(), 4, running.id(), 2);
        let killed = [&[running.id()], &others[..]].concat()[victim];
        kill(killed);
        let (status, _, stderr) = end(running);
        assert_eq!(status, if victim == 0 { None } else { Some(3) }, "{stderr}");
        assert!(stderr.contains("is lost"), "{stderr}");
        assert!(
            stderr.contains("they continue from the last complete layer"),
            "{stderr}"
        );
        for other in others {
            let started = Instant::now();
            while Path::new(&format!("/proc/{other}/exe")).exists() {
                assert!(started.elapsed() < SOON, "process {other} is left over");
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        assert_eq!(
            explored(&words[1..6]),
            expected,
            "after process {victim} was killed"
        );
    }
}

/// A file of hosts on this machine, with free ports.
pub(crate) fn hosts(folder: &Path, n: usize) -> String {
    let listeners: Vec<TcpListener> = (0..n)
        .map(|_| TcpListener::bind("127.0.0.1:0").unwrap())
        .collect();
    let lines = listeners
        .iter()
        .map(|it| format!("{}\n", it.local_addr().unwrap()));
    let file = folder.join("hosts.txt");
    std::fs::write(&file, lines.collect::<String>()).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn processes_of_a_file_of_hosts() {
    let folder = crate::folder();
    let hosts = hosts(folder.path(), 2);
    let secret = folder.path().join("secret");
    assert_eq!(write_secret(&secret).status.code(), Some(0));
    let text = std::fs::read_to_string(&secret).unwrap();
    let layers = folder.path().join("layers");
    let words = ["explore", "gen:pancake:7", "--format", "csv", "--disk"];
    let words = [
        &words[..],
        &[layers.to_str().unwrap(), "--hosts", &hosts, "--process"],
    ]
    .concat();
    let mut second = psvn(&[&words[..], &["1"]].concat());
    second.env("PSVN_SECRET", text);
    let second = second
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let first = [
        &words[..],
        &["0", "--secret-file", secret.to_str().unwrap()],
    ]
    .concat();
    let results = [end(start(&first)), end(second)];
    let expected = explored(&["gen:pancake:7"]);
    for (status, stdout, stderr) in results {
        assert_eq!((status, stderr.as_str()), (Some(0), ""));
        assert_eq!(counts(&stdout), expected);
    }
}

/// Make a secret in a file.
fn write_secret(file: &Path) -> std::process::Output {
    psvn(&["secret", file.to_str().unwrap()]).output().unwrap()
}

#[test]
fn a_secret_is_of_its_owner_and_no_file_is_replaced() {
    use std::os::unix::fs::PermissionsExt;
    let folder = crate::folder();
    let file = folder.path().join("secret");
    let output = write_secret(&file);
    assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b""[..]));
    let secret = std::fs::read_to_string(&file).unwrap();
    assert_eq!(secret.trim_end().len(), 64);
    let mode = || std::fs::metadata(&file).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(), 0o600);
    assert_eq!(write_secret(&file).status.code(), Some(3));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), secret);
    // Nothing else is left in the folder.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_secret_that_others_know_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = crate::folder();
    let hosts = hosts(folder.path(), 2);
    let file = folder.path().join("secret");
    let refused = |mode: u32, secret: &str| {
        std::fs::write(&file, secret).unwrap();
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(&file, permissions).unwrap();
        let words = [
            "explore",
            "gen:pancake:5",
            "--disk",
            "layers",
            "--process",
            "0",
        ];
        let secret = ["--hosts", &hosts, "--secret-file", file.to_str().unwrap()];
        let output = psvn(&[&words[..], &secret].concat()).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    for mode in [0o644, 0o640, 0o604, 0o620] {
        let (status, stderr) = refused(mode, SECRET);
        assert_eq!(status, Some(3), "{stderr}");
        assert!(
            stderr.contains(&format!("its mode is {mode:o}")),
            "{stderr}"
        );
        assert!(
            stderr.contains("chmod 600") && stderr.contains("psvn secret"),
            "{stderr}"
        );
    }
    let (status, stderr) = refused(0o600, "a short one\n");
    assert_eq!(status, Some(2), "{stderr}");
    assert!(
        stderr.contains("11 characters, which is at most 66 bits"),
        "{stderr}"
    );
    assert!(stderr.contains("`psvn secret FILE` makes one"), "{stderr}");
}

#[test]
fn another_secret_or_game_is_refused_with_the_reason() {
    // The first process waits for a right one most of the time, so the cases run at once.
    std::thread::scope(|scope| {
        scope.spawn(|| {
            check_refused(
                "gen:pancake:6",
                "qYp3Vn8sDk1zRb6wXh0tLc5m",
                "the secret is another one",
            );
        });
        check_refused("gen:pancake:5", SECRET, "another game");
    });
}

/// Start two processes, the second one with a game and a secret, and see that it is refused.
fn check_refused(game: &str, secret: &str, reason: &str) {
    let folder = crate::folder();
    let hosts = hosts(folder.path(), 2);
    let layers = folder.path().join("layers");
    let layers = layers.to_str().unwrap();
    let explore = |process: &str, game: &str, secret: &str| {
        let words = [
            "explore", game, "--disk", layers, "--hosts", &hosts, "--wait", "3s",
        ];
        let mut command = psvn(&[&words[..], &["--process", process]].concat());
        command.env("PSVN_SECRET", secret);
        command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let first = explore("0", "gen:pancake:6", SECRET);
    let second = end(explore("1", game, secret));
    let first = end(first);
    assert_eq!((first.0, second.0), (Some(3), Some(3)));
    assert!(
        second.2.contains(&format!("refused: {reason}")),
        "{}",
        second.2
    );
    assert!(
        first
            .2
            .contains("process 1 did not connect within 3 seconds"),
        "{}",
        first.2
    );
    assert!(
        first.2.contains(&format!("was refused: {reason}")),
        "{}",
        first.2
    );
}

#[test]
fn missing_and_wrong_options_are_reported() {
    let folder = crate::folder();
    let file = folder.path().join("hosts.txt");
    let hosts = file.to_str().unwrap();
    let failed = |words: &[&str]| {
        let words = [&["explore", "gen:pancake:5"], words].concat();
        let mut command = psvn(&words);
        let output = command.env_remove("PSVN_SECRET").output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), stderr)
    };
    std::fs::write(&file, "a:1\nb\n").unwrap();
    let (status, stderr) = failed(&["--hosts", hosts, "--process", "0", "--disk", hosts]);
    assert_eq!(status, Some(3));
    assert!(
        stderr.contains("hosts.txt:2: a port is missing"),
        "{stderr}"
    );
    std::fs::write(&file, "a:1\nb:1\n").unwrap();
    let (status, stderr) = failed(&["--hosts", hosts, "--process", "0", "--disk", hosts]);
    assert_eq!(status, Some(2));
    assert!(
        stderr.contains("--secret-file") && stderr.contains("PSVN_SECRET"),
        "{stderr}"
    );
    let (status, stderr) = failed(&["--processes", "2"]);
    assert_eq!(status, Some(2));
    assert!(stderr.contains("--disk FOLDER"), "{stderr}");
    assert_eq!(failed(&["--hosts", hosts]).0, Some(2));
    assert_eq!(failed(&["--processes", "0"]).0, Some(2));
}

/// Build a table, and read its file.
fn table(pattern: &[&str], more: &[&str], file: &Path) -> Vec<u8> {
    let summary = ["--summary", "-o", file.to_str().unwrap()];
    let words = [&["pdb"], pattern, &summary, more].concat();
    let output = psvn(&words).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*stderr), (Some(0), ""));
    assert!(String::from_utf8_lossy(&output.stdout).contains("distance"));
    std::fs::read(file).unwrap()
}

#[test]
fn any_number_of_processes_builds_the_same_table() {
    let folder = crate::folder();
    let file = |n: &str| folder.path().join(format!("{n}.pdb"));
    let pattern = ["gen:sliding-tiles:3:3", "--pattern", "keep 0 1-4"];
    let expected = table(&pattern, &[], &file("alone"));
    for n in ["1", "2", "3"] {
        let layers = folder.path().join(format!("layers-{n}"));
        let together = ["--processes", n, "--disk", layers.to_str().unwrap()];
        assert!(
            table(&pattern, &together, &file(n)) == expected,
            "{n} processes"
        );
    }
}

/// Write a game of some pancakes, whose moves cost as many units as pancakes are turned.
pub(crate) fn weighted(folder: &Path, pancakes: &str) -> String {
    let text = psvn(&["gen", "pancake", pancakes]).output().unwrap().stdout;
    let text = String::from_utf8(text).unwrap();
    let mut moves = 1;
    let lines = text.lines().map(|line| {
        if line.contains("=>") {
            moves += 1;
            let (rule, label) = line.split_once(" LABEL").unwrap_or((line, ""));
            let label = if label.is_empty() {
                String::new()
            } else {
                format!(" LABEL{label}")
            };
            format!("{rule} COST {moves}{label}\n")
        } else {
            format!("{line}\n")
        }
    });
    let game = folder.join("weighted.psvn");
    std::fs::write(&game, lines.collect::<String>()).unwrap();
    game.to_str().unwrap().to_owned()
}

/// Kill one of two processes that build a table of all states, then the other one in a second call.
/// A third call completes the table.
#[cfg(target_os = "linux")]
fn check_killed(game: &str, folder: &Path) {
    let (file, layers) = (folder.join("table.pdb"), folder.join("layers"));
    let expected = table(&[game], &[], &folder.join("alone.pdb"));
    let together = ["--processes", "2", "--disk", layers.to_str().unwrap()];
    for victim in 0..2 {
        let output = ["-o", file.to_str().unwrap()];
        let words = [&["pdb", game], &output[..], &together].concat();
        let running = start(&words);
        let others = wait_for_layers(&layers, 4 + 2 * victim, running.id(), 1);
        kill(if victim == 0 { running.id() } else { others[0] });
        let (status, _, stderr) = end(running);
        assert_ne!(status, Some(0), "{stderr}");
        assert!(!file.exists());
        let started = Instant::now();
        while others
            .iter()
            .any(|it| Path::new(&format!("/proc/{it}/exe")).exists())
        {
            assert!(started.elapsed() < SOON, "a process is left over");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    assert!(table(&[game], &together, &file) == expected);
}

#[test]
#[cfg(target_os = "linux")]
fn a_table_resumes_after_a_process_was_killed() {
    // All states are ranks, and most of them are far away.
    check_killed("gen:pancake:9", crate::folder().path());
}

#[test]
#[cfg(target_os = "linux")]
fn a_table_of_different_costs_resumes_after_a_process_was_killed() {
    let folder = crate::folder();
    check_killed(&weighted(folder.path(), "10"), folder.path());
}

#[test]
fn one_process_of_a_file_of_hosts_has_the_table() {
    let folder = crate::folder();
    let hosts = hosts(folder.path(), 2);
    let run = |process: &str| {
        let file = folder.path().join(format!("{process}.pdb"));
        let layers = folder.path().join("layers");
        let words = [
            "pdb",
            "gen:pancake:6",
            "--pattern",
            "keep 1-3",
            "--hosts",
            &hosts,
        ];
        let files = [
            "-o",
            file.to_str().unwrap(),
            "--disk",
            layers.to_str().unwrap(),
        ];
        let mut command = psvn(&[&words[..], &files, &["--process", process]].concat());
        command.env("PSVN_SECRET", SECRET);
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let [first, second] = [run("0"), run("1")].map(end);
    assert_eq!(
        (first.0, &*first.2, second.0, &*second.2),
        (Some(0), "", Some(0), "")
    );
    assert_eq!(second.1, "The first process has the table.\n");
    assert!(folder.path().join("0.pdb").exists() && !folder.path().join("1.pdb").exists());
}

#[test]
fn tables_that_several_processes_cannot_build_are_refused() {
    let refused = |words: &[&str]| {
        let output = psvn(&[&["pdb"], words].concat()).output().unwrap();
        assert_ne!(output.status.code(), Some(0));
        String::from_utf8(output.stderr).unwrap()
    };
    let tiles = "gen:sliding-tiles:2:3";
    let two = [
        "--pattern",
        "keep 0 1",
        "--pattern",
        "keep 0 2",
        "--processes",
        "2",
    ];
    let stderr = refused(&[&[tiles], &two[..]].concat());
    assert!(stderr.contains("one table at a time"), "{stderr}");
    let stderr = refused(&[tiles, "--disk", "layers"]);
    assert!(stderr.contains("add `--processes N`"), "{stderr}");
    let additive = ["--additive", "--pattern", "keep 1 2", "--processes", "2"];
    let stderr = refused(&[&[tiles], &additive[..]].concat());
    assert!(stderr.contains("--additive"), "{stderr}");
}
