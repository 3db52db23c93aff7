//! Machines that forbid words with a redundant part.

use std::collections::HashSet;

use ahash::RandomState;

use crate::costs::flaw::{CostProblem, Fault};
use crate::costs::pruning::letters::{Letters, Piece};
use crate::costs::pruning::redundancy::{Pair, check_pair};
use crate::costs::pruning::within::{Invariant, check_kept, check_start};
use crate::costs::setting::prepared::Prepared;
use crate::costs::shared::{ENTRIES_AT_ONCE, Line, for_all};
use crate::limits::Limits;
use crate::machine::automaton::{AutomatonFlaw, MachineClaim, word_to};
use crate::machine::recognizer::{NOTHING_READ, Recognizer};

/// A machine, and why it is one that may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Machine {
    pub(crate) invariants: Vec<Line<Invariant>>,
    /// The letters of words, if they aren't the rules.
    pub(crate) pieces: Vec<Line<Piece>>,
    pub(crate) pairs: Vec<Line<Pair>>,
    /// For each state from 1 on and each letter the next state, or 0 where the letter is forbidden.
    pub(crate) rows: Vec<Vec<u32>>,
}

/// Whether a machine may allow words that have a listed part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Freedom {
    None,
    MayAllowMore,
}

/// The state in which a machine starts.
pub(crate) const FIRST: u32 = 1;

impl Machine {
    /// The row of a state. States without a row forbid everything.
    pub(crate) fn row(&self, state: u32) -> &[u32] {
        let row = self.rows.get((state - 1) as usize);
        row.map_or(&[], |row| row)
    }

    /// The next state; `None` if the letter is forbidden.
    fn next(&self, state: u32, letter: u32) -> Option<u32> {
        let next = self.row(state).get(letter as usize).copied();
        next.filter(|next| *next != 0)
    }

    /// Check that rules keep the invariants, that letters cover the rules, that all listed words
    /// are redundant, and that the machine forbids no words but those with a listed part; without
    /// freedom, all of those. Return the letters.
    pub(crate) fn check(
        &self,
        game: &Prepared<'_>,
        freedom: Freedom,
        limits: &Limits,
    ) -> Result<Letters, Fault> {
        check_kept(game, &self.invariants, limits)?;
        let letters = Letters::of(game, &self.pieces, &self.invariants, limits)?;
        for_all(self.pairs.len(), limits, |index, _| {
            let Line { line, item } = &self.pairs[index];
            check_pair(game, &letters, &self.invariants, item).map_err(|problem| problem.at(*line))
        })?;
        let words: Vec<&[u32]> = self.pairs.iter().map(|pair| &pair.item.word[..]).collect();
        let n_letters = letters.moves.len() as u32;
        match freedom {
            Freedom::None => self.check_words(&words, n_letters, limits)?,
            Freedom::MayAllowMore => self.check_rest(&words, n_letters, limits)?,
        }
        Ok(letters)
    }

    /// Check that the start has the invariants.
    pub(crate) fn check_start(&self, game: &Prepared<'_>) -> Result<(), Fault> {
        check_start(game, &self.invariants)
    }

    /// Check that exactly the words with a part from a list are forbidden.
    fn check_words(&self, words: &[&[u32]], n_letters: u32, limits: &Limits) -> Result<(), Fault> {
        let claim = MachineClaim::forbids(n_letters, words);
        match claim.check(FIRST, |state, letter| self.next(state, letter), limits) {
            Ok(_) => Ok(()),
            Err(AutomatonFlaw::Stopped(reason)) => Err(reason.into()),
            Err(AutomatonFlaw::ForbidsTooMuch { word }) => {
                Err(CostProblem::ForbidsTooMuch { word }.into())
            }
            Err(AutomatonFlaw::ForbidsTooLittle { word }) => {
                Err(CostProblem::ForbidsTooLittle { word }.into())
            }
            Err(AutomatonFlaw::UnknownLetter { letter, .. }) => {
                let letter = letter as usize;
                Err(CostProblem::UnknownLetter { letter }.into())
            }
        }
    }

    /// Check that no words are forbidden but those with a part from a list.
    ///
    /// Where the machine allows a word that has a listed part, it must go on allowing what has no
    /// part that ends after that: the verified checker wants it so.
    fn check_rest(&self, words: &[&[u32]], n_letters: u32, limits: &Limits) -> Result<(), Fault> {
        let mut recognizer = Recognizer::new(words);
        let mut pairs = vec![(FIRST, NOTHING_READ)];
        let mut reached: Vec<(usize, u32)> = vec![(0, 0)];
        let mut known: HashSet<(u32, u32), RandomState> = pairs.iter().copied().collect();
        let mut index = 0_usize;
        while index < pairs.len() {
            if index.is_multiple_of(ENTRIES_AT_ONCE) {
                limits.check()?;
            }
            let (state, read) = pairs[index];
            for letter in 0..n_letters {
                let (ends_word, read) = recognizer.read_on(read, letter);
                match self.next(state, letter) {
                    None if ends_word => {}
                    None => {
                        let word = word_to(&reached, index, letter);
                        return Err(CostProblem::ForbidsTooMuch { word }.into());
                    }
                    Some(next) => {
                        if known.insert((next, read)) {
                            pairs.push((next, read));
                            reached.push((index, letter));
                        }
                    }
                }
            }
            index += 1;
        }
        Ok(())
    }
}
