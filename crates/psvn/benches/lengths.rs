//! Compares `--prune auto` with each fixed length: nodes, steps and processor time.
//!
//! Prints a table. `cargo bench -p psvn --bench lengths` runs all games; with words after `--`,
//! only games whose names contain one of them.
//!
//! "Cold" is without a cache. "Warm" is a search whose analyses are in the cache; for auto the
//! second to the fifth run with a cache. Cold rows are compared with the best fixed length in the
//! cold, and warm ones with the best warm one. Lengths with far more nodes than auto are stopped
//! and left out; 0 means no pruning. Steps count the nodes and the work of the analyses, so they
//! are the same on every computer.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench reports on the standard output, and may panic"
)]

use psvn::instance::{RandomWalks, WalkEnd};
use psvn::{Environment, Game, Limits, PruneSpec, Solver};

/// The starts of a game.
enum Starts {
    Named(&'static [&'static str]),
    /// The ends of random walks from the goal: their number and their steps.
    Walks(usize, u64),
}

/// A game, a heuristic, starts, and the lengths to compare with auto.
type Case = (&'static str, &'static str, Starts, &'static [usize]);

const CASES: [Case; 12] = [
    (
        "sliding-tiles:3:3",
        "zero",
        Starts::Walks(10, 200),
        &[2, 4, 6, 8, 10, 12],
    ),
    // Numbers 2, 12, 42 and 55 of Korf's hundred.
    (
        "sliding-tiles:4:4",
        "manhattan",
        Starts::Named(&[
            "13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6",
            "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15",
            "4 5 7 2 9 14 12 13 0 3 6 11 8 1 15 10",
            "13 8 14 3 9 1 0 7 15 5 4 10 12 2 6 11",
        ]),
        &[2, 6, 8, 10, 12, 14],
    ),
    ("pancake:8", "zero", Starts::Walks(20, 50), &[2, 3, 4, 5]),
    ("pancake:9", "zero", Starts::Walks(10, 50), &[2, 3, 4, 5, 6]),
    ("pancake:10", "zero", Starts::Walks(5, 50), &[4, 5, 6, 7]),
    (
        "rubik:2:fixed",
        "zero",
        Starts::Walks(10, 9),
        &[2, 4, 5, 6, 7],
    ),
    ("rubik:3", "zero", Starts::Walks(10, 6), &[2, 3, 4]),
    ("topspin:8:3", "zero", Starts::Walks(10, 50), &[2, 3, 4, 5]),
    ("blocks:7", "zero", Starts::Walks(10, 30), &[2, 3, 4]),
    ("hanoi:4:6", "zero", Starts::Walks(10, 100), &[2, 3, 4, 5]),
    (
        "gripper:6",
        "zero",
        Starts::Named(&["usual"]),
        &[2, 3, 4, 5],
    ),
    (
        "slide-jump:4",
        "zero",
        Starts::Named(&["usual"]),
        &[2, 3, 4, 5],
    ),
];

/// The processor time of this process, with all of its threads, in hundredths of a second.
fn processor_time() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let (_, rest) = stat.rsplit_once(')').unwrap();
    let field = |n: usize| -> u64 { rest.split_whitespace().nth(n).unwrap().parse().unwrap() };
    field(11) + field(12)
}

/// The steps of a node, of the order of a nanosecond each, as those of an analysis.
fn steps_of_node(heuristic: &str) -> f64 {
    match heuristic {
        "zero" => 10.0,
        _ => 15.0,
    }
}

/// The factor by which a fixed length may make more nodes than auto. With more it isn't the best.
const MOST_NODES: u128 = 4;

/// The steps to read one byte of a result in the cache, as auto counts them.
const STEPS_OF_BYTE: f64 = 10.0;

/// The runs of auto with one cache.
const RUNS: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];

struct Done {
    /// Empty if a search was stopped.
    costs: Vec<u128>,
    generated: u128,
    /// The steps of the analyses, about a nanosecond each.
    analysis: f64,
    seconds: f64,
}

impl Done {
    /// The steps of the searches and their analyses: a measure that doesn't depend on the computer.
    fn steps(&self, heuristic: &str) -> f64 {
        self.generated as f64 * steps_of_node(heuristic) + self.analysis
    }
}

/// Search from each start with preparations of its own, with at most some nodes in all.
fn solve(
    (game, heuristic): (&Game, &str),
    starts: &[psvn_ir::State],
    prune: PruneSpec,
    env: &Environment,
    most_nodes: u128,
) -> Done {
    let before = processor_time();
    let (mut costs, mut generated, mut analysis) = (Vec::new(), 0, 0.0);
    for start in starts {
        let solver = Solver::builder(game)
            .heuristic(heuristic.parse().unwrap())
            .starts([start.clone()])
            .prune(prune.clone())
            .build(env)
            .unwrap();
        let left = u64::try_from(most_nodes - generated).unwrap_or(u64::MAX);
        let limits = Limits {
            nodes: Some(left),
            ..Limits::default()
        };
        let answer = solver.solve_within(start, limits).unwrap();
        generated += answer.generated;
        let pruning = solver.pruning();
        analysis += pruning.analysis_steps() + pruning.deciding_steps();
        let Some(solution) = answer.solution() else {
            costs.clear();
            break;
        };
        costs.push(solution.cost);
        if generated >= most_nodes {
            costs.clear();
            break;
        }
    }
    Done {
        costs,
        generated,
        analysis,
        seconds: (processor_time() - before) as f64 / 100.0,
    }
}

fn main() {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    println!(
        "| game | run | length | nodes | steps, millions | times the best | s | times the best |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|");
    for (name, heuristic, starts, lengths) in CASES {
        if !wanted.is_empty() && !wanted.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        let game = Game::built_in(name, &Environment::default()).unwrap();
        let starts: Vec<psvn_ir::State> = match starts {
            Starts::Named(all) => all
                .iter()
                .map(|text| game.state("a start", text).unwrap())
                .collect(),
            Starts::Walks(count, steps) => ends_of_walks(&game, count, steps),
        };
        let run = |prune, env: &Environment, most_nodes| {
            solve((&game, heuristic), &starts, prune, env, most_nodes)
        };
        let cold = Environment::default();
        let auto = run(PruneSpec::Auto, &cold, u128::MAX);
        let most_nodes = auto.generated * MOST_NODES;
        // Each length with its cold and its warm run.
        let mut fixed: Vec<(usize, [Done; 2])> = Vec::new();
        for length in [0, 1].iter().chain(lengths) {
            let prune = match length {
                0 => PruneSpec::None,
                length => PruneSpec::Length(*length),
            };
            let done = run(prune.clone(), &cold, most_nodes);
            if done.costs.is_empty() {
                continue;
            }
            assert_eq!(done.costs, auto.costs);
            let (folder, cache) = new_cache();
            run(prune.clone(), &cache, 0);
            let mut warm = run(prune, &cache, most_nodes);
            assert_eq!(warm.generated, done.generated);
            // Each search reads it.
            warm.analysis +=
                STEPS_OF_BYTE * (bytes_in(folder.path()) as usize * starts.len()) as f64;
            fixed.push((*length, [done, warm]));
        }
        // The least steps and seconds, cold and warm.
        let best = [0, 1].map(|which| {
            let all = || fixed.iter().map(|(_, runs)| &runs[which]);
            let least = |of: &dyn Fn(&Done) -> f64| all().map(of).min_by(f64::total_cmp);
            let steps = least(&|done| done.steps(heuristic)).unwrap();
            [steps, least(&|done| done.seconds).unwrap()]
        });
        let row = |run: &str, length: &str, done: &Done, best: [f64; 2]| {
            let steps = done.steps(heuristic);
            println!(
                "| `{name}` | {run} | {length} | {} | {:.2} | {:.2} | {:.2} | {:.2} |",
                done.generated,
                steps / 1e6,
                steps / best[0],
                done.seconds,
                done.seconds / best[1].max(0.01)
            );
        };
        for (run, which) in [("cold", 0), ("warm", 1)] {
            for (length, runs) in &fixed {
                row(run, &length.to_string(), &runs[which], best[which]);
            }
        }
        row("cold", "auto", &auto, best[0]);
        let (_folder, cache) = new_cache();
        for (nth, name) in RUNS.iter().enumerate() {
            let again = run(PruneSpec::Auto, &cache, u128::MAX);
            assert_eq!(again.costs, auto.costs);
            row(name, "auto", &again, best[nth.min(1)]);
        }
    }
}

fn new_cache() -> (tempfile::TempDir, Environment) {
    let folder = tempfile::tempdir().unwrap();
    let cache = psvn::Cache::in_folder(folder.path());
    (folder, Environment::default().with_cache(cache))
}

fn bytes_in(folder: &std::path::Path) -> u64 {
    let entries = std::fs::read_dir(folder).unwrap();
    entries
        .map(|it| it.unwrap().metadata().unwrap().len())
        .sum()
}

fn ends_of_walks(game: &Game, count: usize, steps: u64) -> Vec<psvn_ir::State> {
    let walks = RandomWalks {
        count,
        steps,
        start: None,
        backward: true,
    };
    let ends = walks.walk(game, &Environment::default()).unwrap();
    let state = |end: &WalkEnd| game.state("a start", &end.state).unwrap();
    ends.iter().map(state).collect()
}
