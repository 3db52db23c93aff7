//! Tasks in PDDL: an installed translator makes SAS+ of them, which is read.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use psvn::{Error, Source};

use crate::args::is_pddl;
use crate::failure::Failure;
use crate::session::Context;
use crate::session::interrupt;

/// Names a translator before those that are looked for.
const VARIABLE: &str = "PSVN_TRANSLATOR";

/// What Fast Downward's driver is called, where it is installed.
const DRIVERS: [&str; 2] = ["fast-downward.py", "downward"];

/// Prints where Python has the driver of the package `up-fast-downward`, without loading it.
const FIND_DRIVER: &str = "\
from importlib.util import find_spec
found = find_spec('up_fast_downward')
print(found.submodule_search_locations[0] + '/downward/fast-downward.py' if found else '')";

/// How often the end of a translator, and signals, are looked for.
const PAUSE: Duration = Duration::from_millis(5);

/// The most lines of what a translator says that an error shows.
const MOST_LINES: usize = 8;

/// Read a game; a task in PDDL, perhaps as two files, is translated first.
pub(crate) fn read(file: &Path, problem: Option<&Path>, cx: &Context) -> Result<Source, Failure> {
    match problem {
        None if !is_pddl(file) => Ok(Source::read_within(file, &cx.env)?),
        Some(problem) if !is_pddl(problem) => Err(Failure::usage(format!(
            "{} isn't PDDL: a second file is the problem of a task in PDDL",
            problem.display()
        ))),
        _ => translate(file, problem, cx),
    }
}

/// The SAS+ that a translator makes of a domain and a problem, or of a problem beside its domain.
fn translate(file: &Path, problem: Option<&Path>, cx: &Context) -> Result<Source, Failure> {
    let files: Vec<&Path> = [Some(file), problem].into_iter().flatten().collect();
    for file in &files {
        let unreadable = |error| Failure::input(format!("{}: {error}", file.display()));
        File::open(file).map_err(unreadable)?;
    }
    let unwritable = |error| Failure::input(format!("no folder for the translator: {error}"));
    let place = tempfile::tempdir().map_err(unwritable)?;
    let (task, said) = (place.path().join("output.sas"), place.path().join("said"));
    let translator = installed()?;
    let (program, words) = translator.split_first().ok_or_else(missing)?;
    let mut command = Command::new(program);
    command
        .args(words)
        .arg("--translate")
        .arg("--sas-file")
        .arg(&task);
    let saying = File::create(&said).map_err(unwritable)?;
    command
        .args(files.iter().map(|file| absolute(file)))
        // It may leave files of its own.
        .current_dir(place.path())
        .stdin(Stdio::null())
        .stdout(saying.try_clone().map_err(unwritable)?)
        .stderr(saying);
    let name = program.to_string_lossy();
    let status = run(command, cx)
        .map_err(|error| Failure::input(format!("the translator {name} can't be run: {error}")))?
        .ok_or_else(|| stopped(cx))?;
    if !status.success() || !task.exists() {
        return Err(failed(&name, status, &said));
    }
    let mut source = Source::read_within(&task, &cx.env)?;
    source.name = files[files.len() - 1].display().to_string();
    Ok(source)
}

fn absolute(file: &Path) -> PathBuf {
    std::path::absolute(file).unwrap_or_else(|_| file.to_owned())
}

/// Run a program to its end; `None` if a signal or the limit on time came first.
fn run(mut command: Command, cx: &Context) -> io::Result<Option<ExitStatus>> {
    interrupt::flag(&cx.env);
    let mut child = command.spawn()?;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if cx.env.budget().is_over() {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(PAUSE);
    }
}

fn stopped(cx: &Context) -> Failure {
    let end = "before the task was translated";
    let error = if cx.env.is_cancelled() {
        Error::interrupted(format!("interrupted {end}"))
    } else {
        Error::limit(format!("the time ran out {end}"))
    };
    error.into()
}

/// A program that takes the words of Fast Downward's driver, with its first words.
fn installed() -> Result<Vec<OsString>, Failure> {
    if let Some(named) = std::env::var_os(VARIABLE).filter(|named| !named.is_empty()) {
        // It is run in another folder.
        let is_path = Path::new(&named).components().count() > 1;
        return Ok(vec![if is_path {
            absolute(Path::new(&named)).into()
        } else {
            named
        }]);
    }
    for driver in DRIVERS {
        if let Some(path) = found(driver) {
            return Ok(vec![path.into()]);
        }
    }
    for python in ["python3", "python"] {
        let asked = Command::new(python)
            .args(["-c", FIND_DRIVER])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output();
        let Ok(answer) = asked else { continue };
        let driver = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
        if answer.status.success() && Path::new(&driver).is_file() {
            return Ok(vec![python.into(), driver.into()]);
        }
    }
    Err(missing())
}

/// The file of a program among those that are searched.
fn found(program: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
}

fn missing() -> Failure {
    Failure::input("no translator of PDDL is installed").hint(format!(
        "`pip install up-fast-downward` or `planutils install downward` installs that of Fast \
         Downward, or {VARIABLE} names its driver, `fast-downward.py`; or solve what another program \
         has translated into SAS+"
    ))
}

/// What a translator said last, as an error.
fn failed(name: &str, status: ExitStatus, said: &Path) -> Failure {
    let said = std::fs::read(said).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let lines: Vec<&str> = said
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let last = lines[lines.len().saturating_sub(MOST_LINES)..].join("\n");
    let failure = Failure::input(format!("the translator {name} failed ({status})"));
    if last.is_empty() {
        failure
    } else {
        failure.hint(format!("it said:\n{last}"))
    }
}
