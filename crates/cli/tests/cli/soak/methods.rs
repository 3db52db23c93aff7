//! The ways to solve that are tried on each game: words of the command, and what they promise.

use std::path::Path;

use super::game::{Dice, RandomGame};

/// What is promised of a solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Promise {
    /// The least cost.
    LeastCost,
    /// The fewest moves.
    FewestMoves,
    /// At most this many times the least cost.
    Times(f64),
    /// At most this many moves.
    Within(u64),
    /// At most this cost, and the least if there is one.
    LeastCostWithin(u64),
    /// At most this many moves, if it is found at all.
    Perhaps(u64),
}

/// A way to solve.
pub(crate) struct Method {
    /// What it is counted as.
    pub(crate) name: &'static str,
    pub(crate) words: Vec<String>,
    pub(crate) promise: Promise,
}

/// The algorithms that take machines.
const DEPTH_FIRST: [(&str, &[&str], Promise); 9] = [
    ("ida", &[], Promise::LeastCost),
    ("ida-cr", &["--growth", "2"], Promise::LeastCost),
    ("bts", &[], Promise::LeastCost),
    ("dfbnb", &[], Promise::LeastCost),
    ("ida-table", &["--memory", "4M"], Promise::LeastCost),
    ("wida", &["--weight", "2"], Promise::Times(2.0)),
    ("dfid", &[], Promise::FewestMoves),
    ("dfs", &["--depth", "5"], Promise::Within(5)),
    ("dfbnb", &["--cost-bound", "6"], Promise::LeastCostWithin(6)),
];

/// The algorithms that keep states.
const BEST_FIRST: [(&str, &[&str], Promise); 10] = [
    ("bfs", &[], Promise::FewestMoves),
    ("ucs", &[], Promise::LeastCost),
    ("astar", &[], Promise::LeastCost),
    ("sma", &[], Promise::LeastCost),
    ("wastar", &["--weight", "1.5"], Promise::Times(1.5)),
    ("bidirectional", &[], Promise::LeastCost),
    ("nbs", &["--heuristic", "zero"], Promise::LeastCost),
    ("dfs-closed", &["--depth", "3"], Promise::Perhaps(3)),
    ("dfs-closed", &["--depth", "6"], Promise::Perhaps(6)),
    ("dfs-closed", &["--depth", "400"], Promise::Perhaps(400)),
];

/// Names of heuristics that fit many games.
const HEURISTICS: [&str; 6] = [
    "misplaced",
    "goal-count",
    "manhattan",
    "gap",
    "misplaced,goal-count",
    "auto",
];

/// The order of words that prunes by cost first.
const BY_COST: &str = "cost-length-lexicographic";

/// The options with which machines are made, and whether they order words by cost, which not all
/// promises can bear.
pub(crate) const MACHINES: [(&[&str], bool); 10] = [
    (&["-L", "3"], false),
    (&["-L", "4", "--order", BY_COST], true),
    (&["-L", "3", "--machine", "table"], false),
    (&["-L", "3", "--machine", "aho-corasick"], false),
    (&["-L", "3", "--rule-order", "label"], false),
    (&["-L", "2", "--rule-order", "optimize"], false),
    (&["-L", "3", "--operators", "labels"], false),
    (&["-L", "2", "--sleep-sets"], false),
    (&["-L", "3", "--dont-cares"], false),
    (&["-L", "3", "--method", "learner"], false),
];

/// The options with which tables are made.
pub(crate) fn patterns(game: &RandomGame, dice: &mut Dice) -> Vec<Vec<String>> {
    let mut made = Vec::new();
    for _ in 0..3 {
        let mut words = Vec::new();
        let n_patterns = 1 + dice.below(2);
        // Sums share costs by values or by variables, not by both.
        let by_values = dice.chance(60);
        for _ in 0..n_patterns {
            let values = game.some_values(dice).join(" ");
            let dropped = (1..=game.n_positions()).filter(|_| dice.chance(30));
            let dropped: Vec<String> = dropped.map(|position| position.to_string()).collect();
            let pattern = match (by_values && !values.is_empty(), dropped.is_empty()) {
                (true, _) => format!("keep {values}"),
                (false, false) => format!("project {}", dropped.join(" ")),
                (false, true) => "project 1".to_owned(),
            };
            words.extend(["--pattern".to_owned(), pattern]);
        }
        if words.len() > 2 && dice.chance(50) {
            words.push("--additive".to_owned());
        }
        made.push(words);
    }
    made
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// What is tried beside these machine files (each with its order by cost or not) and tables.
pub(crate) fn methods(
    machines: &[(&Path, bool)],
    tables: &[String],
    dice: &mut Dice,
) -> Vec<Method> {
    let mut methods = Vec::new();
    let mut add = |name, words: &[&str], more: &[&str], promise| {
        let mut all = owned(&["--algorithm", name]);
        all.extend(owned(words));
        all.extend(owned(more));
        methods.push(Method {
            name,
            words: all,
            promise,
        });
    };
    for (name, words, promise) in DEPTH_FIRST {
        add(name, words, &["--prune", "none"], promise);
        let length = *dice.one_of(&["parent", "1", "2", "3", "4"]);
        let cycles = *dice.one_of(&["none", "parent", "path"]);
        let threads = *dice.one_of(&["1", "2"]);
        let more = ["--prune", length, "--cycles", cycles, "--threads", threads];
        add(name, words, &more, promise);
        for _ in 0..2 {
            let (file, by_cost) = *dice.one_of(machines);
            // Which of several solutions has the fewest moves isn't kept by an order by cost.
            if !by_cost || matches!(promise, Promise::LeastCost | Promise::Times(_)) {
                let more = ["--prune", file.to_str().unwrap(), "--threads", threads];
                add(name, words, &more, promise);
            }
        }
        if !matches!(name, "dfs" | "dfid") {
            let heuristic = *dice.one_of(&HEURISTICS);
            add(name, words, &["--heuristic", heuristic], promise);
            for table in tables {
                let more = match dice.below(3) {
                    0 => vec!["--heuristic", table, "--mirrored", "1"],
                    1 => vec!["--heuristic", table, "--prune", "3"],
                    _ => vec!["--heuristic", table],
                };
                add(name, words, &more, promise);
            }
        }
    }
    for (name, words, promise) in BEST_FIRST {
        add(name, words, &[], promise);
        if matches!(name, "astar" | "wastar") {
            for heuristic in HEURISTICS {
                add(name, words, &["--heuristic", heuristic], promise);
            }
            for table in tables {
                add(name, words, &["--heuristic", table], promise);
            }
        }
    }
    methods
}
