//! The command as its users run it.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod abstracts;
mod apply;
mod assumptions;
mod backward;
mod cache;
mod cluster;
mod completion;
mod debugger;
mod experiments;
mod files;
mod fixes;
mod goals;
mod help;
mod interruption;
mod json;
mod large_games;
#[cfg(target_os = "linux")]
mod limits;
mod lsp;
mod outputs;
mod pddl;
mod pictures;
mod planning;
mod plans;
mod play;
mod proved;
mod reading;
mod readme;
mod schemas;
mod shown;
mod soak;
mod sources;
mod streams;
mod studio;
mod tables;
mod tampering;
mod terms;
mod transfer;
mod units;
mod variations;
mod warnings;
mod writing;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use std::io::Write;

/// Whole sessions: what is typed, what is printed, and the exit status. `TRYCMD=overwrite` writes
/// down what is printed now.
#[test]
fn sessions() {
    let cases = trycmd::TestCases::new();
    cases.env("PSVN_CACHE_DIR", "").case("tests/cmd/*.md");
}

/// Make a folder for files: in memory where there is such a place, since tests that make files by
/// the thousand wait for a disk most of the time.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}

/// The command with these words behind it, in an environment that decides nothing, and without a
/// cache.
pub(crate) fn psvn(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_psvn"));
    command
        .args(words)
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env("TERM", "xterm-256color")
        .env("PSVN_CACHE_DIR", "")
        .env_remove("PSVN_CACHE_SIZE")
        .env_remove("PSVN_CACHE_MIN_TIME")
        .env_remove("RUST_LOG")
        .stdin(Stdio::null());
    command
}

/// What became of a command.
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Run the command.
pub(crate) fn run(words: &[&str]) -> Ran {
    psvn(words).output().unwrap().into()
}

/// Run the command in a folder.
pub(crate) fn run_in(folder: &Path, words: &[&str]) -> Ran {
    psvn(words).current_dir(folder).output().unwrap().into()
}

/// Run the command in a folder, with the words of a line of a page behind it.
pub(crate) fn run_line(folder: &Path, line: &str) -> Ran {
    let words = split(line);
    run_in(folder, &Vec::from_iter(words.iter().map(String::as_str)))
}

/// The words of a line; single quotes hold some together.
pub(crate) fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.split('\'').enumerate() {
        if i % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    folder.ancestors().nth(2).unwrap().to_owned()
}

/// Run the command with a text on standard input.
pub(crate) fn run_with_input(words: &[&str], input: &[u8]) -> Ran {
    let mut child = psvn(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses its arguments need not read its input.
    match child.stdin.take().unwrap().write_all(input) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
        written => written.unwrap(),
    }
    child.wait_with_output().unwrap().into()
}
