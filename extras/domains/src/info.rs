//! A generator's description of itself.

use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::psvn::Game;

/// The name and arguments of a generator.
#[derive(Debug)]
#[non_exhaustive]
pub struct DomainInfo {
    /// Its name.
    pub name: &'static str,
    /// Name and arguments in one line; brackets mark optional parts.
    pub usage: &'static str,
    /// What the game is, in one line.
    pub summary: &'static str,
    /// Flags and `key=value` options behind the numbers.
    pub options: &'static [OptionInfo],
    /// A valid call, as written behind `psvn gen`.
    pub example: &'static str,
    pub(crate) build: fn(&mut Arguments<'_>) -> Result<Game, GenerateError>,
}

/// A flag or option of a generator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct OptionInfo {
    /// The flag, or the option with its choices (`order=label|position`).
    pub name: &'static str,
    /// What it changes, and the default.
    pub help: &'static str,
}

impl OptionInfo {
    pub(crate) const fn new(name: &'static str, help: &'static str) -> Self {
        Self { name, help }
    }
}
