//! IDA* where all rules always apply and change one number each, compared with the interpreter:
//! without a limit on nodes, so that two streams run in turns.

use std::time::Duration;

use fsm::{Dense, WordAutomaton};
use psvn_ir::testing::SplitMix64;
use psvn_ir::{Cell, Game, State, SymbolId, Term, Value, VarId};
use search::{CompiledGame, Searcher, SearcherBuilder, SolveReport, Totals, ValueSums};

use crate::games::{constant, game};
use crate::plans::all_instructions;

/// Build a game in which a blank, value 0, changes places with a tile along these directed edges;
/// with several goals.
pub(crate) fn slides(n: usize, edges: &[(usize, usize)], costs: u64, goals: &[Vec<Cell>]) -> Game {
    let mut rules = Vec::new();
    for (number, (from, to)) in edges.iter().enumerate() {
        let (mut lhs, mut rhs) = (vec![Cell::DASH; n], vec![Cell::DASH; n]);
        (lhs[*from], lhs[*to]) = (constant(0), Cell::symbol(SymbolId(0)));
        (rhs[*from], rhs[*to]) = (Cell::symbol(SymbolId(0)), constant(0));
        rules.push((lhs, rhs, 1 + number as u64 % costs));
    }
    game(n, n, &rules, goals)
}

fn both_ways(edges: impl IntoIterator<Item = (usize, usize)>) -> Vec<(usize, usize)> {
    edges
        .into_iter()
        .flat_map(|(a, b)| [(a, b), (b, a)])
        .collect()
}

pub(crate) fn grid(n_rows: usize, n_columns: usize) -> Vec<(usize, usize)> {
    let right = (0..n_rows * n_columns).filter(|i| (i + 1) % n_columns != 0);
    let down = 0..(n_rows - 1) * n_columns;
    both_ways(
        right
            .map(|i| (i, i + 1))
            .chain(down.map(|i| (i, i + n_columns))),
    )
}

fn one_blank(terms: &[Term]) -> bool {
    let is_blank = |term: &&Term| term.as_constant() == Some(Value(0));
    terms.iter().filter(is_blank).count() <= 1
}

fn walk(game: &Game, compiled: &CompiledGame, n_moves: usize, random: &mut SplitMix64) -> State {
    let mut state = State::new(
        (0..game.n_variables() as u32)
            .map(Value)
            .collect::<Box<[Value]>>(),
    );
    for _ in 0..n_moves {
        let rules = compiled.applicable_rules(&state).unwrap();
        let rule = rules[random.below(rules.len())];
        state = compiled.apply(&state, rule).unwrap().unwrap();
    }
    state
}

/// Build a machine that forbids going straight back along an edge.
fn no_way_back(edges: &[(usize, usize)], prune: bool) -> Dense {
    let mut automaton = WordAutomaton::new(edges.len() as u32);
    for (a, (from, to)) in edges.iter().enumerate() {
        for (b, back) in edges.iter().enumerate() {
            if prune && *back == (*to, *from) {
                automaton.forbid(&[a as u32, b as u32]).unwrap();
            }
        }
    }
    automaton.build().unwrap()
}

/// Return the part of a report that must be the same.
fn comparable(mut report: SolveReport) -> SolveReport {
    report.preparation = Duration::ZERO;
    report.elapsed = Duration::ZERO;
    report.totals = Totals {
        generated: report.totals.generated,
        ..Totals::default()
    };
    // The interpreter counts by depth in any case.
    report.levels.clear();
    // The counts of the last iteration, which ends early, may differ.
    if let Some(last) = report.iterations.last_mut() {
        (last.expanded, last.pruned_by_machine, last.pruned_by_cycle) = (0, 0, 0);
    }
    report
}

/// Solve in all ways and compare. Return the number of nodes.
fn compare(game: &Game, edges: &[(usize, usize)], start: &State, sums: &ValueSums) -> u128 {
    let compiled = CompiledGame::new(game);
    let mut n_nodes = 0;
    for prune in [false, true] {
        let machine = no_way_back(edges, prune);
        let search = || {
            Searcher::builder(&compiled)
                .invariants(one_blank)
                .machine(machine.clone())
        };
        let solve = |search: SearcherBuilder| {
            let report = search.build().run().ida_star(start, sums).unwrap();
            assert!(report.solved());
            comparable(report)
        };
        let expected = solve(search().interpreted());
        n_nodes += expected.totals.generated;
        for instructions in all_instructions() {
            let found = solve(search().instructions(instructions));
            assert_eq!(found, expected, "{instructions:?}, pruned: {prune}");
        }
    }
    n_nodes
}

/// Return the distances of tiles from home in a grid, an admissible heuristic.
fn manhattan(game: &Game, n_columns: u32) -> ValueSums {
    ValueSums::new(game, |var: VarId, tile| match tile.0 {
        0 => 0,
        tile => {
            (var.0 / n_columns).abs_diff(tile / n_columns)
                + (var.0 % n_columns).abs_diff(tile % n_columns)
        }
    })
}

#[test]
fn grids() {
    let mut random = SplitMix64::new(11);
    let mut n_nodes = 0;
    for (rows, columns, costs, moves) in
        [(3, 3, 1, 60), (4, 4, 1, 60), (5, 4, 1, 40), (3, 3, 3, 20)]
    {
        let edges = grid(rows, columns);
        let n = rows * columns;
        let home = (0..n as u32).map(constant).collect();
        let game = slides(n, &edges, costs, &[home]);
        let compiled = CompiledGame::new(&game);
        let sums = manhattan(&game, columns as u32);
        for _ in 0..6 {
            let start = walk(&game, &compiled, moves, &mut random);
            n_nodes += compare(&game, &edges, &start, &sums);
        }
    }
    assert!(n_nodes > 100_000, "only {n_nodes} nodes were compared");
}

/// Several threads make the nodes of one, in the last iteration too.
#[test]
fn grids_by_several_threads() {
    let mut random = SplitMix64::new(15);
    let (edges, n) = (grid(4, 4), 16);
    let home = (0..n as u32).map(constant).collect();
    let game = slides(n, &edges, 1, &[home]);
    let compiled = CompiledGame::new(&game);
    let sums = manhattan(&game, 4);
    let mut n_nodes = 0;
    for _ in 0..12 {
        for (n_moves, prune) in [(30, false), (80, true)] {
            let start = walk(&game, &compiled, n_moves, &mut random);
            let machine = no_way_back(&edges, prune);
            let solve = |n_threads, may_interleave: bool| {
                let search = Searcher::builder(&compiled)
                    .invariants(one_blank)
                    .machine(machine.clone());
                let mut run = search.build().run().threads(n_threads).threads_above(0);
                if !may_interleave {
                    run = run.count_depths(true);
                }
                let mut report = run.ida_star(&start, &sums).unwrap();
                assert!(report.solved());
                (report.preparation, report.elapsed) = Default::default();
                report.levels.clear();
                report
            };
            let expected = solve(1, false);
            n_nodes += expected.totals.generated;
            for n_threads in [1, 2, 3] {
                let found = solve(n_threads, true);
                assert_eq!(found, expected, "{n_threads} threads, pruned: {prune}");
            }
        }
    }
    assert!(n_nodes > 100_000, "only {n_nodes} nodes were compared");
}

#[test]
fn numbers_that_overestimate() {
    // Solutions aren't the shortest then, and which one is found first depends on the order.
    let mut random = SplitMix64::new(12);
    let edges = grid(3, 3);
    let home = (0..9).map(constant).collect();
    let game = slides(9, &edges, 2, &[home]);
    let compiled = CompiledGame::new(&game);
    let mut n_nodes = 0;
    for _ in 0..20 {
        let start = walk(&game, &compiled, 9, &mut random);
        let sums = ValueSums::new(&game, |_, _| random.below(3) as u32);
        n_nodes += compare(&game, &edges, &start, &sums);
    }
    assert!(n_nodes > 10_000, "only {n_nodes} nodes were compared");
}

#[test]
fn many_ways_and_several_goals() {
    // From each place to each other one: more children than the loops for three and four take.
    let mut random = SplitMix64::new(13);
    let n = 7;
    let edges = both_ways((0..n).flat_map(|a| (0..a).map(move |b| (a, b))));
    let home = (0..n as u32).map(constant).collect();
    let swapped = [1, 0, 2, 3, 4, 6, 5].map(constant).to_vec();
    let game = slides(n, &edges, 1, &[home, swapped]);
    let compiled = CompiledGame::new(&game);
    for _ in 0..8 {
        let start = walk(&game, &compiled, 6, &mut random);
        let sums = ValueSums::new(&game, |_, _| 0);
        compare(&game, &edges, &start, &sums);
    }
}

#[test]
fn a_way_deeper_than_the_interleaved_walk() {
    // A ring in which the blank goes one way.
    let n = 26;
    let edges: Vec<(usize, usize)> = (0..n).map(|i| (i, (i + 1) % n)).collect();
    let home = (0..n as u32).map(constant).collect();
    let game = slides(n, &edges, 1, &[home]);
    let compiled = CompiledGame::new(&game);
    // The ring is at home again after 26 * 25 moves.
    let start = walk(&game, &compiled, 50, &mut SplitMix64::new(14));
    let sums = ValueSums::new(&game, |_, _| 0);
    let machine = no_way_back(&edges, false);
    let search = || {
        Searcher::builder(&compiled)
            .invariants(one_blank)
            .machine(machine.clone())
    };
    let by_book = search().interpreted().build();
    let expected = by_book.run().ida_star(&start, &sums).unwrap();
    assert_eq!(expected.solution().unwrap().length(), 600);
    let found = search().build().run().ida_star(&start, &sums).unwrap();
    assert_eq!(comparable(found), comparable(expected));
}
