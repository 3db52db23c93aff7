//! Writing machine files.

use crate::file::contents::{FORMAT_VERSION, MachineFile};
use crate::file::cursor::{length, put_list, put_varint};
use crate::file::header::{ALIGNMENT, Form, HEADER_LEN, Header, N_SECTIONS};
use crate::machine::any::AnyMachine;

impl MachineFile {
    /// Return the file's bytes. Dense machines are written dense, compressed ones compressed.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (form, n_base_rows) = match &self.machine {
            AnyMachine::Dense(_) | AnyMachine::StoredDense(_) => (Form::Dense, 0),
            AnyMachine::Compressed(machine) => (
                Form::Compressed(machine.layout()),
                length(machine.n_base_rows()),
            ),
        };
        let mut bytes = vec![0; HEADER_LEN];
        let mut sections = [const { 0..0 }; N_SECTIONS];
        let writers: [fn(&Self, &mut Vec<u8>); N_SECTIONS] = [
            Self::write_details,
            Self::write_machine,
            Self::write_swaps,
            Self::write_words,
        ];
        for (section, write) in sections.iter_mut().zip(writers) {
            bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
            let start = bytes.len();
            write(self, &mut bytes);
            *section = start..bytes.len();
        }
        let checksums = sections.clone().map(|range| crc32fast::hash(&bytes[range]));
        let header = Header {
            version: FORMAT_VERSION,
            game_hash: self.game_hash,
            n_letters: self.machine.n_letters(),
            max_length: self.max_length,
            n_states: length(self.machine.n_states()),
            kind: self.kind,
            form,
            n_base_rows,
            n_words: self.words.len() as u64,
            n_swaps: self.swaps.len() as u64,
            rests_on_assumptions: self.rests_on_assumptions,
            sections,
            checksums,
        };
        bytes[..HEADER_LEN].copy_from_slice(&header.to_bytes());
        bytes
    }

    fn write_details(&self, bytes: &mut Vec<u8>) {
        let put_text = |bytes: &mut Vec<u8>, text: &str| {
            bytes.extend(length(text.len()).to_le_bytes());
            bytes.extend_from_slice(text.as_bytes());
        };
        put_text(bytes, &self.order);
        bytes.extend(length(self.assumptions.len()).to_le_bytes());
        for assumption in &self.assumptions {
            put_text(bytes, assumption);
        }
        put_list(bytes, &self.rule_order);
        put_list(bytes, &self.operator_of);
        self.write_parts(bytes);
    }

    fn write_parts(&self, bytes: &mut Vec<u8>) {
        if self.parts.is_empty() {
            return;
        }
        put_varint(bytes, length(self.parts.len()));
        for parts in &self.parts {
            put_varint(bytes, length(parts.len()));
            for part in parts {
                put_varint(bytes, length(part.conditions.len()));
                for (position, value) in &part.conditions {
                    put_varint(bytes, *position);
                    put_varint(bytes, *value);
                }
            }
        }
        put_varint(bytes, length(self.split_reasons.len()));
        for reason in &self.split_reasons {
            put_varint(bytes, reason.rule);
            put_varint(bytes, reason.position);
            put_list(bytes, &reason.word);
            put_list(bytes, &reason.replacement);
        }
    }

    fn write_machine(&self, bytes: &mut Vec<u8>) {
        match &self.machine {
            AnyMachine::Dense(machine) => {
                bytes.extend(
                    machine
                        .entries()
                        .iter()
                        .flat_map(|entry| entry.to_le_bytes()),
                );
            }
            AnyMachine::StoredDense(machine) => machine.words().write_to(bytes),
            AnyMachine::Compressed(machine) => machine.words().write_to(bytes),
        }
    }

    fn write_swaps(&self, bytes: &mut Vec<u8>) {
        for (first, second) in &self.swaps {
            put_varint(bytes, *first);
            put_varint(bytes, *second);
        }
    }

    fn write_words(&self, bytes: &mut Vec<u8>) {
        for word in &self.words {
            put_list(bytes, &word.word);
            put_varint(bytes, length(word.replacements.len()));
            for replacement in &word.replacements {
                put_list(bytes, replacement);
            }
        }
    }
}
