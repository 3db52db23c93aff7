//! Moves of twisty puzzles that are defined by others, and pieces that may not be everywhere.

use formats::twisty::{Encoding, MOST_RULES, parse_tws, to_psvn};
use formats::{Format, Imported, import};
use psvn_ir::Game;

use crate::breadth::{counts, load};

const CONJUGATES: &str = include_str!("conjugates.json");

fn read(format: Format, text: &str) -> (Imported, Game) {
    let imported = import(format, text).unwrap_or_else(|errors| panic!("{errors:?}"));
    let (game, _) = load(&imported.text);
    (imported, game)
}

fn labels(game: &Game) -> Vec<&str> {
    game.rules().iter().map(|rule| &*rule.label).collect()
}

/// The puzzle of four pieces in a ring with these lines; `T` exchanges the first two, and `Yv`
/// turns the whole ring.
fn ring(lines: &str) -> String {
    format!(
        "Set A 4 1\nSolved\nA\n1 2 3 4\nEnd\nMove T\nA\n2 1 3 4\nEnd\nMove Yv\nA\n2 3 4 1\nEnd\n{lines}\n"
    )
}

#[test]
fn faces_of_a_cube_are_conjugates_of_one() {
    let (imported, game) = read(Format::KPuzzle, CONJUGATES);
    let faces = ["U", "R", "L", "F", "B", "D"];
    let expected = faces.map(|face| [face.to_owned(), format!("{face}2"), format!("{face}'")]);
    assert_eq!(labels(&game), expected.concat());
    // Counted with stickers moved in space.
    assert_eq!(counts(&game, 3), [1, 18, 243, 2874]);
    let text = &imported.text;
    for line in ["# alias: Uv = y\n", "# alias: top = U\n"] {
        assert!(text.contains(line), "{text}");
    }
    // What was on the right is in front when the cube is turned by `y`.
    let turn = text
        .lines()
        .find(|line| line.starts_with("# rotation: y ="));
    let turn = turn.expect("the turn y");
    for part in ["  F -> R", "  F' -> R'", "  U2 -> U2", "  R -> B"] {
        assert!(format!("{turn} ").contains(&format!("{part} ")), "{turn}");
    }
    let notes: Vec<&str> = imported.notes.iter().map(|note| note.code).collect();
    assert_eq!(notes, ["twisty-rotation"]);
}

#[test]
fn sequences_commutators_and_numbers_are_moves() {
    let ring = |derived: &str| {
        format!(
            r#"{{"orbits": [{{"orbitName": "A", "numPieces": 4, "numOrientations": 1}}],
            "defaultPattern": {{"A": {{"pieces": [0, 1, 2, 3]}}}},
            "moves": {{"T": {{"A": {{"permutation": [1, 0, 2, 3]}}}},
                       "Yv": {{"A": {{"permutation": [1, 2, 3, 0]}}}}}},
            "derivedMoves": {{{derived}}}}}"#
        )
    };
    let (_, game) = read(Format::KPuzzle, &ring(r#""S": "[Yv: T]", "Q": "[Yv2: T]""#));
    // The 24 arrangements by their numbers of inversions.
    assert_eq!(counts(&game, 10), [1, 3, 5, 6, 5, 3, 1]);
    // Names may come before those that they are defined by.
    let derived = r#""C": "[T, S]", "S": "([Yv : T])'", "again": "(T S)2", "none": "T2""#;
    let (imported, game) = read(Format::KPuzzle, &ring(derived));
    assert_eq!(labels(&game), ["T", "C", "C'", "S"]);
    let text = imported.text;
    assert!(text.contains("# alias: again = C\n"), "{text}");
    assert_eq!(counts(&game, 10), [1, 4, 1]);
}

#[test]
fn derived_moves_that_cannot_be_made_are_said() {
    let wrong = r#""derivedMoves": {"P": "[Q: U", "Q": "U W", "V": "V", "R": "[z': U]","#;
    let text = CONJUGATES.replace("\"derivedMoves\": {\n    \"R\": \"[z': U]\",", wrong);
    let (imported, _) = read(Format::KPuzzle, &text);
    let gaps: Vec<&str> = imported.gaps().map(|note| note.message.as_str()).collect();
    assert_eq!(
        gaps,
        [
            "the derived move `P` is left out: `]` is missing",
            "the derived move `Q` is left out: there is no move `W`",
            "the derived move `V` is left out: `V` is defined by itself",
        ]
    );
}

#[test]
fn undeclared_orbits_are_ignored_and_turns_are_remainders() {
    let puzzle = |delta: &str| {
        format!(
            r#"{{"orbits": [{{"orbitName": "A", "numPieces": 2, "numOrientations": 3}}],
            "defaultPattern": {{"A": {{"pieces": [0, 1], "orientation": [0, 0]}}}},
            "moves": {{"T": {{"A": {{"permutation": [1, 0], "orientationDelta": {delta}}},
                              "B": {{"permutation": [0]}}}},
                       "S": {{"B": {{"permutation": [0]}}, "C": {{"permutation": [0]}}}}}}}}"#
        )
    };
    let (imported, plain) = read(Format::KPuzzle, &puzzle("[2, 2]"));
    for delta in ["[-1, -4]", "[5, 302]"] {
        let (_, game) = read(Format::KPuzzle, &puzzle(delta));
        assert_eq!(game.content_hash(), plain.content_hash(), "{delta}");
    }
    assert_eq!(counts(&plain, 10), [1, 5]);
    let gaps: Vec<&str> = imported.gaps().map(|note| note.message.as_str()).collect();
    let expected = "moves name orbits that the puzzle doesn't have, and they are ignored: `B`, `C`";
    assert_eq!(gaps, [expected]);
    assert!(import(Format::KPuzzle, &puzzle("[1, 0.5]")).is_err());
}

#[test]
fn a_sequence_and_what_undoes_it_are_moves() {
    // The whole ring is turned before and after: the next two are exchanged.
    let (_, game) = read(Format::Tws, &ring("MoveSequence S Yv T Yv'"));
    assert_eq!(labels(&game), ["T", "S"]);
    assert_eq!(counts(&game, 10), [1, 2, 2, 1]);
    // Of the three multiples of a cycle of four, only the last one undoes it.
    let lines = "MoveSequence C T P S\nMoveSequence S Yv T Yv'\nMoveSequence P Yv2 T Yv2'";
    let (imported, game) = read(Format::Tws, &ring(lines));
    assert_eq!(labels(&game), ["T", "C", "C'", "S", "P"]);
    let turn = "# rotation: Yv =  T -> S  S -> P";
    assert!(
        imported.text.lines().any(|line| line == turn),
        "{}",
        imported.text
    );
    // A move under another name isn't another move.
    let (imported, game) = read(Format::Tws, &ring("MoveSequence Q T T T"));
    assert_eq!(labels(&game), ["T"]);
    assert!(imported.text.contains("# alias: Q = T\n"));
    let places = |lines: &str| {
        let errors = import(Format::Tws, &ring(lines)).expect_err("an error");
        let at = |it: &psvn_syntax::Diagnostic| (it.code, it.message.clone());
        errors.iter().map(at).collect::<Vec<_>>()
    };
    assert_eq!(
        places("MoveSequence S T W\nMoveSequence P S"),
        [
            (
                "tws-sequence",
                "`S` can't be made: there is no move `W`".to_owned()
            ),
            (
                "tws-sequence",
                "`P` can't be made: there is no move `W`".to_owned()
            ),
        ]
    );
    assert_eq!(places("MoveSequence T T T")[0].0, "tws-twice");
}

/// A ring of six places with two sorts of pieces, some of which may not be at two places.
const BANDAGED: &str = "Set A 6 1\nSet B 2 3\nSolved\nA\n1 2 3 4 5 3\nB\n1 2\nEnd\n\
    Move U\nA\n3 1 2 4 5 6\nB\n2 1\n1 2\nEnd\nMove D\nA\n1 2 3 6 4 5\nEnd\n\
    Move S\nA\n1 5 3 4 2 6\nEnd\nIllegal A 2 3\nIllegal A 5 3 1\nIllegal A 5 6\n";

#[test]
fn illegal_holds_on_both_sides_of_a_move() {
    let puzzle = parse_tws(BANDAGED).expect("a puzzle");
    for encoding in [Encoding::Stickers, Encoding::Pieces] {
        let imported = to_psvn(&puzzle, encoding, 1, MOST_RULES).expect("a game");
        let (game, _) = load(&imported.text);
        let backward = game.backward(1000).expect("few rules");
        let forward = counts(&game, 20);
        assert_eq!(forward, counts(&backward, 20), "{encoding:?}");
        assert!(forward.iter().sum::<usize>() == 48, "{forward:?}");
    }
    // One rule for each choice of sorts of pieces, however many pieces there are.
    let alike = BANDAGED.replace("Illegal A 5 3 1\nIllegal A 5 6\n", "Illegal A 5 3\n");
    let (imported, game) = read(Format::Tws, &alike);
    assert_eq!(
        labels(&game),
        ["U", "U2", "U3", "U2'", "U'", "D", "D'", "S"]
    );
    let text = imported.text;
    for line in ["# illegal: 2 = 3", "# illegal: 6 = 3, 18 = free"] {
        assert!(text.lines().any(|it| it == line), "{text}");
    }
    // `Illegal` forbids what the only move leads to, so its states are never left.
    let text = "Set A 4 1\nSolved\nA\n1 2 3 3\nEnd\nMove T\nA\n4 1 2 3\nEnd\nIllegal A 1 3\n";
    let (_, game) = read(Format::Tws, text);
    assert_eq!(counts(&game, 10), [1, 1]);
    assert_eq!(counts(&game.backward(100).expect("few rules"), 10), [1, 1]);
}

#[test]
fn byte_order_marks_are_no_part_of_a_text() {
    let sas = include_str!("gripper.sas");
    for (format, text) in [
        (Format::Sas, sas),
        (Format::Tws, BANDAGED),
        (Format::KPuzzle, CONJUGATES),
    ] {
        let marked = format!("\u{feff}{text}");
        assert_eq!(Format::of(&marked), Some(format));
        let plain = import(format, text).expect("a game").text;
        assert_eq!(import(format, &marked).expect("a game").text, plain);
    }
    // Places are those of the text with the mark.
    let wrong = format!(
        "\u{feff}{}",
        BANDAGED.replace("Illegal A 2 3", "Ilegal A 2 3")
    );
    let errors = import(Format::Tws, &wrong).expect_err("an error");
    let span = errors[0].primary.as_ref().expect("a place").span;
    assert_eq!(&wrong[span.start..span.end], "Ilegal A 2 3");
}
