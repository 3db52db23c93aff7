//! Words compared by cost, and rules in any order.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use checker::{Flaw, WordOrder, check_word};
use move_prune::{Analysis, Level, Limits, Options, Order, StopReason, analyze};
use psvn_ir::testing::{GameShape, SplitMix64, cases, random_game};
use psvn_ir::{Game, RuleId, Term};

use crate::safety::graph::{Graph, NEVER, least_costs};
use crate::safety::sequences::{Sequence, all_sequences, contains, redundant_among};
use crate::safety::{
    analysis_with, canonical_rules, certificates, forbidding, load, ranks_of, verify_analysis,
    verify_with,
};

const ORDERS: [Order; 2] = [Order::LengthLexicographic, Order::CostLengthLexicographic];

/// Random games with costs from 0 to 3, or of one cost.
pub(crate) fn game_with_costs(seed: u64) -> Game {
    let shape = GameShape {
        several_domains: seed % 4 == 1,
        lost_values: seed % 4 != 2,
        constants: [35, 20, 10][seed as usize % 3],
        max_cost: 3,
        ..GameShape::default()
    };
    random_game(seed, &shape)
}

/// A random order on the rules of a game.
pub(crate) fn random_rule_order(game: &Game, seed: u64) -> Vec<RuleId> {
    let mut order: Vec<RuleId> = game.rules_with_ids().map(|(id, _)| id).collect();
    let mut random = SplitMix64::new(seed);
    for i in (1..order.len()).rev() {
        order.swap(i, random.below(i + 1));
    }
    order
}

fn options(max_length: usize, order: Order) -> Options<'static> {
    Options {
        max_length,
        order,
        ..Options::default()
    }
}

/// The figures that don't depend on time and memory.
fn figures(analysis: &Analysis) -> Vec<[u64; 6]> {
    let figures = |level: &Level| {
        let length = level.length as u64;
        let Level {
            composed, invalid, ..
        } = *level;
        let found = [level.unreachable, level.redundant, level.kept];
        [length, composed, invalid, found[0], found[1], found[2]]
    };
    analysis.levels.iter().map(figures).collect()
}

fn assert_same(a: &Analysis, b: &Analysis) {
    assert_eq!(a.order, b.order);
    assert_eq!(a.redundant, b.redundant);
    assert_eq!(figures(a), figures(b));
    assert_eq!(a.kept.depth(), b.kept.depth());
    for length in 0..=a.kept.depth() {
        assert!(a.kept_letters(length).eq(b.kept_letters(length)));
    }
}

/// Return the number of redundant words, and the number of those replaced by longer ones.
fn verify_by_cost(seeds: std::ops::Range<u64>) -> [usize; 2] {
    let mut found = [0; 2];
    for seed in seeds {
        let game = game_with_costs(seed);
        let graph = Graph::complete(&game);
        for max_length in 1..=3 {
            let options = options(max_length, Order::CostLengthLexicographic);
            let name = format!("seed {seed}, length {max_length}");
            let analysis = analysis_with(&game, &options);
            let n_starts = graph.edges.len();
            verify_analysis(&name, &game, &analysis, &options, &graph, n_starts);
            let longer = analysis
                .redundant
                .iter()
                .filter(|redundant| redundant.replacement.len() > redundant.word.len());
            found[0] += analysis.redundant.len();
            found[1] += longer.count();
        }
    }
    found
}

#[test]
fn by_cost_every_state_keeps_its_least_cost() {
    let found = verify_by_cost(0..cases(2_000));
    assert!(found[0] > 40_000 && found[1] > 200, "{found:?}");
}

#[test]
fn rules_in_any_order_lose_nothing() {
    let mut n_redundant = 0;
    for seed in 0..cases(1_000) {
        let game = game_with_costs(seed);
        let graph = Graph::complete(&game);
        let rule_order = random_rule_order(&game, seed);
        for max_length in 1..=3 {
            for order in Order::ALL {
                let options = Options {
                    rule_order: Some(&rule_order),
                    ..options(max_length, order)
                };
                let name = format!("seed {seed}, length {max_length}, {order:?}");
                n_redundant += verify_with(&name, &game, &options, &graph, graph.edges.len());
            }
        }
    }
    assert!(n_redundant > 40_000, "{n_redundant}");
}

/// Each word compared with all that come before it in the order.
#[test]
fn in_any_order_exactly_the_redundant_words_are_found() {
    for seed in 0..cases(500) {
        let game = game_with_costs(seed);
        let graph = Graph::complete(&game);
        let rule_order = random_rule_order(&game, seed);
        let rank = |letter: &u32| rule_order.iter().position(|rule| rule.0 == *letter);
        let in_order =
            |letters: &[u32]| (letters.len(), letters.iter().map(rank).collect::<Vec<_>>());
        for order in Order::ALL {
            let mut sequences = all_sequences(&game, &graph, 3);
            sequences.sort_by_key(|sequence| {
                let by_cost = order != Order::LengthLexicographic;
                let cost = if by_cost { sequence.rule.cost() } else { 0 };
                (cost, in_order(&sequence.letters))
            });
            let may_replace = |earlier: &Sequence, sequence: &Sequence| {
                order != Order::Cost || earlier.rule.cost() < sequence.rule.cost()
            };
            let mut expected = redundant_among(&sequences, may_replace);
            expected.sort_by_key(|letters| in_order(letters));
            let analysis = analysis_with(
                &game,
                &Options {
                    rule_order: Some(&rule_order),
                    ..options(3, order)
                },
            );
            let found: Vec<Vec<u32>> = analysis.redundant_letters().collect();
            assert_eq!(found, expected, "seed {seed}, {order:?}");
            let is_kept =
                |letters: &&Vec<u32>| !expected.iter().any(|part| contains(letters, part));
            let mut kept: Vec<&Vec<u32>> = sequences
                .iter()
                .map(|sequence| &sequence.letters)
                .filter(is_kept)
                .collect();
            kept.sort_by_key(|letters| in_order(letters));
            let found = (0..=3).flat_map(|length| analysis.kept_letters(length));
            assert!(found.eq(kept.into_iter().cloned()), "seed {seed}");
            // The figures agree.
            for level in &analysis.levels {
                let redundant = analysis.redundant.iter();
                let redundant = redundant.filter(|r| r.word.len() == level.length).count();
                let kept = analysis.kept_letters(level.length).count();
                let counted = [level.redundant, level.kept];
                assert_eq!(counted, [redundant as u64, kept as u64]);
                assert_eq!(level.composed, level.invalid + counted[0] + counted[1]);
            }
        }
    }
}

#[test]
fn where_all_rules_cost_the_same_both_orders_are_one() {
    for seed in 0..cases(300) {
        let shape = GameShape {
            max_cost: 0,
            ..GameShape::default()
        };
        let game = random_game(seed, &shape);
        let [by_length, by_cost] = ORDERS.map(|order| analysis_with(&game, &options(3, order)));
        assert_same(&by_length, &by_cost);
        assert_eq!(by_cost.order, Order::LengthLexicographic);
    }
}

/// One rule that can never be used makes costs differ, so the search by cost must find the same
/// words by itself.
#[test]
fn one_expensive_useless_rule_makes_no_difference() {
    let text = domains::generate_reference("topspin:7:3").unwrap();
    let useless = "1 1 - - - - => 1 1 - - - - LABEL USELESS";
    // In a permutation no value is in two places.
    let admits = |preconditions: &[Term]| {
        let constants = preconditions.iter().filter(|term| term.is_constant());
        let mut constants: Vec<&Term> = constants.collect();
        constants.sort_unstable();
        constants.windows(2).all(|pair| pair[0] != pair[1])
    };
    let analysis = |cost: u32| {
        let goal = text.find("GOAL").unwrap();
        let rule = format!("{useless} COST {cost}\n");
        let game = load(&[&text[..goal], &rule, &text[goal..]].concat());
        let options = Options {
            admits: Some(&admits),
            ..options(5, Order::CostLengthLexicographic)
        };
        analysis_with(&game, &options)
    };
    let (same, dear) = (analysis(1), analysis(2));
    assert_eq!(same.order, Order::LengthLexicographic);
    assert_eq!(dear.order, Order::CostLengthLexicographic);
    assert_eq!(same.redundant, dear.redundant);
    assert!(same.redundant.len() > 50 && figures(&same) == figures(&dear));
}

#[test]
fn certificates_by_cost_hold_in_the_other_order_where_they_should() {
    let mut only_by_cost = 0;
    for seed in 0..cases(300) {
        let game = game_with_costs(seed);
        let rule_order = random_rule_order(&game, seed);
        let [by_length, by_cost] = ORDERS.map(|order| {
            let options = Options {
                rule_order: Some(&rule_order),
                ..options(3, order)
            };
            (analysis_with(&game, &options), ranks_of(&game, &options))
        });
        // A word that comes first by length and costs no more comes first by cost.
        for certificate in certificates(&by_length.0) {
            let order =
                WordOrder::with_ranks(checker::Order::CostLengthLexicographic, &by_length.1);
            assert_eq!(check_word(&game, certificate, order), Ok(()), "seed {seed}");
        }
        let rank = |rule: &RuleId| rule_order.iter().position(|other| other == rule);
        for certificate in certificates(&by_cost.0) {
            let key = |word: &[RuleId]| (word.len(), word.iter().map(rank).collect::<Vec<_>>());
            let is_before = key(certificate.replacement) < key(certificate.word);
            let order = WordOrder::with_ranks(checker::Order::LengthLexicographic, &by_cost.1);
            let expected = if is_before {
                Ok(())
            } else {
                only_by_cost += 1;
                Err(Flaw::NotBefore)
            };
            assert_eq!(check_word(&game, certificate, order), expected);
        }
    }
    assert!(only_by_cost > 100, "{only_by_cost}");
}

/// An expensive path and a cheap one that is longer.
const WAYS: &str = "
    DOMAIN place 3 home shore island
    1  place
    home  => island  LABEL FLY   COST 5
    home  => shore   LABEL WALK
    shore => island  LABEL SWIM
    GOAL  island
";

#[test]
fn an_expensive_rule_is_pruned_and_a_search_bounded_by_moves_misses_its_state() {
    let game = load(WAYS);
    let graph = Graph::complete(&game);
    let place = |name: &str| graph.names.iter().position(|n| n == name).unwrap();
    let (home, island) = (place("home"), place("island"));
    let analysis = |length, order| analysis_with(&game, &options(length, order));
    let [by_length, by_cost] = ORDERS.map(|order| analysis(2, order));
    assert!(by_length.redundant.is_empty() && psvn_toolkit::keeps_numbers_of_moves(&by_length));
    let found: Vec<_> = by_cost.redundant.iter().collect();
    let [fly] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!(*fly.word, [RuleId(0)]);
    assert_eq!(*fly.replacement, [RuleId(1), RuleId(2)]);
    assert!(!psvn_toolkit::keeps_numbers_of_moves(&by_cost));
    // No word that is longer than requested replaces anything.
    let too_short = analysis(1, Order::CostLengthLexicographic);
    assert!(too_short.redundant.is_empty());
    assert_eq!(too_short.kept_letters(1).count(), 3);

    let unrestricted = least_costs(&graph, &forbidding(3, &[]), home);
    let words: Vec<Vec<u32>> = by_cost.redundant_letters().collect();
    let pruned = least_costs(&graph, &forbidding(3, &words), home);
    // One move reaches the island, and the machine forbids that move.
    assert_eq!((unrestricted[1][island], pruned[1][island]), (5, NEVER));
    assert_eq!((unrestricted[2][island], pruned[2][island]), (2, 2));
}

/// The analysis by cost, stopped at the n-th report of its progress.
fn stopped_at(game: &Game, options: &Options<'_>, n: usize) -> Analysis {
    let flag = Arc::new(AtomicBool::new(false));
    let options = Options {
        limits: Limits {
            interrupt: Some(Arc::clone(&flag)),
            ..Limits::default()
        },
        ..options.clone()
    };
    let mut reports = 0;
    analyze(
        game.n_variables(),
        &canonical_rules(game),
        &options,
        |progress| {
            assert!(
                Some(progress.done) <= progress.total
                    && progress.level <= options.max_length as u64
            );
            flag.store(reports >= n, Ordering::Relaxed);
            reports += 1;
        },
    )
}

#[test]
fn a_stopped_analysis_by_cost_is_sound_and_reports_what_is_complete() {
    let (mut n_stopped, mut n_partial) = (0, 0);
    for seed in 0..cases(100) {
        let game = game_with_costs(seed);
        let graph = Graph::complete(&game);
        let options = options(3, Order::CostLengthLexicographic);
        let whole = analysis_with(&game, &options);
        if whole.order == Order::LengthLexicographic {
            continue;
        }
        let cost = |letters: &[u32]| -> u128 {
            let costs = letters
                .iter()
                .map(|l| game.rule(RuleId(*l)).canonical.cost());
            costs.map(u128::from).sum()
        };
        for n in 0.. {
            let analysis = stopped_at(&game, &options, n);
            let Some(bound) = analysis.complete_below else {
                assert!(analysis.is_complete() && n > 3);
                assert_same(&analysis, &whole);
                break;
            };
            n_stopped += 1;
            assert_eq!(analysis.stopped, Some(StopReason::Interrupted));
            let name = format!("seed {seed}, stopped at {n}");
            if n % 4 == 0 {
                let n_starts = graph.edges.len();
                verify_analysis(&name, &game, &analysis, &options, &graph, n_starts);
            }
            // A part of the whole, which contains the lengths that are reported complete.
            let all: Vec<Vec<u32>> = whole.redundant_letters().collect();
            let found: Vec<Vec<u32>> = analysis.redundant_letters().collect();
            assert!(found.iter().all(|word| all.contains(word)), "{name}");
            let is_complete =
                |word: &[u32]| cost(word) < bound || word.len() <= analysis.max_length;
            for word in all.iter().filter(|word| is_complete(word)) {
                assert!(found.contains(word), "{name}");
            }
            n_partial += usize::from(!found.is_empty() && found.len() < all.len());
            for length in 0..=3 {
                let kept: Vec<Vec<u32>> = analysis.kept_letters(length).collect();
                let complete = whole.kept_letters(length).filter(|word| is_complete(word));
                let found = kept.iter().filter(|word| is_complete(word)).cloned();
                assert!(found.eq(complete), "{name}");
            }
            if analysis.max_length >= 2 {
                assert!(analysis.impossible_pairs().eq(whole.impossible_pairs()));
            } else {
                assert_eq!(analysis.impossible_pairs().count(), 0);
            }
        }
    }
    assert!(
        n_stopped > 1_000 && n_partial > 500,
        "{n_stopped} {n_partial}"
    );
}

/// A game with prices on its rules, in turn.
fn priced(reference: &str, costs: &[u32]) -> Game {
    let text = domains::generate_reference(reference).expect("a generator");
    let mut prices = costs.iter().cycle();
    let priced = text.lines().map(|line| {
        if line.contains("=>") {
            format!("{line} COST {}\n", prices.next().expect("endless"))
        } else {
            format!("{line}\n")
        }
    });
    load(&priced.collect::<String>())
}

#[test]
fn by_cost_threads_make_no_difference() {
    for (reference, costs, max_length) in [
        ("rubik:2:fixed", &[1, 2, 1][..], 6),
        ("topspin:10:4", &[3, 0, 1, 2], 5),
        ("hanoi:4:4", &[1, 2, 3, 4, 5, 6, 7], 3),
    ] {
        let game = priced(reference, costs);
        let options = options(max_length, Order::CostLengthLexicographic);
        let [one, two, four] = [1, 2, 4].map(|n_threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
            pool.build()
                .expect("threads start")
                .install(|| analysis_with(&game, &options))
        });
        assert_same(&one, &two);
        assert_same(&one, &four);
        assert_eq!(one.order, Order::CostLengthLexicographic);
        let order = checker::Order::CostLengthLexicographic;
        let checked = checker::check_words(&game, certificates(&one), order);
        assert_eq!(checked, Ok(one.redundant.len()), "{reference}");
        assert!(one.redundant.len() > 100, "{reference}");
    }
}
