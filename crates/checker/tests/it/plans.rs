//! Plans that can be carried out, and those that can't. Canonical rules are the judge.

use checker::{PlanFlaw, PlanMove, check_plan};
use psvn_ir::testing::{GameShape, SplitMix64, all_states, cases, random_game};
use psvn_ir::{RuleId, State};

use crate::load as game;

fn one(rule: u32) -> PlanMove {
    PlanMove {
        rules: vec![RuleId(rule)],
    }
}

/// Random games, states and rules: the source rule applies exactly if the canonical one does, and
/// leads to the same state at the same cost.
#[test]
fn moves_by_source_rules_are_those_of_canonical_rules() {
    let (mut n_made, mut n_refused) = (0, 0);
    for seed in 0..cases(300) {
        let game = random_game(seed, &GameShape::default());
        let mut random = SplitMix64::new(seed);
        let states: Vec<_> = all_states(&game).collect();
        for _ in 0..20 {
            let start = State::new(states[random.below(states.len())].to_vec());
            let n_moves = 1 + random.below(3);
            let moves: Vec<u32> = (0..n_moves)
                .map(|_| random.below(game.rules().len()) as u32)
                .collect();
            let plan: Vec<PlanMove> = moves.iter().copied().map(one).collect();
            let found = check_plan(&game, &start, &plan);
            let (mut state, mut cost) = (start.clone(), 0);
            let mut failed = None;
            for (step, rule) in moves.iter().enumerate() {
                let rule = &game.rule(RuleId(*rule)).canonical;
                if !rule.applies_to(state.values()) {
                    failed = Some(step);
                    break;
                }
                state = State::new(rule.apply(state.values()));
                cost += u128::from(rule.cost());
            }
            match (failed, found) {
                (None, Ok(checked)) => {
                    n_made += 1;
                    assert_eq!(checked.states.last(), Some(&state), "seed {seed}");
                    assert_eq!(checked.states.len(), moves.len() + 1);
                    assert_eq!(checked.cost, cost, "seed {seed}");
                    assert_eq!(checked.reaches_goal, game.is_goal(state.values()));
                }
                (
                    Some(expected),
                    Err(PlanFlaw::Inapplicable {
                        step, state: at, ..
                    }),
                ) => {
                    n_refused += 1;
                    assert_eq!((step, at), (expected, state), "seed {seed}");
                }
                other => panic!("seed {seed}: {other:?}"),
            }
        }
    }
    assert!(n_made > 300 && n_refused > 300, "{n_made}, {n_refused}");
}

/// A label that several rules share stands for any of them that applies.
#[test]
fn labels_leave_the_choice_open() {
    let game = game(
        "2  4 4
         0 - => 1 - LABEL a COST 3
         0 - => 2 - LABEL a
         2 - => 3 - LABEL b
         1 - => 3 - LABEL b
         1 - => 0 1 LABEL c
         GOAL 3 -
         GOAL - 1",
    );
    let labeled = |label: &str| PlanMove {
        rules: game
            .rules_with_ids()
            .filter(|(_, rule)| &*rule.label == label)
            .map(|(id, _)| id)
            .collect(),
    };
    let start = game
        .parse_state("0 0")
        .unwrap_or_else(|error| panic!("{error}"));
    let both = check_plan(&game, &start, &[labeled("a"), labeled("b")]).expect("a plan");
    assert_eq!((both.cost, both.reaches_goal), (2, true));
    assert_eq!(both.sources, [1, 2]);
    let only_one = check_plan(&game, &start, &[labeled("a"), labeled("c")]).expect("a plan");
    assert_eq!((only_one.cost, only_one.reaches_goal), (4, true));
    assert_eq!(only_one.sources, [0, 4]);
    let short = check_plan(&game, &start, &[labeled("a")]).expect("a plan");
    assert!(!short.reaches_goal);
    let flaw = check_plan(&game, &start, &[labeled("b")]);
    assert!(matches!(
        flaw,
        Err(PlanFlaw::Inapplicable {
            step: 0,
            position: None,
            ..
        })
    ));
    let flaw = check_plan(&game, &start, &[one(2)]);
    assert!(matches!(
        flaw,
        Err(PlanFlaw::Inapplicable {
            position: Some(0),
            ..
        })
    ));
    assert_eq!(
        check_plan(&game, &start, &[one(9)]),
        Err(PlanFlaw::UnknownRule { step: 0 })
    );
}

/// Stars, dashes and symbols without a value have the meaning of the manual.
#[test]
fn stars_and_unbound_symbols() {
    let game = game(
        "3  3 3 3
         *0 X - => 1 X X LABEL vouched
         - - 0 => Y - 1 LABEL any
         *A B - => B A - LABEL loose
         GOAL 2 2 1",
    );
    let state = |text: &str| {
        game.parse_state(text)
            .unwrap_or_else(|error| panic!("{error}"))
    };
    let labeled = |label: &str| PlanMove {
        rules: game
            .rules_with_ids()
            .filter(|(_, rule)| &*rule.label == label)
            .map(|(id, _)| id)
            .collect(),
    };
    // A starred value is not tested.
    let plan = check_plan(&game, &state("2 1 0"), &[labeled("vouched")]).expect("a plan");
    assert_eq!(plan.states[1], state("1 1 1"));
    // A symbol of the right side alone is any value, and a starred one binds nothing.
    let plan = check_plan(&game, &state("0 2 0"), &[labeled("any")]).expect("a plan");
    assert!(plan.reaches_goal && plan.states[1] == state("2 2 1"));
    let plan = check_plan(&game, &state("0 2 1"), &[labeled("loose")]).expect("a plan");
    assert!(plan.reaches_goal);
    // One instance alone.
    let instances = labeled("any").rules;
    assert_eq!(instances.len(), 3);
    for id in instances {
        let expected = game.rule(id).canonical.apply(state("0 2 0").values());
        let plan = check_plan(&game, &state("0 2 0"), &[PlanMove { rules: vec![id] }]);
        assert_eq!(plan.expect("a plan").states[1].values(), &*expected);
    }
}
