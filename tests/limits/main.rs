//! Limits: memory allocated under a limit, byte for byte, and the work between two checks of the
//! clock.
//!
//! Time itself isn't measured here; `crates/cli/tests/cli/limits/` measures commands as their users
//! run them.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(unsafe_code, reason = "an allocator is unsafe to write")]

mod imports;
mod large_games;
mod one_thread;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use abstraction::Abstraction;
use game_tree::{NoMove, SolveError, Turn, TwoPlayerGame};
use move_prune::{OperatorOptions, Operators, Options, analyze, analyze_operators, learn};
use pattern_databases::{AdditiveSet, BuildError, Options as Tables, PatternDatabase};
use psvn_ir::{Game, State, Term};
use psvn_toolkit::{built_in, canonical_rules};
use search::{
    Bound, CompiledGame, CycleDetection, DEFAULT_TABLE_BYTES, FirstBound, Limits, Outcome, Run,
    Searcher, StopReason, Weight, ZeroHeuristic,
};

/// Counts allocated bytes, as requested.
struct Counting;

/// Bytes held, the most of them since a measurement began, and all bytes ever allocated.
struct Counts {
    /// Below zero where a thread gives what others took.
    held: AtomicIsize,
    peak: AtomicIsize,
    total: AtomicUsize,
}

impl Counts {
    const fn new() -> Self {
        Self {
            held: AtomicIsize::new(0),
            peak: AtomicIsize::new(0),
            total: AtomicUsize::new(0),
        }
    }

    fn take(&self, bytes: usize) {
        self.total.fetch_add(bytes, Ordering::Relaxed);
        let bytes = bytes as isize;
        let held = self.held.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(held, Ordering::Relaxed);
    }

    fn give(&self, bytes: usize) {
        self.held.fetch_sub(bytes as isize, Ordering::Relaxed);
    }

    /// Begin a measurement of the peak. Return the bytes held.
    fn start(&self) -> isize {
        let held = self.held.load(Ordering::Relaxed);
        self.peak.store(held, Ordering::Relaxed);
        held
    }
}

/// The bytes of all threads but those whose tests run beside others.
static ALL: Counts = Counts::new();

thread_local! {
    /// The bytes of this thread.
    static MINE: Counts = const { Counts::new() };
    /// Whether the test of this thread runs beside others.
    static BESIDE: Cell<bool> = const { Cell::new(false) };
}

/// Count in the counts that the test of this thread measures.
fn counts<R>(with: impl FnOnce(&Counts) -> R) -> R {
    if BESIDE.get() {
        MINE.with(with)
    } else {
        with(&ALL)
    }
}

fn take(bytes: usize) {
    counts(|it| it.take(bytes));
}

fn give(bytes: usize) {
    counts(|it| it.give(bytes));
}

// SAFETY: memory comes from the system's allocator and goes back to it, under the same layouts;
// only numbers are kept. A block that grows is counted at its old and its new place, as if it
// always had to move.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        give(layout.size());
        // SAFETY: the block was given by `System` under this layout.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // A shrinking block stays in place.
        let more = if size > layout.size() { size } else { 0 };
        take(more);
        // SAFETY: the block was given by `System` under this layout; the rest is the caller's
        // promise.
        let moved = unsafe { System.realloc(block, layout, size) };
        give(layout.size() - (size - more));
        moved
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Who measures now: one test whose work is done by several threads, or any number of others.
static TURN: RwLock<()> = RwLock::new(());

/// Measure the whole process, while no other test runs.
fn alone() -> RwLockWriteGuard<'static, ()> {
    BESIDE.set(false);
    TURN.write().unwrap_or_else(PoisonError::into_inner)
}

/// Measure this thread, beside tests that do the same: only for work that starts no threads.
fn beside() -> RwLockReadGuard<'static, ()> {
    BESIDE.set(true);
    TURN.read().unwrap_or_else(PoisonError::into_inner)
}

/// The peak of allocated bytes during a run, beside those allocated before.
fn peak_of<R>(run: impl FnOnce() -> R) -> (usize, R) {
    let before = counts(Counts::start);
    let result = run();
    let peak = counts(|it| it.peak.load(Ordering::Relaxed)) - before;
    (peak as usize, result)
}

/// All bytes allocated during a run, freed or not.
fn total_of<R>(run: impl FnOnce() -> R) -> (usize, R) {
    let total = |it: &Counts| it.total.load(Ordering::Relaxed);
    let before = counts(total);
    let result = run();
    (counts(total) - before, result)
}

/// Assert that the peak exceeds the limit by no more than a twentieth, and a constant for batches
/// and buffers of threads.
fn assert_within(what: &str, peak: usize, limit: usize) {
    const FIXED: usize = 2 << 20;
    assert!(
        peak <= limit + limit / 20 + FIXED,
        "{what}: {peak} bytes under a limit of {limit}"
    );
    // A limit must also be used.
    assert!(
        peak * 2 >= limit,
        "{what}: only {peak} bytes under a limit of {limit}"
    );
}

/// A state far from the goal of the 15-puzzle.
const FAR: &str = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0";

/// A search, named.
type Named<'a, R> = (&'static str, &'a dyn Fn(Limits) -> R);

#[test]
fn best_first_searches_keep_to_their_memory() {
    let _alone = alone();
    let game = built_in("sliding-tiles:4:4");
    let start = game.parse_state(FAR).unwrap();
    let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
    let with = |limits: Limits| searcher.run().limits(limits);
    let searches: [Named<'_, Outcome>; 8] = [
        ("bfs", &|limits| with(limits).bfs(&start).unwrap().outcome),
        ("explore", &|limits| {
            with(limits).explore(&start).unwrap().outcome
        }),
        ("uniform cost", &|limits| {
            with(limits).uniform_cost(&start).unwrap().outcome
        }),
        ("A*", &|limits| {
            with(limits).a_star(&start, &ZeroHeuristic).unwrap().outcome
        }),
        ("weighted A*", &|limits| {
            let weight = Weight::new(3, 2).unwrap();
            let report = with(limits).weighted_a_star(&start, &ZeroHeuristic, weight);
            report.unwrap().outcome
        }),
        ("dfs with a closed set", &|limits| {
            with(limits).dfs_closed(&start, u64::MAX).unwrap().outcome
        }),
        ("bidirectional", &|limits| {
            with(limits).bidirectional(&start).unwrap().outcome
        }),
        ("NBS", &|limits| {
            let run = with(limits).nbs(&start, &ZeroHeuristic, &ZeroHeuristic);
            run.unwrap().outcome
        }),
    ];
    for limit in [1 << 20, 8 << 20] {
        for (name, search) in &searches {
            let limits = Limits {
                memory: Some(limit),
                ..Limits::default()
            };
            let (peak, outcome) = peak_of(|| search(limits));
            assert_eq!(outcome, Outcome::Stopped(StopReason::Memory));
            assert_within(name, peak, limit);
        }
    }
}

#[test]
fn transposition_tables_keep_to_their_memory() {
    let _alone = alone();
    let game = built_in("sliding-tiles:4:4");
    let start = game.parse_state(FAR).unwrap();
    let limit = 8 << 20;
    let limits = Limits {
        nodes: Some(200_000),
        ..Limits::default()
    };
    let (peak, report) = peak_of(|| {
        let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
        let mut search = searcher.run().transposition_table(limit).limits(limits);
        search.ida_star(&start, &ZeroHeuristic).unwrap()
    });
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Nodes));
    assert_within("IDA* with a table", peak, limit);
}

/// A table takes the bytes that `sizes` says; with one byte less it is refused, and the error names
/// the size.
#[test]
fn tables_take_what_their_sizes_say() {
    let _alone = alone();
    // Without additive patterns, the whole game.
    let tables: [(&str, Option<&str>); 3] = [
        ("pancake:10", None),
        ("hanoi:4:10", None),
        ("sliding-tiles:4:4", Some("keep 1 2 5 6 9 10")),
    ];
    for (reference, pattern) in tables {
        let game = built_in(reference);
        let patterns = match pattern {
            None => vec![Abstraction::identity(&game)],
            Some(text) => vec![Abstraction::from_pattern(&game, text).unwrap()],
        };
        let of_all = Tables::default();
        let sizes = match pattern {
            None => PatternDatabase::sizes(&game, &patterns[0], &of_all).unwrap(),
            Some(_) => AdditiveSet::sizes(&game, &patterns, &of_all)
                .unwrap()
                .remove(0),
        };
        let needed = sizes.building_bytes;
        let build = |memory: u128| {
            let options = Tables {
                budget: with_memory(memory as usize),
                ..Tables::default()
            };
            peak_of(|| match pattern {
                None => PatternDatabase::build(&game, &patterns[0], &options).map(drop),
                Some(_) => AdditiveSet::build(&game, &patterns, &options).map(drop),
            })
        };
        let (peak, built) = build(needed);
        assert!(built.is_ok(), "{reference}: {built:?}");
        assert_within(reference, peak, needed as usize);
        match build(needed - 1).1 {
            Err(BuildError::Memory {
                needed: named,
                limit,
            }) => {
                assert_eq!(
                    (named, u128::from(limit)),
                    (needed, needed - 1),
                    "{reference}"
                );
            }
            other => panic!("{reference}: {other:?}"),
        }
    }
}

/// A budget with a limit on memory in bytes.
fn with_memory(memory: usize) -> pattern_databases::Watch {
    pattern_databases::Watch::new(limited(memory))
}

fn limited(memory: usize) -> move_prune::Limits {
    move_prune::Limits {
        memory: Some(memory),
        ..move_prune::Limits::default()
    }
}

#[test]
fn analyses_by_rule_keep_to_their_memory() {
    let _alone = alone();
    for (reference, order) in [
        ("topspin:14:3", move_prune::Order::LengthLexicographic),
        ("sliding-tiles:4:4", move_prune::Order::LengthLexicographic),
        ("pancake:9", move_prune::Order::CostLengthLexicographic),
    ] {
        let game = built_in(reference);
        let rules = canonical_rules(&game);
        let limit = 16 << 20;
        let options = Options {
            max_length: 30,
            limits: limited(limit),
            order,
            ..Options::default()
        };
        let (peak, analysis) = peak_of(|| analyze(game.n_variables(), &rules, &options, |_| ()));
        assert_eq!(analysis.stopped, Some(move_prune::StopReason::Memory));
        assert_within(reference, peak, limit);
    }
}

#[test]
fn analyses_by_operator_keep_to_their_memory() {
    let _alone = alone();
    let game = built_in("sliding-tiles:4:4");
    let rules = canonical_rules(&game);
    let operators = Operators::by_label(&game);
    let limit = 16 << 20;
    let known = invariants::Invariants::from_goals(&game);
    let admits = |preconditions: &[Term]| known.admits(preconditions);
    let options = OperatorOptions {
        limits: limited(limit),
        admits: Some(&admits),
        ..OperatorOptions::up_to(30)
    };
    let (peak, analysis) =
        peak_of(|| analyze_operators(game.n_variables(), &rules, &operators, &options));
    assert_eq!(analysis.stopped, Some(move_prune::StopReason::Memory));
    assert_within("operators", peak, limit);
    let goal = game.goal_state().unwrap();
    let start: Vec<Term> = goal.values().iter().map(|it| Term::constant(*it)).collect();
    let (peak, learned) =
        peak_of(|| learn(game.n_variables(), &rules, &operators, &start, &options));
    assert_eq!(
        learned.unwrap().stopped,
        Some(move_prune::StopReason::Memory)
    );
    assert_within("learner", peak, limit);
}

/// Lists that double take three times their room for a moment. So the limits here are chosen to be
/// reached when lists of different lengths are full. Most analyses keep to the limit; the tree of
/// compared words takes a third more in some.
#[test]
fn lists_that_grow_keep_analyses_by_operator_near_their_memory() {
    let _alone = alone();
    for (reference, limits) in [
        ("sliding-tiles:4:4", &[12, 20, 28, 40, 64][..]),
        ("topspin:10:4", &[16, 32, 48]),
        ("pancake:9", &[16, 32, 48]),
        ("hanoi:4:5", &[12, 16, 24]),
    ] {
        let game = built_in(reference);
        let rules = canonical_rules(&game);
        let operators = Operators::by_label(&game);
        let known = invariants::Invariants::from_goals(&game);
        let admits = |preconditions: &[Term]| known.admits(preconditions);
        for megabytes in limits {
            let limit = megabytes << 20;
            let options = OperatorOptions {
                limits: limited(limit),
                admits: Some(&admits),
                ..OperatorOptions::up_to(30)
            };
            let (peak, analysis) =
                peak_of(|| analyze_operators(game.n_variables(), &rules, &operators, &options));
            assert_eq!(analysis.stopped, Some(move_prune::StopReason::Memory));
            assert!(
                peak <= limit / 3 * 4,
                "{reference}: {peak} bytes under a limit of {limit}"
            );
        }
    }
}

#[test]
fn solved_games_keep_to_their_memory() {
    let _beside = beside();
    let game = built_in("connect:5:5:4");
    let turn = Turn::find(&game).unwrap();
    let game = TwoPlayerGame::new(&game, turn, NoMove::Draw).unwrap();
    let start = game.default_start();
    for limit in [1 << 20, 8 << 20] {
        let limits = Limits {
            memory: Some(limit),
            ..Limits::default()
        };
        let (peak, solution) = peak_of(|| game_tree::solve(&game, &start, &limits).err());
        let reason = match solution {
            Some(SolveError::Stopped { reason, .. }) => reason,
            other => panic!("{other:?}"),
        };
        assert_eq!(reason, game_tree::StopReason::Memory);
        assert_within("solving", peak, limit);
    }
    // Solving a game: the limit includes returning the outcomes.
    let game = built_in("tic-tac-toe");
    let turn = Turn::find(&game).unwrap();
    let game = TwoPlayerGame::new(&game, turn, NoMove::Draw).unwrap();
    let start = game.default_start();
    let solve = |bytes| {
        let limits = Limits {
            memory: Some(bytes),
            ..Limits::default()
        };
        peak_of(|| game_tree::solve(&game, &start, &limits).is_ok())
    };
    let enough = (1..64).map(|i| i << 14).find(|bytes| solve(*bytes).1);
    let enough = enough.expect("a megabyte is enough for 5,478 positions");
    let (peak, _) = solve(enough);
    assert!(peak <= enough + (1 << 16), "{peak} {enough}");
}

/// The most nodes between two checks of the limits: about a hundredth of a second of the fastest
/// searches, and a tenth of slow ones.
const MOST_BETWEEN_CHECKS: u64 = 1 << 17;

/// Run a search that is interrupted at its first report of progress. It must stop at the next
/// check.
fn assert_looks(
    what: &str,
    search: impl FnOnce(Limits, Box<dyn FnMut(&search::Progress)>) -> (u64, bool),
) {
    let flag = Arc::new(AtomicBool::new(false));
    let told = std::rc::Rc::new(Cell::new(0));
    let limits = Limits {
        interrupt: Some(Arc::clone(&flag)),
        // A bound for a search that doesn't check.
        nodes: Some(2_000_000_000),
        ..Limits::default()
    };
    let at = std::rc::Rc::clone(&told);
    let tell = move |progress: &search::Progress| {
        if !flag.swap(true, Ordering::Relaxed) {
            at.set(progress.done);
        }
    };
    let (generated, interrupted) = search(limits, Box::new(tell));
    assert!(interrupted, "{what} ended before it was interrupted");
    let more = generated - told.get();
    assert!(
        told.get() > 0 && more <= MOST_BETWEEN_CHECKS,
        "{what}: {more} nodes after {}",
        told.get()
    );
}

#[test]
fn searches_poll_their_limits_often_enough() {
    let _beside = beside();
    let game = built_in("sliding-tiles:4:4");
    let start = game.parse_state(FAR).unwrap();
    let compiled = CompiledGame::new(&game);
    let manhattan = heuristics_of(&game);
    let stopped = |outcome: &Outcome| *outcome == Outcome::Stopped(StopReason::Interrupted);
    for cycles in [
        CycleDetection::None,
        CycleDetection::Parent,
        CycleDetection::Path,
    ] {
        let with = |limits, tell: Box<dyn FnMut(&search::Progress)>| {
            let search = Searcher::builder(&compiled)
                .cycle_detection(cycles)
                .build()
                .run();
            search.limits(limits).on_progress(tell)
        };
        let solve = |what: &str, run: &dyn Fn(&mut Run<'_>) -> search::SolveReport| {
            assert_looks(&format!("{what}, {cycles:?}"), |limits, tell| {
                let report = run(&mut with(limits, tell));
                (report.totals.generated as u64, stopped(&report.outcome))
            });
        };
        solve("dfs", &|search| search.dfs(&start, 60).unwrap());
        assert_looks("tree", |limits, tell| {
            let count = with(limits, tell).count_tree(&start, Bound::Depth(60));
            let count = count.unwrap();
            let interrupted = count.stopped == Some(StopReason::Interrupted);
            // The root isn't a child.
            (count.totals().generated as u64 - 1, interrupted)
        });
        solve("dfid", &|search| search.dfid(&start).unwrap());
        solve("ida", &|search| {
            search.ida_star(&start, &manhattan).unwrap()
        });
        solve("ida, zero", &|search| {
            search.ida_star(&start, &ZeroHeuristic).unwrap()
        });
        solve("ida-cr", &|search| {
            let growth = Weight::new(2, 1).unwrap();
            search.ida_star_cr(&start, &manhattan, growth).unwrap()
        });
        solve("bts", &|search| {
            search.budgeted_tree_search(&start, &manhattan).unwrap()
        });
        solve("dfbnb", &|search| {
            let first = FirstBound::Cost(200);
            search
                .branch_and_bound(&start, &ZeroHeuristic, first)
                .unwrap()
        });
    }
    best_first_searches_look(&compiled, &start);
    assert_looks("ida with a table", |limits, tell| {
        let searcher = Searcher::builder(&compiled).build();
        let run = searcher.run().transposition_table(DEFAULT_TABLE_BYTES);
        let mut run = run.limits(limits).on_progress(tell);
        let report = run.ida_star(&start, &ZeroHeuristic).unwrap();
        (report.totals.generated as u64, stopped(&report.outcome))
    });
}

/// On a cube, rules that bring stickers from dropped places to kept ones stand for millions of
/// rules. None of them is made to compute a size.
#[test]
fn candidates_for_tables_are_found_in_little_memory() {
    let _alone = alone();
    let game = built_in("rubik:3");
    let known = invariants::Invariants::from_goals(&game);
    let limit = 64 << 20;
    let options = pattern_databases::Options {
        budget: with_memory(limit),
        invariants: Some(known.clone()),
        ..pattern_databases::Options::default()
    };
    let samples = heuristics::tables::sample_states(&game, &known, 50, 1);
    let find = || heuristics::tables::families(&game, &known, &options, limit as u128, &samples);
    let (peak, found) = peak_of(find);
    assert!(peak < 16 << 20, "{peak} bytes");
    let mut all = found.iter().flat_map(|family| &family.candidates);
    let words = |it: &heuristics::tables::Candidate| it.words().to_owned();
    assert!(all.any(|it| words(it).contains("pieces")));
    for family in &found {
        // The largest table that is built quickly.
        let quick = |it: &&heuristics::tables::Candidate| it.work() < 100_000_000;
        let Some(candidate) = family.candidates.iter().rev().find(quick) else {
            continue;
        };
        let (peak, built) = peak_of(|| candidate.build(&game, &options));
        let patterns = built.unwrap();
        let most = candidate.peak_bytes() as usize;
        assert!(most <= limit);
        assert!(
            peak <= most + most / 20 + (4 << 20),
            "{}: {peak} bytes, and {most} were expected",
            candidate.words()
        );
        assert!(patterns.n_bytes() <= limit as u64);
    }
}

fn best_first_searches_look(compiled: &CompiledGame, start: &State) {
    type Search = fn(&mut Run<'_>, &State) -> search::SolveReport;
    let searcher = Searcher::builder(compiled).build();
    let searches: [(&str, Search); 7] = [
        ("bfs", |search, start| search.bfs(start).unwrap()),
        ("ucs", |search, start| search.uniform_cost(start).unwrap()),
        ("A*", |search, start| {
            search.a_star(start, &ZeroHeuristic).unwrap()
        }),
        ("dfs-closed", |search, start| {
            search.dfs_closed(start, u64::MAX).unwrap()
        }),
        ("bidirectional", |search, start| {
            search.bidirectional(start).unwrap()
        }),
        ("nbs", |search, start| {
            search.nbs(start, &ZeroHeuristic, &ZeroHeuristic).unwrap()
        }),
        ("sma", |search, start| {
            search.sma_star(start, &ZeroHeuristic).unwrap()
        }),
    ];
    for (name, search) in searches {
        assert_looks(name, |limits, tell| {
            let mut run = searcher.run().limits(limits).on_progress(tell);
            let report = search(&mut run, start);
            let interrupted = report.outcome == Outcome::Stopped(StopReason::Interrupted);
            (report.totals.generated as u64, interrupted)
        });
    }
}

fn heuristics_of(game: &Game) -> heuristics::Named {
    let known = invariants::Invariants::none(game);
    heuristics::Named::new(game, &known, &[heuristics::Name::Manhattan]).unwrap()
}
