//! Abstract games, and the trees of searches, written to files.

use std::fs;

use crate::run_in;

#[test]
fn a_script_makes_an_abstract_game_and_a_block() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("colors.txt"), "# alike\nmap tile 3 5\nmap tile 4 5\n").unwrap();
    let game = "gen:sliding-tiles:2:3";
    let words = [
        "abstract",
        game,
        "--script",
        "colors.txt",
        "-o",
        "colors.psvn",
        "--block",
        "colors.abs",
    ];
    let ran = run_in(folder.path(), &words);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("6 variables"), "{}", ran.stdout);
    assert!(!ran.stderr.contains("nondeterministic"), "{}", ran.stderr);
    let block = fs::read_to_string(at("colors.abs")).unwrap();
    assert_eq!(block, "abstraction {\n  tile { 0 1 2 5 5 5 }\n}\n");
    // The whole abstract game has the table that the pattern has.
    let reached = |words: &[&str]| -> String {
        let ran = run_in(folder.path(), words);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        let line = ran.stdout.lines().find(|line| line.contains(" reached, "));
        line.unwrap().to_owned()
    };
    let by_game = reached(&["pdb", "colors.psvn"]);
    for file in ["colors.abs", "colors.txt"] {
        assert_eq!(reached(&["pdb", game, "--abstraction", file]), by_game);
    }
}

#[test]
fn dropped_squares_make_rules_nondeterministic() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("squares.txt"), "project 1\nproject 2\n").unwrap();
    let game = "gen:sliding-tiles:2:3";
    let ran = run_in(
        folder.path(),
        &["abstract", game, "--abstraction", "squares.txt"],
    );
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("nondeterministic"), "{}", ran.stderr);
    fs::write(folder.path().join("slips.txt"), "map tile 3 9\n").unwrap();
    let ran = run_in(folder.path(), &["abstract", game, "--script", "slips.txt"]);
    assert_ne!(ran.status, Some(0));
    assert!(ran.stderr.contains("unknown-value"), "{}", ran.stderr);
}

#[test]
fn the_tree_of_a_search_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let words = [
        "solve",
        "gen:sliding-tiles:3:3",
        "--start",
        "1 4 2 6 3 5 7 0 8",
        "--heuristic",
        "manhattan",
        "--algorithm",
        "greedy",
        "--tree",
        "tree.svg",
    ];
    let ran = run_in(folder.path(), &words);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let picture = fs::read_to_string(folder.path().join("tree.svg")).unwrap();
    assert!(picture.starts_with("<svg"), "{picture}");
    assert!(picture.contains(">h = 5<"), "{picture}");
    let words = [
        "solve",
        "gen:pancake:5",
        "--start",
        "2 1 3 4 5",
        "--tree",
        "tree.svg",
    ];
    let ran = run_in(folder.path(), &words);
    assert_eq!(ran.status, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("IDA* keeps no states"),
        "{}",
        ran.stderr
    );
}
