//! Layers compared with published counts, with a simple search, and with each other.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use budget::{Limits, StopReason, Watch};
use explore::{
    ExploreError, FileError, Layer, Options, Origin, Report, Storage, StoredAs, explore,
};
use proptest::prelude::*;
use psvn_ir::testing::{GameShape, SplitMix64, all_states, cases, random_game};
use psvn_ir::{Game, State};

fn built_in(reference: &str) -> Game {
    let words: Vec<&str> = reference.split(':').collect();
    let text = domains::generate(words[0], &words[1..]).expect("a built-in game");
    psvn_ir::load(&text).game.expect("a game without errors")
}

fn with_storage(storage: Storage) -> Options<'static> {
    Options {
        storage,
        farthest: 3,
        ..Options::default()
    }
}

/// Make a folder for files: in memory where there is such a place, since tests that make files by
/// the thousand wait for a disk most of the time.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .expect("a folder for files")
}

/// Return the three storages. The folder must outlive the exploration.
fn storages(folder: &tempfile::TempDir) -> [Storage; 3] {
    [
        Storage::Ranked,
        Storage::Memory,
        Storage::Disk(folder.path().join("layers")),
    ]
}

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
    let mut text = format!("{n}\n{}\n", format!("{values} ").repeat(n));
    for _ in 0..1 + random.below(3) {
        let mut left: Vec<String> = (0..n)
            .map(|place| {
                if random.chance(25) {
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

/// Where a move can't be undone, ranks number the states that can be reached from the goals, not
/// those that lead to them.
#[test]
fn ranks_are_refused_where_a_move_cannot_be_undone() {
    for text in [
        "1  3  0 => 1  1 => 2  GOAL 2",
        "2  2 2  0 - => 1 -  - 0 => - 1  GOAL 1 1",
    ] {
        let game = psvn_ir::load(text).game.expect("a game");
        let refused = explore(&game, &Origin::Goals, &with_storage(Storage::Ranked));
        let Err(ExploreError::NotRanked(reason)) = &refused else {
            panic!("{refused:?}");
        };
        assert!(reason.contains("can't be undone"), "{reason}");
        let found = explore(&game, &Origin::Goals, &Options::default()).expect("no errors");
        let expected: &[u64] = if text.starts_with('1') {
            &[1, 1, 1]
        } else {
            &[1, 2, 1]
        };
        assert_eq!(found.layers, expected);
    }
}

/// A few states are kept in memory, whatever the size of the table.
#[test]
fn a_small_depth_takes_no_table() {
    // 14! / 2 ranks take 10 GiB.
    let game = built_in("topspin:15:4");
    let options = Options {
        depth: Some(2),
        ..Options::default()
    };
    let found = explore(&game, &Origin::Goals, &options).expect("no errors");
    assert_eq!(found.layers, [1, 15, 150]);
    assert!(matches!(found.stored_as, StoredAs::Packed { .. }));
    assert!(found.peak_bytes < 1 << 25, "{}", found.peak_bytes);
}

/// Once the layers take more than is left beside the table, ranks take over between two layers.
#[test]
fn ranks_take_over_from_memory() {
    let cases = [
        ("pancake:11", 6, false),
        ("pancake:11", 6, true),
        ("sliding-tiles:3:4", 14, false),
        ("rubik:2", 5, false),
    ];
    for (reference, depth, is_forward) in cases {
        let game = built_in(reference);
        let start = game.goal_state().expect("one goal state");
        let origin = if is_forward {
            Origin::States(vec![start])
        } else {
            Origin::Goals
        };
        let with = |storage, memory, depth| {
            let heard = Mutex::new(Vec::new());
            let on_layer = |layer: &Layer| heard.lock().expect("no panics").push(layer.states);
            let limits = Limits {
                memory,
                ..Limits::default()
            };
            let options = Options {
                budget: Watch::new(limits),
                depth: Some(depth),
                on_layer: Some(&on_layer),
                ..with_storage(storage)
            };
            let report = explore(&game, &origin, &options).expect("no errors");
            assert_eq!(heard.into_inner().expect("no panics"), report.layers);
            report
        };
        let table = with(Storage::Ranked, None, 0).peak_bytes as usize;
        let memory = table + (1 << 16);
        let expected = with(Storage::Memory, None, depth);
        let found = with(Storage::Automatic, Some(memory), depth);
        assert_eq!(found.layers, expected.layers, "{reference}");
        let StoredAs::Ranks { layers_before, .. } = found.stored_as else {
            panic!("{reference}: {:?}", found.stored_as);
        };
        assert!(
            layers_before > 1 && layers_before < depth,
            "{layers_before}"
        );
        assert!(found.peak_bytes <= memory as u64);
    }
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

/// Explore on a disk with little memory.
fn on_disk(
    game: &Game,
    path: &std::path::Path,
    depth: Option<u64>,
) -> Result<Report, ExploreError> {
    let memory = Limits {
        memory: Some(1 << 18),
        ..Limits::default()
    };
    let options = Options {
        budget: Watch::new(memory),
        depth,
        ..with_storage(Storage::Disk(path.to_owned()))
    };
    explore(game, &Origin::Goals, &options)
}

#[test]
fn an_exploration_on_disk_needs_little_memory_and_resumes() {
    // 362,880 states of 8 bytes, in a quarter of a mebibyte.
    let expected = [
        1, 8, 56, 391, 2278, 10666, 38015, 93585, 132_697, 79379, 5804,
    ];
    let game = built_in("pancake:9");
    let n_states: u64 = expected.iter().sum();
    let folder = folder();
    let path = folder.path().join("layers");
    let report = on_disk(&game, &path, Some(4)).expect("no errors");
    assert_eq!(report.layers, expected[..5]);
    let StoredAs::Disk { resumed_from, .. } = report.stored_as else {
        panic!("not on disk");
    };
    assert_eq!(resumed_from, None);
    // Files left by a killed process are removed.
    std::fs::write(path.join("run-000-000009.states"), "torn").expect("a file");
    std::fs::write(path.join("layer-000005-000.states"), "torn").expect("a file");
    std::fs::write(path.join("exploration.json.new"), "{").expect("a file");
    let report = on_disk(&game, &path, None).expect("no errors");
    assert_eq!(report.layers, expected);
    assert!(report.is_whole);
    let StoredAs::Disk {
        resumed_from,
        read,
        written,
        forgets,
        ..
    } = report.stored_as
    else {
        panic!("not on disk");
    };
    assert_eq!((resumed_from, forgets), (Some(4), true));
    assert!(written > n_states * 8 && read > written);
    assert!(report.peak_bytes <= 1 << 18);
    // A third call has nothing to do.
    let again = on_disk(&game, &path, None).expect("no errors");
    assert_eq!((again.layers, again.generated), (report.layers, 0));
    assert!(again.is_whole);
}

#[test]
fn a_folder_of_another_exploration_is_refused() {
    let folder = folder();
    let path = folder.path();
    let game = built_in("pancake:6");
    on_disk(&game, path, Some(3)).expect("no errors");
    let other_game = on_disk(&built_in("pancake:7"), path, None);
    assert!(
        matches!(
            other_game,
            Err(ExploreError::OtherExploration {
                what: "another game",
                ..
            })
        ),
        "{other_game:?}"
    );
    let start = game.goal_state().expect("one goal state");
    let forward = explore(
        &game,
        &Origin::States(vec![start]),
        &with_storage(Storage::Disk(path.to_owned())),
    );
    assert!(
        matches!(
            forward,
            Err(ExploreError::OtherExploration {
                what: "other start states",
                ..
            })
        ),
        "{forward:?}"
    );
    let checkpoint = path.join("exploration.json");
    let text = std::fs::read_to_string(&checkpoint).expect("a checkpoint");
    std::fs::write(
        &checkpoint,
        text.replace("\"version\": 2", "\"version\": 3"),
    )
    .expect("a file");
    let newer = on_disk(&game, path, None);
    assert!(
        matches!(&newer, Err(ExploreError::Files(FileError::Damaged { problem, .. })) if problem.contains("version 3")),
        "{newer:?}"
    );
}

#[test]
fn a_flipped_bit_is_detected() {
    let folder = folder();
    let path = folder.path();
    let game = built_in("pancake:7");
    on_disk(&game, path, Some(5)).expect("no errors");
    let entries = std::fs::read_dir(path).expect("a folder");
    let file = entries
        .map(|entry| entry.expect("an entry").path())
        .find(|path| {
            path.to_string_lossy().contains("layer-000005")
                && std::fs::metadata(path).expect("a file").len() > 0
        })
        .expect("a part with states");
    let mut bytes = std::fs::read(&file).expect("a file");
    bytes[3] ^= 4;
    std::fs::write(&file, &bytes).expect("a file");
    let flipped = on_disk(&game, path, None);
    assert!(
        matches!(flipped, Err(ExploreError::Files(FileError::Damaged { .. }))),
        "{flipped:?}"
    );
    bytes.truncate(7);
    std::fs::write(&file, &bytes).expect("a file");
    let short = on_disk(&game, path, None);
    assert!(
        matches!(short, Err(ExploreError::Files(FileError::Damaged { .. }))),
        "{short:?}"
    );
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
