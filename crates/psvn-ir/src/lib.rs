//! Games as canonical rules: domains, variables, rules, states and goals.
//!
//! A [`Game`] is made by [`load`] from PSVN text, or by a [`GameBuilder`] in code. Its rules are in
//! the canonical form of Burch & Holte 2011 ([`CanonicalRule`]), on which everything above stands.
//!
//! ```
//! let loaded = psvn_ir::load("
//!     3  2 2 2                         # three variables with the values 0 and 1
//!     0 A B => B 1 A  LABEL ROTATE
//!     X X X => X X 0  LABEL CLEAR  COST 2
//!     GOAL 1 1 -
//! ");
//! let game = loaded.game.expect("a game without errors");
//! assert_eq!(game.format_rule(&game.rules()[0].canonical), "<0 x2 x3> -> <x3 1 x2>");
//! assert_eq!(game.format_rule(&game.rules()[1].canonical), "<x1 x1 x1> -> <x1 x1 0>");
//!
//! let loaded = psvn_ir::load("3  2 2 colour\n0 A => B 1 A");
//! assert!(loaded.game.is_none());
//! assert!(loaded.diagnostics.iter().any(|found| found.code == "unknown-domain"));
//! ```
//!
//! This crate knows text and meaning, but nothing of sequences of rules: those are composed by
//! `macro-compose`.

mod builder;
mod cell;
mod domain;
mod expand;
mod game;
mod ids;
pub mod instances;
pub mod lint;
mod lower;
mod near;
mod relations;
mod rule;
mod state;
mod term;
#[cfg(feature = "testing")]
pub mod testing;

pub use builder::{BuildError, DEFAULT_RULE_LIMIT, GameBuilder};
pub use cell::{Cell, CellKind, SourceRule};
pub use domain::{Domain, DomainError, MAX_DOMAIN_SIZE};
pub use expand::TooManyRules;
pub use game::{ContentHash, Game, Goal, Rule};
pub use ids::{DomainId, RuleId, SymbolId, Value, VarId};
pub use near::near_miss;
pub use relations::Relations;
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

/// Reads a game from PSVN text, with at most [`DEFAULT_RULE_LIMIT`] rules after expansion.
///
/// All errors of the text are found in one pass. Warnings about a game without errors include those
/// of [`lint::lint`].
pub fn load(source: &str) -> Loaded {
    load_with_limit(source, DEFAULT_RULE_LIMIT)
}

/// Like [`load`] with another limit on the number of rules.
pub fn load_with_limit(source: &str, rule_limit: usize) -> Loaded {
    let psvn_syntax::Parse {
        file,
        mut diagnostics,
        ..
    } = psvn_syntax::parse(source);
    let mut symbols = lint::symbols::SymbolLint::default();
    let mut game = lower::lower(&file, rule_limit, Some(&mut symbols), &mut diagnostics);
    symbols.finish(&mut diagnostics);
    if diagnostics.iter().any(Diagnostic::is_error) {
        game = None;
    }
    if let Some(game) = &game {
        let found = lint::lint_file(game, &file);
        lint::without_consequences(found, &mut diagnostics);
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.span.start));
    lint::group(&mut diagnostics);
    Loaded { game, diagnostics }
}

/// Like [`load`] without the warnings that take a look at the game: for those who show none.
///
/// Finds the same errors.
pub fn read(source: &str) -> Loaded {
    read_with_limit(source, DEFAULT_RULE_LIMIT)
}

/// Like [`read`] with another limit on the number of rules.
pub fn read_with_limit(source: &str, rule_limit: usize) -> Loaded {
    let psvn_syntax::Parse {
        file,
        mut diagnostics,
        ..
    } = psvn_syntax::parse(source);
    let mut game = lower::lower(&file, rule_limit, None, &mut diagnostics);
    if diagnostics.iter().any(Diagnostic::is_error) {
        game = None;
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.span.start));
    Loaded { game, diagnostics }
}
