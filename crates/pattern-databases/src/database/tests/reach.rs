//! Forecasts of tables: how many states are reached, and how long building takes.

use std::time::Instant;

use abstraction::Abstraction;
use psvn_ir::Game;

use super::reach;
use crate::{AdditiveSet, Options, PatternDatabase};

fn game(reference: &[&str]) -> Game {
    crate::testing::domain(&reference.join(":"))
}

fn patterns(game: &Game, texts: &[&str]) -> Vec<Abstraction> {
    let pattern = |text: &&str| Abstraction::from_pattern(game, text).expect("a pattern");
    texts.iter().map(pattern).collect()
}

/// The estimates of states and rules that apply are near those that a search counts.
#[test]
fn walks_tell_how_many_states_there_are() {
    for (reference, pattern) in [
        (&["hanoi", "4", "6"][..], "project 1-24"),
        (&["sliding-tiles", "3", "3"], "keep 0-4"),
        (&["blocks", "6"], "project 1 3 5 7 9"),
        (&["blocks", "7"], "project 1-9"),
        (&["topspin", "8", "4"], "project 1-5"),
    ] {
        let game = game(reference);
        let pattern_of_it = patterns(&game, &[pattern]).swap_remove(0);
        let found = reach(&game, &pattern_of_it, 1 << 26);
        let found = found.expect("a plan").expect("meetings");
        let options = Options::default();
        let table = PatternDatabase::build(&game, &pattern_of_it, &options).expect("a table");
        let distribution = table.distribution();
        let reached: u64 = distribution.0.iter().map(|(_, n)| *n).sum();
        let ratio = found / reached as f64;
        assert!(
            (0.5..2.0).contains(&ratio),
            "{reference:?} {pattern}: {found}, {reached} states"
        );
    }
}

/// Ranks of such a table don't fit in 64 bits.
#[test]
fn tables_that_are_far_too_large_have_a_forecast() {
    let game = game(&["blocks", "10"]);
    let whole = Abstraction::identity(&game);
    let sizes = PatternDatabase::sizes(&game, &whole, &Options::default()).expect("sizes");
    assert!(sizes.ranks > u128::from(u64::MAX) && sizes.work > sizes.ranks);
}

/// Compare forecasts of building with measured times, on one thread. Run it by `--ignored
/// --nocapture`.
#[test]
#[ignore = "takes 30 seconds: measures times, in a gigabyte"]
#[allow(clippy::print_stdout, reason = "it says how long building takes")]
fn manual_building_takes_about_as_long_as_expected() {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a thread");
    let blocks = ["blocks", "12"];
    let fifteen = ["sliding-tiles", "4", "4"];
    for (reference, texts, is_sum) in [
        (
            &blocks[..],
            &[
                "project 1 3 5 7 9",
                "project 1 11 13 15 17",
                "project 1 19 21 23 25",
            ][..],
            true,
        ),
        (
            &blocks,
            &["project 1 3 5 7 9 11 13", "project 1 15 17 19 21 23 25"],
            true,
        ),
        (
            &blocks,
            &["project 1 3 5 7 9 11 13 15", "project 1 17 19 21 23 25"],
            true,
        ),
        (&["topspin", "20", "4"], &["keep 1-6"], false),
        (&fifteen, &["keep 1-6", "keep 7-12", "keep 13-15"], true),
        (
            &["rubik", "3"],
            &["pieces w/r/g w/b/r w/g/o w/o/b y/g/r y/r/b y/o/g y/b/o"],
            false,
        ),
        (&["hanoi", "4", "11"], &["project 1-44"], false),
        (&["pancake", "16"], &["keep 1-6"], false),
        (&["blocks", "9"], &["project 1-7"], false),
    ] {
        let game = game(reference);
        let patterns = patterns(&game, texts);
        let options = Options::default();
        pool.install(|| {
            let before = Instant::now();
            let sizes = if is_sum {
                AdditiveSet::sizes(&game, &patterns, &options).expect("sizes")
            } else {
                vec![PatternDatabase::sizes(&game, &patterns[0], &options).expect("sizes")]
            };
            let looking = before.elapsed();
            let before = Instant::now();
            let reached = |table: &PatternDatabase| -> u64 {
                let distribution = table.distribution();
                distribution.0.iter().map(|(_, n)| *n).sum()
            };
            let build = |number| {
                if is_sum {
                    AdditiveSet::build_one(&game, &patterns, number, &options)
                } else {
                    PatternDatabase::build(&game, &patterns[number], &options)
                }
            };
            let tables: Vec<PatternDatabase> = (0..patterns.len())
                .map(|number| build(number).expect("a table"))
                .collect();
            let took = before.elapsed();
            let work: u128 = sizes.iter().map(|it| it.work).sum();
            let ranks: u128 = sizes.iter().map(|it| it.ranks).sum();
            let reached: u64 = tables.iter().map(reached).sum();
            println!(
                "{reference:?} {texts:?}: {ranks} ranks, {reached} reached, forecast {:.2} s in {looking:.2?}, took {took:.2?}",
                work as f64 / 1e9
            );
        });
    }
}
