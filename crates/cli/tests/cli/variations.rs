//! All solutions of least cost, other goals, and some of the rules.

use std::path::Path;

use serde_json::Value;

use crate::{Ran, run, run_in};

fn json(ran: &Ran) -> Value {
    let last = ran.stdout.lines().last().unwrap_or_default();
    serde_json::from_str(last).unwrap_or_else(|_| panic!("{}", ran.stderr))
}

fn solve(at: &Path, more: &[&str]) -> Ran {
    let words = [
        "solve",
        "gen:pancake:6",
        "--start",
        "3 1 5 2 6 4",
        "--format",
        "json",
    ];
    run_in(at, &[&words, more].concat())
}

#[test]
fn machines_by_cost_alone_keep_all_solutions() {
    let folder = crate::folder();
    let at = folder.path();
    let analyze = |order, file| {
        let words = [
            "analyze",
            "gen:pancake:6",
            "-L",
            "3",
            "--order",
            order,
            "-o",
            file,
        ];
        assert_eq!(run_in(at, &words).status, Some(0));
    };
    analyze("cost", "all.fsm");
    analyze("length-lexicographic", "one.fsm");
    let verified = run_in(at, &["verify", "gen:pancake:6", "all.fsm"]);
    assert_eq!(
        verified.status,
        Some(0),
        "{}{}",
        verified.stdout,
        verified.stderr
    );

    let count = |more: &[&str]| json(&solve(at, more))["all"]["count"].as_u64();
    let all = count(&["--all", "--prune", "none"]);
    assert!(all > Some(1), "{all:?}");
    for more in [
        &["--all", "--prune", "all.fsm"][..],
        &["--all", "--prune", "4"],
        &["--all", "--prune", "parent"],
        &["--all", "--algorithm", "astar"],
        &["--all", "--algorithm", "auto", "--heuristic", "gap"],
        &["--all=0", "--algorithm", "bae", "--heuristic", "misplaced"],
        &["--all=0", "--algorithm", "nbs", "--heuristic", "gap"],
    ] {
        assert_eq!(count(more), all, "{more:?}");
    }
    // A machine by the usual order leaves some out.
    let refused = solve(at, &["--all", "--prune", "one.fsm"]);
    assert_eq!(refused.status, Some(2), "{}", refused.stdout);
    assert!(
        refused.stderr.contains("may leave out some"),
        "{}",
        refused.stderr
    );
    let words = [
        "analyze",
        "gen:pancake:6",
        "--order",
        "cost",
        "--sleep-sets",
    ];
    assert_eq!(run(&words).status, Some(2));
}

#[test]
fn each_listed_solution_is_a_plan() {
    let folder = crate::folder();
    let at = folder.path();
    let found = json(&solve(at, &["--all"]));
    let listed = found["all"]["listed"].as_array().unwrap();
    assert_eq!(Some(listed.len() as u64), found["all"]["count"].as_u64());
    let plans: Vec<String> = listed
        .iter()
        .map(|moves| {
            let words = moves.as_array().unwrap().iter();
            let words: Vec<&str> = words.map(|word| word.as_str().unwrap()).collect();
            words.join(" ")
        })
        .collect();
    let mut distinct = plans.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), plans.len());
    for plan in plans {
        std::fs::write(at.join("a.plan"), plan).unwrap();
        let words = [
            "check-plan",
            "gen:pancake:6",
            "a.plan",
            "--start",
            "3 1 5 2 6 4",
        ];
        let checked = run_in(at, &words);
        assert_eq!(
            checked.status,
            Some(0),
            "{}{}",
            checked.stdout,
            checked.stderr
        );
    }
}

#[test]
fn units_search_the_varied_game() {
    let folder = crate::folder();
    let at = folder.path();
    let search = [
        "solve",
        "gen:sliding-tiles:3:3",
        "--start",
        "8 6 7 2 5 4 3 0 1",
        "--goal",
        "1 2 3 4 5 6 7 8 0",
        "--format",
        "json",
    ];
    let alone = json(&run(&search));
    assert_eq!(alone["cost"].as_u64(), Some(31));
    let split = ["--units", "3", "--units-after", "0s", "-o", "units"];
    let mut ran = run_in(at, &[&search[..], &split].concat());
    while ran.status == Some(4) {
        for unit in std::fs::read_dir(at.join("units")).unwrap() {
            let path = unit.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "unit") {
                let worked = run_in(at, &["work", path.to_str().unwrap()]);
                assert_eq!(worked.status, Some(0), "{}", worked.stderr);
            }
        }
        ran = run_in(at, &["join", "units", "--format", "json"]);
    }
    assert_eq!(json(&ran)["cost"], alone["cost"], "{}", ran.stderr);
}

/// A goal up to symmetries is as far as the nearest of its images, whatever the search.
#[test]
fn goals_are_reached_up_to_symmetries() {
    let game = "gen:sliding-tiles:2:3";
    let cost = |start: &str, more: &[&str]| {
        let words = ["solve", game, "--start", start, "--format", "json"];
        let ran = run(&[&words[..], more].concat());
        assert!(ran.status <= Some(1), "{more:?}: {}", ran.stderr);
        json(&ran)["cost"].as_u64()
    };
    // The turns and reflections of the board.
    let images = ["0 1 2 3 4 5", "2 1 0 5 4 3", "3 4 5 0 1 2", "5 4 3 2 1 0"];
    let mut n_solved = 0;
    let named: Vec<&str> = images.iter().flat_map(|goal| ["--goal", *goal]).collect();
    for start in ["5 4 3 1 2 0", "3 4 5 1 2 0", "1 2 5 3 4 0", "4 5 0 2 1 3"] {
        let nearest = cost(start, &named);
        n_solved += usize::from(nearest.is_some());
        for more in [
            &[][..],
            &["--algorithm", "astar", "--heuristic", "manhattan"],
            &["--algorithm", "bidirectional"],
            &["--algorithm", "bae", "--heuristic", "misplaced"],
            &["--algorithm", "nbs", "--heuristic", "keep 1-2"],
            &["--heuristic", "auto", "--prune", "4"],
            &["--goal", images[2]],
        ] {
            let up_to_symmetries = [more, &["--goal-symmetries"]].concat();
            assert_eq!(cost(start, &up_to_symmetries), nearest, "{start}, {more:?}");
        }
        assert!(cost(start, &[]).is_none_or(|cost| Some(cost) >= nearest));
    }
    assert!(n_solved >= 2, "{n_solved}");
    assert_eq!(
        cost("5 4 3 2 1 0", &["--goal-symmetries=positions"]),
        Some(0)
    );

    let pegs = ["gen:hanoi:3:2", "--goal-symmetries"];
    let layers = run(&[&["explore", "--format", "csv"], &pegs[..]].concat());
    let first = layers.stdout.lines().nth(1).unwrap_or_default();
    assert!(
        first.starts_with("0,3,"),
        "{}{}",
        layers.stdout,
        layers.stderr
    );
    for (game, more, expected) in [
        ("gen:pancake:5", "--goal-symmetries", "have no symmetries"),
        (
            "gen:pancake:7",
            "--goal-symmetries=values",
            "more than 1,024",
        ),
        (game, "--goal-symmetries=tiles", "positions"),
    ] {
        let refused = run(&["explore", game, more]);
        assert_eq!(refused.status, Some(2), "{}", refused.stdout);
        assert!(refused.stderr.contains(expected), "{}", refused.stderr);
    }
    let start = [
        "explore",
        game,
        "--start",
        "1 2 5 3 4 0",
        "--format",
        "json",
    ];
    let way = run(&[&start[..], &["--goal-symmetries"]].concat());
    let report: Value = serde_json::from_str(&way.stdout).unwrap();
    let nearest = cost("1 2 5 3 4 0", &["--goal-symmetries"]);
    assert_eq!(report["nearest_goal"].as_u64(), nearest);
    assert!(nearest.is_some());
}

#[test]
fn known_costs_are_those_of_the_game_as_it_is_written() {
    let folder = crate::folder();
    let at = folder.path();
    std::fs::write(at.join("starts"), "a: 1 4 2 3 0 5 6 7 8 = 2\n").unwrap();
    let words = [
        "solve",
        "gen:sliding-tiles:3:3",
        "--instances",
        "starts",
        "--format",
        "json",
    ];
    assert_eq!(json(&run_in(at, &words))["known_cost"].as_u64(), Some(2));
    let varied = run_in(at, &[&words[..], &["--goal", "1 2 0 3 4 5 6 7 8"]].concat());
    assert_eq!(varied.status, Some(0), "{}", varied.stderr);
    assert!(json(&varied)["known_cost"].is_null());
    assert!(
        varied.stderr.contains("aren't compared"),
        "{}",
        varied.stderr
    );
}

#[test]
fn a_goal_counts_in_explorations() {
    let game = "gen:sliding-tiles:2:3";
    let explore = |more: &[&str]| run(&[&["explore", game, "--format", "csv"], more].concat());
    // The sizes of layers are those around the corner and around the middle of an edge.
    let second = |ran: &Ran| ran.stdout.lines().nth(2).map(|line| line[..4].to_owned());
    for (goal, row) in [("0 1 2 3 4 5", "1,2,"), ("1 0 2 3 4 5", "1,3,")] {
        assert_eq!(second(&explore(&["--goal", goal])).as_deref(), Some(row));
    }
    // A declared start gives way to it.
    let folder = crate::folder();
    let game = format!(
        "# start: 0 1 2 3 4 5\n{}",
        run(&["gen", "sliding-tiles", "2", "3"]).stdout
    );
    std::fs::write(folder.path().join("tiles.psvn"), game).unwrap();
    let declared = ["explore", "tiles.psvn", "--format", "csv"];
    let from_start = run_in(folder.path(), &declared);
    assert_eq!(second(&from_start).as_deref(), Some("1,2,"));
    let goal = ["--goal", "1 0 2 3 4 5"];
    let to_goal = run_in(folder.path(), &[&declared[..], &goal].concat());
    assert_eq!(second(&to_goal).as_deref(), Some("1,3,"));
}

/// The least distance between two sets of states is that of the nearest pair.
#[test]
fn sets_of_states_are_as_far_as_their_nearest_states() {
    let game = "gen:sliding-tiles:2:3";
    let report = |more: &[&str]| -> Value {
        let ran = run(&[&["explore", game, "--format", "json"], more].concat());
        serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr))
    };
    // All arrangements of three tiles on three places, and of the other three on theirs.
    let (from, to) = ("0 - - - 4 5", "- - 0 1 - 5");
    let way = report(&["--start", from, "--goal", to]);
    let starts: Vec<&str> = way["starts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_str().unwrap())
        .collect();
    assert_eq!(starts.len(), 6);
    assert!(
        starts
            .iter()
            .all(|it| it.starts_with("0 ") && it.ends_with("4 5"))
    );
    let cost = |start: &&str| {
        let words = [
            "solve", game, "--start", start, "--goal", to, "--format", "json",
        ];
        json(&run(&words))["cost"].as_u64()
    };
    let nearest = starts.iter().filter_map(cost).min();
    assert_eq!(way["nearest_goal"].as_u64(), nearest);
    let layers = way["layers"].as_array().unwrap();
    assert_eq!(layers.len() as u64 - 1, nearest.unwrap());
    let goals = |report: &Value| -> Vec<u64> {
        let layers = report["layers"].as_array().unwrap().iter();
        layers
            .map(|layer| layer["goals"].as_u64().unwrap())
            .collect()
    };
    // With a depth, all goals are counted that are so near: six in all.
    let deep = goals(&report(&["--start", from, "--goal", to, "--depth", "99"]));
    assert_eq!(deep.iter().sum::<u64>(), 6, "{deep:?}");
    assert_eq!(deep[..layers.len()], goals(&way));

    let text = run(&["explore", game, "--start", from, "--goal", to]);
    assert!(
        text.stdout.contains("The nearest goal is "),
        "{}",
        text.stdout
    );
    let parity = ["--start", "0 1 2 3 4 5", "--goal", "0 2 1 3 4 5"];
    let none = run(&[&["explore", game][..], &parity].concat());
    assert!(
        none.stdout.contains("No goal can be reached"),
        "{}",
        none.stdout
    );
    for more in [
        &["--symmetries"][..],
        &["--storage", "ranked"],
        &["--disk", "layers"],
        &["--processes", "2"],
    ] {
        let refused = run(&[&["explore", game, "--start", from, "--goal", to], more].concat());
        assert_eq!(refused.status, Some(2), "{more:?}: {}", refused.stdout);
        assert!(
            refused.stderr.contains("in memory only"),
            "{}",
            refused.stderr
        );
    }
    let many = run(&[
        "explore",
        "gen:sliding-tiles:4:4",
        "--start",
        "0 1 2 3 - - - - - - - - - - - -",
    ]);
    assert_eq!(many.status, Some(2), "{}", many.stdout);
    assert!(many.stderr.contains("fewer values"), "{}", many.stderr);
}
