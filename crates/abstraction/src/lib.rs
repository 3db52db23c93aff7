//! Abstractions: smaller games in which no path costs more.
//!
//! An [`Abstraction`] merges values of domains (*domain abstraction*), drops variables
//! (*projection*), or does both. The result is an [`AbstractGame`]: a [`Game`](psvn_ir::Game)
//! again, in which each step of the concrete game is possible at no greater cost. So the least cost
//! to an abstract goal never exceeds that to a concrete one (Holte & Hernádvölgyi 1999; "Heuristic
//! search", Edelkamp & Schrödl 2012, chapter 4).
//!
//! Where rules move positions in groups, such as the stickers of a cube, a pattern may keep some
//! *pieces* and let all others look alike ([`Abstraction::keep_pieces`]); [`PieceSystem`] finds
//! them.
//!
//! For heuristics that may be *added*, each rule's cost is charged to the value at one position
//! ([`CostPartition`]), and a pattern pays only for its own values.
//!
//! ```
//! use abstraction::{AbstractGame, Abstraction};
//!
//! let text = domains::generate("sliding-tiles", &["3", "3"])?;
//! let game = psvn_ir::load(&text).game.expect("a game without errors");
//! // The blank and tiles 1 to 3 stay what they are, all other tiles look alike.
//! let pattern = Abstraction::from_pattern(&game, "keep 0 1-3")?;
//! let abstract_game = AbstractGame::new(&game, &pattern)?;
//! let start = game.parse_state("8 7 6 5 4 3 2 1 0")?;
//! let abstract_state = abstract_game.abstract_state(start.values());
//! assert_eq!(abstract_game.game().format_state(&abstract_state), "4 4 4 4 4 3 2 1 0");
//! assert_eq!(abstract_game.game().rules().len(), 24);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Symmetry`] maps states to states that are equally far from the goal.
//!
//! This crate makes games from games, and builds no tables.

mod abstract_game;
mod abstract_rules;
mod cost_partition;
mod error;
mod map;
mod pattern;
mod piece_system;
mod reading;
mod symmetry;
mod text;

pub use abstract_game::{AbstractGame, DEFAULT_RULE_LIMIT, Statistics};
pub use abstract_rules::RuleCounts;
pub use cost_partition::{
    Charge, CostPartition, NotAdditive, Share, n_rules_naming, rules_of_variables,
};
pub use error::AbstractionError;
pub use map::Abstraction;
pub use pattern::PatternError;
pub use piece_system::{PieceOrbit, PieceSystem, PiecesError};
pub use symmetry::{Mapped, Symmetry};
pub use text::to_psvn;
