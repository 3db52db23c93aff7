//! Instance files whose states are given by moves from the goal.

use std::collections::HashSet;

use formats::scrambles::{Scramble, begins_with_block, parse};
use psvn_ir::instances::Instance;
use psvn_syntax::Diagnostic;

use super::InstanceFormat;
use super::scramble::{Scrambler, Wrong};
use crate::error::Error;
use crate::game::Game;

/// Whether a file has scrambles, by the given format or by its content.
pub(super) fn is_meant(text: &str, format: InstanceFormat) -> bool {
    match format {
        InstanceFormat::Scrambles => true,
        InstanceFormat::Auto => begins_with_block(text),
        InstanceFormat::Plain | InstanceFormat::Korf => false,
    }
}

/// The instances of a file of scrambles, or all errors with their places.
pub(super) fn read(
    text: &str,
    game: &Game,
) -> Result<Result<Vec<Instance>, Vec<Diagnostic>>, Error> {
    let scrambles = match parse(text) {
        Ok(scrambles) => scrambles,
        Err(errors) => return Ok(Err(errors)),
    };
    let scrambler = Scrambler::new(game, game.scramble_start()?);
    let mut instances = Vec::with_capacity(scrambles.len());
    let mut errors = Vec::new();
    for scramble in scrambles {
        let words: Vec<&str> = scramble.moves.iter().map(|word| word.text).collect();
        match scrambler.walk(&words) {
            Ok(walk) => instances.push(Instance {
                span: scramble.span,
                ..Instance::new(scramble.id, walk.end().clone(), scramble.known_cost)
            }),
            Err(wrong) => errors.push(shown(&scramble, &wrong)),
        }
    }
    Ok(if errors.is_empty() {
        Ok(instances)
    } else {
        Err(errors)
    })
}

/// The diagnostic of an error in a scramble, at its place in the file.
fn shown(scramble: &Scramble<'_>, wrong: &Wrong) -> Diagnostic {
    let word = scramble.moves.get(wrong.word);
    let span = word.map_or(scramble.span, |word| word.span);
    Diagnostic::error("wrong-scramble", wrong.error.to_string()).at(span, "at this move")
}

/// Warn of names that several scrambles have.
pub(super) fn repeated_names(instances: &[Instance]) -> Vec<Diagnostic> {
    let mut seen = HashSet::new();
    let repeated = instances.iter().filter(|it| !seen.insert(&*it.id));
    let warning = |it: &Instance| {
        let message = format!("two instances are called `{}`", it.id);
        Diagnostic::warning("repeated-instance-name", message)
            .at(it.span, "the same name as another one")
    };
    repeated.map(warning).collect()
}
