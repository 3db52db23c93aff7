//! Checks that a machine forbids exactly what was proved redundant.

use std::collections::HashSet;
use std::fmt;
use std::hash::Hash;

use ahash::RandomState;

use crate::limits::{Limits, StopReason};
use crate::machine::asleep::Asleep;
use crate::machine::recognizer::{NOTHING_READ, Recognizer};
use crate::order::WordOrder;
use crate::pairs::successions::Successions;
use crate::pairs::swaps::ProvedSwaps;

/// The number of pairs of states explored between two checks of the limits.
const PAIRS_BETWEEN_CHECKS: usize = 1024;

/// Why a machine doesn't forbid what it is claimed to forbid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AutomatonFlaw {
    /// A word of the list has a letter that is not in the alphabet.
    #[error("word {} has the letter {letter}, which is not in the alphabet", index + 1)]
    UnknownLetter {
        /// The place of the word in the list, from 0.
        index: usize,
        /// The letter.
        letter: u32,
    },
    /// The machine forbids a word that contains none of the list, and in which no letter is asleep
    /// at its place.
    #[error("the machine forbids {word:?}, which contains no redundant word")]
    ForbidsTooMuch {
        /// A word about which they disagree, as short as possible.
        word: Vec<u32>,
    },
    /// The machine allows a word that contains one of the list, or a letter that is asleep at its
    /// place.
    #[error("the machine allows {word:?}, which contains a redundant word")]
    ForbidsTooLittle {
        /// A word about which they disagree, as short as possible.
        word: Vec<u32>,
    },
    /// A limit was reached.
    #[error("the machine was not checked to the end: {0}")]
    Stopped(#[from] StopReason),
}

/// A claim about what a machine forbids: words that contain one of a list, and perhaps letters that
/// are asleep. The claim may leave impossible words open.
pub struct MachineClaim<'a, W> {
    n_letters: u32,
    words: &'a [W],
    sleep_sets: Option<(&'a ProvedSwaps, WordOrder<'a>)>,
    successions: Option<&'a Successions>,
}

impl<W> Clone for MachineClaim<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for MachineClaim<'_, W> {}

impl<W> fmt::Debug for MachineClaim<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MachineClaim")
            .field("n_letters", &self.n_letters)
            .field("n_words", &self.words.len())
            .field("sleep_sets", &self.sleep_sets.is_some())
            .field("dont_cares", &self.successions.is_some())
            .finish()
    }
}

impl<'a, W: AsRef<[u32]>> MachineClaim<'a, W> {
    /// Claim that the machine forbids exactly the words that contain one of `words`. Letters are
    /// counted from 0.
    pub fn forbids(n_letters: u32, words: &'a [W]) -> Self {
        Self {
            n_letters,
            words,
            sleep_sets: None,
            successions: None,
        }
    }

    /// Claim that the machine also forbids letters that are asleep, as its product with a sleep-set
    /// machine does. `order` must be that in which the words' replacements come first; only its
    /// order of rules is used here.
    ///
    /// # Panics
    /// When the letters aren't the rules of the game that the swaps belong to.
    #[must_use]
    pub fn with_sleep_sets(self, swaps: &'a ProvedSwaps, order: impl Into<WordOrder<'a>>) -> Self {
        assert_eq!(
            swaps.n_rules(),
            self.n_letters as usize,
            "letters are rules"
        );
        Self {
            sleep_sets: Some((swaps, order.into())),
            ..self
        }
    }

    /// Allow the machine to do anything with words that have an impossible succession of letters.
    ///
    /// # Panics
    /// If the successions have another number of letters.
    #[must_use]
    pub fn with_dont_cares(self, successions: &'a Successions) -> Self {
        assert_eq!(
            successions.n_letters(),
            self.n_letters as usize,
            "the letters"
        );
        Self {
            successions: Some(successions),
            ..self
        }
    }

    /// Check that a machine forbids exactly what is claimed. Return the number of explored pairs of
    /// a machine state and a reference state.
    ///
    /// The machine is given by its start state and its step function, which returns `None` if the
    /// word read so far is forbidden. All extensions of a forbidden word are forbidden.
    ///
    /// Takes O(s r l log r) expected time for s explored pairs, r letters and words of at most l
    /// letters. It ends if the machine has finitely many reachable states.
    ///
    /// # Errors
    /// A word has a letter that is not in the alphabet; the two disagree (with a shortest word
    /// about which they do); or a limit was reached.
    pub fn check<S: Copy + Eq + Hash>(
        &self,
        start: S,
        next: impl Fn(S, u32) -> Option<S>,
        limits: &Limits,
    ) -> Result<usize, AutomatonFlaw> {
        for (index, word) in self.words.iter().enumerate() {
            let letters = word.as_ref().iter();
            if let Some(&letter) = letters.clone().find(|letter| **letter >= self.n_letters) {
                return Err(AutomatonFlaw::UnknownLetter { index, letter });
            }
        }
        let mut reference = Reference {
            recognizer: Recognizer::new(self.words),
            asleep: self
                .sleep_sets
                .map(|(swaps, order)| Asleep::new(swaps, order)),
            successions: self.successions,
        };
        if reference.recognizer.has_empty_word() {
            // The empty word is in every word, but a machine with a start state allows it.
            return Err(AutomatonFlaw::ForbidsTooLittle { word: Vec::new() });
        }
        // Breadth first, so that the first disagreement is a shortest one. Each pair stores its
        // predecessor and the letter that led to it.
        let first = (start, Read::NOTHING);
        let mut pairs = vec![first];
        let mut reached: Vec<(usize, u32)> = vec![(0, 0)];
        let mut known: HashSet<(S, Read), RandomState> = HashSet::from_iter([first]);
        let mut pair = 0;
        while pair < pairs.len() {
            if pair.is_multiple_of(PAIRS_BETWEEN_CHECKS) {
                limits.check()?;
            }
            let (state, read) = pairs[pair];
            for letter in 0..self.n_letters {
                match (next(state, letter), reference.step(read, letter)) {
                    (_, Expected::Anything) | (None, Expected::Forbidden) => {}
                    (None, Expected::Allowed(_)) => {
                        let word = word_to(&reached, pair, letter);
                        return Err(AutomatonFlaw::ForbidsTooMuch { word });
                    }
                    (Some(_), Expected::Forbidden) => {
                        let word = word_to(&reached, pair, letter);
                        return Err(AutomatonFlaw::ForbidsTooLittle { word });
                    }
                    (Some(state), Expected::Allowed(read)) => {
                        if known.insert((state, read)) {
                            pairs.push((state, read));
                            reached.push((pair, letter));
                        }
                    }
                }
            }
            pair += 1;
        }
        Ok(pairs.len())
    }
}

/// Check that a machine forbids exactly the words that contain one of `words`: a
/// [`MachineClaim`] without sleep sets, don't-cares and limits.
///
/// # Errors
/// As for [`MachineClaim::check`].
pub fn check_automaton<S: Copy + Eq + Hash>(
    n_letters: u32,
    words: &[impl AsRef<[u32]>],
    start: S,
    next: impl Fn(S, u32) -> Option<S>,
) -> Result<usize, AutomatonFlaw> {
    MachineClaim::forbids(n_letters, words).check(start, next, &Limits::default())
}

/// The word that led to a pair, and one more letter.
pub(crate) fn word_to(reached: &[(usize, u32)], mut pair: usize, letter: u32) -> Vec<u32> {
    let mut word = vec![letter];
    while pair != 0 {
        let (before, letter) = reached[pair];
        word.push(letter);
        pair = before;
    }
    word.reverse();
    word
}

/// The reference that the machine is compared with.
struct Reference<'a> {
    recognizer: Recognizer,
    asleep: Option<Asleep<'a>>,
    successions: Option<&'a Successions>,
}

/// The state of the reference after the word that was read.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Read {
    live: u32,
    asleep: u32,
    /// Only where successions count.
    last: Option<u32>,
}

impl Read {
    const NOTHING: Self = Self {
        live: NOTHING_READ,
        asleep: 0,
        last: None,
    };
}

/// What a machine must do with a word.
enum Expected {
    Allowed(Read),
    Forbidden,
    Anything,
}

impl Reference<'_> {
    fn step(&mut self, read: Read, letter: u32) -> Expected {
        let is_impossible = |s: &Successions| !s.is_possible(read.last, letter);
        if self.successions.is_some_and(is_impossible) {
            return Expected::Anything;
        }
        let Some(live) = self.recognizer.step(read.live, letter) else {
            return Expected::Forbidden;
        };
        let asleep = match &mut self.asleep {
            None => Some(0),
            Some(asleep) => asleep.step(read.asleep, letter),
        };
        match asleep {
            None => Expected::Forbidden,
            Some(asleep) => Expected::Allowed(Read {
                live,
                asleep,
                last: self.successions.map(|_| letter),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Remembers the last letters, and searches them for forbidden words: a machine that is
    /// obviously correct. `words` have at most 4 letters of an alphabet of at most 7.
    fn reader(words: Vec<Vec<u32>>) -> impl Fn([u32; 3], u32) -> Option<[u32; 3]> {
        const NONE: u32 = 7;
        move |[a, b, c]: [u32; 3], letter| {
            let read = [a, b, c, letter];
            let mut read: &[u32] = &read;
            while let [NONE, rest @ ..] = read {
                read = rest;
            }
            let forbidden = words.iter().any(|word| read.ends_with(word));
            (!forbidden).then_some([b, c, letter])
        }
    }

    const NOTHING_READ: [u32; 3] = [7; 3];

    /// Taylor's grid: Right 0, Left 1, Up 2, Down 3, and the words that his machine forbids.
    const GRID: [[u32; 2]; 8] = [
        [0, 1],
        [1, 0],
        [2, 0],
        [2, 1],
        [2, 3],
        [3, 0],
        [3, 1],
        [3, 2],
    ];

    /// The machine for them; its state is the last letter, if any.
    fn grid_machine(last: Option<u32>, letter: u32) -> Option<Option<u32>> {
        let allowed = match last {
            None => true,
            Some(horizontal @ 0..=1) => letter == horizontal || letter >= 2,
            Some(vertical) => letter == vertical,
        };
        allowed.then_some(Some(letter))
    }

    #[test]
    fn a_right_machine_passes() {
        assert_eq!(check_automaton(4, &GRID, None, grid_machine), Ok(5));
    }

    #[test]
    fn a_word_that_is_not_forbidden_is_found() {
        for dropped in 0..GRID.len() {
            let mut more = GRID.to_vec();
            let word = more.remove(dropped).to_vec();
            // The list has less than the machine forbids.
            assert_eq!(
                check_automaton(4, &more, None, grid_machine),
                Err(AutomatonFlaw::ForbidsTooMuch { word: word.clone() })
            );
            // The list has more than the machine forbids.
            let lenient = |last, letter| match last {
                Some(last) if [last, letter] == *word => Some(Some(letter)),
                _ => grid_machine(last, letter),
            };
            assert_eq!(
                check_automaton(4, &GRID, None, lenient),
                Err(AutomatonFlaw::ForbidsTooLittle { word })
            );
        }
    }

    #[test]
    fn a_disagreement_deep_inside_is_found_by_a_shortest_word() {
        // Forbids 1 0 1 1, but forgets the 1 at the end of 1 0 1 0: after 1 0 1 0 1 1 it is late.
        let forgetful = |state: u32, letter: u32| match (state, letter) {
            (0, 0) => Some(0),
            (0 | 1, 1) => Some(1),
            (1, _) => Some(2),
            (2, 1) => Some(3),
            (2, _) => Some(0),
            // The right machine goes back to 2.
            (3, 0) => Some(0),
            _ => None,
        };
        assert_eq!(
            check_automaton(2, &[[1, 0, 1, 1]], 0, forgetful),
            Err(AutomatonFlaw::ForbidsTooLittle {
                word: vec![1, 0, 1, 0, 1, 1]
            })
        );
        let right = |state, letter| match (state, letter) {
            (3, 0) => Some(2),
            _ => forgetful(state, letter),
        };
        assert_eq!(check_automaton(2, &[[1, 0, 1, 1]], 0, right), Ok(4));
    }

    #[test]
    fn words_that_overlap_nest_and_share_suffixes() {
        let words: Vec<Vec<u32>> = [
            &[0, 1, 2][..],
            &[1, 2, 0, 1],
            &[2, 2],
            &[1, 1, 0],
            &[0, 1, 1, 2],
            &[0, 2, 2, 1],
        ]
        .map(<[u32]>::to_vec)
        .to_vec();
        let machine = reader(words.clone());
        assert!(check_automaton(3, &words, NOTHING_READ, &machine).is_ok());
        // The last word contains another, so the list without it is equivalent.
        assert!(check_automaton(3, &words[..5], NOTHING_READ, &machine).is_ok());
        for dropped in 0..5 {
            let mut fewer = words.clone();
            let word = fewer.remove(dropped);
            let found = check_automaton(3, &fewer, NOTHING_READ, &machine);
            // Without [2, 2], [0, 2, 2, 1] matters again, but [2, 2] itself is shorter.
            assert_eq!(found, Err(AutomatonFlaw::ForbidsTooMuch { word }));
        }
    }

    #[test]
    fn single_letters_empty_words_and_empty_alphabets() {
        let only_zero = |(): (), letter: u32| (letter == 0).then_some(());
        assert_eq!(check_automaton(2, &[[1]], (), only_zero), Ok(1));
        assert_eq!(
            check_automaton(2, &[[0]], (), only_zero),
            Err(AutomatonFlaw::ForbidsTooLittle { word: vec![0] })
        );
        assert_eq!(
            check_automaton(2, &[[]; 1], (), |(), _| None),
            Err(AutomatonFlaw::ForbidsTooLittle { word: vec![] })
        );
        assert_eq!(
            check_automaton::<()>(0, &[[0_u32; 0]; 0], (), |(), _| None),
            Ok(1)
        );
        assert_eq!(
            check_automaton(2, &[[0, 1], [1, 2]], (), only_zero),
            Err(AutomatonFlaw::UnknownLetter {
                index: 1,
                letter: 2
            })
        );
    }
}
