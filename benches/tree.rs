//! Counting trees depth first, beside programs written by hand for one game each.

#![allow(missing_docs, reason = "criterion's macros write functions without")]

mod baseline;
mod common;
mod compare;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fsm::Dense;
use psvn_ir::{Game, State};
use psvn_toolkit::{analyze, built_in, machine};
use search::{Bound, CompiledGame, Search};

use baseline::{Pancakes, TopSpin};

/// The nodes of the tree down to `depth`, by the toolkit. The machine is an argument, as it would be in
/// use: made once, for any number of searches.
fn toolkit(game: &CompiledGame, machine: &Dense, start: &State, depth: u64) -> u64 {
    let mut search = Search::new(game).machine(machine);
    let tree = search.count_tree(start, Bound::Depth(depth));
    tree.map_or(0, |tree| tree.totals().generated as u64)
}

/// One row: a game, the length of the analysis (0 for no pruning), and how deep to count.
fn row(
    criterion: &mut Criterion,
    game: &Game,
    name: &str,
    max_length: usize,
    depth: u64,
    by_hand: impl Fn() -> u64,
) {
    let start = game.goal_state().expect("these games have one goal state");
    let compiled = CompiledGame::new(game);
    let machine = machine(&analyze(game, max_length));
    let by_toolkit = || toolkit(&compiled, &machine, &start, depth);
    let mut group = criterion.benchmark_group(format!("tree/{name}/length {max_length}"));
    group.throughput(Throughput::Elements(by_toolkit()));
    group.bench_function("toolkit", |bencher| bencher.iter(by_toolkit));
    group.bench_function("by hand", |bencher| bencher.iter(&by_hand));
    group.finish();
    compare::compare(
        &format!("{name}, length {max_length}, depth {depth}"),
        ("toolkit", by_toolkit),
        ("by hand", by_hand),
    );
}

fn topspin(criterion: &mut Criterion) {
    let game = built_in("topspin:14:3");
    for (max_length, depth) in [(0, 6), (2, 8), (3, 9)] {
        let by_hand = TopSpin::new(max_length);
        row(criterion, &game, "topspin:14:3", max_length, depth, || {
            by_hand.count(depth)
        });
    }
}

fn pancakes(criterion: &mut Criterion) {
    let game = built_in("pancake:9");
    for (max_length, depth) in [(0, 7), (2, 8)] {
        row(criterion, &game, "pancake:9", max_length, depth, || {
            Pancakes::count(max_length == 2, depth)
        });
    }
}

criterion_group! {
    name = benches;
    config = common::short();
    targets = topspin, pancakes
}
criterion_main!(benches);
