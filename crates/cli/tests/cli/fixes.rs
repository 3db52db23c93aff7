//! Files that `psvn check --fix` changes.

use crate::{run, run_in};

const WRONG: &str = "2 2 2  // two lamps\n0 - => 1 -\n- 0 => - 1\n- 0  => - 1\nGOAL 1 1\n";
const RIGHT: &str = "2 2 2  # two lamps\n0 - => 1 -\n- 0 => - 1\nGOAL 1 1\n";

#[test]
fn certain_changes_are_made_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lamps.psvn");
    std::fs::write(&file, WRONG).unwrap();
    assert_eq!(
        run_in(folder.path(), &["check", "lamps.psvn"]).status,
        Some(3)
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), WRONG);
    let ran = run_in(folder.path(), &["check", "--fix", "lamps.psvn"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("2 changes made"), "{}", ran.stderr);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), RIGHT);
    // Again there is nothing to do.
    let ran = run_in(folder.path(), &["check", "--fix", "lamps.psvn"]);
    assert!(!ran.stderr.contains("made"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("lamps.psvn: nothing changed"),
        "{}",
        ran.stderr
    );
}

#[test]
fn misspellings_that_are_named_are_corrected() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lamps.psvn");
    let wrong = "2 2 2\n0 - -> 1 - LABLE first\n- 0 => - 1 LABEL second\nGAOL 1 1\n";
    std::fs::write(&file, wrong).unwrap();
    let ran = run_in(folder.path(), &["check", "--fix", "lamps.psvn"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("3 changes made"), "{}", ran.stderr);
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        "2 2 2\n0 - => 1 - LABEL first\n- 0 => - 1 LABEL second\nGOAL 1 1\n"
    );
}

#[test]
fn other_files_and_bytes_that_would_be_lost_are_left_alone() {
    let ran = run(&["check", "--fix", "gen:ghi"]);
    assert_eq!(ran.status, Some(2));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lamps.psvn");
    let bytes = [WRONG.as_bytes(), b"# \xff\n"].concat();
    std::fs::write(&file, &bytes).unwrap();
    let ran = run_in(folder.path(), &["check", "--fix", "lamps.psvn"]);
    assert_eq!(ran.status, Some(3), "{}", ran.stderr);
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
}

#[test]
fn one_file_that_cannot_be_read_does_not_hide_the_others() {
    let ran = run(&["check", "no-such-file", "gen:ghi"]);
    assert_eq!(ran.status, Some(3));
    assert!(ran.stderr.contains("no such file"), "{}", ran.stderr);
    assert!(ran.stdout.contains("gen:ghi: no errors"), "{}", ran.stdout);
}
