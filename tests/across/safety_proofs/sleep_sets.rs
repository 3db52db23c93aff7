//! Products with machines of sleep sets.

use checker::{
    AutomatonFlaw, Limits, MachineClaim, Order, ProvedInvariants, ProvedSwaps, RuleRanks,
    Successions, SwapFailure, WordOrder,
};
use fsm::{Dense, Machine, minimize, minimize_with_dont_cares, product, sleep_machine};
use move_prune::{Options, analyze, commuting_pairs};
use psvn_ir::testing::{SplitMix64, all_states, cases};
use psvn_ir::{Game, RuleId};
use psvn_toolkit::{built_in, canonical_rules};

use crate::safety_proofs::{alterations, forbidding, game_with_costs, random_rule_order};

struct Product {
    words: Vec<Vec<u32>>,
    swaps: Vec<(RuleId, RuleId)>,
    machine: Dense,
}

fn product_of(game: &Game, max_length: usize, rule_order: &[RuleId]) -> Product {
    let rules = canonical_rules(game);
    let options = Options {
        rule_order: Some(rule_order),
        ..Options::up_to(max_length)
    };
    let analysis = analyze(game.n_variables(), &rules, &options, |_| ());
    let words: Vec<Vec<u32>> = analysis.redundant_letters().collect();
    let swaps = commuting_pairs(game.n_variables(), &rules, None).pairs;
    let letters: Vec<(u32, u32)> = swaps.iter().map(|(a, b)| (a.0, b.0)).collect();
    let rank = |letter: u32| rule_order.iter().position(|rule| rule.0 == letter);
    let before = |a: u32, b: u32| rank(a) < rank(b);
    let sleep = sleep_machine(rules.len() as u32, before, &letters, 100_000).expect("few rules");
    let machine = product(&forbidding(rules.len(), &words), &sleep).expect("a small machine");
    Product {
        words,
        swaps,
        machine: minimize(&machine).expect("no larger"),
    }
}

impl Product {
    fn check(&self, game: &Game, ranks: &RuleRanks) -> Result<usize, AutomatonFlaw> {
        let swaps = ProvedSwaps::prove(game, &self.swaps, &Limits::default());
        let swaps = swaps.unwrap_or_else(|failure| panic!("{failure}"));
        self.check_with(&self.words, &swaps, ranks)
    }

    fn check_with(
        &self,
        words: &[Vec<u32>],
        swaps: &ProvedSwaps,
        ranks: &RuleRanks,
    ) -> Result<usize, AutomatonFlaw> {
        let order = WordOrder::with_ranks(Order::LengthLexicographic, ranks);
        let machine = &self.machine;
        MachineClaim::forbids(machine.n_letters(), words)
            .with_sleep_sets(swaps, order)
            .check(
                machine.start(),
                |state, letter| machine.next(state, letter),
                &Limits::default(),
            )
    }
}

/// Whether two rules can change places wherever the one can follow the other, with the same result.
fn is_swap(game: &Game, first: RuleId, second: RuleId) -> bool {
    let run = |state: &[_], order: [RuleId; 2]| {
        order.iter().try_fold(Box::from(state), |state, rule| {
            let rule = &game.rule(*rule).canonical;
            rule.applies_to(&state).then(|| rule.apply(&state))
        })
    };
    let mut n_possible = 0;
    let always = all_states(game).all(|state| match run(&state, [first, second]) {
        None => true,
        end => {
            n_possible += 1;
            run(&state, [second, first]) == end
        }
    });
    always && n_possible > 0
}

#[test]
fn products_are_proved_and_altered_ones_refused() {
    let mut counts = [0; 7];
    for seed in 0..cases(500) {
        let game = game_with_costs(seed);
        let n_rules = game.rules().len();
        let mut random = SplitMix64::new(seed);
        let rule_order = random_rule_order(&game, &mut random);
        let ranks = RuleRanks::new(&rule_order).expect("each rule once");
        let max_length = 1 + seed as usize % 3;
        let product = product_of(&game, max_length, &rule_order);
        let checked = product.check(&game, &ranks);
        assert!(checked.is_ok(), "seed {seed}: {checked:?}");
        counts[0] += product.swaps.len();

        // Each pair of rules: a swap exactly if brute force says so.
        for first in (0..n_rules).map(RuleId::from_index) {
            for second in (0..n_rules).map(RuleId::from_index) {
                let pair = (first, second);
                let is_swap = first != second && is_swap(&game, first, second);
                let proof = ProvedSwaps::prove(&game, &[pair], &Limits::default());
                assert_eq!(proof.is_ok(), is_swap, "seed {seed}: {pair:?}: {proof:?}");
                assert_eq!(product.swaps.contains(&pair), is_swap, "seed {seed}");
                if !is_swap {
                    // Added to the list, it is the pair that the error names.
                    let more = [product.swaps.as_slice(), &[pair]].concat();
                    let failure = ProvedSwaps::prove(&game, &more, &Limits::default());
                    let index = product.swaps.len();
                    assert!(matches!(
                        failure,
                        Err(SwapFailure::Flaw { index: i, pair: p, .. }) if (i, p) == (index, pair)
                    ));
                    counts[1] += 1;
                }
            }
        }

        // One swap less: the machine is too strong, unless words forbid the same.
        let proof = |swaps: &[_]| ProvedSwaps::prove(&game, swaps, &Limits::default()).unwrap();
        for dropped in 0..product.swaps.len() {
            let mut fewer = product.swaps.clone();
            fewer.remove(dropped);
            match product.check_with(&product.words, &proof(&fewer), &ranks) {
                Ok(_) => {}
                Err(AutomatonFlaw::ForbidsTooMuch { .. }) => counts[2] += 1,
                Err(other) => panic!("seed {seed}: {other}"),
            }
        }
        // The swaps in another order.
        let reversed: Vec<RuleId> = rule_order.iter().rev().copied().collect();
        let reversed = RuleRanks::new(&reversed).expect("each rule once");
        let swaps = proof(&product.swaps);
        counts[3] += usize::from(
            product
                .check_with(&product.words, &swaps, &reversed)
                .is_err(),
        );
        // A machine with one transition altered.
        if seed < 60 && product.machine.n_states() <= 40 {
            let order = WordOrder::with_ranks(Order::LengthLexicographic, &ranks);
            let claim = MachineClaim::forbids(n_rules as u32, &product.words)
                .with_sleep_sets(&swaps, order);
            for altered in alterations(&product.machine, &mut random) {
                let start = product.machine.number(product.machine.start());
                let next = |state, letter| altered.next(state, letter);
                let checked = claim.check(start, next, &Limits::default());
                // The machine is minimal: no two of its states forbid the same.
                assert!(checked.is_err(), "seed {seed}: {altered:?}");
                counts[4] += 1;
            }
        }
        // The product may also have don't-cares.
        let none = ProvedInvariants::none(&game);
        let successions =
            Successions::of_rules(&game, &none, &Limits::default()).expect("no limit");
        let impossible = |a: u32, b: u32| !successions.is_possible(Some(a), b);
        let smaller = minimize_with_dont_cares(&product.machine, impossible).expect("no larger");
        let order = WordOrder::with_ranks(Order::LengthLexicographic, &ranks);
        let exact = MachineClaim::forbids(n_rules as u32, &product.words);
        let exact = exact.with_sleep_sets(&swaps, order);
        let lenient = exact.with_dont_cares(&successions);
        let check = |claim: &MachineClaim<'_, Vec<u32>>| {
            let next = |state, letter| smaller.next(state, letter);
            claim.check(smaller.start(), next, &Limits::default())
        };
        assert!(check(&lenient).is_ok(), "seed {seed}");
        if smaller.n_states() < product.machine.n_states() {
            assert!(check(&exact).is_err());
            counts[6] += 1;
        }
        // The product isn't a machine for the words alone.
        let machine = &product.machine;
        let alone = MachineClaim::forbids(n_rules as u32, &product.words).check(
            machine.start(),
            |state, letter| machine.next(state, letter),
            &Limits::default(),
        );
        counts[5] += usize::from(alone.is_err());
    }
    let least = [500, 5_000, 40, 30, 1_000, 30, 20];
    let enough = counts
        .iter()
        .zip(least)
        .all(|(found, least)| *found > least);
    assert!(enough, "{counts:?}");
}

#[test]
fn the_product_for_topspin_is_proved() {
    let game = built_in("topspin:9:4");
    let order: Vec<RuleId> = game.rules_with_ids().map(|(id, _)| id).collect();
    let ranks = RuleRanks::new(&order).expect("each rule once");
    let product = product_of(&game, 2, &order);
    assert!(product.check(&game, &ranks).is_ok());
}
