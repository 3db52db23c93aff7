//! Lines of any length: what is too long is refused before it is held in memory.

use std::fs;

use crate::{run_in, run_with_input};

#[test]
fn moves_are_short() {
    let words = ["play", "gen:tic-tac-toe", "--as", "X"];
    let mut input = b"b2\nhint\n".to_vec();
    input.extend(vec![b'x'; 5_000_000]);
    input.extend(b"\nquit\n");
    // The program stops reading, so that not everything is taken from the pipe.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("moves");
    fs::write(&path, &input).unwrap();
    let output = crate::psvn(&words)
        .stdin(fs::File::open(&path).unwrap())
        .output()
        .unwrap();
    let ran = crate::Ran::from(output);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            Some(3),
            "error: line 3 of standard input is longer than 4096 bytes, so it can't be a move\n"
        )
    );
    assert!(ran.stdout.contains("X plays b2"), "{}", ran.stdout);
    // A line of the greatest length is one, with and without a line break.
    for end in ["\n", ""] {
        let ran = run_with_input(
            &words,
            format!("{}{end}", "y".repeat(4096 - end.len())).as_bytes(),
        );
        assert_eq!(ran.status, Some(0));
        assert!(
            ran.stderr.contains("there is no move `yyy"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn instances_and_plans_have_lines() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let start = "1 2 3 4 5\n";
    let long = format!("# comment\n{start}{}\n{start}", "1 ".repeat(2_200_000));
    fs::write(at("long"), &long).unwrap();
    fs::write(at("short"), start).unwrap();
    let said = "error: line 3 of `long` is longer than 4.0 MiB\n\
                help: this may be another kind of file, or its line breaks are missing\n";
    for words in [
        &["solve", "gen:pancake:5", "--instances", "long"][..],
        &[
            "check-plan",
            "gen:pancake:5",
            "long",
            "--start",
            "1 2 3 4 5",
        ],
        &[
            "check-plan",
            "gen:pancake:5",
            "short",
            "--instances",
            "long",
        ],
    ] {
        let ran = run_in(folder.path(), words);
        assert_eq!(
            (ran.status, ran.stderr.as_str()),
            (Some(3), said),
            "{words:?}"
        );
    }
    let output = crate::psvn(&["solve", "gen:pancake:5", "--instances", "-"])
        .stdin(fs::File::open(at("long")).unwrap())
        .output()
        .unwrap();
    let ran = crate::Ran::from(output);
    assert!(
        ran.stderr
            .starts_with("error: line 3 of `<stdin>` is longer"),
        "{}",
        ran.stderr
    );
}
