//! Files whose machines are used in place.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::file::contents::{
    CertifiedWord, FORMAT_VERSION, FileError, MachineFile, MachineKind, RulePart, SplitReason,
};
use crate::file::cursor::{Cursor, check_letters};
use crate::file::header::{DETAILS, Form, Header, MACHINE, SWAPS, WORDS, inconsistent};
use crate::file::parts::{self, Parts};
use crate::file::version_1;
use crate::machine::any::AnyMachine;
use crate::machine::bytes::{Bytes, Words};
use crate::machine::compressed::Compressed;
use crate::machine::stored_dense::StoredDense;

/// The reasons why a file can't be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// It can't be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It can be read, but isn't a valid machine file.
    #[error(transparent)]
    File(#[from] FileError),
}

/// An open machine file. Its machine is ready for use, and certificates are read on demand.
#[derive(Clone, Debug)]
pub struct OpenFile {
    bytes: Bytes,
    header: Header,
    details: Details,
    machine: AnyMachine,
}

#[derive(Clone, Debug)]
struct Details {
    order: String,
    assumptions: Vec<String>,
    rule_order: Vec<u32>,
    operator_of: Vec<u32>,
    parts: Parts,
}

impl OpenFile {
    /// Map a file into memory, which takes the same short time for any size: parts of it are read
    /// from the disk when a search first uses them.
    ///
    /// The header and the texts are checked completely, and the size of the machine's section
    /// against the machine. [`verify_checksum`](Self::verify_checksum) detects damage further
    /// inside, and reads the whole file. Without it a damaged machine may forbid too much, but it
    /// causes no panic and no access outside the file.
    ///
    /// **No process may change the file in place while it is in use**: write a new file under
    /// another name, then rename it. A machine that changes during a search gives wrong answers,
    /// and if the file is cut off, the system ends the process. If this can't be guaranteed, use
    /// [`read`](Self::read).
    ///
    /// Files of version 1 can't be used in place; they are read and converted.
    ///
    /// # Errors
    /// When the file can't be read or isn't a machine file.
    pub fn map(path: &Path) -> Result<Self, OpenError> {
        Ok(Self::new(Bytes::map(&File::open(path)?)?)?)
    }

    /// Read a file into memory and verify its checksum. The machine runs in place in that memory.
    ///
    /// # Errors
    /// When the file can't be read or isn't a valid machine file.
    pub fn read(path: &Path) -> Result<Self, OpenError> {
        Ok(Self::from_bytes(std::fs::read(path)?)?)
    }

    /// Verify the checksum of the bytes of a file, and use them.
    ///
    /// # Errors
    /// When the bytes aren't a valid machine file.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, FileError> {
        let file = Self::new(Bytes::owned(bytes))?;
        file.verify_checksum()?;
        Ok(file)
    }

    fn new(bytes: Bytes) -> Result<Self, FileError> {
        if version_1::version(&bytes)? == version_1::VERSION {
            let file = version_1::read(&bytes)?;
            return Self::new(Bytes::owned(file.to_bytes()));
        }
        let header = Header::read(&bytes)?;
        header.check_section(&bytes, DETAILS)?;
        let details = read_details(&bytes[header.sections[DETAILS].clone()], &header)?;
        let section = header.sections[MACHINE].clone();
        if section.len() % 4 != 0 {
            return Err(inconsistent("the machine's section has an odd size"));
        }
        let words = Words::in_file(&bytes, section).ok_or(FileError::Truncated)?;
        let machine = match header.form {
            Form::Dense => {
                StoredDense::from_words(header.n_letters, header.n_states, words)?.into()
            }
            Form::Compressed(layout) => Compressed::from_words(
                layout,
                header.n_letters,
                header.n_states,
                header.n_base_rows,
                words,
            )
            .map_err(inconsistent)?
            .into(),
        };
        Ok(Self {
            bytes,
            header,
            details,
            machine,
        })
    }

    /// Check whether the whole file is as it was written. Reads all of it, at the speed of memory
    /// or disk.
    ///
    /// # Errors
    /// When it isn't.
    pub fn verify_checksum(&self) -> Result<(), FileError> {
        for section in [MACHINE, SWAPS, WORDS] {
            self.header.check_section(&self.bytes, section)?;
        }
        self.header.check_gaps(&self.bytes)
    }

    /// Return the machine. It stays usable after the file is dropped, and cloning it is cheap.
    pub fn machine(&self) -> &AnyMachine {
        &self.machine
    }

    /// Return the content hash of the game that the machine belongs to.
    pub fn game_hash(&self) -> &[u8; 32] {
        &self.header.game_hash
    }

    /// Return the length of the longest words that were compared.
    pub fn max_length(&self) -> u32 {
        self.header.max_length
    }

    /// Return the order of words in which replacements come first.
    pub fn order(&self) -> &str {
        &self.details.order
    }

    /// Return the letters in the order by which words are compared; empty for their natural order.
    pub fn rule_order(&self) -> &[u32] {
        &self.details.rule_order
    }

    /// Return the assumptions of the analysis about start states, one per remark.
    pub fn assumptions(&self) -> &[String] {
        &self.details.assumptions
    }

    /// If letters are operators, the letter of each rule; empty if letters are rules. See
    /// [`MachineFile::operator_of`].
    pub fn operator_of(&self) -> &[u32] {
        &self.details.operator_of
    }

    /// If letters are parts of rules, the parts of each rule; empty if letters are rules or
    /// operators. See [`MachineFile::parts`].
    pub fn parts(&self) -> &[Vec<RulePart>] {
        &self.details.parts.of_rules
    }

    /// Return why rules are split. See [`MachineFile::split_reasons`].
    pub fn split_reasons(&self) -> &[SplitReason] {
        &self.details.parts.reasons
    }

    /// Return how the machine was made, if recorded.
    pub fn kind(&self) -> Option<MachineKind> {
        self.header.kind
    }

    /// Return the number of forbidden words.
    pub fn n_words(&self) -> u64 {
        self.header.n_words
    }

    /// Return the forbidden words with their certificates, read on demand.
    pub fn words(&self) -> CertifiedWords<'_> {
        CertifiedWords {
            cursor: Cursor::new(self.section(WORDS)),
            n_letters: self.header.n_letters,
            n_rules: self.details.parts.n_rules(self.header.n_letters),
            are_operators: !self.details.operator_of.is_empty(),
            left: self.header.n_words,
            failed: false,
        }
    }

    /// Return the swaps (first, second) of the sleep sets that the machine was multiplied with;
    /// empty if there were none. See [`sleep_machine`](crate::sleep_machine).
    ///
    /// # Errors
    /// When the section is damaged.
    pub fn swaps(&self) -> Result<Vec<(u32, u32)>, FileError> {
        let mut cursor = Cursor::new(self.section(SWAPS));
        let mut swaps = Vec::new();
        for _ in 0..self.header.n_swaps {
            match check_letters(cursor.varints(2)?, self.header.n_letters)?.as_slice() {
                [first, second] => swaps.push((*first, *second)),
                _ => return Err(FileError::Truncated),
            }
        }
        cursor.finish("the swaps")?;
        Ok(swaps)
    }

    /// Load everything into memory, and check every state of the machine and every letter.
    ///
    /// # Errors
    /// When the contents are inconsistent. ([`verify_checksum`](Self::verify_checksum) checks
    /// whether the bytes are as written.)
    pub fn to_machine_file(&self) -> Result<MachineFile, FileError> {
        let machine = match &self.machine {
            AnyMachine::Dense(machine) => machine.clone().into(),
            AnyMachine::StoredDense(machine) => machine.to_dense()?.into(),
            AnyMachine::Compressed(machine) => {
                let machine = machine.to_owned_words();
                machine.check().map_err(inconsistent)?;
                machine.into()
            }
        };
        Ok(MachineFile {
            game_hash: self.header.game_hash,
            max_length: self.header.max_length,
            order: self.details.order.clone(),
            rule_order: self.details.rule_order.clone(),
            assumptions: self.details.assumptions.clone(),
            rests_on_assumptions: self.header.rests_on_assumptions,
            operator_of: self.details.operator_of.clone(),
            parts: self.details.parts.of_rules.clone(),
            split_reasons: self.details.parts.reasons.clone(),
            kind: self.header.kind,
            swaps: self.swaps()?,
            words: self.words().collect::<Result<_, _>>()?,
            machine,
        })
    }

    fn section(&self, section: usize) -> &[u8] {
        &self.bytes[self.header.sections[section].clone()]
    }
}

/// The forbidden words of an [`OpenFile`] with their certificates. Ends after the first error.
#[derive(Clone, Debug)]
pub struct CertifiedWords<'a> {
    cursor: Cursor<'a>,
    n_letters: u32,
    n_rules: u32,
    are_operators: bool,
    left: u64,
    failed: bool,
}

impl Iterator for CertifiedWords<'_> {
    type Item = Result<CertifiedWord, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let next = if self.left > 0 {
            self.left -= 1;
            self.cursor
                .certified_word(self.n_letters, self.n_rules, self.are_operators)
        } else {
            match self.cursor.finish("the last word") {
                Ok(()) => return None,
                Err(error) => Err(error),
            }
        };
        self.failed = next.is_err();
        Some(next)
    }
}

/// Return the details' section: texts, and the order of rules.
fn read_details(bytes: &[u8], header: &Header) -> Result<Details, FileError> {
    let n_letters = header.n_letters;
    let mut cursor = Cursor::new(bytes);
    let order = cursor.text()?;
    let n_assumptions = cursor.number()?;
    let assumptions = (0..n_assumptions)
        .map(|_| cursor.text())
        .collect::<Result<_, _>>()?;
    // Letters of that order are rules, which may outnumber the parts that occur.
    let rule_order = cursor.letters(u32::MAX)?;
    let operator_of = cursor.letters(n_letters)?;
    let parts = parts::read(&mut cursor, header)?;
    cursor.finish("the details")?;
    if !parts.of_rules.is_empty() && !operator_of.is_empty() {
        return Err(inconsistent("its letters are parts of rules and operators"));
    }
    let n_rules = parts.n_rules(n_letters);
    let rule_order = check_letters(rule_order, n_rules)?;
    let mut seen = vec![false; rule_order.len()];
    let all = rule_order.is_empty() || rule_order.len() == n_rules as usize;
    // If there are as many as rules, each must occur once.
    let twice = |letter: &u32| std::mem::replace(&mut seen[*letter as usize], true);
    if !all || rule_order.iter().any(twice) {
        return Err(inconsistent(
            "the rule order doesn't list each rule exactly once",
        ));
    }
    Ok(Details {
        order,
        assumptions,
        rule_order,
        operator_of,
        parts,
    })
}

const _: () = assert!(FORMAT_VERSION != version_1::VERSION);
