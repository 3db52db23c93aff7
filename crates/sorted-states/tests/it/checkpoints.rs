use std::fs;

use sorted_states::{CheckpointFile, FileError};

const FILE: CheckpointFile = CheckpointFile {
    name: "layers.json",
    format: "example",
    version: 3,
};

#[test]
fn a_checkpoint_is_replaced_and_read_back() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(FILE.read::<serde_json::Value>(folder.path()).unwrap(), None);
    for layers in ["[1]", "[1, 4]"] {
        let text = format!(r#"{{"format": "example", "version": 3, "layers": {layers}}}"#);
        FILE.replace(folder.path(), text.as_bytes()).unwrap();
        let read: serde_json::Value = FILE.read(folder.path()).unwrap().unwrap();
        assert_eq!(
            read,
            serde_json::from_str::<serde_json::Value>(&text).unwrap()
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

#[test]
fn other_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (text, problem) in [
        ("{", "EOF"),
        ("[]", "it isn't a checkpoint"),
        (
            r#"{"format": "other", "version": 3}"#,
            "it isn't a checkpoint",
        ),
        (
            r#"{"format": "example", "version": 4}"#,
            "its format has version 4",
        ),
        (r#"{"format": "example"}"#, "its format has version null"),
    ] {
        fs::write(folder.path().join(FILE.name), text).unwrap();
        let error = FILE.read::<serde_json::Value>(folder.path()).unwrap_err();
        assert!(matches!(&error, FileError::Damaged { .. }), "{error:?}");
        let shown = error.to_string();
        assert!(
            shown.contains(problem) && shown.contains(FILE.name),
            "{shown}"
        );
    }
}
