//! Named heuristics beside pattern databases, and the tables proposed for a game.

use abstraction::Abstraction;
use heuristics::check::exhaustive;
use heuristics::tables::{families, sample_states};
use heuristics::{Combined, Name, Named};
use invariants::Invariants;
use pattern_databases::{AdditiveSet, Options, Patterns};
use psvn_ir::testing::{GameShape, SplitMix64, is_thorough, random_game};
use psvn_ir::{Game, RuleId, State};
use search::{CompiledGame, FollowedPath, Searcher};

use crate::{built_in, estimate};

const MIB: u128 = 1 << 20;

fn options(known: &Invariants) -> Options<'static> {
    Options {
        invariants: Some(known.clone()),
        ..Options::default()
    }
}

/// Compare incremental estimates along a walk with those of the parts.
fn compare_along_walks(game: &Game, combined: &Combined, parts: &dyn Fn(&State) -> u64) {
    let mut random = SplitMix64::new(7);
    for _ in 0..if is_thorough() { 20 } else { 6 } {
        let mut state = game.goal_state().unwrap();
        let mut path = FollowedPath::start(combined, state.values()).unwrap();
        assert_eq!(path.estimate(), 0);
        for _ in 0..60 {
            let fitting: Vec<RuleId> = game
                .rules_with_ids()
                .filter(|(_, rule)| rule.canonical.applies_to(state.values()))
                .map(|(id, _)| id)
                .collect();
            let id = fitting[random.below(fitting.len())];
            let child = State::new(game.rule(id).canonical.apply(state.values()));
            path = path.child(id, child.values(), u64::MAX);
            let by_path = path.estimate();
            assert_eq!(
                by_path,
                parts(&child),
                "{}",
                game.format_state(child.values())
            );
            assert_eq!(by_path, estimate(combined, &child));
            assert_eq!(by_path, combined.of_state(&child));
            state = child;
        }
    }
}

/// Return the tables of the first candidate described by these words, twice.
fn two_candidates(game: &Game, words: &str) -> [Patterns; 2] {
    let known = Invariants::from_goals(game);
    let options = options(&known);
    let all = families(game, &known, &options, 64 * MIB, &[]);
    let mut all = all.iter().flat_map(|family| &family.candidates);
    let found = all.find(|candidate| candidate.words().contains(words));
    let found = found.unwrap();
    [(); 2].map(|()| found.build(game, &options).unwrap())
}

#[test]
fn combinations_are_the_greatest_of_their_parts() {
    let cases = [
        (
            if is_thorough() {
                "sliding-tiles:3:3"
            } else {
                "sliding-tiles:2:4"
            },
            "sum of tables",
            &[Name::Manhattan, Name::LinearConflict][..],
            true,
        ),
        ("pancake:7", "table of 4 values", &[Name::Gap], true),
        ("hanoi:3:5", "last 6 variables", &[Name::Manhattan], false),
    ];
    for (reference, words, names, is_incremental) in cases {
        let game = built_in(reference);
        let named = Named::new(&game, &Invariants::none(&game), names).unwrap();
        let [alone, beside] = two_candidates(&game, words);
        assert_eq!(alone.is_incremental(), is_incremental, "{reference}");
        let tables = Combined::new(None, beside, words);
        compare_along_walks(&game, &tables, &|state| estimate(&alone, state));
        let both = tables.with_named(named.clone());
        let greatest = |state: &State| estimate(&alone, state).max(named.of_state(state));
        compare_along_walks(&game, &both, &greatest);
        assert!(both.n_bytes() > 0 && both.to_string().contains(words));
        let tables = both.without_named();
        compare_along_walks(&game, &tables, &|state| estimate(&alone, state));
        let by_name = Combined::from(named.clone());
        compare_along_walks(&game, &by_name, &|state| named.of_state(state));
    }
}

#[test]
fn all_proposed_tables_are_admissible_and_fit() {
    for reference in [
        "sliding-tiles:2:3",
        "pancake:6",
        "topspin:6:3",
        "hanoi:3:3",
        "blocks:3",
        "blocks:4",
    ] {
        let game = built_in(reference);
        let start = game.goal_state().unwrap();
        let known = Invariants::from_goals(&game);
        let options = options(&known);
        let samples = sample_states(&game, &known, 50, 1);
        let found = families(&game, &known, &options, 16 * MIB, &samples);
        assert!(found.len() >= 2, "{reference}");
        for candidate in found.iter().flat_map(|family| &family.candidates) {
            let words = candidate.words();
            let built = candidate.build(&game, &options).unwrap();
            let combined = Combined::new(None, built, words);
            // Short distances take half a byte.
            let bytes = u128::from(combined.n_bytes());
            assert!(
                bytes <= candidate.bytes() && bytes * 2 >= candidate.bytes(),
                "{words}"
            );
            let findings =
                exhaustive(&game, &combined, std::slice::from_ref(&start), 100_000).unwrap();
            assert_eq!(findings.too_high, None, "{reference}: {words}");
            // Costs can be charged to other tables, so a sum may be 0.
            assert!(
                findings.sum > 0 || words.contains("sum"),
                "{reference}: {words}"
            );
        }
        let sizes = |family: &heuristics::tables::Family| -> Vec<u128> {
            family
                .candidates
                .iter()
                .map(heuristics::tables::Candidate::work)
                .collect()
        };
        assert!(found.iter().all(|family| sizes(family).is_sorted()));
        let small = families(&game, &known, &options, 1_000, &[]);
        let mut all = small.iter().flat_map(|family| &family.candidates);
        assert!(all.all(|candidate| candidate.peak_bytes() <= 1_000));
    }
}

/// Sums of projections whose rules are shared, in all states that a random start of a random game
/// leads to. Invariants of the start forbid steps of the tables.
#[test]
fn sums_that_share_rules_are_admissible_in_random_games() {
    let shape = GameShape {
        n_variables: 3..=5,
        n_values: 2..=3,
        n_rules: 3..=9,
        max_cost: 3,
        constants: 80,
        ..GameShape::default()
    };
    let mut fitted = 0;
    let mut estimated = 0;
    let (n_games, least) = if is_thorough() {
        (1_500, [300, 50])
    } else {
        (300, [60, 10])
    };
    for seed in 0..n_games {
        let game = random_game(seed, &shape);
        let mut random = SplitMix64::new(seed);
        let start = random_state(&game, &mut random);
        let known = Invariants::from_states(&game, std::slice::from_ref(&start));
        let kept: [Vec<bool>; 2] = [(); 2].map(|()| {
            let n = game.n_variables();
            (0..n).map(|_| random.below(3) > 0).collect()
        });
        let patterns =
            kept.map(|kept| Abstraction::identity(&game).project(|var| kept[var.index()]));
        let Ok(set) = AdditiveSet::build(&game, &patterns, &options(&known)) else {
            continue;
        };
        let combined = Combined::new(None, Patterns::sum(&game, set).unwrap(), "");
        let findings = exhaustive(&game, &combined, &[start], 1_000).unwrap();
        assert_eq!(findings.too_high, None, "seed {seed}");
        assert!(findings.is_consistent() && findings.is_incremental());
        fitted += 1;
        estimated += usize::from(findings.sum > 0);
    }
    assert!(
        fitted > least[0] && estimated > least[1],
        "{fitted} {estimated}"
    );
}

fn random_state(game: &Game, random: &mut SplitMix64) -> State {
    let value = |domain: &psvn_ir::DomainId, random: &mut SplitMix64| {
        psvn_ir::Value::from_index(random.below(game.domain(*domain).size()))
    };
    let vars = game.variables().iter();
    State::new(vars.map(|it| value(it, random)).collect::<Vec<_>>())
}

/// In the blocks world, tables of some blocks that share the hand count both moves of each block
/// out of place, and see that a tower must be taken down if it is wrong below.
#[test]
fn blocks_are_shared_out() {
    let game = built_in("blocks:6");
    let known = Invariants::from_goals(&game);
    let samples = sample_states(&game, &known, 50, 1);
    let found = families(&game, &known, &options(&known), 16 * MIB, &samples);
    let mut all = found.iter().flat_map(|family| &family.candidates);
    let three = all
        .find(|it| it.words().contains("tables of 3-3 variables"))
        .unwrap();
    let table = Combined::new(None, three.build(&game, &options(&known)).unwrap(), "");
    // The goal is a tower with 1 below. Here it stands the other way round.
    let start = game.parse_state("0 0 2 1 3 2 4 3 5 4 6 5 0").unwrap();
    let misplaced = Named::new(&game, &known, &[Name::Misplaced]).unwrap();
    let said = table.of_state(&start);
    assert!(said > misplaced.of_state(&start) && said >= 10, "{said}");
    let (names, _) = three.named(&game).unwrap();
    assert_eq!(names.split('+').count(), 2);
}

/// The partitions of Korf & Felner 2002 and Felner, Korf & Hanan 2004 have these sizes.
#[test]
fn the_fifteen_puzzle_has_the_known_partitions() {
    let game = built_in("sliding-tiles:4:4");
    let known = Invariants::from_goals(&game);
    let samples = sample_states(&game, &known, 50, 1);
    // The largest of them takes the most time to find.
    let memory = if is_thorough() { 1024 * MIB } else { 64 * MIB };
    let found = families(&game, &known, &options(&known), memory, &samples);
    let sum_of = |sizes: &str| {
        let mut all = found.iter().flat_map(|family| &family.candidates);
        all.find(|it| it.words() == format!("the sum of tables of {sizes} values"))
            .map(heuristics::tables::Candidate::bytes)
    };
    assert_eq!(sum_of("5-5-5"), Some(3 * 524_160));
    assert_eq!(sum_of("6-6-3"), Some(2 * 5_765_760 + 3_360));
    let largest = is_thorough().then_some(2 * 57_657_600 + 16);
    assert_eq!(sum_of("7-7-1"), largest);
}

#[test]
fn searches_with_tables_find_the_least_cost() {
    let (reference, start, least, sum) = if is_thorough() {
        (
            "sliding-tiles:3:3",
            "8 7 6 0 4 1 2 5 3",
            31,
            "sum of tables of 4-4",
        )
    } else {
        (
            "sliding-tiles:2:4",
            "5 3 4 1 2 7 6 0",
            26,
            "sum of tables of 4-3",
        )
    };
    let game = built_in(reference);
    let compiled = CompiledGame::new(&game);
    let start = game.parse_state(start).unwrap();
    let manhattan = Named::new(&game, &Invariants::none(&game), &[Name::Manhattan]).unwrap();
    let mut generated = Vec::new();
    for words in [sum, "whole game"] {
        let named = [None, Some(manhattan.clone())];
        for (named, tables) in named.into_iter().zip(two_candidates(&game, words)) {
            let combined = Combined::new(named, tables, words);
            let report = Searcher::builder(&compiled)
                .build()
                .run()
                .ida_star(&start, &combined)
                .unwrap();
            assert_eq!(report.solution().unwrap().cost, least);
            generated.push(report.totals.generated);
        }
    }
    let report = Searcher::builder(&compiled)
        .build()
        .run()
        .ida_star(&start, &manhattan)
        .unwrap();
    assert!(generated.iter().all(|n| *n < report.totals.generated));
    assert!(generated[2] < generated[0]);
}

#[test]
fn samples_come_back_from_a_seed() {
    let game = built_in("sliding-tiles:3:3");
    let known = Invariants::from_goals(&game);
    let samples = sample_states(&game, &known, 50, 3);
    assert_eq!(samples.len(), 50);
    assert_eq!(samples, sample_states(&game, &known, 50, 3));
    assert_ne!(samples, sample_states(&game, &known, 50, 4));
    assert!(
        samples
            .iter()
            .all(|state| known.check_state(&game, state).is_ok())
    );
}
