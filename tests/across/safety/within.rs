//! Redundancy in states with invariants: nothing is lost in searches from such states.
//!
//! The oracle is the same as for redundancy in all states. The analysis assumes the invariants of a
//! start, and searches start in each state that has them.

mod faults;

use checker::{
    Certificate, Fact, Flaw, Invariant, Limits, ProvedInvariants, ProvedSwaps, WordOrder,
    check_word, check_word_within,
};
use fsm::{product, sleep_machine};
use invariants::Invariants;
use move_prune::{Analysis, Options, Order, commuting_pairs};
use psvn_ir::testing::{GameShape, SplitMix64, all_states, cases, random_game};
use psvn_ir::{Game, RuleId, State, Term, TermKind, Value};
use psvn_toolkit::Known;

use super::graph::{Graph, first_difference, last_difference, least_costs};
use super::{analysis_with, canonical_rules, certificates, forbidding, load, ranks_of};

/// The totals of tests of many games.
#[derive(Debug, Default)]
struct Tally {
    /// The number of redundant words, and of those that the preconditions alone don't show to be
    /// redundant.
    words: usize,
    by_invariants: usize,
    /// The number of pairs of rules that change places, and of those that do so by invariants only.
    swaps: usize,
    swaps_by_invariants: usize,
}

/// A random game with variables of several values, each as bits of which one is 1. Rules test some
/// bits of a known variable, and not all.
fn one_hot_game(seed: u64) -> (Game, State) {
    let shape = GameShape {
        n_variables: 2..=3,
        several_domains: seed % 4 == 1,
        lost_values: seed % 4 != 2,
        constants: [50, 35, 20][seed as usize % 3],
        max_cost: seed % 6,
        ..GameShape::default()
    };
    let plain = random_game(seed, &shape);
    let mut random = SplitMix64::new(seed ^ 0x6F6E_6568_6F74);
    let sizes: Vec<usize> = plain
        .variables()
        .iter()
        .map(|domain| plain.domain(*domain).size())
        .collect();
    let encode = |state: &[Value]| -> String {
        let bits = state.iter().zip(&sizes).flat_map(|(value, size)| {
            (0..*size).map(|bit| if bit == value.index() { "1 " } else { "0 " })
        });
        bits.collect()
    };
    let symbol = |position: usize, bit: usize| format!("V{position}B{bit}");
    let n_bits: usize = sizes.iter().sum();
    let mut text = format!("{n_bits}\n{}\n", "2 ".repeat(n_bits));
    for rule in plain.rules() {
        let (p, a) = (rule.canonical.preconditions(), rule.canonical.actions());
        let (mut left, mut right): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for (position, size) in sizes.iter().enumerate() {
            for bit in 0..*size {
                left.push(match p[position].kind() {
                    TermKind::Constant(value) if value.index() == bit => "1".to_owned(),
                    TermKind::Constant(_) if random.chance(50) => "0".to_owned(),
                    TermKind::Constant(_) => "-".to_owned(),
                    TermKind::Variable(var) => symbol(var.index(), bit),
                });
                right.push(match (a[position].kind(), p[position].as_constant()) {
                    _ if a[position] == p[position] => "-".to_owned(),
                    (TermKind::Constant(new), _) if new.index() == bit => "1".to_owned(),
                    (TermKind::Constant(_), Some(old)) if old.index() != bit => "-".to_owned(),
                    (TermKind::Constant(_), _) => "0".to_owned(),
                    (TermKind::Variable(var), _) => symbol(var.index(), bit),
                });
            }
        }
        let cost = rule.canonical.cost();
        text += &format!("{} => {} COST {cost}\n", left.join(" "), right.join(" "));
    }
    let states: Vec<Box<[Value]>> = all_states(&plain).collect();
    let start = encode(&states[random.below(states.len())]);
    text += &format!("GOAL {start}\n");
    let game = load(&text);
    let start = game.parse_state(&start).expect("a state of the game");
    (game, start)
}

/// An unchanged random game, and a start.
fn plain_game(seed: u64) -> (Game, State) {
    let shape = GameShape {
        several_domains: seed % 4 == 1,
        lost_values: seed % 4 != 2,
        constants: [60, 45, 35][seed as usize % 3],
        max_cost: seed % 6,
        ..GameShape::default()
    };
    let game = random_game(seed, &shape);
    let states: Vec<Box<[Value]>> = all_states(&game).collect();
    let start = State::new(states[seed as usize * 7 % states.len()].clone());
    (game, start)
}

fn proved(game: &Game, known: &Invariants) -> ProvedInvariants {
    let fact = |fact: invariants::Fact| Fact {
        var: fact.var,
        value: fact.value,
    };
    let counts = known.counts().map(|count| Invariant::Count {
        facts: count.facts.into_iter().map(fact).collect(),
        number: count.number,
    });
    let never = known.unreachable_facts().map(|f| Invariant::Never(fact(f)));
    let pairs = known
        .exclusive_pairs()
        .map(|(one, other)| Invariant::Exclusive(fact(one), fact(other)));
    let claims: Vec<Invariant> = counts.chain(never).chain(pairs).collect();
    ProvedInvariants::prove(game, &claims, &Limits::default())
        .unwrap_or_else(|failure| panic!("{failure}"))
}

/// What a machine must not lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keeps {
    /// Least costs within each number of moves.
    WithinMoves,
    /// Least costs.
    Costs,
}

/// A machine to be compared with unpruned searches.
struct Tested {
    name: String,
    machine: fsm::Dense,
    keeps: Keeps,
}

impl Tested {
    fn forbidding(name: String, game: &Game, words: &[Vec<u32>], keeps: Keeps) -> Self {
        let machine = forbidding(game.rules().len(), words);
        Self {
            name,
            machine,
            keeps,
        }
    }
}

/// Compares searches by machines with unpruned ones, from all states of a graph.
fn compare(name: &str, game: &Game, graph: &Graph, machines: &[Tested]) {
    let unrestricted = forbidding(game.rules().len(), &[]);
    for start in 0..graph.edges.len() {
        let expected = least_costs(graph, &unrestricted, start);
        for tested in machines {
            let found = least_costs(graph, &tested.machine, start);
            let difference = match tested.keeps {
                Keeps::WithinMoves => first_difference(&expected, &found),
                Keeps::Costs => last_difference(&expected, &found),
            };
            if let Some((moves, state)) = difference {
                panic!(
                    "{name}, {}: from `{}` to `{}` by {moves} moves",
                    tested.name, graph.names[start], graph.names[state]
                );
            }
        }
    }
}

/// Check the certificates of an analysis. Return the number that rest on invariants.
fn certified(game: &Game, known: &ProvedInvariants, analysis: &Analysis, o: &Options<'_>) -> usize {
    let order = match analysis.order {
        Order::LengthLexicographic => checker::Order::LengthLexicographic,
        Order::CostLengthLexicographic => checker::Order::CostLengthLexicographic,
        Order::Cost => checker::Order::Cost,
    };
    let ranks = ranks_of(game, o);
    let order = WordOrder::with_ranks(order, &ranks);
    let mut n_by_invariants = 0;
    for certificate in certificates(analysis) {
        let checked = check_word_within(game, known, certificate, order);
        assert_eq!(checked, Ok(()), "{certificate:?}\n{:?}", game.rules());
        n_by_invariants += usize::from(check_word(game, certificate, order).is_err());
    }
    assert!(n_by_invariants == 0 || analysis.rests_on_knowledge);
    n_by_invariants
}

/// Check all that must be true of analyses of a game in states with the invariants of a start.
fn verify(name: &str, game: &Game, start: &State, longest: usize, tally: &mut Tally) {
    let known = Invariants::from_states(game, std::slice::from_ref(start));
    let proved = proved(game, &known);
    let has_all = |state: &[Value]| {
        let state = State::new(Box::from(state));
        known.check_state(game, &state).is_ok()
    };
    let graph = Graph::around(game, all_states(game).filter(|state| has_all(state)), 1);
    let admits = Known(&known);
    let pairs = commuting_pairs(game.n_variables(), &canonical_rules(game), Some(&admits));
    let everywhere = commuting_pairs(game.n_variables(), &canonical_rules(game), None);
    tally.swaps += pairs.pairs.len();
    tally.swaps_by_invariants += pairs.pairs.len() - everywhere.pairs.len();
    let swaps = ProvedSwaps::prove_within(game, &proved, &pairs.pairs, &Limits::default());
    assert!(swaps.is_ok(), "{name}: {swaps:?}");
    let letters: Vec<(u32, u32)> = pairs.pairs.iter().map(|(a, b)| (a.0, b.0)).collect();
    let n_rules = game.rules().len();
    let sleep = sleep_machine(n_rules as u32, |a, b| a < b, &letters, 100_000).expect("few rules");
    // Of machines of which one allows less than the other, the stricter one is compared: what it
    // keeps, the other one keeps too.
    let mut machines: Vec<Tested> = Vec::new();
    for order in [Order::LengthLexicographic, Order::CostLengthLexicographic] {
        let mut shorter: Option<(Vec<Vec<u32>>, Keeps)> = None;
        for max_length in 1..=longest {
            let options = Options {
                max_length,
                order,
                admits: Some(&admits),
                ..Options::default()
            };
            let analysis = analysis_with(game, &options);
            tally.words += analysis.redundant.len();
            tally.by_invariants += certified(game, &proved, &analysis, &options);
            let words: Vec<Vec<u32>> = analysis.redundant_letters().collect();
            let keeps = if psvn_toolkit::keeps_numbers_of_moves(&analysis) {
                Keeps::WithinMoves
            } else {
                Keeps::Costs
            };
            let is_stricter = |(before, of_them): &(Vec<Vec<u32>>, Keeps)| {
                let is_forbidden = |word: &Vec<u32>| {
                    let mut parts = (1..=word.len()).flat_map(|n| word.windows(n));
                    parts.any(|part| words.iter().any(|it| it == part))
                };
                *of_them == keeps && before.iter().all(is_forbidden)
            };
            if let Some((before, of_them)) = shorter.take_if(|it| !is_stricter(it)) {
                let name = format!("length {}, {order:?}", max_length - 1);
                machines.push(Tested::forbidding(name, game, &before, of_them));
            }
            shorter = Some((words, keeps));
        }
        let (words, keeps) = shorter.expect("there is a length");
        let machine = product(&forbidding(n_rules, &words), &sleep).expect("small machines");
        let name = format!("length {longest}, {order:?}, sleep sets");
        machines.push(Tested {
            name,
            machine,
            keeps,
        });
    }
    // The product that keeps least costs within numbers of moves is stricter.
    if machines.iter().all(|it| it.keeps == Keeps::Costs) {
        machines.push(Tested {
            name: "sleep sets".to_owned(),
            machine: sleep,
            keeps: Keeps::WithinMoves,
        });
    }
    compare(name, game, &graph, &machines);
}

fn verify_all(seeds: std::ops::Range<u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let (game, start) = one_hot_game(seed);
        verify(&format!("bits, seed {seed}"), &game, &start, 3, &mut tally);
        let (game, start) = plain_game(seed);
        verify(&format!("seed {seed}"), &game, &start, 3, &mut tally);
    }
    tally
}

#[test]
fn nothing_is_lost_in_states_with_the_invariants() {
    let tally = verify_all(0..300);
    assert!(
        tally.words > 9_000 && tally.by_invariants > 2_000 && tally.swaps_by_invariants > 200,
        "{tally:?}"
    );
}

#[test]
#[ignore = "takes 20 minutes: 50,000 games"]
#[allow(clippy::print_stdout, reason = "a long run says what it tried")]
fn manual_nothing_is_lost_in_states_with_the_invariants_of_many_games() {
    // Two games for each seed.
    let seeds = 10_000..10_000 + cases(25_000);
    let n_seeds = seeds.end - seeds.start;
    let tally = verify_all(seeds);
    println!("{} games: {tally:?}", 2 * n_seeds);
    assert!(tally.by_invariants as u64 > 3 * n_seeds, "{tally:?}");
}

/// Games whose variables are bits, or values that occur once.
#[test]
fn nothing_is_lost_in_built_in_games() {
    let mut tally = Tally::default();
    for (reference, longest) in [
        ("hanoi:3:2", 4),
        ("hanoi:4:2", 3),
        ("blocks:2", 4),
        ("gripper:1", 4),
        ("sliding-tiles:2:2", 6),
        ("topspin:4:3", 3),
    ] {
        let game = psvn_toolkit::built_in(reference);
        let start = game.goals()[0].conditions();
        let value = |term: &Term| term.as_constant().unwrap_or(Value(0));
        let start = State::new(start.iter().map(value).collect::<Vec<_>>());
        verify(reference, &game, &start, longest, &mut tally);
    }
    assert!(tally.by_invariants > 100, "{tally:?}");
}

/// A light that is switched on and off, by two bits that exclude each other.
const LIGHT: &str = "
    2  2 2
    1 - => 0 1  LABEL off
    - 1 => 1 0  LABEL on
    - 0 => - 1  LABEL force
    GOAL 1 0
";

#[test]
fn a_certificate_that_depends_on_invariants_holds_only_within_them() {
    let game = load(LIGHT);
    // Off, then on: nothing, as the second bit was 0 if the first one was 1.
    let certificate = Certificate {
        word: &[RuleId(0), RuleId(1)],
        replacement: &[],
    };
    let order = checker::Order::LengthLexicographic;
    let everywhere = check_word(&game, certificate, order);
    assert_eq!(everywhere, Err(Flaw::DifferentResult { position: 1 }));
    let without_force = load(&LIGHT.replace("    - 0 => - 1  LABEL force\n", ""));
    let start = without_force.parse_state("1 0").expect("a state");
    let known = Invariants::from_states(&without_force, &[start]);
    let known = proved(&without_force, &known);
    let within = check_word_within(&without_force, &known, certificate, order);
    assert_eq!(within, Ok(()));
    // With a rule that breaks it, the invariant can't be proved.
    let start = game.parse_state("1 0").expect("a state");
    let known = proved(&game, &Invariants::from_states(&game, &[start]));
    let within = check_word_within(&game, &known, certificate, order);
    assert_eq!(within, Err(Flaw::DifferentResult { position: 1 }));
}
