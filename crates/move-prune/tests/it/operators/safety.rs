//! Searches pruned by label reach all states that unpruned ones reach: by brute force, on random
//! games with shared labels.
//!
//! The oracle knows nothing about composition. It carries out all sequences in all states.

use std::collections::HashMap;

use fsm::{Machine, Relabeled};
use move_prune::OperatorLevel;
use psvn_ir::testing::{GameShape, SplitMix64, all_states, cases, random_game};
use psvn_ir::{Cell, GameBuilder, RuleId, State};

use super::exact::{check, check_within};
use super::*;

/// The number of moves of the compared searches.
const N_MOVES: usize = 8;

/// Return a random game of which some rules share labels.
fn game_of(seed: u64, n_labels: usize) -> Game {
    let shape = GameShape {
        lost_values: seed % 4 != 2,
        constants: [35, 20, 10][seed as usize % 3],
        max_cost: seed % 3,
        ..GameShape::default()
    };
    let plain = random_game(seed, &shape);
    let mut random = SplitMix64::new(seed ^ 0x006C_6162_656C);
    let mut builder = GameBuilder::new();
    for domain in plain.domains() {
        builder.domain(domain.clone());
    }
    for domain in plain.variables() {
        builder.variable(*domain);
    }
    for rule in plain.source_rules() {
        let label = format!("L{}", random.below(n_labels));
        builder.rule(
            Some(&label),
            rule.lhs.to_vec(),
            rule.rhs.to_vec(),
            rule.cost,
        );
    }
    builder.goal(vec![Cell::DASH; plain.n_variables()]);
    builder.build().unwrap()
}

/// The transitions of a game.
struct Graph {
    /// For each state and rule.
    step: Vec<Vec<Option<usize>>>,
    costs: Vec<u64>,
}

impl Graph {
    fn of(game: &Game) -> Self {
        let states: Vec<_> = all_states(game).collect();
        let rules = || game.rules().iter().map(|rule| &rule.canonical);
        let target = |state: &[Value], rule: &CanonicalRule| {
            let applies = rule.applies_to(state);
            applies.then(|| states.binary_search(&rule.apply(state)).unwrap())
        };
        Self {
            step: states
                .iter()
                .map(|state| rules().map(|rule| target(state, rule)).collect())
                .collect(),
            costs: rules().map(CanonicalRule::cost).collect(),
        }
    }

    /// Return, for k = 0 .. `n_moves`, the least cost at which each state can be reached by at most
    /// k moves.
    fn least_costs<M: Machine>(&self, machine: &M, start: usize, n_moves: usize) -> Vec<Vec<u64>> {
        let mut best = vec![u64::MAX; self.step.len()];
        best[start] = 0;
        let mut layers = vec![best.clone()];
        let mut known: HashMap<(usize, M::State), u64> = HashMap::new();
        let mut frontier = vec![(start, machine.start(), 0)];
        for _ in 0..n_moves {
            let mut next = Vec::new();
            for (state, memory, cost) in frontier {
                for (rule, target) in (0..).zip(&self.step[state]) {
                    let (Some(target), Some(memory)) = (*target, machine.next(memory, rule)) else {
                        continue;
                    };
                    let cost = cost + self.costs[rule as usize];
                    let known = known.entry((target, memory)).or_insert(u64::MAX);
                    if cost < *known {
                        *known = cost;
                        best[target] = best[target].min(cost);
                        next.push((target, memory, cost));
                    }
                }
            }
            frontier = next;
            layers.push(best.clone());
        }
        layers
    }

    /// Return whether a machine over labels loses a state, or its least cost within any number of
    /// moves.
    fn loses(&self, operators: &Operators, words: &[Vec<u32>]) -> bool {
        (0..self.step.len()).any(|start| self.loses_from(start, operators, words))
    }

    fn loses_from(&self, start: usize, operators: &Operators, words: &[Vec<u32>]) -> bool {
        let automaton = WordAutomaton::forbidding(operators.len() as u32, words).unwrap();
        let machine = Relabeled::new(machine(&automaton), operators.letters().to_vec());
        let all = self.least_costs(&fsm::Unrestricted, start, N_MOVES);
        all != self.least_costs(&machine, start, N_MOVES)
    }
}

/// A sequence of rules that some state allows.
struct Sequence {
    rules: Vec<u32>,
    letters: Vec<u32>,
    cost: u64,
    /// The state that it leads to from each state.
    meaning: Vec<Option<usize>>,
}

impl Sequence {
    fn replaces(&self, other: &Self) -> bool {
        let mut states = self.meaning.iter().zip(&other.meaning);
        self.cost <= other.cost && states.all(|(own, other)| other.is_none() || own == other)
    }

    fn is_before(&self, other: &Self) -> bool {
        (self.letters.len(), &self.letters) < (other.letters.len(), &other.letters)
    }
}

/// Return all of them up to a length, by length and then by their label words.
fn all_sequences(graph: &Graph, operators: &Operators, max_length: usize) -> Vec<Sequence> {
    let mut sequences = vec![Sequence {
        rules: Vec::new(),
        letters: Vec::new(),
        cost: 0,
        meaning: (0..graph.step.len()).map(Some).collect(),
    }];
    let mut first = 0;
    for _ in 0..max_length {
        for parent in std::mem::replace(&mut first, sequences.len())..sequences.len() {
            for rule in 0..graph.costs.len() {
                let parent = &sequences[parent];
                let step = |state: &Option<usize>| state.and_then(|s| graph.step[s][rule]);
                let meaning: Vec<_> = parent.meaning.iter().map(step).collect();
                if meaning.iter().any(Option::is_some) {
                    let sequence = Sequence {
                        rules: [&parent.rules[..], &[rule as u32]].concat(),
                        letters: [&parent.letters[..], &[operators.letters()[rule]]].concat(),
                        cost: parent.cost + graph.costs[rule],
                        meaning,
                    };
                    sequences.push(sequence);
                }
            }
        }
    }
    sequences.sort_by(|a, b| {
        (a.letters.len(), &a.letters, &a.rules).cmp(&(b.letters.len(), &b.letters, &b.rules))
    });
    sequences
}

/// Return the label words that a criterion forbids, without those that contain a shorter one. The
/// criterion gets the instances of a label word, and all sequences.
fn forbidden(
    sequences: &[Sequence],
    criterion: impl Fn(&[Sequence], &[Sequence]) -> bool,
) -> Vec<Vec<u32>> {
    let mut words: Vec<Vec<u32>> = Vec::new();
    for instances in sequences.chunk_by(|a, b| a.letters == b.letters) {
        let word = &instances[0].letters;
        let contains = |part: &Vec<u32>| word.windows(part.len()).any(|window| window == *part);
        if !word.is_empty() && !words.iter().any(contains) && criterion(instances, sequences) {
            words.push(word.clone());
        }
    }
    words
}

fn is_covered(instance: &Sequence, sequences: &[Sequence]) -> bool {
    sequences
        .iter()
        .take_while(|earlier| earlier.is_before(instance))
        .any(|earlier| earlier.replaces(instance))
}

/// Return the number of redundant label words, and of those with several instances.
fn verify(seeds: std::ops::Range<u64>, max_length: usize) -> [usize; 2] {
    let mut n = [0; 2];
    for seed in seeds {
        let game = game_of(seed, 2 + seed as usize % 3);
        let operators = Operators::by_label(&game);
        let graph = Graph::of(&game);
        let rules = canonical_rules(&game);
        let options = OperatorOptions::up_to(max_length);
        let analysis = analyze_operators(game.n_variables(), &rules, &operators, &options);
        check(&game, &operators, &analysis);

        // Exactly the redundant words are found, each with all of its instances.
        let sequences = all_sequences(&graph, &operators, max_length);
        let expected = forbidden(&sequences, |instances, sequences| {
            instances.iter().all(|i| is_covered(i, sequences))
        });
        let found: Vec<Vec<u32>> = analysis.redundant_letters().map(<[u32]>::to_vec).collect();
        assert_eq!(found, expected, "seed {seed}");
        for redundant in &analysis.redundant {
            let instances = sequences.iter().filter(|s| *s.letters == *redundant.word);
            let instances: Vec<&[u32]> = instances.map(|s| &*s.rules).collect();
            let numbers = |rules: &[RuleId]| rules.iter().map(|rule| rule.0).collect();
            let listed = redundant.instances.iter();
            let listed: Vec<Vec<u32>> = listed.map(|pair| numbers(&pair.instance)).collect();
            assert_eq!(instances, listed, "seed {seed}");
            n[1] += usize::from(redundant.instances.len() > 1);
        }
        n[0] += found.len();

        // Nothing is lost.
        assert!(
            !graph.loses(&operators, &found),
            "seed {seed}, length {max_length}"
        );
    }
    n
}

#[test]
fn random_games_lose_nothing() {
    // Redundant label words, and those of them with several instances.
    let least = [[60, 5], [700, 300], [2_000, 1_000], [400, 300]];
    let n_found = [(1, 500), (2, 500), (3, 500), (4, 60)]
        .map(|(max_length, n_games)| verify(0..cases(n_games), max_length));
    for (found, at_least) in n_found.into_iter().zip(least) {
        assert!(
            found[0] >= at_least[0] && found[1] >= at_least[1],
            "{n_found:?}"
        );
    }
}

/// Knowledge about the states that can be reached from a start makes more words redundant, and from
/// there nothing is lost.
#[test]
fn knowledge_about_states_helps_and_loses_nothing() {
    let mut n_words = [0; 2];
    for seed in 0..cases(300) {
        let game = game_of(seed, 2 + seed as usize % 3);
        let operators = Operators::by_label(&game);
        let graph = Graph::of(&game);
        let states: Vec<_> = all_states(&game).collect();
        let start = seed as usize % states.len();
        let known = Invariants::from_states(&game, &[State::new(states[start].clone())]);
        let admits = Known(&known);
        let rules = canonical_rules(&game);
        let analyze = |options: &OperatorOptions<'_>| {
            let analysis = analyze_operators(game.n_variables(), &rules, &operators, options);
            check_within(&game, &operators, &analysis, &known);
            let found = analysis.redundant_letters().map(<[u32]>::to_vec);
            (found.collect::<Vec<_>>(), analysis.levels)
        };
        let (words, levels) = analyze(&OperatorOptions {
            admits: Some(&admits),
            ..OperatorOptions::up_to(3)
        });
        assert!(!graph.loses_from(start, &operators, &words), "seed {seed}");
        let kept = |levels: &[OperatorLevel]| levels.iter().map(|l| l.kept).sum::<u64>();
        n_words[0] += kept(&levels);
        n_words[1] += kept(&analyze(&OperatorOptions::up_to(3)).1);
    }
    assert!(n_words[0] * 10 < n_words[1] * 9, "{n_words:?}");
}

/// The tests distinguish safe from unsafe criteria.
#[test]
fn unsafe_criteria_lose_states() {
    let n_losing = |criterion: &dyn Fn(&[Sequence], &[Sequence]) -> bool| {
        let loses = |seed: &u64| {
            let game = game_of(*seed, 2 + *seed as usize % 3);
            let operators = Operators::by_label(&game);
            let graph = Graph::of(&game);
            let sequences = all_sequences(&graph, &operators, 2);
            graph.loses(&operators, &forbidden(&sequences, criterion))
        };
        (0..400).filter(loses).count()
    };
    // One instance with a replacement is not enough.
    let some = |instances: &[Sequence], sequences: &[Sequence]| {
        instances.iter().any(|i| is_covered(i, sequences))
    };
    // Nor is a replacement with the same label word.
    let same_word = |instances: &[Sequence], sequences: &[Sequence]| {
        instances.iter().all(|instance| {
            let earlier = |s: &&Sequence| {
                s.is_before(instance)
                    || (s.letters == instance.letters && s.rules != instance.rules)
            };
            sequences
                .iter()
                .filter(earlier)
                .any(|s| s.replaces(instance))
        })
    };
    let found = [n_losing(&some), n_losing(&same_word)];
    assert!(found[0] > 300 && found[1] >= 5, "{found:?}");
}

/// The learner started in every state of a game.
#[test]
fn what_is_learned_from_any_state_is_proved() {
    let (mut n_shared, mut n_duplicates, mut n_rejected) = (0, 0, HashMap::new());
    for seed in 0..cases(600) {
        let game = game_of(seed, if seed % 2 == 0 { 3 } else { 100 });
        let operators = Operators::by_label(&game);
        let rules = canonical_rules(&game);
        if operators
            .check_unambiguous(game.n_variables(), &rules, None)
            .is_err()
        {
            continue;
        }
        n_shared += usize::from(operators.len() < rules.len());
        let graph = Graph::of(&game);
        let sequences = all_sequences(&graph, &operators, 3);
        let options = OperatorOptions::up_to(3);
        for state in all_states(&game).step_by(7) {
            let start: Vec<Term> = state.iter().map(|value| Term::constant(*value)).collect();
            let learned = learn(game.n_variables(), &rules, &operators, &start, &options).unwrap();
            let found: Vec<Vec<u32>> = duplicate_letters(&learned).map(<[u32]>::to_vec).collect();
            for (duplicate, word) in learned.duplicates.iter().zip(&found) {
                let of = |word: &[u32]| {
                    sequences
                        .iter()
                        .filter(move |s| s.letters == word)
                        .collect::<Vec<_>>()
                };
                let replacements = of(&duplicate.replacement);
                for instance in of(word) {
                    assert!(
                        replacements
                            .iter()
                            .any(|r| r.is_before(instance) && r.replaces(instance)),
                        "seed {seed}"
                    );
                }
            }
            assert!(!graph.loses(&operators, &found), "seed {seed}");
            n_duplicates += found.len();
            for rejected in &learned.rejected {
                *n_rejected.entry(rejected.reason).or_insert(0) += 1;
            }
        }
    }
    assert!(
        n_shared >= 10 && n_duplicates > 4_000,
        "{n_shared} {n_duplicates}"
    );
    assert!(
        n_rejected.len() == 3 && n_rejected.values().all(|n| *n > 100),
        "{n_rejected:?}"
    );
}
