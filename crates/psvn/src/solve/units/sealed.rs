//! The files of units: a line that says what the file is, with a checksum, and JSON.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::store::atomic;
use crate::store::read::read_bytes;

/// The version of the form of all these files.
const VERSION: u32 = 2;

/// The version of the program, whose searches may cut trees in other ways.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// The contents of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// What is searched, and how far it is.
    Plan,
    /// A part of a bound.
    Unit,
    /// What the search of a unit has found.
    Result,
}

impl Kind {
    fn magic(self) -> &'static str {
        match self {
            Kind::Plan => "psvn-plan",
            Kind::Unit => "psvn-unit",
            Kind::Result => "psvn-result",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Plan => "the plan of a folder of units",
            Kind::Unit => "a unit",
            Kind::Result => "the result of a unit",
        }
    }
}

/// Return the checksum of some bytes as text.
pub(super) fn checksum(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Return bytes as text.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Write a file: all of it or, on an error, nothing.
///
/// # Errors
/// When the file can't be written.
pub(super) fn write(path: &Path, kind: Kind, value: &impl Serialize) -> Result<(), Error> {
    let body = serde_json::to_string(value)
        .map_err(|error| Error::input(format!("`{}`: {error}", path.display())))?;
    let sum = checksum(body.as_bytes());
    let text = format!("{} {VERSION} {PROGRAM} {sum}\n{body}", kind.magic());
    atomic::write(path, text.as_bytes())
}

/// Read a file.
///
/// # Errors
/// When it can't be read, is something else, was written by another version, or is damaged.
pub(super) fn read<T: DeserializeOwned>(path: &Path, kind: Kind) -> Result<T, Error> {
    let (name, bytes) = read_bytes(path)?;
    read_from(&bytes, kind).map_err(|(why, hint)| {
        let error = Error::input(format!("`{name}`: {why}"));
        match hint {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    })
}

/// Why bytes are rejected, and what to do.
type Rejected = (String, Option<&'static str>);

fn read_from<T: DeserializeOwned>(bytes: &[u8], kind: Kind) -> Result<T, Rejected> {
    let what = kind.name();
    let foreign = || (format!("it isn't {what}"), None);
    let end = bytes.iter().position(|byte| *byte == b'\n');
    let head = std::str::from_utf8(&bytes[..end.unwrap_or(bytes.len())]);
    let head: Vec<&str> = head.map_err(|_| foreign())?.split(' ').collect();
    if head[0] != kind.magic() {
        return Err(foreign());
    }
    let damaged = || {
        let hint = "it is truncated or changed; remove it, and it is made again";
        (format!("it is damaged, and no longer {what}"), Some(hint))
    };
    let (&[_, version, program, sum], Some(end)) = (&head[..], end) else {
        return Err(damaged());
    };
    if version != VERSION.to_string() || program != PROGRAM {
        let why = format!("psvn {program} wrote it, and this is psvn {PROGRAM}");
        let hint = "one version has to do all the work, from the plan to the answer";
        return Err((why, Some(hint)));
    }
    let body = &bytes[end + 1..];
    if checksum(body) != sum {
        return Err(damaged());
    }
    serde_json::from_slice(body).map_err(|error| (format!("it isn't {what}: {error}"), None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_changed_or_missing_byte_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        write(&path, Kind::Unit, &vec![1, 22, 333]).expect("it is written");
        let bytes = std::fs::read(&path).expect("it is there");
        let read = |bytes: &[u8], kind| read_from::<Vec<u32>>(bytes, kind);
        assert_eq!(read(&bytes, Kind::Unit), Ok(vec![1, 22, 333]));
        assert!(read(&bytes, Kind::Plan).is_err());
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 1;
            assert!(read(&changed, Kind::Unit).is_err(), "byte {place}");
            assert!(read(&bytes[..place], Kind::Unit).is_err());
        }
        let other = String::from_utf8(bytes).expect("text");
        let other = other.replacen(PROGRAM, "77.0.0", 1);
        let (why, _) = read(other.as_bytes(), Kind::Unit).expect_err("another version");
        assert!(why.contains("psvn 77.0.0 wrote it"), "{why}");
    }
}
