//! A glance agrees with a comparison by brute force.

use fsm::{Dense, WordAutomaton};
use ideal_tree::{Comparison, Glance, Order, Question};
use move_prune::Options;
use proptest::prelude::*;
use psvn_ir::testing::{GameShape, all_states, random_game};
use psvn_ir::{Game, State};

fn shape() -> GameShape {
    GameShape {
        max_cost: 3,
        ..GameShape::default()
    }
}

/// Return the machine that forbids every `step`-th redundant word up to a length.
fn machine(game: &Game, max_length: usize, step: usize) -> Dense {
    let rules: Vec<_> = game.rules().iter().map(|it| it.canonical.clone()).collect();
    let options = Options::up_to(max_length);
    let analysis = move_prune::analyze(game.n_variables(), &rules, &options, |_| {});
    let words: Vec<Vec<u32>> = analysis.redundant_letters().step_by(step).collect();
    let n_letters = u32::try_from(rules.len()).unwrap();
    let automaton = WordAutomaton::forbidding(n_letters, &words).unwrap();
    automaton.build().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn gaps_are_differences(
        seed in any::<u64>(),
        max_length in 1_usize..=3,
        step in 1_usize..=3,
        depth in 1_usize..=6,
    ) {
        let game = random_game(seed, &shape());
        let start = State::new(all_states(&game).next().unwrap());
        let machine = machine(&game, max_length, step);
        let question = Question {
            max_length,
            depth,
            order: Order::LengthLexicographic,
            rule_order: None,
            most_differences: 1,
            growth: false,
        };
        let limits = Default::default();
        let mut steps = u64::MAX;
        let seen = Glance::at(&game, &start, &machine, &question, &limits, &mut steps).unwrap();
        prop_assert!(steps < u64::MAX);
        let compare = |depth| {
            let question = Question { depth, ..question.clone() };
            Comparison::make(&game, &start, &machine, &question, &limits).unwrap()
        };
        let compared = compare(seen.depth);
        prop_assert_eq!(&seen.nodes, &compared.machine.nodes);
        prop_assert_eq!(seen.is_all, compared.is_all);
        // A kept sequence that isn't least may have its only non-least part further away.
        if !compared.differences.is_empty() {
            prop_assert!(seen.has_gap);
        }
        if seen.has_gap {
            prop_assert!(!compare(seen.depth + max_length).differences.is_empty());
        } else {
            prop_assert_eq!(&compared.machine.nodes, &compared.ideal.nodes);
            prop_assert!(seen.depth == depth || seen.is_all);
        }
    }
}

#[test]
fn it_ends_where_steps_do() {
    let text = domains::generate_reference("sliding-tiles:3:3").unwrap();
    let game = psvn_ir::load(&text).game.unwrap();
    let start = game.goal_state().unwrap();
    let machine = machine(&game, 3, 1);
    let question = Question {
        max_length: 3,
        depth: 6,
        order: Order::LengthLexicographic,
        rule_order: None,
        most_differences: 0,
        growth: false,
    };
    let at = |steps: &mut u64| {
        Glance::at(
            &game,
            &start,
            &machine,
            &question,
            &Default::default(),
            steps,
        )
    };
    let mut left = u64::MAX;
    let whole = at(&mut left).unwrap();
    assert_eq!(
        (whole.depth, whole.has_gap, whole.is_all),
        (6, false, false)
    );
    let taken = u64::MAX - left;
    let mut enough = taken;
    assert_eq!(at(&mut enough), Some(whole.clone()));
    assert_eq!(enough, 0);
    let nearer = at(&mut { taken / 2 }).unwrap();
    assert!(nearer.depth < 6 && nearer.nodes == whole.nodes[..=nearer.depth]);
    assert_eq!(at(&mut { 10 }), None);
}
