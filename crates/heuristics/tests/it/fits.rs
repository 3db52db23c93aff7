//! Which heuristics fit, and the reasons why others don't.

use std::time::Duration;

use budget::{Limits, StopReason, Watch};
use heuristics::{Name, Named, Refusal, automatic};
use invariants::Invariants;
use psvn_ir::Game;

use crate::{built_in, load};

fn refusal(game: &Game, name: Name) -> String {
    let made = Named::new(game, &Invariants::from_goals(game), &[name]);
    made.expect_err("it doesn't fit").to_string()
}

#[test]
fn refusals_say_why() {
    let pancakes = built_in("pancake:5");
    assert_eq!(
        refusal(&pancakes, Name::Manhattan),
        "the heuristic `manhattan` doesn't fit this game: \
         by values, rule `flip2` moves 2 values that it doesn't name; \
         by variables, rule `flip4` moves 3 variables at once, and its cost can be charged to one only"
    );
    assert_eq!(
        refusal(&pancakes, Name::LinearConflict),
        "the heuristic `linear-conflict` doesn't fit this game: rule `flip2` doesn't just exchange one blank, \
         common to all rules, with another value"
    );
    let line = built_in("sliding-tiles:1:5");
    assert_eq!(
        refusal(&line, Name::LinearConflict),
        "the heuristic `linear-conflict` doesn't fit this game: \
         the positions between which values slide don't form a rectangular grid"
    );
    let narrow = built_in("sliding-tiles:2:4");
    assert!(
        refusal(&narrow, Name::Good)
            .ends_with("the board has 2 rows of 4 squares, and this is for 3 rows of 3 or more")
    );
    let corner = built_in("sliding-tiles:3:3");
    assert!(refusal(&corner, Name::Good).ends_with("the goal's blank isn't in the center"));
    let free = load("2  2 2\n0 A => 1 A  COST 0\nGOAL 1 1");
    assert_eq!(
        refusal(&free, Name::Misplaced),
        "the heuristic `misplaced` doesn't fit this game: rule `rule_1` costs nothing and may put 1 values right"
    );
    let without_goal = load("2  2 2\n0 A => 1 A");
    for name in [Name::Manhattan, Name::Gap, Name::Misplaced, Name::GoalCount] {
        assert!(refusal(&without_goal, name).ends_with("the game has no goal"));
    }
}

#[test]
fn rules_are_named_by_label_and_number() {
    let game = load(
        "3  3 3 3
         0 A - => A 0 -   LABEL go
         A - 0 => 0 - A   LABEL go  COST 0
         GOAL 0 1 2",
    );
    let text = refusal(&game, Name::GoalCount);
    assert!(text.contains("rule `go#2` costs nothing"), "{text}");
}

#[test]
fn misspelled_names() {
    let error = "manhatan".parse::<Name>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "no heuristic is called `manhatan`; did you mean `manhattan`?"
    );
    let error = "pdb".parse::<Name>().unwrap_err();
    assert_eq!(error.to_string(), "no heuristic is called `pdb`");
    for name in Name::ALL {
        assert_eq!(name.as_str().to_ascii_uppercase().parse(), Ok(name));
    }
}

#[test]
fn the_best_fitting_one_is_chosen() {
    let cases = [
        (
            "sliding-tiles:4:4",
            "2 1 5 6 0 7 8 9 10 11 12 13 14 15 3 4",
            Name::LinearConflict,
        ),
        ("pancake:7", "5 2 7 1 4 6 3", Name::Gap),
        ("grid:5:5", "4 4", Name::Manhattan),
        ("hanoi:3:3", "1 0 0  1 0 0  1 0 0", Name::Manhattan),
    ];
    for (reference, start, expected) in cases {
        let game = built_in(reference);
        let start = game.parse_state(start).unwrap();
        let starts = std::slice::from_ref(&start);
        let known = Invariants::from_states(&game, starts);
        let chosen = automatic(&game, &known, starts, &Watch::default());
        assert_eq!(chosen.heuristic.names(), [expected], "{reference}");
        assert!(chosen.heuristic.is_admissible());
        assert_eq!(chosen.estimates[0].0, expected);
        assert_eq!(
            chosen.estimates[0].1,
            u128::from(chosen.heuristic.of_state(&start))
        );
    }
}

#[test]
fn more_names_than_can_be_combined_are_refused() {
    let game = built_in("sliding-tiles:3:3");
    let known = Invariants::from_goals(&game);
    let names = [
        Name::Manhattan,
        Name::Misplaced,
        Name::GoalCount,
        Name::Zero,
        Name::Manhattan,
        Name::LinearConflict,
    ];
    let four = Named::new(&game, &known, &names[..5]).expect("four, one of them twice");
    assert_eq!(four.names(), &names[..4]);
    let refused = Named::new(&game, &known, &names).expect_err("five");
    assert_eq!(refused.name, Name::LinearConflict);
}

/// The first rule that shares no blank with those before it is named.
#[test]
fn the_rule_without_the_common_blank_is_named() {
    let game = load(
        "DOMAIN tile 3\n  a b c\n3\ntile tile tile\n\
         a X Y => X a Y LABEL one COST 1\n\
         b X Y => X b Y LABEL two COST 1\nGOAL a b c\n",
    );
    let message = refusal(&game, Name::LinearConflict);
    assert!(
        message.contains("rule `two` doesn't just exchange one blank"),
        "{message}"
    );
}

/// No table has an entry for each pair of values, and no rule is examined once for each value.
#[test]
fn large_domains_take_little() {
    let swap = load("2\n4096 4096\nX Y => Y X\nGOAL 1 2\n");
    let writes = load("2\n4096 4096\n0 - => 1 X\nGOAL 1 1\n");
    for (game, fits) in [
        (
            &swap,
            &[Name::Manhattan, Name::Misplaced, Name::GoalCount][..],
        ),
        (&writes, &[Name::Misplaced, Name::GoalCount]),
    ] {
        let known = Invariants::none(game);
        let limits = Limits {
            nodes: Some(1 << 22),
            memory: Some(4 << 20),
            ..Limits::default()
        };
        for name in [Name::Manhattan, Name::Misplaced, Name::GoalCount] {
            let made = Named::within(game, &known, &[], &[name], &Watch::new(limits.clone()));
            match made {
                Ok(made) => assert!(made.n_bytes() <= 1 << 17),
                Err(misfit) => {
                    let stopped = matches!(misfit.refusal, Refusal::Stopped { .. });
                    assert!(!stopped && !fits.contains(&name), "{misfit}");
                }
            }
        }
    }
    let known = Invariants::none(&swap);
    let manhattan = Named::new(&swap, &known, &[Name::Manhattan]).expect("it fits");
    let of = |text: &str| manhattan.of_state(&swap.parse_state(text).expect("a state"));
    // One move takes the second value anywhere; the first one goes along.
    assert_eq!(["1 2", "4000 2", "2 1", "3000 4000"].map(of), [0, 0, 1, 1]);
}

/// Every limit that is too small is named, and an automatic choice does without what it forbids.
#[test]
fn limits_are_kept() {
    let game = built_in("sliding-tiles:4:4");
    let known = Invariants::from_goals(&game);
    let start = game.goal_state().expect("one goal");
    let starts = std::slice::from_ref(&start);
    let nothing = Limits::default();
    let limits = [
        (
            StopReason::Nodes,
            Limits {
                nodes: Some(0),
                ..nothing.clone()
            },
        ),
        (
            StopReason::Time,
            Limits {
                time: Some(Duration::ZERO),
                ..nothing.clone()
            },
        ),
        (
            StopReason::Memory,
            Limits {
                memory: Some(0),
                ..nothing
            },
        ),
    ];
    for (reason, limits) in limits {
        let watch = Watch::new(limits);
        for name in [
            Name::Manhattan,
            Name::LinearConflict,
            Name::Gap,
            Name::Misplaced,
            Name::GoalCount,
        ] {
            let made = Named::within(&game, &known, &[], &[name], &watch);
            let refusal = made.map(|_| ()).expect_err("a limit is reached").refusal;
            assert_eq!(refusal, Refusal::Stopped { reason }, "{name}");
        }
        if reason != StopReason::Nodes {
            // Their steps aren't counted.
            let slow = [
                Name::LmCut,
                Name::Cartesian,
                Name::Projections,
                Name::MergeAndShrink,
            ];
            for name in slow {
                let made = Named::within(&game, &known, starts, &[name], &watch);
                let refusal = made.map(|_| ()).expect_err("a limit is reached").refusal;
                assert_eq!(refusal, Refusal::Stopped { reason }, "{name}");
            }
        }
        let chosen = automatic(&game, &known, starts, &watch);
        assert_eq!(chosen.heuristic.names(), [Name::Zero]);
        assert_eq!(chosen.stopped, Some(reason));
    }
}

/// Abstractions are as fine as the memory allows.
#[test]
fn abstractions_fit_in_the_memory() {
    let game = built_in("sliding-tiles:3:3");
    let known = Invariants::from_goals(&game);
    let start = game.parse_state("8 6 7 2 5 4 3 0 1").expect("a state");
    let made = |name: Name, memory: usize| {
        let limits = Limits {
            memory: Some(memory),
            ..Limits::default()
        };
        let starts = std::slice::from_ref(&start);
        let made = Named::within(&game, &known, starts, &[name], &Watch::new(limits));
        made.expect("it fits")
    };
    for (name, least) in [(Name::Cartesian, 1 << 17), (Name::MergeAndShrink, 1 << 21)] {
        let (coarse, fine) = (made(name, 1 << 20), made(name, 1 << 30));
        assert!(coarse.n_bytes() < 1 << 20 && fine.n_bytes() > least);
        assert!(coarse.n_bytes() < fine.n_bytes());
        assert!(coarse.of_state(&start) > 5 && coarse.of_state(&start) <= fine.of_state(&start));
    }
}
