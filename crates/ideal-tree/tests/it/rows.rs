//! Numbers of nodes that were computed by an independent program.

use ideal_tree::{Comparison, Letters, Order, Question, Surroundings};
use move_prune::Options;
use psvn_ir::Game;

fn game(reference: &str) -> Game {
    let text = domains::generate_reference(reference).unwrap();
    psvn_ir::load(&text).game.unwrap()
}

/// Return the machine of an analysis that assumes invariants of the states from which the goal can
/// be reached.
fn machine(game: &Game, max_length: usize) -> fsm::Dense {
    let known = invariants::Invariants::from_goals(game);
    let admits = |preconditions: &[psvn_ir::Term]| known.admits(preconditions);
    let options = Options {
        admits: Some(&admits),
        ..Options::up_to(max_length)
    };
    let rules: Vec<_> = game.rules().iter().map(|it| it.canonical.clone()).collect();
    let analysis = move_prune::analyze(game.n_variables(), &rules, &options, |_| {});
    let words: Vec<Vec<u32>> = analysis.redundant_letters().collect();
    let n_letters = u32::try_from(rules.len()).unwrap();
    let automaton = fsm::WordAutomaton::forbidding(n_letters, &words).unwrap();
    automaton.build().unwrap()
}

fn compare(
    reference: &str,
    max_length: usize,
    depth: usize,
    most_differences: usize,
) -> Comparison {
    let game = game(reference);
    let start = game.goal_state().unwrap();
    let question = Question {
        max_length,
        depth,
        order: Order::LengthLexicographic,
        rule_order: None,
        most_differences,
        growth: true,
    };
    let machine = machine(&game, max_length);
    Comparison::make(&game, &start, &machine, &question, &Default::default()).unwrap()
}

fn has_ideal(reference: &str, max_length: usize, nodes: [u128; 13], growth: f64) {
    let compared = compare(reference, max_length, 12, 0);
    assert_eq!(compared.ideal.nodes, nodes, "{reference}");
    let pairs = compared.machine.nodes.iter().zip(&compared.ideal.nodes);
    assert!(
        pairs.clone().all(|(machine, ideal)| machine >= ideal),
        "{reference}"
    );
    let found = compared.ideal.recent_growth().unwrap();
    assert!((found - growth).abs() < 0.001, "{reference}: {found}");
}

#[test]
fn hanoi_with_four_disks_at_length_3() {
    let nodes = [1, 3, 6, 12, 30, 70, 136, 298, 627, 1289, 2649, 5353, 11327];
    has_ideal("hanoi:4:4", 3, nodes, 2.062);
}

#[test]
fn hanoi_with_four_disks_at_length_5() {
    let nodes = [1, 3, 6, 12, 30, 30, 66, 120, 204, 222, 246, 408, 696];
    has_ideal("hanoi:4:4", 5, nodes, 1.359);
}

#[test]
fn hanoi_with_five_disks_at_length_4() {
    let nodes = [1, 3, 6, 12, 30, 42, 72, 150, 336, 588, 1164, 2190, 4170];
    has_ideal("hanoi:4:5", 4, nodes, 1.877);
}

#[test]
fn gripper() {
    let nodes = [1, 9, 20, 16, 28, 48, 108, 204, 324, 504, 972, 1740, 2964];
    has_ideal("gripper:4", 4, nodes, 1.739);
}

#[test]
fn slide_jump_at_lengths_4_and_6() {
    let nodes = [1, 4, 4, 5, 4, 9, 14, 17, 24, 35, 52, 74, 110];
    has_ideal("slide-jump:3", 4, nodes, 1.463);
    let nodes = [1, 4, 4, 5, 4, 8, 12, 14, 19, 24, 34, 47, 64];
    has_ideal("slide-jump:3", 6, nodes, 1.355);
}

#[test]
fn nothing_is_left_in_games_of_other_kinds() {
    for (reference, max_length) in [
        ("blocks:4", 4),
        ("arrow:6", 3),
        ("grid:4:4", 5),
        ("sliding-tiles:2:3", 6),
        ("sliding-tiles:3:3", 7),
    ] {
        let compared = compare(reference, max_length, 12, 10);
        assert_eq!(compared.machine.nodes, compared.ideal.nodes, "{reference}");
        assert_eq!(compared.differences, Vec::new(), "{reference}");
        assert_eq!(
            compared.ratio(12),
            (compared.ideal.nodes[12] > 0).then_some(1.0)
        );
    }
}

#[test]
fn two_slides_are_a_jump_if_the_pegs_have_one_color() {
    let game = game("slide-jump:3");
    let compared = compare("slide-jump:3", 2, 12, 1_000);
    assert!(!compared.differences.is_empty());
    for found in &compared.differences {
        let follow = |word: &[psvn_ir::RuleId]| {
            word.iter()
                .fold(found.state.values().to_vec(), |state, rule| {
                    let rule = &game.rule(*rule).canonical;
                    assert!(rule.applies_to(&state));
                    rule.apply(&state).to_vec()
                })
        };
        assert_eq!(follow(&found.word), follow(&found.replacement));
        assert!((&found.replacement.len(), &found.replacement) < (&found.word.len(), &found.word));
        assert!(!found.missing.is_empty());
        let state = found.state.values();
        assert!(
            found
                .missing
                .iter()
                .all(|equation| equation.holds_in(state))
        );
        assert!((1..=found.n_applicable).contains(&found.n_states));
    }
}

#[test]
fn limits_stop_it() {
    let game = game("sliding-tiles:3:3");
    let start = game.goal_state().unwrap();
    let question = Question {
        max_length: 2,
        depth: 12,
        order: Order::LengthLexicographic,
        rule_order: None,
        most_differences: 0,
        growth: true,
    };
    let compare = |limits| {
        let stopped = Comparison::make(&game, &start, &fsm::Unrestricted, &question, &limits);
        stopped.unwrap_err().reason
    };
    let nodes = budget::Limits {
        nodes: Some(1000),
        ..Default::default()
    };
    assert_eq!(compare(nodes), budget::StopReason::Nodes);
    let memory = budget::Limits {
        memory: Some(10_000),
        ..Default::default()
    };
    assert_eq!(compare(memory), budget::StopReason::Memory);
}

#[test]
fn limits_on_steps_are_kept() {
    let game = game("hanoi:4:4");
    let start = game.goal_state().unwrap();
    let question = Question {
        max_length: 3,
        depth: 6,
        order: Order::LengthLexicographic,
        rule_order: None,
        most_differences: 10,
        growth: false,
    };
    let machine = machine(&game, 3);
    let limits = Default::default();
    let within = |steps: u64| {
        let mut left = steps;
        let around = Surroundings::of(&game, &start, &question, &limits, &mut left);
        let made = around.and_then(|around| {
            let letters = Letters::rules(&game);
            around.compare(&letters, &machine, &question, &limits, &mut left)
        });
        (made, left)
    };
    let (whole, left) = within(1_000_000_000);
    let taken = 1_000_000_000 - left;
    // At least each rule at each state whose sequences are compared.
    assert!(taken > (whole.as_ref().unwrap().n_states * game.rules().len()) as u64);
    assert_eq!(within(taken), (whole, 0));
    for steps in [0, 1, taken / 2, taken - 1] {
        let (made, left) = within(steps);
        assert_eq!(
            (made.unwrap_err().reason, left),
            (budget::StopReason::Nodes, 0)
        );
    }
}
