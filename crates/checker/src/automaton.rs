//! Whether a machine forbids exactly the words that contain one of a list.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// Why a machine is not the one that a list of words asks for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AutomatonFlaw {
    /// A word of the list has a letter beyond the alphabet.
    #[error("word {} has the letter {letter}, which is not in the alphabet", index + 1)]
    UnknownLetter {
        /// The place of the word in the list, from 0.
        index: usize,
        /// The letter.
        letter: u32,
    },
    /// The machine forbids a word that contains none of the list.
    #[error("the machine forbids {word:?}, which contains no word of the list")]
    ForbidsTooMuch {
        /// A word about which they disagree, as short as possible.
        word: Vec<u32>,
    },
    /// The machine allows a word that contains one of the list.
    #[error("the machine allows {word:?}, which contains a word of the list")]
    ForbidsTooLittle {
        /// A word about which they disagree, as short as possible.
        word: Vec<u32>,
    },
}

/// Checks that a machine forbids exactly the words that contain one of `words`, and says how many
/// pairs of a state of the machine and one of the recognizer were explored.
///
/// The machine is given by its start state and its step function, which returns `None` when the word
/// read so far is forbidden; what was forbidden once stays so. Letters are counted from 0.
///
/// Takes O(s r l log r) expected time for s explored pairs, r letters and words of at most l letters.
/// It ends when the states that the machine can reach are finitely many.
///
/// # Errors
/// When a word has a letter beyond the alphabet, or with a shortest word about which machine and list
/// disagree.
pub fn check_automaton<S: Copy + Eq + Hash>(
    n_letters: u32,
    words: &[impl AsRef<[u32]>],
    start: S,
    next: impl Fn(S, u32) -> Option<S>,
) -> Result<usize, AutomatonFlaw> {
    for (index, word) in words.iter().enumerate() {
        if let Some(&letter) = word.as_ref().iter().find(|letter| **letter >= n_letters) {
            return Err(AutomatonFlaw::UnknownLetter { index, letter });
        }
    }
    let recognizer = Recognizer::new(words);
    if recognizer.nodes[0].ends_word {
        // The empty word is in every word, and a machine with a start state allows it.
        return Err(AutomatonFlaw::ForbidsTooLittle { word: Vec::new() });
    }
    // Breadth first, so that the first disagreement is a shortest one. Each pair knows from which one
    // it was reached, and by which letter.
    let mut reached: Vec<(usize, u32)> = vec![(0, 0)];
    let mut known: HashMap<(S, Live), usize> = HashMap::from([((start, Live::default()), 0)]);
    let mut queue = VecDeque::from([(0, start, Live::default())]);
    while let Some((pair, state, live)) = queue.pop_front() {
        for letter in 0..n_letters {
            match (next(state, letter), recognizer.step(&live, letter)) {
                (None, None) => {}
                (None, Some(_)) => {
                    let word = word_to(&reached, pair, letter);
                    return Err(AutomatonFlaw::ForbidsTooMuch { word });
                }
                (Some(_), None) => {
                    let word = word_to(&reached, pair, letter);
                    return Err(AutomatonFlaw::ForbidsTooLittle { word });
                }
                (Some(state), Some(live)) => {
                    let fresh = reached.len();
                    known
                        .entry((state, live))
                        .or_insert_with_key(|(state, live)| {
                            reached.push((pair, letter));
                            queue.push_back((fresh, *state, live.clone()));
                            fresh
                        });
                }
            }
        }
    }
    Ok(known.len())
}

/// The word by which a pair was reached, and one more letter.
fn word_to(reached: &[(usize, u32)], mut pair: usize, letter: u32) -> Vec<u32> {
    let mut word = vec![letter];
    while pair != 0 {
        let (before, letter) = reached[pair];
        word.push(letter);
        pair = before;
    }
    word.reverse();
    word
}

#[derive(Debug, Default)]
struct Node {
    /// Sorted by letter.
    children: Vec<(u32, usize)>,
    ends_word: bool,
}

/// A trie of the words, and nothing more: no failure function, no table.
#[derive(Debug)]
struct Recognizer {
    nodes: Vec<Node>,
}

/// The nodes of the trie that spell what was read last, longest first, without the root: all that
/// words of the list could still grow out of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Live(Vec<usize>);

impl Recognizer {
    fn new(words: &[impl AsRef<[u32]>]) -> Self {
        let mut nodes = vec![Node::default()];
        for word in words {
            let mut node = 0;
            for letter in word.as_ref() {
                let fresh = nodes.len();
                let children = &mut nodes[node].children;
                node = match children.binary_search_by_key(letter, |(letter, _)| *letter) {
                    Ok(place) => children[place].1,
                    Err(place) => {
                        children.insert(place, (*letter, fresh));
                        nodes.push(Node::default());
                        fresh
                    }
                };
            }
            nodes[node].ends_word = true;
        }
        Self { nodes }
    }

    /// What is live after one more letter; `None` when a word of the list ends there.
    fn step(&self, live: &Live, letter: u32) -> Option<Live> {
        let mut after = Vec::new();
        // Every live node may grow, and a word may begin at this very letter.
        for node in live.0.iter().copied().chain([0]) {
            let children = &self.nodes[node].children;
            if let Ok(place) = children.binary_search_by_key(&letter, |(letter, _)| *letter) {
                let child = children[place].1;
                if self.nodes[child].ends_word {
                    return None;
                }
                after.push(child);
            }
        }
        Some(Live(after))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Remembers the last letters, and forbids words by looking at them: a machine that is obviously
    /// right. `words` have at most 4 letters of an alphabet of at most 7.
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

    /// The machine for them: what was read last, if anything.
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
        // Forbids 1 0 1 1, but forgets the 1 that 1 0 1 0 leaves behind: after 1 0 1 0 1 1 it is late.
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
        // The last word contains another one, so the list without it is as good.
        assert!(check_automaton(3, &words[..5], NOTHING_READ, &machine).is_ok());
        for dropped in 0..5 {
            let mut fewer = words.clone();
            let word = fewer.remove(dropped);
            let found = check_automaton(3, &fewer, NOTHING_READ, &machine);
            // With [2, 2] gone, [0, 2, 2, 1] counts again, but [2, 2] itself is shorter.
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
