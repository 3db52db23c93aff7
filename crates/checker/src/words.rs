//! Certificates: each redundant word with the word that replaces it.

use std::fmt;

use psvn_ir::{Game, RuleId};
use rayon::prelude::*;

use crate::execution::{Ground, Inapplicable, Outcome, run, run_on_unknowns};
use crate::invariants::ProvedInvariants;
use crate::invariants::closing::{close, within};
use crate::invariants::irrelevance::ProvedIrrelevance;
use crate::order::WordOrder;

/// A claim that a word is redundant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Certificate<'a> {
    /// The word, as rules of the game.
    pub word: &'a [RuleId],
    /// The word that replaces it. It may be empty.
    pub replacement: &'a [RuleId],
}

/// One of the two words of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The word that is claimed to be redundant.
    Word,
    /// The word that is claimed to replace it.
    Replacement,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Part::Word => "word",
            Part::Replacement => "replacement",
        })
    }
}

/// Why a certificate is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// A rule that the game doesn't have.
    #[error("the {part} names rule {}, which the game doesn't have", rule.0)]
    UnknownRule {
        /// The word or the replacement that contains it.
        part: Part,
        /// Its number, from 0.
        rule: RuleId,
    },
    /// A rule has no place in the given rule order.
    #[error("the {part} names rule {}, which has no place in the rule order", rule.0)]
    Unranked {
        /// The word or the replacement that contains it.
        part: Part,
        /// Its number, from 0.
        rule: RuleId,
    },
    /// The replacement doesn't come before the word in the order. (In an order by cost, a
    /// replacement that comes later because it costs more [`CostsMore`](Self::CostsMore).)
    #[error("the replacement doesn't come before the word in the order")]
    NotBefore,
    /// The replacement costs more.
    #[error("the replacement costs {replacement}, the word only {word}")]
    CostsMore {
        /// The cost of the word.
        word: u128,
        /// The cost of the replacement.
        replacement: u128,
    },
    /// No state allows the word: it is impossible, which is not the same as redundant. Redundancy
    /// also holds in abstract versions of a game in which values are merged; impossibility doesn't.
    #[error("the word is impossible, not redundant: no state allows its rule {}", step + 1)]
    Impossible {
        /// The place in the word, from 0, of the first rule that can't follow.
        step: usize,
    },
    /// No state with the invariants allows the word, though other states do.
    #[error("the word is impossible, not redundant: no state with the invariants allows it")]
    Excluded,
    /// In some state in which the word can be used, the replacement can't be.
    #[error("the replacement can't be used everywhere: position {} fails the test of its rule {}", position + 1, step + 1)]
    NotApplicable {
        /// The place in the replacement, from 0, of the rule that doesn't apply.
        step: usize,
        /// The position, from 0, whose test can fail.
        position: usize,
    },
    /// The two don't always lead to the same state.
    #[error("the replacement leads elsewhere: the states differ at position {}", position + 1)]
    DifferentResult {
        /// The first position, from 0, at which the two states can differ.
        position: usize,
    },
}

/// The first rejected certificate of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("certificate {}: {flaw}", index + 1)]
pub struct WordFailure {
    /// The place of the certificate, from 0.
    pub index: usize,
    /// Its flaw.
    pub flaw: Flaw,
}

/// Check certificates. Return their number.
///
/// # Errors
/// The first certificate that [`check_word`] rejects.
pub fn check_words<'a>(
    game: &Game,
    certificates: impl IntoIterator<Item = Certificate<'a>>,
    order: impl Into<WordOrder<'a>>,
) -> Result<usize, WordFailure> {
    let order = order.into();
    let mut n_checked = 0;
    for (index, certificate) in certificates.into_iter().enumerate() {
        check_word(game, certificate, order).map_err(|flaw| WordFailure { index, flaw })?;
        n_checked += 1;
    }
    Ok(n_checked)
}

/// Check that a word is redundant with its replacement, in all states.
///
/// The replacement must come before the word and cost no more. Then the word is carried out on a
/// state of unknown values. That gives the most general state that allows it: some values are
/// constants, some equal each other, and all others are free. The replacement is carried out on
/// that state, with the unknowns as constants that occur nowhere else. A result for these holds for
/// all values. So if its preconditions hold and it ends in the same state, it does so wherever the
/// word can be used.
///
/// # Errors
/// The flaw.
pub fn check_word<'a>(
    game: &Game,
    certificate: Certificate<'_>,
    order: impl Into<WordOrder<'a>>,
) -> Result<(), Flaw> {
    check_in_order(game, Given::default(), certificate, order.into())
}

/// Check that a word is redundant with its replacement, in states with some invariants.
///
/// A certificate that [`check_word`] accepts is also valid here. Otherwise values that the
/// invariants imply are added to the most general state that allows the word, and the replacement
/// is carried out on that.
///
/// # Errors
/// The flaw.
pub fn check_word_within<'a>(
    game: &Game,
    known: &ProvedInvariants,
    certificate: Certificate<'_>,
    order: impl Into<WordOrder<'a>>,
) -> Result<(), Flaw> {
    check_in_order(game, Given::within(known), certificate, order.into())
}

fn check_in_order(
    game: &Game,
    given: Given<'_>,
    certificate: Certificate<'_>,
    order: WordOrder<'_>,
) -> Result<(), Flaw> {
    let Certificate { word, replacement } = certificate;
    for (part, rules) in [(Part::Word, word), (Part::Replacement, replacement)] {
        if let Some(&rule) = rules.iter().find(|rule| rule.index() >= game.rules().len()) {
            return Err(Flaw::UnknownRule { part, rule });
        }
        if let Some(&rule) = rules.iter().find(|rule| !order.knows(**rule)) {
            return Err(Flaw::Unranked { part, rule });
        }
    }
    let costs = [cost(game, word), cost(game, replacement)];
    let costs_more = costs[1] > costs[0];
    let is_before = order.is_before((replacement, costs[1]), (word, costs[0]));
    let is_late_by_cost = costs_more && order.is_by_cost();
    if !is_before && !is_late_by_cost {
        return Err(Flaw::NotBefore);
    }
    check_replaces_given(game, given, word, replacement)
}

/// The premises of a proof.
#[derive(Clone, Copy, Debug, Default)]
struct Given<'a> {
    /// The invariants of states.
    known: Option<&'a ProvedInvariants>,
    /// The variables in which the ends of a word and of its replacement may differ.
    irrelevant: Option<&'a ProvedIrrelevance>,
}

impl<'a> Given<'a> {
    fn within(known: &'a ProvedInvariants) -> Self {
        Self {
            known: Some(known),
            irrelevant: None,
        }
    }
}

/// Check that a replacement costs no more, can be used wherever a word can, and then leads to the
/// same state: in all states, or in those with the invariants. All rules must be known.
pub(crate) fn check_replaces(
    game: &Game,
    known: Option<&ProvedInvariants>,
    word: &[RuleId],
    replacement: &[RuleId],
) -> Result<(), Flaw> {
    let given = Given {
        known,
        irrelevant: None,
    };
    check_replaces_given(game, given, word, replacement)
}

fn check_replaces_given(
    game: &Game,
    given: Given<'_>,
    word: &[RuleId],
    replacement: &[RuleId],
) -> Result<(), Flaw> {
    let costs = [cost(game, word), cost(game, replacement)];
    if costs[1] > costs[0] {
        return Err(Flaw::CostsMore {
            word: costs[0],
            replacement: costs[1],
        });
    }
    let outcome = run_on_unknowns(game, word).map_err(|impossible| Flaw::Impossible {
        step: impossible.step,
    })?;
    check_outcome_given(game, given, &outcome, replacement)
}

/// Check that a word can be carried out from the most general state that allows another, and
/// leads to the same state.
pub(crate) fn check_outcome(
    game: &Game,
    known: Option<&ProvedInvariants>,
    outcome: &Outcome,
    replacement: &[RuleId],
) -> Result<(), Flaw> {
    let given = Given {
        known,
        irrelevant: None,
    };
    check_outcome_given(game, given, outcome, replacement)
}

fn check_outcome_given(
    game: &Game,
    Given { known, irrelevant }: Given<'_>,
    Outcome { start, end }: &Outcome,
    replacement: &[RuleId],
) -> Result<(), Flaw> {
    let flaw = match leads_to(game, replacement, start, end, irrelevant) {
        Ok(()) => return Ok(()),
        Err(flaw) => flaw,
    };
    let Some(known) = known.filter(|known| !known.is_empty()) else {
        return Err(flaw);
    };
    let start = close(known, start).ok_or(Flaw::Excluded)?;
    let end = within(&start, end);
    leads_to(game, replacement, &start, &end, irrelevant)
}

/// Check that a word can be carried out from a state, and leads to another, or to one that
/// differs from it only in irrelevant variables.
fn leads_to(
    game: &Game,
    word: &[RuleId],
    start: &[Ground],
    end: &[Ground],
    irrelevant: Option<&ProvedIrrelevance>,
) -> Result<(), Flaw> {
    let reached = run(game, word, start)
        .map_err(|Inapplicable { step, position }| Flaw::NotApplicable { step, position })?;
    let matters = |position: &usize| !irrelevant.is_some_and(|it| it.contains(*position));
    let mut positions = (0..end.len()).filter(matters);
    match positions.find(|position| end[*position] != reached[*position]) {
        Some(position) => Err(Flaw::DifferentResult { position }),
        None => Ok(()),
    }
}

/// Check certificates on all threads of the current rayon pool. Return those that [`check_word`]
/// rejects, in order.
///
/// To show progress, or to be interruptible, pass some of them at a time.
pub fn find_flaws<'a>(
    game: &Game,
    certificates: &[Certificate<'_>],
    order: impl Into<WordOrder<'a>>,
) -> Vec<WordFailure> {
    find_all(game, Given::default(), certificates, order.into())
}

/// Like [`find_flaws`], with [`check_word_within`].
pub fn find_flaws_within<'a>(
    game: &Game,
    known: &ProvedInvariants,
    certificates: &[Certificate<'_>],
    order: impl Into<WordOrder<'a>>,
) -> Vec<WordFailure> {
    find_all(game, Given::within(known), certificates, order.into())
}

/// Like [`find_flaws_within`] for searches that only look for goals: a word and its replacement may
/// lead to states that differ in irrelevant variables.
///
/// Taylor (1992), section 2.4: it is enough that the two are equivalent with respect to the goal.
/// Take the first of the cheapest paths to a goal in the order. It has no word with this proof:
/// replace the word, and drop the later rules that change nothing relevant; then the path could
/// still be carried out, would end in a goal state, cost no more, and come earlier.
pub fn find_flaws_for_goals<'a>(
    game: &Game,
    known: &ProvedInvariants,
    irrelevant: &ProvedIrrelevance,
    certificates: &[Certificate<'_>],
    order: impl Into<WordOrder<'a>>,
) -> Vec<WordFailure> {
    let given = Given {
        known: Some(known),
        irrelevant: Some(irrelevant),
    };
    find_all(game, given, certificates, order.into())
}

fn find_all(
    game: &Game,
    given: Given<'_>,
    certificates: &[Certificate<'_>],
    order: WordOrder<'_>,
) -> Vec<WordFailure> {
    let failure = |(index, certificate): (usize, &Certificate<'_>)| {
        let flaw = check_in_order(game, given, *certificate, order).err()?;
        Some(WordFailure { index, flaw })
    };
    let checks = certificates.par_iter().enumerate();
    checks.filter_map(failure).collect()
}

/// The exact sum: a word has fewer than 2^64 rules.
pub(crate) fn cost(game: &Game, word: &[RuleId]) -> u128 {
    word.iter()
        .map(|rule| u128::from(game.rule(*rule).canonical.cost()))
        .sum()
}
