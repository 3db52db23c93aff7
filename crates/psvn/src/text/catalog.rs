//! Catalogs: built-in games, and the codes of findings.

use psvn_ir::near_miss;
use schemars::JsonSchema;
use serde::Serialize;

/// A built-in game.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct BuiltInGame {
    /// Its name.
    pub name: &'static str,
    /// The name with its arguments; brackets mark optional ones.
    pub usage: &'static str,
    /// A description of the game, in one line.
    pub summary: &'static str,
    /// Flags and `key=value` options after the numbers.
    pub options: Vec<GameOption>,
    /// The name with arguments that work.
    pub example: &'static str,
}

/// An option of a built-in game.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct GameOption {
    /// The flag, or the option with its choices.
    pub name: &'static str,
    /// Its effect.
    pub help: &'static str,
}

/// List the built-in games: none without the feature `domains`.
///
/// ```
/// let games = psvn::text::built_in_games();
/// assert!(games.iter().any(|game| game.name == "topspin"));
/// ```
#[cfg(feature = "domains")]
pub fn built_in_games() -> Vec<BuiltInGame> {
    let option = |option: &domains::OptionInfo| GameOption {
        name: option.name,
        help: option.help,
    };
    let game = |game: &domains::DomainInfo| BuiltInGame {
        name: game.name,
        usage: game.usage,
        summary: game.summary,
        options: game.options.iter().map(option).collect(),
        example: game.example,
    };
    domains::list().iter().map(game).collect()
}

/// List the built-in games: none without the feature `domains`.
#[cfg(not(feature = "domains"))]
pub fn built_in_games() -> Vec<BuiltInGame> {
    Vec::new()
}

/// A code of an error or warning about a text, explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct CodeExplanation {
    /// The code, such as `no-inverse`.
    pub code: &'static str,
    /// `error` or `warning`.
    pub severity: &'static str,
    /// Its meaning, why it matters, and what to do about it.
    pub explanation: &'static str,
}

impl CodeExplanation {
    /// Explain all codes.
    pub fn all() -> Vec<Self> {
        lint::codes().iter().map(Self::of).collect()
    }

    /// Explain the code of a name, in any case; `None` where there is no such code.
    pub fn named(name: &str) -> Option<Self> {
        lint::explain(name).map(Self::of)
    }

    /// Return the code that an unknown name may mean.
    pub fn near(name: &str) -> Option<&'static str> {
        near_miss(name, lint::codes().iter().map(|code| code.name))
    }

    fn of(code: &lint::Code) -> Self {
        Self {
            code: code.name,
            severity: code.severity.as_str(),
            explanation: code.explanation,
        }
    }
}
