//! Experiments: killed, interrupted, gone on with, and shown.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{psvn, run};

/// Eighty cells, each of which takes some milliseconds at least.
const SPEC: &str = r#"
title = "Killed and gone on with"
limits = { nodes = 300_000 }
[[domain]]
name = "8-puzzle"
file = "gen:sliding-tiles:3:3"
instances = [{ walks = 40, steps = 60, seed = 5 }]
[[method]]
name = "parent"
prune = "parent"
[[method]]
name = "L=2"
prune = 2
"#;

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn lines(path: &str) -> usize {
    std::fs::read(path).map_or(0, |bytes| {
        bytes.iter().filter(|byte| **byte == b'\n').count()
    })
}

/// What each cell came to, without what differs from day to day.
fn contents(path: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut cells: Vec<String> = text
        .lines()
        .skip(1)
        .map(|line| {
            let mut cell: Value = serde_json::from_str(line).unwrap();
            let fields = cell.as_object_mut().unwrap();
            fields.retain(|name, _| !name.contains("seconds"));
            cell.to_string()
        })
        .collect();
    cells.sort();
    cells
}

#[test]
fn a_killed_experiment_can_be_resumed_at_any_time() {
    let folder = crate::folder();
    let spec = write(folder.path(), "spec.toml", SPEC);
    let out = folder.path().join("killed.jsonl");
    let out = out.to_str().unwrap();
    let words = ["experiment", &spec, "-o", out, "--format", "json"];
    let mut before = 0;
    for n_cells in [5, 30, 60] {
        let mut child = psvn(&words)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let started = Instant::now();
        while lines(out) < n_cells && child.try_wait().unwrap().is_none() {
            assert!(started.elapsed() < Duration::from_secs(120));
            std::thread::sleep(Duration::from_millis(2));
        }
        // The signal that nobody can handle.
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(lines(out) >= before.max(n_cells.min(81)), "nothing is lost");
        before = lines(out);
    }
    // And a line that was cut in the middle.
    let bytes = std::fs::read(out).unwrap();
    std::fs::write(out, &bytes[..bytes.len() - 20]).unwrap();
    let last = psvn(&words).output().unwrap();
    assert_eq!(last.status.code(), Some(0), "each cell has a result");
    let summary: Value = serde_json::from_slice(&last.stdout).unwrap();
    let stopped = summary["stopped"].as_u64().unwrap();
    assert!(stopped > 0, "some cells reach the limit on nodes");
    assert_eq!(
        (summary["cells"].as_u64(), summary["complete"].as_bool()),
        (Some(80), Some(true))
    );
    assert!(summary["kept"].as_u64().unwrap() >= 55);
    // In one go, with two cells at a time, it comes to the same.
    let other = folder.path().join("whole.jsonl");
    let other = other.to_str().unwrap();
    psvn(&["experiment", &spec, "-o", other, "--jobs", "2"])
        .output()
        .unwrap();
    assert_eq!(contents(out), contents(other));
}

#[test]
fn the_report_agrees_with_solve_and_tree() {
    let folder = crate::folder();
    let text = r#"
title = "The same"
[[domain]]
name = "tiles"
file = "tiles.psvn"
instances = [{ state = "1 4 2 3 0 5 6 7 8" }, { file = "starts.txt", first = 1 }]
options.tree.depth = 6
[[method]]
name = "ida"
prune = 2
[[method]]
name = "tree"
command = "tree"
prune = 2
[[method]]
name = "words"
command = "analyze"
max-length = 6
"#;
    let spec = write(folder.path(), "spec.toml", text);
    write(
        folder.path(),
        "starts.txt",
        "easy: 1 2 0 3 4 5 6 7 8 = 2\n1 0 2 3 4 5 6 7 8\n",
    );
    let game = psvn(&["gen", "sliding-tiles", "3", "3"])
        .output()
        .unwrap()
        .stdout;
    let file = write(
        folder.path(),
        "tiles.psvn",
        &String::from_utf8(game).unwrap(),
    );
    let run = psvn(&["experiment", &spec]).output().unwrap();
    assert_eq!(
        run.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    let results = folder.path().join("spec.jsonl");
    let results = results.to_str().unwrap();
    let report = psvn(&["report", results, "--format", "json"])
        .output()
        .unwrap()
        .stdout;
    let report: Value = serde_json::from_slice(&report).unwrap();
    let tables = report["experiments"][0]["tables"].as_array().unwrap();
    let cells = &tables
        .iter()
        .find(|table| table["name"] == "cells")
        .unwrap()["rows"];
    assert_eq!(cells.as_array().unwrap().len(), 5);
    let json = |words: &[&str]| -> Value {
        let words = [words, &["--format", "json"]].concat();
        serde_json::from_slice(&psvn(&words).output().unwrap().stdout).unwrap()
    };
    let start = "1 4 2 3 0 5 6 7 8";
    let solved = json(&["solve", &file, "--start", start, "--prune", "2"]);
    assert_eq!(cells[0]["generated"], solved["generated"]);
    assert_eq!(cells[0]["cost"], solved["cost"]);
    assert_eq!(
        (&cells[1]["instance"], &cells[1]["cost"]),
        (&Value::from("easy"), &Value::from(2))
    );
    let tree = json(&["tree", &file, "--start", start, "-L", "2", "-d", "6"]);
    let nodes = tree["columns"][0]["nodes"].as_array().unwrap();
    let total: u64 = nodes.iter().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(cells[2]["generated"], total);
    let words = json(&["analyze", &file, "-L", "6"]);
    assert_eq!(cells[4]["words"], words["redundant_words"]);
}

#[test]
fn html_is_for_reports() {
    let output = psvn(&["show", "gen:ghi", "--format", "html"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("only `psvn report` writes HTML"));
}

#[test]
fn errors_are_shown_at_their_places() {
    let folder = crate::folder();
    let refused = |text: &str| {
        let spec = write(folder.path(), "spec.toml", text);
        let output = psvn(&["experiment", &spec]).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, message) = refused(&SPEC.replace("name = \"L=2\"", "name = \"parent\""));
    assert_eq!(code, Some(3));
    assert!(
        message.contains("spec.toml:12:8") && message.contains("two methods"),
        "{message}"
    );
    let (code, message) = refused(&SPEC.replace("prune = 2", "prun = 2"));
    assert_eq!(code, Some(3));
    assert!(message.contains("spec.toml:13:8"), "{message}");
    assert!(
        message.contains("method `L=2`: unexpected argument '--prun'"),
        "{message}"
    );
    let (code, message) = refused(&SPEC.replace("prune = 2", "algorithm = \"bfs\"\nweight = 2"));
    assert_eq!(code, Some(3), "{message}");
    let (code, message) = refused(&SPEC.replace("gen:sliding-tiles:3:3", "no-such-file.psvn"));
    assert_eq!(code, Some(3));
    assert!(
        message.contains("no-such-file.psvn") && message.contains("spec.toml:6:8"),
        "{message}"
    );
    // Of all kinds in one pass: limits, generators, instances, domains, options.
    let wrong = SPEC
        .replace("nodes = 300_000", "memory = \"1 gallon\"")
        .replace("gen:sliding-tiles:3:3", "gen:rubik:4")
        .replace("{ walks = 40", "{ walk = 40")
        .replace("prune = \"parent\"", "domains = [\"9-puzzle\"]\nprun = 1")
        .replace("prune = 2", "algorithm = \"idaa\"");
    let (_, message) = refused(&wrong);
    let lines = [(3, 21), (6, 8), (7, 16), (10, 12), (11, 8), (14, 13)];
    for (line, column) in lines {
        assert!(
            message.contains(&format!("spec.toml:{line}:{column}")),
            "{line}: {message}"
        );
    }
    assert_eq!(message.matches("error[").count(), lines.len(), "{message}");
    for hint in ["`walks`", "`8-puzzle`", "'--prune'", "`ida`"] {
        assert!(message.contains(hint), "{hint}: {message}");
    }
    write(
        folder.path(),
        "results.jsonl",
        "{\"format\":\"psvn-results\",\"version\":1}\n",
    );
    let ran = crate::run_in(folder.path(), &["experiment", "results.jsonl"]);
    assert_eq!(ran.status, Some(3));
    assert_eq!(
        ran.stderr,
        "error: `results.jsonl` is a file of results, not a specification\n\
         help: `psvn report results.jsonl` shows them\n"
    );
    assert!(!folder.path().join("no.jsonl").exists());
}

/// Cells of starts that are proved to have no solution are not searched; trees that a limit stops
/// are counted as far as whole depths go, and a closed set denies nothing.
#[test]
fn cells_say_what_is_proved_and_no_more() {
    let folder = crate::folder();
    let game = "1\n7\n0 => 4\n0 => 1\n1 => 2\n2 => 3\n4 => 3\n3 => 5\n5 => 6\nGOAL 6\n";
    write(folder.path(), "shortcut.psvn", game);
    let spec = r#"
title = "Proved"
limits = { nodes = 20_000 }
[[domain]]
name = "15-puzzle"
file = "gen:sliding-tiles:4:4"
instances = [
    { state = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0", id = "odd" },
    { state = "1 0 2 3 4 5 6 7 8 9 10 11 12 13 14 15", id = "near" },
]
[[domain]]
name = "shortcut"
file = "shortcut.psvn"
instances = [{ state = "0" }]
[[method]]
name = "auto"
heuristic = "auto"
domains = ["15-puzzle"]
[[method]]
name = "anyway"
search-anyway = true
domains = ["15-puzzle"]
[[method]]
name = "tree"
command = "tree"
depth = 20
prune = "none"
domains = ["15-puzzle"]
[[method]]
name = "closed"
algorithm = "dfs-closed"
depth = 4
domains = ["shortcut"]
"#;
    let spec = write(folder.path(), "spec.toml", spec);
    let out = folder.path().join("proved.jsonl");
    let out = out.to_str().unwrap();
    let output = psvn(&["experiment", &spec, "-o", out]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let text = std::fs::read_to_string(out).unwrap_or_else(|_| panic!("{said}"));
    let cells: Vec<Value> = text
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let cell = |method: &str, instance: &str| {
        let mut found = cells.iter();
        let found = found.find(|cell| cell["method"] == method && cell["instance"] == instance);
        found.unwrap_or_else(|| panic!("{method} {instance}: {said}"))
    };
    let odd = cell("auto", "odd");
    assert_eq!(
        (&odd["outcome"], &odd["generated"]),
        (&"no-solution".into(), &0.into())
    );
    assert_eq!(cell("auto", "near")["outcome"], "solved");
    let anyway = cell("anyway", "odd");
    assert_eq!(
        (&anyway["outcome"], &anyway["generated"]),
        (&"nodes".into(), &20_000.into())
    );
    for instance in ["odd", "near"] {
        let tree = cell("tree", instance);
        assert_eq!(tree["outcome"], "nodes");
        let start = tree["start"].as_str().unwrap();
        let words = [
            "tree",
            "gen:sliding-tiles:4:4",
            "-L",
            "0",
            "-d",
            "8",
            "--format",
            "json",
        ];
        let ran = run(&[&words[..], &["--start", start]].concat());
        let whole: Value = serde_json::from_str(&ran.stdout).unwrap();
        let levels = tree["levels"].as_array().unwrap();
        assert!(levels.len() > 5, "{tree}");
        for (depth, level) in levels.iter().enumerate() {
            assert_eq!(level[1], whole["columns"][0]["nodes"][depth], "{depth}");
        }
    }
    assert_eq!(cell("closed", "start")["outcome"], "not-found");
}

/// What an experiment says of itself, and the records of its results.
fn measured(folder: &Path, text: &str) -> (Value, Vec<Value>) {
    write(folder, "spec.toml", text);
    let mut command = psvn(&["experiment", "spec.toml", "--format", "json"]);
    let output = command.current_dir(folder).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{message}");
    let results = std::fs::read_to_string(folder.join("spec.jsonl")).unwrap();
    let lines = results
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let records: Vec<Value> = lines
        .filter(|line: &Value| line["key"].is_string())
        .collect();
    (serde_json::from_slice(&output.stdout).unwrap(), records)
}

#[test]
fn methods_share_equal_preparations() {
    let folder = crate::folder();
    let methods = [
        ("one", "prune = 3\nheuristic = 'keep 1-3'"),
        (
            "same",
            "prune = 3\nheuristic = 'keep 1-3'\nalgorithm = 'ida-table'",
        ),
        ("other table", "prune = 3\nheuristic = 'keep 1-2'"),
        ("tree", "prune = 3\ncommand = 'tree'\ndepth = 3"),
        ("nothing", "prune = 'none'"),
    ];
    let mut text = "title = 'Shared'\n[[domain]]\nname = 'p'\nfile = 'gen:pancake:6'\n\
                    instances = [{ walks = 2, steps = 9 }]\n"
        .to_owned();
    for (name, options) in methods {
        text.push_str(&format!("[[method]]\nname = '{name}'\n{options}\n"));
    }
    let (_, records) = measured(folder.path(), &text);
    assert_eq!(records.len(), 10);
    let of = |name: &str| {
        let record = records
            .iter()
            .find(|record| record["method"] == name)
            .unwrap();
        let seconds = |key: &str| record[key].as_f64().unwrap_or(0.0);
        (seconds("preparation_seconds"), seconds("reused_seconds"))
    };
    let (all, reused) = of("one");
    assert!(all > 0.0 && reused == 0.0, "{all} {reused}");
    // With the time that it took when it was made. What a search prepares on first use is its own.
    let (own, reused) = of("same");
    assert!(reused > 0.0 && reused <= all, "{reused} of {all}");
    assert!(reused < own, "{reused} of {own}");
    let (all, reused) = of("other table");
    assert!(
        reused > 0.0 && reused < all,
        "the analysis, but not the table"
    );
    let (tree, reused) = of("tree");
    assert!(
        tree > 0.0 && reused == 0.0,
        "a tree is of all states, searches are for goals: {tree} {reused}"
    );
    assert_eq!(of("nothing").1, 0.0);
}

#[test]
fn the_contents_of_tables_are_part_of_a_cell() {
    let folder = crate::folder();
    let build = |pattern: &str| {
        let words = [
            "pdb",
            "gen:pancake:6",
            "--pattern",
            pattern,
            "-o",
            "t.pdb",
            "-q",
        ];
        let output = psvn(&words).current_dir(folder.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    };
    let text = "title = 'Tables'\n[[domain]]\nname = 'p'\nfile = 'gen:pancake:6'\n\
                instances = [{ walks = 2, steps = 9 }]\n\
                [[method]]\nname = 'alone'\nheuristic = 't.pdb'\n\
                [[method]]\nname = 'with others'\nheuristic = 'gap,t.pdb'\n\
                [[method]]\nname = 'none'\n";
    let numbers = |summary: &Value| (summary["measured"].as_u64(), summary["kept"].as_u64());
    build("keep 1-2");
    assert_eq!(
        numbers(&measured(folder.path(), text).0),
        (Some(6), Some(0))
    );
    assert_eq!(
        numbers(&measured(folder.path(), text).0),
        (Some(0), Some(6))
    );
    build("keep 1-4");
    let (summary, records) = measured(folder.path(), text);
    assert_eq!(numbers(&summary), (Some(4), Some(2)));
    for method in ["alone", "with others"] {
        let of_method = records.iter().filter(|record| record["method"] == method);
        let keys: std::collections::BTreeSet<&str> = of_method
            .map(|record| record["key"].as_str().unwrap())
            .collect();
        assert_eq!(keys.len(), 4, "{method}");
    }
    // The report is of the tables as they are now.
    let words = ["report", "spec.jsonl", "--format", "csv"];
    let cells = psvn(&words).current_dir(folder.path()).output().unwrap();
    assert_eq!(
        String::from_utf8(cells.stdout).unwrap().lines().count(),
        1 + 6
    );
    build("keep 1-2");
    let (summary, _) = measured(folder.path(), text);
    assert_eq!(
        numbers(&summary),
        (Some(0), Some(6)),
        "the first results are there still"
    );
}

#[test]
fn values_written_otherwise_can_be_mapped() {
    let folder = crate::folder();
    let text = "title = 'Map'\n[[domain]]\nname = 't'\nfile = 'gen:sliding-tiles:2:2'\n\
                instances = [{ state = '_ 1 2 3' }]\nmap = { _ = '0' }\n\
                [[method]]\nname = 'ida'\n";
    let (_, records) = measured(folder.path(), text);
    assert_eq!(
        (&records[0]["start"], &records[0]["cost"]),
        (&"0 1 2 3".into(), &0.into())
    );
    write(
        folder.path(),
        "spec.toml",
        &text.replace("map = { _ = '0' }\n", ""),
    );
    let mut command = psvn(&["experiment", "spec.toml"]);
    let output = command.current_dir(folder.path()).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.contains("this state would fit with `--map _=0`"),
        "{message}"
    );
}

/// What earlier runs left in the cache changes a search, but no experiment; and both say what was
/// left out.
#[test]
fn results_do_not_depend_on_the_cache() {
    let folder = crate::folder();
    let start = "8 7 6 5 4 3 2 1 0";
    let spec = format!(
        "title = 'Same'\nlimits = {{ nodes = 3_000_000 }}\n[[domain]]\nname = '8'\n\
         file = 'gen:sliding-tiles:3:3'\ninstances = [{{ state = '{start}' }}]\n\
         [[method]]\nname = 'auto'\n[[method]]\nname = 'chosen'\nheuristic = 'auto'\n"
    );
    write(folder.path(), "spec.toml", &spec);
    let go = |words: &[&str]| {
        let mut command = psvn(words);
        command.env("PSVN_CACHE_DIR", folder.path().join("cache"));
        let output = command.current_dir(folder.path()).output().unwrap();
        crate::Ran::from(output)
    };
    let measured = |results: &str| -> Vec<Value> {
        let ran = go(&["experiment", "spec.toml", "-o", results]);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        let text = std::fs::read_to_string(folder.path().join(results)).unwrap();
        let lines = text.lines().skip(1);
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let solve = |format: &str| {
        let game = "gen:sliding-tiles:3:3";
        let words = [
            "solve", game, "--start", start, "--nodes", "3000000", "--format", format,
        ];
        go(&words).stdout
    };
    let cold = measured("cold.jsonl");
    let first: Value = serde_json::from_str(&solve("json")).unwrap();
    let warm = measured("warm.jsonl");
    let again: Value = serde_json::from_str(&solve("json")).unwrap();
    assert_ne!(
        first["bounds"], again["bounds"],
        "the cache is used by searches"
    );
    for (cold, warm) in cold.iter().zip(&warm) {
        for field in [
            "generated",
            "expanded",
            "outcome",
            "pruning",
            "heuristic",
            "levels",
        ] {
            assert_eq!(cold[field], warm[field], "{field}");
        }
        // What was prepared was prepared in this run.
        assert!(warm["preparation_seconds"].as_f64().unwrap() > 0.0);
    }
    assert_eq!(cold[0]["generated"], first["generated"]);
    assert_eq!(cold[0]["pruning"], first["pruning"]);
    let sequences = serde_json::json!([
        { "max_length": 2 },
        { "from_bound": 21, "max_length": 6 },
        { "from_bound": 24, "max_length": 8 },
    ]);
    assert_eq!(first["pruning"]["sequences"], sequences);
    let said = "redundant sequences up to length 2, 6 from bound 21 on, 8 from bound 24 on";
    assert!(
        again["pruning"]["sequences"][0]["from_earlier_run"] == true,
        "{again}"
    );
    assert_eq!(cold[1]["heuristic"], "linear-conflict");
    // In each form of the report, and in text and tables of searches.
    for name in ["report.html", "report.csv", "report.txt", "report.md"] {
        let ran = go(&["report", "cold.jsonl", "-o", name]);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        assert!(
            text.contains(said) || name == "report.txt",
            "{name}: {text}"
        );
        assert!(text.contains("linear-conflict"), "{name}");
    }
    for format in ["text", "csv"] {
        let words: Vec<String> = solve(format)
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        let text = words.join(" ");
        let said = "redundant sequences up to length ";
        assert!(
            text.contains(said) && text.contains("(as an earlier run found them)"),
            "{text}"
        );
    }
}

/// The limit on a cell's time is for all that it needs, and the same clock measures it.
#[test]
fn preparation_counts_by_the_limit() {
    let folder = crate::folder();
    // No machine fills a table of 1,814,400 entries in the shortest time that can be said.
    let text = "title = 'Limit'\nlimits = { time = '1ms' }\n[[domain]]\nname = 'p'\n\
                file = 'gen:pancake:10'\ninstances = [{ walks = 2, steps = 3 }]\n\
                [[method]]\nname = 'large table'\nheuristic = 'keep 1-8'\n";
    let (summary, records) = measured(folder.path(), text);
    assert_eq!(summary["stopped"], 2, "{records:?}");
    for record in &records {
        assert_eq!(record["outcome"], "time");
        assert_eq!(record["message"], "the preparation took all of it");
        assert!(
            record["preparation_seconds"].as_f64().unwrap() >= 0.001,
            "{record}"
        );
    }
}

#[test]
#[cfg(unix)]
fn an_interrupted_experiment_says_how_to_go_on() {
    let folder = crate::folder();
    let spec = write(
        folder.path(),
        "spec.toml",
        &SPEC.replace("300_000", "3_000_000"),
    );
    let child = psvn(&["experiment", &spec])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let results = folder.path().join("spec.jsonl");
    let started = Instant::now();
    while lines(results.to_str().unwrap()) < 2 {
        assert!(started.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(2));
    }
    let id = child.id().to_string();
    let signal = std::process::Command::new("kill");
    assert!({ signal }.args(["-INT", &id]).status().unwrap().success());
    let ran = crate::Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.status, Some(130), "{}", ran.stderr);
    assert!(
        ran.stderr
            .ends_with("the same command goes on from here: what was measured is kept\n"),
        "{}",
        ran.stderr
    );
}
