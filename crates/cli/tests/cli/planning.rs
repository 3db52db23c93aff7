//! Pruning on planning tasks: what machines leave of the tree, and that optimal plans cost the same
//! with them and without.

use std::fmt::Write;
use std::path::Path;

use formats::planning::tasks;
use formats::sas::write;

use crate::json::json;

/// What is measured of a task under one machine.
struct Measured {
    /// Redundant words.
    words: u64,
    branching: f64,
    /// Nodes of iterative deepening, and the cost of the plan; `None` where a limit came first.
    solved: Option<(u64, u64)>,
}

/// Measure a task with sequences up to a length pruned, where a search may generate `nodes`.
fn measure(file: &str, length: u64, nodes: &str) -> Measured {
    let length_word = length.to_string();
    let (words, branching) = match length {
        0 => (0, 0.0),
        _ => {
            let (status, found) = json(&["analyze", file, "--max-length", &length_word]);
            assert_eq!(status, Some(0), "{file}");
            let words = found["redundant_words"].as_u64().unwrap();
            (words, found["branching_factor"].as_f64().unwrap_or(0.0))
        }
    };
    let prune = match length {
        0 => "none",
        _ => &length_word,
    };
    let (status, found) = json(&[
        "solve",
        file,
        "--algorithm",
        "dfid",
        "--nodes",
        nodes,
        "--prune",
        prune,
    ]);
    let solved = (status == Some(0)).then(|| {
        (
            found["generated"].as_u64().unwrap(),
            found["cost"].as_u64().unwrap(),
        )
    });
    Measured {
        words,
        branching,
        solved,
    }
}

/// Measure the tasks that `choose` picks, and return the rows of a table.
fn table(folder: &Path, nodes: &str, choose: impl Fn(&str) -> bool) -> (String, usize) {
    let mut rows = String::new();
    let mut n_compared = 0;
    for (name, task) in tasks().into_iter().filter(|(name, _)| choose(name)) {
        let path = folder.join(format!("{name}.sas"));
        std::fs::write(&path, write(&task)).unwrap();
        let file = path.to_str().unwrap();
        let found = [0, 2, 3].map(|length| measure(file, length, nodes));
        let mut costs = found
            .iter()
            .filter_map(|it| it.solved.map(|(_, cost)| cost));
        let first = costs.next();
        for cost in costs {
            assert_eq!(Some(cost), first, "{name}: pruning changes the cost");
            n_compared += 1;
        }
        let nodes_of = |it: &Measured| it.solved.map_or("-".to_owned(), |(n, _)| n.to_string());
        writeln!(
            rows,
            "| {name} | {} | {} | {} | {:.3} | {} | {:.3} | {} | {} | {} | {} |",
            task.variables.len(),
            task.operators.len(),
            found[1].words,
            found[1].branching,
            found[2].words,
            found[2].branching,
            first.map_or("-".to_owned(), |cost| cost.to_string()),
            nodes_of(&found[0]),
            nodes_of(&found[1]),
            nodes_of(&found[2]),
        )
        .unwrap();
    }
    (rows, n_compared)
}

#[test]
fn small_tasks_cost_the_same_with_and_without_pruning() {
    let folder = tempfile::tempdir().unwrap();
    let small = [
        "blocks-3-2",
        "gripper-2",
        "logistics-2-1-1",
        "satellite-1-2-1",
        "visit-all-2-3",
        "sokoban-1",
        "pegsol-3-3-5-1",
    ];
    let (rows, n_compared) = table(folder.path(), "2000000", |name| small.contains(&name));
    assert_eq!(rows.lines().count(), small.len(), "{rows}");
    assert_eq!(n_compared, 2 * small.len(), "{rows}");
}

#[test]
#[ignore = "takes 30 minutes: 35 tasks, up to 20 million nodes each; prints the rows of a table"]
#[allow(clippy::print_stdout, reason = "a long run says what it tried")]
fn manual_all_tasks_cost_the_same_with_and_without_pruning() {
    let folder = tempfile::tempdir().unwrap();
    let (rows, n_compared) = table(folder.path(), "20000000", |_| true);
    assert!(
        rows.lines().count() >= 30 && n_compared >= 40,
        "{n_compared}\n{rows}"
    );
    println!("{rows}");
}
