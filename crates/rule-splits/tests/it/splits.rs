//! Splits of the games that motivated them: as good as the ideal tree.

use invariants::Invariants;
use move_prune::{Analysis, Options};
use psvn_ir::{Game, Term};
use rule_splits::{Choice, ChoiceLimits, Setting, SplitGame, choose, choose_or_settle};

use crate::known::Known;

fn game(reference: &str) -> Game {
    let text = domains::generate_reference(reference).unwrap();
    psvn_ir::load(&text).game.unwrap()
}

fn analysis(game: &Game, max_length: usize, known: &Invariants) -> Analysis {
    let known = Known(known);
    let options = Options {
        admits: Some(&known),
        ..Options::up_to(max_length)
    };
    let rules: Vec<_> = game.rules().iter().map(|it| it.canonical.clone()).collect();
    move_prune::analyze(game.n_variables(), &rules, &options, |_| {})
}

/// The choice, and the number of parts.
fn choice(reference: &str, max_length: usize) -> (Choice, usize) {
    let game = game(reference);
    let known = Invariants::from_goals(&game);
    let admits = |preconditions: &[Term]| known.admits(preconditions);
    let setting = Setting {
        game: &game,
        of_rules: &analysis(&game, max_length, &known),
        rule_order: None,
        known: &Known(&known),
        start: &game.goal_state().unwrap(),
    };
    let choice = choose(setting, &ChoiceLimits::for_rules(game.rules().len()));
    let choice = choice.unwrap().unwrap();
    let split = SplitGame::new(&game, &choice.splits, &admits, 10_000).unwrap();
    (choice, split.letters().len())
}

/// At depth 12 nothing is left to gain, with at most this number of parts.
fn reaches_ideal(reference: &str, max_length: usize, nodes: u128, most_letters: usize) {
    let (choice, n_letters) = choice(reference, max_length);
    assert_eq!(
        (choice.depth, choice.nodes_ideal),
        (12, nodes),
        "{reference}"
    );
    assert_eq!(choice.nodes_after, nodes, "{reference}");
    assert!(choice.nodes_before > nodes, "{reference}");
    assert!(n_letters <= most_letters, "{reference}: {n_letters}");
}

#[test]
fn limits_are_kept_to() {
    let game = game("slide-jump:3");
    let known = Invariants::from_goals(&game);
    let setting = Setting {
        game: &game,
        of_rules: &analysis(&game, 4, &known),
        rule_order: None,
        known: &Known(&known),
        start: &game.goal_state().unwrap(),
    };
    let limits = ChoiceLimits::for_rules(game.rules().len());
    let whole = choose(setting, &limits).unwrap().unwrap();
    assert!(!whole.splits.is_empty() && whole.steps < limits.steps);
    // Without steps nothing can be examined; with only those of a glance nothing can be tried.
    let blind = ChoiceLimits {
        glance: 0,
        ..limits.clone()
    };
    assert_eq!(choose(setting, &blind), Ok(None));
    let glance = ChoiceLimits {
        steps: 0,
        ..limits.clone()
    };
    assert_eq!(choose(setting, &glance).unwrap().unwrap().splits, []);
    for steps in [1_000, 30_000, 300_000] {
        let few = ChoiceLimits {
            steps,
            ..limits.clone()
        };
        let choice = choose(setting, &few).unwrap().unwrap();
        assert!(choice.steps <= limits.glance + steps);
        assert!(choice.nodes_after <= choice.nodes_before);
    }
    let late = ChoiceLimits {
        limits: budget::Limits {
            time: Some(std::time::Duration::ZERO),
            ..limits.limits.clone()
        },
        ..limits
    };
    assert_eq!(choose(setting, &late), Err(budget::StopReason::Time));
}

#[test]
fn a_choice_that_a_glance_settles_is_the_same_with_any_steps_beyond() {
    let game = game("sliding-tiles:3:3");
    let known = Invariants::from_goals(&game);
    let of_rules = analysis(&game, 6, &known);
    for states in [5_000, 20] {
        let setting = Setting {
            game: &game,
            of_rules: &of_rules,
            rule_order: None,
            known: &Known(&known),
            start: &game.goal_state().unwrap(),
        };
        let within = |steps: u64| {
            let limits = ChoiceLimits {
                states,
                glance: steps,
                steps,
                ..ChoiceLimits::for_rules(game.rules().len())
            };
            choose_or_settle(setting, &limits).unwrap()
        };
        let (chosen, settled_in) = within(1_000_000);
        let least = settled_in.expect("nothing is gained by splits");
        assert_eq!(chosen.is_none(), states == 20);
        for steps in [least + 1, 2 * least, 50_000_000] {
            assert_eq!(within(steps), (chosen.clone(), settled_in));
        }
        // With fewer steps the glance ends early.
        assert_eq!(within(least - 1).1, None);
    }
    let jumps = self::game("slide-jump:3");
    let known = Invariants::from_goals(&jumps);
    let setting = Setting {
        game: &jumps,
        of_rules: &analysis(&jumps, 4, &known),
        rule_order: None,
        known: &Known(&known),
        start: &jumps.goal_state().unwrap(),
    };
    let limits = ChoiceLimits::for_rules(jumps.rules().len());
    assert_eq!(choose_or_settle(setting, &limits).unwrap().1, None);
}

#[test]
fn slide_jump() {
    reaches_ideal("slide-jump:2", 4, 6, 45);
    reaches_ideal("slide-jump:3", 4, 110, 70);
}

#[test]
fn longer_sequences_in_slide_jump() {
    reaches_ideal("slide-jump:3", 6, 64, 70);
}

#[test]
fn gripper() {
    reaches_ideal("gripper:3", 4, 330, 30);
    reaches_ideal("gripper:3", 5, 20, 50);
    reaches_ideal("gripper:4", 4, 2964, 45);
}

#[test]
fn nothing_is_split_where_nothing_is_gained() {
    for (reference, max_length) in [
        ("blocks:4", 4),
        ("sliding-tiles:3:3", 6),
        ("pancake:6", 4),
        ("topspin:8:3", 3),
        ("arrow:6", 3),
    ] {
        let (choice, _) = choice(reference, max_length);
        assert_eq!(choice.splits, [], "{reference}");
    }
}
