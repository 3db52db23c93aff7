//! Games whose numbers are known.

use search::{BestFirst, BestFirstOutcome, Cell, Heuristic, Limits, TranspositionSearch, Weight};

use crate::oracle::{answer, answer_with_table, from_start, generated, state};

/// Distances of the tiles of the 8-puzzle from their places: value 0 is the blank.
struct Manhattan;

impl Heuristic for Manhattan {
    type Memo = ();

    fn estimate<C: Cell>(&self, state: &[C]) -> u64 {
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
    let report = BestFirst::new(&game).explore(&goal).unwrap();
    assert_eq!(report.outcome, BestFirstOutcome::NoSolution);
    // The distribution of distances from a goal with the blank in a corner, as many have counted
    // it.
    let expected = [
        1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529,
        10878, 16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
    ];
    assert_eq!(report.layers, expected);
    assert_eq!((report.stored.states(), report.packed_bytes), (181_440, 8));
    // Where memory is plentiful the index may be half empty.
    assert!(report.stored.bytes_per_state() < 21.0);
    // Where it is not, a state takes no more than 15 bytes.
    let limits = Limits {
        memory: Some(17 * 181_440),
        ..Limits::default()
    };
    let mut search = BestFirst::new(&game).limits(limits);
    let report = search.explore(&goal).unwrap();
    assert_eq!(report.outcome, BestFirstOutcome::NoSolution);
    assert!(report.stored.bytes_per_state() < 15.0);
}

#[test]
fn the_eight_puzzle_is_solved_by_all() {
    let game = generated("sliding-tiles:3:3");
    let goal = game.goal_state().unwrap();
    assert_eq!(goal, state(0..9));
    let distances = from_start(&game, &goal, true);
    let mut search = BestFirst::new(&game);
    // Two of the states that are 31 moves away, and some others.
    let mut starts: Vec<_> = distances.iter().collect();
    starts.sort();
    let hardest = starts.iter().copied().filter(|(_, moves)| **moves == 31);
    let others = starts.iter().copied().step_by(20_011);
    for (start, moves) in hardest.chain(others) {
        let a_star = search.a_star(start, &Manhattan).unwrap();
        assert_eq!(a_star.counts.reopened, 0);
        for report in [
            &a_star,
            &search.bfs(start).unwrap(),
            &search.uniform_cost(start).unwrap(),
            &search.bidirectional_bfs(start).unwrap(),
            &search.bidirectional(start).unwrap(),
        ] {
            assert_eq!(answer(&game, start, report), Some((*moves, *moves)));
        }
        let weighted = search
            .weighted_a_star(start, &Manhattan, Weight::new(3, 2).unwrap())
            .unwrap();
        let (cost, _) = answer(&game, start, &weighted).unwrap();
        assert!(cost >= *moves && cost * 2 <= moves * 3);
        let mut with_table = TranspositionSearch::new(&game).table_bytes(1 << 22);
        let report = with_table.ida_star(start, &Manhattan).unwrap();
        assert_eq!(
            answer_with_table(&game, start, &report),
            Some((*moves, *moves))
        );
    }
}

/// Two small searches in place of a large one.
#[test]
fn both_ends_meet_early() {
    let game = generated("pancake:9");
    let start = state([4, 0, 7, 2, 5, 8, 1, 3, 6]);
    let mut search = BestFirst::new(&game);
    let one = search.bfs(&start).unwrap();
    let moves = answer(&game, &start, &one).unwrap().1;
    assert!(moves >= 7, "{moves}");
    let both = search.bidirectional_bfs(&start).unwrap();
    assert_eq!(answer(&game, &start, &both).unwrap().1, moves);
    assert!(
        both.states() * 10 < one.states(),
        "{} {}",
        both.states(),
        one.states()
    );
    let both = search.bidirectional(&start).unwrap();
    assert!(
        both.states() * 5 < one.states(),
        "{} {}",
        both.states(),
        one.states()
    );
}

#[test]
fn the_table_spares_work_whatever_its_size() {
    let game = generated("sliding-tiles:3:3");
    let start = state([8, 0, 6, 5, 4, 7, 2, 3, 1]);
    let mut before = u64::MAX;
    for table_bytes in [0, 1 << 12, 1 << 16, 1 << 24] {
        let mut search = TranspositionSearch::new(&game).table_bytes(table_bytes);
        let report = search.ida_star(&start, &Manhattan).unwrap();
        assert_eq!(report.solution().unwrap().cost, 31);
        assert!(report.generated < before, "{table_bytes}: {report:?}");
        before = report.generated;
        let table = report.table;
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
    let report = BestFirst::new(&game)
        .explore(&game.goal_state().unwrap())
        .unwrap();
    // Distances of the pancake problem.
    assert_eq!(report.layers, [1, 6, 30, 149, 543, 1357, 1903, 1016, 35]);
    assert_eq!(report.layers.iter().sum::<u64>(), 5_040);
}
