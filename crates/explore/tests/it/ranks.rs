//! When states are stored by rank: never where that is unsafe, and not before it pays.

use std::sync::Mutex;

use budget::{Limits, Watch};
use explore::{ExploreError, Layer, Options, Origin, Storage, StoredAs, explore};

use super::{built_in, with_storage};

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
