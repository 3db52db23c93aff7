//! The reasons why a heuristic doesn't fit a game.

use budget::StopReason;
use psvn_ir::{Game, RuleId};
use search::check::rule_name;

/// The reasons why a heuristic doesn't fit a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// There is no goal, so nothing to estimate.
    #[error("the game has no goal")]
    NoGoal,
    /// A rule has an effect that the heuristic can't handle.
    #[error("rule `{name}` {reason}")]
    Rule {
        /// The rule.
        rule: RuleId,
        /// Its label, with its number among the rules of that label if there are several.
        name: String,
        /// Its effect.
        reason: String,
    },
    /// The game is of another kind.
    #[error("{0}")]
    Kind(String),
    /// Both interpretations of the game are refused.
    #[error("by values, {by_values}; by variables, {by_variables}")]
    Both {
        /// Values are the pieces, variables their places.
        by_values: Box<Refusal>,
        /// Variables are the pieces, values their places.
        by_variables: Box<Refusal>,
    },
    /// The tables would be too large.
    #[error("its tables would have more than {limit} entries")]
    TooLarge {
        /// The maximum number of entries.
        limit: usize,
    },
    /// A limit on making it was reached.
    #[error("it wasn't made, because {}", reason.clause())]
    Stopped {
        /// The limit.
        reason: StopReason,
    },
}

impl Refusal {
    /// Refuse because a rule has a forbidden effect.
    pub(crate) fn rule(game: &Game, rule: RuleId, reason: impl Into<String>) -> Self {
        Self::Rule {
            rule,
            name: rule_name(game, rule),
            reason: reason.into(),
        }
    }

    /// Refuse because the game is of another kind.
    pub(crate) fn kind(reason: impl Into<String>) -> Self {
        Self::Kind(reason.into())
    }
}
