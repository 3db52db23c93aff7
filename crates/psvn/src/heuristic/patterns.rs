//! Patterns from files, and from blocks of a game's text.

use std::path::Path;

use abstraction::Abstraction;
use heuristic_choice::tables::Pattern;

use crate::environment::{Environment, Event};
use crate::error::{Error, ErrorKind};
use crate::game::Game;
use crate::text::Source;

/// Read the abstraction file or script of a name, or take the block of that name in the game's
/// text; see [`Game::abstraction_names`]. A file wins.
///
/// # Errors
/// When there is neither, or when it has errors, which are emitted as events.
pub fn named_pattern(game: &Game, name: &Path, env: &Environment) -> Result<Pattern, Error> {
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
