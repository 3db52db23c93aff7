//! Operators: rules that share one letter, and words of these letters.
//!
//! A word of operators stands for its *instances*: the sequences of rules, one for each letter,
//! that can be carried out. It may be forbidden if each of them has a replacement: a sequence of
//! rules that can be used wherever the instance can, leads to the same state, costs no more, and
//! *whose word of operators comes before* the forbidden one, by length first and then by letters. A
//! path with a forbidden word can then be replaced by one whose word of operators comes earlier,
//! and there is no infinite descent; so some best path to every state remains. It doesn't matter
//!
//! * how many rules of one operator apply in a state, or
//! * whether the replacements of different instances belong to one word of operators.
//!
//! Another instance of the same word isn't a valid replacement.
//!
//! # Words learned from one state
//! Taylor (1992) finds words by carrying operators out from one generic state. That two words lead
//! from there to the same state proves nothing about other states, in which the first may not be
//! possible. So a word's origin doesn't count, and results for one board are not carried over to
//! another: all of its instances in the game at hand are listed again, and the earlier word is
//! carried out on the most general state of each. On a smaller board there are fewer instances;
//! with two blanks, if the invariants don't rule them out, there are more.

pub(crate) mod label_words;

use psvn_ir::{Game, RuleId};

/// The rules of a game as operators: each rule has the letter of one operator.
///
/// A search must translate rules for the machine by these letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operators {
    n_operators: usize,
    letter_of: Vec<u32>,
    /// By letter, as far as rules have them.
    rules: Vec<Vec<RuleId>>,
}

/// Why letters make no operators.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OperatorFlaw {
    /// The number of letters isn't that of the rules.
    #[error("there are {found} letters for {expected} rules")]
    Length {
        /// The number of rules.
        expected: usize,
        /// The number of letters.
        found: usize,
    },
    /// A letter that isn't an operator.
    #[error("rule {} has the letter {letter}, and there are {n_operators} operators", rule.0 + 1)]
    UnknownLetter {
        /// The rule.
        rule: RuleId,
        /// Its letter, from 0.
        letter: u32,
        /// The number of operators.
        n_operators: usize,
    },
    /// A rule whose label isn't listed.
    #[error("rule {} has the label `{label}`, which belongs to no operator", rule.0 + 1)]
    UnknownLabel {
        /// The rule.
        rule: RuleId,
        /// Its label.
        label: String,
    },
    /// A label that is listed twice.
    #[error("the operator `{label}` is listed twice")]
    RepeatedLabel {
        /// The label.
        label: String,
    },
}

impl Operators {
    /// Make operators from the letter of each rule.
    ///
    /// # Errors
    /// The number of letters is not that of the rules, or a letter is not less than the number of
    /// operators.
    pub fn new(game: &Game, n_operators: usize, letters: &[u32]) -> Result<Self, OperatorFlaw> {
        if letters.len() != game.rules().len() {
            return Err(OperatorFlaw::Length {
                expected: game.rules().len(),
                found: letters.len(),
            });
        }
        let mut operators = Self {
            n_operators,
            letter_of: letters.to_vec(),
            rules: Vec::new(),
        };
        for ((rule, _), letter) in game.rules_with_ids().zip(letters) {
            let place = *letter as usize;
            if place >= n_operators {
                return Err(OperatorFlaw::UnknownLetter {
                    rule,
                    letter: *letter,
                    n_operators,
                });
            }
            if place >= operators.rules.len() {
                operators.rules.resize(place + 1, Vec::new());
            }
            operators.rules[place].push(rule);
        }
        Ok(operators)
    }

    /// The operators with these labels, in this order. Case makes no difference.
    ///
    /// # Errors
    /// When a label is listed twice, or a rule has a label that is not listed.
    pub fn by_label(game: &Game, labels: &[impl AsRef<str>]) -> Result<Self, OperatorFlaw> {
        let is_label = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
        for (place, label) in labels.iter().enumerate() {
            let label = label.as_ref();
            if labels[..place].iter().any(|l| is_label(l.as_ref(), label)) {
                let label = label.to_owned();
                return Err(OperatorFlaw::RepeatedLabel { label });
            }
        }
        let letter = |(rule, label): (RuleId, &str)| {
            let place = labels.iter().position(|l| is_label(l.as_ref(), label));
            place
                .map(|place| place as u32)
                .ok_or_else(|| OperatorFlaw::UnknownLabel {
                    rule,
                    label: label.to_owned(),
                })
        };
        let rules = game.rules_with_ids();
        let letters: Result<Vec<u32>, OperatorFlaw> =
            rules.map(|(id, rule)| letter((id, &rule.label))).collect();
        Self::new(game, labels.len(), &letters?)
    }

    /// Return the number of operators.
    pub fn len(&self) -> usize {
        self.n_operators
    }

    /// Return whether there are no operators.
    pub fn is_empty(&self) -> bool {
        self.n_operators == 0
    }

    /// For each rule the letter of its operator.
    pub fn letters(&self) -> &[u32] {
        &self.letter_of
    }

    /// The rules of an operator; may be empty.
    pub(crate) fn rules(&self, letter: u32) -> &[RuleId] {
        self.rules.get(letter as usize).map_or(&[], Vec::as_slice)
    }

    /// The word of operators that a sequence of rules belongs to.
    pub(crate) fn word(&self, sequence: &[RuleId]) -> Vec<u32> {
        let letters = sequence.iter().map(|rule| self.letter_of[rule.index()]);
        letters.collect()
    }
}
