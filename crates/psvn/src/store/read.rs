//! Reading files and standard input, within limits.

use std::io::{self, BufRead, Read};
use std::path::Path;

pub use container::files::{Line, read_line, reason};

use crate::error::Error;
use crate::text::built_in_games;
use crate::text::units::format_bytes;
use crate::text::{Parameter, message};

/// The most bytes that are read. The largest known games have some tens of millions.
pub(crate) const MAX_BYTES: u64 = 1 << 30;

/// The most bytes of a line where lines are read one by one. A state with 100,000 variables has a
/// tenth of that.
const MOST_LINE: usize = 4 << 20;

/// The name of standard input.
const STDIN: &str = "<stdin>";

/// Read a file, or standard input for `-`; return its name, too.
///
/// # Errors
/// When the file can't be read, or is larger than 1 GiB.
pub fn read_bytes(file: &Path) -> Result<(String, Vec<u8>), Error> {
    read_bytes_within(file, MAX_BYTES)
}

/// The same, for a file of at most `most_bytes`.
pub(crate) fn read_bytes_within(file: &Path, most_bytes: u64) -> Result<(String, Vec<u8>), Error> {
    let most_bytes = most_bytes.min(MAX_BYTES);
    let (name, mut reader) = open(file)?;
    let mut bytes = Vec::new();
    let read = reader.by_ref().take(most_bytes + 1).read_to_end(&mut bytes);
    read.map_err(|error| unreadable(&name, &error))?;
    if bytes.len() as u64 > most_bytes {
        return Err(too_large(&name, most_bytes));
    }
    Ok((name, bytes))
}

/// Read a file of independent lines in the same way, such as start states: no line may be longer
/// than 4 MiB. Reading ends at a longer one.
///
/// # Errors
/// When the file can't be read or is larger than 1 GiB, or a line is longer than 4 MiB.
pub fn read_lines(file: &Path) -> Result<(String, Vec<u8>), Error> {
    let (name, mut reader) = open(file)?;
    let mut bytes = Vec::new();
    for number in 1_u64.. {
        match read_line(&mut reader, MOST_LINE, &mut bytes) {
            Ok(Line::End) => break,
            Ok(Line::Read) if bytes.len() as u64 > MAX_BYTES => {
                return Err(too_large(&name, MAX_BYTES));
            }
            Ok(Line::Read) => {}
            Ok(Line::TooLong) => {
                return Err(Error::input(format!(
                    "line {number} of `{name}` is longer than {}",
                    format_bytes(MOST_LINE as u128)
                ))
                .with_hint("this may be another kind of file, or its line breaks are missing"));
            }
            Err(error) => return Err(unreadable(&name, &error)),
        }
    }
    Ok((name, bytes))
}

/// Open a file, or standard input for `-`.
fn open(file: &Path) -> Result<(String, Box<dyn BufRead>), Error> {
    if file == Path::new("-") {
        return Ok((STDIN.to_owned(), Box::new(io::stdin().lock())));
    }
    let name = file.display().to_string();
    match std::fs::File::open(file) {
        Ok(opened) => Ok((
            name,
            Box::new(io::BufReader::with_capacity(1 << 16, opened)),
        )),
        Err(error) => Err(unreadable(&name, &error)),
    }
}

fn unreadable(name: &str, error: &io::Error) -> Error {
    if name == STDIN {
        return Error::input(format!("can't read standard input: {}", reason(error)));
    }
    let failure = Error::input(format!("can't read `{name}`: {}", reason(error)));
    match built_in_hint(name) {
        Some(hint) if error.kind() == io::ErrorKind::NotFound => failure.with_hint(hint),
        _ => failure,
    }
}

fn too_large(name: &str, most_bytes: u64) -> Error {
    let message = format!(
        "`{name}` is larger than {}",
        format_bytes(most_bytes.into())
    );
    if most_bytes < MAX_BYTES {
        Error::limit(message).with_hint(message!["`", Parameter::Memory, "` may allow more"])
    } else {
        Error::input(message)
    }
}

/// A hint that a built-in game was probably meant, without `gen:`.
fn built_in_hint(name: &str) -> Option<String> {
    let first = name.split([':', ' ']).next()?;
    built_in_games()
        .iter()
        .any(|game| game.name.eq_ignore_ascii_case(first))
        .then(|| format!("the built-in game is called `gen:{name}`"))
}
