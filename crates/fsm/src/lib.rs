//! Machines that forbid words: table, Aho-Corasick, minimized.
//!
//! This crate knows letters, not rules: a letter is a number, a word is a slice of letters. It
//! turns a set of forbidden words into automata that accept exactly the words without a forbidden
//! part:
//!
//! * the *table machine* of Burch & Holte 2011, with a state for each word that must be remembered;
//! * the *Aho-Corasick machine* of Taylor 1992, with a state for each proper prefix of a forbidden
//!   word: the same language in fewer states;
//! * the minimal machine, which merges states that forbid the same continuations, or a machine with
//!   even fewer states, which may do anything with words that are impossible anyway.
//!
//! Machines run in two forms: [`Dense`], a table, for few states; and [`Compressed`], rows stored
//! as differences, for many. [`AnyMachine`] is either, and may be part of a mapped [`OpenFile`].
//!
//! ```
//! use fsm::{Machine, WordAutomaton};
//!
//! // Right 0, Left 1, Up 2, Down 3: the eight duplicate words of Taylor's grid (his figure 6).
//! let mut words = WordAutomaton::new(4);
//! for word in [[0, 1], [1, 0], [2, 0], [2, 1], [2, 3], [3, 0], [3, 1], [3, 2]] {
//!     words.forbid(&word)?;
//! }
//! let machine = words.build()?;
//! assert_eq!(machine.n_states(), 5);
//! let up = machine.next(machine.start(), 2).expect("a single letter is allowed");
//! assert!(machine.next(up, 2).is_some() && machine.next(up, 0).is_none());
//! # Ok::<(), fsm::BuildError>(())
//! ```

mod build;
mod coaccessible;
mod dot;
mod error;
mod file;
mod growth;
mod machine;
mod stop;

pub use build::automaton::WordAutomaton;
pub use build::dont_care::{minimize_with_dont_cares, minimize_with_dont_cares_unless};
pub use build::minimize::{minimize, minimize_unless};
pub use build::product::{product, product_within};
pub use build::sleep::sleep_machine;
pub use coaccessible::longest_continuations;
pub use dot::to_dot;
pub use error::BuildError;
pub use file::{
    CertifiedWord, CertifiedWords, FORMAT_VERSION, FileError, HeaderFlaw, MachineFile, MachineKind,
    OpenError, OpenFile, RulePart, SplitReason,
};
pub use growth::{
    Growth, growth, growth_of_compatible_pairs, growth_of_compatible_pairs_unless, growth_unless,
};
pub use machine::any::{AnyMachine, AnyState};
pub use machine::compressed::{Compressed, CompressedState, Layout};
pub use machine::dense::{Dense, DenseState, TableError};
pub use machine::differences::{RowDifference, RowDifferences};
pub use machine::over_rules::RuleMachine;
pub use machine::relabeled::Relabeled;
pub use machine::shared::SharedMachine;
pub use machine::stored_dense::StoredDense;
pub use machine::{Machine, MachineState, Unrestricted};
pub use stop::Stopped;
