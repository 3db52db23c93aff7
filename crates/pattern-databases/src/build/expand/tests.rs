//! Different expanders agree on each rank.

use std::sync::Arc;

use abstraction::Abstraction;
use psvn_ir::Game;

use super::moves::MoveExpander;
use super::singles::SingleExpander;
use super::states::StateExpander;
use super::tables::TableExpander;
use super::{Expansion, Predecessor, SharedExpander};
use crate::build::numbers;
use crate::database::{Prepared, Recipe};
use crate::progress::Options;
use crate::testing::domain;

fn prepared(game: &Game) -> Prepared {
    let recipe = Recipe::of(Abstraction::identity(game));
    Prepared::new(game, &recipe, &Options::default()).expect("a plan")
}

/// Return the predecessors of each rank, in ascending order.
fn all(expander: SharedExpander<'_>, ranks: &[u64]) -> Vec<Vec<Predecessor>> {
    let mut expansion = Expansion::new(&expander);
    let of = |rank: &u64| {
        let mut found = Vec::new();
        expansion.waiting.push(*rank);
        found.extend(expansion.expand_some().0);
        found.sort_unstable();
        found
    };
    ranks.iter().map(of).collect()
}

/// Compare both ways to move single values; return whether only half of the ranks belong to states.
fn agree(reference: &str) -> bool {
    let game = domain(reference);
    let Prepared {
        plan,
        abstract_game,
        ..
    } = prepared(&game);
    let places = plan.ranking.as_partial_permutation().expect("places");
    let moves = || Arc::new(MoveExpander::new(places, &plan.rules).expect("moves"));
    let singles = SingleExpander::new(&moves()).expect("single values");
    let n = plan.ranking.size() as u64;
    // In order, and in leaps.
    let ranks: Vec<u64> = (0..n).chain((0..n).map(|i| i * 7919 % n)).collect();
    let expected = all(moves(), &ranks);
    let found = all(Arc::new(singles.clone()), &ranks);
    assert!(found == expected, "{reference}");
    let goal = abstract_game.game().goal_state().expect("a goal");
    let goal = plan
        .ranking
        .rank_of(&numbers(goal.values()))
        .expect("a rank");
    let Some(halves) = singles.halved(&[goal]) else {
        return false;
    };
    let halves = Arc::new(halves);
    let ranks: Vec<u64> = (0..n / 2).collect();
    let found = all(halves.clone(), &ranks);
    let whole: Vec<u64> = ranks.iter().map(|rank| halves.whole_rank(*rank)).collect();
    let expected = all(moves(), &whole);
    for rank in ranks {
        let place = rank as usize;
        assert_eq!(whole[place] / 2, rank);
        let half = expected[place].iter().map(|before| Predecessor {
            rank: before.rank / 2,
            ..*before
        });
        assert_eq!(found[place], half.collect::<Vec<_>>(), "{rank}");
        // The digit that is left out of a rank can be restored.
        for before in &expected[place] {
            assert_eq!(whole[before.rank as usize / 2], before.rank);
        }
    }
    true
}

#[test]
fn single_values_move_as_others_do() {
    assert!(agree("sliding-tiles:2:3"));
    assert!(agree("sliding-tiles:2:4"));
    assert!(!agree("pancake:7"));
    // Turning over three tokens is odd, turning over four is even.
    assert!(!agree("topspin:7:3"));
    assert!(agree("topspin:7:4"));
}

/// Compare look-ups with made states, at up to 20,000 ranks.
fn tables_agree(game: &Game) {
    let Prepared { plan, .. } = prepared(game);
    let (ranking, rules) = (&plan.ranking, &plan.rules);
    let n = ranking.size() as u64;
    let rank = |number: u64| {
        if n > 20_000 {
            number * 7919 % n
        } else {
            number
        }
    };
    let ranks: Vec<u64> = (0..n.min(20_000)).map(rank).collect();
    let expected = all(Arc::new(StateExpander::new(ranking, rules)), &ranks);
    let tables = TableExpander::new(ranking, rules, None).expect("rules act on digits");
    assert!(all(Arc::new(tables), &ranks) == expected);
    assert!(expected.iter().any(|predecessors| !predecessors.is_empty()));
}

#[test]
fn what_is_looked_up_is_what_rules_do() {
    for reference in ["rubik:2:fixed", "hanoi:4:5"] {
        tables_agree(&domain(reference));
    }
    for text in [
        // A switch that rules test, together with values that they move; and two rows of values.
        "4  3 3 3 2  A B C 0 => B C A 1  A B C 1 => B A C 0  A B C 1 => A C B 1 COST 3  GOAL 0 1 2 0",
        "7  3 3 3 2 3 3 3  A B C 0 - - - => B C A 1 - - -  - - - 1 A B C => - - - 0 B A C  \
         - - - - A B C => - - - - C A B  GOAL 0 1 2 0 0 1 2",
    ] {
        tables_agree(&psvn_ir::load(text).game.expect("a game without errors"));
    }
}

/// Ranks are taken from the end of the list until enough predecessors are found, and the memory for
/// these grows as needed.
#[test]
fn many_ranks_are_expanded_at_once() {
    let game = domain("pancake:7");
    let Prepared { plan, .. } = prepared(&game);
    let places = plan.ranking.as_partial_permutation().expect("places");
    let moves = MoveExpander::new(places, &plan.rules).expect("moves");
    let expander: SharedExpander<'_> = Arc::new(moves);
    let ranks: Vec<u64> = (0..5040).collect();
    let expected: Vec<Predecessor> = all(expander.clone(), &ranks).concat();
    let mut expansion = Expansion::new(&expander);
    expansion.waiting = ranks;
    let (mut found, mut n_calls) = (Vec::new(), 0);
    while !expansion.waiting.is_empty() {
        found.extend(expansion.expand_some().0);
        n_calls += 1;
    }
    // Six of each rank.
    assert_eq!((expected.len(), n_calls), (6 * 5040, 30));
    let in_order = |mut all: Vec<Predecessor>| {
        all.sort_unstable();
        all
    };
    assert!(in_order(found) == in_order(expected));
}
