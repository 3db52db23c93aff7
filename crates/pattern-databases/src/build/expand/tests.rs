//! Different expanders agree on each rank.

use abstraction::Abstraction;

use super::Expander;
use super::moves::MoveExpander;
use super::singles::SingleExpander;
use super::states::StateExpander;
use super::tables::TableExpander;
use crate::database::{Prepared, Recipe};
use crate::progress::Options;

fn neighbors<X: Expander>(expander: &X, rank: u64, scratch: &mut X::Scratch) -> Vec<(u64, u64)> {
    let mut found = Vec::new();
    expander.expand(rank, scratch, |rank, cost| found.push((rank, cost)));
    found.sort_unstable();
    found
}

/// Compare both ways to move single values; return whether only half of the ranks belong to states.
fn agree(reference: &[&str]) -> bool {
    let text = domains::generate(reference[0], &reference[1..]).expect("a built-in game");
    let game = psvn_ir::load(&text).game.expect("a game without errors");
    let recipe = Recipe::of(Abstraction::identity(&game));
    let prepared = Prepared::new(&game, &recipe, &Options::default()).expect("a plan");
    let plan = &prepared.plan;
    let places = plan.ranking.as_partial_permutation().expect("places");
    let moves = MoveExpander::new(places, &plan.rules).expect("moves");
    let singles = SingleExpander::<16>::new(&moves).expect("single values");
    let mut scratch = singles.scratch();
    let n = plan.ranking.size() as u64;
    // In order, and in leaps.
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
        // The digit that is left out of a rank can be restored.
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
    // Turning over three tokens is odd, turning over four is even.
    assert!(!agree(&["topspin", "7", "3"]));
    assert!(agree(&["topspin", "7", "4"]));
}

/// Compare look-ups with made states, at up to 20,000 ranks.
fn tables_agree(text: &str) {
    let game = psvn_ir::load(text).game.expect("a game without errors");
    let recipe = Recipe::of(Abstraction::identity(&game));
    let prepared = Prepared::new(&game, &recipe, &Options::default()).expect("a plan");
    let (ranking, rules) = (&prepared.plan.ranking, &prepared.plan.rules);
    let tables = TableExpander::new(ranking, rules, None).expect("rules act on digits");
    let states = StateExpander::new(ranking, rules);
    let (mut of_tables, mut of_states) = (tables.scratch(), states.scratch());
    let n = ranking.size() as u64;
    let mut n_moves = 0;
    for number in 0..n.min(20_000) {
        let rank = if n > 20_000 {
            number * 7919 % n
        } else {
            number
        };
        let expected = neighbors(&states, rank, &mut of_states);
        assert_eq!(neighbors(&tables, rank, &mut of_tables), expected, "{rank}");
        n_moves += expected.len();
    }
    assert!(n_moves > 0);
}

#[test]
fn what_is_looked_up_is_what_rules_do() {
    for reference in ["rubik:2:fixed", "hanoi:4:5"] {
        tables_agree(&domains::generate_reference(reference).expect("a built-in game"));
    }
    // A switch that rules test, together with values that they move; and two rows of values.
    tables_agree(
        "4  3 3 3 2  A B C 0 => B C A 1  A B C 1 => B A C 0  A B C 1 => A C B 1 COST 3  GOAL 0 1 2 0",
    );
    tables_agree(
        "7  3 3 3 2 3 3 3  A B C 0 - - - => B C A 1 - - -  - - - 1 A B C => - - - 0 B A C  \
         - - - - A B C => - - - - C A B  GOAL 0 1 2 0 0 1 2",
    );
}
