//! Sleep sets, alone and together with redundant words, under the same order of rules.

use checker::{Certificate, RuleRanks, WordOrder, check_word};
use fsm::{Dense, product, sleep_machine};
use move_prune::{Options, Order, commuting_pairs};
use psvn_ir::testing::cases;
use psvn_ir::{Game, RuleId};

use crate::safety::graph::Graph;
use crate::safety::orders::{game_with_costs, random_rule_order};
use crate::safety::{analysis_with, canonical_rules, forbidding, loses_nothing};

fn sleep_sets(game: &Game, pairs: &[(RuleId, RuleId)], rule_order: &[RuleId]) -> Dense {
    let rank = |letter: u32| rule_order.iter().position(|rule| rule.0 == letter);
    let pairs: Vec<(u32, u32)> = pairs.iter().map(|(a, b)| (a.0, b.0)).collect();
    let before = |a: u32, b: u32| rank(a) < rank(b);
    sleep_machine(game.rules().len() as u32, before, &pairs, 100_000).expect("few rules")
}

#[test]
fn sleep_sets_lose_nothing_in_any_rule_order() {
    let (mut n_pairs, mut n_stronger) = (0, 0);
    for seed in 0..cases(1_500) {
        let game = game_with_costs(seed);
        let n_rules = game.rules().len();
        let graph = Graph::complete(&game);
        let n_starts = graph.edges.len();
        let rule_order = random_rule_order(&game, seed);
        let pairs = commuting_pairs(game.n_variables(), &canonical_rules(&game), None).pairs;
        n_pairs += pairs.len();

        // Each pair is certified, when rules are ordered so that the replacement comes first.
        for &(first, second) in &pairs {
            let others = rule_order.iter().filter(|r| ![first, second].contains(r));
            let order: Vec<RuleId> = [second, first].iter().chain(others).copied().collect();
            let ranks = RuleRanks::new(&order).expect("each rule once");
            let order = WordOrder::with_ranks(checker::Order::LengthLexicographic, &ranks);
            let certificate = Certificate {
                word: &[first, second],
                replacement: &[second, first],
            };
            assert_eq!(check_word(&game, certificate, order), Ok(()), "seed {seed}");
        }

        let sleep = sleep_sets(&game, &pairs, &rule_order);
        let name = format!("seed {seed}");
        let alone = [("sleep sets", &sleep)].into_iter();
        loses_nothing(&name, &game, alone, true, &graph, n_starts);
        for max_length in 1..=3 {
            for order in [Order::LengthLexicographic, Order::CostLengthLexicographic] {
                let options = Options {
                    max_length,
                    order,
                    rule_order: Some(&rule_order),
                    ..Options::default()
                };
                let analysis = analysis_with(&game, &options);
                let words: Vec<Vec<u32>> = analysis.redundant_letters().collect();
                let redundancy = forbidding(n_rules, &words);
                let both = product(&redundancy, &sleep).expect("small machines");
                let name = format!("seed {seed}, length {max_length}, {order:?}");
                let within_moves = psvn_toolkit::keeps_numbers_of_moves(&analysis);
                let machines = [("product", &both)].into_iter();
                loses_nothing(&name, &game, machines, within_moves, &graph, n_starts);
                let rate = |machine: &Dense| fsm::growth(machine).value();
                if seed < 200 {
                    n_stronger += usize::from(rate(&both) < rate(&redundancy) - 1e-6);
                }
            }
        }
    }
    assert!(n_pairs > 1_000 && n_stronger > 10, "{n_pairs} {n_stronger}");
}

/// The orders must be the same: of two words that replace each other, different orders keep
/// different ones.
#[test]
fn sleep_sets_in_another_rule_order_lose_states() {
    let mut n_wrong = 0;
    for seed in 0..cases(300) {
        let game = game_with_costs(seed);
        let graph = Graph::complete(&game);
        let rule_order = random_rule_order(&game, seed);
        let reversed: Vec<RuleId> = rule_order.iter().rev().copied().collect();
        let pairs = commuting_pairs(game.n_variables(), &canonical_rules(&game), None).pairs;
        let options = Options {
            max_length: 2,
            rule_order: Some(&rule_order),
            ..Options::default()
        };
        let words: Vec<Vec<u32>> = analysis_with(&game, &options).redundant_letters().collect();
        let redundancy = forbidding(game.rules().len(), &words);
        let both = product(&redundancy, &sleep_sets(&game, &pairs, &reversed));
        let both = both.expect("small machines");
        let unrestricted = forbidding(game.rules().len(), &[]);
        let is_wrong = |start: usize| {
            let costs = |machine| crate::safety::least_costs(&graph, machine, start);
            crate::safety::last_difference(&costs(&unrestricted), &costs(&both)).is_some()
        };
        n_wrong += usize::from((0..graph.edges.len()).any(is_wrong));
    }
    assert!(n_wrong > 5, "{n_wrong}");
}
