//! Messages on a connection: numbers in as few bytes as they need, after the length of all.

use std::io::{self, Read, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The maximum length of a message.
const LONGEST: usize = 1 << 30;
/// A message is read in parts of this length, so that a wrong length takes no memory.
const PART: usize = 1 << 20;

/// Send a message.
pub(crate) fn send<T: Serialize>(to: &mut impl Write, message: &T) -> io::Result<()> {
    let mut bytes = postcard::to_extend(message, vec![0; 4]).map_err(io::Error::other)?;
    let length = bytes.len() - 4;
    if length > LONGEST {
        return Err(io::Error::other("the message is too long"));
    }
    bytes[..4].copy_from_slice(&(length as u32).to_le_bytes());
    to.write_all(&bytes)
}

/// Receive a message.
pub(crate) fn receive<T: DeserializeOwned>(from: &mut impl Read) -> io::Result<T> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length) as usize;
    let strange = || io::Error::other("the received data aren't a message");
    if length > LONGEST {
        return Err(strange());
    }
    let mut bytes = Vec::new();
    while bytes.len() < length {
        let have = bytes.len();
        bytes.resize(length.min(have + PART), 0);
        from.read_exact(&mut bytes[have..])?;
    }
    match postcard::take_from_bytes(&bytes).map_err(io::Error::other)? {
        (message, []) => Ok(message),
        _ => Err(strange()),
    }
}
