//! The header of a file of version 2, 3 or 4: where everything is, and the checksums.

use std::ops::Range;

use crate::file::contents::{FileError, MAGIC, MachineKind, VERSION_2};
use crate::file::cursor::Cursor;
use crate::machine::compressed::Layout;

/// The header's bytes.
pub(super) const HEADER_LEN: usize = 192;

/// Sections begin at multiples of this: a cache line, and what mapped numbers of any width need.
pub(super) const ALIGNMENT: usize = 64;

/// Texts, and the order of rules.
pub(super) const DETAILS: usize = 0;
/// The machine's words.
pub(super) const MACHINE: usize = 1;
/// The swaps of a product with sleep sets.
pub(super) const SWAPS: usize = 2;
/// Forbidden words and their replacements.
pub(super) const WORDS: usize = 3;

/// The only flag.
const RESTS_ON_ASSUMPTIONS: u32 = 1;

/// The number of sections.
pub(super) const N_SECTIONS: usize = 4;

/// How the machine's section holds the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Dense,
    Compressed(Layout),
}

/// The numbers of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) version: u32,
    pub(super) game_hash: [u8; 32],
    pub(super) n_letters: u32,
    pub(super) max_length: u32,
    pub(super) n_states: u32,
    pub(super) kind: Option<MachineKind>,
    pub(super) form: Form,
    pub(super) n_base_rows: u32,
    pub(super) n_words: u64,
    pub(super) n_swaps: u64,
    pub(super) rests_on_assumptions: bool,
    pub(super) sections: [Range<usize>; N_SECTIONS],
    pub(super) checksums: [u32; N_SECTIONS],
}

impl Header {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER_LEN);
        bytes.extend_from_slice(MAGIC);
        let put = |bytes: &mut Vec<u8>, number: u32| bytes.extend(number.to_le_bytes());
        let put_long = |bytes: &mut Vec<u8>, number: u64| bytes.extend(number.to_le_bytes());
        put(&mut bytes, self.version);
        put(&mut bytes, self.n_letters);
        bytes.extend_from_slice(&self.game_hash);
        put(&mut bytes, self.max_length);
        put(&mut bytes, self.n_states);
        put(&mut bytes, kind_to_number(self.kind));
        put(&mut bytes, form_to_number(self.form));
        put(&mut bytes, self.n_base_rows);
        put(&mut bytes, u32::from(self.rests_on_assumptions));
        put_long(&mut bytes, self.n_words);
        put_long(&mut bytes, self.n_swaps);
        for section in &self.sections {
            put_long(&mut bytes, section.start as u64);
            put_long(&mut bytes, section.len() as u64);
        }
        for checksum in self.checksums {
            put(&mut bytes, checksum);
        }
        bytes.resize(HEADER_LEN - 4, 0);
        let checksum = crc32fast::hash(&bytes);
        put(&mut bytes, checksum);
        bytes
    }

    /// Read the header of a file and check everything about it that follows from the file's length.
    pub(super) fn read(file: &[u8]) -> Result<Self, FileError> {
        let header = file.get(..HEADER_LEN).ok_or(FileError::Truncated)?;
        let (body, checksum) = header.split_last_chunk::<4>().ok_or(FileError::Truncated)?;
        if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
            return Err(FileError::Checksum);
        }
        let mut cursor = Cursor { bytes: body };
        cursor.take(MAGIC.len())?;
        let version = cursor.number()?;
        let n_letters = cursor.number()?;
        let mut game_hash = [0; 32];
        game_hash.copy_from_slice(cursor.take(32)?);
        let max_length = cursor.number()?;
        let n_states = cursor.number()?;
        let kind = kind_from_number(cursor.number()?)?;
        let form = form_from_number(cursor.number()?)?;
        let n_base_rows = cursor.number()?;
        let flags = cursor.number()?;
        let known_flags = if version == VERSION_2 {
            0
        } else {
            RESTS_ON_ASSUMPTIONS
        };
        let mut reserved = flags & !known_flags;
        let long = |cursor: &mut Cursor<'_>| -> Result<u64, FileError> {
            let (low, high) = (cursor.number()?, cursor.number()?);
            Ok(u64::from(high) << 32 | u64::from(low))
        };
        let n_words = long(&mut cursor)?;
        let n_swaps = long(&mut cursor)?;
        let mut sections = [const { 0..0 }; N_SECTIONS];
        let mut end = HEADER_LEN;
        for section in &mut sections {
            let (start, len) = (long(&mut cursor)?, long(&mut cursor)?);
            // There is just one place where each section can stand.
            let expected = end.next_multiple_of(ALIGNMENT);
            if start != expected as u64 {
                return Err(inconsistent("a section is out of place"));
            }
            let len = usize::try_from(len).map_err(|_| FileError::Truncated)?;
            end = expected.checked_add(len).ok_or(FileError::Truncated)?;
            if end > file.len() {
                return Err(FileError::Truncated);
            }
            *section = expected..end;
        }
        if end != file.len() {
            return Err(inconsistent("something stands behind the last section"));
        }
        let mut checksums = [0; N_SECTIONS];
        for checksum in &mut checksums {
            *checksum = cursor.number()?;
        }
        while !cursor.bytes.is_empty() {
            reserved |= cursor.number()?;
        }
        let is_compressed = matches!(form, Form::Compressed(_));
        if reserved != 0 || (n_base_rows != 0 && !is_compressed) {
            return Err(inconsistent("reserved numbers are used"));
        }
        Ok(Self {
            version,
            game_hash,
            n_letters,
            max_length,
            n_states,
            kind,
            form,
            n_base_rows,
            n_words,
            n_swaps,
            rests_on_assumptions: flags & RESTS_ON_ASSUMPTIONS != 0,
            sections,
            checksums,
        })
    }

    /// Whether the bytes of a section are as they were written.
    pub(super) fn check_section(&self, file: &[u8], section: usize) -> Result<(), FileError> {
        let bytes = file.get(self.sections[section].clone());
        match bytes.map(crc32fast::hash) {
            Some(checksum) if checksum == self.checksums[section] => Ok(()),
            Some(_) => Err(FileError::Checksum),
            None => Err(FileError::Truncated),
        }
    }

    /// Whether there are only zeros between the sections.
    pub(super) fn check_gaps(&self, file: &[u8]) -> Result<(), FileError> {
        let mut end = HEADER_LEN;
        for section in &self.sections {
            let gap = file.get(end..section.start).ok_or(FileError::Truncated)?;
            if gap.iter().any(|byte| *byte != 0) {
                return Err(inconsistent("something stands between two sections"));
            }
            end = section.end;
        }
        Ok(())
    }
}

pub(super) fn inconsistent(what: &str) -> FileError {
    FileError::Inconsistent(what.to_owned())
}

const KINDS: [Option<MachineKind>; 5] = [
    None,
    Some(MachineKind::Table),
    Some(MachineKind::AhoCorasick),
    Some(MachineKind::Minimized),
    Some(MachineKind::MinimizedWithDontCares),
];

fn kind_to_number(kind: Option<MachineKind>) -> u32 {
    match kind {
        None => 0,
        Some(MachineKind::Table) => 1,
        Some(MachineKind::AhoCorasick) => 2,
        Some(MachineKind::Minimized) => 3,
        Some(MachineKind::MinimizedWithDontCares) => 4,
    }
}

fn kind_from_number(number: u32) -> Result<Option<MachineKind>, FileError> {
    let kind = KINDS.get(number as usize).copied();
    kind.ok_or_else(|| inconsistent("its kind of machine is unknown"))
}

fn form_to_number(form: Form) -> u32 {
    match form {
        Form::Dense => 0,
        Form::Compressed(Layout::Bitmap) => 1,
        Form::Compressed(Layout::List) => 2,
    }
}

fn form_from_number(number: u32) -> Result<Form, FileError> {
    match number {
        0 => Ok(Form::Dense),
        1 => Ok(Form::Compressed(Layout::Bitmap)),
        2 => Ok(Form::Compressed(Layout::List)),
        _ => Err(inconsistent("its form of machine is unknown")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_forms_are_told_apart() {
        for kind in KINDS {
            assert_eq!(kind_from_number(kind_to_number(kind)), Ok(kind));
        }
        for number in 0..3 {
            assert_eq!(form_from_number(number).map(form_to_number), Ok(number));
        }
        assert!(kind_from_number(5).is_err() && form_from_number(3).is_err());
    }
}
