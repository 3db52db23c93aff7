//! Several threads: the same counts, and solutions as good.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use psvn_ir::State;
use psvn_ir::testing::SplitMix64;
use search::{
    Bound, CompiledGame, CycleDetection, HandOut, Limits, Outcome, Piece, SearchPiece, Searcher,
    StopReason, TreeCount, ValueSums, ZeroHeuristic,
};

use crate::games::{arrow, pancake, sliding_tiles, top_spin};

fn without_time(mut tree: TreeCount) -> TreeCount {
    (tree.preparation, tree.elapsed) = Default::default();
    tree
}

/// A state some random moves away.
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
    for (game, n_moves) in [(pancake(9), 30), (sliding_tiles(3, 3), 60), (arrow(9), 12)] {
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

/// Hands pieces out from the last to the first, some of them twice, as when a process was lost.
#[derive(Default)]
struct Backward {
    rounds: AtomicU64,
    /// The nodes of the pieces after which a limit is reached.
    most: Option<u64>,
}

impl HandOut for Backward {
    fn round(
        &self,
        _bound: u64,
        pieces: u64,
        search: &SearchPiece<'_>,
        goes_on: &mut dyn FnMut(u64) -> Result<(), StopReason>,
    ) -> Result<Vec<Piece>, StopReason> {
        self.rounds.fetch_add(1, Ordering::Relaxed);
        let flag = Arc::new(AtomicBool::new(false));
        let mut found = Vec::new();
        let mut nodes = 0;
        for number in (0..pieces).rev() {
            let piece = search(number, &flag)?;
            if number % 100 == 0 {
                assert_eq!(search(number, &flag).as_ref(), Ok(&piece));
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
    for (game, depth) in [
        (pancake(8), 7),
        (top_spin(9, 3), 6),
        (sliding_tiles(3, 3), 16),
    ] {
        let compiled = CompiledGame::new(&game);
        let start = walk(&compiled, 5, 1);
        for cycles in [CycleDetection::None, CycleDetection::Parent] {
            let searcher = Searcher::builder(&compiled).cycle_detection(cycles).build();
            let bound = Bound::Depth(depth);
            let alone = searcher.run().count_tree(&start, bound).unwrap();
            let backward = Backward::default();
            let mut run = searcher.run().threads_above(0).handed_out_by(&backward);
            let counted = run.count_tree(&start, bound).unwrap();
            assert_eq!(without_time(counted), without_time(alone));
            assert_eq!(backward.rounds.into_inner(), 1);
        }
    }
}

#[test]
fn solutions_of_what_is_handed_out_are_as_good_and_bounds_count_the_same() {
    for (game, n_moves) in [(pancake(10), 40), (sliding_tiles(3, 3), 80)] {
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
            let cost = |report: &search::SolveReport| report.solution().unwrap().cost;
            assert_eq!(cost(&together), cost(&alone));
            let n = alone.iterations.len() - 1;
            assert_eq!(together.iterations.len(), n + 1);
            assert_eq!(together.iterations[..n], alone.iterations[..n]);
            assert_eq!(together.levels.is_empty(), alone.levels.is_empty());
        }
        assert!(backward.rounds.into_inner() > 4);
    }
}

#[test]
fn limits_stop_what_is_handed_out() {
    let game = sliding_tiles(3, 3);
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
        run.count_tree(&start, Bound::Depth(15)).unwrap().stopped
    };
    assert_eq!(limited(&Backward::default(), None), None);
    let stopped = limited(&Backward::default(), Some(50_000));
    assert_eq!(stopped, Some(StopReason::Nodes));
    let flagged = Backward {
        most: Some(50_000),
        ..Backward::default()
    };
    assert_eq!(limited(&flagged, None), Some(StopReason::Interrupted));
}
