//! Prepared searches: made once, shared by threads, and within limits while they are made.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use fsm::{Machine, Unrestricted};
use psvn_ir::State;
use search::{
    Bound, CompiledGame, DEFAULT_TABLE_BYTES, FirstBound, Limits, Outcome, Run, Searcher,
    SolveReport, StopReason, ValueSums, Weight, ZeroHeuristic,
};

use crate::games::{pancake, sliding_tiles, top_spin};
use crate::threads::walk;

/// A machine with as many states as there are words, up to a length, that forbids nothing and
/// counts its queries.
#[derive(Debug)]
struct Asked {
    max_length: u32,
    asked: Arc<AtomicU64>,
    /// Set when this number of queries is reached.
    interrupt: (u64, Arc<AtomicBool>),
}

impl Asked {
    fn new(max_length: u32) -> Self {
        Self {
            max_length,
            asked: Arc::default(),
            interrupt: (u64::MAX, Arc::default()),
        }
    }

    /// Share the count of another machine.
    fn counted_by(mut self, asked: &Arc<AtomicU64>) -> Self {
        self.asked = Arc::clone(asked);
        self
    }
}

impl Machine for Asked {
    /// The letters of the word, as digits.
    type State = u32;

    fn start(&self) -> u32 {
        0
    }

    fn next(&self, word: u32, letter: u32) -> Option<u32> {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        if asked == self.interrupt.0 {
            self.interrupt.1.store(true, Ordering::Relaxed);
        }
        // Words of the greatest length are all alike.
        let is_longest = word == u32::MAX || word >= 64_u32.pow(self.max_length - 2);
        Some(if is_longest {
            u32::MAX
        } else {
            word * 64 + letter + 1
        })
    }
}

fn is_send_and_sync<T: Send + Sync>(_: &T) {}

/// Return everything that doesn't depend on the time.
fn comparable(mut report: SolveReport) -> SolveReport {
    report.preparation = Duration::ZERO;
    report.elapsed = Duration::ZERO;
    report
}

#[test]
fn threads_share_one_plan_and_find_what_one_finds() {
    let game = sliding_tiles(3, 3);
    let compiled = CompiledGame::new(&game);
    let starts: Vec<_> = (0..16).map(|seed| walk(&compiled, 60, seed)).collect();
    let sums = ValueSums::new(&game, |var, value| {
        u32::from(value.0 != 0 && var.0 != value.0)
    });
    let searcher = |asked: &Arc<AtomicU64>| {
        Searcher::builder(&compiled)
            .machine(Asked::new(3).counted_by(asked))
            .build()
    };
    let alone: Vec<_> = starts
        .iter()
        .map(|start| {
            comparable(
                searcher(&Arc::default())
                    .run()
                    .ida_star(start, &sums)
                    .unwrap(),
            )
        })
        .collect();
    let asked_once = Arc::default();
    let once = searcher(&asked_once);
    once.run().ida_star(&starts[0], &sums).unwrap();
    let asked_shared = Arc::default();
    let shared = searcher(&asked_shared);
    is_send_and_sync(&shared);
    assert!(!shared.is_planned());
    std::thread::scope(|scope| {
        for (start, alone) in starts.iter().zip(&alone) {
            let (shared, sums) = (shared.clone(), &sums);
            scope.spawn(move || {
                let report = shared.run().ida_star(start, sums).unwrap();
                assert_eq!(comparable(report), *alone);
            });
        }
    });
    assert!(shared.is_planned());
    let count = |asked: &Arc<AtomicU64>| asked.load(Ordering::Relaxed);
    assert_eq!(count(&asked_shared), count(&asked_once));
    // Everything is prepared, as the times show.
    let report = shared.run().ida_star(&starts[0], &sums).unwrap();
    assert_eq!(report.preparation, Duration::ZERO);
    assert_eq!(comparable(report), alone[0]);
}

#[test]
fn preparation_is_timed_apart_and_only_once() {
    let game = top_spin(10, 4);
    let compiled = CompiledGame::new(&game);
    let start = game.goal_state().unwrap();
    let searcher = Searcher::builder(&compiled).machine(Asked::new(4)).build();
    let first = searcher.run().count_tree(&start, Bound::Depth(1)).unwrap();
    assert!(first.preparation > Duration::ZERO);
    let again = searcher.run().count_tree(&start, Bound::Depth(1)).unwrap();
    assert_eq!(again.preparation, Duration::ZERO);
    assert_eq!(first.levels, again.levels);
}

/// Experiments rely on this: a run of no nodes makes everything that the other runs use.
#[test]
fn a_run_of_no_nodes_prepares_for_all_others() {
    let half = Weight::new(1, 2).unwrap();
    let double = Weight::new(2, 1).unwrap();
    let game = sliding_tiles(3, 3);
    let compiled = CompiledGame::new(&game);
    let start = walk(&compiled, 40, 7);
    let sums = ValueSums::new(&game, |var, value| {
        u32::from(value.0 != 0 && var.0 != value.0)
    });
    type Search<'s> = Box<dyn Fn(&mut Run<'_>, &State) -> SolveReport + 's>;
    let zero = &ZeroHeuristic;
    let searches: Vec<(&str, Search<'_>)> = vec![
        ("dfs", Box::new(|run, start| run.dfs(start, 22).unwrap())),
        ("dfid", Box::new(|run, start| run.dfid(start).unwrap())),
        (
            "ida",
            Box::new(|run, start| run.ida_star(start, zero).unwrap()),
        ),
        (
            "ida, sums",
            Box::new(|run, start| run.ida_star(start, &sums).unwrap()),
        ),
        (
            "wida",
            Box::new(|run, start| run.wida_star(start, &sums, double).unwrap()),
        ),
        (
            "ida-cr",
            Box::new(|run, start| run.ida_star_cr(start, &sums, double).unwrap()),
        ),
        (
            "bts",
            Box::new(|run, start| run.budgeted_tree_search(start, &sums).unwrap()),
        ),
        (
            "branch and bound",
            Box::new(|run, start| {
                let first = FirstBound::Weighted(double);
                run.branch_and_bound(start, &sums, first).unwrap()
            }),
        ),
        (
            "branch and bound, a cost",
            Box::new(|run, start| {
                run.branch_and_bound(start, &sums, FirstBound::Cost(40))
                    .unwrap()
            }),
        ),
        ("bfs", Box::new(|run, start| run.bfs(start).unwrap())),
        (
            "uniform cost",
            Box::new(|run, start| run.uniform_cost(start).unwrap()),
        ),
        (
            "a*",
            Box::new(|run, start| run.a_star(start, &sums).unwrap()),
        ),
        (
            "weighted a*",
            Box::new(|run, start| run.weighted_a_star(start, &sums, half).unwrap()),
        ),
        (
            "dfs-closed",
            Box::new(|run, start| run.dfs_closed(start, 30).unwrap()),
        ),
        (
            "bidirectional",
            Box::new(|run, start| run.bidirectional(start).unwrap()),
        ),
    ];
    let no_nodes = || Limits {
        nodes: Some(0),
        ..Limits::default()
    };
    let some = || Limits {
        nodes: Some(3_000_000),
        ..Limits::default()
    };
    for (name, search) in &searches {
        for with_table in [false, true] {
            let searcher = Searcher::builder(&compiled).build();
            let run = |limits| {
                let run = searcher.run().limits(limits);
                let mut run = if with_table {
                    run.transposition_table(1 << 16)
                } else {
                    run
                };
                search(&mut run, &start)
            };
            let first = run(no_nodes());
            assert!(
                first.preparation > Duration::ZERO && first.totals.generated == 0,
                "{name}"
            );
            assert_eq!(first.outcome, Outcome::Stopped(StopReason::Nodes), "{name}");
            let second = run(some());
            assert!(second.totals.generated > 0, "{name}");
            assert_eq!(second.preparation, Duration::ZERO, "{name}");
        }
    }
}

#[test]
fn plans_are_given_up_when_the_run_is_interrupted_and_made_by_the_next() {
    let game = pancake(9);
    let compiled = CompiledGame::new(&game);
    let start = game.goal_state().unwrap();
    let needed = Arc::default();
    let complete = Searcher::builder(&compiled)
        .machine(Asked::new(6).counted_by(&needed))
        .build();
    complete.run().dfs(&start, 1).unwrap();
    let needed = needed.load(Ordering::Relaxed);
    for after in [1, 1_000, needed / 2] {
        let count = Arc::default();
        let mut machine = Asked::new(6).counted_by(&count);
        let interrupt = Arc::default();
        machine.interrupt = (after, Arc::clone(&interrupt));
        let searcher = Searcher::builder(&compiled).machine(machine).build();
        let limits = Limits {
            interrupt: Some(Arc::clone(&interrupt)),
            ..Limits::default()
        };
        let mut run = searcher.run().limits(limits);
        let report = run.dfs(&start, 3).unwrap();
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Interrupted));
        assert_eq!(report.totals.generated, 0);
        let asked = count.load(Ordering::Relaxed);
        assert!(
            (after..after + 10_000).contains(&asked),
            "{asked}, not {after}"
        );
        assert!(asked < needed && !searcher.is_planned());
        interrupt.store(false, Ordering::Relaxed);
        let report = run.dfs(&start, 3).unwrap();
        assert!(report.solved() && searcher.is_planned());
        assert_eq!(count.load(Ordering::Relaxed), asked + needed);
    }
}

#[test]
fn plans_keep_to_the_limits_on_memory_and_time() {
    let game = pancake(9);
    let compiled = CompiledGame::new(&game);
    let start = game.goal_state().unwrap();
    for (limits, reason) in [
        (
            Limits {
                memory: Some(1 << 16),
                ..Limits::default()
            },
            StopReason::Memory,
        ),
        (
            Limits {
                time: Some(Duration::ZERO),
                ..Limits::default()
            },
            StopReason::Time,
        ),
    ] {
        let searcher = Searcher::builder(&compiled).machine(Asked::new(6)).build();
        let mut run = searcher.run().limits(limits);
        let report = run.ida_star(&start, &ZeroHeuristic).unwrap();
        assert_eq!(report.outcome, Outcome::Stopped(reason));
        let tree = run.count_tree(&start, Bound::Depth(2)).unwrap();
        assert_eq!(tree.stopped, Some(reason));
        assert!(!searcher.is_planned());
    }
    // The same limit is enough for a small plan.
    let searcher = Searcher::builder(&compiled).machine(Unrestricted).build();
    let limits = Limits {
        memory: Some(1 << 16),
        ..Limits::default()
    };
    assert!(
        searcher
            .run()
            .limits(limits)
            .dfs(&start, 2)
            .unwrap()
            .solved()
    );
}

#[test]
fn all_kinds_of_searches_run_on_one_searcher() {
    let game = sliding_tiles(3, 3);
    let compiled = CompiledGame::new(&game);
    let start = walk(&compiled, 24, 5);
    let one_blank = crate::plans::one_blank;
    let searcher = Searcher::builder(&compiled).invariants(one_blank).build();
    let depth_first = searcher.run().ida_star(&start, &ZeroHeuristic).unwrap();
    let cost = depth_first.solution().unwrap().cost;
    let mut best_first = searcher.run();
    let solved = best_first.a_star(&start, &ZeroHeuristic).unwrap();
    assert_eq!(solved.solution().unwrap().cost, cost);
    let solved = best_first.bidirectional(&start).unwrap();
    assert_eq!(solved.solution().unwrap().cost, cost);
    let limits = Limits {
        nodes: Some(10),
        ..Limits::default()
    };
    let stopped = searcher.run().limits(limits).bfs(&start);
    assert_eq!(stopped.unwrap().totals.generated, 10);
    let machine = Arc::new(Asked::new(2));
    let searcher = Searcher::builder(&compiled).machine(machine).build();
    assert!(searcher.run().bfs(&start).is_err());
    let solved = searcher
        .run()
        .transposition_table(DEFAULT_TABLE_BYTES)
        .ida_star(&start, &ZeroHeuristic);
    assert_eq!(solved.unwrap().solution().unwrap().cost, cost);
}
