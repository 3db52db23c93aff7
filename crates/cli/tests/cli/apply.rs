//! Moves made from a state.

use crate::{run, run_in};

fn json(words: &[&str]) -> serde_json::Value {
    let words = [&["apply"], words, &["--format", "json"]].concat();
    let ran = run(&words);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (Some(0), ""),
        "{words:?}"
    );
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn moves_lead_where_scrambles_do() {
    let applied = json(&["gen:rubik:2:fixed", "R U2", "F'"]);
    assert_eq!(applied["moves"], serde_json::json!(["R", "U2", "F'"]));
    let states = applied["states"].as_array().unwrap();
    assert_eq!((states.len(), applied["cost"].as_u64()), (4, Some(3)));
    let scrambled = [
        "solve",
        "gen:rubik:2:fixed",
        "--scramble",
        "R U2 F'",
        "--format",
        "json",
    ];
    let solved: serde_json::Value = serde_json::from_str(&run(&scrambled).stdout).unwrap();
    assert_eq!(solved["start"], states[3]);
    // And the solution leads back.
    let moves: Vec<&str> = solved["moves"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it.as_str())
        .collect();
    let start = states[3].as_str().unwrap();
    let back = json(&[&["gen:rubik:2:fixed", "--start", start], &moves[..]].concat());
    assert_eq!(back["is_goal"], true);
    assert_eq!(back["states"].as_array().unwrap().last(), states.first());
}

#[test]
fn no_moves_show_the_start() {
    let shown = json(&["gen:pancake:4", "--start", "2 1 3 4"]);
    assert_eq!(shown["states"], serde_json::json!(["2 1 3 4"]));
    assert_eq!(
        (&shown["is_goal"], &shown["cost"]),
        (&false.into(), &0.into())
    );
}

#[test]
fn boards_and_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let words = [
        "apply",
        "gen:sliding-tiles:2:2",
        "R",
        "D",
        "-o",
        "way.svg",
        "--boards",
    ];
    let ran = run_in(folder.path(), &words);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(
        ran.stdout.contains("1 R") && ran.stdout.contains("2 D"),
        "{}",
        ran.stdout
    );
    let picture = std::fs::read_to_string(folder.path().join("way.svg")).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("2 of 2: D"));
    let ran = run_in(
        folder.path(),
        &["apply", "gen:sliding-tiles:2:2", "R", "-o", "way.gif"],
    );
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("`.svg`"), "{}", ran.stderr);
}

/// The boards of built-in games, as they stand after some moves.
#[test]
fn built_in_games_have_boards() {
    let last = |words: &[&str]| -> Vec<String> {
        let ran = run(&[&["apply"], words, &["--boards"]].concat());
        assert_eq!(
            (ran.status, ran.stderr.as_str()),
            (Some(0), ""),
            "{words:?}"
        );
        let lines = ran.stdout.lines().map(|line| line.trim().to_owned());
        let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
        // The boards stand side by side, and the last one is at the right.
        lines
            .iter()
            .map(|line| line.rsplit("   ").next().unwrap().trim().to_owned())
            .collect()
    };
    let hanoi = last(&["gen:hanoi:3:3", "--start", "usual", "d1:1-2", "d2:1-3"]);
    assert_eq!(hanoi, ["2 d2:1-3", ". . .", ". . .", "3 1 2"]);
    let blocks = last(&[
        "gen:blocks:3",
        "--start",
        "usual",
        "pickup-2",
        "stack-2-1",
        "pickup-3",
    ]);
    assert_eq!(blocks, ["3 pickup-3", ". . 3", ". . .", "2 . .", "1 . ."]);
    let topspin = last(&["gen:topspin:6:3:basic", "turn0"]);
    assert_eq!(topspin, ["1 turn0", "2 1 0", "5 4 3"]);
    let compact = last(&["gen:topspin:7:4"]);
    assert_eq!(compact.len(), 3, "{compact:?}");
    let pancakes = last(&["gen:pancake:4", "flip3"]);
    assert_eq!(pancakes, ["1 flip3", "3", "2", "1", "4"]);
    let arrows = last(&["gen:arrow:4", "R1-11"]);
    assert_eq!(arrows, ["1 R1-11", "v v ^ ^"]);
    let pegs = last(&["gen:slide-jump:2", "--start", "usual", "slide-2-3"]);
    assert_eq!(pegs, ["1 slide-2-3", "x . x o o"]);
    let golf = last(&["gen:work-or-golf", "--start", "usual"]);
    assert_eq!(
        golf[1..],
        ["W O R K", "a . b b", "a . . b", "a . b b", "G O L F"]
    );
    let cube = run(&["apply", "gen:rubik:2", "R", "--boards"]).stdout;
    assert_eq!(cube.lines().count(), 1 + 6, "{cube}");
}

#[test]
fn impossible_requests_are_reported() {
    let words = ["apply", "gen:sliding-tiles:2:2", "R", "R"];
    let ran = run(&words);
    assert_eq!(ran.status, Some(3));
    assert!(
        ran.stderr.contains("move 2 (`R`) can't be made"),
        "{}",
        ran.stderr
    );
    let ran = run(&["apply", "gen:sliding-tiles:2:2", "Q"]);
    assert!(ran.stderr.contains("has no move `Q`"), "{}", ran.stderr);
}

#[test]
fn starts_have_names() {
    let folder = tempfile::tempdir().unwrap();
    let game = "# start far: 0 0\n# start: 0 1\n2 2 2\n0 - => 1 -  LABEL a\n- 0 => - 1  LABEL b\nGOAL 1 1\n";
    std::fs::write(folder.path().join("lamps.psvn"), game).unwrap();
    let of = |words: &[&str]| run_in(folder.path(), words);
    let ran = of(&["apply", "lamps.psvn", "--start", "far", "a", "b"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(
        ran.stdout,
        "  0  start  0 0\n  1  a      1 0\n  2  b      1 1\na goal\n"
    );
    assert!(
        of(&["solve", "lamps.psvn", "--start", "far"])
            .stdout
            .contains("2 moves")
    );
    assert!(of(&["solve", "lamps.psvn"]).stdout.contains("1 move"));
    let ran = of(&["solve", "lamps.psvn", "--start", "near"]);
    assert_eq!(ran.status, Some(3));
    assert!(ran.stderr.contains("has the start `far`"), "{}", ran.stderr);
}

/// The state in which walks begin: the usual start, a goal, or where no state of a goal is known,
/// the first value of each variable.
fn first_state(game: &psvn::Game) -> psvn::State {
    if game.start_names().contains(&"usual") {
        return game.state("the start", "usual").unwrap();
    }
    if game.players() == Some(2) || game.ir().goal_state().is_none() {
        let ir = game.ir();
        let value = |place: usize| ir.domain_of(psvn_ir::VarId::from_index(place));
        let first = (0..ir.n_variables()).map(|place| value(place).value_name(psvn_ir::Value(0)));
        let text: Vec<&str> = first.collect();
        return game.state("the start", &text.join(" ")).unwrap();
    }
    psvn::solve::goal_state(game).unwrap()
}

/// Every built-in game shows its states as boards, and along walks, states that differ look
/// different.
#[test]
fn boards_of_all_built_in_games_hide_nothing() {
    let env = psvn::Environment::default();
    for info in domains::list() {
        let reference = info.example.replace(' ', ":");
        let game = psvn::Game::built_in(&reference, &env).unwrap();
        let layout = game.board_layout(None).unwrap();
        let layout = layout.unwrap_or_else(|| panic!("{reference} has no boards"));
        let rules: Vec<_> = game
            .ir()
            .rules()
            .iter()
            .map(|rule| &rule.canonical)
            .collect();
        let mut seen = std::collections::HashMap::new();
        let mut random = 1_u64;
        for _ in 0..8 {
            let mut state = first_state(&game);
            for _ in 0..60 {
                let board = layout.text(&game.value_names(&state));
                let shown = seen.entry(board.clone()).or_insert_with(|| state.clone());
                assert_eq!(*shown, state, "{reference}: {board:#?}");
                let usable = rules.iter().filter(|rule| rule.applies_to(state.values()));
                let usable: Vec<_> = usable.collect();
                if usable.is_empty() {
                    break;
                }
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let rule = usable[(random >> 33) as usize % usable.len()];
                state = psvn::State::new(rule.apply(state.values()));
            }
        }
        assert!(seen.len() > 1 || reference == "ghi", "{reference}");
    }
}
