//! Results that were found earlier and tables that were built before, kept in a folder.
//!
//! Both are found by their [`Key`]: everything that decides the result, as a text whose SHA-256 is
//! the name of a file. Nothing depends on the cache: damaged, foreign or missing entries are
//! computed again, and a folder that can't be written isn't an error.

mod entry;

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};

pub use self::entry::Entry;

use crate::atomic;
use crate::files::reason;

const DEFAULT_SIZE: u64 = 2 << 30;
const DEFAULT_LEAST_TIME: Duration = Duration::from_millis(200);
const RESULT: &str = "result";
const TABLE: &str = "pdb";

/// Everything that decides a result.
///
/// It should name the versions of the program and of the formats of what is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Key {
    text: String,
}

impl Key {
    /// Add something that the result depends on. Line breaks in it are escaped, so that no two
    /// different lists of parts have the same text.
    pub fn push(&mut self, name: &str, value: impl ToString) {
        let value = value.to_string().replace('\\', "\\\\").replace('\n', "\\n");
        let _ = writeln!(self.text, "{name}: {value}");
    }

    fn file_name(&self, extension: &str) -> String {
        let mut name = String::new();
        for byte in Sha256::digest(self.text.as_bytes()) {
            let _ = write!(name, "{byte:02x}");
        }
        format!("{name}.{extension}")
    }
}

/// The result of a look-up in the cache.
#[derive(Debug)]
pub enum Lookup {
    /// The result.
    Found(Box<Entry>),
    /// There is none.
    Missing,
    /// There is a file in its place, but it is unusable.
    Unusable {
        /// The file.
        path: PathBuf,
        /// Why it is unusable, as a clause.
        reason: String,
    },
}

/// A cache of results and of tables, in a folder. Without a folder,
/// nothing is kept.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: Option<PathBuf>,
    most_bytes: u64,
    least_time: Duration,
}

/// A kept result or table as a file.
#[derive(Clone, Debug)]
pub struct KeptFile {
    path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// Whether it is a table.
    pub is_table: bool,
    last_used: SystemTime,
}

impl Cache {
    /// Make a cache that keeps nothing.
    pub fn none() -> Self {
        Self {
            folder: None,
            most_bytes: DEFAULT_SIZE,
            least_time: DEFAULT_LEAST_TIME,
        }
    }

    /// Make a cache in a folder, which is created when the first result is kept. It holds up to 2
    /// GiB of results that took 0.2 s or more; those unused for the longest time are removed first.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: Some(folder.into()),
            ..Self::none()
        }
    }

    /// Set the most bytes that are kept.
    #[must_use]
    pub fn with_size(self, most_bytes: u64) -> Self {
        Self { most_bytes, ..self }
    }

    /// Set the least time that a result must have taken to be kept.
    #[must_use]
    pub fn with_least_time(self, least_time: Duration) -> Self {
        Self { least_time, ..self }
    }

    /// Return the folder of results; `None` where none are kept.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Return the bytes that may be kept.
    pub fn most_bytes(&self) -> u64 {
        self.most_bytes
    }

    /// Return the time that a result must have taken to be kept.
    pub fn least_time(&self) -> Duration {
        self.least_time
    }

    /// Return whether a result that took so long should be kept.
    pub fn is_worth_keeping(&self, elapsed: Duration) -> bool {
        self.folder.is_some() && elapsed >= self.least_time
    }

    /// Look a result up. A result that is found counts as used now.
    pub fn get(&self, key: &Key) -> Lookup {
        let Some(folder) = &self.folder else {
            return Lookup::Missing;
        };
        let path = folder.join(key.file_name(RESULT));
        let unusable = |path, reason: &str| Lookup::Unusable {
            path,
            reason: reason.to_owned(),
        };
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Lookup::Missing,
            Err(error) => return unusable(path, &reason(&error)),
        };
        match Entry::from_bytes(&bytes) {
            Ok(entry) if entry.key == key.text => {
                is_used_now(&path);
                Lookup::Found(Box::new(entry))
            }
            Ok(_) => unusable(path, "it is the result of something else"),
            Err(reason) => unusable(path, reason),
        }
    }

    /// Return the bytes of a result, if there is one. It doesn't count as used.
    pub fn bytes_of(&self, key: &Key) -> Option<u64> {
        let path = self.folder.as_ref()?.join(key.file_name(RESULT));
        let metadata = std::fs::metadata(path).ok()?;
        metadata.is_file().then_some(metadata.len())
    }

    /// Keep a result. If the limit is exceeded, remove the results that were unused for the longest
    /// time. A result that is larger than the limit is not kept.
    ///
    /// # Errors
    /// When the folder or the file can't be written.
    pub fn put(&self, key: &Key, summary: String, bytes: Vec<u8>) -> io::Result<()> {
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        let entry = Entry {
            key: key.text.clone(),
            summary,
            bytes,
        };
        let bytes = entry.to_bytes();
        if bytes.len() as u64 > self.most_bytes {
            return Ok(());
        }
        std::fs::create_dir_all(folder)?;
        let path = folder.join(key.file_name(RESULT));
        atomic::write(&path, &bytes)?;
        self.shrink(&path)
    }

    /// Return whether a table is there. It doesn't count as used.
    pub fn has_table(&self, key: &Key) -> bool {
        let folder = self.folder.as_ref();
        folder.is_some_and(|folder| folder.join(key.file_name(TABLE)).is_file())
    }

    /// Return the file of a table, if it is kept. It counts as used now.
    pub fn table(&self, key: &Key) -> Option<PathBuf> {
        let path = self.folder.as_ref()?.join(key.file_name(TABLE));
        path.is_file().then(|| {
            is_used_now(&path);
            path
        })
    }

    /// Keep a table of `bytes` bytes, which `write` writes, as [`put`](Self::put) keeps a result.
    /// Return its file, if it is kept.
    ///
    /// # Errors
    /// When the folder or the file can't be written.
    pub fn put_table(
        &self,
        key: &Key,
        bytes: u64,
        write: &dyn Fn(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<Option<PathBuf>> {
        let Some(folder) = self.folder.as_ref().filter(|_| bytes <= self.most_bytes) else {
            return Ok(None);
        };
        std::fs::create_dir_all(folder)?;
        let path = folder.join(key.file_name(TABLE));
        let mut draft = atomic::Target::find(&path)?.begin()?;
        write(&mut draft)?;
        draft.complete()?.take_place()?;
        self.shrink(&path)?;
        Ok(Some(path))
    }

    /// Return the kept results and tables, the least recently used first.
    ///
    /// # Errors
    /// When the folder can't be read or changed.
    pub fn files(&self) -> io::Result<Vec<KeptFile>> {
        let Some(folder) = &self.folder else {
            return Ok(Vec::new());
        };
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut files = Vec::new();
        for entry in entries {
            let entry = entry?;
            // Another process may have removed it by now.
            let Ok(metadata) = entry.metadata() else {
                continue;
            };
            let path = entry.path();
            if metadata.is_file() && is_ours(&path) {
                files.push(KeptFile {
                    is_table: path.extension().is_some_and(|it| it == TABLE),
                    path,
                    bytes: metadata.len(),
                    last_used: metadata.modified()?,
                });
            }
        }
        files.sort_by(|a, b| (a.last_used, &a.path).cmp(&(b.last_used, &b.path)));
        Ok(files)
    }

    /// Remove all results and tables, and return them. Other files in the folder stay.
    ///
    /// # Errors
    /// When the folder can't be read or changed.
    pub fn clear(&self) -> io::Result<Vec<KeptFile>> {
        let files = self.files()?;
        for file in &files {
            remove(&file.path)?;
        }
        Ok(files)
    }

    /// Remove files beyond the limit, but not the newest result.
    fn shrink(&self, newest: &Path) -> io::Result<()> {
        let files = self.files()?;
        let mut total: u64 = files.iter().map(|file| file.bytes).sum();
        // Another process may be writing an unfinished file.
        let is_old = |file: &&KeptFile| {
            let extension = file.path.extension();
            file.path != newest && extension.is_some_and(|it| it == RESULT || it == TABLE)
        };
        for file in files.iter().filter(is_old) {
            if total <= self.most_bytes {
                break;
            }
            remove(&file.path)?;
            total -= file.bytes;
        }
        Ok(())
    }
}

/// Whether a file of the folder is a result, or one that was never finished.
fn is_ours(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let hash = name.strip_suffix(RESULT).or(name.strip_suffix(TABLE));
    match hash {
        Some(hash) => hash.len() == 65 && hash[..64].bytes().all(|byte| byte.is_ascii_hexdigit()),
        None => name.starts_with(atomic::TEMPORARY_PREFIX),
    }
}

/// Note that a file is used. If its time can't be set, it only seems older than it is.
fn is_used_now(path: &Path) {
    if let Ok(file) = std::fs::File::options().append(true).open(path) {
        let _ = file.set_modified(SystemTime::now());
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(folder: &Path, most_bytes: u64) -> Cache {
        Cache {
            folder: Some(folder.join("deep/down")),
            most_bytes,
            least_time: Duration::ZERO,
        }
    }

    fn key(name: &str) -> Key {
        let mut key = Key::default();
        key.push("test", name);
        key
    }

    fn put(cache: &Cache, name: &str, size: usize) {
        cache
            .put(&key(name), format!("[{name}]"), vec![7; size])
            .unwrap();
    }

    fn found(cache: &Cache, name: &str) -> Option<Entry> {
        match cache.get(&key(name)) {
            Lookup::Found(entry) => Some(*entry),
            Lookup::Missing => None,
            Lookup::Unusable { reason, .. } => panic!("{reason}"),
        }
    }

    /// Set the time of a result's last use.
    fn used_at(cache: &Cache, name: &str, second: u64) {
        let path = cache.folder().unwrap().join(key(name).file_name(RESULT));
        let file = std::fs::File::options().append(true).open(path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(second))
            .unwrap();
    }

    #[test]
    fn results_are_found_again_and_cleared() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(folder.path(), 1 << 20);
        assert!(found(&cache, "a").is_none() && cache.files().unwrap().is_empty());
        put(&cache, "a", 10);
        put(&cache, "b", 20);
        assert_eq!(found(&cache, "a").unwrap().bytes, [7; 10]);
        assert_eq!(found(&cache, "b").unwrap().summary, "[b]");
        assert!(found(&cache, "c").is_none());
        let other = cache.folder().unwrap().join("notes.txt");
        std::fs::write(&other, "not ours").unwrap();
        assert_eq!(cache.clear().unwrap().len(), 2);
        assert!(found(&cache, "a").is_none() && other.exists());
    }

    #[test]
    fn keys_tell_all_their_parts_apart() {
        let of = |parts: &[(&str, &str)]| {
            let mut key = Key::default();
            for (name, value) in parts {
                key.push(name, value);
            }
            key.file_name(RESULT)
        };
        let names = [
            of(&[]),
            of(&[("a", "1")]),
            of(&[("a", "1\nb: 2")]),
            of(&[("a", "1"), ("b", "2")]),
            of(&[("a", "1\\nb: 2")]),
        ];
        for (i, name) in names.iter().enumerate() {
            assert!(!names[..i].contains(name), "{i}");
        }
    }

    #[test]
    fn those_go_first_that_were_not_used_for_the_longest_time() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(folder.path(), 10_000);
        for (second, name) in ["a", "b", "c"].into_iter().enumerate() {
            put(&cache, name, 2500);
            used_at(&cache, name, second as u64);
        }
        // A look-up counts as a use.
        assert!(found(&cache, "a").is_some());
        put(&cache, "d", 2500);
        assert!(found(&cache, "b").is_none(), "b is the oldest");
        for name in ["a", "c", "d"] {
            assert!(found(&cache, name).is_some(), "{name}");
        }
        // A result that is too large for the cache removes nothing.
        put(&cache, "e", 20_000);
        assert!(found(&cache, "e").is_none() && found(&cache, "a").is_some());
    }

    #[test]
    fn damaged_and_foreign_files_are_told_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(folder.path(), 1 << 20);
        put(&cache, "a", 10);
        let path = |name| cache.folder().unwrap().join(key(name).file_name(RESULT));
        std::fs::copy(path("a"), path("b")).unwrap();
        let unusable = |name| matches!(cache.get(&key(name)), Lookup::Unusable { .. });
        assert!(unusable("b"), "the result of something else");
        std::fs::write(path("a"), "gibberish").unwrap();
        assert!(unusable("a"));
        put(&cache, "a", 10);
        assert!(found(&cache, "a").is_some());
    }
}
