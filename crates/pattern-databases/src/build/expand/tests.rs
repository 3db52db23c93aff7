//! Different expanders say the same of each rank.

use abstraction::Abstraction;

use super::Expander;
use super::moves::MoveExpander;
use super::singles::SingleExpander;
use crate::database::{Prepared, Recipe};
use crate::progress::Options;

fn neighbors<X: Expander>(expander: &X, rank: u64, scratch: &mut X::Scratch) -> Vec<(u64, u64)> {
    let mut found = Vec::new();
    expander.expand(rank, scratch, |rank, cost| found.push((rank, cost)));
    found.sort_unstable();
    found
}

/// Compare both ways to move single values; whether only half of the ranks are those of states.
fn agree(reference: &[&str]) -> bool {
    let text = domains::generate(reference[0], &reference[1..]).expect("a built-in game");
    let game = psvn_ir::load(&text).game.expect("a game without errors");
    let recipe = Recipe {
        abstraction: Abstraction::identity(&game),
        charged_values: None,
    };
    let prepared = Prepared::new(&game, &recipe, &Options::default()).expect("a plan");
    let plan = &prepared.plan;
    let places = plan.ranking.as_partial_permutation().expect("places");
    let moves = MoveExpander::new(places, &plan.rules).expect("moves");
    let singles = SingleExpander::<16>::new(&moves).expect("single values");
    let mut scratch = singles.scratch();
    let n = plan.ranking.size() as u64;
    // In their order, and jumping about.
    for rank in (0..n).chain((0..n).map(|i| i * 7919 % n)) {
        let expected = neighbors(&moves, rank, &mut ());
        assert_eq!(neighbors(&singles, rank, &mut scratch), expected, "{rank}");
    }
    let goal = game.goal_state().expect("one goal");
    let goal = plan.ranking.rank(|var| goal.values()[var].0);
    let Some(halves) = singles.halved(&[goal.expect("a rank")]) else {
        return false;
    };
    let mut scratch = halves.scratch();
    for rank in 0..n / 2 {
        let whole = halves.whole_rank(rank);
        assert_eq!(whole / 2, rank);
        let found = neighbors(&halves, rank, &mut scratch);
        let expected = neighbors(&moves, whole, &mut ());
        let half = expected.iter().map(|(rank, cost)| (rank / 2, *cost));
        assert_eq!(found, half.collect::<Vec<_>>(), "{rank}");
        // What is left out of a rank comes back.
        for (rank, _) in expected {
            assert_eq!(halves.whole_rank(rank / 2), rank);
        }
    }
    true
}

#[test]
fn single_values_move_as_others_do() {
    assert!(agree(&["sliding-tiles", "2", "3"]));
    assert!(agree(&["sliding-tiles", "2", "4"]));
    assert!(!agree(&["pancake", "7"]));
    // Turning three tokens is odd, turning four is even.
    assert!(!agree(&["topspin", "7", "3"]));
    assert!(agree(&["topspin", "7", "4"]));
}
