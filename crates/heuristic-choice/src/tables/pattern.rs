//! What a table keeps of a state, by text.

use std::fmt::Display;

use abstraction::Abstraction;
use pattern_databases::CoordinatePattern;
use psvn_ir::Game;

use crate::PrepareError;

/// An abstraction with a name.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// Its name: the text that describes it, or the file that it was read from.
    pub name: String,
    /// Which values are merged and which variables are dropped. Nothing is, where `coordinates` say
    /// what looks alike.
    pub abstraction: Abstraction,
    /// Which positions look alike, in a pattern of coordinates.
    pub coordinates: Option<CoordinatePattern>,
}

impl Pattern {
    /// Read a pattern such as `keep 0-4`, `project 1-8`, or `like R2 F2 U2`.
    ///
    /// # Errors
    /// When the text isn't a pattern of this game.
    pub fn parse(game: &Game, text: &str) -> Result<Self, PrepareError> {
        let refused = |why: &dyn Display| PrepareError::of_pattern(text, why);
        if CoordinatePattern::is_begun(text) {
            let coordinates = CoordinatePattern::parse(game, text);
            return Ok(Self {
                name: text.to_owned(),
                abstraction: Abstraction::identity(game),
                coordinates: Some(coordinates.map_err(|error| refused(&error))?),
            });
        }
        match Abstraction::from_pattern(game, text) {
            Ok(abstraction) => Ok(Self {
                name: text.to_owned(),
                abstraction,
                coordinates: None,
            }),
            Err(error) => Err(refused(&error)),
        }
    }

    /// Return the pattern that merges nothing: its table is that of the whole game.
    pub fn whole(game: &Game) -> Self {
        Self {
            name: "the whole game".to_owned(),
            abstraction: Abstraction::identity(game),
            coordinates: None,
        }
    }
}
