//! Compiling and running programs in C.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// How a program is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Build {
    /// For speed.
    Fast,
    /// Unchanged, which takes the compiler less time.
    Plain,
    /// With checks of memory and of undefined behavior.
    Checked,
}

const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

fn compiler() -> OsString {
    std::env::var_os("CC").unwrap_or_else(|| "cc".into())
}

/// The compiler for C++, if there is one.
pub(crate) fn plus_plus() -> Option<OsString> {
    let name = std::env::var_os("CXX").unwrap_or_else(|| "c++".into());
    runs(&name).then_some(name)
}

fn runs(program: &OsString) -> bool {
    let version = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    version.is_ok_and(|status| status.success())
}

/// Whether there is a compiler. If there is none, report it.
pub(crate) fn is_there() -> bool {
    let is_there = runs(&compiler());
    if !is_there {
        eprintln!(
            "SKIPPED: no C compiler `{}` here; set CC",
            compiler().display()
        );
    }
    is_there
}

/// A program with a game in it.
pub(crate) struct Program {
    folder: TempDir,
    binary: PathBuf,
}

/// The folder with the sources of the programs.
fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

impl Program {
    /// All programs in one, with this game.
    pub(crate) fn new(game: &str, build: Build) -> Self {
        Self::of("all.c", game, build)
    }

    /// The program of a name, with this game.
    pub(crate) fn of(name: &str, game: &str, build: Build) -> Self {
        let mut flags = vec!["-std=c99"];
        flags.push(match build {
            Build::Fast => "-O2",
            Build::Checked => "-O1",
            Build::Plain => "-O0",
        });
        if build == Build::Checked {
            flags.push("-g");
            flags.push("-fsanitize=address,undefined");
            flags.push("-fno-sanitize-recover=all");
        }
        Self::compile(&compiler(), &flags, &sources().join(name), game)
    }

    /// A source compiled with these flags, with this game.
    pub(crate) fn compile(compiler: &OsString, flags: &[&str], source: &Path, game: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("game.c"), game).unwrap();
        let binary = folder.path().join("program");
        let mut command = Command::new(compiler);
        command
            .args(WARNINGS)
            .args(flags)
            .arg("-I")
            .arg(folder.path())
            .arg("-o")
            .arg(&binary)
            .arg(source);
        compile_with(&mut command);
        Self { folder, binary }
    }

    /// The program in Rust, with this game. Warnings and unsafe code are errors.
    pub(crate) fn rust(game: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("game.rs"), game).unwrap();
        for name in ["main.rs", "parts.rs"] {
            std::fs::copy(sources().join("rust").join(name), folder.path().join(name)).unwrap();
        }
        let binary = folder.path().join("program");
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let mut command = Command::new(rustc);
        command
            .args(["--edition", "2021", "-D", "warnings"])
            .args(["-F", "unsafe_code"])
            // Without code for unwinding and in one unit, a third less time to compile.
            .args(["-C", "panic=abort", "-C", "codegen-units=1", "-o"])
            .arg(&binary)
            .arg(folder.path().join("main.rs"));
        compile_with(&mut command);
        Self { folder, binary }
    }

    /// A folder that is the program's own.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Its output.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        self.run_with(arguments, "")
    }

    /// Its output for this input.
    pub(crate) fn run_with(&self, arguments: &[&str], input: &str) -> String {
        let mut child = Command::new(&self.binary)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_owned();
        // The program prints while it reads, and a pipe has a limited capacity.
        let writer = std::thread::spawn(move || {
            // A program that doesn't read to the end closes the pipe.
            let _ = stdin.write_all(input.as_bytes());
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert!(
            output.status.success(),
            "{arguments:?}: {}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    }
}

/// Run a compiler, which must not warn.
fn compile_with(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
