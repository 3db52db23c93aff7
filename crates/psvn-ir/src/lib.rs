//! Games as canonical rules: domains, variables, rules, states and goals.
//!
//! A [`Game`] is made by [`load`] from PSVN text, or by a [`GameBuilder`] in code. Its rules are in
//! the canonical form of Burch & Holte 2011 ([`CanonicalRule`]), on which everything above stands.
//!
//! ```
//! let loaded = psvn_ir::load("
//!     2 3 3 3            # two values, three variables
//! ");
//! assert!(loaded.game.is_none() && loaded.diagnostics[0].is_error());
//! ```
//! This crate knows text and meaning, but nothing of sequences of rules: those are composed by
//! `macro-compose`.

mod builder;
mod cell;
mod domain;
mod expand;
mod game;
mod ids;
mod near;
mod rule;
mod state;
mod term;

pub use builder::{BuildError, DEFAULT_RULE_LIMIT, GameBuilder};
pub use cell::{Cell, CellKind, SourceRule};
pub use domain::{Domain, DomainError, MAX_DOMAIN_SIZE};
pub use expand::TooManyRules;
pub use game::{ContentHash, Game, Goal, Rule};
pub use ids::{DomainId, RuleId, SymbolId, Value, VarId};
pub use near::near_miss;
pub use rule::CanonicalRule;
pub use state::{State, StateError};
pub use term::{Term, TermKind};

use psvn_syntax::Diagnostic;

/// What [`load`] made of a text.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The game; `None` when there were errors.
    pub game: Option<Game>,
    /// Errors and warnings about the text, in order of place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a game from PSVN text.
pub fn load(source: &str) -> Loaded {
    let parse = psvn_syntax::parse(source);
    Loaded { game: None, diagnostics: parse.diagnostics }
}
