//! Broken connections, and folders that don't fit together.

use std::path::Path;
use std::time::{Duration, Instant};

use explore::{Options, Origin};
use scale_out::ClusterError;

use crate::meeting::{
    a_process_that_dies_before_the_start_may_join_again,
    whoever_does_not_belong_is_refused_with_the_reason,
};
use crate::proxy::{self, Direction, Fault};
use crate::{all, members, report, tiles};

fn whole(folder: &Path, n: usize) -> explore::Report {
    report(all(
        &tiles(),
        &Origin::Goals,
        members(n, folder),
        Options::default,
    ))
}

/// Run three members, with a fault between the first two; return how they end, and after how long.
fn with_fault(folder: &Path, after: usize, fault: Fault) -> (Vec<Option<ClusterError>>, Duration) {
    with_fault_towards(folder, Direction::ToCaller, after, fault)
}

fn with_fault_towards(
    folder: &Path,
    direction: Direction,
    after: usize,
    fault: Fault,
) -> (Vec<Option<ClusterError>>, Duration) {
    let mut members = members(3, folder);
    let target = members[1].addresses[0].clone();
    members[1].addresses[0] = proxy::to(target, direction, after, fault);
    for member in &mut members {
        member.patience = Duration::from_secs(2);
        member.wait = Duration::from_secs(4);
    }
    let started = Instant::now();
    let results = all(&tiles(), &Origin::Goals, members, Options::default);
    (
        results.into_iter().map(Result::err).collect(),
        started.elapsed(),
    )
}

/// All of them wait most of the time, so they run at once.
#[test]
fn lost_processes_and_damage_are_noticed() {
    std::thread::scope(|scope| {
        scope.spawn(whoever_does_not_belong_is_refused_with_the_reason);
        scope.spawn(a_process_that_dies_before_the_start_may_join_again);
        scope.spawn(a_cut_anywhere_is_noticed_by_all_and_the_exploration_resumes);
        scope.spawn(a_silent_connection_is_a_lost_process);
        scope.spawn(damage_in_transit_is_detected);
        scope.spawn(whoever_is_in_the_middle_changes_no_count);
    });
}

fn a_cut_anywhere_is_noticed_by_all_and_the_exploration_resumes() {
    // In the handshake, between the processes' first steps, in the middle of layers: a connection
    // carries about 100,000 bytes in each direction, a few thousand more or less. Most of the time
    // is spent waiting for processes that are lost, so the cases run at once.
    let cuts = [0, 5, 60, 200, 400, 2_000, 10_007, 30_000, 50_001, 75_003];
    std::thread::scope(|scope| {
        for after in cuts {
            scope.spawn(move || cut(after));
        }
    });
}

/// Cut a connection after some bytes, then explore to the end.
fn cut(after: usize) {
    let folder = crate::folder();
    let (errors, time) = with_fault(folder.path(), after, Fault::Cut);
    assert!(time < Duration::from_secs(30), "{after}: {time:?}");
    for (process, error) in errors.iter().enumerate() {
        assert!(
            error.is_some(),
            "process {process} ended well after a cut at {after}"
        );
    }
    let found = whole(folder.path(), 3);
    assert_eq!(
        (found.states(), found.layers.len()),
        (181_440, 32),
        "{after}"
    );
}

#[test]
fn a_cut_is_reported_at_both_ends_and_by_the_third_process() {
    let folder = crate::folder();
    let (errors, _) = with_fault(folder.path(), 50_000, Fault::Cut);
    let texts: Vec<String> = errors.iter().flatten().map(ToString::to_string).collect();
    assert_eq!(texts.len(), 3);
    let losers = texts
        .iter()
        .filter(|text| text.contains("is lost: "))
        .count();
    assert!(losers >= 2, "{texts:?}");
    assert!(texts[2].contains("stopped: process "), "{}", texts[2]);
}

fn a_silent_connection_is_a_lost_process() {
    let folder = crate::folder();
    let (errors, time) = with_fault(folder.path(), 50_000, Fault::Block);
    assert!(time < Duration::from_secs(30), "{time:?}");
    let texts: Vec<String> = errors.iter().flatten().map(ToString::to_string).collect();
    assert_eq!(texts.len(), 3, "{texts:?}");
    let silent = |text: &String| text.contains("no data received for 2 seconds");
    assert!(texts.iter().any(silent), "{texts:?}");
    assert_eq!(whole(folder.path(), 3).states(), 181_440);
}

fn damage_in_transit_is_detected() {
    std::thread::scope(|scope| {
        for after in [50_000, 50_001, 73_457] {
            scope.spawn(move || damage(after));
        }
    });
}

/// Damage a connection after some bytes, then explore to the end.
fn damage(after: usize) {
    let folder = crate::folder();
    let (errors, _) = with_fault(folder.path(), after, Fault::Damage);
    let texts: Vec<String> = errors.iter().flatten().map(ToString::to_string).collect();
    assert_eq!(texts.len(), 3, "{texts:?}");
    let noticed = |text: &String| text.contains("changed in transit");
    assert!(texts.iter().any(noticed), "{texts:?}");
    assert_eq!(whole(folder.path(), 3).states(), 181_440);
}

fn whoever_is_in_the_middle_changes_no_count() {
    let faults = [
        Fault::Cut,
        Fault::Damage,
        Fault::Drop,
        Fault::Repeat,
        Fault::Swap,
        Fault::Lengthen,
        Fault::Forge,
        Fault::Trickle,
    ];
    // In the handshake, in the introductions, and in layers. The processes wait most of the time,
    // so the cases of a direction run at once.
    let places = [3, 60, 480, 20_000, 75_001];
    for direction in [Direction::ToCalled, Direction::ToCaller] {
        std::thread::scope(|scope| {
            for (fault, after) in faults
                .iter()
                .flat_map(|it| places.map(|after| (*it, after)))
            {
                scope.spawn(move || in_the_middle(direction, after, fault));
            }
        });
    }
}

/// Let an attacker act after some bytes, then explore to the end.
fn in_the_middle(direction: Direction, after: usize, fault: Fault) {
    let folder = crate::folder();
    let (errors, time) = with_fault_towards(folder.path(), direction, after, fault);
    let what = format!("{fault:?} {direction:?} at {after}: {errors:?} after {time:?}");
    // What the processes wait for each other, for a silent one, and for a goodbye.
    assert!(time < Duration::from_secs(30), "{what}");
    assert!(errors.iter().all(Option::is_some), "{what}");
    assert_eq!(whole(folder.path(), 3).states(), 181_440, "{what}");
}

/// Copy the share of a worker.
fn copy_share(from: &Path, into: &Path, worker: usize) {
    let name = format!("share-{worker:04}");
    let into = into.join(&name);
    if into.exists() {
        std::fs::remove_dir_all(&into).expect("a folder");
    }
    std::fs::create_dir_all(&into).expect("a folder");
    for entry in std::fs::read_dir(from.join(&name)).expect("a folder") {
        let path = entry.expect("an entry").path();
        std::fs::copy(&path, into.join(path.file_name().expect("a name"))).expect("a file");
    }
}

fn to_depth(folder: &Path, depth: u64) {
    report(all(&tiles(), &Origin::Goals, members(3, folder), || {
        Options {
            depth: Some(depth),
            ..Options::default()
        }
    }));
}

#[test]
fn a_worker_one_layer_behind_is_waited_for() {
    let (folder, old) = (crate::folder(), crate::folder());
    to_depth(folder.path(), 9);
    copy_share(folder.path(), old.path(), 1);
    to_depth(folder.path(), 10);
    // As after a crash in which workers 0 and 2 saved their share and 1 did not.
    copy_share(old.path(), folder.path(), 1);
    let found = whole(folder.path(), 3);
    assert_eq!(found.resumed_from(), Some(9));
    assert_eq!((found.states(), found.layers.len()), (181_440, 32));
}

#[test]
fn workers_that_do_not_belong_together_are_refused() {
    let (folder, old) = (crate::folder(), crate::folder());
    to_depth(folder.path(), 8);
    copy_share(folder.path(), old.path(), 1);
    to_depth(folder.path(), 10);
    copy_share(old.path(), folder.path(), 1);
    let results = all(
        &tiles(),
        &Origin::Goals,
        members(3, folder.path()),
        Options::default,
    );
    for result in results {
        let error = result
            .expect_err("a worker is two layers behind")
            .to_string();
        let text = "share 1 has 9 complete layers, and another has 11";
        assert!(error.contains(text), "{error}");
    }
}

#[test]
fn a_damaged_layer_is_named_and_stops_all() {
    let folder = crate::folder();
    to_depth(folder.path(), 15);
    let layer = folder.path().join("share-0001").join("layer-000015.states");
    let mut bytes = std::fs::read(&layer).expect("a layer");
    bytes[40] ^= 1;
    std::fs::write(&layer, bytes).expect("a file");
    let results = all(
        &tiles(),
        &Origin::Goals,
        members(3, folder.path()),
        Options::default,
    );
    for result in results {
        let error = result.expect_err("a layer is damaged").to_string();
        assert!(
            error.contains("layer-000015.states: its checksum is wrong"),
            "{error}"
        );
    }
}

#[test]
fn a_folder_in_use_is_refused() {
    let folder = crate::folder();
    to_depth(folder.path(), 3);
    let lock = std::fs::File::open(folder.path().join("share-0002/lock")).expect("a lock");
    lock.lock().expect("nobody holds it");
    let results = all(
        &tiles(),
        &Origin::Goals,
        members(3, folder.path()),
        Options::default,
    );
    for result in results {
        let error = result.expect_err("a folder is in use").to_string();
        assert!(error.contains("another process works in"), "{error}");
    }
}
