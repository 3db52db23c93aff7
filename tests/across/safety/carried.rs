//! Machines learned on a small board and used on a larger one: nothing is lost there.
//!
//! Random rules are written for rows of cells, once for each place where they fit and all with one
//! label. The larger row has more places, and sometimes a rule that the smaller one has otherwise,
//! so some words that are redundant on the small row are not on the large one.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use fsm::{Machine, MachineState, Unrestricted, WordAutomaton};
use psvn::analysis::{Assume, Letters, MachineKind};
use psvn::machine::{TransferRequest, transfer};
use psvn::{Environment, Game, Pruning};
use psvn_ir::testing::{SplitMix64, cases};

use super::graph::{Graph, NEVER};

/// The totals of tests of many pairs of games.
#[derive(Debug, Default)]
struct Tally {
    /// The number of words that were carried over, and of those that were refused.
    kept: usize,
    refused: usize,
    /// The number of pairs where the refused words would have lost something.
    losing: usize,
}

/// One side of a rule within its cells.
fn side(random: &mut SplitMix64, width: usize, n_values: usize, constants: u32) -> Vec<String> {
    let cells = (0..width).map(|_| {
        if random.chance(constants) {
            random.below(n_values).to_string()
        } else {
            ["A", "B"][random.below(width)].to_owned()
        }
    });
    cells.collect()
}

/// Rows of both sizes with the same random rules.
fn rows(seed: u64) -> [String; 2] {
    let mut random = SplitMix64::new(seed);
    let n_values = 2 + random.below(2);
    let mut texts = [3, 4].map(|n_cells| {
        let values: Vec<String> = (0..n_values).map(|value| value.to_string()).collect();
        let domains = "cell ".repeat(n_cells);
        format!(
            "DOMAIN cell {n_values} {}\n{n_cells}\n{domains}\n",
            values.join(" ")
        )
    });
    for label in 0..2 + random.below(3) {
        let width = 1 + random.below(2);
        let left = side(&mut random, width, n_values, 60);
        let right: Vec<String> = side(&mut random, width, n_values, 50)
            .into_iter()
            // Symbols must occur on the left.
            .map(|cell| {
                if left.contains(&cell) || cell.parse::<u32>().is_ok() {
                    cell
                } else {
                    "0".to_owned()
                }
            })
            .collect();
        let cost = random.below(3);
        let is_other = random.chance(25);
        for (text, n_cells) in texts.iter_mut().zip([3, 4]) {
            for place in 0..=n_cells - width {
                let row = |cells: &[String], last: &str| {
                    let mut row = vec!["-".to_owned(); n_cells];
                    row[place..place + width].clone_from_slice(cells);
                    if place + width < n_cells && last != "-" {
                        row[n_cells - 1] = last.to_owned();
                    }
                    row.join(" ")
                };
                // On the large row, some rules test the last cell, too.
                let last = if is_other && n_cells == 4 { "1" } else { "-" };
                let (left, right) = (row(&left, last), row(&right, "-"));
                writeln!(text, "{left} => {right} LABEL m{label} COST {cost}").expect("a text");
            }
        }
    }
    for (text, n_cells) in texts.iter_mut().zip([3, 4]) {
        writeln!(text, "GOAL {}", "0 ".repeat(n_cells)).expect("a text");
    }
    texts
}

/// The least cost at which each state can be reached from a start by a machine over labels.
fn least_costs<M: Machine>(
    graph: &Graph,
    machine: &M,
    letter_of: &[u32],
    start: usize,
) -> Vec<u64> {
    let mut best = vec![NEVER; graph.edges.len()];
    best[start] = 0;
    let mut known = HashMap::from([((start, machine.start().number()), 0)]);
    let mut frontier = vec![(start, machine.start(), 0)];
    while let Some((state, memory, cost)) = frontier.pop() {
        if known[&(state, memory.number())] < cost {
            continue;
        }
        for (rule, target) in &graph.edges[state] {
            let Some(memory) = machine.next(memory, letter_of[*rule as usize]) else {
                continue;
            };
            let cost = cost + graph.costs[*rule as usize];
            let known = known.entry((*target, memory.number())).or_insert(NEVER);
            if cost < *known {
                *known = cost;
                best[*target] = best[*target].min(cost);
                frontier.push((*target, memory, cost));
            }
        }
    }
    best
}

/// A pair of states whose least cost is greater with a machine.
fn lost<M: Machine>(graph: &Graph, machine: &M, letter_of: &[u32]) -> Option<(usize, usize)> {
    (0..graph.edges.len()).find_map(|start| {
        let all = least_costs(graph, &Unrestricted, letter_of, start);
        let left = least_costs(graph, machine, letter_of, start);
        let target = (0..all.len()).find(|state| all[*state] != left[*state])?;
        Some((start, target))
    })
}

fn check(seed: u64, env: &Environment, path: &PathBuf, tally: &mut Tally) {
    let [small, large] = rows(seed);
    let from = Game::parse("small", &small, env).expect("a game");
    let to = Game::parse("large", &large, env).expect("a game");
    let learned = Pruning {
        letters: Some(Letters::Labels),
        invariants: Some(Assume::None),
        ..Pruning::up_to(3)
    };
    let learned = learned.analyze(&from, env).expect("an analysis");
    let Some(learned) = &learned.machine else {
        return;
    };
    std::fs::write(path, learned.to_bytes()).expect("a file");
    let nothing = Pruning {
        invariants: Some(Assume::None),
        ..Pruning::up_to(1)
    };
    let (nothing, _) = nothing
        .analyze_with_request(&to, "to".as_ref(), env)
        .expect("an analysis");
    let request = TransferRequest {
        from: from.named(),
        machine: path,
        to: to.named(),
        assumptions: &nothing.assumptions,
        drop_failing: true,
        drop_impossible: seed % 2 == 1,
        kind: match seed % 3 {
            0 => MachineKind::AhoCorasick,
            _ => MachineKind::Minimized,
        },
        budget: 1 << 30,
    };
    let carried = transfer(&request, env).expect("labels in common");
    let file = carried.file.expect("failing words are dropped");
    let graph = Graph::complete(to.ir());
    let name = |state: usize| graph.names[state].clone();
    let difference = lost(&graph, &file.machine, &file.operator_of);
    let difference = difference.map(|(start, target)| (name(start), name(target)));
    assert_eq!(difference, None, "seed {seed}\n{small}\n{large}");
    tally.kept += carried.report.kept;
    tally.refused += carried.report.failed;
    if carried.report.failed > 0 {
        // All words, as if none had been proved again.
        let n_letters = 1 + file.operator_of.iter().max().expect("there are rules");
        let words: Vec<Vec<u32>> = learned.words.iter().map(|it| it.word.to_vec()).collect();
        let unproved = WordAutomaton::forbidding(n_letters, &words).expect("words of letters");
        let unproved = unproved.build().expect("a small machine");
        tally.losing += usize::from(lost(&graph, &unproved, &file.operator_of).is_some());
    }
}

fn check_many(seeds: std::ops::Range<u64>) -> Tally {
    let env = Environment::default();
    let name = format!("carried-{}.fsm", seeds.start);
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut tally = Tally::default();
    for seed in seeds {
        check(seed, &env, &path, &mut tally);
    }
    std::fs::remove_file(&path).expect("a file of this test");
    tally
}

#[test]
fn nothing_is_lost_on_larger_boards() {
    let tally = check_many(0..cases(500));
    // Without the second proof the test would fail.
    assert!(
        tally.kept > 500 && tally.refused > 500 && tally.losing > 100,
        "{tally:?}"
    );
}

#[test]
#[ignore = "takes 5 minutes: thousands of games"]
#[allow(clippy::print_stdout, reason = "a long run says what it tried")]
fn manual_nothing_is_lost_on_larger_boards_of_many_games() {
    let n_seeds = cases(4_000);
    let tally = check_many(10_000..10_000 + n_seeds);
    println!("{n_seeds} pairs of games: {tally:?}");
    assert!(tally.kept as u64 > n_seeds, "{tally:?}");
}
