//! Random games, pruned against unpruned, with all searches of the crate `search`.
//!
//! The oracle is brute force over the graph of all states (`safety/graph.rs`). Each search that
//! takes machines runs with those of several lengths, on one thread and on two; heuristics are
//! inconsistent ones made from the true distances, and pattern databases. Each solution is replayed
//! by the rules.

use std::collections::BTreeMap;

use abstraction::Abstraction;
use fsm::{Dense, WordAutomaton};
use invariants::Invariants;
use move_prune::{Admits, Options, Order, analyze};
use pattern_databases::PatternDatabase;
use psvn_ir::testing::{GameShape, SplitMix64, cases, random_game};
use psvn_ir::{Game, RuleId, State};
use psvn_toolkit::Known;
use search::{
    Cell, CompiledGame, CycleDetection, DEAD_END, FirstBound, Heuristic, Limits, Outcome, Searcher,
    Weight, ZeroHeuristic, replay,
};

use crate::safety::graph::{Graph, NEVER, least_costs};

/// An admissible heuristic that isn't consistent: true distances, each divided by a number from 1
/// to 4.
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
    fn estimate(&self, state: &[u32]) -> u64 {
        self.estimates[self.number(state)]
    }
}

/// The totals of a run.
#[derive(Debug, Default)]
struct Tally {
    games: usize,
    solvable: usize,
    /// Searches by name: those that were run to the end, and those that a limit stopped.
    searches: BTreeMap<&'static str, [usize; 2]>,
    /// Games for which some machine forbade something.
    pruned: usize,
    /// Games with a pattern database that isn't 0 everywhere.
    tables: usize,
}

impl Tally {
    fn ended(&mut self, name: &'static str) {
        self.searches.entry(name).or_default()[0] += 1;
    }

    fn stopped(&mut self, name: &'static str) {
        self.searches.entry(name).or_default()[1] += 1;
    }

    fn add(&mut self, other: Tally) {
        self.games += other.games;
        self.solvable += other.solvable;
        self.pruned += other.pruned;
        self.tables += other.tables;
        for (name, [ended, stopped]) in other.searches {
            let sum = self.searches.entry(name).or_default();
            sum[0] += ended;
            sum[1] += stopped;
        }
    }

    /// Print it as a table.
    fn print(&self) {
        let sum = |which: usize| -> usize { self.searches.values().map(|n| n[which]).sum() };
        println!(
            "{} games, {} solvable, {} pruned by a machine, {} with a table that knows something",
            self.games, self.solvable, self.pruned, self.tables
        );
        println!("{:<28} {:>9} {:>9}", "search", "ended", "stopped");
        for (name, [ended, stopped]) in &self.searches {
            println!("{name:<28} {ended:>9} {stopped:>9}");
        }
        println!("{:<28} {:>9} {:>9}", "all", sum(0), sum(1));
    }
}

/// One game and one start, with the results of brute force.
struct Case<'g> {
    game: &'g Game,
    start: State,
    /// The least cost of a solution.
    cost: Option<u64>,
    /// The fewest moves of one.
    moves: Option<usize>,
    heuristic: Rough<'g>,
    /// A pattern database of a random abstraction, where one can be built.
    table: Option<PatternDatabase>,
    name: String,
}

impl Case<'_> {
    /// Replay a solution, and compare its cost with the least.
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

    /// Replay a solution, and compare its length with the shortest.
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

/// The machine for words up to a length, in all states or in those with invariants.
fn machine(game: &Game, max_length: usize, order: Order, known: Option<Known<'_>>) -> Dense {
    let rules: Vec<_> = game
        .rules()
        .iter()
        .map(|rule| rule.canonical.clone())
        .collect();
    let options = Options {
        max_length,
        order,
        admits: known.as_ref().map(|known| known as &dyn Admits),
        ..Options::default()
    };
    let analysis = analyze(game.n_variables(), &rules, &options, |_| ());
    let words: Vec<_> = analysis.redundant_letters().collect();
    let automaton = WordAutomaton::forbidding(rules.len() as u32, &words).unwrap();
    automaton.build().unwrap()
}

/// Nodes after which a search is given up: without a solution, depth-first searches may not end.
const MAX_NODES: u64 = 200_000;

fn limits() -> Limits {
    Limits {
        nodes: Some(MAX_NODES),
        ..Limits::default()
    }
}

/// The guarantee of a search.
#[derive(Clone, Copy)]
enum Promise {
    /// The fewest moves.
    Moves,
    /// At most this number of halves of the least cost.
    Halves(u64),
}

impl Case<'_> {
    fn check(
        &self,
        tally: &mut Tally,
        what: (&'static str, &str),
        promise: Promise,
        outcome: &Outcome,
    ) {
        let (name, details) = what;
        let moves = match outcome {
            Outcome::Stopped(_) => return tally.stopped(name),
            Outcome::Solved(solution) => Some(solution.moves.as_slice()),
            _ => None,
        };
        tally.ended(name);
        let what = format!("{name}, {details}");
        match promise {
            Promise::Moves => self.check_moves(&what, moves),
            Promise::Halves(halves) => self.check_cost(&what, moves, halves),
        }
    }
}

/// The searches that may run beside machines.
fn try_depth_first(
    case: &Case<'_>,
    compiled: &CompiledGame,
    tally: &mut Tally,
    machines: [&Dense; 2],
    details: &str,
    how: (CycleDetection, usize),
) {
    let [by_length, by_cost] = machines;
    let (cycles, threads) = how;
    let start = &case.start;
    let search = |machine: &Dense| {
        let searcher = Searcher::builder(compiled).machine(machine.clone());
        let run = searcher.cycle_detection(cycles).build().run();
        // Threads from the first node on, or they would never be used here.
        run.threads(threads).threads_above(0).limits(limits())
    };
    let (optimal, fewest) = (Promise::Halves(2), Promise::Moves);
    let three_halves = Weight::new(3, 2).unwrap();
    let (zero, rough) = (&ZeroHeuristic, &case.heuristic);
    let growth = Weight::new(2, 1).unwrap();
    let mut reports = vec![
        ("dfid", fewest, search(by_length).dfid(start)),
        ("ida", optimal, search(by_length).ida_star(start, zero)),
        (
            "ida by cost",
            optimal,
            search(by_cost).ida_star(start, zero),
        ),
        (
            "ida, rough",
            optimal,
            search(by_cost).ida_star(start, rough),
        ),
        (
            "wida",
            Promise::Halves(3),
            search(by_cost).wida_star(start, rough, three_halves),
        ),
        (
            "ida-cr",
            optimal,
            search(by_cost).ida_star_cr(start, rough, growth),
        ),
        (
            "bts",
            optimal,
            search(by_cost).budgeted_tree_search(start, rough),
        ),
        (
            "dfbnb",
            optimal,
            search(by_cost).branch_and_bound(start, rough, FirstBound::Weighted(growth)),
        ),
    ];
    if let Some(table) = &case.table {
        reports.push((
            "ida, table",
            optimal,
            search(by_cost).ida_star(start, table),
        ));
    }
    if let Some(cost) = case.cost {
        // A bound that is met exactly, and one with slack.
        for bound in [cost, cost.saturating_add(2)] {
            let report = search(by_cost).branch_and_bound(start, rough, FirstBound::Cost(bound));
            reports.push(("dfbnb, bound", optimal, report));
        }
    }
    for (name, promise, report) in reports {
        case.check(tally, (name, details), promise, &report.unwrap().outcome);
    }
    // The depth-first search proves that there is nothing shorter.
    if let Some(moves) = case.moves {
        let report = search(by_length).dfs(start, moves as u64).unwrap();
        case.check(tally, ("dfs", details), fewest, &report.outcome);
        if let Some(less) = (moves as u64).checked_sub(1) {
            let report = search(by_length).dfs(start, less).unwrap();
            assert!(!report.solved(), "{}, dfs to {less}, {details}", case.name);
        }
    }
}

fn try_all_searches(case: &Case<'_>, tally: &mut Tally) {
    let game = case.game;
    let compiled = CompiledGame::new(game);
    let mut any_pruned = false;
    let invariants = Invariants::from_states(game, std::slice::from_ref(&case.start));
    let lengths = [
        (0, false),
        (1, false),
        (2, false),
        (3, false),
        (2, true),
        (3, true),
    ];
    for (max_length, is_within) in lengths {
        let known = is_within.then_some(Known(&invariants));
        let by_length = machine(game, max_length, Order::LengthLexicographic, known);
        let by_cost = machine(game, max_length, Order::CostLengthLexicographic, known);
        any_pruned |= by_length.n_states() > 1 || by_cost.n_states() > 1;
        for (cycles, threads) in [
            (CycleDetection::None, 1),
            (CycleDetection::Parent, 1),
            (CycleDetection::Path, 1),
            (CycleDetection::None, 2),
            (CycleDetection::Parent, 3),
        ] {
            let details = format!(
                "length {max_length}, within the invariants: {is_within}, {cycles:?}, \
                 {threads} threads"
            );
            let machines = [&by_length, &by_cost];
            try_depth_first(
                case,
                &compiled,
                tally,
                machines,
                &details,
                (cycles, threads),
            );
        }
        let details = format!("length {max_length}, within the invariants: {is_within}");
        let with_table = || {
            let searcher = Searcher::builder(&compiled)
                .machine(by_cost.clone())
                .build();
            searcher.run().transposition_table(1 << 14).limits(limits())
        };
        let rough = with_table().ida_star(&case.start, &case.heuristic);
        let what = ("ida-table", details.as_str());
        case.check(tally, what, Promise::Halves(2), &rough.unwrap().outcome);
        if let Some(table) = &case.table {
            let found = with_table().ida_star(&case.start, table).unwrap();
            let what = ("ida-table, table", details.as_str());
            case.check(tally, what, Promise::Halves(2), &found.outcome);
        }
    }
    tally.pruned += usize::from(any_pruned);
    try_best_first(case, &compiled, tally);
}

/// The searches that detect duplicates.
fn try_best_first(case: &Case<'_>, compiled: &CompiledGame, tally: &mut Tally) {
    let start = &case.start;
    let searcher = Searcher::builder(compiled).build();
    let search = || searcher.run();
    let (optimal, fewest) = (Promise::Halves(2), Promise::Moves);
    let three_halves = Weight::new(3, 2).unwrap();
    let rough = &case.heuristic;
    let mut reports = vec![
        ("bfs", fewest, search().bfs(start).unwrap()),
        ("ucs", optimal, search().uniform_cost(start).unwrap()),
        ("astar", optimal, search().a_star(start, rough).unwrap()),
        (
            "wastar",
            Promise::Halves(3),
            search()
                .weighted_a_star(start, rough, three_halves)
                .unwrap(),
        ),
        (
            "bidirectional",
            optimal,
            search().bidirectional(start).unwrap(),
        ),
        ("sma", optimal, search().sma_star(start, rough).unwrap()),
        (
            "nbs",
            optimal,
            search().nbs(start, rough, &ZeroHeuristic).unwrap(),
        ),
    ];
    if let Some(table) = &case.table {
        reports.push((
            "astar, table",
            optimal,
            search().a_star(start, table).unwrap(),
        ));
    }
    for (name, promise, report) in reports {
        let outcome = &report.outcome;
        let has_ended = matches!(outcome, Outcome::Solved(_) | Outcome::NoSolution);
        assert!(has_ended, "{}, {name}: {outcome:?}", case.name);
        case.check(tally, (name, ""), promise, outcome);
    }
    // It may miss solutions within its depth, but all that it finds are right, and it says when
    // nothing was proved.
    for depth in [1, 4, 1000] {
        let report = search().dfs_closed(start, depth).unwrap();
        match &report.outcome {
            Outcome::Solved(solution) => {
                case.replayed("dfs-closed", &solution.moves);
                assert!(solution.moves.len() as u64 <= depth, "{}", case.name);
            }
            Outcome::NoSolution => assert_eq!(case.cost, None, "{}", case.name),
            Outcome::NotFound => assert!(depth < 1000, "{}", case.name),
            other => panic!("{}: {other:?}", case.name),
        }
        tally.ended("dfs-closed");
    }
}

/// A pattern database of a game: some values merged, some variables left out. It uses no
/// invariants.
fn random_table(game: &Game, random: &mut SplitMix64) -> Option<PatternDatabase> {
    let kept = random.next_u64();
    let dropped = random.next_u64();
    let abstraction = Abstraction::keep_values(game, |domain, value| {
        (kept >> ((domain.index() * 7 + value.index()) % 64)) & 1 == 1
    });
    // Not all of them, or nothing would be left.
    let abstraction =
        abstraction.project(|var| var.index() == 0 || (dropped >> var.index()) & 3 != 0);
    let options = pattern_databases::Options {
        invariants: Some(Invariants::none(game)),
        ..pattern_databases::Options::default()
    };
    PatternDatabase::build(game, &abstraction, &options).ok()
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
        let unrestricted = machine(&game, 0, Order::LengthLexicographic, None);
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
            // Goal states have the estimate 0 in any case.
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
            table: random_table(&game, &mut random),
            name: format!("seed {seed}, start {}", graph.names[number]),
        };
        tally.games += 1;
        let knows = |table: &PatternDatabase| table.distribution().0.len() > 1;
        tally.tables += usize::from(case.table.as_ref().is_some_and(knows));
        tally.solvable += usize::from(case.cost.is_some());
        try_all_searches(&case, &mut tally);
    }
    tally
}

#[test]
fn a_few_games() {
    let games = cases(40);
    let tally = soak(0..games as u64);
    tally.print();
    assert_eq!(tally.games, games);
    assert!(
        tally.solvable > games / 4 && tally.pruned > games / 4 * 3,
        "{tally:?}"
    );
    assert!(tally.tables > games / 4, "{tally:?}");
    assert_eq!(tally.searches.len(), N_SEARCHES, "{tally:?}");
    let enough = tally.searches.values().all(|[ended, _]| *ended > games / 4);
    assert!(enough, "{tally:?}");
}

/// The number of searches with different names.
const N_SEARCHES: usize = 22;

/// The number of games between two reports of progress.
const GAMES_AT_ONCE: u64 = 500;

/// Try thousands of games.
#[test]
#[ignore = "takes 30 minutes: thousands of games on all searches"]
fn manual_many_games() {
    let n_games = cases(5_000);
    let mut tally = Tally::default();
    for first in (0..n_games).step_by(GAMES_AT_ONCE as usize) {
        let seeds = 1000 + first..1000 + n_games.min(first + GAMES_AT_ONCE);
        tally.add(soak(seeds));
        println!("{} games", tally.games);
    }
    tally.print();
}
