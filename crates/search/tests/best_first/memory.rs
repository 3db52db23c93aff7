//! The memory limit: not a byte more, measured by the allocator's own count.

use psvn_ir::testing::all_states;
use psvn_ir::{Game, State};
use search::{
    CompiledGame, Limits, Outcome, Run, Searcher, SolveReport, StopReason, ZeroHeuristic,
};

use crate::allocator::peak_during;
use crate::oracle::{counts, generated, places, state};

/// The memory of a search besides its tables: the packed start, scratch, the layers of the report.
const BESIDE: usize = 20_000;

fn limited(limit: usize) -> Limits {
    Limits {
        memory: Some(limit),
        ..Limits::default()
    }
}

/// Return a run whose searcher has made everything that runs share.
fn prepared<'p>(game: &Game) -> Run<'p> {
    let searcher = Searcher::builder(&CompiledGame::new(game)).build();
    let no_nodes = Limits {
        nodes: Some(0),
        ..Limits::default()
    };
    let start = all_states(game).next().unwrap();
    let start = State::new(start);
    let report = searcher.run().limits(no_nodes.clone()).bfs(&start);
    assert!(!report.unwrap().solved());
    // Make its plan, too, and the inclusions of machine states.
    let mut with_table = searcher.run().limits(no_nodes).transposition_table(0);
    assert!(
        !with_table
            .ida_star(&start, &ZeroHeuristic)
            .unwrap()
            .solved()
    );
    searcher.run()
}

#[test]
fn the_limit_is_kept_and_used() {
    let game = generated("pancake:14");
    let far = state((0..14).map(|i| i * 5 % 14));
    type Search = fn(&mut Run<'_>, &State) -> SolveReport;
    let searches: [(&str, Search); 5] = [
        ("bfs", |search, start| search.bfs(start).unwrap()),
        ("explore", |search, start| search.explore(start).unwrap()),
        ("uniform cost", |search, start| {
            search.uniform_cost(start).unwrap()
        }),
        ("closed", |search, start| {
            search.dfs_closed(start, u64::MAX).unwrap()
        }),
        // Two-sided searches from near the goal meet soon, so these have no goal.
        ("both ends", |search, start| {
            search.bidirectional(start).unwrap()
        }),
    ];
    for limit in [0, 100, 10_000, 300_000, 33_333_333] {
        for (name, search_by) in searches {
            let mut search = prepared(&game).limits(limited(limit));
            let (report, peak) = peak_during(|| search_by(&mut search, &far));
            assert!(
                counts(&report).peak_bytes <= limit,
                "{name} {limit}: {}",
                counts(&report).peak_bytes
            );
            assert!(peak <= limit + BESIDE, "{name} {limit}: {peak}");
            assert!(
                peak <= counts(&report).peak_bytes + BESIDE,
                "{name} {limit}: {peak} {}",
                counts(&report).peak_bytes
            );
            if report.solved() {
                assert!(counts(&report).stored_backward.is_some());
                continue;
            }
            assert_eq!(
                report.outcome,
                Outcome::Stopped(StopReason::Memory),
                "{name} {limit}"
            );
            if limit >= 300_000 {
                // A search doesn't give up while there is room.
                assert!(
                    counts(&report).peak_bytes * 10 >= limit * 8,
                    "{name} {limit}: {}",
                    counts(&report).peak_bytes
                );
                assert!(
                    counts(&report).states() as usize * 40 > limit,
                    "{name} {limit}: {report:?}"
                );
            }
        }
    }
}

/// Free rules and costs that spread: links, wide costs and the heap are counted too.
#[test]
fn the_limit_is_kept_with_links_and_a_heap() {
    let mut random = psvn_ir::testing::SplitMix64::new(5);
    let mut moves = Vec::new();
    for from in 0..40 {
        for position in 0..4 {
            moves.push((position, from, (from + 1) % 40, random.next_u64() >> 33));
            moves.push((position, from, (from + 1) % 40, 0));
        }
    }
    let game = places(
        40,
        4,
        moves
            .iter()
            .copied()
            .filter(|(_, from, _, cost)| *cost > 0 || *from == 7),
        39,
    );
    for limit in [50_000, 2_000_000, 20_000_000] {
        let mut search = prepared(&game).limits(limited(limit));
        let (report, peak) = peak_during(|| search.uniform_cost(&state([0; 4])).unwrap());
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Memory));
        assert!(
            counts(&report).peak_bytes <= limit && peak <= limit + BESIDE,
            "{limit}: {peak}"
        );
        assert!(
            counts(&report).peak_bytes * 10 >= limit * 5,
            "{limit}: {}",
            counts(&report).peak_bytes
        );
    }
}

#[test]
fn a_table_of_bounded_size() {
    let game = generated("pancake:10");
    let start = state([4, 0, 7, 9, 2, 5, 8, 1, 3, 6]);
    for table_bytes in [0, 10_000, 1_000_000] {
        let mut search = prepared(&game)
            .transposition_table(table_bytes)
            .limits(Limits {
                nodes: Some(3_000_000),
                ..limited(table_bytes + 30_000)
            });
        let (report, peak) = peak_during(|| search.ida_star(&start, &ZeroHeuristic).unwrap());
        assert!(!matches!(
            report.outcome,
            Outcome::Stopped(StopReason::Memory)
        ));
        assert!(
            report.table.unwrap().bytes <= table_bytes
                && peak <= report.table.unwrap().peak_bytes + BESIDE,
            "{peak}"
        );
        assert!(report.table.unwrap().bytes * 10 >= table_bytes * 9);
    }
    let mut search = prepared(&game)
        .transposition_table(1 << 20)
        .limits(limited(1 << 19));
    let report = search.ida_star(&start, &ZeroHeuristic).unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Memory));
}

/// The packed state and five bytes.
#[test]
fn bytes_of_a_stored_state() {
    for reference in ["sliding-tiles:4:4", "topspin:14:3"] {
        let game = generated(reference);
        let goal = game.goal_state().unwrap();
        let mut search = prepared(&game).limits(limited(40_000_000));
        let report = search.explore(&goal).unwrap();
        assert_eq!(counts(&report).packed_bytes, 8);
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Memory));
        let bytes = counts(&report).stored.bytes_per_state();
        assert!(bytes <= 8.0 + 4.9, "{reference}: {bytes}");
    }
}

/// The packed state and eight bytes, at most, with the open list.
#[test]
fn bytes_of_a_state_of_a_star() {
    let game = generated("sliding-tiles:4:4");
    let distances = search::ValueSums::new(&game, |place, tile| {
        let (place, tile) = (place.index() as u32, tile.0);
        let distance = (place / 4).abs_diff(tile / 4) + (place % 4).abs_diff(tile % 4);
        if tile == 0 { 0 } else { distance }
    });
    // Korf's first instance can't be solved within these limits.
    let start = state([14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3]);
    for limit in [30_000_000, 40_000_000, 50_000_000, 60_000_000] {
        let mut search = prepared(&game).limits(limited(limit));
        let report = search.a_star(&start, &distances).unwrap();
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Memory));
        let bytes = counts(&report).stored.bytes_per_state();
        // Between 7.5 and 8.3 besides the packed state, depending on whether the index has just
        // grown.
        assert!(bytes <= 8.0 + 8.5, "{limit}: {bytes}");
    }
}
