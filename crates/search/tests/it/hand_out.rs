//! Searches whose subtrees are handed out, to processes or to threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use psvn_ir::{Game, Term, Value};
use search::{
    Bound, CompiledGame, CycleDetection, HandOut, Heuristic, Limits, Piece, Searcher, SolveReport,
    StopReason, Subtrees, ValueSums, ZeroHeuristic,
};

use crate::threads::{walk, without_time};

fn game(name: &str, parameters: &[&str]) -> Game {
    let text = domains::generate(name, parameters).expect("a known game");
    psvn_ir::load(&text).game.expect("a game without errors")
}

/// Hands out pieces from the last to the first, some of them twice, as when a process was lost.
#[derive(Default)]
struct Backward {
    rounds: AtomicU64,
    /// The number of nodes after which a limit is reached.
    most: Option<u64>,
}

impl HandOut for Backward {
    fn round(
        &self,
        subtrees: &Subtrees<'_>,
        goes_on: &mut dyn FnMut(u64) -> Result<(), StopReason>,
    ) -> Result<Vec<Piece>, StopReason> {
        self.rounds.fetch_add(1, Ordering::Relaxed);
        let flag = Arc::new(AtomicBool::new(false));
        let mut found = Vec::new();
        let mut nodes = 0;
        for number in (0..subtrees.n()).rev() {
            let piece = subtrees.search(number, &flag)?;
            if number % 100 == 0 {
                assert_eq!(subtrees.search(number, &flag).as_ref(), Ok(&piece));
            }
            nodes += piece.generated();
            goes_on(nodes)?;
            if self.most.is_some_and(|most| nodes > most) {
                flag.store(true, Ordering::Relaxed);
            }
            found.push(piece);
        }
        found.reverse();
        let last = found.iter().position(Piece::has_found);
        found.truncate(last.map_or(found.len(), |last| last + 1));
        Ok(found)
    }
}

#[test]
fn what_is_handed_out_counts_the_same() {
    for (game, depth, depth_without_parents) in [
        (game("pancake", &["8"]), 8, 8),
        (game("topspin", &["9", "3"]), 7, 7),
        (game("sliding-tiles", &["3", "3"]), 13, 21),
    ] {
        let compiled = CompiledGame::new(&game);
        let start = walk(&compiled, 5, 1);
        for (cycles, depth) in [
            (CycleDetection::None, depth),
            (CycleDetection::Parent, depth_without_parents),
        ] {
            let searcher = Searcher::builder(&compiled).cycle_detection(cycles).build();
            let bound = Bound::Depth(depth);
            let alone = searcher.run().count_tree(&start, bound).unwrap();
            let backward = Backward::default();
            let mut run = searcher.run().threads_above(0).handed_out_by(&backward);
            let counted = run.count_tree(&start, bound).unwrap();
            assert_eq!(without_time(counted), without_time(alone));
            assert_eq!(backward.rounds.load(Ordering::Relaxed), 1);
        }
    }
}

/// A game whose rules cost 1, 2, 3 and so on.
fn weighted(name: &str, parameters: &[&str]) -> Game {
    let text = domains::generate(name, parameters).expect("a known game");
    let mut cost = 0;
    let lines = text.lines().map(|line| match line.split_once(" LABEL") {
        Some((rule, label)) if rule.contains("=>") => {
            cost += 1;
            format!("{rule} COST {cost} LABEL{label}\n")
        }
        None if line.contains("=>") => {
            cost += 1;
            format!("{line} COST {cost}\n")
        }
        _ => format!("{line}\n"),
    });
    let text: String = lines.collect();
    psvn_ir::load(&text).game.expect("a game without errors")
}

#[test]
fn trees_to_a_cost_count_the_same_by_threads_and_handed_out() {
    // Two games whose rules cost the same and two whose rules don't.
    for (game, cost, cost_without_parents) in [
        (game("sliding-tiles", &["3", "3"]), 13, 21),
        (weighted("pancake", &["8"]), 19, 19),
        (game("pancake", &["8"]), 7, 7),
        (weighted("topspin", &["8", "3"]), 18, 18),
    ] {
        let compiled = CompiledGame::new(&game);
        let start = walk(&compiled, 5, 1);
        for (cycles, cost) in [
            (CycleDetection::None, cost),
            (CycleDetection::Parent, cost_without_parents),
        ] {
            let searcher = Searcher::builder(&compiled).cycle_detection(cycles).build();
            let bound = Bound::Cost(cost);
            let alone = searcher.run().count_tree(&start, bound).unwrap();
            let n_nodes = alone.totals().generated;
            assert!(n_nodes > 20_000, "{n_nodes}");
            assert!(alone.levels.iter().any(|level| level.beyond_bound > 0));
            let expected = without_time(alone);
            let backward = Backward::default();
            // Without a trial, and with one that is given up.
            for trial in [0, 5_000] {
                let mut run = searcher.run().threads_above(trial).threads(3);
                let counted = run.count_tree(&start, bound).unwrap();
                assert_eq!(without_time(counted), expected);
                let mut run = searcher.run().threads_above(trial).handed_out_by(&backward);
                let counted = run.count_tree(&start, bound).unwrap();
                assert_eq!(without_time(counted), expected);
            }
            assert_eq!(backward.rounds.load(Ordering::Relaxed), 2);
            // What is small isn't handed out.
            let mut run = searcher.run().handed_out_by(&backward);
            let counted = run.count_tree(&start, bound).unwrap();
            assert_eq!(without_time(counted), expected);
            let n_rounds = backward.rounds.load(Ordering::Relaxed);
            assert_eq!(n_rounds, 2 + u64::from(n_nodes > 1 << 22));
        }
    }
}

#[test]
fn paths_to_a_cost_are_counted_alone_where_whole_paths_matter() {
    let game = weighted("pancake", &["7"]);
    let compiled = CompiledGame::new(&game);
    let start = walk(&compiled, 5, 1);
    let searcher = Searcher::builder(&compiled)
        .cycle_detection(CycleDetection::Path)
        .build();
    let bound = Bound::Cost(12);
    let alone = searcher.run().count_tree(&start, bound).unwrap();
    let backward = Backward::default();
    let mut run = searcher
        .run()
        .threads_above(0)
        .threads(2)
        .handed_out_by(&backward);
    let counted = run.count_tree(&start, bound).unwrap();
    assert_eq!(without_time(counted), without_time(alone));
    assert_eq!(backward.rounds.load(Ordering::Relaxed), 0);
}

#[test]
fn solutions_of_what_is_handed_out_are_as_good_and_bounds_count_the_same() {
    for (game, n_moves) in [
        (game("pancake", &["8"]), 40),
        (game("sliding-tiles", &["3", "3"]), 80),
    ] {
        let compiled = CompiledGame::new(&game);
        let start = walk(&compiled, n_moves, 3);
        let searcher = Searcher::builder(&compiled)
            .cycle_detection(CycleDetection::Parent)
            .build();
        let backward = Backward::default();
        let handed_out = || searcher.run().threads_above(0).handed_out_by(&backward);
        let misplaced = ValueSums::new(&game, |variable, value| {
            let goal = game.goal_state().unwrap();
            u32::from(variable.0 == 0 && goal.values()[0] != value)
        });
        for (alone, together) in [
            (
                searcher.run().dfid(&start).unwrap(),
                handed_out().dfid(&start).unwrap(),
            ),
            (
                searcher.run().ida_star(&start, &ZeroHeuristic).unwrap(),
                handed_out().ida_star(&start, &ZeroHeuristic).unwrap(),
            ),
            (
                searcher.run().ida_star(&start, &misplaced).unwrap(),
                handed_out().ida_star(&start, &misplaced).unwrap(),
            ),
            (
                searcher
                    .run()
                    .count_depths(true)
                    .ida_star(&start, &misplaced)
                    .unwrap(),
                handed_out()
                    .count_depths(true)
                    .ida_star(&start, &misplaced)
                    .unwrap(),
            ),
        ] {
            let cost = |report: &SolveReport| report.solution().unwrap().cost;
            assert_eq!(cost(&together), cost(&alone));
            let n = alone.iterations.len() - 1;
            assert_eq!(together.iterations.len(), n + 1);
            assert_eq!(together.iterations[..n], alone.iterations[..n]);
            assert_eq!(together.levels.is_empty(), alone.levels.is_empty());
        }
        assert!(backward.rounds.load(Ordering::Relaxed) > 2);
    }
}

#[test]
fn limits_stop_what_is_handed_out() {
    let game = game("sliding-tiles", &["3", "3"]);
    let compiled = CompiledGame::new(&game);
    let start = walk(&compiled, 80, 3);
    let searcher = Searcher::builder(&compiled).build();
    let limited = |backward: &Backward, nodes| {
        let limits = Limits {
            nodes,
            ..Limits::default()
        };
        let mut run = searcher.run().threads_above(0).limits(limits);
        run = run.handed_out_by(backward);
        [Bound::Depth(15), Bound::Cost(15)]
            .map(|bound| run.count_tree(&start, bound).unwrap().stopped)
    };
    assert_eq!(limited(&Backward::default(), None), [None; 2]);
    let stopped = limited(&Backward::default(), Some(50_000));
    assert_eq!(stopped, [Some(StopReason::Nodes); 2]);
    let flagged = Backward {
        most: Some(50_000),
        ..Backward::default()
    };
    let stopped = limited(&flagged, None);
    assert_eq!(stopped, [Some(StopReason::Interrupted); 2]);
}

/// Estimates that are made for each state, without the loop for sums.
struct OfStates<'v>(&'v ValueSums);

impl Heuristic for OfStates<'_> {
    fn estimate(&self, state: &[u32]) -> u64 {
        self.0.estimate(state)
    }
}

/// The sum of what the values are away from their places in rows and columns, but for the gap's.
fn manhattan(game: &Game, n_columns: usize) -> ValueSums {
    let goal = game.goal_state().unwrap();
    ValueSums::new(game, |variable, value| {
        let home = goal.values().iter().position(|other| *other == value);
        let (at, home) = (variable.index(), home.unwrap());
        let apart = |one: usize, other: usize| one.abs_diff(other) as u32;
        let distance =
            apart(at / n_columns, home / n_columns) + apart(at % n_columns, home % n_columns);
        distance * u32::from(value.0 != 0)
    })
}

fn at_most_one_gap(terms: &[Term]) -> bool {
    let is_gap = |term: &&Term| term.as_constant() == Some(Value(0));
    terms.iter().filter(is_gap).count() <= 1
}

#[test]
fn searches_of_pancakes_by_cost_are_the_same_whatever_the_number_of_threads() {
    check_searches_by_cost(&game("pancake", &["7"]), 7, 30, 1);
}

#[test]
fn searches_of_tokens_by_cost_are_the_same_whatever_the_number_of_threads() {
    check_searches_by_cost(&game("topspin", &["8", "3"]), 8, 20, 1);
}

#[test]
fn searches_of_arrows_by_cost_are_the_same_whatever_the_number_of_threads() {
    check_searches_by_cost(&game("arrow", &["7"]), 7, 12, 1);
}

#[test]
fn searches_of_tiles_by_cost_are_the_same_whatever_the_number_of_threads() {
    check_searches_by_cost(&game("sliding-tiles", &["3", "3"]), 3, 25, 1);
}

#[test]
fn searches_of_more_tiles_by_cost_are_the_same_whatever_the_number_of_threads() {
    check_searches_by_cost(&game("sliding-tiles", &["3", "4"]), 4, 1_000, 0);
}

/// The same solution after the same nodes, whatever subtrees the threads hand to each other, by the
/// sum of estimates and, some times, by estimates of whole states.
fn check_searches_by_cost(game: &Game, n_columns: usize, n_moves: usize, n_states: usize) {
    let compiled = CompiledGame::new(game);
    let estimates = match n_columns {
        3 | 4 => manhattan(game, n_columns),
        _ => ValueSums::new(game, |_, _| 0),
    };
    for seed in 0..4 {
        let start = walk(&compiled, n_moves, seed);
        for cycles in [CycleDetection::None, CycleDetection::Parent] {
            // Where the gap is known, tiles have the interleaved walk.
            let builder = Searcher::builder(&compiled).cycle_detection(cycles);
            let searcher = match n_columns {
                3 | 4 => builder.invariants(at_most_one_gap).build(),
                _ => builder.build(),
            };
            let solve = |n_threads, above, by_depth| {
                let mut run = searcher
                    .run()
                    .threads(n_threads)
                    .threads_above(above)
                    .count_depths(by_depth);
                let mut reports = vec![run.ida_star(&start, &estimates).unwrap()];
                for _ in 0..n_states {
                    reports.push(run.ida_star(&start, &OfStates(&estimates)).unwrap());
                }
                for report in &mut reports {
                    (report.preparation, report.elapsed) = Default::default();
                }
                reports
            };
            for by_depth in [false, true] {
                let expected = solve(1, 0, by_depth);
                for (n_threads, above) in [(2, 0), (2, 10_000), (5, 0)] {
                    assert_eq!(solve(n_threads, above, by_depth), expected);
                }
            }
        }
    }
}

/// Panics after some estimates.
struct Panics(AtomicU64);

impl Heuristic for Panics {
    fn estimate(&self, _state: &[u32]) -> u64 {
        assert!(
            self.0.fetch_add(1, Ordering::Relaxed) < 50_000,
            "on purpose"
        );
        0
    }
}

#[test]
fn a_heuristic_that_panics_in_a_thread_ends_the_search() {
    let game = game("pancake", &["9"]);
    let compiled = CompiledGame::new(&game);
    let start = walk(&compiled, 40, 1);
    let searcher = Searcher::builder(&compiled).build();
    let search = || {
        let mut run = searcher.run().threads(3).threads_above(0);
        run.ida_star(&start, &Panics(AtomicU64::new(0)))
    };
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(search)).is_err());
}
