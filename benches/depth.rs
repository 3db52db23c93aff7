//! The growth of an analysis's cost with its depth, and its cost beside other programs.
//!
//! Prints tables on the standard output. Times are wall times of one process; compare them with
//! care where other programs run.

#![allow(missing_docs, reason = "criterion's macros write functions without")]

mod common;

use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use move_prune::Analysis;
use psvn_ir::Game;
use psvn_toolkit::{analyze, analyze_reachable, built_in};

/// The number of runs, of which the best counts.
const RUNS: usize = 3;

/// Whether the invariants of the goal are assumed.
#[derive(Clone, Copy, PartialEq)]
enum Assume {
    Nothing,
    Invariants,
}

fn run(game: &Game, max_length: usize, assume: Assume) -> Analysis {
    match assume {
        Assume::Nothing => analyze(game, max_length),
        Assume::Invariants => analyze_reachable(game, max_length),
    }
}

fn best(game: &Game, max_length: usize, assume: Assume) -> (Duration, Analysis) {
    let timed = |_| {
        let started = Instant::now();
        let analysis = run(game, max_length, assume);
        (started.elapsed(), analysis)
    };
    let runs = (0..RUNS).map(timed);
    let shortest = runs.min_by_key(|(elapsed, _)| *elapsed);
    shortest.unwrap_or_else(|| timed(0))
}

/// Time for each kept word, level by level: it should hardly grow.
#[allow(
    clippy::print_stdout,
    reason = "a bench reports on the standard output"
)]
fn flat(_: &mut Criterion) {
    for (reference, max_length, assume) in [
        ("sliding-tiles:4:4", 15, Assume::Invariants),
        ("sliding-tiles:3:3", 20, Assume::Invariants),
        ("topspin:14:3", 9, Assume::Nothing),
        ("rubik:2", 6, Assume::Nothing),
    ] {
        let game = built_in(reference);
        let runs: Vec<Analysis> = (0..RUNS).map(|_| run(&game, max_length, assume)).collect();
        println!("\n{reference}, time for each kept word:");
        println!("| length | kept | composed | µs for each kept | times that of length 3 |");
        println!("|---:|---:|---:|---:|---:|");
        let each = |place: usize| {
            let elapsed = runs.iter().map(|run| run.levels[place].elapsed).min();
            let micros = elapsed.unwrap_or_default().as_secs_f64() * 1e6;
            micros / runs[0].levels[place].kept as f64
        };
        for (place, level) in runs[0].levels.iter().enumerate().skip(2) {
            println!(
                "| {} | {} | {} | {:.2} | {:.2} |",
                level.length,
                level.kept,
                level.composed,
                each(place),
                each(place) / each(2)
            );
        }
    }
}

/// Print rows with the seconds that another program took for the same, on a machine of its time.
#[allow(
    clippy::print_stdout,
    reason = "a bench reports on the standard output"
)]
fn beside(criterion: &mut Criterion) {
    let compiler = "the PSVN compiler of the papers";
    let twsearch = "twsearch";
    println!("\n| game | length | other program | seconds there | seconds here | ratio |");
    println!("|---|---:|---|---:|---:|---:|");
    for (reference, max_length, program, seconds) in [
        ("blocks:10", 3, compiler, 76.0),
        ("hanoi:4:8", 3, compiler, 40.0),
        ("arrow:16", 3, compiler, 4.1),
        ("sliding-tiles:4:4", 3, compiler, 13.0),
        ("rubik:2", 4, compiler, 40.0),
        ("topspin:14:3", 6, twsearch, 0.05),
        ("topspin:14:3", 8, twsearch, 0.71),
        ("topspin:14:3", 10, twsearch, 6.7),
        ("rubik:2", 6, twsearch, 3.7),
    ] {
        let game = built_in(reference);
        let (elapsed, _) = best(&game, max_length, Assume::Nothing);
        let ours = elapsed.as_secs_f64();
        println!(
            "| `{reference}` | {max_length} | {program} | {seconds} | {ours:.3} | {:.1} |",
            seconds / ours
        );
    }
    let mut group = criterion.benchmark_group("depth");
    for (reference, max_length, assume) in [
        // 3,042 rules over 79 variables.
        ("blocks:39", 2, Assume::Nothing),
        // 3,024 rules over 784 variables.
        ("sliding-tiles:28:28", 2, Assume::Invariants),
        ("sliding-tiles:4:4", 12, Assume::Invariants),
        ("topspin:14:3", 8, Assume::Nothing),
    ] {
        let game = built_in(reference);
        group.bench_function(format!("{reference}/{max_length}"), |bencher| {
            bencher.iter(|| run(&game, max_length, assume).redundant.len());
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = common::short();
    targets = flat, beside
}
criterion_main!(benches);
