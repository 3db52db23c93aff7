//! Games with known numbers.

use std::time::{Duration, Instant};

use search::{
    Cell, CompiledGame, DEFAULT_TABLE_BYTES, Heuristic, Limits, Outcome, Searcher, Weight,
};

use crate::oracle::{answer, counts, from_start, generated, run, state};

/// Distances of the tiles of the 8-puzzle from their places: value 0 is the blank.
struct Manhattan;

impl Heuristic for Manhattan {
    fn estimate(&self, state: &[u32]) -> u64 {
        let at = |place: usize| (place / 3, place % 3);
        let tiles = state
            .iter()
            .enumerate()
            .filter(|(_, tile)| tile.index() != 0);
        tiles
            .map(|(place, tile)| {
                let ((row, column), (home_row, home_column)) = (at(place), at(tile.index()));
                (row.abs_diff(home_row) + column.abs_diff(home_column)) as u64
            })
            .sum()
    }
}

#[test]
fn the_eight_puzzle_has_181440_states_within_31_moves() {
    let game = generated("sliding-tiles:3:3");
    let goal = game.goal_state().unwrap();
    let report = run(&game).explore(&goal).unwrap();
    assert_eq!(report.outcome, Outcome::NoSolution);
    // The published distribution of distances from a goal with the blank in a corner.
    let expected = [
        1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529,
        10878, 16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
    ];
    assert_eq!(counts(&report).layers, expected);
    assert_eq!(
        (
            counts(&report).stored.states(),
            counts(&report).packed_bytes
        ),
        (181_440, 8)
    );
    // Where memory is plentiful the index may be half empty.
    assert!(counts(&report).stored.bytes_per_state() < 21.0);
    // Where memory is scarce, a state takes at most 15 bytes.
    let limits = Limits {
        memory: Some(17 * 181_440),
        ..Limits::default()
    };
    let mut search = run(&game).limits(limits);
    let report = search.explore(&goal).unwrap();
    assert_eq!(report.outcome, Outcome::NoSolution);
    assert!(counts(&report).stored.bytes_per_state() < 15.0);
}

#[test]
fn the_eight_puzzle_is_solved_by_all() {
    let game = generated("sliding-tiles:3:3");
    let goal = game.goal_state().unwrap();
    assert_eq!(goal, state(0..9));
    let distances = from_start(&game, &goal, true);
    let mut search = run(&game);
    // Two of the states that are 31 moves away, and some others.
    let mut starts: Vec<_> = distances.iter().collect();
    starts.sort();
    let hardest = starts.iter().copied().filter(|(_, moves)| **moves == 31);
    let others = starts.iter().copied().step_by(20_011);
    for (start, moves) in hardest.chain(others) {
        let a_star = search.a_star(start, &Manhattan).unwrap();
        assert_eq!(counts(&a_star).reopened, 0);
        for report in [
            &a_star,
            &search.bfs(start).unwrap(),
            &search.uniform_cost(start).unwrap(),
            &search.bidirectional(start).unwrap(),
        ] {
            assert_eq!(answer(&game, start, report), Some((*moves, *moves)));
        }
        let weighted = search
            .weighted_a_star(start, &Manhattan, Weight::new(3, 2).unwrap())
            .unwrap();
        let (cost, _) = answer(&game, start, &weighted).unwrap();
        assert!(cost >= *moves && cost * 2 <= moves * 3);
        let mut with_table = run(&game).transposition_table(1 << 22);
        let report = with_table.ida_star(start, &Manhattan).unwrap();
        assert_eq!(answer(&game, start, &report), Some((*moves, *moves)));
    }
}

/// Two small searches in place of a large one.
#[test]
fn both_ends_meet_early() {
    let game = generated("pancake:9");
    let start = state([4, 0, 7, 2, 5, 8, 1, 3, 6]);
    let mut search = run(&game);
    let one = search.bfs(&start).unwrap();
    let moves = answer(&game, &start, &one).unwrap().1;
    assert!(moves >= 7, "{moves}");
    let both = search.bidirectional(&start).unwrap();
    assert_eq!(answer(&game, &start, &both).unwrap().1, moves);
    assert!(
        counts(&both).states() * 5 < counts(&one).states(),
        "{} {}",
        counts(&both).states(),
        counts(&one).states()
    );
}

#[test]
fn the_table_spares_work_whatever_its_size() {
    let game = generated("sliding-tiles:3:3");
    let start = state([8, 0, 6, 5, 4, 7, 2, 3, 1]);
    let mut before = u128::MAX;
    for table_bytes in [0, 1 << 12, 1 << 16, 1 << 24] {
        let mut search = run(&game).transposition_table(table_bytes);
        let report = search.ida_star(&start, &Manhattan).unwrap();
        assert_eq!(report.solution().unwrap().cost, 31);
        assert!(
            report.totals.generated < before,
            "{table_bytes}: {report:?}"
        );
        before = report.totals.generated;
        let table = report.table.unwrap();
        assert!(table.cutoffs <= table.hits && table.hits <= table.lookups);
        assert_eq!(
            table.replacements > 0,
            (1..1 << 20).contains(&table_bytes),
            "{table:?}"
        );
    }
}

#[test]
fn permutations_are_all_found() {
    let game = generated("pancake:7");
    let report = run(&game).explore(&game.goal_state().unwrap()).unwrap();
    // Distances of the pancake problem.
    assert_eq!(
        counts(&report).layers,
        [1, 6, 30, 149, 543, 1357, 1903, 1016, 35]
    );
    assert_eq!(counts(&report).layers.iter().sum::<u64>(), 5_040);
}

/// The numbers of nodes generated and expanded, duplicates, states reopened, and states kept that
/// these searches have always reported for one of the two instances that take 31 moves.
#[test]
fn the_counts_of_each_search_stay_as_they_are() {
    let game = generated("sliding-tiles:3:3");
    let start = state([8, 0, 6, 5, 4, 7, 2, 3, 1]);
    let mut search = run(&game);
    let weight = Weight::new(3, 2).unwrap();
    let a_star = search.a_star(&start, &Manhattan).unwrap();
    assert_eq!(a_star.heuristic_start, 21);
    for (name, report, expected) in [
        (
            "breadth first",
            search.bfs(&start).unwrap(),
            (31, 483_786, 181_422, 302_347, 0, 181_440),
        ),
        (
            "uniform cost",
            search.uniform_cost(&start).unwrap(),
            (31, 483_836, 181_438, 302_397, 0, 181_440),
        ),
        ("A*", a_star, (31, 17_708, 6_728, 7_708, 0, 10_001)),
        (
            "weighted A*",
            search.weighted_a_star(&start, &Manhattan, weight).unwrap(),
            (31, 1_586, 593, 646, 8, 941),
        ),
        (
            "depth first, closed set",
            search.dfs_closed(&start, 40).unwrap(),
            (37, 179_236, 67_237, 74_549, 0, 67_084),
        ),
        (
            "both ends",
            search.bidirectional(&start).unwrap(),
            (31, 29_839, 10_859, 12_417, 0, 17_424),
        ),
    ] {
        let counts = counts(&report);
        let found = (
            report.solution().unwrap().cost,
            report.totals.generated,
            report.totals.expanded,
            counts.duplicates,
            counts.reopened,
            counts.states(),
        );
        assert_eq!(found, expected, "{name}");
        assert!(report.table.is_none() && report.iterations.is_empty());
    }
    let mut search = run(&game).transposition_table(DEFAULT_TABLE_BYTES);
    let report = search.ida_star(&start, &Manhattan).unwrap();
    assert!(report.table.is_some() && report.best_first.is_none());
    let iterations = report.iterations.iter();
    let iterations = iterations.map(|it| (it.bound, it.generated, it.expanded));
    let expected = [
        (21, 7, 3),
        (23, 105, 42),
        (25, 616, 242),
        (27, 4_243, 1_636),
        (29, 17_198, 6_549),
        (31, 5_435, 2_086),
    ];
    assert_eq!(iterations.collect::<Vec<_>>(), expected);
    assert_eq!(
        (report.totals.generated, report.totals.expanded),
        (27_604, 10_558)
    );
}

/// The first run prepares the shared data, and its time is reported separately.
#[test]
fn preparation_and_search_add_up_to_the_time_that_passed() {
    let game = generated("sliding-tiles:3:3");
    let start = state([8, 0, 6, 5, 4, 7, 2, 3, 1]);
    let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
    for round in 0..2 {
        for with_table in [false, true] {
            let mut run = searcher.run();
            let began = Instant::now();
            let report = if with_table {
                run = run.transposition_table(1 << 20);
                run.ida_star(&start, &Manhattan).unwrap()
            } else {
                run.a_star(&start, &Manhattan).unwrap()
            };
            let passed = began.elapsed();
            let reported = report.preparation + report.elapsed;
            assert!(reported <= passed);
            assert!(passed - reported < Duration::from_millis(100));
            let is_first = round == 0 && !with_table;
            assert_eq!(report.preparation > Duration::ZERO, is_first || round == 0);
        }
    }
}
