//! Why a heuristic doesn't fit a game.

use psvn_ir::{Game, RuleId};
use search::check::rule_name;

/// Why a heuristic doesn't fit a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// There is no goal to estimate the way to.
    #[error("the game has no goal")]
    NoGoal,
    /// A rule does what the heuristic can't account for.
    #[error("rule `{name}` {reason}")]
    Rule {
        /// The rule.
        rule: RuleId,
        /// Its label, with its number among the rules of that label if there are several.
        name: String,
        /// What it does.
        reason: String,
    },
    /// The game is of another kind.
    #[error("{0}")]
    Kind(String),
    /// Both ways to understand the game are refused.
    #[error("by values, {by_values}; by variables, {by_variables}")]
    Both {
        /// Values are what moves, variables are where they stand.
        by_values: Box<Refusal>,
        /// Variables are what moves, values are where they stand.
        by_variables: Box<Refusal>,
    },
    /// The tables would be too large.
    #[error("its tables would have more than {limit} entries")]
    TooLarge {
        /// The most entries that are made.
        limit: usize,
    },
}

impl Refusal {
    /// That a rule does what it mustn't.
    pub(crate) fn rule(game: &Game, rule: RuleId, reason: impl Into<String>) -> Self {
        Self::Rule {
            rule,
            name: rule_name(game, rule),
            reason: reason.into(),
        }
    }

    /// That the game is of another kind.
    pub(crate) fn kind(reason: impl Into<String>) -> Self {
        Self::Kind(reason.into())
    }
}
