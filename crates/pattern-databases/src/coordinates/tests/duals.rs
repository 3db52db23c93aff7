//! Look-ups of dual states, compared with distances of inverse permutations in the abstract game.

use search::{Estimated, FollowedPath, Sibling};

use super::*;

fn cells(state: &State) -> Vec<u32> {
    state.values().iter().map(|value| value.0).collect()
}

/// Return the distance, or the greatest lower bound, that the dual's images have by the definition:
/// the coarser distance, raised to the remainder of the finer one.
fn expected(
    table: &CoordinateTable,
    inside: &Inside,
    [coarse, fine]: [&Oracle; 2],
    state: &State,
) -> u64 {
    let homes = inside::homes(table, state).expect("the goal's pieces");
    let dual = inverse(&homes);
    let images = inside.images.iter().map(|image| {
        let there = in_image(image, &dual);
        let (least, most) = (coarse.distance(&there), fine.distance(&there));
        (least..=most)
            .find(|it| it % 3 == most % 3)
            .expect("a finer table says no less")
    });
    images.max().expect("an image") * table.unit()
}

/// What was compared: in how many states the dual says more than the state itself, how many rules
/// left some dual as it was, and how the coarser table's entries are found.
#[derive(Default)]
struct Compared {
    n_greater: usize,
    n_kept: usize,
    ways: HashSet<&'static str>,
}

/// Compare the children of a state, estimated together, with each alone: for cut-offs near the
/// state's own estimate.
fn compare_batch(game: &Game, path: &FollowedPath<'_>, state: &State, near: u64) {
    let rules = || (0..game.rules().len()).map(RuleId::from_index);
    let children: Vec<Box<[Value]>> = rules()
        .map(|rule| game.rule(rule).canonical.apply(state.values()))
        .collect();
    for cutoff in [near.saturating_sub(1), near, near + 1, u64::MAX] {
        let siblings: Vec<Sibling> = rules().map(|rule| Sibling { rule, cutoff }).collect();
        let rejected = path.reject(&siblings);
        let together = path.children(&siblings, &children);
        for (number, child) in children.iter().enumerate() {
            let alone = path.child(siblings[number].rule, child, u64::MAX);
            let estimate = alone.estimate();
            let Estimated {
                estimate: bounded,
                memo,
            } = together[number];
            if estimate <= cutoff {
                assert_eq!((bounded, &memo), (estimate, alone.memo()));
                assert_eq!(rejected[number], None);
            } else {
                assert!(bounded > cutoff && bounded <= estimate);
                let lower = rejected[number].unwrap_or(estimate);
                assert!(lower > cutoff && lower <= estimate);
            }
        }
    }
}

/// Compare along random walks from the goal. `None` if there are too many states, or no duals.
fn compare(game: &Game, pattern: &CoordinatePattern, compared: &mut Compared) -> Option<()> {
    let options = Options::default();
    let plain = CoordinateTable::build(game, pattern, &options).expect("a table");
    let table = CoordinateTable::build(game, pattern, &options).expect("a table");
    let table = table
        .with_duals(game, &options)
        .expect("the table of duals");
    if CoordinateTable::sizes(game, &inside::coarse(pattern), &options).is_err() {
        // There is no coarser table.
        assert!(!table.has_duals());
        return None;
    }
    let inside = Inside::of(&table);
    let fine = Oracle::new(&inside, pattern, 200_000)?;
    let (_, apart) = inside::rules(pattern);
    let other = apart.map(|_| Oracle::new(&inside, &inside::coarse(pattern), 200_000));
    let coarse = match &other {
        Some(other) => other.as_ref()?,
        None => &fine,
    };
    assert!(table.has_duals(), "{}", pattern.to_text(game));
    assert!(table.n_bytes() > plain.n_bytes());
    let mut random = SplitMix64::new(11);
    compared.ways.extend(inside.way_of_duals);
    for _ in 0..10 {
        let mut state = game.goal_state().expect("a goal");
        let mut path = FollowedPath::start(&table, state.values()).expect("values of a byte");
        for _ in 0..30 {
            let rule = random.below(game.rules().len());
            let parent = path;
            state = State::new(game.rules()[rule].canonical.apply(state.values()).to_vec());
            let own = plain.estimate(&cells(&state));
            let both = own.max(expected(&table, &inside, [coarse, &fine], &state));
            let rule = RuleId::from_index(rule);
            path = parent.child(rule, state.values(), u64::MAX);
            assert_eq!(path.estimate(), both);
            assert_eq!(table.estimate(&cells(&state)), both);
            for cutoff in 0..both + 2 {
                let bounded = parent.child(rule, state.values(), cutoff).estimate();
                if both <= cutoff {
                    assert_eq!(bounded, both);
                } else {
                    assert!((cutoff + 1..=both).contains(&bounded));
                }
            }
            compared.n_greater += usize::from(both > own);
            compared.n_kept += usize::from(inside.keeps_a_dual[rule.index()]);
            compare_batch(game, &path, &state, both);
        }
    }
    Some(())
}

#[test]
fn distances_are_those_of_inverse_permutations() {
    let mut compared = Compared::default();
    for (reference, text) in CASES {
        let game = game(reference);
        compare(&game, &pattern(&game, text), &mut compared);
    }
    assert!(compared.n_greater > 100, "{}", compared.n_greater);
    assert!(compared.n_kept > 100, "{}", compared.n_kept);
    assert_eq!(compared.ways, HashSet::from(["same", "nested", "other"]));
}

#[test]
fn random_games_with_duals() {
    let mut compared = Compared::default();
    for seed in 0..cases(40) {
        let game = random_permutations(seed);
        let n_rules = game.rules().len();
        let alike = vec![seed as usize % n_rules];
        let apart = seed
            .is_multiple_of(3)
            .then(|| (vec![(seed as usize + 2) % n_rules], vec![0]));
        let pattern = inside::pattern(alike, apart);
        if CoordinateTable::sizes(&game, &pattern, &Options::default()).is_ok() {
            compare(&game, &pattern, &mut compared);
        }
    }
    assert!(compared.n_greater > 100, "{}", compared.n_greater);
}

/// By brute force: no estimate exceeds the true distance.
#[test]
fn duals_are_admissible_on_all_states() {
    for (reference, text) in [
        ("topspin:7:3", "like 1 3 apart at 1"),
        ("pancake:7", "like flip3 flip4 flip5"),
    ] {
        let game = game(reference);
        let options = Options::default();
        let table = CoordinateTable::build(&game, &pattern(&game, text), &options);
        let table = table.expect("a table").with_duals(&game, &options);
        let table = table.expect("the table of duals");
        assert_admissible(&game, &table);
    }
}

/// A state that isn't an arrangement of the goal's pieces has no dual.
#[test]
fn states_with_other_pieces() {
    let game = game("rubik:2:fixed");
    let options = Options::default();
    let table = CoordinateTable::build(&game, &pattern(&game, "like U2 R2 F2"), &options);
    let table = table.expect("a table").with_duals(&game, &options);
    let table = table.expect("the table of duals");
    let mut state = cells(&game.goal_state().expect("a goal"));
    assert_eq!(table.estimate(&state), 0);
    state.fill(0);
    assert_eq!(table.estimate(&state), search::DEAD_END);
    state.fill(u32::from(u8::MAX));
    assert_eq!(table.estimate(&state), search::DEAD_END);
}
