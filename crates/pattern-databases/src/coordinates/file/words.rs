//! Files of words of 64 bits with some lines of text, each block with its own checksum.

use std::io::{self, Write};
use std::path::Path;

use container::{Damage, HeaderWriter, Reader};
use memmap2::Mmap;
use psvn_ir::{ContentHash, Game};
use rayon::prelude::*;

use crate::file::{FileError, checksums, map_file};
use crate::progress::Options;
use crate::table::large_pages::zeros;
use crate::table::mapped::forget;

/// The first bytes of a file, which identify what its words are.
pub(super) type Magic = [u8; 8];

pub(super) const VERSION: u32 = 1;
const HEADER: usize = 128;
/// The words of a block with its own checksum.
const BLOCK: usize = 1 << 17;
/// The maximum bytes of the texts, and the maximum number of words, so that a damaged header can't
/// demand more.
const MOST_DETAILS: u64 = 1 << 24;
const MOST_WORDS: u64 = 1 << 36;

/// The fields of a header.
struct Header {
    game: ContentHash,
    words: u64,
    /// The bytes of the texts.
    details: u64,
    details_checksum: u32,
    /// The checksum of the list of the blocks' checksums.
    contents_checksum: u32,
}

impl Header {
    fn to_bytes(&self, magic: &Magic) -> Vec<u8> {
        let mut header = HeaderWriter::new(magic);
        header
            .u32(VERSION)
            .u32(0)
            .bytes(&self.game.0)
            .u64(self.words)
            .u64(self.details)
            .u32(self.details_checksum)
            .u32(self.contents_checksum);
        header.seal(HEADER)
    }

    fn read(file: &[u8], magic: &Magic) -> Result<Self, FileError> {
        if file.get(..magic.len()) != Some(magic) {
            return Err(FileError::Magic);
        }
        let damaged = |_: Damage| FileError::Checksum("header");
        let version = Reader::new(&file[magic.len()..]).u32().map_err(damaged)?;
        if version != VERSION {
            return Err(FileError::Version(version));
        }
        let mut reader = Reader::new(container::checked(file, HEADER).map_err(damaged)?);
        let mut fields = || -> Result<(u32, Self), Damage> {
            reader.take(magic.len() + size_of_val(&version))?;
            let reserved = reader.u32()?;
            let header = Self {
                game: ContentHash(reader.array()?),
                words: reader.u64()?,
                details: reader.u64()?,
                details_checksum: reader.u32()?,
                contents_checksum: reader.u32()?,
            };
            Ok((reserved, header))
        };
        let (reserved, header) = fields().map_err(damaged)?;
        if reserved != 0 || !reader.is_zero_to_the_end() {
            return Err(FileError::Inconsistent("its header uses what is reserved"));
        }
        if header.details > MOST_DETAILS || header.words > MOST_WORDS {
            return Err(FileError::Inconsistent("its header asks for too much"));
        }
        let expected = header.words_begin() as u64 + 8 * header.words + 4 * header.n_blocks();
        if file.len() as u64 == expected {
            Ok(header)
        } else {
            Err(FileError::Length {
                found: file.len() as u64,
                expected,
            })
        }
    }

    fn n_blocks(&self) -> u64 {
        self.words.div_ceil(BLOCK as u64)
    }

    fn details_end(&self) -> usize {
        HEADER + self.details as usize
    }

    fn words_begin(&self) -> usize {
        self.details_end().next_multiple_of(64)
    }
}

fn bytes_of(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Return whether a file begins with these bytes.
pub(super) fn begins_with(path: &Path, magic: &Magic) -> bool {
    let mut begin = Magic::default();
    let read =
        std::fs::File::open(path).and_then(|mut file| io::Read::read_exact(&mut file, &mut begin));
    read.is_ok() && begin == *magic
}

/// Write a file of words that belong to a game.
pub(super) fn write(
    magic: &Magic,
    game: ContentHash,
    details: &str,
    words: &[u64],
    out: &mut dyn Write,
) -> io::Result<()> {
    let blocks = words.par_chunks(BLOCK);
    let checksums: Vec<u32> = blocks
        .map(|block| crc32fast::hash(&bytes_of(block)))
        .collect();
    let checksums = checksums::to_bytes(&checksums);
    let header = Header {
        game,
        words: words.len() as u64,
        details: details.len() as u64,
        details_checksum: crc32fast::hash(details.as_bytes()),
        contents_checksum: crc32fast::hash(&checksums),
    };
    out.write_all(&header.to_bytes(magic))?;
    out.write_all(details.as_bytes())?;
    out.write_all(&vec![0; header.words_begin() - header.details_end()])?;
    for block in words.chunks(BLOCK) {
        out.write_all(&bytes_of(block))?;
    }
    out.write_all(&checksums)
}

/// A file whose header and texts are read.
pub(super) struct WordFile {
    map: Mmap,
    header: Header,
}

impl WordFile {
    /// Open a file, and compare its header and texts with their checksums.
    pub(super) fn open(path: &Path, magic: &Magic, game: &Game) -> Result<Self, FileError> {
        let map = map_file(path, HEADER)?;
        let header = Header::read(&map, magic)?;
        if crc32fast::hash(&map[HEADER..header.details_end()]) != header.details_checksum {
            return Err(FileError::Checksum("description"));
        }
        let expected = game.content_hash();
        if header.game == expected {
            Ok(Self { map, header })
        } else {
            Err(FileError::OtherGame {
                found: header.game,
                expected,
            })
        }
    }

    pub(super) fn game(&self) -> ContentHash {
        self.header.game
    }

    /// Return the texts; `None` if they aren't UTF-8.
    pub(super) fn details(&self) -> Option<&str> {
        std::str::from_utf8(&self.map[HEADER..self.header.details_end()]).ok()
    }

    pub(super) fn n_words(&self) -> u64 {
        self.header.words
    }

    /// Copy the words to memory, and compare them with their checksums. There must be `expected`
    /// of them. The process holds little of the file twice.
    pub(super) fn words(
        &self,
        expected: u64,
        options: &Options<'_>,
    ) -> Result<Vec<u64>, FileError> {
        let Self { map: file, header } = self;
        if expected != header.words {
            return Err(FileError::Inconsistent(
                "its entries aren't numbered as this version of the program numbers them",
            ));
        }
        let (contents, checksums) =
            file[header.words_begin()..].split_at(8 * header.words as usize);
        if crc32fast::hash(checksums) != header.contents_checksum {
            return Err(FileError::Checksum("list of checksums"));
        }
        if file[header.details_end()..header.words_begin()]
            .iter()
            .any(|byte| *byte != 0)
        {
            return Err(FileError::Inconsistent(
                "there is data between its texts and its table",
            ));
        }
        let mut words = zeros::<u64>(header.words)?;
        let blocks = contents.par_chunks(8 * BLOCK).zip(checksums.par_chunks(4));
        let blocks = words.par_chunks_mut(BLOCK).zip(blocks).enumerate();
        blocks.try_for_each(|(number, (words, (block, checksum)))| {
            options.poll()?;
            if crc32fast::hash(block).to_le_bytes() != *checksum {
                return Err(FileError::Checksum("table"));
            }
            for (word, bytes) in words.iter_mut().zip(block.chunks_exact(8)) {
                *word = u64::from_le_bytes(bytes.try_into().expect("a chunk of this length"));
            }
            let begin = header.words_begin() + number * 8 * BLOCK;
            forget(file, begin..begin + block.len());
            Ok(())
        })?;
        Ok(words)
    }
}
