//! Explorations up to symmetries.

use budget::{Limits, Watch};
use explore::{ExploreError, Options, Origin, Storage, StoredAs, explore};
use psvn_ir::State;
use psvn_ir::testing::{GameShape, all_states, cases, random_game};

use super::{built_in, folder, with_storage};

/// With symmetries the counts are the same, with fewer stored states.
#[test]
fn orbits_represent_all_their_states() {
    for reference in [
        "sliding-tiles:3:3",
        "rubik:2:fixed",
        "hanoi:4:5",
        "pancake:6",
        "lights-out:3:3",
    ] {
        let game = built_in(reference);
        let start = game.goal_state().expect("one goal state");
        for origin in [Origin::Goals, Origin::States(vec![start])] {
            let plain = Options {
                depth: Some(8),
                ..with_storage(Storage::Memory)
            };
            let plain = explore(&game, &origin, &plain).expect("no errors");
            assert_eq!(plain.orbits, None);
            for threads in [1, 3] {
                let with = Options {
                    depth: Some(8),
                    symmetries: true,
                    ..Options::default()
                };
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let pool = pool.expect("a few threads");
                let found = pool.install(|| explore(&game, &origin, &with).expect("no errors"));
                assert_eq!(found.layers, plain.layers, "{reference}");
                let orbits = found.orbits.as_ref().expect("orbits were counted");
                assert_eq!(orbits.len(), found.layers.len());
                let StoredAs::Packed { symmetries, .. } = found.stored_as else {
                    panic!("{:?}", found.stored_as);
                };
                for (orbits, states) in orbits.iter().zip(&found.layers) {
                    assert!(orbits <= states && orbits * symmetries as u64 >= *states);
                }
                let all: u64 = orbits.iter().sum();
                assert_eq!(all < found.states(), symmetries > 1, "{reference}");
            }
        }
    }
}

/// Compared with brute force on random games, with starts that symmetries need not preserve.
#[test]
fn orbits_of_random_games_are_counted_correctly() {
    let shape = GameShape {
        n_variables: 2..=4,
        n_values: 2..=3,
        n_rules: 1..=4,
        ..GameShape::default()
    };
    let mut n_symmetric = 0;
    for seed in 0..cases(600) {
        let game = random_game(seed, &shape);
        let start = all_states(&game).nth(seed as usize % 4);
        let start = State::new(start.expect("a few states"));
        for origin in [Origin::Goals, Origin::States(vec![start])] {
            let with = |symmetries| Options {
                symmetries,
                ..with_storage(Storage::Memory)
            };
            let (Ok(plain), Ok(found)) = (
                explore(&game, &origin, &with(false)),
                explore(&game, &origin, &with(true)),
            ) else {
                continue;
            };
            assert_eq!(found.layers, plain.layers, "seed {seed}, {origin:?}");
            assert!(found.is_whole);
            let orbits = found.orbits.as_ref().expect("orbits were counted");
            let orbits: u64 = orbits.iter().sum();
            n_symmetric += usize::from(orbits < found.states());
        }
    }
    assert!(n_symmetric > 10, "{n_symmetric}");
}

#[test]
fn symmetries_are_refused_with_ranks() {
    let options = Options {
        symmetries: true,
        ..with_storage(Storage::Ranked)
    };
    let refused = explore(&built_in("sliding-tiles:2:2"), &Origin::Goals, &options);
    assert!(matches!(refused, Err(ExploreError::RankedSymmetries)));
}

/// On a disk, with little memory and in two calls, orbits equal those in memory.
#[test]
fn orbits_on_a_disk_are_those_in_memory() {
    for reference in ["rubik:2:fixed", "hanoi:4:6", "lights-out:3:3", "pancake:7"] {
        let game = built_in(reference);
        let orbits = |storage: Storage, depth: Option<u64>| {
            let memory = Limits {
                memory: matches!(storage, Storage::Disk(_)).then_some(1 << 18),
                ..Limits::default()
            };
            let options = Options {
                budget: Watch::new(memory),
                symmetries: true,
                depth,
                ..with_storage(storage)
            };
            explore(&game, &Origin::Goals, &options)
        };
        let expected = orbits(Storage::Memory, Some(7)).expect("no errors");
        let folder = folder();
        let disk = Storage::Disk(folder.path().to_owned());
        for depth in [3, 7] {
            let found = orbits(disk.clone(), Some(depth)).expect("no errors");
            let n = found.layers.len();
            assert_eq!(found.layers, expected.layers[..n], "{reference}");
            let stored = expected.orbits.as_ref().map(|it| &it[..n]);
            assert_eq!(found.orbits.as_deref(), stored, "{reference}");
        }
        let found = orbits(disk.clone(), Some(7)).expect("no errors");
        assert_eq!(found.layers, expected.layers, "{reference}");
        assert_eq!(found.farthest, expected.farthest, "{reference}");
        let StoredAs::Disk { symmetries, .. } = found.stored_as else {
            panic!("{:?}", found.stored_as);
        };
        // Without symmetries, it is another exploration.
        let plain = explore(&game, &Origin::Goals, &with_storage(disk));
        if symmetries > 1 {
            let what = "another number of symmetries";
            assert!(
                matches!(&plain, Err(ExploreError::OtherExploration { what: it, .. }) if *it == what),
                "{plain:?}"
            );
        }
    }
}
