//! Published values.

use heuristics::{Name, Named};
use invariants::Invariants;
use psvn_ir::{Game, State};
use search::{BestFirst, BestFirstReport};

use crate::load;

/// The 8-puzzle of Heineman, Pollice & Selkow 2008, chapter 7: goal 1 2 3 / 8 _ 4 / 7 6 5.
fn nutshell() -> Game {
    let text = domains::generate_reference("sliding-tiles:3:3").unwrap();
    let at = text.rfind("GOAL").unwrap();
    load(&format!("{}GOAL 1 2 3 8 0 4 7 6 5", &text[..at]))
}

/// The board of figure 7-25.
fn board(game: &Game) -> State {
    game.parse_state("1 4 8  7 3 0  6 5 2").unwrap()
}

fn named(game: &Game, name: Name) -> Named {
    Named::new(game, &Invariants::none(game), &[name]).unwrap()
}

/// Table 7-2, the scores.
#[test]
fn evaluators_of_the_8_puzzle() {
    let game = nutshell();
    let start = board(&game);
    let estimates = [Name::Good, Name::Weak, Name::Bad, Name::Manhattan]
        .map(|name| named(&game, name).of_state(&start));
    // 13 + 3 * 11 = 46.
    assert_eq!(estimates, [46, 7, 9, 13]);
    let goal = game.goal_state().unwrap();
    for name in [Name::Good, Name::Weak, Name::Bad] {
        assert_eq!(named(&game, name).of_state(&goal), 0, "{name}");
    }
}

fn a_star(game: &Game, name: Name) -> BestFirstReport {
    let heuristic = named(game, name);
    BestFirst::new(game)
        .a_star(&board(game), &heuristic)
        .unwrap()
}

/// Table 7-2, the searches. How ties are broken decides on the numbers of states and on the length that the bad
/// evaluator finds; the shortest solution has 13 moves.
#[test]
fn searches_with_the_evaluators() {
    let game = nutshell();
    for (name, length) in [(Name::Good, 13), (Name::Weak, 13), (Name::Manhattan, 13)] {
        let report = a_star(&game, name);
        assert_eq!(report.solution().unwrap().length(), length, "{name}");
        println!("{name}: {:?} {:?}", report.counts, report.stored);
    }
    let report = a_star(&game, Name::Bad);
    println!(
        "bad: {:?} {:?} {}",
        report.counts,
        report.stored,
        report.solution().unwrap().length()
    );
    assert!(report.solution().unwrap().length() >= 13);
}
