//! What stands for a state in files: its rank where all states have one, or else the state.

use std::borrow::Cow;

use pattern_databases::{Ranker, StateRanks};
use psvn_ir::Game;
use search::PackedStates;
use sorted_states::{Ascending, FileError, Form, Reader, sort};

use crate::disk::width_for;
use crate::origin::Origin;
use crate::report::ExploreError;
use crate::reversible::moves_can_be_undone;

/// The least number of stretches of ranks that go to one part of the files or another. Layers take
/// more of some stretches than of others, and parts should be of one size.
const STRETCHES: u64 = 1 << 9;

/// The number of states whose ranks tell rankings apart.
const SAMPLES: u64 = 256;

/// By this factor, successive numbers go to places far apart, and as evenly as possible (Knuth,
/// "The Art of Computer Programming", volume 3, section 6.4).
const GOLDEN_RATIO: u64 = 0x9E37_79B9_7F4A_7C15;

/// What stands for the states of an exploration in files: their ranks where all of them have one,
/// since differences of ranks are short, or else the packed states.
#[derive(Clone, Debug)]
pub struct Codes {
    ranks: Option<StateRanks>,
    form: Form,
    /// The number of lowest bits in which the ranks of a stretch differ. The others count.
    stretch: u32,
}

impl Codes {
    /// Choose the codes of the states that an exploration visits, from the packed states at
    /// distance 0 on.
    ///
    /// # Errors
    /// If states are too wide.
    pub fn new(
        game: &Game,
        origin: &Origin,
        states: &PackedStates,
        roots: &[Vec<u64>],
    ) -> Result<Self, ExploreError> {
        // Ranks number the states that can be reached from the goals. Those that lead to them are
        // the same only where moves can be undone.
        let origin_of_ranks = match origin {
            Origin::States(starts) => Some(Cow::Owned(game.with_goal_states(starts))),
            Origin::Goals => moves_can_be_undone(game).then_some(Cow::Borrowed(game)),
        };
        let ranks = origin_of_ranks.and_then(|game| StateRanks::new(&game, states, roots));
        let size = ranks.as_ref().map_or(0, StateRanks::n_kept);
        Ok(Self {
            form: match ranks {
                Some(_) => Form::whole(1),
                None => Form::new(width_for(states.n_words())?, states.n_bytes()),
            },
            ranks,
            stretch: (size / STRETCHES).checked_ilog2().unwrap_or(0),
        })
    }

    /// Return the form of codes.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Return the number of bytes of a code that may differ from zero, the lowest ones.
    pub fn n_bytes(&self) -> usize {
        match &self.ranks {
            Some(ranks) => bytes_below(ranks.size()),
            None => self.form.bytes(),
        }
    }

    /// Describe the ranking in a few words, if states are ranked.
    pub fn ranking(&self) -> Option<String> {
        self.ranks.as_ref().map(StateRanks::describe)
    }

    /// Return what codes have in common that mean the same states: the ranking, in a few words, and
    /// a hash of some states by their ranks, if states are ranked.
    pub fn identity(&self, states: &PackedStates) -> String {
        let Some(ranks) = &self.ranks else {
            return "packed states".to_owned();
        };
        let mut ranker = ranks.ranker(states);
        let mut add = |hash: u64, sample: u64| {
            let rank = u128::from(ranks.size()) * u128::from(sample) / u128::from(SAMPLES);
            hash.rotate_left(1) ^ states.hash(ranker.unrank(rank as u64))
        };
        let hash = (0..SAMPLES).fold(0, &mut add);
        format!("{}, {hash:016x}", ranks.describe())
    }

    /// Return what codes states, with its own scratch memory: one for each thread. `states` are
    /// those for which the codes were chosen.
    pub fn coder<'c>(&'c self, states: &'c PackedStates) -> Coder<'c> {
        Coder {
            states,
            ranker: self.ranks.as_ref().map(|ranks| ranks.ranker(states)),
            rank: [0],
        }
    }

    /// Return a number whose highest bits divide states into parts: the same on every machine.
    /// States with near ranks have the same number, and so have many neighbors by moves.
    #[inline]
    pub fn hash(&self, states: &PackedStates, code: &[u64]) -> u64 {
        match &self.ranks {
            Some(ranks) => (ranks.kept(code[0]) >> self.stretch).wrapping_mul(GOLDEN_RATIO),
            None => states.hash(&code[..states.n_words()]),
        }
    }
}

/// Return the number of bytes that numbers below `size` need, at least one.
fn bytes_below(size: u64) -> usize {
    let greatest = size.saturating_sub(1).max(1);
    (greatest.ilog2() / 8 + 1) as usize
}

/// Why states have ranks.
const KEPT: &str = "moves keep the invariants of the states at distance 0";

/// Codes states, and finds states by their codes.
#[derive(Clone, Debug)]
pub struct Coder<'c> {
    states: &'c PackedStates,
    ranker: Option<Ranker<'c>>,
    rank: [u64; 1],
}

impl Coder<'_> {
    /// Return the code of a packed state; its words may be fewer than the form has.
    ///
    /// # Panics
    /// If the state can't be reached from the origin.
    #[inline]
    pub fn code<'s>(&'s mut self, state: &'s [u64]) -> &'s [u64] {
        let Some(ranker) = &mut self.ranker else {
            return state;
        };
        let rank = ranker.rank(state);
        self.rank[0] = rank.expect(KEPT);
        &self.rank
    }

    /// Replace packed states of one word by their codes: faster than one by one.
    ///
    /// # Panics
    /// If one of them can't be reached from the origin, or has more words.
    pub fn code_all(&mut self, states: &mut [u64]) {
        if let Some(ranker) = &mut self.ranker {
            let are_ranked = ranker.rank_all(states);
            assert!(are_ranked, "{KEPT}");
        }
    }

    /// Return the packed state of a code.
    #[inline]
    pub fn state<'s>(&'s mut self, code: &'s [u64]) -> &'s [u64] {
        match &mut self.ranker {
            Some(ranker) => ranker.unrank(code[0]),
            None => &code[..self.states.n_words()],
        }
    }
}

/// Finds the least of the packed states whose codes are in some files.
#[derive(Debug)]
pub struct LeastStates<'c> {
    coder: Coder<'c>,
    /// Whether the codes of a file are in the order of its states.
    are_in_order: bool,
    n_words: usize,
    most: usize,
    words: Vec<u64>,
}

/// The words of states that are sorted at once.
const MOST_SORTED: usize = 1 << 16;

impl<'c> LeastStates<'c> {
    /// Look for `most` states.
    pub fn new(codes: &'c Codes, states: &'c PackedStates, most: usize) -> Self {
        Self {
            coder: codes.coder(states),
            are_in_order: codes.ranks.is_none(),
            n_words: states.n_words(),
            most,
            words: Vec::new(),
        }
    }

    /// Add the states of a file. It is read up to the last state that is needed.
    ///
    /// # Errors
    /// If the file can't be read, or differs from what was written.
    pub fn add(&mut self, mut file: Reader) -> Result<(), FileError> {
        let mut left = match (self.most, self.are_in_order) {
            (0, _) => 0,
            (most, true) => most,
            (_, false) => usize::MAX,
        };
        while left > 0 && file.advance()? {
            self.words.extend_from_slice(self.coder.state(file.state()));
            left -= 1;
            if self.words.len() >= self.most_words().saturating_add(MOST_SORTED) {
                self.sort();
            }
        }
        Ok(())
    }

    fn most_words(&self) -> usize {
        self.most.saturating_mul(self.n_words)
    }

    fn sort(&mut self) {
        let kept = sort(&mut self.words, self.n_words);
        self.words.truncate(kept.min(self.most_words()));
    }

    /// Return the words of the least states, one after another.
    pub fn words(mut self) -> Vec<u64> {
        self.sort();
        self.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_have_as_few_bytes_as_the_greatest_one() {
        let sizes = [
            0,
            1,
            256,
            257,
            1 << 16,
            (1 << 16) + 1,
            1 << 56,
            (1 << 56) + 1,
            u64::MAX,
        ];
        assert_eq!(sizes.map(bytes_below), [1, 1, 1, 2, 2, 3, 7, 8, 8]);
    }
}
