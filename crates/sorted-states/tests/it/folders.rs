use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use sorted_states::{FileError, FolderLock, TemporaryFolder};

#[test]
fn a_folder_has_one_lock() {
    let around = tempfile::tempdir().unwrap();
    let folder = around.path().join("new/inside");
    let lock = FolderLock::take(&folder).unwrap();
    let second = FolderLock::take(&folder);
    assert!(
        matches!(&second, Err(FileError::InUse(path)) if *path == folder),
        "{second:?}"
    );
    drop(lock);
    assert!(FolderLock::take(&folder).is_ok());
}

#[test]
fn a_temporary_folder_leaves_nothing() {
    let around = tempfile::tempdir().unwrap();
    let new = around.path().join("new");
    let (one, other) = (
        TemporaryFolder::new(&new, "a-").unwrap(),
        TemporaryFolder::new(&new, "a-").unwrap(),
    );
    assert_ne!(one.path(), other.path());
    for folder in [&one, &other] {
        assert!(folder.path().starts_with(&new));
        fs::write(folder.path().join("5.states"), [0; 8]).unwrap();
    }
    drop(other);
    assert!(one.path().exists());
    drop(one);
    assert!(!new.exists(), "it was made for the first one");
    drop(TemporaryFolder::new(around.path(), "a-").unwrap());
    assert!(around.path().exists(), "it was there before");
}

/// Folders of processes that were killed are removed if they are old, and other files never.
#[test]
fn abandoned_folders_are_removed() {
    let around = tempfile::tempdir().unwrap();
    let [old, young, other] = ["a-1-0", "a-1-1", "b-1-0"].map(|name| around.path().join(name));
    let an_hour_ago = SystemTime::now() - Duration::from_secs(3600);
    for folder in [&old, &young, &other] {
        fs::create_dir(folder).unwrap();
        let lock = File::create(folder.join("lock")).unwrap();
        if folder != &young {
            lock.set_modified(an_hour_ago).unwrap();
        }
    }
    fs::write(around.path().join("a-file"), "text").unwrap();
    let lock = File::open(old.join("lock")).unwrap();
    lock.lock().unwrap();
    drop(TemporaryFolder::new(around.path(), "a-").unwrap());
    assert!(old.exists(), "its process runs");
    drop(lock);
    drop(TemporaryFolder::new(around.path(), "a-").unwrap());
    assert!(!old.exists());
    assert!(young.exists() && other.exists() && around.path().join("a-file").exists());
}

#[test]
fn a_folder_inside_of_a_file_is_an_error() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let inside = file.path().join("inside");
    assert!(matches!(
        TemporaryFolder::new(&inside, "a-"),
        Err(FileError::Io { .. })
    ));
    assert!(matches!(
        FolderLock::take(&inside),
        Err(FileError::Io { .. })
    ));
}
