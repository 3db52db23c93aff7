//! The file: saved, changed by others, deleted, renamed.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::Served;

const TEXT: &str = "2 2 2\n0 - => 1 - LABEL one\n- 0 => - 1 LABEL two\nGOAL 1 1\n";

/// A server of a file, in a folder of its own.
fn with_file(bytes: &[u8]) -> (tempfile::TempDir, PathBuf, Served) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lamps.psvn");
    fs::write(&path, bytes).unwrap();
    let served = Served::new(Some(&path));
    (folder, path, served)
}

/// Wait until the pages are told of a state of the file.
fn wait_until(served: &Served, is_so: impl Fn(&Value) -> bool) -> Value {
    let started = Instant::now();
    loop {
        let news = served.news();
        if is_so(&news["file"]) {
            return news["file"].clone();
        }
        assert!(started.elapsed() < Duration::from_secs(30), "{news}");
    }
}

#[test]
fn a_text_is_saved_unless_the_file_has_changed() {
    let (_folder, path, served) = with_file(TEXT.as_bytes());
    let begin = served.get("/api/file").json();
    assert_eq!(begin["text"], TEXT);
    let first = &begin["file"]["version"];
    let changed = TEXT.replace("one", "first");
    let saved = served.post("save", &json!({ "text": changed, "base": first }));
    assert_eq!(saved.status, 200, "{}", saved.body);
    let second = saved.json()["version"].clone();
    assert_eq!(fs::read_to_string(&path).unwrap(), changed);
    // A page that has read the first version would undo what the other has saved.
    let late = served.post("save", &json!({ "text": "late", "base": first }));
    assert_eq!(
        (late.status, &late.json()["code"]),
        (409, &json!("conflict"))
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), changed);
    // Somebody else writes the file; the server notices when it saves, also before it looks.
    fs::write(&path, "2 2 2\nGOAL 0 0\n").unwrap();
    let late = served.post("save", &json!({ "text": "late", "base": second }));
    assert_eq!(late.status, 409);
    let file = wait_until(&served, |file| file["version"] != second);
    let begin = served.get("/api/file").json();
    assert_eq!(
        (&begin["text"], &begin["file"]),
        (&json!("2 2 2\nGOAL 0 0\n"), &file)
    );
    let saved = served.post("save", &json!({ "text": TEXT, "base": file["version"] }));
    assert_eq!(saved.status, 200);
    assert_eq!(fs::read_to_string(&path).unwrap(), TEXT);
}

#[test]
fn a_file_may_go_and_come_back() {
    let (folder, path, served) = with_file(TEXT.as_bytes());
    let first = served.get("/api/file").json()["file"]["version"].clone();
    fs::rename(&path, folder.path().join("elsewhere.psvn")).unwrap();
    let gone = wait_until(&served, |file| file["status"] == "missing");
    assert_eq!(gone["version"], Value::Null);
    let late = served.post("save", &json!({ "text": TEXT, "base": first }));
    assert_eq!(late.status, 409);
    assert!(late.json()["error"].as_str().unwrap().contains("renamed"));
    assert!(!path.exists());
    // The text that the page has can still be looked into, and saved once its writer wants it.
    assert_eq!(served.hand_over(TEXT)["is_game"], true);
    let saved = served.post("save", &json!({ "text": TEXT, "base": null }));
    assert_eq!(saved.status, 200, "{}", saved.body);
    assert_eq!(fs::read_to_string(&path).unwrap(), TEXT);
    fs::remove_file(&path).unwrap();
    wait_until(&served, |file| file["status"] == "missing");
    fs::write(&path, TEXT).unwrap();
    wait_until(&served, |file| file["version"] == first);
}

#[test]
fn bytes_that_would_be_lost_are_not_overwritten() {
    let (_folder, path, served) = with_file(b"2 2 2\n# \xff\nGOAL 0 0\n");
    let begin = served.get("/api/file").json();
    assert_eq!(begin["file"]["status"], "unreadable");
    let saved = served.post("save", &json!({ "text": TEXT, "base": null }));
    assert_eq!(
        (saved.status, &saved.json()["code"]),
        (409, &json!("conflict"))
    );
    assert_eq!(fs::read(&path).unwrap(), b"2 2 2\n# \xff\nGOAL 0 0\n");
}

#[test]
fn built_in_games_have_no_file() {
    let served = Served::game("gen:pancake:4");
    let begin = served.get("/api/file").json();
    assert_eq!(
        (&begin["name"], &begin["file"]),
        (&json!("gen:pancake:4"), &Value::Null)
    );
    let saved = served.post("save", &json!({ "text": TEXT, "base": null }));
    assert_eq!(saved.status, 422);
    // Nothing but the game that was named can be read or written.
    assert_eq!(
        served.get("/api/file?path=/etc/passwd").json()["name"],
        "gen:pancake:4"
    );
}
