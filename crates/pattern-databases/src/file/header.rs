//! The header of a file: where its parts are, and their checksums.

use container::{Damage, HeaderWriter, Reader};
use psvn_ir::ContentHash;

use crate::file::error::{FORMAT_VERSION, FileError};
use crate::table::Width;

const MAGIC: [u8; 8] = *b"PSVNPDB\0";
/// The bytes of the header.
pub(super) const HEADER: usize = 128;
/// The table begins at a multiple of this many bytes.
const ALIGNMENT: usize = 64;
pub(super) const SATURATED: u32 = 1;
pub(super) const CHARGED: u32 = 2;
/// The flag for states that are listed after the table.
pub(super) const LISTED: u32 = 4;
/// The flag for costs that are charged to rules.
pub(super) const RULES: u32 = 8;
/// The bytes of a listed state.
pub(super) const KEY: usize = 16;
/// The maximum bytes of the texts, so that a damaged header can't demand more.
const MOST_DETAILS: u64 = 1 << 28;
/// The maximum number of entries, for the same reason.
const MOST_ENTRIES: u64 = 1 << 44;
/// The first version, with one checksum for the table and the list.
pub(super) const VERSION_1: u32 = 1;

/// The bytes of a block with its own checksum. The last block of the table, and of the list of
/// states, may have fewer.
pub(super) const BLOCK: usize = 1 << 20;

/// The fields of a header.
pub(super) struct Header {
    pub(super) version: u32,
    pub(super) width: Width,
    pub(super) game: ContentHash,
    pub(super) entries: u64,
    pub(super) unit: u64,
    /// The bytes of the texts.
    pub(super) details: u64,
    pub(super) flags: u32,
    pub(super) details_checksum: u32,
    /// The checksum of the list of checksums; in version 1, of the table and the list of states.
    pub(super) contents_checksum: u32,
}

impl Header {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut header = HeaderWriter::new(&MAGIC);
        header
            .u32(self.version)
            .u32(self.width.bits())
            .bytes(&self.game.0)
            .u64(self.entries)
            .u64(self.unit)
            .u64(self.details)
            .u32(self.flags)
            .u32(self.details_checksum)
            .u32(self.contents_checksum);
        header.seal(HEADER)
    }

    /// Return where the texts end.
    pub(super) fn details_end(&self) -> usize {
        HEADER + self.details as usize
    }

    /// Return where the table begins.
    pub(super) fn table_begin(&self) -> usize {
        self.details_end().next_multiple_of(ALIGNMENT)
    }

    pub(super) fn table_bytes(&self) -> u64 {
        // At most 2^45.
        self.width.bytes(self.entries) as u64
    }

    /// Return the bytes of the list of states, if there is one.
    pub(super) fn keys_bytes(&self) -> u64 {
        match self.flags & LISTED {
            0 => 0,
            _ => self.entries * KEY as u64,
        }
    }

    /// Return the bytes of the checksums after them.
    fn checksums_bytes(&self) -> u64 {
        match self.version {
            VERSION_1 => 0,
            _ => 4 * n_blocks([self.table_bytes(), self.keys_bytes()]),
        }
    }

    /// Read the fields of a header, and return whether reserved ones are used.
    fn fields(header: &mut Reader<'_>, version: u32) -> Result<(Self, bool), FileError> {
        let mut read = || -> Result<Option<Self>, Damage> {
            header.take(MAGIC.len() + size_of_val(&version))?;
            let width = Width::from_bits(header.u32()?);
            let Some(width) = width else {
                return Ok(None);
            };
            Ok(Some(Self {
                version,
                width,
                game: ContentHash(header.array()?),
                entries: header.u64()?,
                unit: header.u64()?,
                details: header.u64()?,
                flags: header.u32()?,
                details_checksum: header.u32()?,
                contents_checksum: header.u32()?,
            }))
        };
        let found = read().map_err(damaged)?;
        let found = found.ok_or(FileError::Inconsistent("no entries have this width"))?;
        Ok((found, !header.is_zero_to_the_end()))
    }

    /// Read the header of a file, given as a whole, and check that the file has the length that the
    /// header demands.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, FileError> {
        let Some(header) = bytes.get(..HEADER).filter(|header| header[..8] == MAGIC) else {
            return Err(FileError::Magic);
        };
        let version = Reader::new(&header[MAGIC.len()..]).u32().map_err(damaged)?;
        if !matches!(version, VERSION_1 | FORMAT_VERSION) {
            return Err(FileError::Version(version));
        }
        let mut header = Reader::new(container::checked(bytes, HEADER).map_err(damaged)?);
        let (found, is_reserved_used) = Self::fields(&mut header, version)?;
        let is_known = found.flags & !(SATURATED | CHARGED | LISTED | RULES) == 0;
        if !is_known || is_reserved_used {
            return Err(FileError::Inconsistent("its header uses what is reserved"));
        }
        if found.details > MOST_DETAILS || found.unit == 0 || found.entries > MOST_ENTRIES {
            return Err(FileError::Inconsistent("its header asks for too much"));
        }
        if found.unit.checked_mul(found.width.unreached()).is_none() {
            return Err(FileError::Inconsistent(
                "its distances don't fit in 64 bits",
            ));
        }
        let expected = found.table_begin() as u64
            + found.table_bytes()
            + found.keys_bytes()
            + found.checksums_bytes();
        if bytes.len() as u64 != expected {
            return Err(FileError::Length {
                found: bytes.len() as u64,
                expected,
            });
        }
        Ok(found)
    }
}

fn damaged(_: Damage) -> FileError {
    FileError::Checksum("header")
}

/// Return the number of blocks of parts with these sizes in bytes.
pub(super) fn n_blocks(parts: [u64; 2]) -> u64 {
    parts.map(|bytes| bytes.div_ceil(BLOCK as u64)).iter().sum()
}
