//! All searches agree with each other and with brute force: on random games and on all generators.

use std::collections::{HashMap, HashSet};

use fsm::{Dense, WordAutomaton};
use move_prune::{Options, analyze};
use psvn_ir::testing::{GameShape, SplitMix64, all_states, cases, random_game};
use psvn_ir::{Game, MAX_COST, State, Value};
use search::{CompiledGame, Outcome, Searcher, SolveReport, Ties, Weight, ZeroHeuristic};

use crate::oracle::{Erratic, answer, checked, counts, from_start, generated, run, to_goal};

/// Return a safe machine for words of at most `max_length` rules.
fn machine(game: &Game, max_length: usize) -> Dense {
    let rules: Vec<_> = game.rules().iter().map(|r| r.canonical.clone()).collect();
    let options = Options::up_to(max_length);
    let analysis = analyze(game.n_variables(), &rules, &options, |_| {});
    let words: Vec<Vec<u32>> = analysis.redundant_letters().collect();
    let automaton = WordAutomaton::forbidding(rules.len() as u32, &words).unwrap();
    automaton.build().unwrap()
}

/// Check that every generated node is accounted for.
fn check_counts(report: &SolveReport) {
    let counts = counts(report);
    let stored = counts.stored;
    // A start that is a dead end isn't stored.
    let roots = stored.states().min(1);
    assert_eq!(
        report.totals.generated,
        u128::from(counts.duplicates + counts.dead_ends + counts.beyond + stored.states() - roots),
        "{report:?}"
    );
    assert!(u128::from(stored.closed + counts.reopened) <= report.totals.expanded);
    assert!(stored.table_bytes + stored.open_bytes <= counts.peak_bytes);
}

/// A start, and what brute force says about it.
struct Subject<'a> {
    game: &'a Game,
    start: &'a State,
    /// For messages.
    context: String,
    /// The least numbers of moves to all states that can be reached.
    by_moves: HashMap<State, u128>,
    /// The least costs from these states to a goal, where there is a way.
    to_goal: HashMap<State, u128>,
    machine: Dense,
}

impl<'a> Subject<'a> {
    fn new(name: &str, game: &'a Game, start: &'a State) -> Self {
        let by_moves = from_start(game, start, true);
        let reachable: Vec<State> = by_moves.keys().cloned().collect();
        Self {
            game,
            start,
            context: format!("{name} from {}", game.format_state(start.values())),
            to_goal: to_goal(game, &reachable, false),
            by_moves,
            machine: machine(game, 3),
        }
    }

    fn least_cost(&self) -> Option<u128> {
        self.to_goal.get(self.start).copied()
    }

    /// The cost and the length of what a search found.
    fn answer(&self, report: &SolveReport) -> Option<(u128, u128)> {
        answer(self.game, self.start, report)
    }

    /// Check that a search found a least cost, or that there is no solution.
    fn check_least(&self, report: &SolveReport, more: &str) {
        let found = self.answer(report).map(|(cost, _)| cost);
        assert_eq!(found, self.least_cost(), "{}, {more}", self.context);
    }

    /// The whole space, by depth.
    fn explore(&self) {
        let report = run(self.game).explore(self.start).unwrap();
        assert_eq!(report.outcome, Outcome::NoSolution, "{}", self.context);
        let counts = counts(&report);
        let mut layers = vec![0; counts.layers.len()];
        let depths = self.by_moves.values();
        depths.for_each(|depth| layers[*depth as usize] += 1);
        assert_eq!(counts.layers, layers, "{}", self.context);
        assert_eq!(counts.stored.closed, self.by_moves.len() as u64);
        check_counts(&report);
    }

    /// Searches without a heuristic.
    fn uninformed(&self) {
        let mut search = run(self.game);
        let report = search.bfs(self.start).unwrap();
        let goals = self.by_moves.iter();
        let goals = goals.filter(|(state, _)| self.game.is_goal(state.values()));
        let fewest = goals.map(|(_, moves)| *moves).min();
        let found = self.answer(&report).map(|(_, moves)| moves);
        assert_eq!(found, fewest, "{}", self.context);
        check_counts(&report);

        let report = search.uniform_cost(self.start).unwrap();
        self.check_least(&report, "uniform cost");
        assert_eq!(counts(&report).reopened, 0);
        check_counts(&report);
        let report = search.bidirectional(self.start).unwrap();
        self.check_least(&report, "both ends");
        let report = search.a_star(self.start, &ZeroHeuristic).unwrap();
        self.check_least(&report, "A*");
    }

    /// Searches that keep to the least cost with an admissible heuristic.
    fn informed(&self, heuristic: &Erratic) {
        let mut search = run(self.game);
        let report = search.a_star(self.start, heuristic).unwrap();
        self.check_least(&report, "A*");
        check_counts(&report);
        let folder = crate::folder();
        let report = search.a_star_on_disk(self.start, heuristic, folder.path());
        self.check_least(&report.unwrap(), "on a disk");
        let compiled = CompiledGame::new(self.game);
        let searcher = Searcher::builder(&compiled)
            .machine(self.machine.clone())
            .build();
        let table_bytes = [0, 300, 5_000, 1 << 16][heuristic.seed as usize % 4];
        let mut search = searcher.run().transposition_table(table_bytes);
        let report = search.ida_star(self.start, heuristic).unwrap();
        self.check_least(&report, &format!("a table of {table_bytes} bytes"));
    }

    /// The searches from both ends by estimates that are a fixed part of the true costs, and so are
    /// consistent, and NBS by others too.
    fn both_ends(&self, seed: u64) {
        let costs = from_start(self.game, self.start, false);
        let part = |table: &HashMap<State, u128>, percent| Erratic {
            table: table.clone(),
            seed,
            percent: [percent; 2],
        };
        for (ahead, behind) in [(0, 0), (100, 100), (50, 90), (90, 0), (37, 37)] {
            let (to_goal, from_start) = (part(&self.to_goal, ahead), part(&costs, behind));
            let mut search = run(self.game);
            let report = search.bae_star(self.start, &to_goal, &from_start).unwrap();
            self.check_least(&report, &format!("BAE*, {ahead} and {behind} percent"));
            let report = search.nbs(self.start, &to_goal, &from_start).unwrap();
            self.check_least(&report, &format!("NBS, {ahead} and {behind} percent"));
            assert_eq!(counts(&report).reopened, 0, "{}", self.context);
        }
        let erratic = |table: &HashMap<State, u128>, percent| Erratic {
            table: table.clone(),
            seed,
            percent,
        };
        for percent in [[0, 100], [60, 90]] {
            let (to_goal, from_start) = (erratic(&self.to_goal, percent), erratic(&costs, percent));
            let mut search = run(self.game);
            let report = search.nbs(self.start, &to_goal, &from_start).unwrap();
            self.check_least(&report, &format!("NBS, {percent:?} percent"));
        }
    }

    /// Only solutions below a cost count, so nothing is below the least one.
    fn below_a_cost(&self, heuristic: &Erratic) {
        let least = self.least_cost();
        let most = least.map_or(u64::MAX, |cost| cost as u64);
        for weight in ["1", "2", "1000"] {
            let weight: Weight = weight.parse().unwrap();
            let mut search = run(self.game).below(most);
            let report = search.weighted_a_star(self.start, heuristic, weight);
            assert_eq!(self.answer(&report.unwrap()), None, "{}", self.context);
        }
        let mut search = run(self.game).below(most.saturating_add(1));
        let report = search.a_star(self.start, heuristic).unwrap();
        self.check_least(&report, "below");
        check_counts(&report);
    }

    /// A beam finds right solutions, and there is one if nothing had to be left out.
    fn beam(&self, heuristic: &Erratic) {
        let mut search = run(self.game);
        for width in [1, 2, 7, u64::MAX] {
            let report = search.beam(self.start, heuristic, width).unwrap();
            check_counts(&report);
            match &report.outcome {
                Outcome::NotFound => assert!(width < u64::MAX, "{}", self.context),
                _ => {
                    let found = self.answer(&report);
                    assert_eq!(
                        found.is_some(),
                        self.least_cost().is_some(),
                        "{}",
                        self.context
                    );
                }
            }
        }
    }

    /// A* and greedy search, whatever states come first of those with equal priority.
    fn in_all_orders(&self, heuristic: &Erratic) {
        for ties in [Ties::GreaterG, Ties::Lifo, Ties::Fifo, Ties::Nutshell] {
            let mut search = run(self.game).ties(ties);
            let report = search.a_star(self.start, heuristic).unwrap();
            self.check_least(&report, &format!("{ties:?}"));
            let report = search.greedy(self.start, heuristic).unwrap();
            let found = self.answer(&report).map(|(cost, _)| cost);
            let least = self.least_cost();
            let context = format!("{}, {ties:?}", self.context);
            assert_eq!(found.is_some(), least.is_some(), "{context}");
            assert!(found >= least, "{context}");
            assert_eq!(counts(&report).reopened, 0, "{context}");
            if ties != Ties::Nutshell {
                check_counts(&report);
            }
        }
    }

    /// A* with weights stays within its bound.
    fn weighted(&self, heuristic: &Erratic) {
        let mut search = run(self.game);
        for weight in ["0", "0.5", "1.5", "7/3", "1000"] {
            let weight: Weight = weight.parse().unwrap();
            let report = search.weighted_a_star(self.start, heuristic, weight);
            let report = report.unwrap();
            check_counts(&report);
            let found = self.answer(&report).map(|(cost, _)| cost);
            let least = self.least_cost();
            assert_eq!(found.is_some(), least.is_some(), "{}", self.context);
            if let (Some(found), Some(least)) = (found, least) {
                let denominator = weight.denominator();
                let most = least * u128::from(weight.numerator().max(denominator));
                assert!(found >= least, "{}", self.context);
                assert!(found * u128::from(denominator) <= most, "{}", self.context);
            }
        }
    }

    /// A solution of a depth-first search with a closed set is right; a failure proves nothing.
    fn depth_first(&self) {
        let mut search = run(self.game);
        for depth in [0, 1, 2, 3, 5, 10, u64::MAX] {
            let report = search.dfs_closed(self.start, depth).unwrap();
            match &report.outcome {
                Outcome::Solved(solution) => {
                    let (_, length) = checked(self.game, self.start, solution);
                    assert!(length <= u128::from(depth), "{}", self.context);
                }
                Outcome::NoSolution => assert_eq!(self.least_cost(), None, "{}", self.context),
                Outcome::NotFound => assert!(depth < u64::MAX, "{}", self.context),
                other => panic!("{other:?}"),
            }
        }
    }
}

/// Compare all searches from one start.
fn compare(name: &str, game: &Game, start: &State, seed: u64) {
    let subject = Subject::new(name, game, start);
    subject.explore();
    subject.uninformed();
    subject.both_ends(seed);
    for percent in [[0, 100], [100, 100], [60, 90]] {
        let heuristic = Erratic {
            table: subject.to_goal.clone(),
            seed,
            percent,
        };
        subject.informed(&heuristic);
        subject.below_a_cost(&heuristic);
        subject.beam(&heuristic);
        subject.in_all_orders(&heuristic);
        subject.weighted(&heuristic);
    }
    subject.depth_first();
}

fn game_of(seed: u64) -> Game {
    let shape = GameShape {
        several_domains: seed % 4 == 1,
        lost_values: seed % 4 != 2,
        constants: [35, 20, 10][seed as usize % 3],
        max_cost: [2, 0, 1, 9, 100_000, MAX_COST][seed as usize / 4 % 6],
        ..GameShape::default()
    };
    random_game(seed, &shape)
}

fn compare_random_games(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let game = game_of(seed);
        let states: Vec<_> = all_states(&game).collect();
        let mut random = SplitMix64::new(seed);
        for _ in 0..2 {
            let start = State::new(states[random.below(states.len())].clone());
            compare(&format!("seed {seed}"), &game, &start, seed);
        }
    }
}

#[test]
fn random_games() {
    compare_random_games(0..cases(600));
}

/// The generators at small size.
const GENERATORS: [&str; 22] = [
    "arrow:5",
    "blocks:3",
    "edit-distance:cat:cart",
    "ghi",
    "grid:3:3",
    "gripper:2",
    "hanoi:4:3",
    "lights-out:2:2",
    "logistics:2:2:1",
    "map:..#/.G.:diagonals",
    "pancake:5",
    "pyraminx",
    "rubik:2:fixed",
    "rubik:2",
    "rubik:3",
    "slide-jump:2",
    "sokoban:#######/#.@ $ #/#######",
    "sliding-tiles:2:2",
    "sliding-tiles:2:3",
    "topspin:6:3",
    "topspin:6:3:basic",
    "work-or-golf",
];

/// Return goals, states near them, and a walk away from one.
fn starts(game: &Game) -> Vec<State> {
    let mut random = SplitMix64::new(1);
    let goal = &game.goals()[0];
    let first = goal.conditions().iter();
    let first = first.map(|term| term.as_constant().unwrap_or(Value(0)));
    let mut state = State::new(first.collect::<Box<[Value]>>());
    let mut starts = vec![state.clone()];
    for step in 0..40 {
        let rules = game.rules().iter().map(|rule| &rule.canonical);
        let applicable: Vec<_> = rules
            .filter(|rule| rule.applies_to(state.values()))
            .collect();
        if applicable.is_empty() {
            break;
        }
        state = State::new(applicable[random.below(applicable.len())].apply(state.values()));
        if step % 10 == 3 {
            starts.push(state.clone());
        }
    }
    starts
}

#[test]
fn every_generator_is_compared() {
    let compared: HashSet<&str> = GENERATORS
        .iter()
        .map(|reference| domains::parse_reference(reference).0)
        .collect();
    // Games of two players are searched elsewhere.
    let two_players = ["connect", "nim", "pawns", "tic-tac-toe"];
    for domain in domains::list()
        .iter()
        .filter(|domain| !two_players.contains(&domain.name))
    {
        assert!(compared.contains(domain.name), "{} is not", domain.name);
    }
}

#[test]
fn generators() {
    for reference in GENERATORS {
        let game = generated(reference);
        let small = ![
            "pyraminx",
            "rubik:2",
            "rubik:2:fixed",
            "rubik:3",
            "work-or-golf",
        ]
        .contains(&reference);
        for start in starts(&game) {
            if small {
                compare(reference, &game, &start, 0);
            } else {
                compare_near(reference, &game, &start);
            }
        }
    }
}

/// Compare the searches with each other near the goal, in games too large for brute force.
fn compare_near(name: &str, game: &Game, goal: &State) {
    let mut random = SplitMix64::new(2);
    let mut start = goal.clone();
    for _ in 0..3 {
        let rules = game.rules().iter().map(|rule| &rule.canonical);
        let applicable: Vec<_> = rules
            .filter(|rule| rule.applies_to(start.values()))
            .collect();
        if !applicable.is_empty() {
            start = State::new(applicable[random.below(applicable.len())].apply(start.values()));
        }
    }
    let limits = search::Limits {
        nodes: Some(300_000),
        ..Default::default()
    };
    let mut search = run(game).limits(limits);
    let reports = [
        search.bfs(&start).unwrap(),
        search.uniform_cost(&start).unwrap(),
        search.bidirectional(&start).unwrap(),
    ];
    let solved = reports.iter().filter(|report| report.solved());
    let costs: HashSet<u128> = solved
        .map(|report| answer(game, &start, report).unwrap().0)
        .collect();
    assert!(costs.len() <= 1, "{name}: {costs:?}");
    assert!(costs.len() == 1 || !reports.iter().any(SolveReport::solved));
}
