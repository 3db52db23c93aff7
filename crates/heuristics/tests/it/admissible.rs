//! Every fitting heuristic is admissible, consistent and incremental if its name claims so.

use budget::Watch;
use heuristics::check::{Findings, Sample, exhaustive, sampled};
use heuristics::{Misfit, Name, Named};
use invariants::Invariants;
use psvn_ir::testing::{GameShape, cases, random_game};
use psvn_ir::{Game, State};
use search::{CompiledGame, DEAD_END, GoalStates, Searcher};

use crate::{built_in, load};

/// Return a test whether a state satisfies the invariants.
fn has<'g>(game: &'g Game, known: &'g Invariants) -> impl Fn(&State) -> bool {
    move |state| known.check_state(game, state).is_ok()
}

fn holds(name: Name, findings: &Findings) -> bool {
    findings.is_incremental()
        && (!name.is_admissible() || findings.is_admissible())
        && (!name.is_consistent() || findings.is_consistent())
}

/// Check all heuristics that fit random games, on all states. Return how many games each one
/// fitted, and in how many of them some estimate was above 0.
fn on_random_games(shape: &GameShape, n_games: u64) -> [(usize, usize); Name::ALL.len()] {
    let mut fitted = [(0, 0); Name::ALL.len()];
    for seed in 0..n_games {
        let game = random_game(seed, shape);
        for (name, fitted) in Name::ALL.into_iter().zip(&mut fitted) {
            let known = Invariants::none(&game);
            let Ok(heuristic) = Named::new(&game, &known, &[name]) else {
                continue;
            };
            let findings = exhaustive(&game, &heuristic, &[], 1_000).unwrap();
            fitted.0 += 1;
            fitted.1 += usize::from(findings.sum > 0);
            assert!(holds(name, &findings), "{name}, seed {seed}: {findings}");
        }
    }
    fitted
}

#[test]
fn on_random_games_of_all_kinds() {
    let fitted = on_random_games(&GameShape::default(), cases(600));
    let of = |name: Name| fitted[Name::ALL.iter().position(|it| *it == name).unwrap()];
    // Many of them are refused because rules cost nothing.
    assert!(
        of(Name::Misplaced).1 > 100 && of(Name::GoalCount).1 > 100,
        "{fitted:?}"
    );
    assert!(of(Name::Manhattan).1 > 0, "{fitted:?}");
    for name in [
        Name::LmCut,
        Name::HMax,
        Name::H2,
        Name::H3,
        Name::HAdd,
        Name::Ff,
    ] {
        assert!(of(name).1 > 300, "{name}: {fitted:?}");
    }
    assert!(of(Name::Potentials).1 > 200, "{fitted:?}");
    assert!(of(Name::OperatorCounting).1 > 300, "{fitted:?}");
    assert!(of(Name::MergeAndShrink).1 > 300, "{fitted:?}");
    assert!(of(Name::Projections).1 > 300, "{fitted:?}");
    // It is refined for some states only.
    assert!(of(Name::Cartesian).1 > 250, "{fitted:?}");
}

#[test]
fn abstractions_are_refined_for_starts() {
    let mut n_known = 0;
    for seed in 0..cases(300) {
        let game = random_game(seed, &GameShape::default());
        let known = Invariants::none(&game);
        let state = psvn_ir::all_states(&game).nth(seed as usize % 8).unwrap();
        let starts = [State::new(state)];
        let limits = Watch::default();
        let made = Named::within(&game, &known, &starts, &[Name::Cartesian], &limits);
        let Ok(heuristic) = made else {
            continue;
        };
        let findings = exhaustive(&game, &heuristic, &[], 1_000).unwrap();
        assert!(holds(Name::Cartesian, &findings), "seed {seed}: {findings}");
        // The abstraction for the goal ends with a solution from the start, and one order gives it
        // all costs.
        let compiled = CompiledGame::new(&game);
        let searcher = Searcher::builder(&compiled).build();
        let blind = Named::new(&game, &known, &[Name::Zero]).unwrap();
        let report = searcher.run().a_star(&starts[0], &blind).unwrap();
        let solution = report.solution();
        let cost = solution.map_or(DEAD_END, |it| u64::try_from(it.cost).unwrap());
        assert_eq!(heuristic.of_state(&starts[0]), cost, "seed {seed}");
        n_known += usize::from((1..DEAD_END).contains(&cost));
    }
    assert!(n_known > 30, "{n_known}");
}

#[test]
fn on_random_games_with_few_changes() {
    // Short rules over two domains: more of them have pieces.
    let shape = GameShape {
        n_variables: 2..=4,
        n_values: 2..=4,
        n_rules: 1..=4,
        max_cost: 5,
        several_domains: true,
        constants: 55,
        ..GameShape::default()
    };
    let fitted = on_random_games(&shape, cases(1_500));
    let of = |name: Name| fitted[Name::ALL.iter().position(|it| *it == name).unwrap()];
    assert!(of(Name::Manhattan).1 > 50, "{fitted:?}");
    assert!(of(Name::Gap).1 > 20, "{fitted:?}");
}

/// Check all states from which a goal is reachable, in games that can be run backward.
fn on_all_states_of(game: &Game, names: &[Name]) {
    let goals: Vec<State> = GoalStates::of(game).collect();
    let known = Invariants::from_goals(game);
    for name in names {
        let heuristic = Named::new(game, &known, &[*name]).unwrap();
        let findings = exhaustive(game, &heuristic, &goals, 400_000).unwrap();
        assert!(holds(*name, &findings), "{name}: {findings}");
        assert!(findings.sum > 0 || *name == Name::Zero, "{name}");
    }
}

#[test]
fn on_all_boards_of_sliding_tiles() {
    let names = [
        Name::Manhattan,
        Name::LinearConflict,
        Name::Gap,
        Name::Misplaced,
        Name::GoalCount,
        Name::Weak,
    ];
    for reference in [
        "sliding-tiles:2:3",
        "sliding-tiles:3:2:blank=3",
        "sliding-tiles:2:4:blank=1",
    ] {
        on_all_states_of(&built_in(reference), &names);
    }
}

#[test]
#[ignore = "takes 30 seconds: all 181,440 boards, for each heuristic"]
fn on_all_boards_of_the_8_puzzle() {
    // A linear program for each board would take an hour, and so would triples of facts.
    let fast = |name: &Name| !matches!(name, Name::H3 | Name::OperatorCounting);
    let names: Vec<Name> = Name::ALL.into_iter().filter(fast).collect();
    on_all_states_of(&built_in("sliding-tiles:3:3:blank=4"), &names);
}

/// Names that fit all games with few instances of rules.
const OF_ANY_GAME: [Name; 9] = [
    Name::Misplaced,
    Name::GoalCount,
    Name::LmCut,
    Name::HMax,
    Name::Cartesian,
    Name::Potentials,
    Name::HAdd,
    Name::Ff,
    Name::PlainGoalCount,
];

// A test for each of the games that take longest, so that they run at once.

#[test]
fn on_all_stacks_of_6_pancakes() {
    on_all_states_of(&built_in("pancake:6"), &OF_ANY_GAME);
    let names = [Name::Gap, Name::MergeAndShrink];
    on_all_states_of(&built_in("pancake:6"), &names);
    // Rules have so many instances here that the rules themselves are counted.
    on_all_states_of(&built_in("pancake:5"), &[Name::OperatorCounting]);
}

#[test]
fn on_all_rings_of_6_tokens() {
    for reference in ["topspin:6:3", "topspin:6:3:basic"] {
        on_all_states_of(&built_in(reference), &OF_ANY_GAME);
        on_all_states_of(&built_in(reference), &[Name::Gap]);
    }
}

#[test]
fn on_other_small_games() {
    on_all_states_of(&built_in("arrow:6"), &OF_ANY_GAME);
    let names = [Name::Gap, Name::Projections, Name::MergeAndShrink];
    on_all_states_of(&built_in("arrow:6"), &names);
    on_all_states_of(
        &built_in("hanoi:4:4"),
        &[
            Name::Manhattan,
            Name::Misplaced,
            Name::GoalCount,
            Name::LmCut,
            Name::HMax,
            Name::H2,
            Name::Cartesian,
            Name::MergeAndShrink,
            Name::Potentials,
            Name::HAdd,
        ],
    );
    let names = [
        Name::Manhattan,
        Name::Misplaced,
        Name::MergeAndShrink,
        Name::Potentials,
        Name::OperatorCounting,
    ];
    on_all_states_of(&built_in("grid:5:7"), &names);
    on_all_states_of(&built_in("blocks:4"), &OF_ANY_GAME);
    let names = [
        Name::Projections,
        Name::MergeAndShrink,
        Name::OperatorCounting,
    ];
    on_all_states_of(&built_in("blocks:4"), &names);
    on_all_states_of(&built_in("blocks:3"), &[Name::H3]);
}

#[test]
fn with_several_goals_and_open_ones() {
    let game = load(
        "4  4 4 4 4
         0 A - - => A 0 - -    A 0 - - => 0 A - -   COST 3
         - 0 A - => - A 0 -    - A 0 - => - 0 A -
         - - 0 A => - - A 0    - - A 0 => - - 0 A   COST 2
         GOAL 0 1 2 3
         GOAL 3 - - 1",
    );
    let goals: Vec<State> = ["0 1 2 3", "3 0 2 1", "3 2 0 1"]
        .iter()
        .map(|text| game.parse_state(text).unwrap())
        .collect();
    let known = Invariants::from_states(&game, &goals);
    for name in [
        Name::Manhattan,
        Name::Misplaced,
        Name::GoalCount,
        Name::LmCut,
        Name::HMax,
        Name::H2,
        Name::H3,
        Name::Cartesian,
        Name::Projections,
        Name::MergeAndShrink,
        Name::Potentials,
        Name::OperatorCounting,
        Name::Ff,
    ] {
        for known in [&known, &Invariants::none(&game)] {
            let heuristic = Named::new(&game, known, &[name]).unwrap();
            let findings = exhaustive(&game, &heuristic, &goals, 1_000).unwrap();
            assert!(holds(name, &findings), "{name}: {findings}");
            assert!(findings.sum > 0);
        }
    }
}

#[test]
fn dead_ends_are_true() {
    // Pegs never go back: most states are lost.
    let game = built_in("slide-jump:3:one-way");
    let start = game.parse_state("x x x _ o o o").unwrap();
    let known = Invariants::from_states(&game, std::slice::from_ref(&start));
    for name in [
        Name::Manhattan,
        Name::Misplaced,
        Name::GoalCount,
        Name::LmCut,
        Name::HMax,
        Name::H2,
        Name::H3,
        Name::Cartesian,
        Name::Projections,
        Name::MergeAndShrink,
        Name::Potentials,
        Name::OperatorCounting,
        Name::Ff,
    ] {
        let heuristic = Named::new(&game, &known, &[name]).unwrap();
        let findings = exhaustive(&game, &heuristic, std::slice::from_ref(&start), 10_000).unwrap();
        assert!(holds(name, &findings), "{name}: {findings}");
    }
    // A token that slides only to the right.
    let line = load(
        "3  3 3 3
         1 0 - => 0 1 -   - 1 0 => - 0 1   2 0 - => 0 2 -  0 2 - => 2 0 -
         GOAL 2 1 0",
    );
    let heuristic = Named::new(&line, &Invariants::none(&line), &[Name::Manhattan]).unwrap();
    let lost = line.parse_state("2 0 1").unwrap();
    assert_eq!(heuristic.of_state(&lost), search::DEAD_END);
    let findings = exhaustive(&line, &heuristic, &[], 1_000).unwrap();
    assert!(holds(Name::Manhattan, &findings), "{findings}");
}

#[test]
fn on_samples_of_large_games() {
    let sample = Sample {
        seed: 1,
        n_walks: 20,
        length: 60,
    };
    let cases: [(&str, &[Name]); 5] = [
        (
            "sliding-tiles:4:4",
            &[
                Name::Manhattan,
                Name::LinearConflict,
                Name::Gap,
                Name::Misplaced,
                Name::Weak,
            ],
        ),
        (
            "sliding-tiles:5:6",
            &[Name::Manhattan, Name::LinearConflict],
        ),
        ("pancake:20", &[Name::Gap, Name::Misplaced, Name::GoalCount]),
        ("topspin:16:4", &[Name::Gap, Name::Misplaced]),
        ("rubik:3", &[Name::Gap, Name::Misplaced, Name::GoalCount]),
    ];
    for (reference, names) in cases {
        let game = built_in(reference);
        let known = Invariants::from_goals(&game);
        for name in names {
            let heuristic = Named::new(&game, &known, &[*name]).unwrap();
            let findings = sampled(&game, &heuristic, has(&game, &known), &sample).unwrap();
            assert!(holds(*name, &findings), "{reference}, {name}: {findings}");
            assert!(findings.n_states > 100 && findings.sum > 0);
        }
    }
}

#[test]
fn the_greatest_of_several_is_as_good() -> Result<(), Misfit> {
    let game = built_in("sliding-tiles:2:3");
    let known = Invariants::none(&game);
    let goal = game.goal_state().unwrap();
    let names = [Name::Manhattan, Name::Gap, Name::LinearConflict];
    let sums = names.map(|name| {
        let heuristic = Named::new(&game, &known, &[name]).unwrap();
        exhaustive(&game, &heuristic, std::slice::from_ref(&goal), 1_000)
            .unwrap()
            .sum
    });
    let all = Named::new(&game, &known, &names)?;
    let findings = exhaustive(&game, &all, std::slice::from_ref(&goal), 1_000).unwrap();
    assert!(holds(Name::Manhattan, &findings), "{findings}");
    assert!(sums.iter().all(|sum| *sum <= findings.sum));
    assert_eq!(all.to_string(), "max(manhattan, gap, linear-conflict)");
    Ok(())
}

#[test]
fn violations_name_the_states() {
    let game = built_in("sliding-tiles:2:3");
    let goal = game.goal_state().unwrap();
    let known = Invariants::none(&game);
    let heuristic = Named::new(&game, &known, &[Name::PlainGoalCount]).unwrap();
    // The blank counts, too: one move puts two values right.
    let findings = exhaustive(&game, &heuristic, std::slice::from_ref(&goal), 1_000).unwrap();
    let too_high = findings.too_high.clone().unwrap();
    assert_eq!((too_high.estimate, too_high.cost), (2, 1));
    assert!(!findings.is_consistent() && findings.is_incremental());
    let text = findings.to_string();
    assert!(
        text.contains("is estimated at 2, and a goal is reached from it for 1"),
        "{text}"
    );
    assert!(text.contains("leads from `"), "{text}");
    let sample = Sample {
        seed: 3,
        n_walks: 5,
        length: 10,
    };
    let findings = sampled(&game, &heuristic, has(&game, &known), &sample).unwrap();
    assert!(!findings.is_admissible() && !findings.is_consistent());
}
