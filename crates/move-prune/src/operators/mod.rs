//! Operators: all rules that share a label, taken as one.
//!
//! Taylor and Korf (Taylor 1992; Taylor & Korf 1993) describe the sliding-tile puzzle by four
//! operators, where PSVN needs a rule for each direction and each square of the blank. A *label
//! word* is a sequence of labels; its *instances* are the sequences of rules with these labels that
//! can be carried out from some state that matters. A machine over labels is much smaller than one
//! over rules (4 letters instead of 48 for the 15-puzzle), but prunes less: it doesn't know where
//! the blank is.
//!
//! # When a label word may be forbidden
//! To forbid a label word B is to forbid all of its instances. That is safe when each instance b of
//! B has a replacement: an instance a of a label word *before* B that generalizes b at no greater
//! cost. "Before" is by length first, then by the letters from left to right, in the order of the
//! operators. The label words of the replacements may differ from instance to instance.
//!
//! *Proof.* Take any path, with the label word W. If W contains a forbidden word B, say W = X B Y,
//! the path is x b y with an instance b of B, carried out in a state that occurs. Replace b by a,
//! an instance of A before B: the path x a y leads to the same state at no greater cost, and isn't
//! longer. Its label word X A Y comes before X B Y, since the order is nested. There is no infinite
//! descent in an order by length and letters, so after some steps no forbidden word is left. ∎
//!
//! It doesn't matter how many rules with one label apply in a state: the proof follows a path of
//! rules and doesn't depend on which rule a label means. It does matter that the label word becomes
//! *earlier* in each step. An instance that only another instance of the same label word
//! generalizes is not replaced, although an analysis by rule would replace it. And every instance
//! must have a replacement, not only those that apply in some example state.
//!
//! The search may use any machine over labels that forbids only such words, and passes it the label
//! of each rule that it carries out. The states in which the search starts must be among those that
//! the analysis admitted, as for an analysis by rule.
//!
//! # Two ways to find them
//! [`analyze_operators`] finds all such words up to a length. [`learn`](crate::learn()) is Taylor's
//! algorithm: it finds candidates from one state only, and needs one replacing label word for all
//! instances.

mod analysis;
mod certify;
mod instances;
mod open_instances;
mod order;
mod result;

use std::collections::HashMap;
use std::sync::Arc;

use budget::{Limits, OnProgress};
use macro_compose::{Composer, PreparedRule};
use psvn_ir::{CanonicalRule, Game, RuleId};

use crate::analysis::Admits;

pub use analysis::analyze_operators;
pub(crate) use instances::Instances;
pub use order::OperatorOrder;
pub use result::{InstanceReplacement, OperatorAnalysis, OperatorLevel, RedundantOperatorWord};

/// What to analyze by label, and up to which limits.
#[derive(Clone, Default)]
pub struct OperatorOptions<'a> {
    /// The length of the longest label words that are compared.
    pub max_length: usize,
    /// The limits of the analysis.
    pub limits: Limits,
    /// Knowledge about the states that a search will meet, as for an analysis by rule
    /// ([`Options::admits`](crate::Options::admits)). It must admit every condition that holds in
    /// some state reachable from the states that matter.
    pub admits: Option<&'a dyn Admits>,
    /// Receives the progress of the analysis at intervals.
    pub progress: Option<&'a OnProgress<'a>>,
}

impl OperatorOptions<'_> {
    /// Label words up to a length, without limits and without knowledge about states.
    pub fn up_to(max_length: usize) -> Self {
        Self {
            max_length,
            ..Self::default()
        }
    }
}

impl std::fmt::Debug for OperatorOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OperatorOptions")
            .field("max_length", &self.max_length)
            .field("limits", &self.limits)
            .field("admits", &self.admits.map(|_| "some states"))
            .finish_non_exhaustive()
    }
}

/// The reasons why labels don't give operators.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OperatorError {
    /// An order of operators names a label that no rule has.
    #[error("no rule has the label `{label}`")]
    UnknownLabel {
        /// The label.
        label: String,
    },
    /// An order of operators names a label twice.
    #[error("the label `{label}` is listed twice")]
    RepeatedLabel {
        /// The label.
        label: String,
    },
    /// An order of operators leaves out a label.
    #[error("the order of the operators leaves out `{label}`")]
    MissingLabel {
        /// The label.
        label: String,
    },
    /// An operator that isn't one function from states to states.
    #[error(
        "rules {} and {} share the label `{label}`, and both may apply in one state",
        first.0 + 1, second.0 + 1
    )]
    Ambiguous {
        /// The label.
        label: String,
        /// One rule.
        first: RuleId,
        /// The other one.
        second: RuleId,
    },
}

/// The operators of a game: its rules by label. An operator's number is its letter in machines.
///
/// ```
/// use move_prune::Operators;
///
/// let game = psvn_ir::load("
///     3  2 2 2
///     0 A B => A 0 B  LABEL right   A 0 B => A B 0  LABEL Right
///     A 0 B => 0 A B  LABEL left    A B 0 => A 0 B  LABEL LEFT
///     GOAL 0 1 1
/// ").game.expect("a game without errors");
/// let operators = Operators::by_label(&game);
/// assert_eq!(operators.names().collect::<Vec<_>>(), ["right", "left"]);
/// assert_eq!(operators.letters(), [0, 0, 1, 1]);
/// let swapped = Operators::in_order(&game, &["left", "right"])?;
/// assert_eq!(swapped.letters(), [1, 1, 0, 0]);
/// # Ok::<(), move_prune::OperatorError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operators {
    names: Vec<Arc<str>>,
    letter_of: Vec<u32>,
    rules: Vec<Vec<RuleId>>,
}

impl Operators {
    /// Return the operators of a game, in order of the first occurrence of their labels. Labels are
    /// compared without regard to case, as everywhere in PSVN, and spelled as in their first
    /// occurrence.
    pub fn by_label(game: &Game) -> Self {
        let mut operators = Self {
            names: Vec::new(),
            letter_of: Vec::with_capacity(game.rules().len()),
            rules: Vec::new(),
        };
        let mut letters: HashMap<String, u32> = HashMap::new();
        for (id, rule) in game.rules_with_ids() {
            let fresh = operators.names.len() as u32;
            let letter = *letters
                .entry(rule.label.to_ascii_lowercase())
                .or_insert(fresh);
            if letter == fresh {
                operators.names.push(Arc::clone(&rule.label));
                operators.rules.push(Vec::new());
            }
            operators.letter_of.push(letter);
            operators.rules[letter as usize].push(id);
        }
        operators
    }

    /// Return the operators of a game in another order, which names each label once.
    ///
    /// # Errors
    /// When a label is unknown, listed twice or left out.
    #[expect(clippy::missing_panics_doc, reason = "it can't happen")]
    pub fn in_order(game: &Game, labels: &[&str]) -> Result<Self, OperatorError> {
        let found = Self::by_label(game);
        let mut place: Vec<Option<u32>> = vec![None; found.len()];
        let mut operators = Self {
            names: Vec::with_capacity(found.len()),
            letter_of: Vec::new(),
            rules: Vec::with_capacity(found.len()),
        };
        for label in labels {
            let old = found
                .names
                .iter()
                .position(|name| name.eq_ignore_ascii_case(label))
                .ok_or_else(|| OperatorError::UnknownLabel {
                    label: (*label).to_owned(),
                })?;
            if place[old].is_some() {
                return Err(OperatorError::RepeatedLabel {
                    label: (*label).to_owned(),
                });
            }
            place[old] = Some(operators.names.len() as u32);
            operators.names.push(Arc::clone(&found.names[old]));
            operators.rules.push(found.rules[old].clone());
        }
        let place: Option<Vec<u32>> = place.iter().copied().collect();
        let Some(place) = place else {
            let is_missing = |name: &&Arc<str>| !operators.names.contains(name);
            let missing = found.names.iter().find(is_missing);
            return Err(OperatorError::MissingLabel {
                label: missing.expect("some label has no place").to_string(),
            });
        };
        let renamed = found.letter_of.iter().map(|old| place[*old as usize]);
        operators.letter_of = renamed.collect();
        Ok(operators)
    }

    /// Return the number of operators.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Return whether there are no operators: the game has no rules.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Return the labels, in order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// Return, for each rule, the letter of its operator: a search over rules passes it to a
    /// machine over labels.
    pub fn letters(&self) -> &[u32] {
        &self.letter_of
    }

    /// Return the rules of an operator, in order.
    ///
    /// # Panics
    /// When there is no such letter.
    pub fn rules(&self, letter: u32) -> &[RuleId] {
        &self.rules[letter as usize]
    }

    /// Check that no two rules with one label apply in the same state that matters.
    ///
    /// Takes a composition for each pair of rules with one label.
    ///
    /// # Errors
    /// The first pair that may apply in one state. Without knowledge about states, many games have
    /// one: a board with two blanks lets the blank move right in two ways.
    ///
    /// # Panics
    /// When the rules aren't those of the game, or don't have `n_variables` positions.
    pub fn check_unambiguous(
        &self,
        n_variables: usize,
        rules: &[CanonicalRule],
        admits: Option<&dyn Admits>,
    ) -> Result<(), OperatorError> {
        let mut composer = Composer::new(n_variables);
        for (letter, members) in self.rules.iter().enumerate() {
            let prepared: Vec<PreparedRule> = members
                .iter()
                .map(|rule| PreparedRule::new(&rules[rule.index()]))
                .collect();
            for (i, first) in members.iter().enumerate() {
                // A rule that only tests, followed by the other rule, tests both preconditions.
                let tests = rules[first.index()].preconditions();
                for (second, prepared) in members.iter().zip(&prepared).skip(i + 1) {
                    composer.load_parts(tests, tests, 0);
                    let both = composer.append(prepared).is_ok();
                    if both && admits.is_none_or(|admits| admits.admits(composer.preconditions())) {
                        return Err(OperatorError::Ambiguous {
                            label: self.names[letter].to_string(),
                            first: *first,
                            second: *second,
                        });
                    }
                }
            }
        }
        Ok(())
    }
}
