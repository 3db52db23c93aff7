//! Patterns by text, from files, and from blocks of a game's text.

use std::path::Path;

use abstraction::Abstraction;
use pattern_databases::CoordinatePattern;

use crate::environment::{Environment, Event};
use crate::error::{Error, ErrorKind};
use crate::game::Game;
use crate::text::Source;

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
    pub fn parse(game: &Game, text: &str) -> Result<Self, Error> {
        let refused = |error: String| Error::usage(format!("pattern `{text}`: {error}"));
        if CoordinatePattern::is_begun(text) {
            let coordinates = CoordinatePattern::parse(game.ir(), text);
            return Ok(Self {
                name: text.to_owned(),
                abstraction: Abstraction::identity(game.ir()),
                coordinates: Some(coordinates.map_err(|error| refused(error.to_string()))?),
            });
        }
        match Abstraction::from_pattern(game.ir(), text) {
            Ok(abstraction) => Ok(Self {
                name: text.to_owned(),
                abstraction,
                coordinates: None,
            }),
            Err(error) => Err(refused(error.to_string())),
        }
    }

    /// Return the pattern that merges nothing: its table is that of the whole game.
    pub fn whole(game: &Game) -> Self {
        Self {
            name: "the whole game".to_owned(),
            abstraction: Abstraction::identity(game.ir()),
            coordinates: None,
        }
    }

    /// Read the abstraction file or script of a name, or take the block of that name in the game's
    /// text; see [`Game::abstraction_names`]. A file wins.
    ///
    /// # Errors
    /// When there is neither, or when it has errors, which are emitted as events.
    pub fn named(game: &Game, name: &Path, env: &Environment) -> Result<Self, Error> {
        let block = name.to_str().filter(|_| !name.exists());
        if let Some(found) = block.and_then(|name| game.abstraction(name)) {
            let (name, text) = (found.name.clone(), found.text);
            return read(Source::new(game.name(), text), name, env, |_| {
                Abstraction::from_block(game.ir(), found.block)
            });
        }
        let source = Source::read(name).map_err(|error| match &game.abstraction_names()[..] {
            [] => error,
            names if error.hint().is_none() => {
                let known = names.join(", ");
                error.with_hint(format!("the game has abstractions of its own: {known}"))
            }
            _ => error,
        })?;
        let name = source.name.clone();
        read(source, name, env, |text| {
            Abstraction::from_file_or_script(game.ir(), text)
        })
    }
}

/// Read the pattern that a text describes; a mistake becomes an event and an error.
fn read(
    mut source: Source,
    name: String,
    env: &Environment,
    read: impl FnOnce(&str) -> Result<Abstraction, Vec<psvn_syntax::Diagnostic>>,
) -> Result<Pattern, Error> {
    match read(&source.text) {
        Ok(abstraction) => Ok(Pattern {
            name,
            abstraction,
            coordinates: None,
        }),
        Err(found) => {
            source.diagnostics.extend(found);
            env.emit(&Event::TextErrors(&source));
            Err(Error::text(source, ErrorKind::Input))
        }
    }
}
