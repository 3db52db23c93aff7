//! Invariants: facts that hold in all reachable states because no rule changes them.
//!
//! Move pruning by composition considers all states, also those that can't occur: two moves of a
//! sliding-tile puzzle compose to a precondition with two blanks. Invariants rule such sequences
//! out. They are found from the rules, never declared:
//!
//! - *Counts*: exactly k facts of a set hold, such as "exactly 1 of variables 1-9 holds 0"
//!   ([`find`], [`Conserved`]).
//! - *Unreachable facts*: a variable never holds a value.
//! - *Exclusive pairs* of facts that never hold together.
//! - [`Parity`]: in puzzles that only move values, such as sliding tiles, half of the arrangements
//!   can't be reached from the other half.
//! - [`Arrangements`]: in such puzzles, exactly which states can be reached, and how many there
//!   are, by the group of their moves.
//!
//! [`Refuter`] proves by counts, parities and groups that no goal can be reached from a state.
//!
//! [`Invariants`] hold in all states that can be reached from given starts.
//!
//! ```
//! use invariants::Invariants;
//!
//! let game = psvn_ir::load("
//!     3  3 3 3
//!     0 A - => A 0 -   A 0 - => 0 A -
//!     - 0 A => - A 0   - A 0 => - 0 A
//!     GOAL 0 1 2
//! ").game.expect("a game without errors");
//! let invariants = Invariants::from_goals(&game);
//! assert_eq!(invariants.to_lines(&game)[0], "exactly 1 of variables 1-3 holds 0");
//!
//! let two_blanks = game.parse_state("0 0 2")?;
//! let error = invariants.check_state(&game, &two_blanks).expect_err("two blanks");
//! assert_eq!(
//!     error.to_string(),
//!     "value `0` occurs 2 times among variables 1-3; the analysis assumed exactly 1"
//! );
//! # Ok::<(), psvn_ir::StateError>(())
//! ```
//!
//! This crate knows single rules, but no sequences of rules.

mod conserved;
mod counts;
mod describe;
mod facts;
mod invariants;
mod patterns;
mod permutations;
mod reach;
mod start_set;
mod text;
mod violation;

pub use conserved::{Conserved, ConservedSet, find, find_unless};
pub use describe::Description;
pub use facts::Fact;
pub use invariants::{CountInvariant, Invariants};
pub use patterns::tables::Scratch;
pub use permutations::{Arrangements, Cardinality, Parity};
pub use reach::refuter::{NoWay, Refuter};
pub use start_set::StartSet;
pub use text::{ParseError, ParseProblem};
pub use violation::Violation;

/// The number of rules examined between two calls of a `stop` function.
pub(crate) const RULES_BETWEEN_CHECKS: usize = 1 << 10;

/// A kind of invariants that was omitted because the game is too large. The others are correct
/// without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Omission {
    /// Some or all counts.
    Counts,
    /// The unreachable facts.
    Facts,
    /// The exclusive pairs.
    Pairs,
}
