//! Compares `--prune auto` with each fixed length: nodes, and processor time with the analysis.
//!
//! Prints a table. `cargo bench -p psvn --bench lengths` runs all games; with words after `--`,
//! only games whose names contain one of them. Nothing comes from a cache.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench reports on the standard output, and may panic"
)]

use psvn::{Environment, Game, PruneSpec, Searcher};

/// A game, a heuristic, starts, and the lengths to compare with auto.
type Case = (
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static [usize],
);

const CASES: [Case; 9] = [
    (
        "sliding-tiles:3:3",
        "zero",
        &["8 7 6 5 4 3 2 1 0"],
        &[2, 4, 6, 8, 10, 12],
    ),
    // Numbers 2, 12, 42 and 55 of Korf's hundred.
    (
        "sliding-tiles:4:4",
        "manhattan",
        &[
            "13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6",
            "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15",
            "4 5 7 2 9 14 12 13 0 3 6 11 8 1 15 10",
            "13 8 14 3 9 1 0 7 15 5 4 10 12 2 6 11",
        ],
        &[2, 6, 8, 10, 12, 14],
    ),
    (
        "pancake:9",
        "zero",
        &["4 6 1 2 3 7 5 9 8"],
        &[2, 3, 4, 5, 6],
    ),
    (
        "pancake:10",
        "zero",
        &["7 2 9 4 10 1 6 3 8 5"],
        &[4, 5, 6, 7],
    ),
    (
        "rubik:2:fixed",
        "zero",
        &["o r y g o b g w r w r r y w b g b g w y o"],
        &[2, 4, 5, 6, 7],
    ),
    ("topspin:8:3", "zero", &[], &[2, 3, 4, 5]),
    ("hanoi:4:6", "zero", &["usual"], &[2, 3, 4, 5, 6]),
    ("gripper:6", "zero", &["usual"], &[2, 3, 4, 5]),
    ("slide-jump:4", "zero", &["usual"], &[2, 3, 4, 5]),
];

/// The processor time of this process, with all of its threads, in hundredths of a second.
fn processor_time() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let (_, rest) = stat.rsplit_once(')').unwrap();
    let field = |n: usize| -> u64 { rest.split_whitespace().nth(n).unwrap().parse().unwrap() };
    field(11) + field(12)
}

struct Done {
    costs: Vec<u128>,
    generated: u128,
    seconds: f64,
}

fn solve(game: &Game, heuristic: &str, starts: &[psvn_ir::State], prune: PruneSpec) -> Done {
    let env = Environment::default();
    let before = processor_time();
    let searcher = Searcher::builder(game)
        .heuristic(heuristic.parse().unwrap())
        .starts(starts.iter().cloned())
        .prune(prune)
        .build(&env)
        .unwrap();
    let answers = starts
        .iter()
        .map(|start| searcher.run(start).solve().unwrap());
    let (mut costs, mut generated) = (Vec::new(), 0);
    for answer in answers {
        generated += answer.generated;
        costs.push(answer.solution().unwrap().cost);
    }
    Done {
        costs,
        generated,
        seconds: (processor_time() - before) as f64 / 100.0,
    }
}

fn main() {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    println!("| game | heuristic | best length | nodes | s | auto, nodes | s | times the best |");
    println!("|---|---|---:|---:|---:|---:|---:|---:|");
    for (name, heuristic, starts, lengths) in CASES {
        if !wanted.is_empty() && !wanted.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        let game = Game::built_in(name, &Environment::default()).unwrap();
        let mut starts: Vec<psvn_ir::State> = starts
            .iter()
            .map(|text| game.state("a start", text).unwrap())
            .collect();
        if starts.is_empty() {
            starts = farthest(&game);
        }
        let auto = solve(&game, heuristic, &starts, PruneSpec::Auto);
        let fixed = lengths.iter().map(|length| {
            let done = solve(&game, heuristic, &starts, PruneSpec::Length(*length));
            assert_eq!(done.costs, auto.costs);
            (*length, done)
        });
        let fixed: Vec<(usize, Done)> = fixed.collect();
        let best = fixed
            .iter()
            .min_by(|one, other| one.1.seconds.total_cmp(&other.1.seconds));
        let (length, best) = best.unwrap();
        println!(
            "| `{name}` | {heuristic} | {length} | {} | {:.2} | {} | {:.2} | {:.2} |",
            best.generated,
            best.seconds,
            auto.generated,
            auto.seconds,
            auto.seconds / best.seconds.max(0.01)
        );
    }
}

/// The state that a breadth-first search from the goal reaches last.
fn farthest(game: &Game) -> Vec<psvn_ir::State> {
    let goal = game.ir().goal_state().unwrap();
    let mut seen = std::collections::HashSet::from([goal.clone()]);
    let mut layer = vec![goal];
    loop {
        let mut next = Vec::new();
        for state in &layer {
            for rule in game.ir().rules() {
                if !rule.canonical.applies_to(state.values()) {
                    continue;
                }
                let child = psvn_ir::State::new(rule.canonical.apply(state.values()));
                if seen.insert(child.clone()) {
                    next.push(child);
                }
            }
        }
        if next.is_empty() {
            return layer.into_iter().take(1).collect();
        }
        layer = next;
    }
}
