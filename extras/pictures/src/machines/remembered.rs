//! The words that a machine remembers in its states.

use std::collections::{BTreeMap, VecDeque};

use fsm::{CertifiedWord, Dense, FileError, Machine};

use super::possible::Possible;

/// In larger machines, only a shortest word that leads to each state is found.
const MOST_STATES: usize = 1000;

/// For each state the words that the machine remembers there: the beginnings of forbidden words
/// that lead to it. Where there are none, a shortest word that leads to it.
#[derive(Debug)]
pub struct Remembered {
    /// By the number of the state, the shortest words first.
    words: Vec<Vec<Vec<u32>>>,
}

impl Remembered {
    /// Find the words that a machine remembers. `forbidden` are all words that it forbids.
    ///
    /// # Errors
    /// When these can't be read.
    pub fn of(
        machine: &Dense,
        forbidden: impl Iterator<Item = Result<CertifiedWord, FileError>>,
        possible: &Possible,
    ) -> Result<Self, FileError> {
        let mut words = vec![Vec::new(); machine.n_states() + 1];
        let start = machine.number(machine.start());
        if machine.n_states() <= MOST_STATES {
            // The place of each beginning, and the state to which it leads.
            let mut next: BTreeMap<(usize, u32), usize> = BTreeMap::new();
            let mut state_of = vec![Some(machine.start())];
            for word in forbidden {
                let word = word?.word;
                let mut at = 0;
                for (length, letter) in (1..word.len()).zip(&word) {
                    let fresh = state_of.len();
                    let place = *next.entry((at, *letter)).or_insert(fresh);
                    if place == fresh {
                        let state = state_of[at].and_then(|state| machine.next(state, *letter));
                        state_of.push(state);
                        if let Some(state) = state {
                            words[machine.number(state)].push(word[..length].to_vec());
                        }
                    }
                    at = place;
                }
            }
        }
        words[start] = vec![Vec::new()];
        let mut queue = VecDeque::from([(start, Vec::new())]);
        let mut is_found = vec![false; machine.n_states() + 1];
        is_found[start] = true;
        while let Some((state, word)) = queue.pop_front() {
            for (letter, next) in (0..).zip(machine.successors(state)) {
                if next != 0 && !is_found[next] && possible.can_follow(state, letter) {
                    is_found[next] = true;
                    let mut word: Vec<u32> = word.clone();
                    word.push(letter);
                    if words[next].is_empty() {
                        words[next].push(word.clone());
                    }
                    queue.push_back((next, word));
                }
            }
        }
        for words in &mut words {
            words.sort_by_key(|word| (word.len(), word.clone()));
        }
        Ok(Self { words })
    }

    /// Return the words of a state, by its number, the shortest ones first.
    pub fn words(&self, state: usize) -> &[Vec<u32>] {
        &self.words[state]
    }

    /// Return the length of the shortest word of a state.
    pub fn length(&self, state: usize) -> usize {
        self.words[state].first().map_or(0, Vec::len)
    }
}
