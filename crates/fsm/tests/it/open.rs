//! Files whose machines are used in place.

use std::fs;

use fsm::{AnyMachine, FileError, OpenError, OpenFile};

use crate::support::{VERSION_1, example, full_example, same_words};

#[test]
fn mapped_files_equal_those_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.fsm");
    for file in [example(), full_example()] {
        fs::write(&path, file.to_bytes()).unwrap();
        let mapped = OpenFile::map(&path).unwrap();
        mapped.verify_checksum().unwrap();
        assert_eq!(mapped.to_machine_file().as_ref(), Ok(&file));
        let read = OpenFile::read(&path).unwrap();
        assert_eq!(mapped.machine(), read.machine());
        for open in [&mapped, &read] {
            assert_eq!(open.game_hash(), &file.game_hash);
            assert_eq!(open.max_length(), file.max_length);
            assert_eq!(open.order(), file.order);
            assert_eq!(open.rule_order(), file.rule_order);
            assert_eq!(open.assumptions(), file.assumptions);
            assert_eq!(open.kind(), file.kind);
            assert_eq!(open.swaps().as_ref(), Ok(&file.swaps));
            assert_eq!(open.n_words(), 3);
            assert!(open.words().eq(file.words.iter().cloned().map(Ok)));
            assert_eq!(open.machine().n_states(), file.machine.n_states());
            let walked = same_words(open.machine(), &file.machine, 3);
            assert_eq!(walked, Ok(()));
            assert_eq!(
                open.machine().to_dense().unwrap().as_ref(),
                file.machine.to_dense().unwrap().as_ref()
            );
        }
    }
}

#[test]
fn machines_outlive_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.fsm");
    let file = full_example();
    fs::write(&path, file.to_bytes()).unwrap();
    let machine = OpenFile::map(&path).unwrap().machine().clone();
    // The name now belongs to another file; the map still holds the old one.
    fs::write(folder.path().join("new"), example().to_bytes()).unwrap();
    fs::rename(folder.path().join("new"), &path).unwrap();
    assert_eq!(same_words(&machine, &file.machine, 3), Ok(()));
}

#[test]
fn files_of_version_1_are_converted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.fsm");
    fs::write(&path, VERSION_1).unwrap();
    let open = OpenFile::map(&path).unwrap();
    open.verify_checksum().unwrap();
    assert_eq!(open.to_machine_file(), Ok(example()));
}

/// Opening detects damage to the header, to texts, and to the size; other damage is found on use.
#[test]
fn damage_is_detected_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.fsm");
    for file in [example(), full_example()] {
        let bytes = file.to_bytes();
        let mut n_at_once = 0;
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x10;
            fs::write(&path, &damaged).unwrap();
            match OpenFile::map(&path) {
                Err(OpenError::File(_)) => n_at_once += 1,
                Err(error) => panic!("{error}"),
                Ok(open) => {
                    assert!(place >= 192, "byte {place} of the header");
                    assert!(open.verify_checksum().is_err(), "byte {place}");
                    assert!(OpenFile::read(&path).is_err());
                    // Whatever it does now stays within its file.
                    let machine = open.machine();
                    let _ = same_words(machine, machine, 3);
                }
            }
        }
        assert!(n_at_once > 192);
        for length in 0..bytes.len() {
            fs::write(&path, &bytes[..length]).unwrap();
            assert!(OpenFile::map(&path).is_err(), "cut at {length}");
        }
    }
}

#[test]
fn a_path_without_a_file_is_a_system_error() {
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path().join("none"), folder.path().to_owned()] {
        assert!(
            matches!(OpenFile::map(&path), Err(OpenError::Io(_))),
            "{path:?}"
        );
        assert!(matches!(OpenFile::read(&path), Err(OpenError::Io(_))));
    }
    let path = folder.path().join("empty");
    fs::write(&path, []).unwrap();
    assert!(matches!(
        OpenFile::map(&path),
        Err(OpenError::File(FileError::Magic))
    ));
}

#[test]
fn sections_are_aligned_and_tables_stay_in_place() {
    let open = OpenFile::from_bytes(example().to_bytes()).unwrap();
    assert!(matches!(open.machine(), AnyMachine::StoredDense(_)));
    let open = OpenFile::from_bytes(full_example().to_bytes()).unwrap();
    assert!(matches!(open.machine(), AnyMachine::Compressed(_)));
    for bytes in [example().to_bytes(), full_example().to_bytes()] {
        for section in 0..4 {
            let at = 88 + 16 * section;
            let start = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
            assert_eq!(start % 64, 0);
        }
    }
}
