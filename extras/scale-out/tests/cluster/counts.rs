//! The same counts as those of one process.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use budget::{Limits, StopReason, Watch};
use explore::{Options, Origin, StoredAs};
use psvn_ir::testing::{GameShape, all_states, cases, random_game};
use psvn_ir::{Game, State};

use crate::{all, game, members, report, tiles};

/// Return the layers and the first of the farthest states that one process finds.
fn expected(game: &Game, origin: &Origin, depth: Option<u64>) -> explore::Report {
    let options = explore::Options {
        depth,
        farthest: 3,
        storage: explore::Storage::Memory,
        ..explore::Options::default()
    };
    explore::explore(game, origin, &options).expect("no error")
}

/// Check that a cluster's result is that of one process.
fn check(game: &Game, origin: &Origin, depth: Option<u64>, n: usize, threads: usize) {
    let folder = crate::folder();
    let mut members = members(n, folder.path());
    for member in &mut members {
        member.threads = threads;
    }
    let found = report(all(game, origin, members, || Options {
        depth,
        farthest: 3,
        ..Options::default()
    }));
    let expected = expected(game, origin, depth);
    assert_eq!(
        found.layers, expected.layers,
        "{n} processes of {threads} threads"
    );
    assert_eq!(found.is_whole, expected.is_whole);
    assert_eq!(found.generated, expected.generated);
    assert_eq!(found.farthest.len(), expected.farthest.len());
    assert_eq!(found.stopped, None);
}

#[test]
fn any_number_of_processes_finds_the_same() {
    for n in [1, 2, 3, 7] {
        check(&tiles(), &Origin::Goals, None, n, 1);
    }
}

#[test]
fn any_number_of_threads_finds_the_same() {
    for (n, threads) in [(1, 3), (2, 2), (3, 4)] {
        check(&tiles(), &Origin::Goals, None, n, threads);
    }
}

#[test]
fn games_of_all_kinds() {
    for (name, parameters) in [
        ("pancake", &["7"][..]),
        ("hanoi", &["3", "6"]),
        ("topspin", &["8", "3"]),
    ] {
        check(&game(name, parameters), &Origin::Goals, None, 3, 1);
    }
}

#[test]
fn states_of_several_words() {
    check(
        &game("sliding-tiles", &["5", "5"]),
        &Origin::Goals,
        Some(9),
        3,
        1,
    );
    // States of about 60 words.
    check(
        &game("sliding-tiles", &["20", "20"]),
        &Origin::Goals,
        Some(3),
        2,
        1,
    );
}

#[test]
fn forward_where_moves_cannot_be_undone() {
    let shape = GameShape::default();
    let mut n_irreversible = 0;
    for seed in 0..cases(40) {
        let game = random_game(seed, &shape);
        n_irreversible += usize::from(!explore::moves_can_be_undone(&game));
        let start = all_states(&game).next().expect("a state");
        let start = State::new(start.into_vec());
        check(
            &game,
            &Origin::States(vec![start]),
            None,
            1 + seed as usize % 3,
            1,
        );
    }
    assert!(n_irreversible > 20, "{n_irreversible}");
}

#[test]
fn little_memory_takes_longer_and_finds_the_same() {
    let folder = crate::folder();
    let game = game("pancake", &["8"]);
    let limits = Limits {
        memory: Some(1 << 12),
        ..Limits::default()
    };
    let members = members(2, folder.path());
    let found = report(all(&game, &Origin::Goals, members, || Options {
        budget: Watch::new(limits.clone()),
        ..Options::default()
    }));
    assert_eq!(found.layers, expected(&game, &Origin::Goals, None).layers);
    // More bytes than the layers themselves: there were runs.
    let StoredAs::Cluster { written, .. } = found.stored_as else {
        panic!("{:?}", found.stored_as);
    };
    assert!(written > 40_320 * 2, "{written} bytes");
}

#[test]
fn complete_layers_are_resumed() {
    let folder = crate::folder();
    let whole = expected(&tiles(), &Origin::Goals, None);
    let mut last = None;
    for depth in [Some(0), Some(7), Some(8), None, None] {
        let found = report(all(
            &tiles(),
            &Origin::Goals,
            members(3, folder.path()),
            || Options {
                depth,
                ..Options::default()
            },
        ));
        assert_eq!(found.resumed_from(), last, "to depth {depth:?}");
        let n = found.layers.len();
        assert_eq!(found.layers, whole.layers[..n]);
        assert_eq!(n as u64 - 1, depth.unwrap_or(31));
        assert_eq!(found.is_whole, depth.is_none());
        last = Some(n as u64 - 1);
    }
}

#[test]
fn layers_are_reported_in_every_process() {
    let folder = crate::folder();
    let layers = Mutex::new(Vec::new());
    let on_layer = |layer: &explore::Layer| {
        layers
            .lock()
            .unwrap()
            .push((layer.distance, layer.states, layer.total));
    };
    let found = report(all(
        &tiles(),
        &Origin::Goals,
        members(2, folder.path()),
        || Options {
            depth: Some(3),
            on_layer: Some(&on_layer),
            ..Options::default()
        },
    ));
    assert_eq!(found.layers, [1, 2, 4, 8]);
    let mut layers = layers.into_inner().unwrap();
    layers.sort_unstable();
    let expected = [(0, 1, 1), (1, 2, 3), (2, 4, 7), (3, 8, 15)];
    assert_eq!(layers, expected.map(|layer| [layer; 2]).concat());
}

#[test]
fn a_limit_of_one_stops_all_and_complete_layers_stay() {
    let whole = expected(&tiles(), &Origin::Goals, None);
    for nodes in [1_000, 100_000] {
        let folder = crate::folder();
        let found = report(all(
            &tiles(),
            &Origin::Goals,
            members(3, folder.path()),
            || {
                let limits = Limits {
                    nodes: Some(nodes),
                    ..Limits::default()
                };
                Options {
                    budget: Watch::new(limits),
                    ..Options::default()
                }
            },
        ));
        assert_eq!(found.stopped, Some(StopReason::Nodes));
        assert!(!found.is_whole && found.layers.len() > 2);
        assert_eq!(found.layers, whole.layers[..found.layers.len()]);
        // Continue without the limit.
        let members = members(3, folder.path());
        let found = report(all(&tiles(), &Origin::Goals, members, Options::default));
        assert_eq!(found.layers, whole.layers);
        assert!(found.resumed_from().is_some());
    }
}

#[test]
fn an_interruption_of_one_stops_all() {
    let folder = crate::folder();
    let interrupt = Arc::new(AtomicBool::new(false));
    let set = |layer: &explore::Layer| {
        if layer.distance == 12 {
            interrupt.store(true, Ordering::Relaxed);
        }
    };
    let number = AtomicUsize::new(0);
    let (set, interrupt) = (&set, &interrupt);
    let found = report(all(
        &tiles(),
        &Origin::Goals,
        members(3, folder.path()),
        || {
            let is_first = number.fetch_add(1, Ordering::Relaxed) == 0;
            let limits = Limits {
                interrupt: is_first.then(|| Arc::clone(interrupt)),
                ..Limits::default()
            };
            Options {
                budget: Watch::new(limits),
                on_layer: is_first.then_some(set as _),
                ..Options::default()
            }
        },
    ));
    assert_eq!(found.stopped, Some(StopReason::Interrupted));
    assert!(
        (13..30).contains(&found.layers.len()),
        "{}",
        found.layers.len()
    );
}

/// Layers beyond the requested distance aren't listed, although an earlier call has made them.
#[test]
fn a_smaller_depth_lists_fewer_layers() {
    let folder = crate::folder();
    for (depth, n_first) in [(6, 3), (3, 0), (6, 3)] {
        let found = report(all(
            &tiles(),
            &Origin::Goals,
            members(2, folder.path()),
            || Options {
                depth: Some(depth),
                farthest: 3,
                ..Options::default()
            },
        ));
        assert_eq!(found.layers, [1, 2, 4, 8, 16, 20, 39][..=depth as usize]);
        assert!(!found.is_whole);
        assert_eq!(found.farthest.len(), n_first);
    }
}
