//! Games as canonical rules: domains, variables, rules, states and goals.
//!
//! [`load`] makes a [`Game`] from PSVN text, and a [`GameBuilder`] makes one in code. Its rules are
//! in the canonical form of Burch & Holte 2011 ([`CanonicalRule`]), which all other crates rely on.
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
//! Without the default feature `text` the crate has only games and rules, and no parser.
//!
//! This crate knows text and meaning, but no sequences of rules: `macro-compose` composes those.

#[cfg(feature = "text")]
pub mod comments;
mod game;
mod ids;
#[cfg(feature = "text")]
pub mod instances;
#[cfg(feature = "text")]
pub mod lint;
#[cfg(feature = "text")]
mod load;
#[cfg(feature = "text")]
pub mod moves;
mod rule;
mod shared;
mod source;
#[cfg(feature = "testing")]
pub mod testing;

pub use game::domain::{Domain, DomainError, MAX_DOMAIN_SIZE};
pub use game::goal::Goal;
pub use game::names::{NamedGame, RuleNameError, RuleNames};
pub use game::random_walk::RandomWalk;
pub use game::relations::Relations;
pub use game::state::{State, StateError, all_states};
pub use game::{ContentHash, Game};
pub use ids::{DomainId, RuleId, SymbolId, Value, VarId};
#[cfg(feature = "text")]
pub use load::{Loaded, load, load_with_limit, load_within, read, read_within};
pub use rule::Rule;
pub use rule::canonical::CanonicalRule;
pub use rule::costs::common_divisor;
pub use rule::equations::Equation;
pub use rule::term::{Term, TermKind};
pub use shared::disjoint_sets::DisjointSets;
pub use shared::near::near_miss;
pub use shared::random;
pub use source::builder::{BuildError, GameBuilder, MAX_COST};
pub use source::cell::{Cell, CellKind, SourceRule};
pub use source::expand::TooManyRules;
pub use source::limits::{DEFAULT_RULE_LIMIT, LoadLimits, LoadStop};
