//! A header that is written, read, and damaged.

use container::{Damage, HeaderWriter, Reader, checked};

const MAGIC: &[u8; 8] = b"EXAMPLE\0";

/// The number in a header of 32 bytes.
fn number(file: &[u8]) -> Result<u64, Damage> {
    let mut reader = Reader::new(checked(file, 32)?);
    reader.take(MAGIC.len())?;
    reader.u64()
}

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() {
    let mut header = HeaderWriter::new(MAGIC);
    header.u64(42);
    let mut file = header.seal(32);
    println!("the number is {:?}", number(&file));
    assert_eq!(number(&file), Ok(42));
    file[9] ^= 1;
    assert_eq!(number(&file), Err(Damage::Checksum));
}
