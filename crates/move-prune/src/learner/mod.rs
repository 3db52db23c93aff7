//! The learner of Taylor (1992) and of Taylor & Korf (1993), with an exact test of applicability.
//!
//! It searches for words of operators that lead from one *generic* state to the same state: breadth
//! first, words in order of length and then of their letters. A hash table by state finds
//! duplicates. Words that contain a duplicate word are left out. If two words lead to the same
//! state, the one found first is kept.
//!
//! # The test of applicability
//! If operators have preconditions, a word B that leads from one state to where A leads need not be
//! replaceable (Taylor's section 2.5): B may be possible where A is not. Taylor compares the
//! bounding boxes of the blank's walks. Here B is a duplicate of A only if every instance of B that
//! can be carried out from some state that matters is generalized, at no greater cost, by an
//! instance of A, in the sense of Burch & Holte 2011: A can be used wherever B can, and then leads
//! to the same state. See [`operators`](crate::operators) for why that is safe. A pair that fails
//! is *rejected*; its second word stays in the tree and is extended like any other.
//!
//! # Why that is the bounding box on a board
//! Let the game be the sliding-tile puzzle on an n x n board, with one blank. An instance of a word
//! is then the word with a start square of the blank such that the walk stays on the board. Say
//! that in B the blank goes at most u squares up from its start, and at most d down. B was carried
//! out on this board, so u + d < n, and it has an instance that starts in row u, and one that
//! starts d rows from the bottom. A is possible from both only if it goes no further up than u and
//! no further down than d. The same holds for left and right. So the exact test on the board of the
//! learner is that the box of A lies in that of B, and it is valid for every smaller board, on
//! which B has fewer instances. For larger boards the test is the same as well, since it depends on
//! the boxes alone.
//!
//! On the board to be solved, the exact test may accept more: no instance starts where B has no
//! room. But no square of a 4 x 4 board is generic, so the words are found on a larger board, whose
//! center is. [`analyze_operators`](crate::analyze_operators) needs no such state.

mod found;
mod proof;
mod store;

use std::time::Duration;

use budget::{OnProgress, StopReason, Watch};
use psvn_ir::{CanonicalRule, RuleId, Term};

use crate::analysis::extension::costs_fit;
use crate::limits::{deepen, report_and_check};
use crate::operators::{Instances, OperatorError, OperatorOptions, Operators};

use found::Tree;
use proof::{Counterexample, Ground};
use store::StateStore;

/// The number of words extended between two checks of the limits.
const WORDS_BETWEEN_CHECKS: usize = 1024;

/// The reasons why nothing can be learned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LearnError {
    /// The rules with one label aren't one operator.
    #[error(transparent)]
    Operators(#[from] OperatorError),
    /// A start of the wrong length.
    #[error("the start has {found} entries, and the game has {expected} variables")]
    StartLength {
        /// The number of variables.
        expected: usize,
        /// The number of entries.
        found: usize,
    },
    /// An unknown in the start is neither that of its own position nor that of an earlier one that
    /// holds it.
    #[error("entry {} of the start isn't in canonical form", position + 1)]
    StartForm {
        /// The position, counted from 0.
        position: usize,
    },
    /// The start isn't among the states that matter.
    #[error("the start is not among the states that the analysis covers")]
    StartNotAdmitted,
}

/// A duplicate word, with its certificate.
///
/// No proper part of it is a duplicate word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DuplicateWord {
    /// The word, as letters of operators.
    pub word: Box<[u32]>,
    /// The earlier word that replaces it wherever it can be used.
    pub replacement: Box<[u32]>,
}

/// Why a word isn't a duplicate of one that leads from the start to the same state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The earlier word can't be used wherever this one can.
    Inapplicable,
    /// It leads elsewhere from some states: the start wasn't generic.
    LeadsElsewhere,
    /// It costs more.
    CostsMore,
}

/// Two words that lead from the start to the same state, of which the second isn't a duplicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedPair {
    /// The second word, as letters of operators.
    pub word: Box<[u32]>,
    /// The word found before it.
    pub earlier: Box<[u32]>,
    /// Why it can't replace the second one.
    pub reason: Reason,
    /// An instance of the second word that shows it.
    pub instance: Box<[RuleId]>,
}

/// The results at one length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LearnedLevel {
    /// The length of the words.
    pub length: usize,
    /// The words that were tried: those without a duplicate part that extend a word in the tree by
    /// one operator.
    pub tried: u64,
    /// Those that can't be carried out from the start.
    pub inapplicable: u64,
    /// Those that are duplicates.
    pub duplicates: u64,
    /// Those that lead to the same state as an earlier word, but aren't duplicates.
    pub rejected: u64,
    /// Those that lead to a new state.
    pub kept: u64,
    /// The time that the level took.
    pub elapsed: Duration,
    /// The bytes held at its end.
    pub bytes: usize,
}

/// The result of learning.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The number of operators: the letters of a machine.
    pub n_letters: usize,
    /// The length up to which all words were tried.
    pub max_length: usize,
    /// Why it stopped before the requested length, if it did.
    pub stopped: Option<StopReason>,
    /// The results at each length from 1 on.
    pub levels: Vec<LearnedLevel>,
    /// The duplicate words, by length and then by their letters: what a machine must forbid.
    pub duplicates: Vec<DuplicateWord>,
    /// The pairs that failed the test of applicability, in the same order.
    pub rejected: Vec<RejectedPair>,
}

impl Learned {
    /// Return whether it reached the requested length.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none()
    }
}

/// Learn duplicate words of operators from one generic state (Taylor 1992, section 2.2).
///
/// `start` holds for each position a constant, or the unknown x_j of the first position j with the
/// same value. An unknown differs from all other unknowns and from all constants, so `0` for the
/// blank in the center and `x_j` everywhere else is the generic state of a sliding-tile puzzle.
/// Constants of a state work as well; if they make different words look alike, pairs are rejected.
///
/// Time and memory are proportional to the number of states found, apart from the tests of
/// applicability: those take a composition for each instance of a candidate's beginnings. The table
/// of rules that can follow each other takes at most one for each pair of rules. A state takes a
/// byte for each position (two in large games).
///
/// # Errors
/// When two rules of one operator may apply in the same state, or the start is not valid.
///
/// # Panics
/// When the rules aren't those of the operators, or don't all have `n_variables` positions.
pub fn learn(
    n_variables: usize,
    rules: &[CanonicalRule],
    operators: &Operators,
    start: &[Term],
    options: &OperatorOptions<'_>,
) -> Result<Learned, LearnError> {
    check_start(n_variables, start, options)?;
    let watch = Watch::new(options.limits.clone());
    operators.check_unambiguous(n_variables, rules, options.admits)?;
    let instances = if costs_fit(rules, options.max_length) {
        Instances::new(n_variables, rules, operators, options.admits, &watch)
    } else {
        Err(StopReason::TooLarge)
    };
    let instances = match instances {
        Ok(instances) => instances,
        Err(reason) => {
            return Ok(Learned {
                n_letters: operators.len(),
                max_length: 0,
                stopped: (options.max_length > 0).then_some(reason),
                levels: Vec::new(),
                duplicates: Vec::new(),
                rejected: Vec::new(),
            });
        }
    };
    let mut learner = Learner {
        instances,
        ground: Ground::new(rules, operators),
        states: StateStore::new(n_variables, rules, start),
        tree: Tree::new(operators.len()),
        duplicates: Vec::new(),
        rejected: Vec::new(),
        list_bytes: 0,
        watch,
        progress: options.progress,
    };
    learner.states.find_or_insert(start);
    let mut n_found = (0, 0);
    let deepened = deepen(options.max_length, |length| {
        let level = learner.level(length)?;
        n_found = (learner.duplicates.len(), learner.rejected.len());
        let is_last = level.kept + level.rejected == 0;
        Ok((level, is_last))
    });
    // Longer duplicates are valid, but only complete lengths are reported.
    learner.duplicates.truncate(n_found.0);
    learner.rejected.truncate(n_found.1);
    Ok(Learned {
        n_letters: operators.len(),
        max_length: deepened.max_length,
        stopped: deepened.stopped,
        levels: deepened.levels,
        duplicates: learner.duplicates,
        rejected: learner.rejected,
    })
}

fn check_start(
    n_variables: usize,
    start: &[Term],
    options: &OperatorOptions<'_>,
) -> Result<(), LearnError> {
    if start.len() != n_variables {
        return Err(LearnError::StartLength {
            expected: n_variables,
            found: start.len(),
        });
    }
    let is_canonical = |(position, term): (usize, &Term)| {
        term.as_variable()
            .is_none_or(|var| var.index() <= position && start[var.index()] == *term)
    };
    if let Some(position) = start
        .iter()
        .enumerate()
        .position(|entry| !is_canonical(entry))
    {
        return Err(LearnError::StartForm { position });
    }
    if options.admits.is_some_and(|admits| !admits.admits(start)) {
        return Err(LearnError::StartNotAdmitted);
    }
    Ok(())
}

struct Learner<'a> {
    instances: Instances<'a>,
    ground: Ground<'a>,
    states: StateStore,
    tree: Tree,
    duplicates: Vec<DuplicateWord>,
    rejected: Vec<RejectedPair>,
    /// The bytes of the words in those lists.
    list_bytes: usize,
    watch: Watch,
    progress: Option<&'a OnProgress<'a>>,
}

impl Learner<'_> {
    fn level(&mut self, length: usize) -> Result<LearnedLevel, StopReason> {
        let started = self.watch.elapsed();
        let mut level = LearnedLevel {
            length,
            ..LearnedLevel::default()
        };
        let n_found_before = self.duplicates.len();
        let parents = self.tree.next_parents();
        let n_parents = parents.len();
        for (i, parent) in parents.enumerate() {
            if i % WORDS_BETWEEN_CHECKS == 0 {
                let parts = (i, n_parents);
                report_and_check(&self.watch, length, parts, self.bytes(), &mut |at| {
                    self.progress.inspect(|progress| progress(at));
                })?;
                if !self.tree.has_room() {
                    return Err(StopReason::Memory);
                }
            }
            self.extend(parent, &mut level)?;
        }
        for duplicate in &self.duplicates[n_found_before..] {
            self.tree.forbid(&duplicate.word);
        }
        level.elapsed = self.watch.elapsed() - started;
        level.bytes = self.bytes();
        tracing::debug!(?level, "level learned");
        Ok(level)
    }

    fn extend(&mut self, parent: u32, level: &mut LearnedLevel) -> Result<(), StopReason> {
        let state = self.states.get(self.tree.state(parent)).to_vec();
        let mut next = state.clone();
        for letter in 0..self.instances.n_letters as u32 {
            if self.tree.is_forbidden(parent, letter) {
                continue;
            }
            level.tried += 1;
            next.copy_from_slice(&state);
            if self.ground.apply(letter, &mut next).is_none() {
                level.inapplicable += 1;
                continue;
            }
            let (id, is_new) = self.states.find_or_insert(&next);
            if is_new {
                level.kept += 1;
                self.tree.push(parent, letter, id, true);
                continue;
            }
            let mut word = self.tree.word(parent);
            word.push(letter);
            let word = word.into_boxed_slice();
            let earlier = self.tree.word(self.tree.first(id)).into_boxed_slice();
            self.list_bytes += (word.len() + earlier.len() + 4) * size_of::<u64>();
            match proof::counterexample(&self.instances, &mut self.ground, &word, &earlier, || {
                self.watch.check(0, 0)
            })? {
                None => {
                    level.duplicates += 1;
                    self.duplicates.push(DuplicateWord {
                        word,
                        replacement: earlier,
                    });
                }
                Some(Counterexample { reason, instance }) => {
                    level.rejected += 1;
                    self.tree.push(parent, letter, id, false);
                    self.rejected.push(RejectedPair {
                        word,
                        earlier,
                        reason,
                        instance,
                    });
                }
            }
        }
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.states.bytes() + self.tree.bytes() + self.list_bytes
    }
}
