//! Costs of all sizes, inconsistent heuristics, dead ends.

use psvn_ir::State;
use search::{
    Cell, DEAD_END, DEFAULT_TABLE_BYTES, Heuristic, Outcome, StopReason, Ties, Weight,
    ZeroHeuristic,
};

use crate::oracle::{answer, counts, load, places, run};

/// A heuristic given as a table for the only variable.
struct Table(Vec<u64>);

impl Heuristic for Table {
    fn estimate(&self, state: &[u32]) -> u64 {
        self.0[state[0].index()]
    }
}

fn start(game: &psvn_ir::Game) -> State {
    game.parse_state("0").unwrap()
}

#[test]
fn a_state_is_reopened_when_it_is_reached_at_less_cost() {
    // 0 -1-> 1 -1-> 2 -3-> 3, and 0 -3-> 2 directly; the estimate of 1 makes the search prefer the
    // direct path, though it is admissible.
    let game = load(
        "1 4
         0 => 1 COST 1
         1 => 2 COST 1
         0 => 2 COST 3
         2 => 3 COST 3
         GOAL 3",
    );
    let heuristic = Table(vec![0, 4, 0, 0]);
    let report = run(&game).a_star(&start(&game), &heuristic).unwrap();
    assert_eq!(report.solution().unwrap().cost, 5);
    assert_eq!((counts(&report).reopened, report.totals.expanded), (1, 4));
    assert_eq!(report.heuristic_start, 0);
    let report = run(&game).uniform_cost(&start(&game)).unwrap();
    assert_eq!((counts(&report).reopened, report.totals.expanded), (0, 3));
}

#[test]
fn ties_are_broken_toward_the_greater_cost() {
    // With a perfect estimate, f is the same everywhere: only a path is expanded.
    let mut text = String::from("2 50 50\n");
    for i in 0..49 {
        text += &format!("{i} - => {} -\n- {i} => - {}\n", i + 1, i + 1);
    }
    text += "GOAL 49 49";
    let game = load(&text);
    struct Rest;
    impl Heuristic for Rest {
        fn estimate(&self, state: &[u32]) -> u64 {
            98 - (state[0].index() + state[1].index()) as u64
        }
    }
    let from = game.parse_state("0 0").unwrap();
    let mut search = run(&game);
    let report = search.a_star(&from, &Rest).unwrap();
    assert_eq!(report.totals.expanded, 98);
    assert_eq!(search.uniform_cost(&from).unwrap().totals.expanded, 2499);

    // The last one put in is a child of the node that was expanded last; the first one put in is
    // one of the layer before, until all of them are expanded.
    let expanded = |ties| {
        let mut search = run(&game).ties(ties);
        let a_star = search.a_star(&from, &Rest).unwrap().totals.expanded;
        (a_star, search.greedy(&from, &Rest).unwrap().totals.expanded)
    };
    assert_eq!(expanded(Ties::Lifo), (98, 98));
    assert_eq!(expanded(Ties::Fifo), (2499, 98));
    assert_eq!(expanded(Ties::Nutshell), (98, 98));
}

#[test]
fn greedy_search_goes_by_the_estimate_alone() {
    // The path along the estimates 3, 2, 1, 0 costs 30; the one through a state with estimate 9
    // costs 2.
    let game = load(
        "1  6
        0 => 1 COST 10
        1 => 2 COST 10
        2 => 4 COST 10
        0 => 3 COST 1
        3 => 4 COST 1
        GOAL 4",
    );
    struct ByTable;
    impl Heuristic for ByTable {
        fn estimate(&self, state: &[u32]) -> u64 {
            [3, 2, 1, 9, 0, 0][state[0].index()]
        }
    }
    let from = start(&game);
    let mut search = run(&game);
    let greedy = search.greedy(&from, &ByTable).unwrap();
    assert_eq!(greedy.solution().map(|it| it.cost), Some(30));
    assert_eq!(greedy.totals.expanded, 3);
    assert_eq!(greedy.heuristic_start, 3);
    let least = search.a_star(&from, &ByTable).unwrap();
    assert_eq!(least.solution().map(|it| it.cost), Some(2));
}

#[test]
fn dead_ends_are_not_stored() {
    let game = load("1 5  0 => 1  1 => 2  0 => 3  3 => 4  GOAL 4");
    let heuristic = Table(vec![2, DEAD_END, DEAD_END, 1, 0]);
    let report = run(&game).a_star(&start(&game), &heuristic).unwrap();
    assert_eq!(report.solution().unwrap().cost, 2);
    assert_eq!(
        (counts(&report).dead_ends, counts(&report).stored.states()),
        (1, 3)
    );
    let heuristic = Table(vec![DEAD_END; 5]);
    let report = run(&game).a_star(&start(&game), &heuristic).unwrap();
    assert_eq!(report.outcome, Outcome::NoSolution);
    assert_eq!(
        (report.heuristic_start, report.totals.generated),
        (DEAD_END, 0)
    );
    let report = run(&game)
        .transposition_table(DEFAULT_TABLE_BYTES)
        .ida_star(&start(&game), &heuristic)
        .unwrap();
    assert_eq!(
        (report.outcome, report.iterations.len()),
        (Outcome::NoSolution, 0)
    );
}

#[test]
fn totals_beyond_64_bits_are_no_totals() {
    let game = places(3, 1, [(0, 0, 1, 3), (0, 1, 2, 5)], 2);
    let expected = Some((8, 2));
    let mut search = run(&game);
    // Best-first searches count totals in 128 bits.
    for estimate in [5, u64::MAX - 3, u64::MAX - 1] {
        let table = Table(vec![0, estimate, 0]);
        for weight in [Weight::ONE, Weight::new(9, 7).unwrap()] {
            let report = search.weighted_a_star(&start(&game), &table, weight);
            assert_eq!(answer(&game, &start(&game), &report.unwrap()), expected);
        }
    }
    // The largest number is the mark of a dead end.
    for table in [vec![u64::MAX, 5, 0], vec![0, u64::MAX, 0]] {
        let report = search.a_star(&start(&game), &Table(table)).unwrap();
        assert_eq!(report.outcome, Outcome::NoSolution);
    }
    for (estimate, fits) in [(u64::MAX - 3, true), (u64::MAX - 2, false)] {
        let table = Table(vec![0, estimate, 0]);
        let report = run(&game)
            .transposition_table(DEFAULT_TABLE_BYTES)
            .ida_star(&start(&game), &table)
            .unwrap();
        if fits {
            assert_eq!(report.solution().map(|solution| solution.cost), Some(8));
        } else {
            assert_eq!(report.outcome, Outcome::Stopped(StopReason::CostOverflow));
        }
    }
}

#[test]
fn free_moves_in_circles_end() {
    // Free moves around a ring, and one move out of it that costs 7.
    let text =
        "1 6  0 => 1 COST 0  1 => 2 COST 0  2 => 3 COST 0  3 => 0 COST 0  3 => 4 COST 7  GOAL ";
    for (goal, cost) in [("4", Some(7)), ("5", None)] {
        let game = load(&format!("{text}{goal}"));
        let mut search = run(&game);
        for report in [
            search.uniform_cost(&start(&game)).unwrap(),
            search.bidirectional(&start(&game)).unwrap(),
            search.bfs(&start(&game)).unwrap(),
        ] {
            assert_eq!(
                answer(&game, &start(&game), &report),
                cost.map(|cost| (cost, 4))
            );
        }
        let report = run(&game)
            .transposition_table(DEFAULT_TABLE_BYTES)
            .ida_star(&start(&game), &ZeroHeuristic)
            .unwrap();
        assert_eq!(report.solution().map(|solution| solution.cost), cost);
    }
}

/// What is learned at the end of a path that was cut off for closing a free cycle holds for that
/// path only, and the table must not keep it: from 1 the solution continues through 2, which the
/// costlier path 0 2 1 has already visited.
#[test]
fn a_cycle_on_one_path_is_no_dead_end_on_another() {
    let game = load(
        "1 4
         0 => 2 COST 3
         0 => 1 COST 1
         2 => 1 COST 0
         1 => 2 COST 0
         2 => 3 COST 5
         GOAL 3",
    );
    // The first bound lets both paths in.
    let heuristic = Table(vec![3, 0, 0, 0]);
    let report = run(&game)
        .transposition_table(DEFAULT_TABLE_BYTES)
        .ida_star(&start(&game), &heuristic)
        .unwrap();
    assert_eq!(report.solution().unwrap().cost, 6);
}

/// Two rings of 60 places, with random costs of every size between neighbors: the open list spreads
/// over thousands of costs.
#[test]
fn costs_that_spread_far() {
    let mut random = psvn_ir::testing::SplitMix64::new(3);
    let mut moves = Vec::new();
    for from in 0..60 {
        for step in [1, 7, 59] {
            for position in 0..2 {
                let cost = random.next_u64() >> (random.below(30) + 32);
                moves.push((position, from, (from + step) % 60, cost));
            }
        }
    }
    let game = places(60, 2, moves, 30);
    let from = game.parse_state("0 0").unwrap();
    let least = crate::oracle::from_start(&game, &from, false)[&game.goal_state().unwrap()];
    let mut search = run(&game);
    for report in [
        search.uniform_cost(&from).unwrap(),
        search.bidirectional(&from).unwrap(),
    ] {
        assert_eq!(answer(&game, &from, &report).unwrap().0, least);
    }
}
