//! Published values.

use heuristics::{Name, Named};
use invariants::Invariants;
use psvn_ir::{Game, State};
use search::{CompiledGame, Searcher, SolveReport, Ties};

use crate::{built_in, load};

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

/// Return the solution's length, the closed states, and the open ones besides the goal.
fn summary(report: &SolveReport) -> (usize, u64, u64) {
    let length = report.solution().unwrap().length();
    let stored = report.best_first.as_ref().unwrap().stored;
    (length, stored.closed, stored.open - 1)
}

/// Table 7-2, with the searches of this project. With the good evaluator all numbers are the
/// published ones. With the others, the numbers of states depend on how ties are broken.
#[test]
fn searches_with_the_evaluators() {
    let game = nutshell();
    let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
    let a_star = |name| {
        let report = searcher.run().a_star(&board(&game), &named(&game, name));
        summary(&report.unwrap())
    };
    assert_eq!(a_star(Name::Good), (13, 14, 12));
    assert_eq!(a_star(Name::Weak).0, 13);
    assert_eq!(a_star(Name::Manhattan).0, 13);
    assert!(a_star(Name::Manhattan).1 < a_star(Name::Weak).1);
    assert_eq!(a_star(Name::Bad).0, 13);
}

/// Build a game of sliding tiles whose moves are tried in the order of the book's program, with
/// this goal.
fn in_the_book_s_order(reference: &str, goal: &str) -> Game {
    let text = domains::generate_reference(&format!("{reference}:order=nutshell")).unwrap();
    let at = text.rfind("GOAL").unwrap();
    load(&format!("{}GOAL {goal}", &text[..at]))
}

/// Return the solution's length, the closed states with the goal, and the entries of the open list.
fn exactly(report: &SolveReport) -> (usize, u64, u64) {
    let length = report.solution().unwrap().length();
    let stored = report.best_first.as_ref().unwrap().stored;
    (length, stored.closed, stored.open)
}

/// Table 7-2 with all its numbers. Its third row is a greedy search: the bad evaluator of the
/// book's program leaves g out.
#[test]
fn table_7_2_as_it_is_printed() {
    let game = in_the_book_s_order("sliding-tiles:3:3", "1 2 3 8 0 4 7 6 5");
    let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
    let mut run = searcher.run().ties(Ties::Nutshell);
    let board = board(&game);
    let good = run.a_star(&board, &named(&game, Name::Good)).unwrap();
    assert_eq!(exactly(&good), (13, 14, 12));
    let weak = run.a_star(&board, &named(&game, Name::Weak)).unwrap();
    assert_eq!(exactly(&weak), (13, 145, 110));
    let bad = run.greedy(&board, &named(&game, Name::Bad)).unwrap();
    assert_eq!(exactly(&bad), (421, 2499, 1583));
}

/// Figures 7-26 to 7-28: the 15-puzzle.
#[test]
fn the_15_puzzle_of_figure_7_28() {
    let game = in_the_book_s_order("sliding-tiles:4:4", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0");
    let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
    let start = game.parse_state("2 10 8 3 1 6 0 4 5 9 7 11 13 14 15 12");
    let good = named(&game, Name::Good);
    let mut run = searcher.run().ties(Ties::Nutshell);
    let report = run.a_star(&start.unwrap(), &good).unwrap();
    assert_eq!(exactly(&report), (15, 39, 43));
}

/// The evaluators work on other boards too, and the bad one is 0 in the goal.
#[test]
fn evaluators_of_other_boards() {
    for reference in ["sliding-tiles:3:4", "sliding-tiles:5:5:blank=24"] {
        let game = load(&domains::generate_reference(reference).unwrap());
        let goal = game.goal_state().unwrap();
        assert_eq!(named(&game, Name::Bad).of_state(&goal), 0);
        assert!(named(&game, Name::Good).of_state(&goal) > 0);
    }
    let game = load(&domains::generate_reference("sliding-tiles:2:4").unwrap());
    assert!(Named::new(&game, &Invariants::none(&game), &[Name::Good]).is_err());
}

/// Estimates of Fast Downward (repository of July 2026) for tasks that `psvn export sas` wrote:
/// h-max, h-add and h². They have one right value each.
#[test]
fn another_planner_estimates_the_same() {
    let tasks = [
        ("arrow:6", "0 1 0 1 0 1", [1, 3, 2]),
        ("blocks:5", "0 0 0 0 0 0 0 0 0 0 0", [2, 16, 4]),
        ("grid:6:6", "5 5", [5, 10, 10]),
        ("gripper:3", "a none none a a a", [2, 13, 4]),
        ("gripper:5", "a none none a a a a a", [2, 21, 4]),
        ("hanoi:3:5", "1 0 0 1 0 0 1 0 0 1 0 0 1 0 0", [5, 62, 6]),
        (
            "hanoi:4:5",
            "1 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0",
            [5, 62, 6],
        ),
        (
            "lights-out:3:3",
            "1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0",
            [1, 18, 2],
        ),
        (
            "logistics:2:2:3",
            "c1l2 c2l2 c2l1 c2l2 c1l2 c2l1",
            [4, 18, 8],
        ),
        (
            "logistics:3:2:4",
            "c1l1 c2l1 c3l1 c2l1 c1l2 c2l2 c3l2 c1l1",
            [3, 12, 6],
        ),
        ("pancake:6", "4 6 2 5 1 3", [2, 9, 4]),
        ("slide-jump:2", "x x _ o o", [2, 10, 6]),
        ("sliding-tiles:3:3", "8 7 6 0 4 1 2 5 3", [6, 50, 14]),
        ("sliding-tiles:3:3", "1 4 2 3 0 5 6 7 8", [2, 5, 2]),
        (
            "sliding-tiles:4:4",
            "5 1 2 3 4 9 6 7 8 0 10 11 12 13 14 15",
            [4, 9, 7],
        ),
    ];
    for (reference, start, published) in tasks {
        let game = built_in(reference);
        let start = game.parse_state(start).unwrap();
        let estimates = [Name::HMax, Name::HAdd, Name::H2];
        let estimates = estimates.map(|name| named(&game, name).of_state(&start));
        assert_eq!(estimates, published, "{reference}");
    }
}
