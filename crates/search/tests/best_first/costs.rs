//! Costs of all sizes, inconsistent heuristics, dead ends.

use psvn_ir::State;
use search::{
    BestFirst, BestFirstOutcome, Cell, DEAD_END, Heuristic, Outcome, StopReason,
    TranspositionSearch, Weight, ZeroHeuristic,
};

use crate::oracle::{answer, load, places};

/// A heuristic given as a table for the only variable.
struct Table(Vec<u64>);

impl Heuristic for Table {
    type Memo = ();

    fn estimate<C: Cell>(&self, state: &[C]) -> u64 {
        self.0[state[0].index()]
    }
}

fn start(game: &psvn_ir::Game) -> State {
    game.parse_state("0").unwrap()
}

#[test]
fn a_state_is_reopened_when_it_is_reached_at_less_cost() {
    // 0 -1-> 1 -1-> 2 -3-> 3, and 0 -3-> 2 directly; the estimate of 1 makes the search prefer the
    // direct way, though it is admissible.
    let game = load(
        "1 4
         0 => 1 COST 1
         1 => 2 COST 1
         0 => 2 COST 3
         2 => 3 COST 3
         GOAL 3",
    );
    let heuristic = Table(vec![0, 4, 0, 0]);
    let report = BestFirst::new(&game)
        .a_star(&start(&game), &heuristic)
        .unwrap();
    assert_eq!(report.solution().unwrap().cost, 5);
    assert_eq!((report.counts.reopened, report.counts.expanded), (1, 4));
    assert_eq!(report.heuristic_start, 0);
    let report = BestFirst::new(&game).uniform_cost(&start(&game)).unwrap();
    assert_eq!((report.counts.reopened, report.counts.expanded), (0, 3));
}

#[test]
fn ties_are_broken_toward_the_greater_cost() {
    // A perfect estimate, and f the same everywhere: only a path is expanded.
    let mut text = String::from("2 50 50\n");
    for i in 0..49 {
        text += &format!("{i} - => {} -\n- {i} => - {}\n", i + 1, i + 1);
    }
    text += "GOAL 49 49";
    let game = load(&text);
    struct Rest;
    impl Heuristic for Rest {
        type Memo = ();

        fn estimate<C: Cell>(&self, state: &[C]) -> u64 {
            98 - (state[0].index() + state[1].index()) as u64
        }
    }
    let from = game.parse_state("0 0").unwrap();
    let mut search = BestFirst::new(&game);
    let report = search.a_star(&from, &Rest).unwrap();
    assert_eq!(report.counts.expanded, 98);
    assert_eq!(search.uniform_cost(&from).unwrap().counts.expanded, 2499);
}

#[test]
fn dead_ends_are_not_stored() {
    let game = load("1 5  0 => 1  1 => 2  0 => 3  3 => 4  GOAL 4");
    let heuristic = Table(vec![2, DEAD_END, DEAD_END, 1, 0]);
    let report = BestFirst::new(&game)
        .a_star(&start(&game), &heuristic)
        .unwrap();
    assert_eq!(report.solution().unwrap().cost, 2);
    assert_eq!((report.counts.dead_ends, report.stored.states()), (1, 3));
    let heuristic = Table(vec![DEAD_END; 5]);
    let report = BestFirst::new(&game)
        .a_star(&start(&game), &heuristic)
        .unwrap();
    assert_eq!(report.outcome, BestFirstOutcome::NoSolution);
    assert_eq!(
        (report.heuristic_start, report.counts.generated),
        (DEAD_END, 0)
    );
    let report = TranspositionSearch::new(&game)
        .ida_star(&start(&game), &heuristic)
        .unwrap();
    assert_eq!(
        (report.outcome, report.iterations.len()),
        (Outcome::NoSolution, 0)
    );
}

#[test]
fn costs_beyond_64_bits_are_no_costs() {
    let big = u64::MAX - 5;
    let fits = places(3, 1, [(0, 0, 1, big), (0, 1, 2, 5)], 2);
    let mut search = BestFirst::new(&fits);
    let expected = Some((u128::from(u64::MAX), 2));
    for report in [
        search.uniform_cost(&start(&fits)).unwrap(),
        search
            .a_star(&start(&fits), &Table(vec![u64::MAX, 5, 0]))
            .unwrap(),
        search
            .weighted_a_star(&start(&fits), &ZeroHeuristic, Weight::new(9, 7).unwrap())
            .unwrap(),
        search.bidirectional(&start(&fits)).unwrap(),
    ] {
        if report.heuristic_start == 0 {
            assert_eq!(answer(&fits, &start(&fits), &report), expected);
        } else {
            // The largest number is the mark of a dead end.
            assert_eq!(report.outcome, BestFirstOutcome::NoSolution);
        }
    }
    let too_big = places(4, 1, [(0, 0, 1, big), (0, 1, 2, 6), (0, 2, 3, 0)], 3);
    let overflow = BestFirstOutcome::Stopped(StopReason::CostOverflow);
    let mut search = BestFirst::new(&too_big);
    assert_eq!(
        search.uniform_cost(&start(&too_big)).unwrap().outcome,
        overflow
    );
    // By moves it's no matter.
    let report = search.bfs(&start(&too_big)).unwrap();
    assert_eq!(
        answer(&too_big, &start(&too_big), &report),
        Some((u128::from(u64::MAX) + 1, 3))
    );
    let report = TranspositionSearch::new(&too_big)
        .ida_star(&start(&too_big), &ZeroHeuristic)
        .unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::CostOverflow));
}

#[test]
fn free_moves_in_circles_end() {
    // Free moves around a ring, one dear move out of it.
    let text =
        "1 6  0 => 1 COST 0  1 => 2 COST 0  2 => 3 COST 0  3 => 0 COST 0  3 => 4 COST 7  GOAL ";
    for (goal, cost) in [("4", Some(7)), ("5", None)] {
        let game = load(&format!("{text}{goal}"));
        let mut search = BestFirst::new(&game);
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
        let report = TranspositionSearch::new(&game)
            .ida_star(&start(&game), &ZeroHeuristic)
            .unwrap();
        assert_eq!(report.solution().map(|solution| solution.cost), cost);
    }
}

/// What is learned at the end of a path that was cut off for closing a free cycle holds for that
/// path only, and the table must not keep it: from 1 the way on is by 2, which the dear path 0 2 1
/// has behind it.
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
    let report = TranspositionSearch::new(&game)
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
                let cost = random.next_u64() >> (random.below(40) + 8);
                moves.push((position, from, (from + step) % 60, cost));
            }
        }
    }
    let game = places(60, 2, moves, 30);
    let from = game.parse_state("0 0").unwrap();
    let least = crate::oracle::from_start(&game, &from, false)[&game.goal_state().unwrap()];
    let mut search = BestFirst::new(&game);
    for report in [
        search.uniform_cost(&from).unwrap(),
        search.bidirectional(&from).unwrap(),
    ] {
        assert_eq!(answer(&game, &from, &report).unwrap().0, least);
    }
}
