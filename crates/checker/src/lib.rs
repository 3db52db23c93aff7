//! An independent checker of redundancy certificates.
//!
//! An analysis says of each redundant word which earlier word replaces it. Finding that out takes
//! composition, indices and discrimination trees; checking it takes none of them. This crate shares
//! no code with the analysis, and works by another method:
//!
//! * [`check_words`] carries each word out on a state of unknown values, to learn the most general
//!   state from which that is possible, and then carries the replacement out on that very state.
//! * [`check_automaton`] walks a machine and a plain recognizer of its own side by side, and finds
//!   that they forbid the same, or a shortest word about which they disagree.
//!
//! Both together make a machine trustworthy whoever made it: it forbids exactly words that contain a
//! redundant one, and each of those has a replacement that comes before it in a nested total order,
//! which is what makes the pruning safe (Burch & Holte 2011, "Move Pruning", with the order that
//! Holte's talk on PSVN adds).
//!
//! ```
//! use checker::{Certificate, Order, check_automaton, check_words};
//! use psvn_ir::RuleId;
//!
//! let game = psvn_ir::load("
//!     2  2 2
//!     0 - => 1 -  LABEL LEFT
//!     - 0 => - 1  LABEL RIGHT
//!     GOAL 1 1
//! ").game.expect("a game without errors");
//! let (left, right) = (RuleId(0), RuleId(1));
//! let word = [right, left];
//! let certificate = Certificate { word: &word, replacement: &[left, right] };
//! assert_eq!(check_words(&game, [certificate], Order::LengthLexicographic), Ok(1));
//!
//! // A machine with two states that forbids LEFT after RIGHT. States: was the last rule RIGHT?
//! let next = |after_right: bool, letter: u32| match (after_right, letter) {
//!     (true, 0) => None,
//!     (_, letter) => Some(letter == 1),
//! };
//! assert_eq!(check_automaton(2, &[[1, 0]], false, next), Ok(2));
//! ```
//!
//! # What this crate doesn't know
//! Composition, redundancy by matching, tries of kept words, how machines are stored. Of a rule it
//! asks its preconditions, its actions and its cost, and nothing else.

mod automaton;
mod execution;
mod order;
mod words;

pub use automaton::{AutomatonFlaw, check_automaton};
pub use order::{NoOrder, Order, RuleRanks, WordOrder};
pub use words::{Certificate, Flaw, Part, WordFailure, check_word, check_words};
