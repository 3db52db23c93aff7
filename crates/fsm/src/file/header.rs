//! The header of a file of version 2, 3 or 4: the places of all sections, and the checksums.

use std::ops::Range;

use container::{HeaderWriter, Reader};

use crate::file::contents::{FileError, MAGIC, MachineKind, VERSION_2};
use crate::machine::compressed::Layout;

/// The header's bytes.
pub(super) const HEADER_LEN: usize = 192;

/// Sections begin at multiples of this: a cache line, and enough for mapped numbers of any width.
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

/// The form in which the machine's section holds the machine.
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
        let mut header = HeaderWriter::new(MAGIC);
        header
            .u32(self.version)
            .u32(self.n_letters)
            .bytes(&self.game_hash)
            .u32(self.max_length)
            .u32(self.n_states)
            .u32(kind_to_number(self.kind))
            .u32(form_to_number(self.form))
            .u32(self.n_base_rows)
            .u32(u32::from(self.rests_on_assumptions))
            .u64(self.n_words)
            .u64(self.n_swaps);
        for section in &self.sections {
            header.u64(section.start as u64).u64(section.len() as u64);
        }
        for checksum in self.checksums {
            header.u32(checksum);
        }
        header.seal(HEADER_LEN)
    }

    /// Read the header of a file and check everything about it that follows from the file's length.
    pub(super) fn read(file: &[u8]) -> Result<Self, FileError> {
        let mut header = Reader::new(container::checked(file, HEADER_LEN)?);
        header.take(MAGIC.len())?;
        let version = header.u32()?;
        let n_letters = header.u32()?;
        let game_hash = header.array()?;
        let max_length = header.u32()?;
        let n_states = header.u32()?;
        let kind = kind_from_number(header.u32()?)?;
        let form = form_from_number(header.u32()?)?;
        let n_base_rows = header.u32()?;
        let flags = header.u32()?;
        let known_flags = if version == VERSION_2 {
            0
        } else {
            RESTS_ON_ASSUMPTIONS
        };
        let n_words = header.u64()?;
        let n_swaps = header.u64()?;
        let mut sections = [const { 0..0 }; N_SECTIONS];
        let mut end = HEADER_LEN;
        for section in &mut sections {
            let (start, len) = (header.u64()?, header.u64()?);
            // Each section has exactly one possible place.
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
            return Err(inconsistent("something comes after the last section"));
        }
        let mut checksums = [0; N_SECTIONS];
        for checksum in &mut checksums {
            *checksum = header.u32()?;
        }
        let is_reserved_used = flags & !known_flags != 0 || !header.is_zero_to_the_end();
        let is_compressed = matches!(form, Form::Compressed(_));
        if is_reserved_used || (n_base_rows != 0 && !is_compressed) {
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

    /// Return whether the bytes of a section are as they were written.
    pub(super) fn check_section(&self, file: &[u8], section: usize) -> Result<(), FileError> {
        let bytes = file.get(self.sections[section].clone());
        match bytes.map(crc32fast::hash) {
            Some(checksum) if checksum == self.checksums[section] => Ok(()),
            Some(_) => Err(FileError::Checksum),
            None => Err(FileError::Truncated),
        }
    }

    /// Return whether there are only zeros between the sections.
    pub(super) fn check_gaps(&self, file: &[u8]) -> Result<(), FileError> {
        let mut end = HEADER_LEN;
        for section in &self.sections {
            let gap = file.get(end..section.start).ok_or(FileError::Truncated)?;
            if gap.iter().any(|byte| *byte != 0) {
                return Err(inconsistent("there is data between two sections"));
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
    fn each_kind_and_form_has_a_number() {
        for kind in KINDS {
            assert_eq!(kind_from_number(kind_to_number(kind)), Ok(kind));
        }
        for number in 0..3 {
            assert_eq!(form_from_number(number).map(form_to_number), Ok(number));
        }
        assert!(kind_from_number(5).is_err() && form_from_number(3).is_err());
    }
}
