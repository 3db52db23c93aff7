//! A game of 3,000 rules.

use std::fmt::Write;

use serde_json::json;

use crate::client::Served;

/// 3,000 rules over 12 variables of 9 values: each raises one variable where another has a value.
fn large() -> String {
    const N: usize = 12;
    let mut text = format!("{N}{}\n", " 9".repeat(N));
    for rule in 0..3000 {
        let (from, to) = (rule / N % 9, (rule / N + 1 + rule / (N * 9)) % 9);
        let cell = |at: usize, value: usize| match at {
            _ if at == rule % N => value.to_string(),
            _ if at == (rule + 1 + rule / 108) % N => "X".to_owned(),
            _ => "-".to_owned(),
        };
        let row = |value| {
            (0..N)
                .map(|at| cell(at, value))
                .collect::<Vec<_>>()
                .join(" ")
        };
        writeln!(text, "{} => {} LABEL r{rule}", row(from), row(to)).unwrap();
    }
    text + "GOAL" + &" 0".repeat(N) + "\n"
}

/// Answers are whole; `docs/results/` has their times in a release build.
#[test]
fn questions_about_3000_rules_are_answered() {
    let served = Served::game("gen:pancake:4");
    let read = served.hand_over(&large());
    assert_eq!(
        (&read["is_game"], &read["n_rules"]),
        (&json!(true), &json!(3000)),
        "{read}"
    );
    let game = read["game"].as_str().unwrap();
    let state = "1 2 3 4 5 6 7 8 0 1 2 3";
    for (path, question) in [
        ("findings", json!({})),
        ("hover", json!({ "offset": 200 })),
        ("rules", json!({ "limit": 100 })),
        ("rules", json!({ "filter": "r2999", "limit": 100 })),
        ("compose", json!({ "word": [1, 2, 3, 2999] })),
        ("moves", json!({ "state": state })),
        ("heuristics", json!({ "start": state })),
        (
            "children",
            json!({ "start": state, "path": [], "heuristic": "zero" }),
        ),
    ] {
        let answer = served.ask(path, game, question);
        assert!(answer.is_object());
    }
    let filtered = served.ask("rules", game, json!({ "filter": "r2999", "limit": 100 }));
    assert_eq!(filtered["matching"], 1);
    assert_eq!(filtered["rules"][0]["number"], 3000);
}
