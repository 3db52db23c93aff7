//! Redundant sequences: explained, listed with their reasons, and proved again.
//!
//! `move-prune` finds the sequences of rules that are redundant, and a machine file holds them,
//! each with the sequence that replaces it. This crate says why that is right:
//!
//! | question | answer |
//! |---|---|
//! | why is a sequence redundant, impossible, or neither? | [`RulesExplained`], [`OperatorsExplained`] |
//! | how is a macro-rule composed? | [`Composition`] |
//! | how does a machine read a sequence? | [`read_word`] |
//! | which words does a file hold, and which invariants does each replacement need? | [`WordList`] |
//! | which transitions does a machine have? | [`TransitionTable`] |
//! | is all true that a file claims? | [`verify()`], by `checker` |
//! | do the words of one game hold in another one? | [`transfer`], by `checker` |
//! | does a file belong to a game, and may a search begin at a state? | [`file`](mod@file) |
//!
//! ```
//! use psvn_ir::RuleId;
//! use redundancy::Composition;
//!
//! let game = psvn_ir::load("2 2 2\n0 - => 1 - LABEL up\n1 - => 0 - LABEL down\n");
//! let game = game.game.expect("a game without errors");
//! let composed = Composition::of(&game, &[RuleId(0), RuleId(1)], false);
//! assert_eq!(composed.rule.as_deref(), Some("<0 x2> -> <0 x2>"));
//! let impossible = Composition::of(&game, &[RuleId(0), RuleId(0)], false);
//! let reason = impossible.reason.expect("it can't be carried out");
//! assert!(reason.starts_with("up can never follow up: position 1 holds 1 then"));
//! ```
//!
//! # What this crate doesn't know
//! Where files come from, how long an analysis may take and in which threads: the caller opens
//! files, and analyzes ([`Analyzer`]).

mod error;
mod explain;
pub mod file;
pub mod ignored;
mod known;
mod letters;
mod listing;
pub mod macro_rules;
mod parts;
pub mod transfer;
mod verify;

pub use crate::error::{Error, ErrorKind, Hint, unreadable};
pub use crate::explain::{
    Analyzer, Appended, Certificate, CertifiedSide, Composition, CompositionStep, Nearest,
    OperatorInstance, OperatorsExplained, Reading, ReadingOfParts, ReadingStep, RulesExplained,
    WordVerdict, read_word, resolve_operators,
};
pub use crate::ignored::SearchFor;
pub use crate::known::{Known, admits, canonical_rules};
pub use crate::letters::{LetterNames, Letters};
pub use crate::listing::{
    ComesFirst, LengthRange, RedundantWord, ReplacedBy, TableRow, TransitionTable, WordFilter,
    WordList,
};
pub use crate::parts::split_game;
pub use crate::verify::{FailedCertificate, MachineFlaw, Progress, Verification, verify};
