//! Machines that were made for one game and are proved right for another one.

use std::path::Path;

use serde_json::Value;

use crate::run_in;

/// Run a command that prints JSON.
fn json(folder: &Path, words: &[&str]) -> (Option<i32>, Value) {
    let ran = run_in(folder, &[words, &["--format", "json"]].concat());
    let value = serde_json::from_str(&ran.stdout);
    (
        ran.status,
        value.unwrap_or_else(|_| panic!("{}", ran.stderr)),
    )
}

/// A machine over the four directions, learned on a square board with the blank in the center.
fn learn(folder: &Path, size: usize, length: usize) -> String {
    let mut start = vec!["-"; size * size];
    start[size * size / 2] = "0";
    let (game, length) = (
        format!("gen:sliding-tiles:{size}:{size}"),
        length.to_string(),
    );
    let learner = [
        "--method",
        "learner",
        "--operator-order",
        "U,R,D,L",
        "-o",
        "learned.fsm",
    ];
    let words = [
        "analyze",
        &game,
        "-L",
        &length,
        "--generic-start",
        &start.join(" "),
    ];
    let ran = run_in(folder, &[&words[..], &learner].concat());
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    game
}

#[test]
fn a_machine_of_one_board_is_carried_over_to_a_smaller_one() {
    let folder = crate::folder();
    let at = folder.path();
    let from = learn(at, 5, 10);
    let to = "gen:sliding-tiles:3:3";
    let (status, report) = json(at, &["transfer", &from, "learned.fsm", to, "-o", "new.fsm"]);
    assert_eq!((status, &report["valid"]), (Some(0), &true.into()));
    assert_eq!(
        report["shared_labels"],
        serde_json::json!(["U", "R", "D", "L"])
    );
    let number = |key: &str| report[key].as_u64().unwrap();
    assert_eq!(number("failed"), 0);
    assert_eq!(
        number("words"),
        number("proved") + number("without_instance")
    );
    assert_eq!(number("kept"), number("words"));
    assert!(number("without_instance") > 0 && number("instances") > number("proved"));
    let (status, proof) = json(at, &["verify", to, "new.fsm"]);
    assert_eq!((status, &proof["valid"]), (Some(0), &true.into()));
    assert_eq!(proof["without_instance"], report["without_instance"]);
    // Smaller, and no search sees a difference.
    let drop = [
        "transfer",
        &from,
        "learned.fsm",
        to,
        "-o",
        "small.fsm",
        "--drop-impossible",
    ];
    let (_, small) = json(at, &drop);
    assert!(small["states"].as_u64() < report["states"].as_u64());
    assert_eq!(small["kept"], report["proved"]);
    let solve = |pruned: &str| {
        let start = "8 0 6 5 4 7 2 3 1";
        let words = [
            "solve",
            to,
            "--start",
            start,
            "--heuristic",
            "manhattan",
            "--prune",
            pruned,
        ];
        let (status, solved) = json(at, &words);
        assert_eq!(status, Some(0), "{pruned}");
        (solved["cost"].clone(), solved["generated"].as_u64())
    };
    let plain = solve("none");
    assert_eq!(solve("new.fsm"), solve("small.fsm"));
    assert_eq!(solve("new.fsm").0, plain.0);
    assert!(solve("new.fsm").1 < solve("2").1);
    // It is as good as one that was made for this board by the same words.
    let refused = run_in(at, &["verify", &from, "new.fsm"]);
    assert_eq!(refused.status, Some(3), "{}", refused.stdout);
}

#[test]
fn what_fails_is_named_or_left_out() {
    let folder = crate::folder();
    let at = folder.path();
    let from = learn(at, 5, 6);
    // With two blanks, the second rule may move the other one.
    let to = "gen:sliding-tiles:3:3";
    let words = [
        "transfer",
        &from,
        "learned.fsm",
        to,
        "--invariants",
        "none",
        "-o",
        "new.fsm",
    ];
    let (status, report) = json(at, &words);
    assert_eq!((status, &report["valid"]), (Some(1), &false.into()));
    assert!(report["failed"].as_u64() > Some(0) && report["states"].is_null());
    assert_eq!(report["failures"][0]["word"], serde_json::json!(["U", "D"]));
    assert!(!at.join("new.fsm").exists());
    let (status, report) = json(at, &[&words[..], &["--drop"]].concat());
    assert_eq!((status, &report["valid"]), (Some(0), &true.into()));
    assert!(report["kept"].as_u64() < report["words"].as_u64());
    assert_eq!(run_in(at, &["verify", to, "new.fsm"]).status, Some(0));
}

/// Rules with labels of their own are operators, too.
#[test]
fn a_machine_over_rules_is_carried_over_by_their_labels() {
    let folder = crate::folder();
    let at = folder.path();
    let (from, to) = ("gen:pancake:5", "gen:pancake:4");
    let made = run_in(
        at,
        &[
            "analyze",
            from,
            "-L",
            "4",
            "--rule-order",
            "label",
            "-o",
            "m.fsm",
        ],
    );
    assert_eq!(made.status, Some(0), "{}", made.stderr);
    let (status, report) = json(at, &["transfer", from, "m.fsm", to, "-o", "new.fsm"]);
    assert_eq!(status, Some(0));
    assert_eq!(report["missing_labels"], serde_json::json!(["flip5"]));
    assert!(report["proved"].as_u64() > Some(0));
    assert_eq!(run_in(at, &["verify", to, "new.fsm"]).status, Some(0));
    let (_, larger) = json(
        at,
        &[
            "transfer",
            from,
            "m.fsm",
            "gen:pancake:6",
            "-o",
            "large.fsm",
        ],
    );
    assert_eq!(larger["new_labels"], serde_json::json!(["flip6"]));
    assert_eq!(
        (&larger["failed"], &larger["without_instance"]),
        (&0.into(), &0.into())
    );
    assert_eq!(
        run_in(at, &["verify", "gen:pancake:6", "large.fsm"]).status,
        Some(0)
    );

    // Nothing in common; of another game; labels that several rules share.
    let refused = |words: &[&str]| {
        let ran = run_in(at, words);
        assert_eq!(ran.status, Some(3), "{words:?}");
        ran.stderr
    };
    let stderr = refused(&["transfer", from, "m.fsm", "gen:sliding-tiles:3:3"]);
    assert!(stderr.contains("have no label in common"), "{stderr}");
    let stderr = refused(&["transfer", to, "m.fsm", to]);
    assert!(stderr.contains("was made for another game"), "{stderr}");
    let tiles = ["analyze", "gen:sliding-tiles:2:3", "-o", "tiles.fsm"];
    assert_eq!(run_in(at, &tiles).status, Some(0));
    let stderr = refused(&["transfer", tiles[1], "tiles.fsm", "gen:sliding-tiles:3:3"]);
    assert!(stderr.contains("several have the label"), "{stderr}");
}

/// Taylor 1992, section 3.1: learned on a board of 7 x 7 for the 15-puzzle, 16,442 words and 55,441
/// states.
#[test]
#[ignore = "takes 30 seconds: words of 14 moves"]
fn the_machine_of_taylors_15_puzzle() {
    let folder = crate::folder();
    let at = folder.path();
    let from = learn(at, 7, 14);
    let to = "gen:sliding-tiles:4:4";
    let words = ["transfer", &from, "learned.fsm", to, "-o", "new.fsm"];
    let (status, report) = json(at, &[&words[..], &["--machine", "aho-corasick"]].concat());
    assert_eq!((status, &report["failed"]), (Some(0), &0.into()));
    assert_eq!(
        (&report["kept"], &report["states"]),
        (&16_442.into(), &55_441.into())
    );
    assert_eq!(run_in(at, &["verify", to, "new.fsm"]).status, Some(0));
}
