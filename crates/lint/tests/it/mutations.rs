//! Counts the mutants of each game that get a warning.

#![allow(clippy::print_stdout, reason = "the table is what the test is for")]

use psvn_ir::{Game, State};

use crate::codes;
use crate::mutants::{Original, SLIPS, Slip};
use crate::space::differ;

/// Games, with starts where the goal alone leads nowhere.
const GAMES: &[(&str, &[&str])] = &[
    ("arrow:6", &[]),
    ("blocks:4", &[]),
    ("ghi", &["0 0 0 0", "0 1 0 0", "1 0 0 0", "1 1 0 0"]),
    ("grid:4:5", &[]),
    ("gripper:3", &[]),
    ("hanoi:3:4", &[]),
    ("hanoi:4:3", &[]),
    ("pancake:7", &[]),
    ("rubik:2", &[]),
    ("rubik:2:fixed", &[]),
    ("rubik:3", &[]),
    ("slide-jump:3", &[]),
    ("slide-jump:3:one-way", &["x x x _ o o o"]),
    ("sliding-tiles:3:3", &[]),
    ("sliding-tiles:3:4", &[]),
    ("sliding-tiles:4:4", &[]),
    ("topspin:8:4", &[]),
    ("topspin:8:4:basic", &[]),
    ("work-or-golf", &[]),
];

/// Counts of mutants.
#[derive(Clone, Copy, Default)]
struct Tally {
    mutants: usize,
    rejected: usize,
    changing: usize,
    by_rule: usize,
    flagged: usize,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.mutants += other.mutants;
        self.rejected += other.rejected;
        self.changing += other.changing;
        self.by_rule += other.by_rule;
        self.flagged += other.flagged;
    }
}

fn try_out(reference: &str, starts: &[&str], slip: Slip, most: usize, verbose: bool) -> Tally {
    let text = domains::generate_reference(reference).unwrap();
    let original = psvn_ir::load(&text).game.unwrap();
    let starts = states(&original, starts);
    let mut tally = Tally::default();
    for mutant in Original::new(&text).mutants(slip, most, 1) {
        tally.mutants += 1;
        let loaded = psvn_ir::load(&mutant);
        let Some(game) = loaded.game else {
            tally.rejected += 1;
            continue;
        };
        if !differ(&original, &game, &starts) {
            continue;
        }
        tally.changing += 1;
        tally.by_rule += usize::from(!loaded.diagnostics.is_empty());
        if !codes(&mutant).0.is_empty() {
            tally.flagged += 1;
        } else if verbose {
            let theirs: Vec<&str> = text.lines().collect();
            let other = mutant.lines().enumerate();
            let changed = other.filter(|(i, line)| theirs[*i] != *line);
            for (i, line) in changed {
                println!("  missed in {reference}, {slip:?}: {} | {line}", theirs[i]);
            }
        }
    }
    tally
}

fn states(game: &Game, starts: &[&str]) -> Vec<State> {
    if starts.is_empty() {
        return vec![game.goal_state().unwrap()];
    }
    starts
        .iter()
        .map(|text| game.parse_state(text).unwrap())
        .collect()
}

/// The mistakes of which nearly all must be found.
fn is_single(slip: Slip) -> bool {
    !matches!(slip, Slip::DropBoth | Slip::WrapBoth)
}

fn run(games: &[(&str, &[&str])], most: usize, verbose: bool) -> Tally {
    let mut single = Tally::default();
    if verbose {
        println!("| game | slip | mutants | rejected | changing | by rule | flagged |");
        println!("|---|---|---:|---:|---:|---:|---:|");
    }
    let try_all = |slip| {
        let mut all = Tally::default();
        for (reference, starts) in games {
            let tally = try_out(reference, starts, slip, most, verbose);
            all.add(tally);
            if verbose && tally.mutants > 0 {
                print_row(reference, slip, tally);
            }
        }
        if verbose {
            print_row("**all**", slip, all);
        }
        all
    };
    // What is printed has an order; all else is done at once.
    let tallies = if verbose {
        SLIPS.map(try_all)
    } else {
        std::thread::scope(|scope| {
            let threads = SLIPS.map(|slip| scope.spawn(move || try_all(slip)));
            threads.map(|thread| thread.join().unwrap())
        })
    };
    for (slip, all) in SLIPS.into_iter().zip(tallies) {
        if is_single(slip) {
            single.add(all);
        }
    }
    single
}

fn print_row(game: &str, slip: Slip, tally: Tally) {
    println!(
        "| {game} | {slip:?} | {} | {} | {} | {} | {} |",
        tally.mutants, tally.rejected, tally.changing, tally.by_rule, tally.flagged
    );
}

/// A sample in each test run: at least 95 of 100 mutants that change anything get a warning.
#[test]
fn most_slips_give_a_warning() {
    let tally = run(GAMES, 6, false);
    assert!(tally.changing > 300, "{}", tally.changing);
    assert!(
        tally.flagged * 100 >= tally.changing * 95,
        "{} of {}",
        tally.flagged,
        tally.changing
    );
}

/// The table of `docs/results/`:
/// `cargo test -p psvn-lint --test it table -- --ignored --nocapture`.
#[test]
#[ignore = "takes 5 minutes: prints the table of mutations"]
fn manual_table() {
    let tally = run(GAMES, 60, true);
    assert!(tally.flagged * 100 >= tally.changing * 95);
}
