//! Checksums of the large parts of a file: one for each block, so that several processors can
//! compare them.

use std::iter::zip;

use rayon::prelude::*;

use crate::file::error::FileError;
use crate::file::header::{BLOCK, Header, KEY, VERSION_1};
use crate::progress::{BuildError, Options};

/// The minimum number of blocks for several threads: fewer take less time than waking the threads.
const FEW: usize = 8;

/// Return the checksums of the blocks of a table and of a list of states.
pub(super) fn of_blocks(table: &[u8], keys: &[u128]) -> Vec<u32> {
    let of_keys = |keys: &[u128]| {
        let mut checksum = crc32fast::Hasher::new();
        for key in keys {
            checksum.update(&key.to_le_bytes());
        }
        checksum.finalize()
    };
    let of_table = table.par_chunks(BLOCK).map(crc32fast::hash);
    of_table
        .chain(keys.par_chunks(BLOCK / KEY).map(of_keys))
        .collect()
}

/// Return checksums as they are stored.
pub(crate) fn to_bytes(checksums: &[u32]) -> Vec<u8> {
    checksums.iter().flat_map(|it| it.to_le_bytes()).collect()
}

/// Compare the parts after the texts with their checksums.
///
/// # Errors
/// If a part was changed, or the work must stop.
pub(super) fn verify(file: &[u8], header: &Header, options: &Options<'_>) -> Result<(), FileError> {
    let gap = &file[header.details_end()..header.table_begin()];
    if gap.iter().any(|byte| *byte != 0) {
        return Err(FileError::Inconsistent(
            "there is data between its texts and its table",
        ));
    }
    let (table, rest) = file[header.table_begin()..].split_at(header.table_bytes() as usize);
    let (keys, checksums) = rest.split_at(header.keys_bytes() as usize);
    if header.version == VERSION_1 {
        return verify_whole(&[table, keys], header.contents_checksum, options);
    }
    if crc32fast::hash(checksums) != header.contents_checksum {
        return Err(FileError::Checksum("list of checksums"));
    }
    let blocks = table.chunks(BLOCK).chain(keys.chunks(BLOCK));
    let blocks: Vec<(&[u8], &[u8])> = blocks.zip(checksums.chunks_exact(4)).collect();
    let is_good = |(block, checksum): &(&[u8], &[u8])| {
        options.poll()?;
        if crc32fast::hash(block).to_le_bytes() == *checksum {
            Ok(())
        } else {
            Err(FileError::Checksum("table"))
        }
    };
    if blocks.len() < FEW {
        blocks.iter().try_for_each(is_good)
    } else {
        blocks.par_iter().try_for_each(is_good)
    }
}

/// Compare all parts together with one checksum, as in version 1.
fn verify_whole(parts: &[&[u8]], expected: u32, options: &Options<'_>) -> Result<(), FileError> {
    let blocks: Vec<&[u8]> = parts.iter().flat_map(|part| part.chunks(BLOCK)).collect();
    let checksum_of = |block: &&[u8]| {
        options.poll()?;
        Ok(crc32fast::hash(block))
    };
    let checksums: Result<Vec<u32>, BuildError> = if blocks.len() < FEW {
        blocks.iter().map(checksum_of).collect()
    } else {
        blocks.par_iter().map(checksum_of).collect()
    };
    let mut whole = crc32fast::Hasher::new();
    for (block, checksum) in zip(&blocks, &checksums?) {
        let length = block.len() as u64;
        whole.combine(&crc32fast::Hasher::new_with_initial_len(*checksum, length));
    }
    if whole.finalize() == expected {
        Ok(())
    } else {
        Err(FileError::Checksum("table"))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use budget::{Limits, StopReason, Watch};
    use psvn_ir::ContentHash;

    use super::*;
    use crate::table::Width;

    /// Make a table with more blocks than one thread takes on and a list of states, both of
    /// arbitrary bytes, and their header.
    fn large(version: u32) -> (Vec<u8>, Header) {
        let mut header = Header {
            version,
            width: Width::Byte,
            game: ContentHash([7; 32]),
            entries: 2 * BLOCK as u64 / 3,
            unit: 1,
            details: 0,
            flags: crate::file::header::LISTED,
            details_checksum: 0,
            contents_checksum: 0,
        };
        let n = header.entries;
        let table: Vec<u8> = (0..n).map(|i| ((i * i) >> 7) as u8).collect();
        let keys: Vec<u128> = (0..u128::from(n)).map(|i| i * i * 977).collect();
        let sums: Vec<u8> = of_blocks(&table, &keys)
            .iter()
            .flat_map(|sum| sum.to_le_bytes())
            .collect();
        assert_eq!(
            sums.len() as u64,
            4 * crate::file::header::n_blocks([n, 16 * n])
        );
        let mut bytes = vec![0; header.table_begin()];
        bytes.extend(table);
        bytes.extend(keys.iter().flat_map(|key| key.to_le_bytes()));
        if version == VERSION_1 {
            header.contents_checksum = crc32fast::hash(&bytes[header.table_begin()..]);
        } else {
            header.contents_checksum = crc32fast::hash(&sums);
            bytes.extend(sums);
        }
        (bytes, header)
    }

    #[test]
    fn many_blocks_are_compared_together() {
        for version in [VERSION_1, crate::FORMAT_VERSION] {
            let (mut bytes, header) = large(version);
            let options = Options::default();
            assert!(verify(&bytes, &header, &options).is_ok());
            for step in 0..40 {
                let place =
                    header.details_end() + step * (bytes.len() - 1 - header.details_end()) / 39;
                bytes[place] ^= 1 << (step % 8);
                let verified = verify(&bytes, &header, &options);
                assert!(matches!(verified, Err(FileError::Checksum(_))), "{place}");
                bytes[place] ^= 1 << (step % 8);
            }
            // Blocks in another order.
            let begin = header.table_begin();
            let (first, second) = bytes[begin + 2 * BLOCK..].split_at_mut(BLOCK);
            first.swap_with_slice(&mut second[..BLOCK]);
            assert!(verify(&bytes, &header, &options).is_err());
            let options = Options {
                budget: Watch::new(Limits {
                    interrupt: Some(Arc::new(AtomicBool::new(true))),
                    ..Limits::default()
                }),
                ..Options::default()
            };
            assert!(matches!(
                verify(&bytes, &header, &options),
                Err(FileError::Build(BuildError::Stopped(
                    StopReason::Interrupted
                )))
            ));
        }
    }
}
