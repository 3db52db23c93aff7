//! The pictures of the book are what the commands beside them draw.
//!
//! With `PSVN_UPDATE_PICTURES` set, they are drawn anew.

use std::path::PathBuf;

use crate::{root, run_line};

/// A picture, and the commands that draw it, in a folder of their own: what the last one prints, or
/// else writes to a file of the picture's name.
const PICTURES: &[(&str, &[&str])] = &[
    (
        "no-inverses.svg",
        &[
            "analyze gen:sliding-tiles:4:4 --operators labels --max-length 2 -o m.fsm",
            "fsm m.fsm --game gen:sliding-tiles:4:4 --svg",
        ],
    ),
    (
        "grid-machine.svg",
        &[
            "analyze gen:grid:4:4 --operators labels --max-length 2 -o grid.fsm",
            "fsm grid.fsm --game gen:grid:4:4 --svg",
        ],
    ),
    (
        "grid-trie.svg",
        &[
            "analyze gen:grid:4:4 --operators labels --max-length 2 -o grid.fsm",
            "fsm grid.fsm --game gen:grid:4:4 --trie --svg",
        ],
    ),
    (
        "ghi-tree.svg",
        &["tree gen:ghi --start '0 0 0 0' --max-length 2 --depth 2 --svg --invariants none"],
    ),
    (
        "eight-tree.svg",
        &["tree gen:sliding-tiles:2:2 --depth 3 --svg"],
    ),
    (
        "five-machine.svg",
        &[
            "analyze gen:sliding-tiles:2:3 --max-length 6 -o five.fsm",
            "fsm five.fsm --game gen:sliding-tiles:2:3 --svg",
        ],
    ),
    (
        "five-way.svg",
        &["solve gen:sliding-tiles:2:3 --start '4 5 0 1 2 3' --animate five-way.svg"],
    ),
    ("cube.svg", &["apply gen:rubik:3 R U F2 -o cube.svg"]),
];

fn book() -> PathBuf {
    root().join("docs/book")
}

#[test]
fn the_pictures_are_those_that_the_commands_draw() {
    let pictures = book().join("src/pictures");
    let mut different = Vec::new();
    for (name, commands) in PICTURES {
        let workplace = tempfile::tempdir().unwrap();
        let mut printed = String::new();
        for line in *commands {
            let ran = run_line(workplace.path(), line);
            assert_eq!(ran.status, Some(0), "psvn {line}: {}", ran.stderr);
            printed = ran.stdout;
        }
        let drawn = std::fs::read(workplace.path().join(name));
        let drawn = drawn.unwrap_or(printed.into_bytes());
        let path = pictures.join(name);
        if std::env::var_os("PSVN_UPDATE_PICTURES").is_some() {
            std::fs::create_dir_all(&pictures).unwrap();
            std::fs::write(&path, &drawn).unwrap();
        } else if std::fs::read(&path).ok() != Some(drawn) {
            different.push(*name);
        }
    }
    assert!(
        different.is_empty(),
        "drawn otherwise now: {different:?}; look at them with PSVN_UPDATE_PICTURES=1"
    );
}

#[test]
fn every_picture_is_shown_and_every_shown_picture_exists() {
    let mut shown = Vec::new();
    for entry in std::fs::read_dir(book().join("src")).unwrap() {
        let path = entry.unwrap().path();
        let Ok(page) = std::fs::read_to_string(&path) else {
            continue;
        };
        for part in page.split("](pictures/").skip(1) {
            shown.push(part.split(')').next().unwrap().to_owned());
        }
    }
    shown.sort();
    // The front page shows some that other pages explain.
    shown.dedup();
    let mut drawn: Vec<String> = PICTURES
        .iter()
        .map(|(name, _)| (*name).to_owned())
        .collect();
    drawn.sort();
    assert_eq!(shown, drawn);
}

#[test]
fn machines_that_nobody_could_follow_are_refused() {
    let workplace = tempfile::tempdir().unwrap();
    let run = |line: &str| run_line(workplace.path(), line);
    let game = "gen:sliding-tiles:2:3";
    let analyzed = run(&format!("analyze {game} -L 8 -o five.fsm"));
    assert_eq!(analyzed.status, Some(0));
    let drawn = run(&format!("fsm five.fsm --game {game} --svg"));
    assert_eq!(drawn.status, Some(4));
    assert!(drawn.stdout.is_empty());
    for part in ["too many for a picture", "`--trie`", "`--dot`"] {
        assert!(drawn.stderr.contains(part), "{}", drawn.stderr);
    }
    // The ways out that it names lead somewhere.
    for way in ["--trie --svg", "--dot"] {
        let drawn = run(&format!("fsm five.fsm --game {game} {way}"));
        assert_eq!(drawn.status, Some(0), "{way}");
    }
}
