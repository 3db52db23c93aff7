//! From words to an automaton (Aho & Corasick 1975, as used by Taylor 1992).

use crate::error::BuildError;
use crate::machine::dense::Dense;

#[derive(Clone, Debug, Default)]
struct Node {
    /// By letter.
    children: Vec<(u32, u32)>,
    forbidden: bool,
}

/// A trie of words, from which machines are built.
#[derive(Clone, Debug)]
pub struct WordAutomaton {
    n_letters: u32,
    nodes: Vec<Node>,
}

impl WordAutomaton {
    /// Make a trie without words over an alphabet of `n_letters` letters.
    pub fn new(n_letters: u32) -> Self {
        Self {
            n_letters,
            nodes: vec![Node::default()],
        }
    }

    /// Make the trie of some forbidden words.
    ///
    /// # Errors
    /// As [`forbid`](Self::forbid).
    pub fn forbidding(
        n_letters: u32,
        words: impl IntoIterator<Item = impl AsRef<[u32]>>,
    ) -> Result<Self, BuildError> {
        let mut automaton = Self::new(n_letters);
        for word in words {
            automaton.forbid(word.as_ref())?;
        }
        Ok(automaton)
    }

    /// Forbid a word and everything that contains it.
    ///
    /// # Errors
    /// When the word is empty or has a letter outside the alphabet.
    pub fn forbid(&mut self, word: &[u32]) -> Result<(), BuildError> {
        if word.is_empty() {
            return Err(BuildError::EmptyWord);
        }
        let node = self.insert(word)?;
        self.nodes[node].forbidden = true;
        Ok(())
    }

    /// Make a state for a word, whether or not the machine needs it.
    ///
    /// The machine for the forbidden words alone is Taylor's. If all kept words shorter than the
    /// length of the analysis are also remembered, it is the table of Burch & Holte 2011.
    ///
    /// # Errors
    /// When the word has a letter outside the alphabet.
    pub fn remember(&mut self, word: &[u32]) -> Result<(), BuildError> {
        self.insert(word).map(|_| ())
    }

    fn insert(&mut self, word: &[u32]) -> Result<usize, BuildError> {
        let n_letters = self.n_letters;
        if let Some(&letter) = word.iter().find(|letter| **letter >= n_letters) {
            return Err(BuildError::Letter { letter, n_letters });
        }
        let mut node = 0;
        for letter in word {
            let next_id = self.nodes.len() as u32;
            let children = &mut self.nodes[node].children;
            node = match children.binary_search_by_key(letter, |(letter, _)| *letter) {
                Ok(found) => children[found].1 as usize,
                Err(place) => {
                    children.insert(place, (*letter, next_id));
                    self.nodes.push(Node::default());
                    next_id as usize
                }
            };
        }
        Ok(node)
    }

    /// Return the number of interior nodes of the trie, root included: those at which no forbidden
    /// word ends. Taylor counts the states of his machines like this.
    pub fn n_interior_nodes(&self) -> usize {
        self.nodes.iter().filter(|node| !node.forbidden).count()
    }

    /// Build the machine that accepts the words without a forbidden part. It has one state for each
    /// trie node that can be reached without one, and states are numbered breadth first.
    ///
    /// Takes time and memory proportional to the number of states times that of letters.
    ///
    /// # Errors
    /// When the table would have more than 2^32 entries.
    pub fn build(&self) -> Result<Dense, BuildError> {
        let n_letters = self.n_letters as usize;
        let n_interior = self.n_interior_nodes();
        let mut dense = Dense::with_capacity(self.n_letters, n_interior)?;
        // `state_of[node]` is the dense state of a trie node, 0 where a forbidden word ends.
        let mut state_of = vec![0_u32; self.nodes.len()];
        let mut queue: Vec<u32> = Vec::with_capacity(n_interior);
        // For each state, in queue order, the state of its longest proper suffix.
        let mut failure: Vec<u32> = Vec::with_capacity(n_interior);
        state_of[0] = dense.push_state();
        queue.push(0);
        failure.push(0);
        let mut row = vec![0_u32; n_letters];
        let mut head = 0;
        while head < queue.len() {
            let node = &self.nodes[queue[head] as usize];
            let state = state_of[queue[head] as usize];
            let fallback = failure[head];
            // If the trie has no such child, the machine continues from the longest suffix.
            match fallback {
                0 => row.fill(state),
                _ => row.copy_from_slice(dense.row(fallback)),
            }
            for (letter, child) in &node.children {
                let suffix = if fallback == 0 {
                    state
                } else {
                    row[*letter as usize]
                };
                if self.nodes[*child as usize].forbidden || suffix == 0 {
                    row[*letter as usize] = 0;
                    continue;
                }
                let child_state = dense.push_state();
                state_of[*child as usize] = child_state;
                queue.push(*child);
                failure.push(suffix);
                row[*letter as usize] = child_state;
            }
            dense.set_row(state, &row);
            head += 1;
        }
        dense.finish();
        Ok(dense)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Machine;

    fn accepts(machine: &Dense, word: &[u32]) -> bool {
        let mut state = Some(machine.start());
        for letter in word {
            state = state.and_then(|state| machine.next(state, *letter));
        }
        state.is_some()
    }

    #[test]
    fn accepts_exactly_the_words_without_a_forbidden_part() {
        // Words that overlap, nest and share suffixes.
        let forbidden: [&[u32]; 5] = [
            &[0, 1, 2],
            &[1, 2, 0, 1],
            &[2, 2],
            &[1, 1, 0],
            &[0, 1, 1, 2],
        ];
        let mut words = WordAutomaton::new(3);
        for word in forbidden {
            words.forbid(word).unwrap();
        }
        let machine = words.build().unwrap();
        for code in 0..3_u32.pow(8) {
            let word: Vec<u32> = (0..8).map(|digit| code / 3_u32.pow(digit) % 3).collect();
            let free = forbidden
                .iter()
                .all(|part| !word.windows(part.len()).any(|w| w == *part));
            assert_eq!(accepts(&machine, &word), free, "{word:?}");
        }
    }

    #[test]
    fn bad_words_are_refused() {
        let mut words = WordAutomaton::new(2);
        assert_eq!(words.forbid(&[]), Err(BuildError::EmptyWord));
        assert_eq!(
            words.forbid(&[0, 2]),
            Err(BuildError::Letter {
                letter: 2,
                n_letters: 2
            })
        );
        assert_eq!(words.build().unwrap().n_states(), 1);
    }

    #[test]
    fn a_single_letter_can_be_forbidden() {
        let mut words = WordAutomaton::new(2);
        words.forbid(&[1]).unwrap();
        let machine = words.build().unwrap();
        assert_eq!(machine.n_states(), 1);
        assert!(accepts(&machine, &[0, 0]) && !accepts(&machine, &[0, 1]));
    }
}
