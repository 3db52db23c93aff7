//! Searches stop at their limits, with their results so far.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use psvn_ir::State;
use search::{DEFAULT_TABLE_BYTES, Limits, Outcome, StopReason, ZeroHeuristic};

use crate::oracle::{counts, generated, run, state};

fn far() -> State {
    state((0..14).map(|i| i * 5 % 14))
}

#[test]
fn the_limit_on_nodes_is_exact() {
    let game = generated("pancake:14");
    for nodes in [0, 1, 2, 1000, 8192, 100_001] {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let mut search = run(&game).limits(limits.clone());
        for report in [
            search.bfs(&far()).unwrap(),
            search.explore(&far()).unwrap(),
            search.uniform_cost(&far()).unwrap(),
            search.bidirectional(&far()).unwrap(),
            search.dfs_closed(&far(), 8).unwrap(),
        ] {
            if report.solved() {
                // From both ends the path is not that long.
                assert!(
                    counts(&report).stored_backward.is_some()
                        && report.totals.generated <= u128::from(nodes)
                );
                continue;
            }
            assert_eq!(report.outcome, Outcome::Stopped(StopReason::Nodes));
            assert_eq!(report.totals.generated, u128::from(nodes));
        }
        let report = run(&game)
            .transposition_table(DEFAULT_TABLE_BYTES)
            .limits(limits)
            .ida_star(&far(), &ZeroHeuristic)
            .unwrap();
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Nodes));
        assert_eq!(report.totals.generated, u128::from(nodes));
        assert_eq!(
            report.iterations.iter().map(|i| i.generated).sum::<u64>(),
            nodes
        );
    }
}

#[test]
fn time_stops_a_search_and_progress_is_reported() {
    let game = generated("pancake:14");
    let mut reports = Vec::new();
    let limits = Limits {
        time: Some(Duration::from_millis(350)),
        ..Limits::default()
    };
    let mut search = run(&game)
        .limits(limits)
        .on_progress(|progress| reports.push(*progress));
    let report = search.uniform_cost(&far()).unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Time));
    // A limit counts what was prepared first, too.
    let elapsed = report.preparation + report.elapsed;
    assert!(elapsed >= Duration::from_millis(350) && elapsed < Duration::from_secs(20));
    assert!(counts(&report).stored.states() > 1000);
    drop(search);
    assert!(!reports.is_empty() && reports.len() <= 4);
    assert!(reports.is_sorted_by_key(|progress| (progress.elapsed, progress.done, progress.level)));
}

#[test]
fn an_interrupt_stops_a_search() {
    let game = generated("pancake:14");
    let flag = Arc::new(AtomicBool::new(false));
    let limits = Limits {
        interrupt: Some(Arc::clone(&flag)),
        ..Limits::default()
    };
    let setter = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(20));
        flag.store(true, Ordering::Relaxed);
    });
    let mut search = run(&game).limits(limits.clone());
    let report = search.bfs(&far()).unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Interrupted));
    setter.join().unwrap();
    let report = run(&game)
        .transposition_table(DEFAULT_TABLE_BYTES)
        .limits(limits)
        .ida_star(&far(), &ZeroHeuristic)
        .unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Interrupted));
}

#[test]
fn states_of_other_games_are_refused() {
    let game = generated("pancake:14");
    let mut search = run(&game);
    assert!(search.bfs(&state([0, 1])).is_err());
    assert!(search.bidirectional(&state([99; 14])).is_err());
    assert!(
        run(&game)
            .transposition_table(DEFAULT_TABLE_BYTES)
            .ida_star(&state([0]), &ZeroHeuristic)
            .is_err()
    );
}
