//! Searches stop at limits and interrupts, with their results so far.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use search::{
    Bound, CompiledGame, CycleDetection, Limits, Outcome, Searcher, StopReason, ZeroHeuristic,
};

use crate::games::{constant, game, pancake, state, top_spin};

#[test]
fn the_limit_on_nodes_is_exact() {
    let compiled = CompiledGame::new(&top_spin(14, 3));
    let start = state(0..14);
    for nodes in [0, 1, 2, 1000, 8192, 100_001] {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let mut search = Searcher::builder(&compiled)
            .cycle_detection(CycleDetection::Parent)
            .build()
            .run()
            .limits(limits);
        let count = search.count_tree(&start, Bound::Depth(30)).unwrap();
        assert_eq!(count.stopped, Some(StopReason::Nodes));
        // The root is not counted here.
        assert_eq!(count.totals().generated, u128::from(nodes) + 1);
        let far = state((0..14).map(|i| i * 5 % 14));
        let report = search.dfid(&far).unwrap();
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Nodes));
        assert_eq!(report.totals.generated, u128::from(nodes));
        let by_iteration: u64 = report
            .iterations
            .iter()
            .map(|iteration| iteration.generated)
            .sum();
        assert_eq!(by_iteration, nodes);
    }
}

#[test]
fn time_stops_a_search() {
    let compiled = CompiledGame::new(&pancake(14));
    let limits = Limits {
        time: Some(Duration::from_millis(30)),
        ..Limits::default()
    };
    let mut reports = Vec::new();
    let mut search = Searcher::builder(&compiled)
        .build()
        .run()
        .limits(limits.clone());
    let count = search
        .count_tree(&state(0..14), Bound::Depth(1000))
        .unwrap();
    assert_eq!(count.stopped, Some(StopReason::Time));
    let elapsed = count.preparation + count.elapsed;
    assert!(elapsed >= Duration::from_millis(30) && elapsed < Duration::from_secs(20));
    assert!(count.totals().generated > 1);

    let limits = Limits {
        time: Some(Duration::from_millis(350)),
        ..limits
    };
    let far = state((0..14).map(|i| i * 5 % 14));
    let mut search = Searcher::builder(&compiled)
        .build()
        .run()
        .limits(limits)
        .on_progress(|progress| reports.push(*progress));
    let report = search.ida_star(&far, &ZeroHeuristic).unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Time));
    drop(search);
    assert!(!reports.is_empty() && reports.len() <= 4);
    assert!(reports.is_sorted_by_key(|progress| (progress.elapsed, progress.done, progress.level)));
}

#[test]
fn an_interrupt_stops_a_search() {
    let compiled = CompiledGame::new(&pancake(14));
    let flag = Arc::new(AtomicBool::new(false));
    let limits = Limits {
        interrupt: Some(Arc::clone(&flag)),
        ..Limits::default()
    };
    let setter = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(20));
        flag.store(true, Ordering::Relaxed);
    });
    let mut search = Searcher::builder(&compiled).build().run().limits(limits);
    let report = search
        .dfid(&state((0..14).rev().map(|i| i * 5 % 14)))
        .unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Interrupted));
    setter.join().unwrap();
}

/// A counter of `n_bits` bits: one path through all of its 2^n states.
fn counter(n_bits: usize) -> psvn_ir::Game {
    let rules: Vec<_> = (0..n_bits)
        .map(|i| {
            let (mut lhs, mut rhs) = (
                vec![psvn_ir::Cell::DASH; n_bits],
                vec![psvn_ir::Cell::DASH; n_bits],
            );
            (lhs[i], rhs[i]) = (constant(0), constant(1));
            for j in 0..i {
                (lhs[j], rhs[j]) = (constant(1), constant(0));
            }
            (lhs, rhs, 0)
        })
        .collect();
    game(n_bits, 2, &rules, &[vec![constant(1); n_bits]])
}

#[test]
fn very_long_paths_are_found() {
    // A million moves.
    let n_bits = 20;
    let game = counter(n_bits);
    let compiled = CompiledGame::new(&game);
    let start = state(vec![0; n_bits]);
    let report = Searcher::builder(&compiled)
        .build()
        .run()
        .ida_star(&start, &ZeroHeuristic)
        .unwrap();
    assert_eq!(report.cycle_detection, CycleDetection::Path);
    let solution = report.solution().unwrap();
    assert_eq!((solution.length(), solution.cost), ((1 << n_bits) - 1, 0));
    let end = search::replay(&game, &start, &solution.moves).unwrap();
    assert!(game.is_goal(end.values()));
}

#[test]
fn memory_stops_a_search() {
    let compiled = CompiledGame::new(&counter(40));
    let limits = Limits {
        memory: Some(1 << 20),
        ..Limits::default()
    };
    let report = Searcher::builder(&compiled)
        .build()
        .run()
        .limits(limits)
        .ida_star(&state([0; 40]), &ZeroHeuristic)
        .unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Memory));
    assert!(report.totals.generated > 1000 && report.totals.generated < 1 << 20);
}

/// A tree cut off by a limit has the first levels of the whole tree, as the interpreter counts it.
#[test]
fn only_complete_depths_are_counted() {
    let start = state(0..14);
    let game = top_spin(14, 3);
    let compiled = CompiledGame::new(&game);
    let depth = 5;
    let whole = Searcher::builder(&compiled)
        .interpreted()
        .build()
        .run()
        .count_tree(&start, Bound::Depth(depth))
        .unwrap();
    let expected: Vec<u64> = whole.levels.iter().map(|level| level.generated).collect();
    assert_eq!(expected, [1, 14, 196, 2744, 38416, 537_824]);
    let mut lengths = Vec::new();
    for nodes in [0, 1, 14, 15, 300, 2954, 50_000, 400_000, 579_194, 2_000_000] {
        for interpreted in [false, true] {
            let mut search = Searcher::builder(&compiled);
            if interpreted {
                search = search.interpreted();
            }
            let mut search = search.build().run().limits(Limits {
                nodes: Some(nodes),
                ..Limits::default()
            });
            let mut walks = 0;
            let count = search
                .count_levels(&start, depth, &mut || walks += 1)
                .unwrap();
            let found: Vec<u64> = count.tree.levels.iter().map(|l| l.generated).collect();
            assert_eq!(found, expected[..found.len()], "{nodes}");
            let is_whole = found.len() == expected.len();
            let stopped = (!is_whole).then_some(StopReason::Nodes);
            assert_eq!(count.tree.stopped, stopped, "{nodes}");
            // All depths within the limit are included.
            let sums = expected.iter().scan(0, |sum, n| {
                *sum += n;
                Some(*sum - 1)
            });
            let fitting = sums.take_while(|sum| *sum < nodes).count().max(1);
            assert!(found.len() >= fitting, "{nodes}: {found:?}");
            assert!(count.at_least <= whole.totals().generated && walks > 0);
            assert!(count.generated <= 3 * u128::from(nodes.max(1)));
            lengths.push(found.len());
        }
    }
    assert_eq!(
        (lengths[0], lengths[lengths.len() - 1]),
        (1, expected.len())
    );
}

/// A tree without limits is one walk. If it is interrupted, small depths are still counted.
#[test]
fn an_interrupted_count_has_complete_depths() {
    let compiled = CompiledGame::new(&top_spin(14, 3));
    let start = state(0..14);
    let flag = Arc::new(AtomicBool::new(false));
    let limits = Limits {
        interrupt: Some(Arc::clone(&flag)),
        ..Limits::default()
    };
    let mut search = Searcher::builder(&compiled).build().run().limits(limits);
    let mut walks = 0;
    let whole = search.count_levels(&start, 4, &mut || walks += 1).unwrap();
    assert_eq!((whole.tree.stopped, walks), (None, 1));
    flag.store(true, Ordering::Relaxed);
    let cut = search.count_levels(&start, 40, &mut || ()).unwrap();
    assert_eq!(cut.tree.stopped, Some(StopReason::Interrupted));
    let counts: Vec<u64> = cut.tree.levels.iter().map(|l| l.generated).collect();
    assert_eq!(counts, [1, 14, 196, 2744, 38416, 537_824]);
}

/// Trees that end, or hardly grow, are not walked for each of their depths.
#[test]
fn a_tree_that_ends_is_complete() {
    // A single line of 400 states.
    let line: Vec<_> = (0..399)
        .map(|i| (vec![constant(i)], vec![constant(i + 1)], 1))
        .collect();
    let game = game(1, 400, &line, &[vec![constant(0)]]);
    let compiled = CompiledGame::new(&game);
    let mut search = Searcher::builder(&compiled).build().run().limits(Limits {
        nodes: Some(1_000_000),
        ..Limits::default()
    });
    let count = search.count_levels(&state([0]), 1000, &mut || ()).unwrap();
    assert_eq!(count.tree.stopped, None);
    assert_eq!(count.tree.levels.len(), 400);
    assert!(count.generated < 1200, "{}", count.generated);
}
