//! All searches agree with each other and with brute force: on random games and on all generators.

use std::collections::HashSet;

use fsm::{Dense, WordAutomaton};
use move_prune::{Options, analyze};
use psvn_ir::testing::{GameShape, SplitMix64, all_states, is_thorough, random_game};
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
        u128::from(counts.duplicates + counts.dead_ends + stored.states() - roots),
        "{report:?}"
    );
    assert!(u128::from(stored.closed + counts.reopened) <= report.totals.expanded);
    assert!(stored.table_bytes + stored.open_bytes <= counts.peak_bytes);
}

/// Compare all searches from one start.
fn compare(name: &str, game: &Game, start: &State, seed: u64) {
    let context = format!("{name} from {}", game.format_state(start.values()));
    let by_cost = from_start(game, start, false);
    let by_moves = from_start(game, start, true);
    let reachable: Vec<State> = by_cost.keys().cloned().collect();
    let costs_to_goal = to_goal(game, &reachable, false);
    let least_cost = costs_to_goal.get(start).copied();
    let goals = by_moves.iter().filter(|(s, _)| game.is_goal(s.values()));
    let fewest_moves = goals.map(|(_, moves)| *moves).min();
    let cost_of = |answer: Option<(u128, u128)>| answer.map(|(cost, _)| cost);
    let moves_of = |answer: Option<(u128, u128)>| answer.map(|(_, moves)| moves);
    let mut search = run(game);

    // The whole space, by depth.
    let report = search.explore(start).unwrap();
    assert_eq!(report.outcome, Outcome::NoSolution, "{context}");
    let mut layers = vec![0; counts(&report).layers.len()];
    by_moves
        .values()
        .for_each(|depth| layers[*depth as usize] += 1);
    assert_eq!(counts(&report).layers, layers, "{context}");
    assert_eq!(
        counts(&report).stored.closed,
        reachable.len() as u64,
        "{context}"
    );
    check_counts(&report);

    // By moves.
    let report = search.bfs(start).unwrap();
    assert_eq!(
        moves_of(answer(game, start, &report)),
        fewest_moves,
        "{context}"
    );
    check_counts(&report);

    // By costs.
    let report = search.uniform_cost(start).unwrap();
    assert_eq!(
        cost_of(answer(game, start, &report)),
        least_cost,
        "{context}"
    );
    assert_eq!(counts(&report).reopened, 0);
    check_counts(&report);
    let report = search.bidirectional(start).unwrap();
    assert_eq!(
        cost_of(answer(game, start, &report)),
        least_cost,
        "{context}"
    );
    let report = search.a_star(start, &ZeroHeuristic).unwrap();
    assert_eq!(
        cost_of(answer(game, start, &report)),
        least_cost,
        "{context}"
    );

    let compiled = CompiledGame::new(game);
    let beside_machine = Searcher::builder(&compiled)
        .machine(machine(game, 3))
        .build();
    for percent in [[0, 100], [100, 100], [60, 90]] {
        let heuristic = Erratic {
            table: costs_to_goal.clone(),
            seed,
            percent,
        };
        let report = search.a_star(start, &heuristic).unwrap();
        assert_eq!(
            cost_of(answer(game, start, &report)),
            least_cost,
            "{context}"
        );
        check_counts(&report);
        let folder = crate::folder();
        let report = search.a_star_on_disk(start, &heuristic, folder.path());
        let report = report.unwrap();
        assert_eq!(
            cost_of(answer(game, start, &report)),
            least_cost,
            "{context}, on a disk"
        );
        for ties in [Ties::GreaterG, Ties::Lifo, Ties::Fifo, Ties::Nutshell] {
            let context = format!("{context}, {ties:?}");
            let mut search = run(game).ties(ties);
            let report = search.a_star(start, &heuristic).unwrap();
            let found = cost_of(answer(game, start, &report));
            assert_eq!(found, least_cost, "{context}");
            let report = search.greedy(start, &heuristic).unwrap();
            let found = cost_of(answer(game, start, &report));
            assert_eq!(found.is_some(), least_cost.is_some(), "{context}");
            assert!(found >= least_cost, "{context}");
            assert_eq!(counts(&report).reopened, 0, "{context}");
            if ties != Ties::Nutshell {
                check_counts(&report);
            }
        }
        let table_bytes = [0, 300, 5_000, 1 << 16][seed as usize % 4];
        let mut with_table = beside_machine.run().transposition_table(table_bytes);
        let report = with_table.ida_star(start, &heuristic).unwrap();
        let found = cost_of(answer(game, start, &report));
        assert_eq!(found, least_cost, "{context}, table of {table_bytes} bytes");

        for weight in ["0", "0.5", "1.5", "7/3", "1000"] {
            let weight: Weight = weight.parse().unwrap();
            let report = search.weighted_a_star(start, &heuristic, weight).unwrap();
            check_counts(&report);
            let found = cost_of(answer(game, start, &report));
            assert_eq!(found.is_some(), least_cost.is_some(), "{context}");
            if let (Some(found), Some(least)) = (found, least_cost) {
                let (numerator, denominator) = (weight.numerator(), weight.denominator());
                assert!(found >= least);
                assert!(
                    found * u128::from(denominator)
                        <= least * u128::from(numerator.max(denominator)),
                    "{context}"
                );
            }
        }
    }

    // A solution of a depth-first search with a closed set is right; a failure proves nothing.
    for depth in [0, 1, 2, 3, 5, 10, u64::MAX] {
        let report = search.dfs_closed(start, depth).unwrap();
        match &report.outcome {
            Outcome::Solved(solution) => {
                assert!(checked(game, start, solution).1 <= u128::from(depth));
            }
            Outcome::NoSolution => assert_eq!(least_cost, None, "{context}"),
            Outcome::NotFound => assert!(depth < u64::MAX),
            other => panic!("{other:?}"),
        }
    }
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
    compare_random_games(0..if is_thorough() { 600 } else { 100 });
}

#[test]
#[ignore = "takes minutes: the same on many more games"]
fn many_random_games() {
    compare_random_games(10_000..30_000);
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
        // Every second one; in large games those near the goal. All if they are asked for.
        let (most, step) = match (is_thorough(), small) {
            (true, _) => (usize::MAX, 1),
            (false, true) => (usize::MAX, 2),
            (false, false) => (2, 1),
        };
        for start in starts(&game).into_iter().step_by(step).take(most) {
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
        nodes: Some(if is_thorough() { 300_000 } else { 100_000 }),
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
