//! The file that the text comes from, which others may change, too.

use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use psvn::store::{atomic, read};
use serde::Serialize;

use crate::opened::hash_of;
use crate::refusal::Refusal;

/// A file, and what is known of its contents.
#[derive(Debug)]
pub(crate) struct Disk {
    path: PathBuf,
    seen: Mutex<Seen>,
}

/// The contents that the last look found.
#[derive(Debug)]
struct Seen {
    mark: Option<Mark>,
    contents: Contents,
}

/// What tells whether a file may have changed. Editors replace files, so that the place on the disk
/// counts as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    modified: Option<SystemTime>,
    n_bytes: u64,
    inode: u64,
}

impl Mark {
    fn of(file: &Metadata) -> Self {
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(file);
        #[cfg(not(unix))]
        let inode = 0;
        Self {
            modified: file.modified().ok(),
            n_bytes: file.len(),
            inode,
        }
    }
}

/// What is in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Contents {
    Text(String),
    /// There is no file of that name.
    Missing,
    /// It can't be read, or its bytes aren't UTF-8.
    Unreadable(String),
}

/// The state of the file, as answers and events have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct FileState {
    /// `text`, `missing` or `unreadable`.
    status: &'static str,
    /// The version of its text: a hash.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    /// Why it can't be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

impl Contents {
    fn of(path: &Path) -> Self {
        match read::read_bytes(path) {
            Ok((_, bytes)) => match String::from_utf8(bytes) {
                Ok(text) => Self::Text(text),
                Err(_) => Self::Unreadable("it has bytes that aren't UTF-8".to_owned()),
            },
            Err(error) => Self::Unreadable(error.to_string()),
        }
    }

    fn state(&self) -> FileState {
        let (status, version, problem) = match self {
            Self::Text(text) => ("text", Some(hash_of(text)), None),
            Self::Missing => ("missing", None, None),
            Self::Unreadable(why) => ("unreadable", None, Some(why.clone())),
        };
        FileState {
            status,
            version,
            problem,
        }
    }
}

impl Disk {
    pub(crate) fn new(path: &Path) -> Self {
        let disk = Self {
            path: path.to_owned(),
            seen: Mutex::new(Seen {
                mark: None,
                contents: Contents::Missing,
            }),
        };
        disk.look();
        disk
    }

    fn seen(&self) -> std::sync::MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Look whether the file has changed, and return whether its contents have.
    pub(crate) fn look(&self) -> bool {
        self.look_into(&mut self.seen(), false)
    }

    /// Read the file if its mark has changed, or in any case.
    fn look_into(&self, seen: &mut Seen, in_any_case: bool) -> bool {
        let (mark, contents) = match std::fs::metadata(&self.path) {
            Ok(file) => {
                let mark = Some(Mark::of(&file));
                if mark == seen.mark && !in_any_case {
                    return false;
                }
                (mark, Contents::of(&self.path))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => (None, Contents::Missing),
            Err(error) => (None, Contents::Unreadable(error.to_string())),
        };
        let has_changed = contents != seen.contents;
        *seen = Seen { mark, contents };
        has_changed
    }

    /// The state of the file, as answers and events have it.
    pub(crate) fn state(&self) -> FileState {
        self.seen().contents.state()
    }

    /// The text, if there is one.
    pub(crate) fn text(&self) -> Option<String> {
        match &self.seen().contents {
            Contents::Text(text) => Some(text.clone()),
            _ => None,
        }
    }

    /// Write a text, unless the file isn't as the page has read it: `base` is the version that it
    /// has read, `None` where it knows that there is no file.
    pub(crate) fn save(&self, text: &str, base: Option<&str>) -> Result<FileState, Refusal> {
        let mut seen = self.seen();
        self.look_into(&mut seen, true);
        let now = seen.contents.state();
        if let Some(why) = &now.problem {
            // What can't be read would be lost.
            return Err(Refusal::conflict(format!("the file can't be read: {why}")));
        }
        if now.version.as_deref() != base {
            return Err(Refusal::conflict(match now.status {
                "missing" => "the file was deleted or renamed since the page read it",
                _ => "the file was changed since the page read it",
            }));
        }
        atomic::write(&self.path, text.as_bytes())?;
        self.look_into(&mut seen, true);
        Ok(seen.contents.state())
    }
}
