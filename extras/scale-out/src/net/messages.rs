//! Messages on a connection: numbers in as few bytes as they need, after the length of all.

use std::io::{self, Read, Write};

use bincode::{DefaultOptions, Options};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The maximum length of a message.
const LONGEST: usize = 1 << 30;
/// A message is read in parts of this length, so that a wrong length takes no memory.
const PART: usize = 1 << 20;

/// Return how messages are written: those that are too long, or have bytes left over, are errors.
fn form() -> impl Options {
    DefaultOptions::new().with_limit(LONGEST as u64)
}

/// Send a message.
pub(crate) fn send<T: Serialize>(to: &mut impl Write, message: &T) -> io::Result<()> {
    let mut bytes = vec![0; 4];
    form()
        .serialize_into(&mut bytes, message)
        .map_err(io::Error::other)?;
    let length = bytes.len() - 4;
    bytes[..4].copy_from_slice(&(length as u32).to_le_bytes());
    to.write_all(&bytes)
}

/// Receive a message.
pub(crate) fn receive<T: DeserializeOwned>(from: &mut impl Read) -> io::Result<T> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length) as usize;
    if length > LONGEST {
        return Err(io::Error::other("the received data aren't a message"));
    }
    let mut bytes = Vec::new();
    while bytes.len() < length {
        let have = bytes.len();
        bytes.resize(length.min(have + PART), 0);
        from.read_exact(&mut bytes[have..])?;
    }
    form().deserialize(&bytes).map_err(io::Error::other)
}
