//! Where files are written to: devices, pipes, links, files that may not be written, and limits on
//! their size.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{Ran, psvn, run_in};

/// Each command that writes a file, without the name of the file.
const WRITERS: [&[&str]; 8] = [
    &["pdb", "gen:pancake:5", "-o"],
    &["gen", "ghi", "-o"],
    &["export", "c", "gen:arrow:4", "-o"],
    &["analyze", "gen:arrow:4", "-o"],
    &["gen-instances", "gen:pancake:5", "-o"],
    &["play", "gen:nim:1:1", "--ply", "1", "--tree", "svg", "-o"],
    &[
        "solve",
        "gen:sliding-tiles:2:2",
        "--start",
        "1 0 2 3",
        "--animate",
    ],
    &["fmt", "--write"],
];

/// What a file holds before a command writes it: a game, since one of them reads it.
const BEFORE: &str = "1 2 0 => 1\n";

fn write(folder: &Path, writer: &[&str], file: &str) -> Ran {
    run_in(folder, &[writer, &[file]].concat())
}

/// The name of a file that a command writes: pictures have an ending of their own.
fn named(writer: &[&str], stem: &str) -> String {
    let ending = if writer[0] == "solve" { "svg" } else { "pdb" };
    format!("{stem}.{ending}")
}

/// All but `fmt`, which reads its file first.
fn makers() -> impl Iterator<Item = &'static [&'static str]> {
    WRITERS.into_iter().filter(|writer| writer[0] != "fmt")
}

#[test]
fn links_stay_links() {
    for writer in WRITERS {
        let folder = tempfile::tempdir().unwrap();
        let link = &named(writer, "link");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("inner")).unwrap();
        fs::write(at("inner/file"), BEFORE).unwrap();
        fs::set_permissions(at("inner/file"), fs::Permissions::from_mode(0o640)).unwrap();
        symlink("inner/file", at(link)).unwrap();
        let ran = write(folder.path(), writer, link);
        assert_eq!(ran.status, Some(0), "{writer:?}: {}", ran.stderr);
        assert!(at(link).is_symlink(), "{writer:?}");
        assert_ne!(fs::read(at("inner/file")).unwrap(), BEFORE.as_bytes());
        let mode = fs::metadata(at("inner/file")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640, "{writer:?}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        assert_eq!(fs::read_dir(at("inner")).unwrap().count(), 1);
    }
    // What a link leads to need not be there yet.
    for writer in makers() {
        let folder = tempfile::tempdir().unwrap();
        let link = &named(writer, "link");
        let at = |name: &str| folder.path().join(name);
        symlink("new", at(link)).unwrap();
        let ran = write(folder.path(), writer, link);
        assert_eq!(ran.status, Some(0), "{writer:?}: {}", ran.stderr);
        assert!(at(link).is_symlink() && at("new").is_file());
    }
}

#[test]
fn read_only_files_are_refused() {
    for writer in WRITERS {
        let folder = tempfile::tempdir().unwrap();
        let name = &named(writer, "file");
        let path = folder.path().join(name);
        fs::write(&path, BEFORE).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        let ran = write(folder.path(), writer, name);
        assert_eq!(ran.status, Some(3), "{writer:?}");
        let said = format!("error: can't write `{name}`: the file is read-only\n");
        assert!(ran.stderr.ends_with(&said), "{writer:?}: {}", ran.stderr);
        assert_eq!(fs::read_to_string(&path).unwrap(), BEFORE);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

#[test]
fn pipes_are_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    for writer in makers() {
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        let ran = write(folder.path(), writer, "pipe");
        assert_eq!(ran.status, Some(0), "{writer:?}: {}", ran.stderr);
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        let whole = write(folder.path(), writer, "file");
        assert_eq!(whole.status, Some(0));
        // A machine file says nothing of time; neither do the others.
        let read = reader.join().unwrap();
        assert_eq!(read, fs::read(folder.path().join("file")).unwrap());
    }
}

/// By way of a link, so that nothing is lost should it go wrong.
#[test]
#[cfg(target_os = "linux")]
fn a_full_device_is_an_error_and_is_not_replaced() {
    for (device, status) in [("/dev/full", 3), ("/dev/null", 0)] {
        for writer in makers() {
            let folder = tempfile::tempdir().unwrap();
            let link = folder.path().join("device");
            symlink(device, &link).unwrap();
            let ran = write(folder.path(), writer, "device");
            assert_eq!(ran.status, Some(status), "{writer:?}: {}", ran.stderr);
            if status == 3 {
                let said = "error: can't write `device`: no space left on device\n";
                assert_eq!(ran.stderr, said, "{writer:?}");
            }
            assert!(link.is_symlink(), "{writer:?}");
            assert!(fs::metadata(&link).unwrap().file_type().is_char_device());
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        }
    }
}

/// What standard output is, is written behind what was printed there, and before what is printed
/// next.
#[test]
#[cfg(target_os = "linux")]
fn standard_output_may_be_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    fs::write(&path, "earlier\n").unwrap();
    for name in ["/dev/stdout", "/dev/fd/1", "log"] {
        let log = fs::File::options().append(true).open(&path).unwrap();
        let status = psvn(&["pdb", "gen:pancake:4", "-o", name])
            .current_dir(folder.path())
            .stdout(Stdio::from(log))
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(0), "{name}");
    }
    let log = fs::read(&path).unwrap();
    let log = String::from_utf8_lossy(&log);
    assert!(log.starts_with("earlier\nPSVNPDB\0"), "{log}");
    for what in ["PSVNPDB\0", "24 entries of 4 bits"] {
        assert_eq!(log.matches(what).count(), 3, "{what}: {log}");
    }
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error() {
    let writers = makers().filter(|writer| writer[0] != "play" && writer[0] != "gen");
    let large = [
        &["pdb", "gen:pancake:7", "-o"][..],
        &[
            "pdb",
            "gen:pancake:7",
            "--pattern",
            "keep 1-6",
            "--pattern",
            "keep 2-7",
            "-o",
        ],
        &["gen", "blocks", "10", "-o"],
    ];
    for writer in writers.chain(large) {
        let folder = tempfile::tempdir().unwrap();
        // One block: 512 or 1024 bytes.
        let ran: Ran = Command::new("sh")
            .args(["-c", "ulimit -f 1; exec \"$@\"", "sh"])
            .arg(env!("CARGO_BIN_EXE_psvn"))
            .args(writer)
            .arg(named(writer, "file"))
            .env("PSVN_CACHE_DIR", "")
            .current_dir(folder.path())
            .output()
            .unwrap()
            .into();
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
        if ran.status == Some(0) {
            // Small enough.
            let length = left[0].as_ref().unwrap().metadata().unwrap().len();
            assert!(length <= 1024, "{writer:?}: {length}");
            continue;
        }
        assert_eq!(ran.status, Some(3), "{writer:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("file too large"), "{}", ran.stderr);
        assert!(left.is_empty(), "{writer:?}: {left:?}");
    }
}

const EIGHT: &str = "gen:sliding-tiles:3:3";

/// A sum of two tables.
fn sum(folder: &Path, output: &str) -> Ran {
    let words = [
        "--additive",
        "--pattern",
        "keep 1-4",
        "--pattern",
        "keep 5-8",
    ];
    run_in(
        folder,
        &[&["pdb", EIGHT, "-o", output], &words[..]].concat(),
    )
}

#[test]
fn several_tables_are_written_together_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("sum-2.pdb"), "precious").unwrap();
    fs::set_permissions(at("sum-2.pdb"), fs::Permissions::from_mode(0o444)).unwrap();
    let ran = sum(folder.path(), "sum.pdb");
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (Some(3), ""),
        "{}",
        ran.stderr
    );
    assert_eq!(fs::read(at("sum-2.pdb")).unwrap(), b"precious");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    fs::set_permissions(at("sum-2.pdb"), fs::Permissions::from_mode(0o644)).unwrap();
    let ran = sum(folder.path(), "sum.pdb");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    // They have the same bytes as each by itself.
    let written = fs::read(at("sum-2.pdb")).unwrap();
    assert_eq!(&written[..8], b"PSVNPDB\0");
    let ran = sum(folder.path(), "/dev/null");
    assert_eq!(ran.status, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("not a regular file"), "{}", ran.stderr);
    // What can't be written is refused before anything is built: this table would take ages.
    let words = [
        "pdb",
        "gen:sliding-tiles:4:4",
        "--pattern",
        "keep 1-10",
        "-o",
        "no/such/folder.pdb",
    ];
    let ran = run_in(folder.path(), &words);
    assert_eq!(ran.status, Some(3));
    assert!(
        ran.stderr.contains("can't write `no/such/folder.pdb`"),
        "{}",
        ran.stderr
    );
}

#[test]
fn the_output_says_what_was_written_and_how_to_use_it() {
    let folder = tempfile::tempdir().unwrap();
    let ran = sum(folder.path(), "sum.pdb");
    let said = "\nWritten to sum-1.pdb, sum-2.pdb; use them as `--heuristic sum-1.pdb+sum-2.pdb`\n";
    assert!(ran.stdout.contains(said), "{}", ran.stdout);
    let solve = |heuristic: &str| {
        let words = [
            "solve",
            EIGHT,
            "--start",
            "8 7 6 5 4 3 2 1 0",
            "--heuristic",
            heuristic,
        ];
        run_in(folder.path(), &words)
    };
    assert_eq!(solve("sum-1.pdb+sum-2.pdb").status, Some(0));
    let ran = solve("sum.pdb");
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            Some(3),
            "error: can't use `sum.pdb`: no such file or directory\n\
             help: there are 2 tables of that name: give `sum-1.pdb+sum-2.pdb` if they were built with \
             `--additive`, else `sum-1.pdb,sum-2.pdb`\n"
        )
    );
    let words = [
        "pdb",
        EIGHT,
        "--pattern",
        "keep 1-3",
        "-o",
        "a.pdb",
        "--format",
        "json",
    ];
    let report: serde_json::Value =
        serde_json::from_str(&run_in(folder.path(), &words).stdout).unwrap();
    assert_eq!(report["written"][0], "a.pdb");
    assert_eq!(report["heuristic"], "a.pdb");
    // A name that `--heuristic` doesn't take.
    let ran = run_in(folder.path(), &["pdb", "gen:pancake:4", "-o", "table"]);
    assert!(
        ran.stdout.contains("\nWritten to table\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn damaged_tables_are_refused_by_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.pdb");
    let game = "gen:pancake:6";
    let words = ["pdb", game, "--pattern", "keep 1 2 3", "-o", "t.pdb"];
    assert_eq!(run_in(folder.path(), &words).status, Some(0));
    let good = fs::read(&path).unwrap();
    // The table is the last but its checksum. Twice as large, it would give a wrong least cost.
    let mut damaged = good.clone();
    let end = good.len() - 4;
    damaged[end - 60..end]
        .iter_mut()
        .for_each(|byte| *byte <<= 1);
    fs::write(&path, damaged).unwrap();
    for words in [
        &[
            "solve",
            game,
            "--start",
            "2 5 1 4 6 3",
            "--heuristic",
            "t.pdb",
        ][..],
        &["pdb", game, "--open", "t.pdb"],
        &["pdb", game, "--open", "t.pdb", "--check"],
    ] {
        let ran = run_in(folder.path(), words);
        assert_eq!(
            (ran.status, ran.stdout.as_str()),
            (Some(3), ""),
            "{words:?}"
        );
        assert!(
            ran.stderr
                .contains("its table is damaged (the checksum doesn't match)")
                && ran.stderr.contains("build it again"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn the_ending_of_the_file_chooses_the_form_of_a_drawing() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &[&str]| run_in(folder.path(), words);
    let game = "gen:grid:3:3";
    let made = run(&["analyze", game, "--operators", "labels", "-o", "grid.fsm"]);
    assert_eq!(made.status, Some(0), "{}", made.stderr);
    for (name, option) in [("grid.svg", "--svg"), ("grid.dot", "--dot")] {
        let written = run(&["fsm", "grid.fsm", "--game", game, "-o", name]);
        assert_eq!((written.status, written.stdout.as_str()), (Some(0), ""));
        let file = std::fs::read_to_string(folder.path().join(name)).unwrap();
        let printed = run(&["fsm", "grid.fsm", "--game", game, option]).stdout;
        assert_eq!(file, printed);
        let tree = run(&["fsm", "grid.fsm", "--game", game, "--trie", "-o", name]);
        assert_eq!(tree.status, Some(0), "{}", tree.stderr);
        let tree = std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert_ne!(file, tree);
    }
    let refused = run(&["fsm", "grid.fsm", "-o", "grid.png"]);
    assert_eq!(refused.status, Some(2));
    assert!(
        refused
            .stderr
            .contains("files that end in `.svg` or `.dot`")
    );
    assert!(!folder.path().join("grid.png").exists());
}

/// One rule for all files: the ending chooses the form, another one is refused before any work, and
/// what was written is said.
#[test]
fn files_are_written_in_the_form_of_their_ending() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &[&str]| run_in(folder.path(), words);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let spec = "title = 'Forms'\n[[domain]]\nname = 'p'\nfile = 'gen:pancake:4'\n\
                instances = [{ walks = 2, steps = 3 }]\n[[method]]\nname = 'ida'\n";
    fs::write(folder.path().join("forms.toml"), spec).unwrap();
    assert_eq!(run(&["experiment", "forms.toml"]).status, Some(0));
    for (name, begin) in [
        ("x.html", "<!DOCTYPE html>"),
        ("x.HTM", "<!DOCTYPE html>"),
        ("x.md", "# Forms"),
        ("x.tex", "% needs"),
        ("x.txt", "Forms\n====="),
        ("x.json", "{"),
        ("x.csv", "experiment,algorithm"),
        ("x", "Forms\n====="),
    ] {
        let ran = run(&["report", "forms.jsonl", "-o", name]);
        assert_eq!(ran.status, Some(0), "{name}: {}", ran.stderr);
        assert_eq!(ran.stderr, format!("Written to {name}\n"));
        assert!(read(name).starts_with(begin), "{name}");
        let quiet = run(&["report", "forms.jsonl", "-o", name, "-q"]);
        assert_eq!((quiet.status, quiet.stderr.as_str()), (Some(0), ""));
    }
    let tiles = "gen:sliding-tiles:2:2";
    let pictures: [&[&str]; 4] = [
        &["solve", tiles, "--start", "1 0 2 3", "-o"],
        &["apply", tiles, "R", "-o"],
        &["explore", tiles, "-o"],
        &["tree", tiles, "--depth", "2", "-o"],
    ];
    for words in pictures {
        let ran = run(&[words, &["x.svg"]].concat());
        assert_eq!(ran.status, Some(0), "{words:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("Written to x.svg\n"), "{words:?}");
        assert!(read("x.svg").starts_with("<svg"), "{words:?}");
    }
    let others: [&[&str]; 2] = [
        &["report", "forms.jsonl", "-o"],
        &["solve", tiles, "--start", "1 0 2 3", "-a", "bfs", "--tree"],
    ];
    for words in pictures.into_iter().chain(others) {
        for name in ["y.gif", "y.png"] {
            let ran = run(&[words, &[name]].concat());
            assert_eq!(
                (ran.status, ran.stdout.as_str()),
                (Some(2), ""),
                "{words:?}"
            );
            assert!(
                ran.stderr.contains("files that end in `."),
                "{}",
                ran.stderr
            );
            assert!(!folder.path().join(name).exists(), "{words:?}");
        }
    }
    let other = run(&["report", "forms.jsonl", "--format", "html", "-o", "y.csv"]);
    assert_eq!(other.status, Some(2), "{}", other.stderr);
}
