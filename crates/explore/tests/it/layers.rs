//! Layers compared with published counts, with a simple search, and with each other.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use budget::{Limits, StopReason, Watch};
use explore::{ExploreError, Layer, Options, Origin, Storage, StoredAs, explore};
use proptest::prelude::*;
use psvn_ir::testing::{GameShape, SplitMix64, all_states, cases, random_game};
use psvn_ir::{Game, State, Value};

use super::{built_in, folder, storages, with_storage};

#[test]
fn published_layers_in_every_storage() {
    let rows: [(&str, &[u64]); 4] = [
        (
            "sliding-tiles:3:3",
            &[
                1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638,
                9529, 10878, 16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221,
                2,
            ],
        ),
        ("pancake:7", &[1, 6, 30, 149, 543, 1357, 1903, 1016, 35]),
        (
            "hanoi:4:6",
            &[
                1, 3, 6, 12, 30, 30, 66, 96, 126, 210, 330, 318, 462, 804, 918, 528, 150, 6,
            ],
        ),
        ("arrow:8", &[1, 7, 21, 35, 35, 21, 7, 1]),
    ];
    for (reference, layers) in rows {
        let game = built_in(reference);
        let folder = folder();
        for storage in storages(&folder) {
            let report = explore(&game, &Origin::Goals, &with_storage(storage.clone()))
                .unwrap_or_else(|error| panic!("{reference} {storage:?}: {error}"));
            assert_eq!(report.layers, layers, "{reference} {storage:?}");
            assert!(report.is_whole, "{reference} {storage:?}");
            let last = layers[layers.len() - 1].min(3);
            assert_eq!(
                report.farthest.len() as u64,
                last,
                "{reference} {storage:?}"
            );
        }
    }
}

/// Find layers by a search that keeps states in a map.
fn by_hand(game: &Game, roots: &[State], backward: bool) -> Vec<u64> {
    let mut distance: HashMap<Vec<u32>, u64> = HashMap::new();
    let numbers = |state: &[psvn_ir::Value]| state.iter().map(|value| value.0).collect::<Vec<_>>();
    let mut edges: HashMap<Vec<u32>, BTreeSet<Vec<u32>>> = HashMap::new();
    for state in all_states(game) {
        for rule in game.rules() {
            if rule.canonical.applies_to(&state) {
                let next = rule.canonical.apply(&state);
                let (from, to) = (numbers(&state), numbers(&next));
                let (from, to) = if backward { (to, from) } else { (from, to) };
                edges.entry(from).or_default().insert(to);
            }
        }
    }
    let mut layer: BTreeSet<Vec<u32>> = roots.iter().map(|root| numbers(root.values())).collect();
    let mut layers = Vec::new();
    while !layer.is_empty() {
        layers.push(layer.len() as u64);
        for state in &layer {
            distance.insert(state.clone(), layers.len() as u64);
        }
        let next = layer.iter().filter_map(|state| edges.get(state)).flatten();
        layer = next
            .filter(|state| !distance.contains_key(*state))
            .cloned()
            .collect();
    }
    layers
}

/// Make the text of a small game whose rules move values between places, each with its inverse
/// unless `one_way`. Goals may leave values open.
fn moving_game(seed: u64, one_way: bool) -> String {
    let mut random = SplitMix64::new(seed);
    let (n, values) = (3 + random.below(2), 2 + random.below(3));
    moving_game_of(&mut random, (n, values), 25, one_way)
}

/// Make such a game of `n` places and some values. Each rule tests about `tested` percent of the
/// places for a value.
fn moving_game_of(
    random: &mut SplitMix64,
    (n, values): (usize, usize),
    tested: u32,
    one_way: bool,
) -> String {
    let mut text = format!("{n}\n{}\n", format!("{values} ").repeat(n));
    for _ in 0..1 + random.below(3) {
        let mut left: Vec<String> = (0..n)
            .map(|place| {
                if random.chance(tested) {
                    random.below(values).to_string()
                } else {
                    format!("X{place}")
                }
            })
            .collect();
        let right = left.clone();
        for place in (1..n).rev() {
            left.swap(place, random.below(place + 1));
        }
        let (left, right) = (left.join(" "), right.join(" "));
        text += &format!("{left} => {right}\n");
        if !one_way {
            text += &format!("{right} => {left}\n");
        }
    }
    let mut goal = || {
        if random.chance(30) {
            "-".to_owned()
        } else {
            random.below(values).to_string()
        }
    };
    let goal: Vec<String> = (0..n).map(|_| goal()).collect();
    text + &format!("GOAL {}\n", goal.join(" "))
}

/// A storage that is asked for by name gives what memory gives, or is refused.
#[test]
fn every_storage_gives_the_same_or_is_refused() {
    let shape = GameShape::default();
    let (mut by_rank, mut refused) = (0, 0);
    for seed in 0..cases(600) {
        let game = match seed % 3 {
            0 => random_game(seed, &shape),
            way => psvn_ir::load(&moving_game(seed, way == 1))
                .game
                .expect("a game"),
        };
        let n_states = all_states(&game).count();
        let start = all_states(&game).nth(seed as usize % n_states);
        let start = State::new(start.expect("one of its states"));
        let folder = folder();
        for (number, origin) in [Origin::Goals, Origin::States(vec![start])]
            .into_iter()
            .enumerate()
        {
            let expected = explore(&game, &origin, &with_storage(Storage::Memory));
            let expected = expected.expect("some states");
            let disk = Storage::Disk(folder.path().join(number.to_string()));
            for storage in [Storage::Ranked, Storage::Automatic, disk] {
                let by_name = storage == Storage::Ranked;
                let found = explore(&game, &origin, &with_storage(storage.clone()));
                let found = match found {
                    Err(ExploreError::NotRanked(_)) if by_name => {
                        refused += 1;
                        continue;
                    }
                    found => found.expect("no errors"),
                };
                by_rank += usize::from(by_name);
                assert_eq!(
                    (&found.layers, found.is_whole),
                    (&expected.layers, true),
                    "seed {seed}, {origin:?}, {storage:?}"
                );
            }
        }
    }
    assert!(by_rank > 50 && refused > 50, "{by_rank} {refused}");
}

/// With so little memory that runs go to the disk, files give what memory gives.
#[test]
fn little_memory_gives_the_same_layers() {
    let (mut spilled, mut ranked, mut packed) = (0, 0, 0);
    for seed in 0..cases(40) {
        let mut random = SplitMix64::new(seed);
        // Permutations, and values that look alike.
        let (n, values) = [(8, 9), (12, 3), (16, 2)][seed as usize % 3];
        let tested = if seed % 2 == 0 { 0 } else { 5 };
        let text = moving_game_of(&mut random, (n, values), tested, seed % 5 == 0);
        let game = psvn_ir::load(&text).game.expect("a game");
        let mut start: Vec<Value> = (0..n).map(|i| Value((i % values) as u32)).collect();
        random.shuffle(&mut start);
        let start = State::new(start);
        let game = game.with_goal_states([&start]);
        let origin = match seed % 4 {
            3 => Origin::Goals,
            _ => Origin::States(vec![start]),
        };
        let expected =
            explore(&game, &origin, &with_storage(Storage::Memory)).expect("some states");
        let on_disk = |memory| {
            let folder = folder();
            let limits = Limits {
                memory,
                ..Limits::default()
            };
            let options = Options {
                budget: Watch::new(limits),
                ..with_storage(Storage::Disk(folder.path().to_owned()))
            };
            let found = explore(&game, &origin, &options).expect("no errors");
            assert_eq!(found.layers, expected.layers, "seed {seed}");
            assert_eq!(found.farthest, expected.farthest, "seed {seed}");
            found.stored_as
        };
        let [much, little] = [None, Some(1 << 15)].map(on_disk);
        let (
            StoredAs::Disk {
                written, ranking, ..
            },
            StoredAs::Disk { written: more, .. },
        ) = (much, little)
        else {
            panic!("not on disk");
        };
        ranked += u32::from(ranking.is_some());
        packed += u32::from(ranking.is_none());
        spilled += u32::from(more > written);
    }
    assert!(
        ranked > 5 && packed > 5 && spilled > 5,
        "{ranked} {packed} {spilled}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(500), ..ProptestConfig::default() })]

    #[test]
    fn random_games_have_the_layers_of_a_search_by_hand(seed in any::<u64>(), start in any::<usize>()) {
        let game = random_game(seed, &GameShape::default());
        let states: Vec<State> = all_states(&game).map(State::new).collect();
        let start = states[start % states.len()].clone();
        let goals: Vec<State> =
            states.iter().filter(|state| game.is_goal(state.values())).cloned().collect();
        let folder = folder();
        for (number, (origin, roots, backward)) in [
            (Origin::States(vec![start.clone()]), vec![start], false),
            (Origin::Goals, goals, true),
        ].into_iter().enumerate() {
            if roots.is_empty() {
                continue;
            }
            let expected = by_hand(&game, &roots, backward);
            let disk = Storage::Disk(folder.path().join(number.to_string()));
            for storage in [Storage::Memory, disk] {
                let report = explore(&game, &origin, &with_storage(storage)).expect("no errors");
                prop_assert_eq!(&report.layers, &expected);
                prop_assert!(report.is_whole);
            }
        }
    }
}

#[test]
fn threads_do_not_change_counts() {
    let game = built_in("topspin:9:4");
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let folder = folder();
        let storages = storages(&folder).into_iter();
        let reports = storages.map(|storage| {
            let run = || explore(&game, &Origin::Goals, &with_storage(storage));
            let report = pool
                .as_ref()
                .expect("threads")
                .install(run)
                .expect("no errors");
            (report.layers, report.farthest)
        });
        reports.collect::<Vec<_>>()
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn a_depth_a_limit_and_an_interruption_leave_complete_layers() {
    let game = built_in("sliding-tiles:3:3");
    let whole = explore(&game, &Origin::Goals, &Options::default()).expect("no errors");
    let folder = folder();
    for storage in storages(&folder) {
        // On a disk, the first call makes more layers than the later ones need.
        let mut first_states = Vec::new();
        for depth in [10, 31, 0, 7] {
            let deep = Options {
                depth: Some(depth),
                ..with_storage(storage.clone())
            };
            let report = explore(&game, &Origin::Goals, &deep).expect("no errors");
            assert_eq!(
                report.layers,
                whole.layers[..=depth as usize],
                "{storage:?}"
            );
            assert!(!report.is_whole && report.stopped.is_none());
            first_states.push(report.farthest);
        }
        assert_eq!(first_states[1].len(), 2, "{storage:?}");
        // States of an earlier layer aren't kept on a disk.
        let is_kept = !matches!(storage, Storage::Disk(_));
        assert_eq!(!first_states[2].is_empty(), is_kept, "{storage:?}");
    }
    for storage in [Storage::Ranked, Storage::Memory] {
        let nodes = Limits {
            nodes: Some(20_000),
            ..Limits::default()
        };
        let limited = Options {
            budget: Watch::new(nodes),
            ..with_storage(storage.clone())
        };
        let report = explore(&game, &Origin::Goals, &limited).expect("no errors");
        assert_eq!(report.stopped, Some(StopReason::Nodes), "{storage:?}");
        let n = report.layers.len();
        assert!(n > 10 && n < whole.layers.len());
        assert_eq!(report.layers, whole.layers[..n]);
        assert_eq!(report.farthest.len(), 3);
    }
    let flag = Arc::new(AtomicBool::new(false));
    let heard = Mutex::new(0);
    let on_layer = |layer: &Layer| {
        *heard.lock().expect("one thread") = layer.distance;
        if layer.distance == 12 {
            flag.store(true, Ordering::Relaxed);
        }
    };
    let interruptible = Limits {
        interrupt: Some(Arc::clone(&flag)),
        ..Limits::default()
    };
    let options = Options {
        budget: Watch::new(interruptible),
        on_layer: Some(&on_layer),
        ..with_storage(Storage::Memory)
    };
    let report = explore(&game, &Origin::Goals, &options).expect("no errors");
    assert_eq!(report.stopped, Some(StopReason::Interrupted));
    assert_eq!(report.layers, whole.layers[..=12]);
    assert_eq!(*heard.lock().expect("one thread"), 12);
}

#[test]
fn what_cannot_be_explored_is_refused() {
    let no_goal = psvn_ir::load("2  2 2  A B => B A").game.expect("a game");
    let error = explore(&no_goal, &Origin::Goals, &Options::default());
    assert!(matches!(error, Err(ExploreError::NoGoal)), "{error:?}");
    let error = explore(&no_goal, &Origin::States(Vec::new()), &Options::default());
    assert!(matches!(error, Err(ExploreError::NoStart)), "{error:?}");
    // Any state of 2^60 is a goal.
    let text = format!(
        "60\n{}\n{}\nGOAL {}\n",
        "2 ".repeat(60),
        format_args!("0 {0}=> 1 {0}", "- ".repeat(59)),
        "- ".repeat(60)
    );
    let many = psvn_ir::load(&text).game.expect("a game");
    let error = explore(&many, &Origin::Goals, &with_storage(Storage::Memory));
    assert!(
        matches!(error, Err(ExploreError::TooManyGoals(_))),
        "{error:?}"
    );
    // Moves in one direction only: no ranks from a start.
    let one_way = psvn_ir::load("1  3  0 => 1  1 => 2  GOAL 2")
        .game
        .expect("a game");
    let start = one_way.parse_state("0").expect("a state");
    let error = explore(
        &one_way,
        &Origin::States(vec![start.clone()]),
        &with_storage(Storage::Ranked),
    );
    assert!(
        matches!(error, Err(ExploreError::NotRanked(_))),
        "{error:?}"
    );
    let report = explore(&one_way, &Origin::States(vec![start]), &Options::default());
    assert_eq!(report.expect("no errors").layers, [1, 1, 1]);
}
