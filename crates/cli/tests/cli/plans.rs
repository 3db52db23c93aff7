//! Walks, searches and plans one after the other; and sequences read by machines.

use serde_json::Value;

use crate::{run, run_in, run_with_input};

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Instances from walks are solved, the solutions are right, and cost what a search without pruning
/// says.
#[test]
fn walks_are_solved_and_solutions_checked() {
    let folder = tempfile::tempdir().unwrap();
    let at = |words: &[&str]| run_in(folder.path(), words);
    for (game, steps, backward) in [
        ("gen:sliding-tiles:2:3", "12", false),
        ("gen:hanoi:3:3", "9", true),
        ("gen:slide-jump:2:one-way", "8", true),
        ("gen:gripper:2", "6", true),
    ] {
        let mut words = vec!["gen-instances", game, "-n", "6", "-k", steps, "-o", "i.txt"];
        if backward {
            words.push("--backward");
        }
        let ran = at(&words);
        assert_eq!(
            (ran.status, ran.stdout.as_str()),
            (Some(0), ""),
            "{}",
            ran.stderr
        );
        let text = std::fs::read_to_string(folder.path().join("i.txt")).unwrap();
        assert!(text.starts_with("# psvn instances 1\n# game "), "{text}");
        assert_eq!(at(&words).status, Some(0));
        assert_eq!(
            std::fs::read_to_string(folder.path().join("i.txt")).unwrap(),
            text
        );

        // Another game refuses them.
        let refused = at(&["solve", "gen:pancake:6", "--instances", "i.txt"]);
        assert_eq!(refused.status, Some(3));
        assert!(
            refused
                .stderr
                .contains("i.txt:2: the instances were made for another game")
        );

        let solved = at(&["solve", game, "--instances", "i.txt", "--format", "json"]);
        assert_eq!(solved.status, Some(0), "{game}: {}", solved.stderr);
        let answers = lines(&solved.stdout);
        assert!(
            answers
                .iter()
                .all(|answer| answer["cost"].as_u64() <= steps.parse().ok())
        );
        // A table of least costs, by breadth-first search.
        let searched = at(&[
            "solve",
            game,
            "--instances",
            "i.txt",
            "--algorithm",
            "ucs",
            "--format",
            "json",
        ]);
        let mut table = String::new();
        for answer in lines(&searched.stdout) {
            let (id, start) = (
                answer["instance"].as_str().unwrap(),
                answer["start"].as_str().unwrap(),
            );
            table += &format!("{id}: {start} = {}\n", answer["cost"]);
        }
        std::fs::write(folder.path().join("optima.txt"), table).unwrap();
        std::fs::write(folder.path().join("answers"), &solved.stdout).unwrap();
        let words = [
            "check-plan",
            game,
            "answers",
            "--optimal",
            "optima.txt",
            "--format",
            "json",
        ];
        let checked = at(&words);
        assert_eq!(
            checked.status,
            Some(0),
            "{game}: {}{}",
            checked.stdout,
            checked.stderr
        );
        let records = lines(&checked.stdout);
        assert_eq!(records.len(), answers.len());
        assert!(
            records.iter().all(|record| record["verdict"] == "optimal"),
            "{game}"
        );

        // A move less, and nothing is right any more.
        let short = solved
            .stdout
            .replacen("\"moves\":[\"", "\"moves\":[\"no such rule\",\"", 1);
        let refused = run_with_input(&["check-plan", game, "-"], short.as_bytes());
        assert_eq!(refused.status, Some(3));
        assert!(
            refused
                .stderr
                .contains("<stdin>:1: move 1: the game has no rule"),
            "{}",
            refused.stderr
        );
    }
}

#[test]
fn a_machine_reads_a_sequence() {
    let folder = tempfile::tempdir().unwrap();
    let at = |words: &[&str]| run_in(folder.path(), words);
    let game = "gen:arrow:4";
    assert_eq!(
        at(&["analyze", game, "-L", "2", "-q", "-o", "m.fsm"]).status,
        Some(0)
    );
    let explain = |rules: &[&str]| -> Value {
        let words = [
            &["explain", game][..],
            rules,
            &["--machine", "m.fsm", "--format", "json"],
        ]
        .concat();
        let ran = at(&words);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        serde_json::from_str(&ran.stdout).unwrap()
    };
    let read = explain(&["R3-00", "R1-01"]);
    assert_eq!(read["verdict"], "redundant");
    assert_eq!(read["reading"]["accepted"], false);
    assert_eq!(
        read["reading"]["forbidden"][0],
        serde_json::json!(["R3-00", "R1-01"])
    );
    assert_eq!(read["reading"]["steps"][1]["to"], Value::Null);
    let read = explain(&["R1-01", "R3-00"]);
    assert_eq!(read["verdict"], "not-redundant");
    assert_eq!(read["reading"]["accepted"], true);
    // The other way round does the same, and comes later.
    assert_eq!(
        read["nearest"]["word"],
        serde_json::json!(["R3-00", "R1-01"])
    );
    assert_eq!(read["nearest"]["failed"].as_array().unwrap().len(), 1);
    let text = at(&["explain", game, "R3-00", "R1-01", "--machine", "m.fsm"]).stdout;
    assert!(text.contains("--R1-01--> forbidden"), "{text}");
    // A machine of another game is refused.
    let refused = at(&["explain", "gen:arrow:5", "R1-00", "--machine", "m.fsm"]);
    assert_eq!(refused.status, Some(3));
}

#[test]
fn every_code_is_explained() {
    let all = run(&["check", "--explain", "all", "--format", "json"]);
    assert_eq!(all.status, Some(0));
    let codes: Value = serde_json::from_str(&all.stdout).unwrap();
    for code in codes.as_array().unwrap() {
        let name = code["code"].as_str().unwrap();
        let one = run(&["check", "--explain", name]);
        assert!(one.stdout.starts_with(name), "{name}");
    }
}
