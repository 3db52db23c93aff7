//! Different expanders agree on each rank.

use abstraction::Abstraction;
use pattern_databases::testing::database::{Neighbors, Way, neighbors, sizes};
use psvn_ir::Game;

use crate::support::domain;

/// Return the number of ranks.
fn n_ranks(game: &Game) -> u64 {
    let (sizes, _) = sizes(game, &Abstraction::identity(game)).expect("a plan");
    sizes.ranks as u64
}

fn by(game: &Game, way: Way, ranks: &[u64]) -> Option<(Vec<Neighbors>, Vec<u64>)> {
    neighbors(game, &Abstraction::identity(game), way, ranks).expect("a plan")
}

/// Compare both ways to move single values; return whether only half of the ranks belong to states.
fn agree(reference: &str) -> bool {
    let game = domain(reference);
    let n = n_ranks(&game);
    // In order, and in leaps.
    let ranks: Vec<u64> = (0..n).chain((0..n).map(|i| i * 7919 % n)).collect();
    let (expected, _) = by(&game, Way::Moves, &ranks).expect("moves");
    let (found, _) = by(&game, Way::Singles, &ranks).expect("single values");
    assert!(found == expected, "{reference}");
    let ranks: Vec<u64> = (0..n / 2).collect();
    let Some((found, whole)) = by(&game, Way::Halves, &ranks) else {
        return false;
    };
    let (expected, _) = by(&game, Way::Moves, &whole).expect("moves");
    for rank in ranks {
        let place = rank as usize;
        assert_eq!(whole[place] / 2, rank);
        let half = expected[place].iter().map(|(rank, cost)| (rank / 2, *cost));
        assert_eq!(found[place], half.collect::<Vec<_>>(), "{rank}");
        // The digit that is left out of a rank can be restored.
        for (rank, _) in &expected[place] {
            assert_eq!(whole[*rank as usize / 2], *rank);
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
    let n = n_ranks(game);
    let rank = |number: u64| {
        if n > 20_000 {
            number * 7919 % n
        } else {
            number
        }
    };
    let ranks: Vec<u64> = (0..n.min(20_000)).map(rank).collect();
    let (expected, _) = by(game, Way::States, &ranks).expect("any rule makes states");
    let (found, _) = by(game, Way::Tables, &ranks).expect("rules act on digits");
    assert!(found == expected);
    assert!(expected.iter().any(|neighbors| !neighbors.is_empty()));
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
