//! Files like those in circulation, both correct and with a mistake.
//!
//! `tests/corpus/clean` holds puzzles and planning tasks in common styles: with and without labels,
//! costs, stars, named values, symbols named after positions. A warning about one of them is a
//! false alarm. A mistake in one of them must get its code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use psvn_ir::TermKind;

use crate::codes;

/// The files by name, and cubes by stickers, which are long and generated here.
fn clean() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/clean");
    let mut files: BTreeMap<String, String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect();
    for (name, reference) in [("cube2", "rubik:2"), ("cube3", "rubik:3")] {
        for (style, colors) in [
            (
                "words",
                ["RED", "GREEN", "BLUE", "YELLOW", "ORANGE", "WHITE"],
            ),
            ("letters", ["R", "G", "B", "Y", "O", "W"]),
            ("cubies", ["RDX", "UBX", "FLX", "LDX", "BRX", "DFX"]),
        ] {
            files.insert(format!("{name}_{style}"), stickers(reference, colors));
        }
    }
    files
}

/// A cube whose symbols are named after the faces of the piece that a sticker belongs to: `RD` lies
/// on the right face beside the lower one.
fn stickers(reference: &str, colors: [&str; 6]) -> String {
    let text = domains::generate_reference(reference).unwrap();
    let game = psvn_ir::load(&text).game.unwrap();
    let n = game.n_variables();
    let mut faces = vec![BTreeSet::new(); n];
    for rule in game.rules() {
        for (position, _) in rule.canonical.changes() {
            faces[position.index()].extend(rule.label.chars().next());
        }
    }
    let stickers_of_face = n / 6;
    let mut taken = BTreeSet::new();
    let names: Vec<String> = (0..n)
        .map(|i| {
            let face = i / stickers_of_face * stickers_of_face;
            let common = faces[face..face + stickers_of_face]
                .iter()
                .fold(faces[face].clone(), |common, other| &common & other);
            let own: String = common.iter().collect();
            let beside: String = faces[i].difference(&common).collect();
            let mut name = format!("{own}{beside}");
            while !taken.insert(name.clone()) {
                name.push('2');
            }
            name
        })
        .collect();
    let mut text = format!("DOMAIN colour 6 {}\n{n}\n", colors.join(" "));
    text += &vec!["colour"; n].join(" ");
    text.push('\n');
    for rule in game.rules() {
        let moved: Vec<&str> = rule
            .canonical
            .actions()
            .iter()
            .map(|term| match term.kind() {
                TermKind::Variable(var) => names[var.index()].as_str(),
                TermKind::Constant(_) => panic!("a cube only moves stickers"),
            })
            .collect();
        let label = &rule.label;
        text += &format!(
            "{} =>\n{}  LABEL {label}\n",
            names.join(" "),
            moved.join(" ")
        );
    }
    let goal: Vec<&str> = (0..n).map(|i| colors[i / stickers_of_face]).collect();
    text + "GOAL " + &goal.join(" ") + "\n"
}

#[test]
fn correct_files_give_no_warnings() {
    let files = clean();
    assert!(files.len() >= 30, "{}", files.len());
    let mut alarms = Vec::new();
    for (name, text) in &files {
        let (codes, game) = codes(text);
        assert!(game.is_some(), "{name}: {codes:?}");
        if !codes.is_empty() {
            alarms.push(format!("{name}: {codes:?}"));
        }
    }
    assert_eq!(alarms, Vec::<String>::new());
}

/// A file of `clean` with one text replaced by another one, and the code that helps a reader.
const SLIPS: &[(&str, &str, &str, &str)] = &[
    // A value that isn't a value.
    (
        "tiles_words",
        "GOAL blank one",
        "GOAL blnk one",
        "symbol-near-value",
    ),
    (
        "tiles_words",
        "GOAL blank one",
        "GOAL blank won",
        "unused-symbol",
    ),
    (
        "tiles_words",
        "blank X - - - - - - - =>",
        "blanc X - - - - - - - =>",
        "symbol-near-value",
    ),
    ("tiles_letters", "GOAL b 1", "GOAL B2 1", "unused-symbol"),
    // A symbol that is a value, spelled otherwise.
    (
        "tiles_letters",
        "b T - - - - - - => T b",
        "b B - - - - - - => B b",
        "value-looks-like-symbol",
    ),
    (
        "hanoi_bits",
        "GOAL 0 0 0 1",
        "GOAL O 0 0 1",
        "symbol-near-value",
    ),
    (
        "logistics",
        "GOAL - - at-mill",
        "GOAL - - mill",
        "symbol-looks-like-value",
    ),
    ("robot", "GOAL study", "GOAL stdy", "symbol-near-value"),
    ("jugs", "GOAL 4 -", "GOAL 4l -", "unused-symbol"),
    (
        "cube3_words",
        "GOAL RED RED",
        "GOAL RD RED",
        "symbol-near-value",
    ),
    (
        "sokoban",
        "P N - - - - - - - - - - - - - - =>",
        "P M - - - - - - - - - - - - - - =>",
        "unused-symbol",
    ),
    (
        "hanoi_pegs",
        "left - - => middle - -",
        "lett - - => middle - -",
        "symbol-near-value",
    ),
    // A test that matches everything.
    (
        "hanoi_bits",
        "0 0 - - 1 0",
        "o 0 - - 1 0",
        "symbol-near-value",
    ),
    ("lights_out", "0 0 - 0", "0 A - 0", "unused-symbol"),
    // A value that occurs twice in a goal.
    (
        "topspin_compact",
        "GOAL 0 1 2 3 4",
        "GOAL 0 1 3 3 4",
        "unused-value",
    ),
    // Moves that are missing or wrong.
    (
        "tiles_letters",
        "b - - - T - - - => T - - - b - - - LABEL DOWN\n",
        "",
        "no-inverse",
    ),
    (
        "tiles_names",
        "B T - - - - - - - - - - => T B",
        "B T - - - - - - - - - - => T T",
        "no-inverse",
    ),
    (
        "counter",
        "0 - - => 1 - - LABEL wheel1up\n",
        "",
        "no-inverse",
    ),
    (
        "elevator",
        "- - - 0 - => - - - 1 -",
        "- - - 0 - => - - - 0 -",
        "no-op-rule",
    ),
    (
        "river_crossing",
        "left - left -",
        "left - left left",
        "broken-symmetry",
    ),
    (
        "knights",
        "K - - - - empty - - - => empty - - - - K - - -\n",
        "",
        "no-inverse",
    ),
    ("pancake_costs", "LABEL Rev7", "LABEL Rev6", "label-gap"),
    // A variable that is left out.
    (
        "pancake_names",
        "P1 P2 P3 P4 P5 P6 => P6 P5 P4 P3 P2 P1 LABEL Rev6\n",
        "",
        "unused-variable",
    ),
];

#[test]
fn slips_are_named() {
    let files = clean();
    let mut missed = Vec::new();
    for (name, from, to, code) in SLIPS {
        let text = &files[*name];
        assert!(text.contains(from), "{name} has no `{from}`");
        let (found, game) = codes(&text.replacen(from, to, 1));
        assert!(game.is_some(), "{name}: {found:?}");
        if !found.contains(code) {
            missed.push(format!(
                "{name}, `{to}` for `{from}`: {found:?} without {code}"
            ));
        }
    }
    assert_eq!(missed, Vec::<String>::new());
}

/// Goals that no start shares with the others, beside goals that it does.
#[test]
fn a_goal_that_stands_apart_is_named() {
    let text = clean()["topspin_compact"].clone();
    let goals = "GOAL 1 2 3 4 5 6 7 8 9 10 0\nGOAL 2 3 4 5 6 7 8 9 10 0 1\n";
    let (found, _) = codes(&(text.clone() + goals));
    assert_eq!(found, Vec::<&str>::new());
    let game = psvn_ir::load(&(text.clone() + goals + "GOAL 0 1 3 3 4 5 6 7 8 9 10\n"))
        .game
        .unwrap();
    let found: Vec<String> = lint::lint(&game)
        .into_iter()
        .filter(|found| found.code == "separate-goal")
        .map(|found| found.message)
        .collect();
    assert_eq!(
        found,
        [
            "no start reaches both this goal and goal 1: `2` occurs never in this one and once in that one, and \
          no rule changes how often"
        ]
    );
    // Goals of different classes of starts, each with its own counts: a collection, and nothing
    // odd.
    let blanks = "2 3 3\n0 A => A 0\nA 0 => 0 A\nGOAL 0 1\nGOAL 0 2\nGOAL 0 0\n";
    assert!(!codes(blanks).0.contains(&"separate-goal"));
}
