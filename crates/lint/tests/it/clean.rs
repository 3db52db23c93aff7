//! Games as they should be: no warnings.

use crate::codes;

/// All built-in games, in sizes that people use.
const BUILT_IN: &[&str] = &[
    "arrow:2",
    "arrow:3",
    "arrow:6",
    "arrow:16",
    "blocks:2",
    "blocks:3",
    "blocks:4",
    "blocks:10",
    "connect:4:4:3",
    "connect:7:6:4",
    "ghi",
    "grid:1:2",
    "grid:1:5",
    "grid:3:1",
    "grid:2:2",
    "grid:4:5",
    "grid:5:5",
    "gripper:1",
    "gripper:2",
    "gripper:3",
    "gripper:5",
    "hanoi:2:1",
    "hanoi:3:2",
    "hanoi:3:3",
    "hanoi:3:4",
    "hanoi:4:3",
    "hanoi:4:8",
    "nim:1:2:3",
    "nim:3:4:5",
    "pancake:2",
    "pancake:3",
    "pancake:4",
    "pancake:5",
    "pancake:7",
    "pancake:9",
    "pancake:30",
    "pawns:3:3",
    "pawns:4:5",
    "rubik:2",
    "rubik:2:fixed",
    "rubik:2:goal=any",
    "rubik:2:order=UFRDBL",
    "rubik:3",
    "slide-jump:1",
    "slide-jump:2",
    "slide-jump:3",
    "slide-jump:4",
    "slide-jump:2:one-way",
    "slide-jump:3:one-way",
    "sliding-tiles:1:2",
    "sliding-tiles:2:1",
    "sliding-tiles:2:2",
    "sliding-tiles:2:3",
    "sliding-tiles:3:2",
    "sliding-tiles:3:3",
    "sliding-tiles:3:4",
    "sliding-tiles:3:5",
    "sliding-tiles:4:4",
    "sliding-tiles:5:5",
    "sliding-tiles:5:5:order=position:goal=blank-last",
    "sliding-tiles:3:3:goal=blank-last",
    "tic-tac-toe",
    "topspin:5:3",
    "topspin:6:3",
    "topspin:7:4",
    "topspin:8:4",
    "topspin:9:4",
    "topspin:14:3",
    "topspin:30:7",
    "topspin:6:2:basic",
    "topspin:12:2:basic",
    "topspin:6:3:basic",
    "topspin:8:4:basic",
    "topspin:12:4:basic",
    "work-or-golf",
];

#[test]
fn built_in_games_give_no_warnings() {
    for reference in BUILT_IN {
        let text = domains::generate_reference(reference).unwrap();
        assert_eq!(codes(&text).0, Vec::<&str>::new(), "{reference}");
    }
}

/// Rules of random games are unrelated, so no rule can be odd.
#[test]
fn random_games_are_not_taken_for_broken_ones() {
    use psvn_ir::testing::{GameShape, cases, random_game};
    let shape = GameShape {
        n_variables: 5..=8,
        n_values: 2..=4,
        n_rules: 8..=16,
        ..GameShape::default()
    };
    let mut n_warned = 0;
    let n_games = cases(200);
    for seed in 0..n_games {
        let found = lint::lint(&random_game(seed, &shape));
        // Whether a variable never changes, or a goal value is never made, isn't a guess.
        let guesses = found.iter().filter(|found| {
            !matches!(
                found.code,
                "unused-variable"
                    | "constant-variable"
                    | "goal-never-produced"
                    | "unreachable-goal"
                    | "unused-value"
            )
        });
        n_warned += u64::from(guesses.count() > 0);
    }
    assert!(
        n_warned * 100 <= n_games,
        "{n_warned} of {n_games} random games"
    );
}

/// Correct games that were written for other tests and for the tour.
#[test]
fn ordinary_files_give_no_warnings() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for file in [
        "crates/cli/tests/cmd/check.in/good.psvn",
        "crates/cli/tests/cmd/solve.in/free.psvn",
    ] {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        assert_eq!(codes(&text).0, Vec::<&str>::new(), "{file}");
    }
}

/// Small hand-written games, each irregular in a different way.
#[test]
fn games_that_are_irregular_on_purpose_give_no_warnings() {
    let farmer = "
        DOMAIN bank 2 left right
        4  # farmer, wolf, goat, cabbage
        bank bank bank bank
        left  left  - - => right right - - LABEL wolf     right right - - => left left - - LABEL wolf
        left  - left  - => right - right - LABEL goat     right - right - => left - left - LABEL goat
        left  - - left  => right - - right LABEL cabbage  right - - right => left - - left LABEL cabbage
        left - - - => right - - - LABEL alone     right - - - => left - - - LABEL alone
        GOAL right right right right";
    let jugs = "
        2  5 4
        - - => 4 - LABEL fill-four   - - => - 3 LABEL fill-three
        - - => 0 - LABEL empty-four  - - => - 0 LABEL empty-three
        GOAL 2 -";
    let triangle = "
        3  3 3 3
        0 A - => A 0 - LABEL a   A 0 - => 0 A - LABEL a
        - 0 A => - A 0 LABEL b   - A 0 => - 0 A LABEL b
        0 - A => A - 0 LABEL c   A - 0 => 0 - A LABEL c
        GOAL 0 1 2";
    for (name, text, allowed) in [
        ("farmer", farmer, &[][..]),
        // No pouring: the goal is unreachable, which is reported.
        ("jugs", jugs, &["goal-never-produced", "dead-rule"][..]),
        ("triangle", triangle, &[][..]),
    ] {
        let (codes, game) = codes(text);
        assert!(game.is_some(), "{name}: {codes:?}");
        let left: Vec<_> = codes
            .iter()
            .filter(|code| !allowed.contains(code))
            .collect();
        assert!(left.is_empty(), "{name}: {left:?}");
    }
}
