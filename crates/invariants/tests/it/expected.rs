use invariants::{Invariants, Omission, find};
use psvn_ir::{Game, Term, VarId};

use crate::{generated, load};

fn counts(game: &Game) -> Vec<String> {
    let lines = Invariants::from_goals(game).to_lines(game);
    lines
        .into_iter()
        .filter(|line| line.starts_with("exactly"))
        .collect()
}

#[test]
fn the_blank_and_each_tile_stand_once() {
    let game = generated("sliding-tiles:3:3");
    let expected: Vec<String> = (0..9)
        .map(|tile| format!("exactly 1 of variables 1-9 holds {tile}"))
        .collect();
    let mut found = Invariants::from_goals(&game).to_lines(&game);
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn a_disk_is_on_one_peg() {
    assert_eq!(
        counts(&generated("hanoi:4:3")),
        [
            "exactly 1 of variables 1-4 holds 1",
            "exactly 1 of variables 5-8 holds 1",
            "exactly 1 of variables 9-12 holds 1",
        ]
    );
}

#[test]
fn a_disk_is_on_one_peg_though_the_target_is_not_tested() {
    let game = load(
        "DOMAIN here 2 0 1
         3  here here here
         1 *0 - => 0 1 -   1 - *0 => 0 - 1
         *0 1 - => 1 0 -   - 1 *0 => - 0 1
         GOAL 0 0 1",
    );
    assert_eq!(counts(&game), ["exactly 1 of variables 1-3 holds 1"]);
    // With two, a rule may lose one.
    let start = game.parse_state("1 1 0").expect("a state");
    assert_eq!(Invariants::from_states(&game, &[start]).counts().len(), 0);
}

#[test]
fn tokens_stand_once() {
    // Turning 4 of 7 tokens can move every token everywhere.
    let game = generated("topspin:7:4");
    let invariants = Invariants::from_goals(&game);
    assert_eq!(invariants.to_lines(&game).len(), invariants.counts().len());
    assert!(invariants.counts().all(|count| count.number == 1));
    assert!(invariants.counts().len() >= 6);
}

#[test]
fn a_block_is_in_one_place() {
    let game = generated("blocks:4");
    let lines = counts(&game);
    // Block 1: on the table or in the hand (nothing under it), or on another block.
    let below_1 = "exactly 1 of variable 3 holds 0 or variables 4,6,8 holds 1";
    assert!(lines.contains(&below_1.to_owned()), "{lines:#?}");
    // Every block has one set for what is on it and one for what is below it.
    assert_eq!(lines.len(), 8, "{lines:#?}");
}

#[test]
fn arrows_have_no_invariants() {
    let game = generated("arrow:8");
    assert!(find(&game).sets().is_empty());
    assert!(Invariants::from_goals(&game).is_empty());
}

#[test]
fn lower_bounds_and_equal_unknowns_reject() {
    let game = generated("sliding-tiles:2:2");
    let invariants = Invariants::from_goals(&game);
    let x = |i: usize| Term::variable(VarId::from_index(i));
    let c = |value: u32| Term::constant(psvn_ir::Value(value));
    assert!(invariants.admits(&[x(0), x(1), x(2), x(3)]));
    assert!(invariants.admits(&[c(0), x(1), x(2), x(3)]));
    assert!(!invariants.admits(&[c(0), x(1), c(0), x(3)]));
    assert!(!invariants.admits(&[x(0), x(0), x(2), x(3)]));
    let game = generated("hanoi:3:1");
    let invariants = Invariants::from_goals(&game);
    assert!(invariants.admits(&[c(0), c(0), x(2)]));
    assert!(!invariants.admits(&[c(0), c(0), c(0)]));
    // Equal pegs are empty, so the disk is on the third one.
    assert!(invariants.admits(&[x(0), x(0), x(2)]));
    assert!(!invariants.admits(&[x(0), x(0), c(0)]));
    assert!(!invariants.admits(&[x(0), x(0), x(0)]));
}

#[test]
fn without_starts_or_in_conflict_nothing_is_assumed() {
    let game = load("2  2 2\n0 1 => 1 0\n1 0 => 0 1\nGOAL 0 1");
    assert!(Invariants::from_states(&game, &[]).is_empty());
    let starts = ["0 1", "1 1"].map(|text| game.parse_state(text).expect("a state"));
    assert!(!Invariants::from_states(&game, &starts[..1]).is_empty());
    assert_eq!(Invariants::from_states(&game, &starts).counts().len(), 0);
    assert!(Invariants::none(&game).to_lines(&game).is_empty());
}

#[test]
fn a_partial_goal_determines_what_it_can() {
    let game = load("3  3 3 3\nA B C => B A C\nA B C => A C B\nGOAL 0 0 -");
    // There are two or three zeros, and one or no ones.
    assert_eq!(Invariants::from_goals(&game).counts().len(), 0);
    let game = load("4  3 3 2 2\nA B - - => B A - -\n- - A B => - - B A\nGOAL 0 1 - -");
    assert_eq!(Invariants::from_goals(&game).counts().len(), 2);
}

/// More facts than the limits for pairs, or for facts: omissions are named, the rest stays.
#[test]
fn large_games_keep_only_the_invariants_that_fit() {
    let swap = |domain: usize| load(&format!("2  {domain} {domain}\nA B => B A\nGOAL 0 1"));
    // The limits are 2^14 facts for pairs, and 2^20 facts.
    let n_many = 9000;
    let found = Invariants::from_goals(&swap(n_many));
    assert_eq!(found.omissions(), [Omission::Pairs]);
    assert_eq!(
        (found.counts().len(), found.unreachable_facts().len()),
        (2, 2 * n_many - 4)
    );
    let game = swap(700_000);
    let found = Invariants::from_goals(&game);
    assert_eq!(
        found.omissions(),
        [Omission::Counts, Omission::Facts, Omission::Pairs]
    );
    assert!(found.is_empty() && found.admits(game.goals()[0].conditions()));
}
