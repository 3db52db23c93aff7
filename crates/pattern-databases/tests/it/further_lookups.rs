//! Images and duals of states are as far from the goal as the states themselves.

use abstraction::{Abstraction, Symmetry};
use pattern_databases::{AdditiveSet, Dual, Options, PatternDatabase, Patterns};
use psvn_ir::testing::SplitMix64;
use psvn_ir::{Game, RuleId, State, Value};
use search::check::{Sample, sampled};
use search::{DEAD_END, FollowedPath, Heuristic};

use crate::support::{cells, distances, domain};

fn whole(game: &Game) -> PatternDatabase {
    PatternDatabase::build(game, &Abstraction::identity(game), &Options::default()).unwrap()
}

#[test]
fn duals_and_images_are_as_far_from_the_goal() {
    for (reference, n_symmetries) in [("topspin:7:3", 1), ("pancake:6", 0), ("topspin:6:4", 1)] {
        let game = domain(reference);
        let table = whole(&game);
        let dual = table.of_duals(&Dual::find(&game).expect(reference));
        let symmetries = Symmetry::find(&game, 10);
        assert_eq!(symmetries.len(), n_symmetries, "{reference}");
        let images: Vec<PatternDatabase> = symmetries
            .iter()
            .map(|it| table.mirrored(&game, it))
            .collect();
        let mut n = 0;
        #[expect(
            clippy::iter_over_hash_type,
            reason = "each state is a case of its own"
        )]
        for (state, distance) in distances(&game) {
            if table
                .check_start(&game, &State::new(state.clone()))
                .is_err()
            {
                continue;
            }
            n += 1;
            let state = cells(&state);
            assert_eq!(table.estimate(&state), distance);
            assert_eq!(dual.estimate(&state), distance, "{reference}");
            for image in &images {
                assert_eq!(image.estimate(&state), distance, "{reference}");
            }
        }
        assert!(n > 100, "{reference}: {n}");
    }
}

#[test]
fn duals_are_refused_where_they_mean_nothing() {
    // Rules with tests; goals with the same value twice.
    for reference in ["sliding-tiles:3:3", "hanoi:3:3", "arrow:5"] {
        assert_eq!(Dual::find(&domain(reference)), None, "{reference}");
    }
    // Three pieces of two positions each, which take each other's places, and of which the first
    // can be turned. In the goals, two pieces look alike; one looks the same when turned; all
    // differ.
    for (goal, has_dual) in [
        ("a b a b c d", false),
        ("a b b a c d", false),
        ("a b c d e e", false),
        ("a b c d e f", true),
        ("a b b c c a", true),
    ] {
        let text = format!(
            "DOMAIN v 6 a b c d e f\n6 v v v v v v\nP Q R S T U => R S T U P Q\n\
             P Q R S T U => T U P Q R S\nP Q - - - - => Q P - - - -\nGOAL {goal}"
        );
        let game = psvn_ir::load(&text).game.unwrap();
        assert_eq!(Dual::find(&game).is_some(), has_dual, "{goal}");
    }
    // Besides the pieces, two positions change places, and look alike.
    for (last, has_dual) in [("- -", true), ("W V", false)] {
        let text = format!(
            "DOMAIN v 6 a b c d e f\n8 v v v v v v v v\nP Q R S T U V W => R S T U P Q V W\n\
             P Q R S T U V W => T U P Q R S V W\nP Q - - - - - - => Q P - - - - - -\n\
             - - - - - - V W => - - - - - - {last}\nGOAL a b c d e f a a"
        );
        let game = psvn_ir::load(&text).game.unwrap();
        assert_eq!(Dual::find(&game).is_some(), has_dual, "{last}");
    }
    // A rule without its inverse.
    let text = "DOMAIN v 3 a b c\n3 v v v\nX Y Z => Y Z X\nGOAL a b c";
    let game = psvn_ir::load(text).game.unwrap();
    assert_eq!(Dual::find(&game), None);
    // An inverse that costs more than the rule.
    let text =
        "DOMAIN v 3 a b c\n3 v v v\nX Y Z => Y Z X COST 1\nX Y Z => Z X Y COST 2\nGOAL a b c";
    let game = psvn_ir::load(text).game.unwrap();
    assert_eq!(Dual::find(&game), None);
}

/// The dual of the state to which some rules lead is the one to which their inverses lead in
/// opposite order.
#[test]
fn duals_of_pieces_are_inverses() {
    for (reference, pattern) in [
        ("rubik:2:fixed", "pieces 1 2"),
        ("rubik:3", "pieces w/g w/r y/b"),
        ("rubik:3", "pieces w/r/g y/o/b"),
    ] {
        let game = domain(reference);
        let abstraction = Abstraction::from_pattern(&game, pattern).unwrap();
        let table = PatternDatabase::build(&game, &abstraction, &Options::default()).unwrap();
        let duality = Dual::find(&game).expect(reference);
        let dual = table.of_duals(&duality);
        let mirrored: Vec<_> = Symmetry::find(&game, 3)
            .iter()
            .map(|symmetry| {
                let of_inverse = table.mirrored(&game, symmetry);
                let other_way = of_inverse.of_duals(&duality);
                [dual.mirrored(&game, symmetry), of_inverse, other_way]
            })
            .collect();
        let permutations: Vec<Vec<usize>> = game
            .rules()
            .iter()
            .map(|rule| rule.canonical.value_targets().unwrap())
            .collect();
        let inverse = |rule: &usize| {
            let undoes = |other: &Vec<usize>| {
                let mut both = permutations[*rule].iter().enumerate();
                both.all(|(from, to)| other[*to] == from)
            };
            permutations.iter().position(undoes).unwrap()
        };
        let after = |rules: &[usize]| {
            let goal = game.goal_state().unwrap().values().into();
            let step =
                |state: Box<[Value]>, rule: &usize| game.rules()[*rule].canonical.apply(&state);
            cells(&rules.iter().fold(goal, step))
        };
        let mut random = SplitMix64::new(7);
        let mut differ = 0;
        for _ in 0..500 {
            let n = random.below(12);
            let word: Vec<usize> = (0..n).map(|_| random.below(game.rules().len())).collect();
            let back: Vec<usize> = word.iter().rev().map(inverse).collect();
            let (state, inverse) = (after(&word), after(&back));
            assert_eq!(dual.estimate(&state), table.estimate(&inverse), "{word:?}");
            for [of_dual, of_inverse, other_way] in &mirrored {
                assert_eq!(of_dual.estimate(&state), of_inverse.estimate(&inverse));
                assert_eq!(of_dual.estimate(&state), other_way.estimate(&state));
            }
            differ += usize::from(dual.estimate(&state) != table.estimate(&state));
        }
        assert!(differ > 50, "{pattern}: {differ}");
        // A state that is no permutation of the goal.
        let state = vec![after(&[])[0]; game.n_variables()];
        assert_eq!(dual.estimate(&state), 0);
    }
}

/// Check estimates in every state, and along paths. Return how many of them are greater than
/// without further look-ups.
fn check_views(game: &Game, plain: &Patterns, patterns: &Patterns) -> usize {
    let mut n_greater = 0;
    let known = distances(game);
    #[expect(
        clippy::iter_over_hash_type,
        reason = "each state is a case of its own"
    )]
    for (state, distance) in &known {
        let row = cells(state);
        let path = FollowedPath::start(patterns, state).unwrap();
        let estimate = path.estimate();
        assert_eq!(estimate, patterns.estimate(&row));
        if patterns
            .check_start(game, &State::new(state.clone()))
            .is_err()
        {
            continue;
        }
        assert!(estimate <= *distance, "{}", game.format_state(state));
        assert!(estimate >= plain.estimate(&row));
        n_greater += usize::from(estimate > plain.estimate(&row));
        for (id, rule) in game.rules_with_ids() {
            if !rule.canonical.applies_to(state) {
                continue;
            }
            check_child(patterns, id, &path, &rule.canonical.apply(state));
        }
    }
    n_greater
}

fn check_child(patterns: &Patterns, id: RuleId, path: &FollowedPath<'_>, child: &[Value]) {
    let estimate = patterns.estimate(&cells(child));
    assert_eq!(path.child(id, child, u64::MAX).estimate(), estimate);
    for enough in [0, 1, 3, 5, 100] {
        let within = path.child(id, child, enough).estimate();
        if estimate == DEAD_END || estimate > enough {
            assert!(within > enough && within <= estimate);
        } else {
            assert_eq!(within, estimate);
        }
    }
}

#[test]
fn more_look_ups_stay_admissible() {
    let table = |game: &Game, pattern: &str| {
        let abstraction = Abstraction::from_pattern(game, pattern).unwrap();
        PatternDatabase::build(game, &abstraction, &Options::default()).unwrap()
    };
    for (reference, pattern) in [
        ("topspin:7:3", "keep 0 1 2"),
        ("topspin:7:4", "keep 1 4"),
        ("pancake:6", "keep 1-3"),
        ("pancake:6", "keep 4-6"),
        ("sliding-tiles:2:3", "keep 0 1 2"),
    ] {
        let game = domain(reference);
        let plain = Patterns::maximum(&game, vec![table(&game, pattern)]).unwrap();
        let more = Patterns::maximum(&game, vec![table(&game, pattern)]).unwrap();
        let more = more.with_further_lookups(&game, 3, true);
        let n_greater = check_views(&game, &plain, &more);
        assert_eq!(n_greater > 0, more.sums().len() > 1, "{reference}");
        // The children of a node together.
        let sample = Sample {
            n_walks: 20,
            length: 20,
            seed: 9,
        };
        let report = sampled(
            &game,
            &more,
            |state| more.check_start(&game, state).is_ok(),
            &sample,
        );
        let report = report.unwrap();
        assert!(report.is_incremental(), "{report}");
    }
}

/// Three pegs that look alike except in the goal: by variables, without look-ups along paths.
#[test]
fn images_of_pegs() {
    let game = domain("hanoi:4:3");
    let table = |game: &Game| {
        let abstraction = Abstraction::from_pattern(game, "project 1-4 9 11-12").unwrap();
        PatternDatabase::build(game, &abstraction, &Options::default()).unwrap()
    };
    let plain = Patterns::maximum(&game, vec![table(&game)]).unwrap();
    let more = Patterns::maximum(&game, vec![table(&game)]).unwrap();
    let more = more.with_further_lookups(&game, 4, false);
    assert!(more.sums().len() > 1);
    check_views(&game, &plain, &more);
}

#[test]
fn sums_are_mirrored_as_wholes() {
    let game = domain("sliding-tiles:3:3");
    let patterns = ["keep 1 3 4 6", "keep 2 5 7 8"]
        .map(|pattern| Abstraction::from_pattern(&game, pattern).unwrap());
    let set = || AdditiveSet::build(&game, &patterns, &Options::default()).unwrap();
    let distances = whole(&game);
    let plain = Patterns::sum(&game, set()).unwrap();
    let mirrored = Patterns::sum(&game, set())
        .unwrap()
        .with_further_lookups(&game, 1, false);
    assert_eq!(
        mirrored.sums().iter().map(Vec::len).collect::<Vec<_>>(),
        [2, 2]
    );
    let sample = Sample {
        n_walks: 300,
        length: 60,
        seed: 4,
    };
    let compared = |state: &State| {
        let row = cells(state.values());
        assert!(mirrored.estimate(&row) <= distances.estimate(&row));
        assert!(mirrored.estimate(&row) >= plain.estimate(&row));
        true
    };
    let report = sampled(&game, &mirrored, compared, &sample).unwrap();
    assert!(
        report.is_admissible() && report.is_incremental(),
        "{report}"
    );
    let without = sampled(&game, &plain, |_| true, &sample).unwrap();
    assert!(report.sum > without.sum);
    // A partition that equals its own image adds nothing.
    let patterns = ["keep 1 3 4 8", "keep 2 5 6 7"]
        .map(|pattern| Abstraction::from_pattern(&game, pattern).unwrap());
    let set = AdditiveSet::build(&game, &patterns, &Options::default()).unwrap();
    let same = Patterns::sum(&game, set)
        .unwrap()
        .with_further_lookups(&game, 1, false);
    assert_eq!(
        same.sums().len(),
        2 - usize::from(is_symmetric(&game, &patterns))
    );
}

/// Return whether the board's reflection maps each pattern to one of them.
fn is_symmetric(game: &Game, patterns: &[Abstraction]) -> bool {
    let reflection = &Symmetry::find(game, 1)[0];
    let kept = |pattern: &Abstraction| {
        let mut values = pattern.distinct_values(game.variables()[0]);
        values.sort_unstable();
        values
    };
    let all: Vec<_> = patterns.iter().map(kept).collect();
    all.iter().all(|values| {
        let mut image: Vec<_> = values.iter().map(|v| reflection.value(0, *v)).collect();
        image.sort_unstable();
        all.contains(&image)
    })
}
