//! A soak run: random games, pruned against unpruned, on all searches that promise a best solution.
//!
//! The oracle is brute force over the graph of all states (`safety/graph.rs`). Each search runs with
//! machines of several lengths, and each solution is replayed by the rules.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::print_stdout, reason = "a long run says what it tried")]

#[path = "safety/graph.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod graph;

use fsm::{Dense, WordAutomaton};
use graph::{Graph, NEVER, least_costs};
use move_prune::{Options, Order, analyze};
use psvn_ir::testing::{GameShape, SplitMix64, random_game};
use psvn_ir::{Game, RuleId, State};
use search::{
    BestFirst, Cell, CompiledGame, CycleDetection, DEAD_END, Heuristic, Limits, Outcome, Search,
    TranspositionSearch, Weight, ZeroHeuristic, replay,
};

/// An admissible heuristic that isn't consistent: true distances, each divided by a number from 1 to 4.
struct Rough<'g> {
    game: &'g Game,
    /// By the number of the state, variables as digits.
    estimates: Vec<u64>,
}

impl Rough<'_> {
    fn number<C: Cell>(&self, state: &[C]) -> usize {
        let sizes = self
            .game
            .variables()
            .iter()
            .map(|id| self.game.domain(*id).size());
        let digits = state.iter().zip(sizes);
        digits.fold(0, |number, (cell, size)| number * size + cell.index())
    }
}

impl Heuristic for Rough<'_> {
    type Memo = ();

    fn estimate<C: Cell>(&self, state: &[C]) -> u64 {
        self.estimates[self.number(state)]
    }
}

/// What was tried.
#[derive(Debug, Default)]
struct Tally {
    games: usize,
    solvable: usize,
    /// Searches that were run to the end.
    searches: usize,
    /// Searches that a limit stopped.
    stopped: usize,
    /// Games for which some machine forbade something.
    pruned: usize,
}

/// One game and one start, with what brute force says.
struct Case<'g> {
    game: &'g Game,
    start: State,
    /// The least cost of a solution.
    cost: Option<u64>,
    /// The fewest moves of one.
    moves: Option<usize>,
    heuristic: Rough<'g>,
    name: String,
}

impl Case<'_> {
    /// Replays a solution, and compares its cost with the least.
    fn check_cost(&self, what: &str, solution: Option<&[RuleId]>, weight: u64) {
        let found = solution.map(|moves| self.replayed(what, moves));
        match (found, self.cost) {
            (None, None) => {}
            (Some(found), Some(least)) => assert!(
                found >= least && found * 2 <= least * weight,
                "{}, {what}: cost {found}, the least is {least}",
                self.name
            ),
            (found, least) => panic!("{}, {what}: {found:?}, not {least:?}", self.name),
        }
    }

    /// Replays a solution, and compares its length with the shortest.
    fn check_moves(&self, what: &str, solution: Option<&[RuleId]>) {
        if let Some(moves) = solution {
            self.replayed(what, moves);
        }
        let found = solution.map(<[RuleId]>::len);
        assert_eq!(found, self.moves, "{}, {what}", self.name);
    }

    fn replayed(&self, what: &str, moves: &[RuleId]) -> u64 {
        let end = replay(self.game, &self.start, moves).unwrap();
        assert!(self.game.is_goal(end.values()), "{}, {what}", self.name);
        let costs = moves
            .iter()
            .map(|rule| self.game.rule(*rule).canonical.cost());
        costs.sum()
    }
}

fn machine(game: &Game, max_length: usize, order: Order) -> Dense {
    let rules: Vec<_> = game
        .rules()
        .iter()
        .map(|rule| rule.canonical.clone())
        .collect();
    let options = Options {
        max_length,
        order,
        ..Options::default()
    };
    let analysis = analyze(game.n_variables(), &rules, &options, |_| ());
    let words: Vec<_> = analysis.redundant_letters().collect();
    let automaton = WordAutomaton::forbidding(rules.len() as u32, &words).unwrap();
    automaton.build().unwrap()
}

/// Nodes after which a search is given up: without a solution, depth-first searches may not end.
const MAX_NODES: u64 = 200_000;

fn try_all_searches(case: &Case<'_>, tally: &mut Tally) {
    let game = case.game;
    let compiled = CompiledGame::new(game);
    let limits = || Limits {
        nodes: Some(MAX_NODES),
        ..Limits::default()
    };
    let mut any_pruned = false;
    for max_length in 0..=3 {
        let by_length = machine(game, max_length, Order::LengthLexicographic);
        let by_cost = machine(game, max_length, Order::CostLengthLexicographic);
        any_pruned |= by_length.n_states() > 1 || by_cost.n_states() > 1;
        for cycles in [
            CycleDetection::None,
            CycleDetection::Parent,
            CycleDetection::Path,
        ] {
            let what = |name: &str| format!("{name}, length {max_length}, {cycles:?}");
            let search = |machine| {
                let search = Search::new(&compiled).machine(machine);
                search.cycle_detection(cycles).limits(limits())
            };
            let reports = [
                ("dfid", 0, search(&by_length).dfid(&case.start)),
                (
                    "ida",
                    2,
                    search(&by_length).ida_star(&case.start, &ZeroHeuristic),
                ),
                (
                    "ida by cost",
                    2,
                    search(&by_cost).ida_star(&case.start, &ZeroHeuristic),
                ),
                (
                    "ida, rough",
                    2,
                    search(&by_cost).ida_star(&case.start, &case.heuristic),
                ),
                (
                    "wida",
                    3,
                    search(&by_cost).wida_star(
                        &case.start,
                        &case.heuristic,
                        Weight::new(3, 2).unwrap(),
                    ),
                ),
            ];
            for (name, weight, report) in reports {
                let report = report.unwrap();
                if matches!(report.outcome, Outcome::Stopped(_)) {
                    tally.stopped += 1;
                    continue;
                }
                tally.searches += 1;
                let moves = report.solution().map(|solution| solution.moves.as_slice());
                match weight {
                    0 => case.check_moves(&what(name), moves),
                    weight => case.check_cost(&what(name), moves, weight),
                }
            }
        }
        // The depth-first search proves that there is nothing shorter.
        if let Some(moves) = case.moves {
            let mut search = Search::new(&compiled).machine(&by_length).limits(limits());
            let report = search.dfs(&case.start, moves as u64).unwrap();
            if !matches!(report.outcome, Outcome::Stopped(_)) {
                assert!(report.solved(), "{}, dfs, length {max_length}", case.name);
                tally.searches += 1;
            }
        }
        let mut search = TranspositionSearch::new(game)
            .machine(&by_cost)
            .table_bytes(1 << 14)
            .limits(limits());
        let report = search.ida_star(&case.start, &case.heuristic).unwrap();
        if matches!(report.outcome, Outcome::Stopped(_)) {
            tally.stopped += 1;
        } else {
            tally.searches += 1;
            let moves = report.solution().map(|solution| solution.moves.as_slice());
            case.check_cost(&format!("ida with a table, length {max_length}"), moves, 2);
        }
    }
    tally.pruned += usize::from(any_pruned);
    let best_first = [
        ("bfs", 0, BestFirst::new(game).bfs(&case.start).unwrap()),
        (
            "uniform cost",
            2,
            BestFirst::new(game).uniform_cost(&case.start).unwrap(),
        ),
        (
            "A*",
            2,
            BestFirst::new(game)
                .a_star(&case.start, &case.heuristic)
                .unwrap(),
        ),
        (
            "bidirectional, by moves",
            0,
            BestFirst::new(game).bidirectional_bfs(&case.start).unwrap(),
        ),
        (
            "bidirectional",
            2,
            BestFirst::new(game).bidirectional(&case.start).unwrap(),
        ),
    ];
    for (name, weight, report) in best_first {
        tally.searches += 1;
        let moves = report.solution().map(|solution| solution.moves.as_slice());
        match weight {
            0 => case.check_moves(name, moves),
            weight => case.check_cost(name, moves, weight),
        }
    }
}

/// The shapes that games take turns in.
fn shapes() -> [GameShape; 4] {
    [
        GameShape::default(),
        GameShape {
            n_variables: 4..=5,
            n_values: 2..=2,
            n_rules: 5..=9,
            max_cost: 3,
            lost_values: false,
            ..GameShape::default()
        },
        GameShape {
            several_domains: true,
            max_cost: 1000,
            constants: 50,
            ..GameShape::default()
        },
        GameShape {
            n_rules: 2..=4,
            max_cost: 0,
            ..GameShape::default()
        },
    ]
}

fn soak(seeds: std::ops::Range<u64>) -> Tally {
    let mut tally = Tally::default();
    let shapes = shapes();
    for seed in seeds {
        let game = random_game(seed, &shapes[seed as usize % shapes.len()]);
        let mut random = SplitMix64::new(!seed);
        let states: Vec<_> = psvn_ir::testing::all_states(&game).collect();
        let graph = Graph::complete(&game);
        let unrestricted = machine(&game, 0, Order::LengthLexicographic);
        let is_goal: Vec<bool> = states.iter().map(|state| game.is_goal(state)).collect();
        let to_goal = |layer: &[u64]| {
            let goals = layer.iter().zip(&is_goal).filter(|(_, is_goal)| **is_goal);
            goals
                .map(|(cost, _)| *cost)
                .min()
                .filter(|cost| *cost != NEVER)
        };
        let estimates = (0..states.len()).map(|state| {
            let layers = least_costs(&graph, &unrestricted, state);
            let distance = to_goal(&layers[layers.len() - 1]);
            // Goal states are estimated at 0 in any case.
            distance.map_or(DEAD_END, |distance| distance / (1 + random.next_u64() % 4))
        });
        let estimates = estimates.collect();
        let number = random.below(states.len());
        let layers = least_costs(&graph, &unrestricted, number);
        let case = Case {
            game: &game,
            start: State::new(states[number].clone()),
            cost: to_goal(&layers[layers.len() - 1]),
            moves: layers.iter().position(|layer| to_goal(layer).is_some()),
            heuristic: Rough {
                game: &game,
                estimates,
            },
            name: format!("seed {seed}, start {}", graph.names[number]),
        };
        tally.games += 1;
        tally.solvable += usize::from(case.cost.is_some());
        try_all_searches(&case, &mut tally);
    }
    tally
}

#[test]
fn a_few_games() {
    let tally = soak(0..200);
    assert!(tally.games == 200);
    assert!(tally.solvable > 50 && tally.pruned > 150, "{tally:?}");
}

#[test]
#[ignore = "20,000 games on all searches: minutes"]
fn many_games() {
    println!("{:?}", soak(1000..21_000));
}
