//! Lines of files within limits, and why files can't be read.

use std::io::{self, BufRead, Read};

/// The result of reading a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// It was added, with its line break.
    Read,
    /// It is too long; its first bytes were added.
    TooLong,
    /// There is none.
    End,
}

/// Read a line of at most `most` bytes, and add it to a buffer.
///
/// # Errors
/// When the reader fails.
pub fn read_line(reader: &mut impl BufRead, most: usize, bytes: &mut Vec<u8>) -> io::Result<Line> {
    let n_read = reader.take(most as u64 + 1).read_until(b'\n', bytes)?;
    Ok(match n_read {
        0 => Line::End,
        n if n > most && bytes.last() != Some(&b'\n') => Line::TooLong,
        _ => Line::Read,
    })
}

/// Return the message of an error, without the system's number.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}
