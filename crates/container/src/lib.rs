//! Headers of binary files, which begin with a magic, hold numbers at fixed places, and end with a
//! checksum of themselves; and a reader for arbitrary bytes.
//!
//! ```
//! use container::{Damage, HeaderWriter, Reader, checked};
//!
//! let mut header = HeaderWriter::new(b"EXAMPLE\0");
//! header.u32(1).u64(1 << 40);
//! let bytes = header.seal(32);
//!
//! let body = checked(&bytes, 32)?;
//! let mut reader = Reader::new(body);
//! assert_eq!(reader.take(8)?, b"EXAMPLE\0");
//! assert_eq!((reader.u32()?, reader.u64()?), (1, 1 << 40));
//! assert!(reader.is_zero_to_the_end());
//! assert_eq!(checked(&bytes[..31], 32), Err(Damage::Truncated));
//! # Ok::<(), Damage>(())
//! ```
//!
//! All numbers are little-endian.
//!
//! With the feature `store` there are also [files that are written as a whole](atomic), a
//! [cache] of results in a folder, and [lines of files](files) within limits.

#[cfg(feature = "store")]
pub mod atomic;
#[cfg(feature = "store")]
pub mod cache;
#[cfg(feature = "store")]
pub mod files;

/// The bytes of a checksum.
const CHECKSUM: usize = size_of::<u32>();

/// How bytes differ from those that were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// They end too soon.
    #[error("it is truncated")]
    Truncated,
    /// Their checksum doesn't match.
    #[error("its checksum is wrong")]
    Checksum,
}

/// Writes a header.
#[derive(Clone, Debug)]
pub struct HeaderWriter {
    bytes: Vec<u8>,
}

impl HeaderWriter {
    /// Begin with a magic.
    pub fn new(magic: &[u8]) -> Self {
        Self {
            bytes: magic.to_vec(),
        }
    }

    /// Append bytes.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// Append a number of 4 bytes.
    pub fn u32(&mut self, number: u32) -> &mut Self {
        self.bytes(&number.to_le_bytes())
    }

    /// Append a number of 8 bytes.
    pub fn u64(&mut self, number: u64) -> &mut Self {
        self.bytes(&number.to_le_bytes())
    }

    /// End the header with zeros and a checksum, `length` bytes in all.
    ///
    /// # Panics
    /// When the written data don't fit.
    pub fn seal(mut self, length: usize) -> Vec<u8> {
        let end = length.checked_sub(CHECKSUM);
        let end = end.filter(|end| self.bytes.len() <= *end);
        self.bytes
            .resize(end.expect("a header holds what is written to it"), 0);
        let checksum = crc32fast::hash(&self.bytes);
        self.u32(checksum);
        self.bytes
    }
}

/// Compare a header of `length` bytes with its checksum, and return the bytes before that.
///
/// # Errors
/// When there are fewer bytes, or some were changed.
pub fn checked(bytes: &[u8], length: usize) -> Result<&[u8], Damage> {
    let header = bytes.get(..length).ok_or(Damage::Truncated)?;
    let (body, checksum) = header.split_last_chunk().ok_or(Damage::Truncated)?;
    if crc32fast::hash(body) == u32::from_le_bytes(*checksum) {
        Ok(body)
    } else {
        Err(Damage::Checksum)
    }
}

/// Arbitrary bytes, read from their beginning on. No memory is allocated for a length before that
/// number of bytes is known to exist.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Read these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Return the bytes left to read.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Take some bytes.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn take(&mut self, n: usize) -> Result<&'a [u8], Damage> {
        let (taken, rest) = self.rest.split_at_checked(n).ok_or(Damage::Truncated)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Take the bytes for an array.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Damage> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(Damage::Truncated)?;
        self.rest = rest;
        Ok(*taken)
    }

    /// Take a number of 4 bytes.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn u32(&mut self) -> Result<u32, Damage> {
        self.array().map(u32::from_le_bytes)
    }

    /// Take a number of 8 bytes.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn u64(&mut self) -> Result<u64, Damage> {
        self.array().map(u64::from_le_bytes)
    }

    /// Take a number of 8 bytes that counts bytes in memory.
    ///
    /// # Errors
    /// When fewer are left, or the number is too large for any memory.
    pub fn length(&mut self) -> Result<usize, Damage> {
        usize::try_from(self.u64()?).map_err(|_| Damage::Truncated)
    }

    /// Return whether only zeros are left, since reserved bytes must not be used.
    pub fn is_zero_to_the_end(&self) -> bool {
        self.rest.iter().all(|byte| *byte == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_changed_or_missing_byte_of_a_header_is_noticed() {
        let mut header = HeaderWriter::new(b"TEST");
        header.u32(7).u64(u64::MAX).bytes(&[1, 2, 3]);
        let bytes = header.seal(32);
        assert_eq!(bytes.len(), 32);
        assert_eq!(checked(&bytes, 32), Ok(&bytes[..28]));
        for place in 0..32 {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << (place % 8);
            assert_eq!(checked(&damaged, 32), Err(Damage::Checksum));
            assert_eq!(checked(&bytes[..place], 32), Err(Damage::Truncated));
        }
        assert_eq!(checked(&bytes, 3), Err(Damage::Truncated));
    }

    #[test]
    fn nothing_is_read_behind_the_end() {
        let bytes = [1, 0, 0, 0, 2, 0, 0];
        let mut reader = Reader::new(&bytes);
        assert_eq!(reader.u64(), Err(Damage::Truncated));
        assert_eq!(reader.u32(), Ok(1));
        assert_eq!(reader.u32(), Err(Damage::Truncated));
        assert!(!reader.is_zero_to_the_end());
        assert_eq!(reader.take(1), Ok(&[2][..]));
        assert!(reader.is_zero_to_the_end());
        assert_eq!(
            (reader.rest().len(), reader.take(3)),
            (2, Err(Damage::Truncated))
        );
    }

    #[test]
    #[should_panic(expected = "a header holds what is written to it")]
    fn a_header_that_is_too_short_is_a_bug() {
        let mut header = HeaderWriter::new(b"TEST");
        header.u64(1);
        header.seal(15);
    }
}
