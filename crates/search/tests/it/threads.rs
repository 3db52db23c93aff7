//! Several threads: the same counts, and equally good solutions.

use std::sync::atomic::{AtomicU64, Ordering};

use psvn_ir::State;
use psvn_ir::testing::SplitMix64;
use search::{
    Bound, CompiledGame, CycleDetection, Heuristic, Limits, Outcome, Searcher, StopReason,
    TreeCount, ValueSums, ZeroHeuristic, count_lookups, lookups,
};

use crate::games::{arrow, pancake, sliding_tiles, top_spin};

pub(crate) fn without_time(mut tree: TreeCount) -> TreeCount {
    (tree.preparation, tree.elapsed) = Default::default();
    tree
}

/// Return a state some random moves away from the goal.
pub(crate) fn walk(compiled: &CompiledGame, n_moves: usize, seed: u64) -> State {
    let mut random = SplitMix64::new(seed);
    let mut state = compiled.game().goal_state().unwrap();
    for _ in 0..n_moves {
        let rules = compiled.applicable_rules(&state).unwrap();
        let rule = rules[random.below(rules.len())];
        state = compiled.apply(&state, rule).unwrap().unwrap();
    }
    state
}

#[test]
fn counts_are_the_same_whatever_the_number_of_threads() {
    for (game, depth) in [
        (pancake(8), 7),
        (top_spin(9, 3), 6),
        (arrow(8), 7),
        (sliding_tiles(3, 3), 13),
    ] {
        let compiled = CompiledGame::new(&game);
        let start = walk(&compiled, 5, 1);
        for cycles in [CycleDetection::None, CycleDetection::Parent] {
            let count = |n_threads| {
                let mut search = Searcher::builder(&compiled)
                    .cycle_detection(cycles)
                    .build()
                    .run()
                    .threads(n_threads)
                    .threads_above(0);
                without_time(search.count_tree(&start, Bound::Depth(depth)).unwrap())
            };
            let expected = count(1);
            assert!(expected.totals().generated > 1_000);
            for n_threads in [2, 5] {
                assert_eq!(count(n_threads), expected);
            }
        }
    }
}

#[test]
fn solutions_by_threads_are_as_good() {
    for (game, n_moves) in [(pancake(8), 30), (sliding_tiles(3, 3), 60), (arrow(9), 12)] {
        let compiled = CompiledGame::new(&game);
        let misplaced = ValueSums::new(&game, |var, value| {
            u32::from(value.0 != 0 && value.0 != var.0 && game.n_variables() == 9 && n_moves == 60)
        });
        for seed in 0..3 {
            let start = walk(&compiled, n_moves, seed);
            let solve = |n_threads| {
                let mut search = Searcher::builder(&compiled)
                    .cycle_detection(CycleDetection::Parent)
                    .build()
                    .run()
                    .threads(n_threads)
                    .threads_above(1_000);
                let reports = [
                    search.ida_star(&start, &misplaced).unwrap(),
                    search.ida_star(&start, &ZeroHeuristic).unwrap(),
                    search.dfid(&start).unwrap(),
                ];
                reports.map(|report| {
                    let solution = report.solution().unwrap();
                    let end = search::replay(&game, &start, &solution.moves).unwrap();
                    assert!(game.is_goal(end.values()));
                    // All iterations but the last one were searched completely.
                    let mut iterations = report.iterations.clone();
                    iterations.pop();
                    (solution.cost, iterations)
                })
            };
            let expected = solve(1);
            assert_eq!(solve(3), expected);
        }
    }
}

/// A heuristic that counts how often it is asked, as look-ups and by itself.
struct Asked<'h>(&'h ValueSums, AtomicU64);

impl Heuristic for Asked<'_> {
    fn estimate(&self, state: &[u32]) -> u64 {
        count_lookups(1);
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.estimate(state)
    }
}

#[test]
fn look_ups_of_all_threads_are_counted() {
    let game = sliding_tiles(3, 3);
    let compiled = CompiledGame::new(&game);
    let misplaced = ValueSums::new(&game, |var, value| {
        u32::from(value.0 != 0 && value.0 != var.0)
    });
    let start = walk(&compiled, 60, 2);
    let searcher = Searcher::builder(&compiled)
        .cycle_detection(CycleDetection::Parent)
        .build();
    for n_threads in [1, 2, 5] {
        let asked = Asked(&misplaced, AtomicU64::new(0));
        let before = lookups();
        let mut search = searcher.run().threads(n_threads).threads_above(1_000);
        let report = search.ida_star(&start, &asked).unwrap();
        let counted = lookups() - before;
        assert_eq!(counted, asked.1.into_inner());
        // Each node is estimated, even one that comes after the solution.
        assert!(u128::from(counted) > report.totals.generated);
    }
}

#[test]
fn limits_hold_for_all_threads_together() {
    let compiled = CompiledGame::new(&pancake(9));
    let start = compiled.game().goal_state().unwrap();
    for nodes in [100_000, 1_234_567] {
        let mut search = Searcher::builder(&compiled)
            .build()
            .run()
            .threads(4)
            .threads_above(0)
            .limits(Limits {
                nodes: Some(nodes),
                ..Limits::default()
            });
        let tree = search.count_tree(&start, Bound::Depth(9)).unwrap();
        assert_eq!(tree.stopped, Some(StopReason::Nodes));
        // The root counts as generated, but not for the limit.
        assert_eq!(tree.totals().generated, u128::from(nodes) + 1);
    }
    let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let mut search = Searcher::builder(&compiled)
        .build()
        .run()
        .threads(2)
        .threads_above(0)
        .limits(Limits {
            interrupt: Some(flag),
            ..Limits::default()
        });
    let report = search.dfid(&walk(&compiled, 40, 7)).unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Interrupted));
}

#[test]
fn counts_by_depth_add_up_whatever_the_number_of_threads() {
    for (game, n_moves) in [(pancake(8), 30), (sliding_tiles(3, 3), 40)] {
        let compiled = CompiledGame::new(&game);
        let start = walk(&compiled, n_moves, 7);
        let searcher = Searcher::builder(&compiled)
            .cycle_detection(CycleDetection::Parent)
            .build();
        for n_threads in [1, 3] {
            let run = searcher.run().threads(n_threads).threads_above(100);
            let mut run = run.count_depths(true);
            let report = run.ida_star(&start, &ZeroHeuristic).unwrap();
            let sum = |of: fn(&search::LevelCount) -> u64| {
                report.levels.iter().map(of).map(u128::from).sum::<u128>()
            };
            // Each iteration counts its root.
            let roots = report.iterations.len() as u128;
            assert_eq!(sum(|it| it.generated), report.totals.generated + roots);
            assert_eq!(sum(|it| it.expanded), report.totals.expanded);
            assert_eq!(sum(|it| it.pruned_by_cycle), report.totals.pruned_by_cycle);
            let length = report.solution().unwrap().length();
            assert!(report.levels.len() > length);
        }
    }
}
