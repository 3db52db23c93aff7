//! Levels of Sokoban as games.

use domains::LevelError;
use psvn_syntax::{Diagnostic, Span};

use crate::environment::{Environment, Event};
use crate::error::{Error, ErrorKind};
use crate::text::Source;

/// Write a level of Sokoban as PSVN: the one of this number, from 1, in a text of rows such as
/// `#@ $.#`. `options` are those of the built-in game `sokoban`.
///
/// ```
/// use psvn::{Environment, Source, sokoban_level};
///
/// let env = Environment::default();
/// let level = Source::new("small.xsb", "#####\n#@$.#\n#####\n");
/// let text = sokoban_level(level, 1, &["cost=pushes"], &env)?;
/// assert!(text.contains("LABEL R"));
/// let wrong = Source::new("wrong.xsb", "#####\n#@$?#\n#####\n");
/// assert!(sokoban_level(wrong, 1, &[], &env).is_err());
/// # Ok::<(), psvn::Error>(())
/// ```
///
/// # Errors
/// When there is no such level, it makes no game, or an option is wrong. Errors in the text are
/// emitted with their places.
pub fn sokoban_level(
    mut source: Source,
    number: usize,
    options: &[&str],
    env: &Environment,
) -> Result<String, Error> {
    // A byte order mark is no part of the first row.
    if let Some(unmarked) = source.text.strip_prefix('\u{feff}') {
        source.text = unmarked.to_owned();
    }
    match domains::sokoban_level(&source.text, number, options) {
        Ok(text) => Ok(text),
        Err(LevelError::Text {
            line,
            column,
            message,
            hint,
        }) => {
            let span = span(&source.text, line, column);
            let found = Diagnostic::error("sokoban-level", message);
            source.diagnostics = vec![found.at(span, "").hint(hint)];
            env.emit(&Event::TextErrors(&source));
            Err(Error::text(source, ErrorKind::Input))
        }
        Err(error @ LevelError::Missing { .. }) => {
            Err(Error::input(format!("{}: {error}", source.name)))
        }
        Err(error) => Err(Error::usage(error.to_string())),
    }
}

/// The character at a line and column, both from 1.
fn span(text: &str, line: usize, column: usize) -> Span {
    let lines = text.split_inclusive('\n').take(line - 1);
    let begin: usize = lines.map(str::len).sum();
    let rest = &text[begin..];
    let mut signs = rest.char_indices().skip(column - 1);
    let (offset, length) = match signs.next() {
        Some((offset, sign)) => (offset, sign.len_utf8()),
        None => (rest.len(), 0),
    };
    Span::new(begin + offset, begin + offset + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found() {
        let text = "a\n\u{e9}bc\n";
        assert_eq!(span(text, 1, 1), Span::new(0, 1));
        assert_eq!(span(text, 2, 1), Span::new(2, 4));
        assert_eq!(span(text, 2, 2), Span::new(4, 5));
        assert_eq!(span(text, 3, 1), Span::new(7, 7));
    }
}
