//! Compiled games mean what their rules mean.

use proptest::prelude::*;
use psvn_ir::testing::cases;
use psvn_ir::{Cell, Game, State, SymbolId, Value};
use search::{CompiledGame, ReplayError, StateMismatch, replay};

use crate::games::{all_states, constant, game, random_game, state, successors};

/// Check every rule and the goals in one state.
fn check(game: &Game, compiled: &CompiledGame, state: &State) {
    let expected = successors(game, state);
    let ids: Vec<_> = expected.iter().map(|(id, _)| *id).collect();
    assert_eq!(compiled.applicable_rules(state).unwrap(), ids);
    for (id, _) in game.rules_with_ids() {
        let child = expected
            .iter()
            .find(|(other, _)| *other == id)
            .map(|(_, child)| child.clone());
        assert_eq!(compiled.apply(state, id).unwrap(), child);
    }
    assert_eq!(
        compiled.is_goal(state).unwrap(),
        game.is_goal(state.values())
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(500)))]

    #[test]
    fn small_games_apply_their_rules_in_every_state(game in random_game([2, 3], 1..6, 0..8)) {
        let compiled = CompiledGame::new(&game);
        assert_eq!(compiled.cell_bytes(), 1);
        all_states(&game).iter().for_each(|state| check(&game, &compiled, state));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(500)))]

    #[test]
    fn games_of_all_widths_apply_their_rules(
        (game, states) in prop_oneof![Just([3, 256]), Just([2, 300]), Just([2, 70_000])]
            .prop_flat_map(|sizes| (
                // More variables than a block of cells holds, and more rules than a word.
                random_game(sizes, 14..40, 60..140),
                prop::collection::vec((any::<bool>(), prop::collection::vec(any::<u32>(), 40)), 20),
            ))
    ) {
        let compiled = CompiledGame::new(&game);
        for (small, numbers) in states {
            let values = (0..game.n_variables()).map(|i| {
                let size = game.domain_of(psvn_ir::VarId::from_index(i)).size() as u32;
                numbers[i] % if small { size.min(2) } else { size }
            });
            let mut state = state(values);
            check(&game, &compiled, &state);
            // States in which the n-th rule applies, so that not all of the big ones are dead.
            if let Some(rule) = game.rules().get(numbers[0] as usize % game.rules().len().max(1)) {
                state = satisfy(&rule.canonical, &state);
                check(&game, &compiled, &state);
            }
        }
    }
}

/// Return the state, changed as little as needed for the rule to apply.
fn satisfy(rule: &psvn_ir::CanonicalRule, state: &State) -> State {
    let value = |term: &psvn_ir::Term| match term.kind() {
        psvn_ir::TermKind::Constant(value) => value,
        psvn_ir::TermKind::Variable(var) => state.values()[var.index()],
    };
    State::new(
        rule.preconditions()
            .iter()
            .map(value)
            .collect::<Box<[Value]>>(),
    )
}

#[test]
fn cells_are_as_narrow_as_the_largest_domain_allows() {
    for (size, bytes) in [
        (1, 1),
        (256, 1),
        (257, 2),
        (300, 2),
        (65_536, 2),
        (65_537, 4),
    ] {
        let last = size as u32 - 1;
        let rules = [(vec![Cell::DASH], vec![constant(last)], 1)];
        let game = game(1, size, &rules, &[vec![constant(last)]]);
        let compiled = CompiledGame::new(&game);
        assert_eq!(compiled.cell_bytes(), bytes, "{size}");
        check(&game, &compiled, &state([0]));
        check(&game, &compiled, &state([last]));
    }
}

#[test]
fn a_game_without_variables_has_one_state() {
    let game = game(0, 1, &[], &[vec![]]);
    let compiled = CompiledGame::new(&game);
    check(&game, &compiled, &state([]));
    assert_eq!((compiled.n_rules(), compiled.n_variables()), (0, 0));
}

#[test]
fn states_of_other_games_are_refused() {
    let game = game(2, 3, &[(vec![Cell::DASH; 2], vec![constant(0); 2], 1)], &[]);
    let compiled = CompiledGame::new(&game);
    let short = compiled.is_goal(&state([0]));
    assert_eq!(
        short,
        Err(StateMismatch::Length {
            expected: 2,
            found: 1
        })
    );
    let foreign = compiled.applicable_rules(&state([0, 3])).unwrap_err();
    assert_eq!(
        foreign,
        StateMismatch::Value {
            position: 1,
            value: 3,
            size: 3
        }
    );
    assert_eq!(
        foreign.to_string(),
        "entry 2 of the state has value number 3, but its domain has only 3 values"
    );
    assert_eq!(
        replay(&game, &state([0, 3]), &[]),
        Err(ReplayError::Start(foreign))
    );
}

#[test]
fn replay_makes_the_moves_or_says_which_one_fails() {
    use psvn_ir::RuleId;
    let (x, y) = (Cell::symbol(SymbolId(0)), Cell::symbol(SymbolId(1)));
    let rules = [
        (vec![x, y], vec![y, x], 1),
        (vec![x, x], vec![constant(0), x], 1),
    ];
    let game = game(2, 3, &rules, &[]);
    assert_eq!(
        replay(&game, &state([1, 2]), &[RuleId(0)]),
        Ok(state([2, 1]))
    );
    assert_eq!(
        replay(&game, &state([2, 2]), &[RuleId(0), RuleId(1)]),
        Ok(state([0, 2]))
    );
    let error = replay(&game, &state([1, 2]), &[RuleId(0), RuleId(1)]).unwrap_err();
    assert!(
        matches!(&error, ReplayError::NotApplicable { step: 1, state: at, .. } if *at == state([2, 1]))
    );
    assert_eq!(error.to_string(), "move 2: rule `rule_2` does not apply");
    let error = replay(&game, &state([1, 2]), &[RuleId(9)]).unwrap_err();
    assert!(matches!(
        error,
        ReplayError::UnknownRule {
            step: 0,
            n_rules: 2,
            ..
        }
    ));
}
