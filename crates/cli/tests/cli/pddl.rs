//! Tasks in PDDL: which translator is run, how, and what is said where there is none.

#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::{Ran, folder, psvn, run};

const TASK: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../extras/formats/tests/it/gripper.sas"
);

fn program(path: &Path, lines: &str) {
    fs::write(path, format!("#!/bin/sh\n{lines}\n")).unwrap();
    fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
}

/// A translator that knows one task, and writes down how it was asked.
fn translator(path: &Path) {
    let asked = path.with_extension("asked");
    let lines = format!("echo \"$@\" > '{}'\ncat '{TASK}' > \"$3\"", asked.display());
    program(path, &lines);
}

/// The command in a folder with a task in PDDL, where only the programs of a folder are found.
fn run_there(place: &Path, programs: &Path, named: Option<&Path>, words: &[&str]) -> Ran {
    for file in ["domain.pddl", "problem.pddl"] {
        fs::write(place.join(file), "(define (nothing))").unwrap();
    }
    let mut command = psvn(words);
    command
        .current_dir(place)
        .env("PATH", format!("{}:/bin:/usr/bin", programs.display()));
    match named {
        Some(path) => command.env("PSVN_TRANSLATOR", path),
        None => command.env_remove("PSVN_TRANSLATOR"),
    };
    command.output().unwrap().into()
}

const SOLVE: [&str; 5] = ["solve", "domain.pddl", "problem.pddl", "-a", "astar"];

#[test]
fn a_task_is_what_the_translator_makes_of_it() {
    let place = folder();
    let wanted = run(&["solve", TASK, "-a", "astar", "--format", "csv"]);
    assert_eq!(wanted.status, Some(0), "{}", wanted.stderr);
    let named = place.path().join("named");
    translator(&named);
    let solve = [&SOLVE[..], &["--format", "csv"]].concat();
    let found = run_there(place.path(), place.path(), Some(&named), &solve);
    assert_eq!(found.status, Some(0), "{}", found.stderr);
    let moves = |ran: &Ran| {
        ran.stdout
            .lines()
            .last()
            .unwrap()
            .rsplit(',')
            .next()
            .map(str::to_owned)
    };
    assert_eq!(moves(&found), moves(&wanted));
    let asked = fs::read_to_string(place.path().join("named.asked")).unwrap();
    let words: Vec<&str> = asked.split_whitespace().collect();
    assert_eq!(words[..2], ["--translate", "--sas-file"]);
    let file = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    assert_eq!(words[3..], [file("domain.pddl"), file("problem.pddl")]);
    // The translator leaves nothing behind.
    assert!(!Path::new(words[2]).exists());

    // The same as PSVN, and a problem whose domain the translator finds.
    let imported = run_there(
        place.path(),
        place.path(),
        Some(&named),
        &["import", "pddl", "problem.pddl"],
    );
    assert_eq!(imported.stdout, run(&["import", "sas", TASK]).stdout);
    let asked = fs::read_to_string(place.path().join("named.asked")).unwrap();
    assert_eq!(asked.split_whitespace().count(), 4);
}

#[test]
fn translators_are_found_where_they_are_installed() {
    for name in ["fast-downward.py", "downward"] {
        let place = folder();
        translator(&place.path().join(name));
        let found = run_there(place.path(), place.path(), None, &SOLVE);
        assert_eq!(found.status, Some(0), "{name}: {}", found.stderr);
    }
    // The package of Python: asked for its driver, and run with it.
    let place = folder();
    let driver = place.path().join("fast-downward.inside");
    translator(&driver);
    let python = format!(
        "if [ \"$1\" = -c ]; then echo '{0}'; else exec \"$@\"; fi",
        driver.display()
    );
    program(&place.path().join("python3"), &python);
    let found = run_there(place.path(), place.path(), None, &SOLVE);
    assert_eq!(found.status, Some(0), "{}", found.stderr);
}

#[test]
fn where_there_is_no_translator_the_error_says_which_to_install() {
    let place = folder();
    let empty = folder();
    // Pythons without the package.
    for python in ["python3", "python"] {
        program(&empty.path().join(python), "echo");
    }
    let found = run_there(place.path(), empty.path(), None, &SOLVE);
    assert_eq!(found.status, Some(3), "{}", found.stderr);
    for part in [
        "no translator of PDDL",
        "pip install up-fast-downward",
        "PSVN_TRANSLATOR",
    ] {
        assert!(found.stderr.contains(part), "{}", found.stderr);
    }
    let nowhere = place.path().join("nowhere");
    let found = run_there(place.path(), empty.path(), Some(&nowhere), &SOLVE);
    assert_eq!(found.status, Some(3), "{}", found.stderr);
    assert!(found.stderr.contains("can't be run"), "{}", found.stderr);
}

#[test]
fn what_a_translator_says_is_part_of_the_error() {
    let place = folder();
    let named = place.path().join("named");
    program(&named, "echo 'undefined predicate: on' >&2\nexit 31");
    let found = run_there(place.path(), place.path(), Some(&named), &SOLVE);
    assert_eq!(found.status, Some(3));
    assert!(
        found.stderr.contains("failed (exit status: 31)"),
        "{}",
        found.stderr
    );
    assert!(
        found.stderr.contains("undefined predicate: on"),
        "{}",
        found.stderr
    );
    // One that writes no task.
    program(&named, "true");
    assert_eq!(
        run_there(place.path(), place.path(), Some(&named), &SOLVE).status,
        Some(3)
    );
    // One that takes too long.
    program(&named, "exec sleep 60");
    let short = [&SOLVE[..], &["--time", "100ms"]].concat();
    let found = run_there(place.path(), place.path(), Some(&named), &short);
    assert_eq!(found.status, Some(4), "{}", found.stderr);
}

#[test]
fn files_that_make_no_task_are_refused() {
    let place = folder();
    let solve = ["solve", "domain.pddl", "output.sas"];
    assert_eq!(
        run_there(place.path(), place.path(), None, &solve).status,
        Some(2)
    );
    let solve = ["solve", "domain.pddl", "absent.pddl"];
    let found = run_there(place.path(), place.path(), None, &solve);
    assert_eq!(found.status, Some(3));
    assert!(found.stderr.contains("absent.pddl"), "{}", found.stderr);
    let import = ["import", "sas", "output.sas", "problem.pddl"];
    assert_eq!(
        run_there(place.path(), place.path(), None, &import).status,
        Some(2)
    );
}
