//! One kept result: its key, a summary, and bytes, with a checksum over all of it.
//!
//! After 8 bytes of magic and the SHA-256 of all that follows come the lengths of the three parts,
//! 8 bytes each, little-endian, and then the parts. The format may change from version to version:
//! results that can't be read are computed again.

use sha2::{Digest, Sha256};

use crate::Reader;

const MAGIC: &[u8; 8] = b"PSVNRES\0";
const CHECKSUM_END: usize = 40;

/// A kept result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The text of the key, whose hash is the file's name.
    pub(super) key: String,
    /// A summary, as text.
    pub summary: String,
    /// The bytes of the result.
    pub bytes: Vec<u8>,
}

impl Entry {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let parts: [&[u8]; 3] = [self.key.as_bytes(), self.summary.as_bytes(), &self.bytes];
        let mut bytes = MAGIC.to_vec();
        bytes.resize(CHECKSUM_END, 0);
        for part in parts {
            bytes.extend((part.len() as u64).to_le_bytes());
        }
        for part in parts {
            bytes.extend_from_slice(part);
        }
        let checksum = Sha256::digest(&bytes[CHECKSUM_END..]);
        bytes[MAGIC.len()..CHECKSUM_END].copy_from_slice(&checksum);
        bytes
    }

    /// Read an entry, or return why the bytes are none.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, &'static str> {
        let (head, body) = bytes
            .split_at_checked(CHECKSUM_END)
            .ok_or("it is truncated")?;
        let (magic, checksum) = head.split_at(MAGIC.len());
        if magic != MAGIC {
            return Err("it is something else");
        }
        if Sha256::digest(body).as_slice() != checksum {
            return Err("it is damaged");
        }
        // Bytes with a right checksum were written by this code, but no length is trusted.
        let malformed = |_| "it is malformed";
        let mut rest = Reader::new(body);
        let mut lengths = [0; 3];
        for length in &mut lengths {
            *length = rest.length().map_err(malformed)?;
        }
        let [key, summary, bytes] =
            lengths.map(|length| rest.take(length).map(<[u8]>::to_vec).map_err(malformed));
        let (key, summary, bytes) = (key?, summary?, bytes?);
        if !rest.rest().is_empty() {
            return Err("it is malformed");
        }
        let text = |bytes| String::from_utf8(bytes).map_err(|_| "it is malformed");
        Ok(Self {
            key: text(key)?,
            summary: text(summary)?,
            bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Entry {
        Entry {
            key: "a game and\nits options".to_owned(),
            summary: "{\"words\":3}".to_owned(),
            bytes: (0..200).collect(),
        }
    }

    #[test]
    fn what_is_written_can_be_read() {
        assert_eq!(Entry::from_bytes(&entry().to_bytes()), Ok(entry()));
        let empty = Entry {
            key: String::new(),
            summary: String::new(),
            bytes: Vec::new(),
        };
        assert_eq!(Entry::from_bytes(&empty.to_bytes()), Ok(empty));
    }

    #[test]
    fn damage_is_noticed_wherever_it_is() {
        let bytes = entry().to_bytes();
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << (place % 8);
            assert!(Entry::from_bytes(&damaged).is_err(), "byte {place}");
            assert!(
                Entry::from_bytes(&bytes[..place]).is_err(),
                "cut at {place}"
            );
        }
        assert!(Entry::from_bytes(&[&bytes[..], b"x"].concat()).is_err());
    }

    #[test]
    fn lengths_that_lie_are_refused() {
        for place in 0..24 {
            let mut forged = entry().to_bytes();
            forged[CHECKSUM_END + place] ^= 0x80;
            let checksum = Sha256::digest(&forged[CHECKSUM_END..]);
            forged[MAGIC.len()..CHECKSUM_END].copy_from_slice(&checksum);
            assert!(Entry::from_bytes(&forged).is_err(), "byte {place}");
        }
    }
}
