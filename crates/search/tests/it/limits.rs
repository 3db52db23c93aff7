//! Searches stop when they are told to, with what they have found out.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use search::{
    Bound, CompiledGame, CycleDetection, Limits, Outcome, Search, StopReason, ZeroHeuristic,
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
        let mut search = Search::new(&compiled)
            .cycle_detection(CycleDetection::Parent)
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
    let mut told = Vec::new();
    let mut search = Search::new(&compiled).limits(limits.clone());
    let count = search
        .count_tree(&state(0..14), Bound::Depth(1000))
        .unwrap();
    assert_eq!(count.stopped, Some(StopReason::Time));
    assert!(count.elapsed >= Duration::from_millis(30) && count.elapsed < Duration::from_secs(20));
    assert!(count.totals().generated > 1);

    let limits = Limits {
        time: Some(Duration::from_millis(350)),
        ..limits
    };
    let far = state((0..14).map(|i| i * 5 % 14));
    let mut search = Search::new(&compiled)
        .limits(limits)
        .on_progress(|progress| told.push(*progress));
    let report = search.ida_star(&far, &ZeroHeuristic).unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Time));
    drop(search);
    assert!(!told.is_empty() && told.len() <= 4);
    assert!(told.is_sorted_by_key(|progress| (
        progress.elapsed,
        progress.generated,
        progress.bound
    )));
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
    let mut search = Search::new(&compiled).limits(limits);
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
fn paths_of_a_million_moves_are_found() {
    let game = counter(20);
    let compiled = CompiledGame::new(&game);
    let start = state([0; 20]);
    let report = Search::new(&compiled)
        .ida_star(&start, &ZeroHeuristic)
        .unwrap();
    assert_eq!(report.cycle_detection, CycleDetection::Path);
    let solution = report.solution().unwrap();
    assert_eq!((solution.length(), solution.cost), ((1 << 20) - 1, 0));
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
    let report = Search::new(&compiled)
        .limits(limits)
        .ida_star(&state([0; 40]), &ZeroHeuristic)
        .unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Memory));
    assert!(report.totals.generated > 1000 && report.totals.generated < 1 << 20);
}
