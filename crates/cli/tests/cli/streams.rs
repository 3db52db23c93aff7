//! Standard input, output and error: pipes, colors, hostile bytes.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::{psvn, run, run_with_input};

#[test]
fn games_and_instances_come_from_standard_input() {
    let game = run(&["gen", "pancake", "4"]).stdout;
    for command in ["check", "show", "fmt", "analyze", "tree"] {
        let ran = run_with_input(&[command, "-"], game.as_bytes());
        assert_eq!(
            (ran.status, ran.stderr.as_str()),
            (Some(0), ""),
            "{command}"
        );
        assert!(!ran.stdout.is_empty());
    }
    let once = run_with_input(&["fmt", "-"], game.as_bytes()).stdout;
    assert_eq!(run_with_input(&["fmt", "-"], once.as_bytes()).stdout, once);
    let words = ["solve", "-", "--instances", "-"];
    assert_eq!(run_with_input(&words, game.as_bytes()).status, Some(2));
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    for words in [
        &["gen", "blocks", "40"][..],
        &["show", "gen:blocks:30", "--all"],
        &["show", "gen:blocks:30", "--format", "json"],
        &["completions", "bash"],
        &["man"],
    ] {
        let mut child = psvn(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut reader = BufReader::with_capacity(16, child.stdout.take().unwrap());
        reader.read_line(&mut line).unwrap();
        drop(reader);
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (output.status.code(), stderr.as_str()),
            (Some(0), ""),
            "{words:?}"
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = psvn(&["show", "gen:ghi"])
        .stdout(Stdio::from(full))
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        stderr,
        "error: can't write to standard output: no space left on device\n"
    );
}

/// So are a full disk for a help text, and an output that is closed, whatever the command.
#[test]
#[cfg(target_os = "linux")]
fn an_output_that_takes_nothing_is_an_error() {
    let program = psvn(&[]);
    let redirected = |command: &str| {
        let output = std::process::Command::new("sh")
            .args(["-c", &format!("exec \"$0\" {command}")])
            .arg(program.get_program())
            .output()
            .unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let cant = "error: can't write to standard output: ";
    for command in ["help solve", "--version", "solve -h"] {
        let expected = format!("{cant}no space left on device\n");
        let ran = redirected(&format!("{command} >/dev/full"));
        assert_eq!(ran, (Some(3), expected), "{command}");
    }
    for command in ["help solve", "gen pancake 4", "show gen:ghi", "man"] {
        let ran = redirected(&format!("{command} >&-"));
        assert_eq!(ran, (Some(3), format!("{cant}it is closed\n")), "{command}");
        // Rust opens this file in place of a closed output.
        for to in [">/dev/null", "1<>/dev/null"] {
            let ran = redirected(&format!("{command} {to}"));
            assert_eq!(ran, (Some(0), String::new()), "{command} {to}");
        }
    }
}

#[test]
fn pipes_get_no_escape_sequences_and_no_progress() {
    for words in [
        &["check", "no-such-file"][..],
        &["--help"],
        &["solv"],
        &["analyze", "gen:topspin:12:3", "-L", "4", "-v"],
        &["solve", "gen:pancake:8", "--start", "8 1 7 2 6 3 5 4"],
        &["compose", "gen:arrow:4", "R1-0"],
    ] {
        let ran = run(words);
        assert!(
            !ran.stdout.contains('\x1b') && !ran.stderr.contains('\x1b'),
            "{words:?}"
        );
        if ran.status == Some(0) {
            assert_eq!(ran.stderr, "", "{words:?}");
        }
    }
    let ran = run_with_input(&["check", "-"], b"2\n2 2\n0 A => A\n");
    assert!(
        ran.stderr.contains("^") && !ran.stderr.contains('\x1b'),
        "{}",
        ran.stderr
    );
}

#[test]
fn progress_can_be_shown_in_pipes() {
    let words = ["analyze", "gen:hanoi:3:3", "--progress", "always"];
    let ran = run(&words);
    assert_eq!(ran.status, Some(0));
    assert!(
        ran.stderr.starts_with("sequences of length "),
        "{}",
        ran.stderr
    );
    assert_eq!(run(&[&words[..], &["-q"]].concat()).stderr, "");
}

#[test]
fn no_input_controls_the_terminal() {
    let hostile = "\x1b]0;owned\x07 \u{9b}31m \x08\x7f 2\n2 2\n\x1b[2J A => A\n";
    for command in ["check", "fmt", "show", "analyze"] {
        let ran = run_with_input(&[command, "-"], hostile.as_bytes());
        assert_eq!(ran.status, Some(3), "{command}");
        for text in [&ran.stdout, &ran.stderr] {
            let control = text.chars().find(|c| c.is_control() && *c != '\n');
            assert_eq!(control, None, "{command}: {text}");
        }
    }
    let ran = run(&["compose", "gen:ghi", "\x1b[31mR1"]);
    assert_eq!(ran.status, Some(2));
    assert!(!ran.stderr.contains('\x1b'));
}

#[test]
fn bytes_of_any_kind_get_an_answer() {
    let mut noise = 0x2545_f491_4f6c_dd1d_u64;
    let bytes: Vec<u8> = std::iter::repeat_with(|| {
        noise ^= noise << 13;
        noise ^= noise >> 7;
        noise ^= noise << 17;
        noise as u8
    })
    .take(20_000)
    .collect();
    for input in [&b""[..], b"\0", b"\xef\xbb\xbf", b"\xff\xfe2\0", &bytes] {
        let ran = run_with_input(&["check", "-"], input);
        assert_eq!(ran.status, Some(3));
        assert!(ran.stderr.starts_with("error"), "{}", ran.stderr);
    }
}

#[test]
fn rust_log_says_what_is_traced() {
    let words = [
        "solve",
        "gen:pancake:4",
        "--start",
        "3 1 4 2",
        "--no-cache",
        "-q",
    ];
    let run = |filter: &str| {
        let output = psvn(&words).env("RUST_LOG", filter).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let phases = run("info");
    for phase in ["analyze{", "build machines{", "search{"] {
        let mut lines = phases.lines().filter(|line| line.contains(phase));
        assert!(lines.any(|line| line.contains("time.busy")), "{phases}");
    }
    let bounds = run("search=debug");
    let mut lines = bounds.lines().filter(|line| line.contains("bound{bound="));
    assert!(lines.any(|line| line.contains("time.busy")), "{bounds}");
    assert_eq!(run("psvn=warn"), "");
    // Quiet as it is, what is wrong with the filter isn't said; nothing is traced.
    assert_eq!(run("a=b=c"), "");
}
