//! Answers about a text: findings, rules, sequences, the machine, the tree, boards.

use serde_json::{Value, json};

use crate::client::Served;

fn texts(list: &Value) -> Vec<&str> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_str().unwrap())
        .collect()
}

#[test]
fn findings_have_places_and_fixes() {
    let served = Served::game("gen:pancake:4");
    // Places count units of UTF-16, as the page does.
    let text =
        "# \u{1f600} ä\n2 2 2\n0 - => 1 - LABEL one\n- 0 => - 1 LABEL one\n- 2 => - 1\nGOAL 1 1\n";
    let read = served.hand_over(text);
    let found = served.ask("findings", read["game"].as_str().unwrap(), json!({}));
    let units: Vec<u16> = text.encode_utf16().collect();
    let findings = found["findings"].as_array().unwrap();
    assert!(!findings.is_empty());
    let part = |finding: &Value| {
        let place = |name: &str| usize::try_from(finding[name].as_u64().unwrap()).unwrap();
        String::from_utf16(&units[place("start")..place("end")]).unwrap()
    };
    let about = findings
        .iter()
        .find(|it| part(it) == "2")
        .unwrap_or_else(|| panic!("{found}"));
    assert_eq!((&about["line"], &about["column"]), (&json!(5), &json!(3)));
    assert!(found["codes"][about["code"].as_str().unwrap()].is_string());
}

#[test]
fn texts_with_errors_are_no_games() {
    let served = Served::game("gen:pancake:4");
    let read = served.hand_over("2 2 2\n0 - => 1\nGOAL 1 1\n");
    assert_eq!(
        (&read["is_game"], &read["hash"]),
        (&json!(false), &Value::Null)
    );
    let game = read["game"].as_str().unwrap();
    let found = served.ask("findings", game, json!({}));
    let findings = found["findings"].as_array().unwrap();
    assert!(
        findings
            .iter()
            .any(|it| it["severity"] == "error" && it["line"] == 2),
        "{found}"
    );
    for path in ["rules", "words", "machine", "analyze", "compose"] {
        let question = json!({ "word": [1], "window": "one", "length": 1, "seconds": 1 });
        let refused = served.asked(path, game, question);
        assert_eq!(
            (refused.status, &refused.json()["code"]),
            (422, &json!("no-game")),
            "{path}"
        );
    }
}

#[test]
fn a_fix_settles_its_finding() {
    let served = Served::game("gen:pancake:4");
    let text = "DOMAIN lamp 2 off on\n2 lamp lamp\noff - => on - LABEL a\n- off => - onn LABEL b\n\
        on - => off - LABEL c\n- on => - off LABEL d\nGOAL on on\n";
    let read = served.hand_over(text);
    let found = served.ask("findings", read["game"].as_str().unwrap(), json!({}));
    let fixes = found["findings"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|it| it["fixes"].as_array());
    let fix = fixes.flatten().next().unwrap_or_else(|| panic!("{found}"));
    let mut fixed = text.to_owned();
    for edit in fix["edits"].as_array().unwrap().iter().rev() {
        let place = |name: &str| usize::try_from(edit[name].as_u64().unwrap()).unwrap();
        fixed.replace_range(place("start")..place("end"), edit["text"].as_str().unwrap());
    }
    assert_eq!(served.hand_over(&fixed)["is_game"], true, "{fixed}");
}

#[test]
fn what_stands_at_a_place_is_explained() {
    let served = Served::game("gen:sliding-tiles:3:3");
    let game = served.begin();
    let text = served.get("/api/file").json()["text"]
        .as_str()
        .unwrap()
        .to_owned();
    let offset = text.find("LABEL").unwrap();
    let meaning = served.ask("hover", &game, json!({ "offset": offset }));
    assert!(
        meaning["text"].as_str().unwrap().contains("LABEL"),
        "{meaning}"
    );
    assert_eq!(
        served.ask("hover", &game, json!({ "offset": 1_u64 << 40 }))["text"],
        Value::Null
    );
}

#[test]
fn rules_are_listed_and_filtered() {
    let served = Served::game("gen:sliding-tiles:3:3");
    let game = served.begin();
    let all = served.ask("rules", &game, json!({ "limit": 500 }));
    assert_eq!(
        (&all["total"], all["rules"].as_array().unwrap().len()),
        (&json!(24), 24)
    );
    let first = &all["rules"][0];
    assert_eq!((&first["number"], &first["cost"]), (&json!(1), &json!(1)));
    let text = served.get("/api/file").json()["text"]
        .as_str()
        .unwrap()
        .to_owned();
    let line = usize::try_from(first["line"].as_u64().unwrap()).unwrap();
    let source = first["source"].as_str().unwrap();
    assert!(
        text.lines().nth(line - 1).unwrap().contains(source),
        "{first}"
    );
    let inverse = usize::try_from(first["inverse_number"].as_u64().unwrap()).unwrap();
    assert_eq!(all["rules"][inverse - 1]["inverse_number"], 1);
    let name = first["name"].as_str().unwrap().to_uppercase();
    let some = served.ask("rules", &game, json!({ "filter": name, "limit": 500 }));
    assert!(some["matching"].as_u64().unwrap() >= 1);
    assert!(some["matching"].as_u64().unwrap() < 24);
    let none = served.ask(
        "rules",
        &game,
        json!({ "filter": "no such rule", "limit": 5 }),
    );
    assert_eq!(none["matching"], 0);
    let later = served.ask("rules", &game, json!({ "offset": 23, "limit": 5 }));
    assert_eq!(later["rules"].as_array().unwrap().len(), 1);
}

#[test]
fn sequences_are_composed_and_explained() {
    let served = Served::game("gen:sliding-tiles:3:3");
    let game = served.begin();
    let all = served.ask("rules", &game, json!({ "limit": 500 }));
    let inverse = &all["rules"][0]["inverse_number"];
    let word = json!([1, inverse]);
    let composed = served.ask("compose", &game, json!({ "word": word }));
    let composition = &composed["composition"];
    assert_eq!(
        (&composition["valid"], &composition["cost"]),
        (&json!(true), &json!(2))
    );
    let trace = composition["trace"].as_array().unwrap();
    assert_eq!(trace.len(), 2);
    assert!(!trace[1]["steps"].as_array().unwrap().is_empty());
    let explained = served.explain(&game, &word);
    assert_eq!(explained["verdict"], "redundant");
    assert_eq!(explained["certificate"]["replacement"]["word"], json!([]));
    for wrong in [json!([0]), json!([25]), json!([1, 4_294_967_297_u64])] {
        let refused = served.asked("compose", &game, json!({ "word": wrong }));
        assert_eq!(refused.status, 422, "{wrong}");
    }
    let read = served.hand_over("1 2\n0 => 1 LABEL on\nGOAL 1\n");
    let lamp = read["game"].as_str().unwrap();
    let impossible = served.ask("compose", lamp, json!({ "word": [1, 1] }));
    assert_eq!(impossible["composition"]["valid"], false);
    assert!(impossible["composition"]["reason"].is_string());
    let explained = served.explain(lamp, &json!([1, 1]));
    assert_eq!(explained["verdict"], "impossible");
}

#[test]
fn redundant_words_are_those_of_the_command() {
    let served = Served::game("gen:topspin:14:3");
    let game = served.begin();
    let unknown = served.asked("words", &game, json!({ "limit": 1 }));
    assert_eq!(
        (unknown.status, &unknown.json()["code"]),
        (409, &json!("not-ready"))
    );
    let result = served.analyze(&game, 3);
    assert_eq!(result["report"]["redundant_words"], 145, "{result}");
    let words = served.ask("words", &game, json!({ "limit": 500 }));
    assert_eq!(
        (&words["total"], &words["matching"]),
        (&json!(145), &json!(145))
    );
    for (number, word) in (1..).zip(words["words"].as_array().unwrap()) {
        assert_eq!(word["number"], number);
        let by = &word["replaced_by"][0];
        assert!(by["cost"].as_u64() <= word["cost"].as_u64(), "{word}");
    }
    let short = served.ask("words", &game, json!({ "lengths": "2", "limit": 500 }));
    assert_eq!(short["matching"], 91);
    let long = served.ask("words", &game, json!({ "lengths": "3-", "limit": 500 }));
    assert_eq!(long["matching"], 54);
    let one = served.ask("words", &game, json!({ "number": 7, "limit": 1 }));
    assert_eq!(one["words"][0], words["words"][6]);
    let name = words["words"][0]["word"][0].as_str().unwrap();
    let named = served.ask("words", &game, json!({ "filter": name, "limit": 500 }));
    let has = |word: &Value| {
        let by = texts(&word["replaced_by"][0]["word"]);
        texts(&word["word"])
            .iter()
            .chain(&by)
            .any(|it| it.contains(name))
    };
    assert!(named["words"].as_array().unwrap().iter().all(has));
    assert_eq!(
        named["matching"],
        words["words"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|it| has(it))
            .count()
    );
    assert_eq!(
        served
            .asked("words", &game, json!({ "lengths": "x" }))
            .status,
        422
    );
}

#[test]
fn the_machine_says_why_it_forbids() {
    let served = Served::game("gen:topspin:14:3");
    let game = served.begin();
    served.analyze(&game, 3);
    let start = served.ask("machine", &game, json!({}));
    assert_eq!(start["n_states"], 31);
    assert_eq!(start["chosen"]["forbidden"], json!([]));
    let mut n_forbidden = 0;
    for state in 1..=31 {
        let part = served.ask("machine", &game, json!({ "state": state }));
        let chosen = &part["chosen"];
        assert_eq!(chosen["state"], state);
        for forbidden in chosen["forbidden"].as_array().unwrap() {
            // The rule completes the word, and the word is in the list.
            let word = texts(&forbidden["word"]);
            assert_eq!(word.last(), Some(&forbidden["name"].as_str().unwrap()));
            let number = &forbidden["number"];
            let listed = served.ask("words", &game, json!({ "number": number, "limit": 1 }));
            assert_eq!(listed["words"][0]["word"], forbidden["word"]);
            n_forbidden += 1;
        }
    }
    assert!(n_forbidden > 31, "{n_forbidden}");
    assert_eq!(
        served
            .asked("machine", &game, json!({ "state": 32 }))
            .status,
        422
    );
}

/// Walk through the tree, and compare which branches are cut with the list of redundant words.
#[test]
fn branches_are_cut_for_a_reason() {
    let served = Served::game("gen:sliding-tiles:3:3");
    let game = served.begin();
    let start = "1 4 2 3 0 5 6 7 8";
    let heuristics = served.ask("heuristics", &game, json!({ "start": start }));
    assert_eq!(heuristics["usual"], "manhattan");
    let ask = |path: &[u64]| {
        let question = json!({ "start": start, "path": path, "heuristic": "manhattan" });
        served.ask("children", &game, question)
    };
    let before = ask(&[]);
    assert_eq!(before["pruned_up_to"], Value::Null);
    served.analyze(&game, 4);
    let words = served.ask("words", &game, json!({ "limit": 500 }));
    let words = words["words"].as_array().unwrap();
    let mut open: Vec<Vec<u64>> = vec![Vec::new()];
    let (mut n_cut, mut n_kept) = (0, 0);
    while let Some(path) = open.pop() {
        let node = ask(&path);
        assert_eq!(
            (&node["g"], &node["pruned_up_to"]),
            (&json!(path.len()), &json!(4))
        );
        let h = node["h"].as_i64().unwrap();
        for child in node["children"].as_array().unwrap() {
            let mut below = path.clone();
            below.push(child["rule"].as_u64().unwrap());
            // Consistent, and each move changes one tile's distance.
            assert_eq!((child["h"].as_i64().unwrap() - h).abs(), 1);
            let redundant = words.iter().find(|word| {
                let rules: Vec<u64> = word["rules"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|it| it.as_u64().unwrap())
                    .collect();
                below.ends_with(&rules)
            });
            assert_eq!(
                child["cut"]["word"],
                redundant.map_or(Value::Null, |it| it["word"].clone())
            );
            if let Some(word) = redundant {
                assert_eq!(child["cut"]["replacement"], word["replaced_by"][0]["word"]);
                assert_eq!(child["cut"]["number"], word["number"]);
                n_cut += 1;
            } else {
                n_kept += 1;
                if below.len() < 4 {
                    open.push(below);
                }
            }
        }
    }
    // The blank begins in the middle: 4 moves; then 2 in each corner's neighbor, and so on.
    assert!(n_cut > 10 && n_kept > 10, "{n_cut} {n_kept}");
    let wrong = json!({ "start": start, "path": [1, 1], "heuristic": "manhattan" });
    assert_eq!(served.asked("children", &game, wrong).status, 422);
    let wrong = json!({ "start": start, "path": [], "heuristic": "no such" });
    assert_eq!(served.asked("children", &game, wrong).status, 422);
}

/// A start that breaks an assumption of the analysis isn't pruned by it.
#[test]
fn nothing_is_cut_where_that_would_not_be_safe() {
    let served = Served::game("gen:topspin:8:3");
    let game = served.begin();
    served.analyze(&game, 3);
    let ask = |start: &str| {
        let question = json!({ "start": start, "path": [1], "heuristic": "zero" });
        served.ask("children", &game, question)
    };
    let cut = |node: &Value| {
        node["children"]
            .as_array()
            .unwrap()
            .iter()
            .any(|child| child.get("cut").is_some())
    };
    let fits = ask("0 1 2 3 4 5 6");
    assert!(cut(&fits) && fits.get("breach").is_none(), "{fits}");
    let breaks = ask("0 0 0 0 0 0 0");
    assert!(!cut(&breaks) && breaks["breach"].is_string(), "{breaks}");
}

#[test]
fn moves_lead_to_states_and_change_cells() {
    let served = Served::game("gen:sliding-tiles:3:3");
    let game = served.begin();
    let allowed = served.ask("moves", &game, json!({ "state": "1 0 2 3 4 5 6 7 8" }));
    assert_eq!(
        (&allowed["board"]["columns"], &allowed["is_goal"]),
        (&json!(3), &json!(false))
    );
    assert_eq!(allowed["board"]["cells"][1]["shown"], "empty");
    let moves = allowed["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 3);
    for it in moves {
        // The blank and one tile.
        let cells = it["cells"].as_array().unwrap();
        assert!(cells.len() == 2 && cells.contains(&json!(1)), "{it}");
        let next = served.ask("moves", &game, json!({ "state": it["state"] }));
        assert_ne!(next["board"], allowed["board"]);
    }
    let goal = moves
        .iter()
        .find(|it| it["state"] == "0 1 2 3 4 5 6 7 8")
        .unwrap();
    assert_eq!(
        served.ask("moves", &game, json!({ "state": goal["state"] }))["is_goal"],
        true
    );
    let refused = served.asked("moves", &game, json!({ "state": "1 2 3" }));
    assert_eq!(refused.status, 422);
}

#[test]
fn scrambles_differ_by_their_seed() {
    let served = Served::game("gen:sliding-tiles:3:3");
    let game = served.begin();
    let ask = |seed: u32, steps: u32| {
        let question = json!({ "steps": steps, "seed": seed, "state": "" });
        served.ask("scramble", &game, question)["state"].clone()
    };
    assert_eq!(ask(1, 40), ask(1, 40));
    assert_ne!(ask(1, 40), ask(2, 40));
    assert_eq!(ask(5, 0), "0 1 2 3 4 5 6 7 8");
}

#[test]
fn texts_that_are_not_known_any_more_are_asked_for() {
    let served = Served::game("gen:pancake:4");
    let first = served.begin();
    for n in 5..10 {
        let text = format!("1 {n}\n0 => 1\nGOAL 1\n");
        served.hand_over(&text);
    }
    let gone = served.asked("rules", &first, json!({ "limit": 1 }));
    assert_eq!(
        (gone.status, &gone.json()["code"]),
        (410, &json!("unknown-game"))
    );
    assert_eq!(served.begin(), first);
    served.ask("rules", &first, json!({ "limit": 1 }));
}
