//! The text is read without errors and without warnings: no misspelled constant, no duplicate rule,
//! no missing inverse.

use domains::{generate_reference, list};

fn complaints(reference: &str) -> Vec<String> {
    let text = generate_reference(reference).expect("a valid reference");
    let loaded = psvn_ir::load(&text);
    loaded
        .diagnostics
        .iter()
        .map(|diagnostic| format!("{}: {}", diagnostic.code, diagnostic.message))
        .collect()
}

#[test]
fn examples() {
    for info in list() {
        let reference = info.example.replace(' ', ":");
        assert_eq!(complaints(&reference), Vec::<String>::new(), "{reference}");
    }
}

#[test]
fn smallest_games_and_options() {
    for reference in [
        "arrow:2",
        "blocks:1",
        "blocks:4",
        "connect:1:3:3",
        "connect:9:9:5",
        "grid:1:2",
        "grid:3:1",
        "gripper:1",
        "hanoi:2:1",
        "hanoi:3:4",
        "edit-distance:a:b",
        "edit-distance:intention:execution:replace=2",
        "lights-out:1:1",
        "lights-out:5:5",
        "lights-out:3:4:encoding=bits",
        "logistics:1:2:1",
        "logistics:2:1:1",
        "logistics:3:3:4:2",
        "map:.G",
        "map:..../.##./..G.:diagonals",
        "nim:1",
        "nim:7:1:7",
        "pancake:2",
        "pancake:30",
        "pawns:1:3",
        "pawns:8:8",
        "rubik:2",
        "rubik:2:goal=any",
        "rubik:2:order=UFRDBL",
        "pancake:6:sizes=2",
        "pyraminx:tips",
        "rubik:2:colors=2",
        "rubik:2:goal=any:colors=3",
        "rubik:3",
        "sokoban:#####/#@$.#/#####",
        "sokoban:cost=pushes",
        "topspin:9:4:tokens=3",
        "slide-jump:1",
        "slide-jump:4",
        "sliding-tiles:1:2",
        "sliding-tiles:2:1",
        "sliding-tiles:5:5:order=position:goal=blank-last",
        "topspin:9:4",
        "topspin:30:7",
        "topspin:6:3:basic",
    ] {
        assert_eq!(complaints(reference), Vec::<String>::new(), "{reference}");
    }
}

/// `psvn fmt` leaves the generated text unchanged.
#[test]
fn examples_are_in_the_canonical_layout() {
    for info in list() {
        let text = generate_reference(&info.example.replace(' ', ":")).expect("a valid reference");
        let file = psvn_syntax::parse(&text).file;
        assert_eq!(psvn_syntax::format(&file, &text), text, "{}", info.example);
    }
}

/// Pegs that never go back leave every rule without an inverse, which isn't a mistake.
#[test]
fn one_way_pegs_give_no_warning() {
    assert_eq!(complaints("slide-jump:3:one-way"), Vec::<String>::new());
}
