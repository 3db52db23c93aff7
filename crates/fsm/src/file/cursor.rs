//! Reads numbers and texts from arbitrary bytes.

use container::Reader;

use crate::file::contents::{CertifiedWord, FileError};

/// The bytes left to read.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a>(Reader<'a>);

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(Reader::new(bytes))
    }

    /// Return the bytes left to read.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.0.rest()
    }

    pub(super) fn take(&mut self, n: usize) -> Result<&'a [u8], FileError> {
        Ok(self.0.take(n)?)
    }

    /// 4 bytes, little-endian.
    pub(super) fn number(&mut self) -> Result<u32, FileError> {
        Ok(self.0.u32()?)
    }

    pub(super) fn numbers(&mut self, n: usize) -> Result<Vec<u32>, FileError> {
        let bytes = self.take(n.checked_mul(4).ok_or(FileError::Truncated)?)?;
        let (numbers, _) = bytes.as_chunks();
        let value = |number: &[u8; 4]| u32::from_le_bytes(*number);
        Ok(numbers.iter().map(value).collect())
    }

    /// Read a number of up to 32 bits, 7 per byte, the low ones first; the highest bit of a byte
    /// says whether more follow. Only the shortest form of a number is valid.
    pub(super) fn varint(&mut self) -> Result<u32, FileError> {
        let mut number = 0_u64;
        for shift in (0..35).step_by(7) {
            let [byte] = self.0.array()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                let padded = byte == 0 && shift > 0;
                let number = u32::try_from(number).ok().filter(|_| !padded);
                return number.ok_or_else(not_a_number);
            }
        }
        Err(not_a_number())
    }

    pub(super) fn varints(&mut self, n: usize) -> Result<Vec<u32>, FileError> {
        // Each takes at least a byte.
        if n > self.rest().len() {
            return Err(FileError::Truncated);
        }
        (0..n).map(|_| self.varint()).collect()
    }

    pub(super) fn text(&mut self) -> Result<String, FileError> {
        let length = self.number()? as usize;
        String::from_utf8(self.take(length)?.to_vec())
            .map_err(|_| FileError::Inconsistent("a text is not UTF-8".to_owned()))
    }

    /// Read a length and that number of letters.
    pub(super) fn letters(&mut self, n_letters: u32) -> Result<Vec<u32>, FileError> {
        let length = self.varint()? as usize;
        check_letters(self.varints(length)?, n_letters)
    }

    /// Return a number of things of at least one byte each.
    pub(super) fn n_things(&mut self) -> Result<usize, FileError> {
        let n = self.varint()? as usize;
        if n <= self.rest().len() {
            Ok(n)
        } else {
            Err(FileError::Truncated)
        }
    }

    /// Read a certified word in varints. The letters of replacements may differ from those of the
    /// word. If they are rules, the word has one replacement.
    pub(super) fn certified_word(
        &mut self,
        n_letters: u32,
        n_rules: u32,
        are_operators: bool,
    ) -> Result<CertifiedWord, FileError> {
        let word = self.letters(n_letters)?.into();
        let n_replacements = self.varint()? as usize;
        if n_replacements == 0 || (n_replacements > 1 && !are_operators) {
            return Err(FileError::Inconsistent(format!(
                "a word has {n_replacements} replacements"
            )));
        }
        // Each takes at least a byte.
        if n_replacements > self.rest().len() {
            return Err(FileError::Truncated);
        }
        let replacements = (0..n_replacements)
            .map(|_| Ok(self.letters(n_rules)?.into()))
            .collect::<Result<_, FileError>>()?;
        Ok(CertifiedWord { word, replacements })
    }

    pub(super) fn finish(&self, what: &str) -> Result<(), FileError> {
        if self.rest().is_empty() {
            return Ok(());
        }
        Err(FileError::Inconsistent(format!(
            "something comes after {what}"
        )))
    }
}

fn not_a_number() -> FileError {
    FileError::Inconsistent("a number is malformed".to_owned())
}

/// Reject letters outside the alphabet.
pub(super) fn check_letters(letters: Vec<u32>, n_letters: u32) -> Result<Vec<u32>, FileError> {
    match letters.iter().find(|letter| **letter >= n_letters) {
        Some(letter) => Err(FileError::Inconsistent(format!(
            "letter {letter} is used, and there are {n_letters}"
        ))),
        None => Ok(letters),
    }
}

/// Write a number in the form that [`Cursor::varint`] reads.
pub(super) fn put_varint(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Write a length and that number of numbers.
pub(super) fn put_list(bytes: &mut Vec<u8>, numbers: &[u32]) {
    put_varint(bytes, length(numbers.len()));
    for number in numbers {
        put_varint(bytes, *number);
    }
}

/// Return a length as a number of a file.
pub(super) fn length(n: usize) -> u32 {
    u32::try_from(n).expect("words, texts and their numbers are far smaller than 2^32")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_have_one_form() {
        for number in [0, 1, 127, 128, 300, 16_383, 16_384, u32::MAX - 1, u32::MAX] {
            let mut bytes = Vec::new();
            put_varint(&mut bytes, number);
            let mut cursor = Cursor::new(&bytes);
            assert_eq!(cursor.varint(), Ok(number));
            assert_eq!(cursor.finish("it"), Ok(()));
            let mut cut = Cursor::new(&bytes[..bytes.len() - 1]);
            assert_eq!(cut.varint(), Err(FileError::Truncated));
        }
        for malformed in [
            &[0x80, 0][..],
            &[0xff, 0xff, 0xff, 0xff, 0x1f],
            &[0x80, 0x80, 0x80, 0x80, 0x80, 1],
        ] {
            let mut cursor = Cursor::new(malformed);
            assert_eq!(cursor.varint(), Err(not_a_number()), "{malformed:?}");
        }
    }
}
