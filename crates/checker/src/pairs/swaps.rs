//! Rules that can change places, as sleep sets require.

use psvn_ir::{Game, RuleId};
use rayon::prelude::*;

use crate::invariants::ProvedInvariants;
use crate::limits::{Limits, StopReason};
use crate::words::{Flaw, Part, check_replaces};

/// Pairs (first, second) of rules for which "first, then second" was proved replaceable by "second,
/// then first": the latter is possible wherever the former is, and leads to the same state.
///
/// # What depends on it
/// Suppose that rule a has a swap (o, a) with each of the rules `o_1 ... o_k`, and comes before
/// `o_1` in the order of rules. Then `o_1 ... o_k a` can be replaced by `a o_1 ... o_k`, by one
/// swap after the other. The replacement has the same rules, so the same length and cost, and comes
/// before the word, whether words are compared by length or by cost first. So the word is
/// redundant, for any k. These are the words that a machine of sleep sets forbids beside those of a
/// list.
#[derive(Clone, Debug)]
pub struct ProvedSwaps {
    /// For each first rule the second ones, sorted.
    second: Vec<Vec<u32>>,
}

/// Why a swap is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum SwapFlaw {
    /// Both are the same rule.
    #[error("a rule can't change places with itself")]
    SameRule,
    /// The swapped word doesn't replace the other, or a rule doesn't exist.
    #[error(transparent)]
    Word(Flaw),
}

/// Why a list of swaps is not proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum SwapFailure {
    /// One of them is wrong.
    #[error("swap {}, of rules {} and {}: {flaw}", index + 1, pair.0.0 + 1, pair.1.0 + 1)]
    Flaw {
        /// Its place in the list, from 0.
        index: usize,
        /// The two rules: the first, and the second.
        pair: (RuleId, RuleId),
        /// The flaw.
        flaw: SwapFlaw,
    },
    /// A limit was reached.
    #[error("the swaps were not checked to the end: {0}")]
    Stopped(#[from] StopReason),
}

impl ProvedSwaps {
    /// Prove swaps in all states and for every order of rules, on all threads of the current rayon
    /// pool.
    ///
    /// # Errors
    /// The first swap that is invalid or impossible, or a limit.
    pub fn prove(
        game: &Game,
        swaps: &[(RuleId, RuleId)],
        limits: &Limits,
    ) -> Result<Self, SwapFailure> {
        Self::prove_all(game, None, swaps, limits)
    }

    /// Prove swaps in states with some invariants, otherwise like [`prove`](Self::prove).
    ///
    /// # Errors
    /// As for [`prove`](Self::prove).
    pub fn prove_within(
        game: &Game,
        known: &ProvedInvariants,
        swaps: &[(RuleId, RuleId)],
        limits: &Limits,
    ) -> Result<Self, SwapFailure> {
        Self::prove_all(game, Some(known), swaps, limits)
    }

    fn prove_all(
        game: &Game,
        known: Option<&ProvedInvariants>,
        swaps: &[(RuleId, RuleId)],
        limits: &Limits,
    ) -> Result<Self, SwapFailure> {
        let failure = |(index, pair): (usize, &(RuleId, RuleId))| {
            if let Err(reason) = limits.check() {
                return Some(SwapFailure::Stopped(reason));
            }
            let flaw = check(game, known, *pair).err()?;
            let pair = *pair;
            Some(SwapFailure::Flaw { index, pair, flaw })
        };
        let checks = swaps.par_iter().enumerate();
        if let Some(failure) = checks.find_map_first(failure) {
            return Err(failure);
        }
        let mut second = vec![Vec::new(); game.rules().len()];
        for (first, other) in swaps {
            second[first.index()].push(other.0);
        }
        for list in &mut second {
            list.sort_unstable();
            list.dedup();
        }
        Ok(Self { second })
    }

    /// Return the number of rules of the game.
    pub fn n_rules(&self) -> usize {
        self.second.len()
    }

    /// The letters that may change places with a letter before them.
    pub(crate) fn with(&self, first: u32) -> &[u32] {
        &self.second[first as usize]
    }
}

fn check(
    game: &Game,
    known: Option<&ProvedInvariants>,
    (first, second): (RuleId, RuleId),
) -> Result<(), SwapFlaw> {
    for rule in [first, second] {
        if rule.index() >= game.rules().len() {
            let part = Part::Word;
            return Err(SwapFlaw::Word(Flaw::UnknownRule { part, rule }));
        }
    }
    if first == second {
        return Err(SwapFlaw::SameRule);
    }
    check_replaces(game, known, &[first, second], &[second, first]).map_err(SwapFlaw::Word)
}
