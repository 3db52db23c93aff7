//! Compares the header of a machine file with its words and its machine.

use std::collections::{HashSet, VecDeque};

use crate::build::automaton::WordAutomaton;
use crate::build::minimize::minimize_unless;
use crate::error::BuildError;
use crate::file::contents::{MachineFile, MachineKind};
use crate::machine::dense::{Dense, TableError};

/// A false statement in the header of a machine file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderFlaw {
    /// A longer word than any that was compared.
    #[error(
        "it says that words up to length {claimed} were compared, and a word of length {longest} is listed"
    )]
    Length {
        /// The length up to which words were compared, according to the header.
        claimed: u32,
        /// The length of the longest word.
        longest: usize,
    },
    /// A machine that isn't [`MachineKind::Minimized`].
    #[error(
        "it says that the machine was minimized, but it has {states} states where {fewest} are enough"
    )]
    NotMinimized {
        /// The states of the machine.
        states: usize,
        /// Those of the minimal machine.
        fewest: usize,
    },
    /// A machine that isn't [`MachineKind::AhoCorasick`].
    #[error(
        "it says that the machine is that of Aho and Corasick, but it has {states} states for {beginnings} beginnings of words"
    )]
    NotAhoCorasick {
        /// The states of the machine.
        states: usize,
        /// The different proper beginnings of words.
        beginnings: usize,
    },
    /// A machine that isn't [`MachineKind::Table`].
    #[error(
        "it says that the machine is a table of all words that are shorter than that length, but its states aren't those of such words"
    )]
    NotTable,
    /// A machine that can't be compared, since it can't be read as a table.
    #[error("the machine can't be read: {0}")]
    Unreadable(#[from] TableError),
    /// A machine or words that can't be compared, since they make no machine.
    #[error("the machine can't be built again: {0}")]
    Unbuildable(#[from] BuildError),
}

impl MachineFile {
    /// Return the length of the longest word that is forbidden; 0 if none is.
    pub fn longest_word(&self) -> usize {
        let lengths = self.words.iter().map(|word| word.word.len());
        lengths.max().unwrap_or(0)
    }

    /// Compare the length of compared words and the way in which the machine was made, as the
    /// header states them, with the words and the machine. That words longer than the listed ones
    /// were compared can't be known, and nothing depends on it.
    ///
    /// The machine itself isn't checked: for one that forbids other words, the answer says little.
    /// Takes as long as minimizing the machine.
    ///
    /// # Errors
    /// The false statement.
    pub fn check_header(&self) -> Result<(), HeaderFlaw> {
        self.check_header_unless(&|| false)
    }

    /// Like [`check_header`](Self::check_header), unless `stop` returns `true`, which is asked now
    /// and then: then an error means nothing.
    ///
    /// # Errors
    /// The false statement, or that it was stopped.
    pub fn check_header_unless(&self, stop: &dyn Fn() -> bool) -> Result<(), HeaderFlaw> {
        let longest = self.longest_word();
        if longest > self.max_length as usize {
            return Err(HeaderFlaw::Length {
                claimed: self.max_length,
                longest,
            });
        }
        // For a product with a sleep-set machine, only minimization can be recognized.
        let is_product = !self.swaps.is_empty();
        let states = self.machine.n_states();
        match self.kind {
            Some(MachineKind::Minimized) => {
                let fewest = minimize_unless(&*self.machine.to_dense()?, stop)?.n_states();
                if states != fewest {
                    return Err(HeaderFlaw::NotMinimized { states, fewest });
                }
            }
            Some(MachineKind::AhoCorasick) if !is_product => {
                let beginnings = self.n_beginnings()?;
                if states != beginnings {
                    return Err(HeaderFlaw::NotAhoCorasick { states, beginnings });
                }
            }
            Some(MachineKind::Table) if !is_product => {
                // The words that a table remembers include the beginnings of listed words.
                let is_large = states >= self.n_beginnings()?;
                if !is_large || !remembers_all(&*self.machine.to_dense()?, self.max_length) {
                    return Err(HeaderFlaw::NotTable);
                }
            }
            // A machine with don't-cares need not make use of them.
            Some(MachineKind::MinimizedWithDontCares) | None => {}
            Some(MachineKind::Table | MachineKind::AhoCorasick) => {}
        }
        Ok(())
    }

    /// The number of different proper beginnings of listed words.
    fn n_beginnings(&self) -> Result<usize, BuildError> {
        let words = self.words.iter().map(|word| &word.word);
        let trie = WordAutomaton::forbidding(self.machine.n_letters(), words)?;
        Ok(trie.n_interior_nodes())
    }
}

/// Whether the states can be those of all words that are shorter than `length`: none is further
/// from the start, and each letter that begins a remembered word leads from the start to a
/// different state.
fn remembers_all(machine: &Dense, length: u32) -> bool {
    if length < 2 {
        return machine.n_states() == 1;
    }
    let first: Vec<usize> = machine.successors(1).filter(|state| *state > 1).collect();
    let distinct: HashSet<usize> = first.iter().copied().collect();
    if distinct.len() < first.len() {
        return false;
    }
    let mut depth = vec![None; machine.n_states() + 1];
    depth[1] = Some(0);
    let mut queue = VecDeque::from([1]);
    let mut n_reached = 1;
    while let Some(state) = queue.pop_front() {
        let next_depth = depth[state].map_or(0, |depth: u32| depth + 1);
        for next in machine.successors(state) {
            if next != 0 && depth[next].is_none() {
                if next_depth >= length {
                    return false;
                }
                depth[next] = Some(next_depth);
                n_reached += 1;
                queue.push_back(next);
            }
        }
    }
    n_reached == machine.n_states()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::contents::CertifiedWord;

    /// A file whose machine has more states than it needs: after 0 or after 1, a 2 is forbidden.
    fn file(kind: MachineKind, max_length: u32) -> MachineFile {
        let words = [[0, 2], [1, 2]];
        let automaton = WordAutomaton::forbidding(3, words).unwrap();
        let words = words.map(|word| CertifiedWord::new(word, [2]));
        MachineFile {
            max_length,
            kind: Some(kind),
            words: words.into(),
            ..MachineFile::new([0; 32], automaton.build().unwrap())
        }
    }

    #[test]
    fn false_statements_are_found() {
        let of = |kind, max_length| file(kind, max_length).check_header();
        assert_eq!(of(MachineKind::AhoCorasick, 2), Ok(()));
        assert_eq!(of(MachineKind::MinimizedWithDontCares, 2), Ok(()));
        let (claimed, longest) = (1, 2);
        let too_long = Err(HeaderFlaw::Length { claimed, longest });
        assert_eq!(of(MachineKind::AhoCorasick, claimed), too_long);
        let (states, fewest) = (3, 2);
        let not_minimized = Err(HeaderFlaw::NotMinimized { states, fewest });
        assert_eq!(of(MachineKind::Minimized, 2), not_minimized);
        // The letter 2 leads back to the start, so it isn't remembered.
        assert_eq!(of(MachineKind::Table, 2), Ok(()));

        let automaton = WordAutomaton::forbidding(3, [[0, 2], [1, 2]]).unwrap();
        let minimal = crate::minimize(&automaton.build().unwrap()).unwrap();
        let of_minimal = |kind| {
            let file = MachineFile {
                machine: minimal.clone().into(),
                ..file(kind, 2)
            };
            file.check_header()
        };
        assert_eq!(of_minimal(MachineKind::Minimized), Ok(()));
        let (states, beginnings) = (2, 3);
        let not_built = Err(HeaderFlaw::NotAhoCorasick { states, beginnings });
        assert_eq!(of_minimal(MachineKind::AhoCorasick), not_built);
        assert_eq!(of_minimal(MachineKind::Table), Err(HeaderFlaw::NotTable));
    }
}
