//! Inclusions among machine states: pairs of which one allows everything that the other allows.

use std::sync::atomic::{AtomicU64, Ordering};

use ahash::{AHashMap, AHashSet};
use fsm::Machine;

use crate::transposition::words::ZeroedWords;

/// Marks a forbidden letter.
const FORBIDDEN: u32 = u32::MAX;

/// The maximum number of states of a machine that is analyzed.
const MOST_STATES: usize = 1 << 12;

/// The maximum number of pairs of states times letters.
const MOST_STEPS: usize = 1 << 24;

/// The maximum number of pairs of states that one comparison visits. A comparison that is not done
/// by then answers "no", which is always safe.
const MOST_PAIRS: usize = 1 << 16;

/// A machine as a table of numbered states, with the inclusions among them.
///
/// State q includes q' if q allows every word that q' allows. Then a lower bound on the cost of the
/// sequences that q allows is also one for q'.
///
/// A search needs few of the pairs, so each is compared when it is first requested. Threads that
/// compare the same pair at the same time get the same answer.
#[derive(Debug)]
pub(crate) struct Inclusions {
    n_states: usize,
    n_letters: usize,
    /// By state and letter.
    next: Vec<u32>,
    /// Two bits for each pair of states: [`UNKNOWN`], [`INCLUDED`] or [`APART`].
    answers: ZeroedWords,
}

const UNKNOWN: u64 = 0;
const INCLUDED: u64 = 1;
const APART: u64 = 2;

impl Inclusions {
    /// Build the table of a machine; `None` if it is too large.
    pub(crate) fn new<M: Machine>(machine: &M, n_letters: usize) -> Option<Self> {
        let (n_states, next) = table(machine, n_letters)?;
        Some(Self {
            n_states,
            n_letters,
            next,
            answers: ZeroedWords::new((n_states * n_states).div_ceil(32)).ok()?,
        })
    }

    /// Return whether a state allows everything that another one allows.
    #[inline]
    pub(crate) fn includes(&self, state: u32, other: u32) -> bool {
        match self.answer(state, other) {
            UNKNOWN => self.compare(state, other),
            answer => answer == INCLUDED,
        }
    }

    /// Return where the answer for a pair is.
    #[inline]
    fn place(&self, state: u32, other: u32) -> (&AtomicU64, u32) {
        let pair = state as usize * self.n_states + other as usize;
        (&self.answers[pair / 32], 2 * (pair % 32) as u32)
    }

    #[inline]
    fn answer(&self, state: u32, other: u32) -> u64 {
        if state == other {
            return INCLUDED;
        }
        let (word, shift) = self.place(state, other);
        // The answer is the same whichever thread finds it, and no other memory depends on it.
        word.load(Ordering::Relaxed) >> shift & 3
    }

    fn set_answer(&self, (state, other): (u32, u32), answer: u64) {
        let (word, shift) = self.place(state, other);
        word.fetch_or(answer << shift, Ordering::Relaxed);
    }

    fn next(&self, state: u32, letter: usize) -> u32 {
        self.next[state as usize * self.n_letters + letter]
    }

    /// Look for a word that the other state allows and the state doesn't, depth first through the
    /// pairs that the same word leads to.
    ///
    /// If there is none, all visited pairs are included as well; if there is one, the pairs on the
    /// path to it are apart.
    #[cold]
    fn compare(&self, state: u32, other: u32) -> bool {
        let mut met = AHashSet::from([(state, other)]);
        let mut in_order = vec![(state, other)];
        // The pairs on the path to the current one, each with the letter to be tried next.
        let mut way = vec![((state, other), 0)];
        while let Some(((state, other), letter)) = way.last_mut() {
            if *letter == self.n_letters {
                way.pop();
                continue;
            }
            let pair = (self.next(*state, *letter), self.next(*other, *letter));
            *letter += 1;
            let answer = match pair {
                (_, FORBIDDEN) => INCLUDED,
                (FORBIDDEN, _) => APART,
                (state, other) => self.answer(state, other),
            };
            if answer == APART {
                for (pair, _) in way {
                    self.set_answer(pair, APART);
                }
                return false;
            }
            if answer == UNKNOWN && met.insert(pair) {
                if met.len() > MOST_PAIRS {
                    self.set_answer(way[0].0, APART);
                    return false;
                }
                in_order.push(pair);
                way.push((pair, 0));
            }
        }
        for pair in in_order {
            self.set_answer(pair, INCLUDED);
        }
        true
    }
}

/// Return the number of states and the table; `None` if there are too many.
fn table<M: Machine>(machine: &M, n_letters: usize) -> Option<(usize, Vec<u32>)> {
    let mut numbers: AHashMap<M::State, u32> = AHashMap::new();
    let mut states = vec![machine.start()];
    numbers.insert(machine.start(), 0);
    let mut next = Vec::new();
    let mut done = 0;
    while let Some(state) = states.get(done).copied() {
        done += 1;
        for letter in 0..n_letters as u32 {
            next.push(match machine.next(state, letter) {
                None => FORBIDDEN,
                Some(target) => *numbers.entry(target).or_insert_with(|| {
                    states.push(target);
                    states.len() as u32 - 1
                }),
            });
        }
        let n = states.len();
        if n > MOST_STATES || n * n > MOST_STEPS / n_letters.max(1) {
            return None;
        }
    }
    Some((states.len(), next))
}

impl Machine for Inclusions {
    type State = u32;

    fn start(&self) -> u32 {
        0
    }

    #[inline]
    fn next(&self, state: u32, letter: u32) -> Option<u32> {
        let next = Inclusions::next(self, state, letter as usize);
        (next != FORBIDDEN).then_some(next)
    }
}

#[cfg(test)]
mod tests {
    use fsm::WordAutomaton;
    use psvn_ir::testing::SplitMix64;

    use super::*;

    /// Return whether one state allows what another one allows, by a search for a word that
    /// distinguishes them.
    fn by_search(machine: &Inclusions, state: u32, other: u32) -> bool {
        let mut seen = std::collections::HashSet::from([(state, other)]);
        let mut open = vec![(state, other)];
        while let Some((state, other)) = open.pop() {
            for letter in 0..machine.n_letters {
                let (one, two) = (machine.next(state, letter), machine.next(other, letter));
                match (one, two) {
                    (_, FORBIDDEN) => {}
                    (FORBIDDEN, _) => return false,
                    pair => {
                        if seen.insert(pair) {
                            open.push(pair);
                        }
                    }
                }
            }
        }
        true
    }

    #[test]
    fn inclusions_are_those_of_the_words() {
        let (mut n_proper, mut n_apart) = (0, 0);
        for seed in 0..300 {
            let mut random = SplitMix64::new(seed);
            let n_letters = 1 + random.below(4);
            let mut automaton = WordAutomaton::new(n_letters as u32);
            for _ in 0..random.below(8) {
                let word: Vec<u32> = (0..1 + random.below(4))
                    .map(|_| random.below(n_letters) as u32)
                    .collect();
                automaton.forbid(&word).unwrap();
            }
            let dense = automaton.build().unwrap();
            let machine = Inclusions::new(&dense, n_letters).unwrap();
            // Check that the language is the same.
            let mut pairs = vec![(dense.start(), machine.start())];
            for _ in 0..6 {
                let mut longer = Vec::new();
                for (one, two) in pairs {
                    for letter in 0..n_letters as u32 {
                        match (
                            dense.next(one, letter),
                            Machine::next(&machine, two, letter),
                        ) {
                            (None, None) => {}
                            (Some(one), Some(two)) => longer.push((one, two)),
                            other => panic!("{other:?}"),
                        }
                    }
                }
                pairs = longer;
            }
            for state in 0..machine.n_states as u32 {
                for other in 0..machine.n_states as u32 {
                    let expected = by_search(&machine, state, other);
                    assert_eq!(machine.includes(state, other), expected);
                    n_proper += u32::from(expected && state != other);
                    n_apart += u32::from(!expected);
                }
            }
        }
        assert!(n_proper > 500 && n_apart > 500, "{n_proper} {n_apart}");
    }

    #[test]
    fn large_machines_are_left_alone() {
        struct Counter;
        impl Machine for Counter {
            type State = u32;
            fn start(&self) -> u32 {
                0
            }
            fn next(&self, state: u32, letter: u32) -> Option<u32> {
                Some(state + letter + 1)
            }
        }
        assert!(Inclusions::new(&Counter, 3).is_none());
        assert!(Inclusions::new(&fsm::Unrestricted, 0).is_some());
    }
}
