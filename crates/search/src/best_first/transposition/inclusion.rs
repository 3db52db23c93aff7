//! Which machine states allow everything that others allow.

use ahash::AHashMap;
use fsm::Machine;

use crate::best_first::transposition::table::Key;

/// Stands where a letter is forbidden.
const FORBIDDEN: u32 = u32::MAX;

/// A machine with more states than this is not analyzed.
const MOST_STATES: usize = 1 << 12;

/// The most steps for a machine, which is some hundredths of a second.
const MOST_STEPS: usize = 1 << 24;

/// A machine as a table of numbered states, with the inclusions among them.
///
/// State q includes q' if every word that q' allows is allowed by q. What is a lower bound on the
/// cost of the sequences that q allows is one for q' then.
#[derive(Clone, Debug)]
pub(crate) struct Inclusions {
    n_states: usize,
    n_letters: usize,
    /// By state and letter.
    next: Vec<u32>,
    /// By state: the set of the states that it includes.
    included: Vec<u64>,
}

impl Inclusions {
    /// The inclusions of a machine; `None` if it is too large.
    pub(crate) fn new<M: Machine>(machine: &M, n_letters: usize) -> Option<Self> {
        let (n_states, next) = table(machine, n_letters)?;
        let mut inclusions = Self {
            n_states,
            n_letters,
            next,
            included: vec![!0; n_states * n_states.div_ceil(64)],
        };
        inclusions.refine();
        Some(inclusions)
    }

    /// Whether a state allows everything that another one allows.
    #[inline]
    fn includes(&self, state: u32, other: u32) -> bool {
        let (word, bit) = self.place(state, other);
        self.included[word] >> bit & 1 == 1
    }

    #[inline]
    fn place(&self, state: u32, other: u32) -> (usize, u32) {
        let n_words = self.n_states.div_ceil(64);
        (state as usize * n_words + other as usize / 64, other % 64)
    }

    fn next(&self, state: u32, letter: usize) -> u32 {
        self.next[state as usize * self.n_letters + letter]
    }

    /// Take out the pairs that a letter tells apart, then those that a letter leads to such a pair
    /// from, and so on: what is left is the greatest relation that allows no counterexample, which
    /// for deterministic machines is inclusion.
    fn refine(&mut self) {
        let n_states = self.n_states as u32;
        let states = || 0..n_states;
        // By letter and target: the states that lead there.
        let mut sources: Vec<Vec<u32>> = vec![Vec::new(); self.n_letters * self.n_states];
        for (state, letter) in states().flat_map(|q| (0..self.n_letters).map(move |a| (q, a))) {
            let target = self.next(state, letter);
            if target != FORBIDDEN {
                sources[letter * self.n_states + target as usize].push(state);
            }
        }
        let mut apart = Vec::new();
        for letter in 0..self.n_letters {
            let is_allowed = |state: &u32| self.next(*state, letter) != FORBIDDEN;
            let (allowing, forbidding): (Vec<u32>, Vec<u32>) = states().partition(is_allowed);
            for state in &forbidding {
                apart.extend(allowing.iter().map(|other| (*state, *other)));
            }
            self.take_out(&mut apart, &sources);
        }
    }

    fn take_out(&mut self, apart: &mut Vec<(u32, u32)>, sources: &[Vec<u32>]) {
        while let Some((state, other)) = apart.pop() {
            let (word, bit) = self.place(state, other);
            if self.included[word] >> bit & 1 == 0 {
                continue;
            }
            self.included[word] &= !(1 << bit);
            for letter in 0..self.n_letters {
                let before = |state: u32| &sources[letter * self.n_states + state as usize];
                for one in before(state) {
                    apart.extend(before(other).iter().map(|two| (*one, *two)));
                }
            }
        }
    }
}

/// The number of states and the table; `None` if there are too many.
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

impl Key<u32> for &Inclusions {
    #[inline]
    fn serves(&self, stored: u32, visitor: u32) -> bool {
        self.includes(stored, visitor)
    }
}

#[cfg(test)]
mod tests {
    use fsm::WordAutomaton;
    use psvn_ir::testing::SplitMix64;

    use super::*;

    /// Whether one state allows what another one allows, by a search for a word that tells them
    /// apart.
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
            // The same language.
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
