//! Every output about a machine, for every kind of machine.

use std::path::Path;
use std::process::Command;

use rayon::prelude::*;
use serde_json::Value;

use crate::{Ran, run, run_in};

/// A small game of each generator.
const GAMES: [&str; 22] = [
    "gen:arrow:4",
    "gen:blocks:2",
    "gen:connect:3:2:2",
    "gen:edit-distance:ab:ba",
    "gen:ghi",
    "gen:grid:3:3",
    "gen:gripper:3",
    "gen:hanoi:3:2",
    "gen:lights-out:2:2",
    "gen:logistics:2:1:1",
    "gen:map:..#/.G.",
    "gen:nim:2:2",
    "gen:pancake:4",
    "gen:pawns:2:3",
    "gen:pyraminx",
    "gen:rubik:2:fixed",
    "gen:slide-jump:2",
    "gen:sliding-tiles:2:3",
    "gen:sokoban:#####/#@$.#/#####",
    "gen:tic-tac-toe",
    "gen:topspin:5:3",
    "gen:work-or-golf",
];

/// The kinds of machines: options of `analyze`.
const KINDS: [&str; 20] = [
    "",
    "--split none",
    "--split auto",
    "--split all --memory 200M",
    "--split all --machine aho-corasick --memory 200M",
    "--for goals",
    "--for goals --invariants none",
    "--for goals --sleep-sets",
    "--for goals --machine table",
    "--invariants none",
    "--invariants none --split auto",
    "--order cost-length-lexicographic",
    "--rule-order label",
    "--rule-order optimize",
    "--operators labels",
    "--method learner",
    "--operators labels --operator-order alphabetic",
    "--sleep-sets --machine aho-corasick",
    "--dont-cares",
    "--machine table",
];

/// A game with a variable on which no goal depends, for machines for goals.
const FORGETFUL: &str = "\
3  2 2 3
0 - - => 1 1 -  LABEL on
1 - - => 0 0 -  LABEL off
- - 0 => - - 1  LABEL up
- - 1 => - - 2  LABEL up
- - 2 => - - 1  LABEL down
- - 1 => - - 0  LABEL down
GOAL 1 - 2
";

fn analyzed(folder: &Path, game: &str, length: &str, kind: &str) -> Option<Value> {
    let mut words = vec!["analyze", game, "-L", length, "--format", "json"];
    words.extend(["-q", "-o", "machine.fsm"]);
    words.extend(kind.split_whitespace());
    let ran = run_in(folder, &words);
    // Not every game has a kind of machine: a start or parts may be missing.
    match ran.status {
        Some(0) => Some(serde_json::from_str(&ran.stdout).unwrap()),
        Some(2..=4) if ran.stderr.starts_with("error: ") => None,
        status => panic!("{game} {kind}: {status:?} {}", ran.stderr),
    }
}

/// Run the command, which must succeed.
fn good(folder: &Path, words: &[&str]) -> Ran {
    let ran = run_in(folder, words);
    assert_eq!(ran.status, Some(0), "{words:?}: {}", ran.stderr);
    ran
}

/// Check that all forms of a list name as many words as the analysis found.
fn lists_agree(folder: &Path, command: &[&str], n_words: u64) {
    let listed = |form: &str| good(folder, &[command, &["--words", "--format", form]].concat());
    let text = listed("text").stdout;
    let count = format!("{} redundant word", group(n_words));
    assert!(text.lines().last().unwrap().starts_with(&count), "{text}");
    let json = listed("json").stdout;
    let words: Vec<Value> = json
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(words.len() as u64, n_words);
    for word in &words {
        let replacements = word["replaced_by"].as_array().unwrap();
        assert!(!word["word"].as_array().unwrap().is_empty() && !replacements.is_empty());
    }
    let csv = listed("csv").stdout;
    let first_cells = csv
        .lines()
        .filter(|line| line.starts_with(|it: char| it.is_ascii_digit()));
    assert_eq!(first_cells.count() as u64, n_words);
}

/// A number with commas, as in text.
fn group(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Print everything about a machine.
fn all_outputs(folder: &Path, game: &str, length: &str, kind: &str) {
    let Some(summary) = analyzed(folder, game, length, kind) else {
        return;
    };
    let options: Vec<&str> = kind.split_whitespace().collect();
    // Some options are about the file that is written.
    let analyze = ["analyze", game, "-L", length, "-q", "-o", "again.fsm"];
    let analyze = [&analyze[..], &options].concat();
    let of_parts = summary["splits"]["redundant_words"].as_u64();
    let is_split = summary["splits"]["rules"]
        .as_array()
        .is_some_and(|it| !it.is_empty());
    let n_words = of_parts
        .filter(|_| is_split)
        .or(summary["redundant_words"].as_u64());
    let n_words = n_words.unwrap();
    lists_agree(folder, &analyze, n_words);
    for form in ["text", "csv"] {
        good(folder, &[&analyze[..], &["--format", form]].concat());
    }
    good(folder, &["verify", game, "machine.fsm", "--format", "json"]);
    is_certified(folder, game, kind);
    for of_game in [&["--game", game][..], &[]] {
        let fsm = [&["fsm", "machine.fsm"], of_game].concat();
        lists_agree(folder, &fsm, n_words);
        for more in [
            "",
            "--format json",
            "--table",
            "--table --format json",
            "--table --format csv",
            "--dot",
            "--trie --dot",
        ] {
            let more: Vec<&str> = more.split_whitespace().collect();
            good(folder, &[&fsm[..], &more].concat());
        }
        // Pictures of large machines are refused.
        for more in [&["--svg"][..], &["--trie", "--svg"]] {
            let ran = run_in(folder, &[&fsm[..], more].concat());
            assert!(
                matches!(ran.status, Some(0 | 4)),
                "{game} {kind}: {}",
                ran.stderr
            );
        }
    }
    let shown = good(folder, &["show", game, "--format", "json"]).stdout;
    let shown: Value = serde_json::from_str(&shown).unwrap();
    if let Some(rule) = shown["rules"][0]["name"].as_str() {
        let explain = ["explain", game, rule, rule, "--machine", "machine.fsm"];
        good(folder, &explain);
        good(
            folder,
            &[&explain[..], &["--trace", "--format", "json"]].concat(),
        );
    }
}

/// What certificates have no place for, with the games or options whose machines may have it.
const NOT_CERTIFIED: [(&str, &str); 7] = [
    ("--for goals", "serves searches for goals"),
    ("--operators", "certificates have no words of operators"),
    // The learner's letters are operators where rules have labels.
    (
        "--method learner",
        "certificates have no words of operators",
    ),
    ("--sleep-sets", "certificates have no sleep sets"),
    (
        "--dont-cares",
        "certificates have no machines that may do anything",
    ),
    (
        "--order cost",
        "the replacement doesn't come before the word",
    ),
    // Of its two variables, 0 in one excludes 1 in the other.
    ("forgetful", "no facts that exclude each other"),
];

/// Check that a machine's certificate is accepted by both checkers, or refused for a reason.
fn is_certified(folder: &Path, game: &str, kind: &str) {
    let write = [
        "verify",
        game,
        "machine.fsm",
        "-q",
        "--certificate",
        "machine.cert",
    ];
    let ran = run_in(folder, &write);
    if ran.status == Some(0) {
        good(folder, &["certify", "machine.cert", "--game", game]);
        // Where Coq is installed, `proofs/checker/build` makes it.
        let program =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs/build/psvn-verified");
        if program.exists() {
            let verified = Command::new(program)
                .arg(folder.join("machine.cert"))
                .output();
            let verified = verified.expect("the verified checker runs");
            assert!(verified.status.success(), "{game} {kind}: {verified:?}");
        }
        return;
    }
    let machine = format!("{game} {kind}");
    let mut reasons = NOT_CERTIFIED
        .iter()
        .filter(|(with, _)| machine.contains(with));
    assert_eq!(ran.status, Some(3), "{machine}: {}", ran.stderr);
    assert!(
        reasons.any(|(_, reason)| ran.stderr.contains(reason)),
        "{machine}: {}",
        ran.stderr
    );
}

/// All outputs succeed and agree, whatever a machine's letters are and however its words were
/// compared.
#[test]
fn machines_of_parts_and_for_goals_have_every_output() {
    let folder = crate::folder();
    let at = folder.path();
    std::fs::write(at.join("forgetful.psvn"), FORGETFUL).unwrap();
    all_outputs(at, "gen:slide-jump:2", "3", "");
    all_outputs(at, "forgetful.psvn", "2", "--for goals");
}

/// Games that are unlike each other: their rules are split, permute, lose values, have costs, and
/// leave a variable out of account.
const UNLIKE: [&str; 5] = [
    "gen:slide-jump:2",
    "gen:topspin:5:3",
    "gen:hanoi:3:2:cost=disk",
    "gen:blocks:2",
    "forgetful.psvn",
];

#[test]
#[ignore = "takes 10 minutes: all outputs of twenty kinds of machines and of each generator"]
fn manual_every_kind_of_machine_and_every_generator_has_every_output() {
    let generators = run(&["gen", "--list", "--format", "json"]).stdout;
    let generators: Vec<Value> = serde_json::from_str(&generators).unwrap();
    let names = generators.iter().map(|it| it["name"].as_str().unwrap());
    let listed = GAMES.iter().map(|game| game.split(':').nth(1).unwrap());
    assert!(names.eq(listed), "a generator has no game in this test");
    let of_kinds = KINDS
        .iter()
        .flat_map(|kind| UNLIKE.map(|game| (game, *kind)));
    let all = Vec::from_iter(GAMES.map(|game| (game, "")).into_iter().chain(of_kinds));
    all.into_par_iter().for_each(|(game, kind)| {
        let folder = crate::folder();
        let at = folder.path();
        std::fs::write(at.join("forgetful.psvn"), FORGETFUL).unwrap();
        let length = if game.contains("rubik") || game.contains("work") {
            "2"
        } else {
            "3"
        };
        all_outputs(at, game, length, kind);
    });
}

/// Words of parts are those of the rules of which they are parts, and replacements consist of
/// rules.
#[test]
fn words_of_parts_have_names_and_macro_rules() {
    let folder = crate::folder();
    let at = folder.path();
    let analyze = ["analyze", "gen:slide-jump:2", "-L", "3"];
    good(at, &[&analyze[..], &["-q", "-o", "parts.fsm"]].concat());
    let fsm = ["fsm", "parts.fsm", "--game", "gen:slide-jump:2"];
    let filter = ["--words", "--word-rule", "slide-1-2", "--format", "json"];
    let json = good(at, &[&fsm[..], &filter].concat()).stdout;
    let words: Vec<Value> = json
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    // The first with each part of the rule.
    let of = |part: &str| {
        words
            .iter()
            .find(|it| it["word"][1] == "jump-3-1[x3=x]" && it["word"][0] == part)
    };
    let word = of("slide-1-2[x1=x]").unwrap();
    assert_eq!(word["rule"], "<x _ x x4 x5> -> <x x _ x4 x5>");
    assert_eq!(
        word["replaced_by"][0]["word"],
        serde_json::json!(["slide-3-2"])
    );
    assert_eq!(
        word["replaced_by"][0]["rule"],
        "<x1 _ x3 x4 x5> -> <x1 x3 _ x4 x5>"
    );
    assert_eq!(word["replaced_by"][0]["comes_first"], "shorter");
    let is_of_rule = |word: &Value| word.as_str().unwrap().starts_with("slide-1-2[");
    assert!(
        words
            .iter()
            .all(|it| it["word"].as_array().unwrap().iter().any(is_of_rule))
    );
    // Without the game, letters are numbered by rule and part.
    let numbered = good(at, &["fsm", "parts.fsm", "--words"]).stdout;
    assert!(numbered.contains("1.1 12.1 "), "{numbered}");
}

/// A word for goals may lead to another state than its replacement: the list says where they
/// differ.
#[test]
fn words_for_goals_say_in_what_their_ends_differ() {
    let folder = crate::folder();
    let at = folder.path();
    std::fs::write(at.join("forgetful.psvn"), FORGETFUL).unwrap();
    let list = [
        "analyze",
        "forgetful.psvn",
        "--for",
        "goals",
        "--words",
        "-q",
    ];
    let text = good(at, &list).stdout;
    let line = text.lines().find(|line| line.contains("off on")).unwrap();
    assert!(
        line.ends_with("<1 x2 x3> -> <1 1 x3>, apart from x2"),
        "{line}"
    );
    let csv = good(at, &[&list[..], &["--format", "csv"]].concat()).stdout;
    assert!(
        csv.lines()
            .any(|line| line.contains(",off on,") && line.ends_with(",x2")),
        "{csv}"
    );
}

/// Where splits would make too many parts, rules stay whole, the user reads why, and all else is
/// done. The combinations of 21 variables with 6 values aren't listed to find that out.
#[test]
fn too_many_parts_leave_rules_whole() {
    let folder = crate::folder();
    let at = folder.path();
    let game = ["gen:rubik:2:fixed", "--split", "all", "--memory", "100M"];
    let analyze = [&["analyze"], &game[..], &["-L", "2", "--format", "json"]].concat();
    let ran = good(at, &analyze);
    let summary: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(summary["redundant_words"], 27);
    assert_eq!(summary["splits"]["too_many_letters"], 1024);
    let note = "note: no rule is split, because they would be more than 1024 parts";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
    let text = good(at, &[&["analyze"], &game[..], &["-L", "2"]].concat()).stdout;
    assert!(
        text.contains("\nNo rule is split, because they would be more"),
        "{text}"
    );
    let start = [
        "--start",
        "o r y g o b g w r w r r y w b g b g w y o",
        "-p",
        "2",
    ];
    let solve = [&["solve"], &game[..], &start, &["--nodes", "1000"]].concat();
    let ran = run_in(at, &solve);
    assert_eq!(ran.status, Some(4), "{}", ran.stderr);
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
}
