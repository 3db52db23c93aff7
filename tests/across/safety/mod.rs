//! Pruned searches reach the same states as unpruned ones: checked by brute force, on random games
//! and on all generators.
//!
//! The oracle is dynamic programming over pairs of a state and a machine state. It doesn't depend
//! on how redundant words are found, and it checks more than "every state is reached": it must be
//! reached at its least cost, and at the least cost of any path of at most k moves, for every k.

mod both_ways;
mod carried;
mod gone_wrong;
pub(crate) mod graph;
mod moribund;
mod orders;
mod sequences;
mod sleep;
mod within;

use std::collections::HashSet;

use checker::{Certificate, RuleRanks, WordOrder, check_automaton, check_words};
use fsm::{Dense, Machine, WordAutomaton, minimize};
use macro_compose::compose_all;
use move_prune::{Analysis, Options, Order, analyze};
use psvn_ir::testing::{GameShape, SplitMix64, cases, random_game};
use psvn_ir::{CanonicalRule, Game, RuleId, Value};

use graph::{Graph, first_difference, last_difference, least_costs};

fn forbidding(n_rules: usize, words: &[Vec<u32>]) -> Dense {
    let automaton = WordAutomaton::forbidding(n_rules as u32, words);
    let automaton = automaton.expect("words of the game's rules");
    automaton.build().expect("a small machine")
}

/// The machines for an analysis: of 1992, its minimization, and the table of 2011.
fn machines(analysis: &Analysis) -> [(&'static str, Dense); 3] {
    let words: Vec<Vec<u32>> = analysis.redundant_letters().collect();
    let aho_corasick = forbidding(analysis.n_rules, &words);
    let minimal = minimize(&aho_corasick).expect("no larger than before");
    let n_letters = analysis.n_rules as u32;
    let mut table = WordAutomaton::forbidding(n_letters, &words).expect("as before");
    for length in 1..analysis.max_length {
        for word in analysis.kept_letters(length) {
            table.remember(&word).expect("a word of the game's rules");
        }
    }
    let table = table.build().expect("a small machine");
    assert!(minimal.n_states() <= aho_corasick.n_states());
    assert!(aho_corasick.n_states() <= table.n_states());
    [
        ("Aho-Corasick", aho_corasick),
        ("minimal", minimal),
        ("table", table),
    ]
}

fn canonical_rules(game: &Game) -> Vec<CanonicalRule> {
    game.rules().iter().map(|r| r.canonical.clone()).collect()
}

fn analysis_of(game: &Game, max_length: usize) -> Analysis {
    analysis_with(game, &Options::up_to(max_length))
}

fn analysis_with(game: &Game, options: &Options<'_>) -> Analysis {
    let analysis = analyze(game.n_variables(), &canonical_rules(game), options, |_| {});
    assert!(analysis.is_complete() && analysis.max_length == options.max_length);
    assert_eq!(analysis.complete_below, None);
    analysis
}

/// The rule order of an analysis, for the checker.
fn ranks_of(game: &Game, options: &Options<'_>) -> RuleRanks {
    let in_file: Vec<RuleId> = game.rules_with_ids().map(|(id, _)| id).collect();
    RuleRanks::new(options.rule_order.unwrap_or(&in_file)).expect("each rule once")
}

fn certificates(analysis: &Analysis) -> impl Iterator<Item = Certificate<'_>> {
    analysis.redundant.iter().map(|redundant| Certificate {
        word: &redundant.word,
        replacement: &redundant.replacement,
    })
}

/// Everything that an analysis and its machines must satisfy. Searches start in the first
/// `n_starts` states of the graph. Return the number of redundant words.
fn verify(name: &str, game: &Game, max_length: usize, graph: &Graph, n_starts: usize) -> usize {
    verify_with(name, game, &Options::up_to(max_length), graph, n_starts)
}

fn verify_with(
    name: &str,
    game: &Game,
    options: &Options<'_>,
    graph: &Graph,
    n_starts: usize,
) -> usize {
    let analysis = analysis_with(game, options);
    verify_analysis(name, game, &analysis, options, graph, n_starts);
    analysis.redundant.len()
}

fn verify_analysis(
    name: &str,
    game: &Game,
    analysis: &Analysis,
    options: &Options<'_>,
    graph: &Graph,
    n_starts: usize,
) {
    // Every redundant word has a valid certificate.
    let order = match analysis.order {
        Order::LengthLexicographic => checker::Order::LengthLexicographic,
        Order::CostLengthLexicographic => checker::Order::CostLengthLexicographic,
        Order::Cost => checker::Order::Cost,
    };
    let ranks = ranks_of(game, options);
    let order = WordOrder::with_ranks(order, &ranks);
    let checked = check_words(game, certificates(analysis), order);
    assert_eq!(checked, Ok(analysis.redundant.len()), "{name}");

    // Each machine forbids exactly what contains a redundant word, so all forbid the same.
    let words: Vec<Vec<u32>> = analysis.redundant_letters().collect();
    let machines = machines(analysis);
    for (kind, machine) in &machines {
        let next = |state, letter| machine.next(state, letter);
        let same = check_automaton(machine.n_letters(), &words, machine.start(), next);
        assert!(same.is_ok(), "{name}, {kind}: {same:?}");
    }

    // Nothing is lost.
    let machines = machines.iter().map(|(kind, machine)| (*kind, machine));
    let within_moves = psvn_toolkit::keeps_numbers_of_moves(analysis);
    assert!(within_moves || analysis.order != Order::LengthLexicographic);
    loses_nothing(name, game, machines, within_moves, graph, n_starts);
}

/// Compare searches by machines with unpruned ones: least costs, and least costs within any number
/// of moves if requested.
fn loses_nothing<'a>(
    name: &str,
    game: &Game,
    machines: impl Iterator<Item = (&'static str, &'a Dense)> + Clone,
    within_moves: bool,
    graph: &Graph,
    n_starts: usize,
) {
    let unrestricted = forbidding(game.rules().len(), &[]);
    for start in 0..n_starts {
        let expected = least_costs(graph, &unrestricted, start);
        for (kind, machine) in machines.clone() {
            let found = least_costs(graph, machine, start);
            let difference = if within_moves {
                first_difference(&expected, &found)
            } else {
                last_difference(&expected, &found)
            };
            if let Some((moves, state)) = difference {
                panic!(
                    "{name}, {kind}: from `{}` to `{}` by {moves} moves",
                    graph.names[start], graph.names[state]
                );
            }
        }
    }
}

/// The games of the random tests: repeated symbols on the left, costs from 0 to 2, and sometimes
/// two domains or no lost values.
fn game_of(seed: u64) -> Game {
    let shape = GameShape {
        several_domains: seed % 4 == 1,
        lost_values: seed % 4 != 2,
        constants: [35, 20, 10][seed as usize % 3],
        ..GameShape::default()
    };
    random_game(seed, &shape)
}

fn verify_random_games(seeds: std::ops::Range<u64>, longest: usize) -> usize {
    let mut n_redundant = 0;
    for seed in seeds {
        let game = game_of(seed);
        let graph = Graph::complete(&game);
        for max_length in 1..=longest {
            let name = format!("seed {seed}");
            n_redundant += verify(&name, &game, max_length, &graph, graph.edges.len());
        }
    }
    n_redundant
}

#[test]
fn random_games_lose_nothing() {
    let n_redundant = verify_random_games(0..cases(5_000), 3);
    assert!(n_redundant > 100_000, "{n_redundant}");
}

#[test]
fn random_games_lose_nothing_at_length_4() {
    let n_redundant = verify_random_games(0..cases(200), 4);
    assert!(n_redundant > 7_000, "{n_redundant}");
}

fn load(text: &str) -> Game {
    let loaded = psvn_ir::load(text);
    let diagnostics = loaded.diagnostics;
    loaded.game.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

/// Two games in which a program loses states if it confuses the index of a variable with a value
/// when it tests whether one sequence generalizes another.
#[test]
fn indices_and_values_are_not_confused() {
    let word = |game: &Game, text: &str| -> Vec<u32> {
        let find = |label: &str| game.rules().iter().position(|rule| &*rule.label == label);
        let letters = text.split(' ').map(|label| find(label).unwrap() as u32);
        letters.collect()
    };
    let first = load(
        "3  3 3 2
         - - 0 => 2 2 0  LABEL SET22
         A A 0 => A A 1  LABEL FLAG
         GOAL 2 2 1",
    );
    let second = load(
        "3  3 3 2
         - - 0 => 2 0 0  LABEL SET20
         A A 0 => - - 1  LABEL FLAG
         2 0 0 => 2 0 1  LABEL REAL
         GOAL 2 0 1",
    );
    for (game, kept) in [(&first, "SET22 FLAG"), (&second, "SET20 REAL")] {
        let graph = Graph::complete(game);
        for max_length in 1..=4 {
            verify(kept, game, max_length, &graph, graph.edges.len());
        }
        let analysis = analysis_of(game, 2);
        assert!(
            analysis
                .kept_letters(2)
                .any(|letters| letters == word(game, kept))
        );
        // Each state at the bottom is two moves from the goal, unless it is a goal.
        let goal = game.goal_state().unwrap();
        let goal = graph
            .names
            .iter()
            .position(|name| *name == game.format_state(goal.values()));
        let start = graph.names.iter().position(|name| name == "0 1 0").unwrap();
        for (kind, machine) in machines(&analysis) {
            let layers = least_costs(&graph, &machine, start);
            assert_eq!(layers[2][goal.unwrap()], 2, "{kind}");
        }
    }
    // Impossible is not redundant.
    let impossible = word(&second, "SET20 FLAG");
    let rules = impossible
        .iter()
        .map(|l| &second.rule(RuleId(*l)).canonical);
    assert!(compose_all(3, rules).is_err());
    let analysis = analysis_of(&second, 2);
    assert!(
        analysis
            .redundant_letters()
            .all(|letters| letters != impossible)
    );
    assert!(
        analysis
            .kept_letters(2)
            .all(|letters| letters != impossible)
    );
    assert!(
        analysis
            .impossible_pairs()
            .any(|pair| pair.map(|rule| rule.0).as_slice() == impossible)
    );
}

/// The generators at small size: name, depth around the starts, greatest length of the analysis.
/// With depth 0, all states of the game are starts.
const GENERATORS: [(&str, usize, usize); 26] = [
    ("arrow:5", 0, 3),
    ("blocks:2", 0, 3),
    ("blocks:3", 8, 3),
    ("edit-distance:ab:ba", 0, 4),
    ("ghi", 0, 4),
    ("grid:3:3", 0, 4),
    ("gripper:1", 0, 3),
    ("gripper:2", 8, 3),
    ("hanoi:3:2", 0, 3),
    ("hanoi:4:3", 8, 2),
    ("lights-out:2:2", 0, 4),
    ("logistics:2:1:1", 0, 4),
    ("map:..#/.G.", 0, 4),
    ("pancake:4", 0, 4),
    ("pancake:5", 8, 4),
    ("pyraminx", 4, 3),
    ("rubik:2", 3, 2),
    ("rubik:2:fixed", 4, 3),
    ("rubik:3", 3, 2),
    ("slide-jump:2", 20, 4),
    ("sliding-tiles:2:2", 20, 6),
    ("sliding-tiles:2:3", 14, 4),
    ("sokoban:#####/#@$.#/#####", 0, 4),
    ("topspin:5:3", 0, 3),
    ("topspin:6:3:basic", 5, 3),
    ("work-or-golf", 5, 2),
];

/// Goal states, or states near them, from which searches start.
fn some_starts(game: &Game) -> Vec<Box<[Value]>> {
    let mut random = SplitMix64::new(1);
    let goal = &game.goals()[0];
    let state: Vec<Value> = goal
        .conditions()
        .iter()
        .map(|term| term.as_constant().unwrap_or(Value(0)))
        .collect();
    let mut state: Box<[Value]> = state.into();
    let mut starts = vec![state.clone()];
    for walk in 0..30 {
        let applicable = game.rules().iter().map(|rule| &rule.canonical);
        let applicable: Vec<_> = applicable.filter(|rule| rule.applies_to(&state)).collect();
        if applicable.is_empty() {
            break;
        }
        state = applicable[random.below(applicable.len())].apply(&state);
        if walk % 10 == 9 {
            starts.push(state.clone());
        }
    }
    let distinct: HashSet<_> = starts.drain(..).collect();
    distinct.into_iter().collect()
}

#[test]
fn every_generator_is_tested() {
    let tested: HashSet<&str> = GENERATORS
        .iter()
        .map(|(reference, ..)| domains::parse_reference(reference).0)
        .collect();
    // Sequences of rules aren't left out of games of two players.
    let two_players = ["connect", "nim", "pawns", "tic-tac-toe"];
    for domain in domains::list()
        .iter()
        .filter(|domain| !two_players.contains(&domain.name))
    {
        assert!(tested.contains(domain.name), "{} is not", domain.name);
    }
}

#[test]
fn generators_lose_nothing() {
    for (reference, depth, longest) in GENERATORS {
        let game = load(&domains::generate_reference(reference).unwrap());
        let (graph, n_starts) = if depth == 0 {
            let graph = Graph::complete(&game);
            let n_starts = graph.edges.len();
            (graph, n_starts)
        } else {
            let starts = some_starts(&game);
            let n_starts = starts.len();
            (Graph::around(&game, starts, depth), n_starts)
        };
        for max_length in 1..=longest {
            verify(reference, &game, max_length, &graph, n_starts);
        }
    }
}
