//! Errors in making an abstract game.

use psvn_ir::BuildError;

/// The reasons why there is no abstract game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AbstractionError {
    /// The abstraction was made for another game.
    #[error("the abstraction was made for a game with other domains or variables")]
    OtherGame,
    /// Rules that read dropped variables become one rule for each value, and those are too many.
    #[error(
        "with rule `{label}` the abstract game has more than {limit} rules, since rules read variables that are dropped"
    )]
    TooManyRules {
        /// The label of the concrete rule.
        label: String,
        /// The limit.
        limit: usize,
    },
    /// The parts don't form a valid game.
    #[error(transparent)]
    Build(#[from] BuildError),
}
