//! Splitting loses nothing: by brute force on random games.

use std::collections::HashMap;

use fsm::{Dense, Machine, WordAutomaton};
use ideal_tree::{Comparison, Letters, Question, Surroundings};
use invariants::Invariants;
use move_prune::{Admits, Analysis, Options, Order};
use proptest::prelude::*;
use psvn_ir::testing::{GameShape, SplitMix64, all_states, cases, random_game};
use psvn_ir::{Game, RuleId, State, Term, Value, VarId};
use rule_splits::{ChoiceLimits, Setting, Split, SplitAnalysis, SplitGame, analyze, choose};

use crate::known::Known;

type Values = Box<[Value]>;

fn shape() -> GameShape {
    GameShape {
        max_cost: 5,
        ..GameShape::default()
    }
}

fn analysis(game: &Game, max_length: usize, order: Order, rule_order: &[RuleId]) -> Analysis {
    let options = Options {
        order,
        rule_order: Some(rule_order),
        ..Options::up_to(max_length)
    };
    let rules: Vec<_> = game.rules().iter().map(|it| it.canonical.clone()).collect();
    move_prune::analyze(game.n_variables(), &rules, &options, |_| {})
}

fn machine<'w>(n_letters: usize, words: impl Iterator<Item = &'w [u32]>) -> Dense {
    let words: Vec<&[u32]> = words.collect();
    let n_letters = u32::try_from(n_letters).unwrap();
    WordAutomaton::forbidding(n_letters, &words)
        .unwrap()
        .build()
        .unwrap()
}

fn machine_of(split: &SplitGame, found: &SplitAnalysis) -> Dense {
    machine(
        split.letters().len(),
        found.redundant.iter().map(|it| &*it.word),
    )
}

fn random_splits(game: &Game, random: &mut SplitMix64) -> Vec<Split> {
    (0..random.below(8))
        .map(|_| Split {
            rule: RuleId::from_index(random.below(game.rules().len())),
            position: VarId::from_index(random.below(game.n_variables())),
        })
        .collect()
}

/// For each number of moves, the least cost at which each state is reached.
fn least_costs(game: &Game, machine: &Dense, start: &Values) -> Vec<HashMap<Values, u64>> {
    let mut best = HashMap::from([(start.clone(), 0)]);
    let mut known = HashMap::from([((start.clone(), machine.start()), 0)]);
    let mut frontier = vec![(start.clone(), machine.start(), 0)];
    let mut layers = vec![best.clone()];
    while !frontier.is_empty() {
        let mut next = Vec::new();
        for (state, memory, cost) in frontier {
            for (id, rule) in game.rules_with_ids() {
                if !rule.canonical.applies_to(&state) {
                    continue;
                }
                let Some(memory) = machine.next(memory, id.0) else {
                    continue;
                };
                let cost = cost + rule.canonical.cost();
                let end = rule.canonical.apply(&state);
                let known = known.entry((end.clone(), memory)).or_insert(u64::MAX);
                if cost < *known {
                    *known = cost;
                    let best = best.entry(end.clone()).or_insert(u64::MAX);
                    *best = cost.min(*best);
                    next.push((end, memory, cost));
                }
            }
        }
        frontier = next;
        layers.push(best.clone());
    }
    layers
}

fn follow(
    game: &Game,
    start: &Values,
    word: impl IntoIterator<Item = RuleId>,
) -> Option<(Values, u64)> {
    word.into_iter()
        .try_fold((start.clone(), 0), |(state, cost), rule| {
            let rule = &game.rule(rule).canonical;
            let next = rule.applies_to(&state).then(|| rule.apply(&state))?;
            Some((next, cost + rule.cost()))
        })
}

/// A random game with random splits and an order of rules.
fn drawn(seed: u64, is_reversed: bool) -> (Game, Vec<Split>, Vec<RuleId>) {
    let game = random_game(seed, &shape());
    let splits = random_splits(&game, &mut SplitMix64::new(!seed));
    let mut rule_order: Vec<RuleId> = game.rules_with_ids().map(|(id, _)| id).collect();
    if is_reversed {
        rule_order.reverse();
    }
    (game, splits, rule_order)
}

fn orders() -> impl Strategy<Value = Order> {
    prop_oneof![
        Just(Order::LengthLexicographic),
        Just(Order::CostLengthLexicographic)
    ]
}

/// What many games had.
#[derive(Debug, Default)]
struct Tally {
    games: usize,
    parts: usize,
    words: usize,
    /// Sequences of parts that nothing replaces in all states.
    by_invariants: usize,
}

/// Check a game with random splits by brute force: that what replaces a sequence does what it does,
/// and that a search from a start loses nothing. `within` compares sequences in the states that
/// have the invariants of the start.
fn keeps_least_costs(
    seed: u64,
    order: Order,
    max_length: usize,
    is_reversed: bool,
    within: bool,
) -> Tally {
    let (game, splits, rule_order) = drawn(seed, is_reversed);
    let n_states = all_states(&game).count();
    let start = all_states(&game).nth(seed as usize % n_states).unwrap();
    let known = if within {
        Invariants::from_states(&game, &[State::new(start.clone())])
    } else {
        Invariants::none(&game)
    };
    let admits = Known(&known);
    let options = Options {
        order,
        rule_order: Some(&rule_order),
        admits: within.then_some(&admits as &dyn Admits),
        ..Options::up_to(max_length)
    };
    let rules: Vec<_> = game.rules().iter().map(|it| it.canonical.clone()).collect();
    let of_rules = move_prune::analyze(game.n_variables(), &rules, &options, |_| {});
    let split = SplitGame::new(&game, &splits, &|it| known.admits(it), 100_000).unwrap();
    let nothing = |_: &[Term]| true;
    let states_matter: &dyn Admits = if within { &admits } else { &nothing };
    let limits = Default::default();
    let found = analyze(
        &game,
        &split,
        &of_rules,
        Some(&rule_order),
        states_matter,
        &limits,
    );
    let found = found.unwrap();
    let rank = |rule: &RuleId| rule_order.iter().position(|it| it == rule).unwrap();
    let key = |word: &[RuleId], cost: u64| {
        let by_length = of_rules.order == Order::LengthLexicographic;
        let cost = if by_length { 0 } else { cost };
        (cost, word.len(), word.iter().map(rank).collect::<Vec<_>>())
    };
    let has_all = |state: &Values| known.check_state(&game, &State::new(state.clone())).is_ok();
    let mut tally = Tally {
        games: 1,
        parts: split.letters().len(),
        words: found.redundant.len(),
        by_invariants: 0,
    };
    let mut keeps_numbers_of_moves = true;
    for redundant in &found.redundant {
        let rules: Vec<RuleId> = redundant.word.iter().map(|it| split.rule_of(*it)).collect();
        keeps_numbers_of_moves &= redundant.replacement.len() <= rules.len();
        let mut is_everywhere = true;
        for state in all_states(&game) {
            let letters = redundant.word.iter().copied().map(RuleId);
            let Some((end, cost)) = follow(split.game(), &state, letters) else {
                continue;
            };
            let instead = follow(&game, &state, redundant.replacement.iter().copied());
            if !has_all(&state) {
                is_everywhere &= instead.is_some_and(|it| it.0 == end);
                continue;
            }
            let (other_end, other_cost) = instead.unwrap();
            assert_eq!(end, other_end, "seed {seed}");
            assert!(other_cost <= cost, "seed {seed}");
            let before = key(&redundant.replacement, other_cost);
            assert!(before < key(&rules, cost), "seed {seed}");
        }
        tally.by_invariants += usize::from(!is_everywhere);
    }
    let all = least_costs(&game, &machine(game.rules().len(), [].into_iter()), &start);
    let kept = least_costs(split.game(), &machine_of(&split, &found), &start);
    assert_eq!(all.last(), kept.last(), "seed {seed}");
    if keeps_numbers_of_moves {
        for moves in 0..all.len().max(kept.len()) {
            let layer =
                |layers: &[HashMap<Values, u64>]| layers[moves.min(layers.len() - 1)].clone();
            assert_eq!(layer(&all), layer(&kept), "seed {seed}");
        }
    }
    tally
}

/// Check both orders, in all states and within invariants, for each seed.
fn check_many(seeds: std::ops::Range<u64>) -> Tally {
    let mut all = Tally::default();
    for seed in seeds {
        for order in [Order::LengthLexicographic, Order::CostLengthLexicographic] {
            for within in [false, true] {
                let length = 1 + seed as usize % 3;
                let tally = keeps_least_costs(seed, order, length, seed % 2 == 1, within);
                all.games += tally.games;
                all.parts += tally.parts;
                all.words += tally.words;
                all.by_invariants += tally.by_invariants;
            }
        }
    }
    all
}

#[test]
fn invariants_add_words_of_parts() {
    let tally = check_many(0..60);
    assert!(tally.words > 1_000 && tally.by_invariants > 20, "{tally:?}");
}

#[test]
#[ignore = "takes 5 minutes: thousands of games"]
#[allow(clippy::print_stdout, reason = "a long run says what it tried")]
fn manual_every_state_of_many_games_keeps_its_least_cost() {
    let seeds = 10_000..10_000 + cases(2_000);
    let n_seeds = seeds.end - seeds.start;
    let tally = check_many(seeds);
    println!("{n_seeds} seeds: {tally:?}");
    assert!(tally.words as u64 > n_seeds, "{tally:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn parts_are_disjoint_and_complete(seed in any::<u64>()) {
        let (game, splits, _) = drawn(seed, false);
        let split = SplitGame::new(&game, &splits, &|_| true, 100_000).unwrap();
        prop_assert_eq!(split.game().rules().len(), split.letters().len());
        for state in all_states(&game) {
            for (id, rule) in game.rules_with_ids() {
                let parts = split.letters_of(id).map(|it| &split.game().rule(RuleId(it)).canonical);
                let parts: Vec<_> = parts.filter(|part| part.applies_to(&state)).collect();
                prop_assert_eq!(parts.len(), usize::from(rule.canonical.applies_to(&state)));
                for part in parts {
                    prop_assert_eq!(part.apply(&state), rule.canonical.apply(&state));
                    prop_assert_eq!(part.cost(), rule.canonical.cost());
                }
            }
        }
    }

    #[test]
    fn every_state_keeps_its_least_cost(
        seed in any::<u64>(),
        order in orders(),
        max_length in 1_usize..=3,
        is_reversed in any::<bool>(),
        within in any::<bool>(),
    ) {
        keeps_least_costs(seed, order, max_length, is_reversed, within);
    }

    #[test]
    fn splits_lie_between_the_analysis_and_the_ideal(
        seed in any::<u64>(),
        order in orders(),
        max_length in 1_usize..=3,
        is_reversed in any::<bool>(),
    ) {
        let (game, splits, rule_order) = drawn(seed, is_reversed);
        let of_rules = analysis(&game, max_length, order, &rule_order);
        let start = State::new(all_states(&game).next().unwrap());
        let nodes = |splits: &[Split]| {
            let split = SplitGame::new(&game, splits, &|_| true, 100_000).unwrap();
            let found =
                analyze(&game, &split, &of_rules, Some(&rule_order), &|_: &[Term]| true, &Default::default()).unwrap();
            let letter_order = split.letter_order(&rule_order);
            let question = Question {
                max_length,
                depth: 5,
                order: match of_rules.order {
                    Order::LengthLexicographic => ideal_tree::Order::LengthLexicographic,
                    Order::CostLengthLexicographic | Order::Cost => {
                        ideal_tree::Order::CostLengthLexicographic
                    }
                },
                rule_order: Some(&letter_order),
                most_differences: 20,
                growth: false,
            };
            let machine = machine_of(&split, &found);
            let limits = budget::Limits::default();
            let compared = Comparison::make(split.game(), &start, &machine, &question, &limits);
            let compared = compared.unwrap();
            // The same without a search in the split game.
            let question = Question { rule_order: Some(&rule_order), ..question };
            let steps = &mut { u64::MAX };
            let around = Surroundings::of(&game, &start, &question, &limits, steps).unwrap();
            let letter_at = |rule: RuleId, state: &[Value]| split.letter_at(rule, state);
            let letters = Letters::parts(split.game(), &letter_at);
            let again = around.compare(&letters, &machine, &question, &limits, steps).unwrap();
            assert_eq!(again, compared);
            (found, compared)
        };
        let (whole, without) = nodes(&[]);
        let words: Vec<(Vec<u32>, Vec<RuleId>)> = of_rules
            .redundant
            .iter()
            .map(|it| (it.letters(), it.replacement.to_vec()))
            .collect();
        let mut found: Vec<_> = whole
            .redundant
            .iter()
            .map(|it| (it.word.to_vec(), it.replacement.to_vec()))
            .collect();
        found.sort();
        let mut words: Vec<_> = words.into_iter().map(|it| it.0).collect();
        words.sort();
        if of_rules.order == Order::LengthLexicographic {
            prop_assert_eq!(found.into_iter().map(|it| it.0).collect::<Vec<_>>(), words);
        }
        let (_, with) = nodes(&splits);
        prop_assert_eq!(&with.ideal.nodes, &without.ideal.nodes);
        for depth in 0..=5 {
            prop_assert!(with.ideal.nodes[depth] <= with.machine.nodes[depth]);
            prop_assert!(with.machine.nodes[depth] <= without.machine.nodes[depth]);
        }
    }
}

#[test]
fn what_is_chosen_only_helps() {
    let mut n_split = 0;
    for seed in 0..cases(150) {
        let game = random_game(seed, &shape());
        let rule_order: Vec<RuleId> = game.rules_with_ids().map(|(id, _)| id).collect();
        let of_rules = analysis(&game, 3, Order::LengthLexicographic, &rule_order);
        let start = State::new(all_states(&game).next().unwrap());
        let setting = Setting {
            game: &game,
            of_rules: &of_rules,
            rule_order: None,
            known: &|_: &[Term]| true,
            start: &start,
        };
        let limits = ChoiceLimits {
            steps: 2_000_000,
            ..ChoiceLimits::for_rules(game.rules().len())
        };
        let choice = choose(setting, &limits).unwrap().unwrap();
        assert!(choice.nodes_ideal <= choice.nodes_after, "{seed}");
        assert!(choice.nodes_after <= choice.nodes_before, "{seed}");
        n_split += usize::from(!choice.splits.is_empty());
    }
    assert!(n_split > 10, "{n_split}");
}
