//! Searches with a heuristic that estimates many states at once.

use std::sync::Arc;

use budget::Limits;
use fsm::WordAutomaton;
use psvn_ir::random::SplitMix64;
use psvn_ir::{Game, State, Value};

use search::{
    BlockError, BlockHeuristic, CompiledGame, CycleDetection, DEAD_END, Outcome, Searcher,
    SearcherBuilder, SolveReport, StateBlock, StopReason, ZeroHeuristic, compare_estimates, replay,
};

fn built_in(name: &str) -> Game {
    let text = domains::generate_reference(name).unwrap();
    psvn_ir::load(&text).game.unwrap()
}

/// A heuristic of one state, for blocks; counts the calls and the states, and fails after a number
/// of calls.
struct Each<F> {
    of: F,
    calls: usize,
    states: usize,
    fails_after: usize,
}

impl<F: Fn(&[usize]) -> u64> BlockHeuristic for Each<F> {
    type Error = &'static str;

    fn estimate(&mut self, states: &Arc<StateBlock>) -> Result<Vec<u64>, &'static str> {
        if self.calls == self.fails_after {
            return Err("tired");
        }
        self.calls += 1;
        self.states += states.len();
        let row = |state: usize| states.state(state).collect::<Vec<usize>>();
        Ok((0..states.len())
            .map(|state| (self.of)(&row(state)))
            .collect())
    }
}

fn each<F: Fn(&[usize]) -> u64>(of: F) -> Each<F> {
    Each {
        of,
        calls: 0,
        states: 0,
        fails_after: usize::MAX,
    }
}

/// Return the tiles of a puzzle that are away from home.
fn misplaced(row: &[usize]) -> u64 {
    let tiles = row.iter().enumerate();
    tiles
        .filter(|(place, value)| **value != 0 && *value != place)
        .count() as u64
}

/// A search with A* or, with the nodes that it leaves out, IDA*.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    AStar,
    Ida(CycleDetection, Option<usize>),
}

fn searcher(game: &Game, length: Option<usize>) -> SearcherBuilder {
    let builder = Searcher::builder(&CompiledGame::new(game));
    let Some(length) = length else {
        return builder;
    };
    let rules = game.rules().iter().map(|rule| rule.canonical.clone());
    let rules: Vec<_> = rules.collect();
    let options = move_prune::Options::up_to(length);
    let analysis = move_prune::analyze(game.n_variables(), &rules, &options, |_| {});
    let words: Vec<Vec<u32>> = analysis.redundant_letters().collect();
    let machine = WordAutomaton::forbidding(rules.len() as u32, &words)
        .and_then(|automaton| automaton.build())
        .unwrap();
    builder.machine(machine)
}

fn run<H: BlockHeuristic>(
    game: &Game,
    start: &State,
    way: Way,
    limits: &Limits,
    heuristic: &mut H,
    batch: usize,
) -> Result<SolveReport, BlockError<H::Error>> {
    let limits = limits.clone();
    match way {
        Way::AStar => {
            let searcher = searcher(game, None).build();
            let mut run = searcher.run().limits(limits);
            run.a_star_in_blocks(start, heuristic, batch)
        }
        Way::Ida(cycles, length) => {
            let searcher = searcher(game, length).cycle_detection(cycles).build();
            let mut run = searcher.run().limits(limits);
            run.ida_star_in_blocks(start, heuristic, batch)
        }
    }
}

const PLAIN: Way = Way::Ida(CycleDetection::None, None);
const PARENT: Way = Way::Ida(CycleDetection::Parent, None);

/// Return states of a game, by a walk from its goal.
fn states(game: &Game, n_states: usize) -> Vec<State> {
    let mut random = SplitMix64::new(12345);
    let mut state = game.goal_state().unwrap();
    let mut found = Vec::new();
    while found.len() < n_states {
        for _ in 0..17 {
            let rules = game.rules().iter().map(|rule| &rule.canonical);
            let possible: Vec<_> = rules.filter(|it| it.applies_to(state.values())).collect();
            let rule = possible[random.below(possible.len())];
            state = State::new(rule.apply(state.values()));
        }
        found.push(state.clone());
    }
    found
}

#[test]
fn batches_of_any_size_find_least_costs() {
    let mut pruned = [0, 0];
    for (name, h) in [
        ("sliding-tiles:2:3", misplaced as fn(&[usize]) -> u64),
        ("pancake:6", |_| 0),
        ("topspin:6:3", |_| 0),
        ("hanoi:4:3", |_| 0),
    ] {
        let game = built_in(name);
        for start in states(&game, 6) {
            // Uniform-cost search shares nothing with the searches here.
            let plain = searcher(&game, None).build();
            let least = plain.run().uniform_cost(&start).unwrap();
            let cost = least.solution().unwrap().cost;
            for way in [
                Way::AStar,
                PLAIN,
                PARENT,
                Way::Ida(CycleDetection::None, Some(3)),
            ] {
                // Without pruning and without a heuristic, whole trees are large.
                if way == PLAIN && cost > 7 {
                    continue;
                }
                for batch in [0, 1, 7, 1000] {
                    let limits = Limits::default();
                    let report = run(&game, &start, way, &limits, &mut each(h), batch).unwrap();
                    let solution = report.solution().expect("there is one");
                    let what = format!("{name}, {way:?}, {batch}");
                    assert_eq!(solution.cost, cost, "{what}");
                    let end = replay(&game, &start, &solution.moves).unwrap();
                    assert!(game.is_goal(end.values()), "{what}");
                    pruned[0] += report.totals.pruned_by_machine;
                    pruned[1] += report.totals.pruned_by_cycle;
                }
            }
        }
    }
    assert!(pruned.iter().all(|count| *count > 0), "{pruned:?}");
}

/// Rounds before the last one, and their bounds, are those of IDA* that takes nodes one by one.
#[test]
fn rounds_are_those_of_ida_star() {
    let game = built_in("pancake:6");
    for start in states(&game, 4) {
        for length in [None, Some(3)] {
            for cycles in [CycleDetection::None, CycleDetection::Parent] {
                let searcher = searcher(&game, length).cycle_detection(cycles).build();
                let plain = searcher.run().ida_star(&start, &ZeroHeuristic).unwrap();
                let mut zero = each(|_| 0);
                let report = searcher.run().ida_star_in_blocks(&start, &mut zero, 50);
                let report = report.unwrap();
                assert_eq!(report.cycle_detection, plain.cycle_detection);
                let last = plain.iterations.len() - 1;
                assert_eq!(report.iterations.len(), last + 1);
                assert_eq!(report.iterations[..last], plain.iterations[..last]);
            }
        }
    }
}

#[test]
fn costs_and_better_ways_count() {
    // Two moves to the goal are cheaper than one, and the estimate drops by more than a move
    // costs, so a state must be opened again.
    let text = "1  6\n0 => 1 COST 1\n0 => 2 COST 4\n1 => 2 COST 1\n2 => 3 COST 1\n3 => 4 COST 5\n\
                0 => 4 COST 9\nGOAL 4\n";
    let game = psvn_ir::load(text).game.unwrap();
    let start = State::new(vec![Value(0)]);
    let no_limits = Limits::default();
    let h = |row: &[usize]| [0, 6, 0, 0, 0, 0][row[0]];
    for batch in [1, 100] {
        let report = run(&game, &start, Way::AStar, &no_limits, &mut each(h), batch).unwrap();
        assert_eq!(report.solution().map(|it| it.cost), Some(8), "{batch}");
        assert_eq!(
            report.best_first.map(|counts| counts.reopened > 0),
            Some(true)
        );
    }
    let stuck = State::new(vec![Value(5)]);
    for way in [Way::AStar, PLAIN] {
        let report = run(&game, &stuck, way, &no_limits, &mut each(h), 10).unwrap();
        assert_eq!(report.outcome, Outcome::NoSolution);
        let mut dead = each(|_: &[usize]| DEAD_END);
        let report = run(&game, &start, way, &no_limits, &mut dead, 10).unwrap();
        assert_eq!(report.outcome, Outcome::NoSolution);
        assert_eq!(report.heuristic_start, DEAD_END);
    }
}

/// An estimated total cost that doesn't fit in 64 bits proves nothing about solutions beyond it.
#[test]
fn paths_that_cost_too_much_are_not_mistaken() {
    let text = "1  3\n0 => 1 COST 2\n1 => 2 COST 2\nGOAL 2\n";
    let game = psvn_ir::load(text).game.unwrap();
    let start = State::new(vec![Value(0)]);
    let mut large = each(|row| [0, DEAD_END - 1, 0][row[0]]);
    let report = run(&game, &start, PLAIN, &Limits::default(), &mut large, 1).unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::CostOverflow));
}

#[test]
fn new_states_are_estimated_once_and_together() {
    let game = built_in("sliding-tiles:3:3");
    let start = game.parse_state("8 7 6 5 4 3 2 1 0").unwrap();
    let mut heuristic = each(misplaced);
    let no_limits = Limits::default();
    let report = run(&game, &start, Way::AStar, &no_limits, &mut heuristic, 4096).unwrap();
    assert_eq!(report.solution().map(|it| it.cost), Some(28));
    let kept = report.best_first.unwrap();
    assert_eq!(heuristic.states as u64, kept.states());
    assert!(
        heuristic.calls * 100 < heuristic.states,
        "{}",
        heuristic.calls
    );
}

#[test]
fn what_makes_no_sense_is_refused() {
    let game = built_in("pancake:4");
    let start = states(&game, 1).remove(0);
    struct Few;
    impl BlockHeuristic for Few {
        type Error = &'static str;
        fn estimate(&mut self, _: &Arc<StateBlock>) -> Result<Vec<u64>, &'static str> {
            Ok(Vec::new())
        }
    }
    let no_limits = Limits::default();
    let none_of_one = BlockError::WrongNumber {
        found: 0,
        expected: 1,
    };
    for way in [Way::AStar, PLAIN] {
        let error = run(&game, &start, way, &no_limits, &mut Few, 1);
        assert_eq!(error.unwrap_err(), none_of_one);
        for calls in 0..3 {
            let mut heuristic = each(|_| 0);
            heuristic.fails_after = calls;
            let error = run(&game, &start, way, &no_limits, &mut heuristic, 1);
            assert_eq!(error.unwrap_err(), BlockError::Heuristic("tired"));
        }
        let short = State::new(vec![Value(0)]);
        let error = run(&game, &short, way, &no_limits, &mut each(|_| 0), 1);
        assert!(matches!(error, Err(BlockError::Start(_))));
    }
    let with_machine = searcher(&game, Some(2)).build();
    let error = with_machine
        .run()
        .a_star_in_blocks(&start, &mut each(|_| 0), 1);
    assert!(matches!(error, Err(BlockError::Machine(_))));
    let free = "1  3\n0 => 1 COST 0\n1 => 0 COST 0\n1 => 2\nGOAL 2\n";
    let free = psvn_ir::load(free).game.unwrap();
    let start = State::new(vec![Value(0)]);
    let error = run(&free, &start, PLAIN, &no_limits, &mut each(|_| 0), 1);
    assert_eq!(error.unwrap_err(), BlockError::FreeRules);
    let report = run(&free, &start, Way::AStar, &no_limits, &mut each(|_| 0), 1).unwrap();
    assert_eq!(report.solution().map(|it| it.cost), Some(1));
}

#[test]
fn limits_stop() {
    let game = built_in("sliding-tiles:4:4");
    let start = "15 14 13 12 11 10 9 8 7 6 5 4 3 1 2 0";
    let start = game.parse_state(start).unwrap();
    let no_limits = Limits::default();
    for way in [Way::AStar, PARENT] {
        for (limits, reason) in [
            (
                Limits {
                    nodes: Some(5000),
                    ..no_limits.clone()
                },
                StopReason::Nodes,
            ),
            (
                Limits {
                    memory: Some(1 << 10),
                    ..no_limits.clone()
                },
                StopReason::Memory,
            ),
            (
                Limits {
                    interrupt: Some(Arc::new(true.into())),
                    ..no_limits.clone()
                },
                StopReason::Interrupted,
            ),
        ] {
            let report = run(&game, &start, way, &limits, &mut each(misplaced), 16).unwrap();
            assert_eq!(report.outcome, Outcome::Stopped(reason), "{way:?}");
        }
    }
}

#[test]
fn estimates_are_compared_with_least_costs() {
    let game = built_in("sliding-tiles:2:3");
    let goal = game.goal_state().unwrap();
    let of_at_most = |nodes: u64| Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let compare = |h: &dyn Fn(&[usize]) -> u64| {
        compare_estimates(&game, &goal, &mut each(h), &of_at_most(360)).unwrap()
    };
    let found = compare(&misplaced);
    assert_eq!((found.states, found.solvable), (360, 360));
    assert!(found.admissible && found.consistent && found.worst.is_none());
    // The mean distance of all 360 states, counted from the layers of the whole state space.
    let all = searcher(&game, None).build().run().explore(&goal).unwrap();
    let layers = all.best_first.unwrap().layers;
    let sum: u64 = (0..).zip(layers).map(|(distance, n)| distance * n).sum();
    assert!((found.mean_cost - sum as f64 / 360.0).abs() < 1e-9);
    let doubled = compare(&|row| 2 * misplaced(row));
    assert!(!doubled.admissible && !doubled.consistent);
    let worst = doubled.worst.unwrap();
    assert!(worst.estimate > worst.cost);
    // An estimate that drops at once is admissible but not consistent.
    let jumps = compare(&|row| if misplaced(row) == 5 { 5 } else { 0 });
    assert!(jumps.admissible && !jumps.consistent && jumps.inconsistent_steps > 0);
    let dead = compare(&|row| if misplaced(row) == 5 { DEAD_END } else { 0 });
    assert_eq!(dead.worst.map(|it| it.estimate), Some(DEAD_END));
    let error = compare_estimates(&game, &goal, &mut each(|_| 0), &of_at_most(359));
    assert_eq!(error, Err(BlockError::Stopped(StopReason::Nodes)));
}
