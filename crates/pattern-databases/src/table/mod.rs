//! A table of distances, in the narrowest width for its largest one, in memory or in a mapped file.

pub(crate) mod large_pages;
pub(crate) mod mapped;
pub(crate) mod prefetch;

use memmap2::Mmap;

use self::prefetch::prefetch;

/// The number of bits of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// Four bits: distances up to 14.
    Nibble,
    /// Eight bits: distances up to 254.
    Byte,
    /// Sixteen bits: distances up to 65,534.
    Short,
}

impl Width {
    /// Return the bits of an entry.
    pub fn bits(self) -> u32 {
        match self {
            Self::Nibble => 4,
            Self::Byte => 8,
            Self::Short => 16,
        }
    }

    pub(crate) fn from_bits(bits: u32) -> Option<Self> {
        [Self::Nibble, Self::Byte, Self::Short]
            .into_iter()
            .find(|width| width.bits() == bits)
    }

    /// Return the entry of an unreached rank; all others are distances.
    pub(crate) fn unreached(self) -> u64 {
        (1 << self.bits()) - 1
    }

    /// Return the bytes of a table with `n` entries.
    pub fn bytes(self, n: u64) -> u128 {
        (u128::from(n) * u128::from(self.bits())).div_ceil(8)
    }
}

#[derive(Debug)]
enum Bytes {
    Owned(Vec<u8>),
    Mapped(Mmap, usize),
}

/// Distances by rank.
#[derive(Debug)]
pub(crate) struct Table {
    bytes: Bytes,
    width: Width,
    n: u64,
}

impl Table {
    /// Make a table of bytes, in a narrower width if possible.
    pub(crate) fn from_bytes(mut entries: Vec<u8>) -> Self {
        let n = entries.len() as u64;
        let unreached = Width::Byte.unreached() as u8;
        let largest = entries
            .iter()
            .copied()
            .filter(|entry| *entry != unreached)
            .max();
        if largest.unwrap_or(0) >= Width::Nibble.unreached() as u8 {
            return Self {
                bytes: Bytes::Owned(entries),
                width: Width::Byte,
                n,
            };
        }
        for i in 0..entries.len().div_ceil(2) {
            let low = entries[2 * i] & 15;
            let high = entries.get(2 * i + 1).map_or(15, |entry| entry & 15);
            entries[i] = low | high << 4;
        }
        entries.truncate(entries.len().div_ceil(2));
        entries.shrink_to_fit();
        Self {
            bytes: Bytes::Owned(entries),
            width: Width::Nibble,
            n,
        }
    }

    pub(crate) fn from_shorts(entries: &[u16]) -> Self {
        let bytes = entries.iter().flat_map(|entry| entry.to_le_bytes());
        Self {
            n: entries.len() as u64,
            bytes: Bytes::Owned(bytes.collect()),
            width: Width::Short,
        }
    }

    /// Use the table that begins at a place of a mapped file. `None` when the file is too short.
    pub(crate) fn from_file(map: Mmap, at: usize, width: Width, n: u64) -> Option<Self> {
        let available = map.len().checked_sub(at)? as u128;
        (width.bytes(n) <= available).then_some(Self {
            bytes: Bytes::Mapped(map, at),
            width,
            n,
        })
    }

    /// Copy the table to the program's memory, if it is in a mapped file. `None` when there is no
    /// memory.
    pub(crate) fn in_memory(&self) -> Option<Self> {
        let length = self.width.bytes(self.n) as usize;
        let mut bytes: Vec<u8> = large_pages::zeros(length as u64).ok()?;
        match &self.bytes {
            Bytes::Mapped(map, at) => mapped::copy(map, *at, &mut bytes),
            Bytes::Owned(owned) => bytes.copy_from_slice(&owned[..length]),
        }
        Some(Self {
            bytes: Bytes::Owned(bytes),
            width: self.width,
            n: self.n,
        })
    }

    /// Return whether it is in a mapped file.
    pub(crate) fn is_mapped(&self) -> bool {
        matches!(self.bytes, Bytes::Mapped(..))
    }

    #[inline(always)]
    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Owned(bytes) => bytes,
            Bytes::Mapped(map, at) => &map[*at..],
        }
    }

    pub(crate) fn n(&self) -> u64 {
        self.n
    }

    pub(crate) fn width(&self) -> Width {
        self.width
    }

    /// Prefetch the entry of a rank.
    #[inline(always)]
    pub(crate) fn fetch(&self, rank: u64) {
        let i = match self.width {
            Width::Nibble => rank / 2,
            Width::Byte => rank,
            Width::Short => rank * 2,
        };
        prefetch(self.bytes(), i as usize);
    }

    /// Return the entry of a rank; `None` when it is not reached.
    ///
    /// # Panics
    /// If there is no such rank.
    #[inline(always)]
    pub(crate) fn get(&self, rank: u64) -> Option<u64> {
        let i = rank as usize;
        let bytes = self.bytes();
        let entry = match self.width {
            Width::Byte => u64::from(bytes[i]),
            Width::Nibble => u64::from(bytes[i / 2] >> (i % 2 * 4) & 15),
            Width::Short => u64::from(u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]])),
        };
        (entry != self.width.unreached()).then_some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_as_narrow_as_they_can_be() {
        for n in [1, 2, 7, 100] {
            for largest in [0, 14, 15, 254] {
                let entry = |i: usize| match i % 3 {
                    0 => (i as u64 * 7 % (largest + 1)) as u8,
                    1 => 255,
                    _ => largest as u8,
                };
                let entries: Vec<u8> = (0..n).map(entry).collect();
                let table = Table::from_bytes(entries.clone());
                let expected = if n > 2 && largest > 14 {
                    Width::Byte
                } else {
                    Width::Nibble
                };
                assert_eq!(table.width(), expected);
                for (i, entry) in entries.iter().enumerate() {
                    let known = (*entry != 255).then_some(u64::from(*entry));
                    assert_eq!(table.get(i as u64), known);
                }
            }
        }
        let shorts = Table::from_shorts(&[0, 300, 65_535]);
        assert_eq!([0, 1, 2].map(|i| shorts.get(i)), [Some(0), Some(300), None]);
    }
}
