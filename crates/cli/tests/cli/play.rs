//! Playing against the program: moves come from standard input.

use crate::{run, run_with_input};

/// The lines of JSON that a game prints.
fn events(words: &[&str], input: &str) -> Vec<serde_json::Value> {
    let ran = run_with_input(words, input.as_bytes());
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let lines = ran.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn the_program_does_not_lose() {
    for reply in ["b2", "a1", "c2", "5"] {
        let input = format!("{reply}\n1\n1\n1\n1\n");
        let words = ["play", "gen:tic-tac-toe", "--as", "O", "--format", "json"];
        let events = events(&words, &input);
        assert_eq!(events[0]["event"], "start");
        assert_eq!(events[1]["player"], "X");
        assert_eq!(events[2]["player"], "O");
        let last = events.last().unwrap();
        assert_eq!(last["event"], "over");
        assert_ne!(last["winner"], "O");
    }
}

#[test]
fn a_game_of_nim_is_won_against_the_program() {
    // 1, 2 and 2: take the odd one, and do the same as the program then.
    let words = ["play", "gen:nim:1:2:2", "--as", "A", "--format", "json"];
    let first = events(&words, "h1-1\n");
    let theirs = first[2]["move"].as_str().unwrap().to_owned();
    let mirror = |label: &str| match label.split_once('-').unwrap() {
        ("h2", n) => format!("h3-{n}"),
        (_, n) => format!("h2-{n}"),
    };
    let mut input = format!("h1-1\n{}\n", mirror(&theirs));
    let second = events(&words, &input);
    if second.last().unwrap()["event"] != "over" {
        let theirs = second.last().unwrap()["move"].as_str().unwrap().to_owned();
        input.push_str(&format!("{}\n", mirror(&theirs)));
    }
    let last = events(&words, &input).pop().unwrap();
    assert_eq!(
        (&last["event"], &last["winner"]),
        (&"over".into(), &"A".into())
    );
}

#[test]
fn commands_are_understood_and_slips_explained() {
    let words = ["play", "gen:tic-tac-toe", "--as", "X"];
    let ran = run_with_input(&words, b"moves\nzz\nb2\nundo\nundo\nboard\nhint\nquit\n");
    assert_eq!(ran.status, Some(0));
    for expected in [
        "1 a3, 2 b3",
        "X plays b2",
        "Taken back.",
        "a draw, if both play their best",
    ] {
        assert!(ran.stdout.contains(expected), "{expected}: {}", ran.stdout);
    }
    assert!(
        ran.stderr.contains("there is no move `zz` here"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("you have made no move to take back"),
        "{}",
        ran.stderr
    );
}

/// Where a label belongs to several moves of a player, a number says which.
#[test]
fn moves_have_numbers_where_labels_are_shared() {
    let game = "DOMAIN p 2 A B\n3 p 2 2\nA 0 - => B 1 - LABEL go\nA - 0 => B - 1 LABEL go\n\
                B 0 - => A 1 - LABEL go\nB - 0 => A - 1 LABEL go\nGOAL - 1 1\n";
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("shared-labels.psvn");
    std::fs::write(&folder, game).unwrap();
    let file = folder.to_str().unwrap();
    let ran = run_with_input(&["play", file, "--as", "A"], b"go\n2\n");
    assert!(
        ran.stderr.contains("the label of several moves"),
        "{}",
        ran.stderr
    );
    assert!(ran.stdout.contains("B has won."), "{}", ran.stdout);
}

#[test]
fn positions_look_like_the_declaration() {
    let game = "DOMAIN p 2 A B\nDOMAIN s 2 . long\n5 p s s # two\n  s\n s\n\
                A . - - - => B long - - -\nGOAL - . . . .\nB . - - - => A long - - -\n\
                A - . - - => B - long - -\nB - . - - => A - long - -\n";
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("layout.psvn");
    std::fs::write(&path, game).unwrap();
    let start = "B long . . long";
    let ran = run(&[
        "play",
        path.to_str().unwrap(),
        "--start",
        start,
        "--ply",
        "1",
    ]);
    assert!(
        ran.stdout.starts_with("  long .\n  .\n  long\n\n"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
}

#[test]
fn the_end_of_the_input_ends_the_game() {
    let ran = run(&["play", "gen:tic-tac-toe", "--as", "X"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    let ran = run(&["play", "-", "--as", "X"]);
    assert_ne!(ran.status, Some(0));
}

#[test]
fn a_picture_is_written_to_a_separate_file() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("nim.svg");
    let file = path.to_str().unwrap();
    let words = [
        "play",
        "gen:nim:1:1",
        "--ply",
        "2",
        "--tree",
        "svg",
        "-o",
        file,
    ];
    let ran = run(&words);
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (Some(0), ""),
        "{}",
        ran.stderr
    );
    let svg = std::fs::read_to_string(&path).unwrap();
    assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"));
    // The board, and a frame for each of three positions: AlphaBeta leaves out the second move.
    assert!(svg.contains("A to move, 2 ahead"));
}
