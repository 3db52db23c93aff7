//! Long work: solutions, progress, cancelling, and what happens when the text changes.

use serde_json::{Value, json};

use crate::client::Served;

fn solve(served: &Served, game: &str, start: &str, window: &str) -> Value {
    let question = json!({ "window": window, "start": start, "seconds": 60 });
    served.ask("solve", game, question)["job"]["id"].clone()
}

#[test]
fn solutions_are_shown_step_by_step() {
    let served = Served::game("gen:sliding-tiles:3:3");
    let game = served.begin();
    let start = "8 7 6 5 4 3 2 1 0";
    let job = solve(&served, &game, start, "one");
    assert_eq!(served.wait_for(&job)["status"], "done");
    let solution = served.get(&format!("/api/jobs/{job}")).json();
    assert_eq!(solution["record"]["cost"], 28);
    let steps = solution["steps"].as_array().unwrap();
    assert_eq!((steps.len(), &steps[0]["state"]), (29, &json!(start)));
    for (number, pair) in (1..).zip(steps.windows(2)) {
        assert_eq!(pair[1]["cost"], number);
        let allowed = served.ask("moves", &game, json!({ "state": pair[0]["state"] }));
        let mut moves = allowed["moves"].as_array().unwrap().iter();
        let made = moves.find(|it| it["rule"] == pair[1]["rule"]).unwrap();
        assert_eq!(made["state"], pair[1]["state"]);
    }
    assert_eq!(steps[28]["is_goal"], true);
    for algorithm in ["auto", "ida", "astar", "greedy", "bfs"] {
        let question = json!({
            "window": "one", "start": start, "seconds": 60, "algorithm": algorithm
        });
        let job = served.ask("solve", &game, question)["job"]["id"].clone();
        assert_eq!(served.wait_for(&job)["status"], "done", "{algorithm}");
        let record = &served.get(&format!("/api/jobs/{job}")).json()["record"];
        let cost = record["cost"].as_u64().unwrap();
        let is_least = algorithm != "greedy";
        assert!(
            cost == 28 || !is_least && cost > 28,
            "{algorithm}: {record}"
        );
    }
}

#[test]
fn starts_without_a_solution_are_said_to_be() {
    let served = Served::game("gen:sliding-tiles:3:3");
    let game = served.begin();
    let job = solve(&served, &game, "0 2 1 3 4 5 6 7 8", "one");
    assert_eq!(served.wait_for(&job)["status"], "done");
    let solution = served.get(&format!("/api/jobs/{job}")).json();
    assert_eq!(solution["record"]["solved"], false);
    assert_eq!(solution["record"]["outcome"], "no-solution");
    assert_eq!(solution["steps"], json!([]));
}

/// A start of the 24-puzzle that takes longer than any test.
const HARD: &str = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13";

#[test]
fn work_is_cancelled() {
    let served = Served::game("gen:sliding-tiles:5:5");
    let game = served.begin();
    let job = solve(&served, &game, HARD, "one");
    let cancelled = served.send("DELETE", &format!("/api/jobs/{job}"), None);
    assert_eq!(cancelled.status, 200);
    assert_eq!(served.wait_for(&job)["status"], "cancelled");
    assert_eq!(served.get(&format!("/api/jobs/{job}")).status, 409);
}

/// A row of bits, into which a rule pushes another one: no sequence of fewer rules than bits can be
/// replaced, so those to compare double with each length.
#[test]
fn explanations_are_cancelled() {
    let symbols: Vec<String> = (0..30).map(|i| format!("X{i}")).collect();
    let pushed = |bit: &str| {
        format!(
            "{} => {} {bit}\n",
            symbols.join(" "),
            symbols[1..].join(" ")
        )
    };
    let bits = vec!["2"; 30].join(" ");
    let goal = vec!["1"; 30].join(" ");
    let text = format!("30 {bits}\n{}{}GOAL {goal}\n", pushed("0"), pushed("1"));
    let served = Served::game("gen:pancake:4");
    let read = served.hand_over(&text);
    let game = read["game"].as_str().unwrap().to_owned();
    let word = vec![1; 24];
    let question = json!({ "window": "one", "word": word });
    let job = served.ask("explain", &game, question)["job"]["id"].clone();
    std::thread::sleep(std::time::Duration::from_millis(300));
    let running = served.news();
    assert_eq!(running["jobs"][0]["status"], "running", "{running}");
    let started = std::time::Instant::now();
    served.send("DELETE", &format!("/api/jobs/{job}"), None);
    assert_eq!(served.wait_for(&job)["status"], "cancelled");
    assert!(started.elapsed().as_secs() < 20);
}

#[test]
fn new_work_of_a_kind_takes_the_place_of_the_old() {
    let served = Served::game("gen:sliding-tiles:5:5");
    let game = served.begin();
    let hard = solve(&served, &game, HARD, "one");
    let goal: Vec<String> = (0..25).map(|n| n.to_string()).collect();
    let easy = solve(&served, &game, &goal.join(" "), "two");
    assert_ne!(hard, easy);
    assert_eq!(served.wait_for(&easy)["status"], "done");
    let jobs = served.news()["jobs"].clone();
    let of_kind = jobs
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["kind"] == "solution");
    assert_eq!(of_kind.count(), 1, "{jobs}");
}

#[test]
fn a_new_text_cancels_the_work_for_the_old_one() {
    let served = Served::game("gen:sliding-tiles:5:5");
    let game = served.begin();
    let job = solve(&served, &game, HARD, "one");
    // Another window's text is none of its business.
    let other = json!({ "text": "1 2\n0 => 1\nGOAL 1\n", "window": "two" });
    assert_eq!(served.post("text", &other).status, 200);
    let running = served.news();
    assert_eq!(running["jobs"][0]["status"], "running", "{running}");
    served.hand_over("1 2\n0 => 1\nGOAL 1\n");
    assert_eq!(served.wait_for(&job)["status"], "cancelled");
}

#[test]
fn progress_is_told() {
    let served = Served::game("gen:sliding-tiles:5:5");
    let game = served.begin();
    let job = solve(&served, &game, HARD, "one");
    for _ in 0..1000 {
        let news = served.news();
        let job = &news["jobs"][0];
        if !job["progress"].as_array().unwrap().is_empty() {
            assert_eq!(job["game"], game);
            return;
        }
        assert_eq!(job["status"], "running");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("no progress was told of job {job}");
}

#[test]
fn wrong_requests_for_work_are_refused() {
    let served = Served::game("gen:pancake:4");
    let game = served.begin();
    for (path, question) in [
        (
            "solve",
            json!({ "window": "one", "start": "1 2", "seconds": 1 }),
        ),
        (
            "solve",
            json!({ "window": "one", "start": "1 2 3 4", "seconds": 1, "algorithm": "x" }),
        ),
        (
            "analyze",
            json!({ "window": "one", "length": 21, "seconds": 1 }),
        ),
    ] {
        assert_eq!(
            served.asked(path, &game, question.clone()).status,
            422,
            "{question}"
        );
    }
    assert_eq!(served.get("/api/jobs/77").status, 409);
    assert_eq!(served.news()["jobs"], json!([]));
}
