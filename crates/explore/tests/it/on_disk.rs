//! Explorations on a disk: in little memory, resumed, and refused where files don't fit.

use budget::{Limits, Watch};
use explore::{ExploreError, FileError, Options, Origin, Report, Storage, StoredAs, explore};
use psvn_ir::Game;

use super::{built_in, folder, with_storage};

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
    // 362,880 states, and a quarter of a mebibyte for some of their 8 successors each.
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
    assert!(written > n_states && read > written);
    // Differences of ranks take a few bits, and few runs don't fit the memory.
    assert!(written < 3 * n_states, "{written}");
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
        text.replace("\"version\": 3", "\"version\": 4"),
    )
    .expect("a file");
    let newer = on_disk(&game, path, None);
    assert!(
        matches!(&newer, Err(ExploreError::Files(FileError::Damaged { problem, .. })) if problem.contains("version 4")),
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
