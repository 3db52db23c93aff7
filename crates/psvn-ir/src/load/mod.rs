//! Reading games from text.

mod lower;

use psvn_syntax::Diagnostic;

use crate::game::Game;
use crate::lint;
use crate::source::limits::{DEFAULT_RULE_LIMIT, LoadLimits, LoadStop};

/// The result of [`load`].
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The game; `None` when there were errors.
    pub game: Option<Game>,
    /// Errors and warnings about the text, in order of place.
    pub diagnostics: Vec<Diagnostic>,
    /// The limit that was reached, if any: then there is no game, with or without errors.
    pub stopped: Option<LoadStop>,
}

/// Read a game from PSVN text, with at most [`DEFAULT_RULE_LIMIT`] rules after expansion.
///
/// All errors of the text are found in one pass. Warnings about a game without errors include those
/// of [`lint::lint`].
pub fn load(source: &str) -> Loaded {
    load_with_limit(source, DEFAULT_RULE_LIMIT)
}

/// Like [`load`] with another limit on the number of rules.
pub fn load_with_limit(source: &str, rule_limit: usize) -> Loaded {
    let limits = LoadLimits {
        rules: rule_limit,
        ..LoadLimits::default()
    };
    load_within(source, &limits)
}

/// Like [`load`] within limits, which hold from the first byte on: a text whose tree would take too
/// much memory isn't parsed, and rules are counted before they are made.
pub fn load_within(source: &str, limits: &LoadLimits<'_>) -> Loaded {
    let mut symbols = lint::symbols::SymbolLint::default();
    let mut loaded = resolve(source, limits, Some(&mut symbols));
    symbols.finish(&mut loaded.diagnostics);
    if let Some(game) = &loaded.game {
        let found = lint::lint_text(game, source);
        lint::without_consequences(found, &mut loaded.diagnostics);
    }
    sort(&mut loaded.diagnostics);
    lint::group(&mut loaded.diagnostics);
    loaded
}

/// Like [`load`], but without warnings about meaning.
///
/// Finds the same errors.
pub fn read(source: &str) -> Loaded {
    read_within(source, &LoadLimits::default())
}

/// Like [`read`] within limits (see [`load_within`]).
pub fn read_within(source: &str, limits: &LoadLimits<'_>) -> Loaded {
    let mut loaded = resolve(source, limits, None);
    sort(&mut loaded.diagnostics);
    loaded
}

fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by_key(|it| it.primary.as_ref().map(|label| label.span.start));
}

/// Parse a text and resolve what its words mean.
fn resolve(
    source: &str,
    limits: &LoadLimits<'_>,
    symbols: Option<&mut lint::symbols::SymbolLint>,
) -> Loaded {
    if let Some(diagnostic) = too_large_to_parse(source, limits) {
        return Loaded {
            game: None,
            diagnostics: vec![diagnostic],
            stopped: Some(LoadStop::Size),
        };
    }
    let psvn_syntax::Parse {
        file,
        mut diagnostics,
        stopped,
    } = psvn_syntax::parse_unless(source, limits.stop);
    let lowered = if stopped {
        Err(LoadStop::Requested)
    } else {
        lower::lower(file, limits, symbols, &mut diagnostics)
    };
    let (mut game, stopped) = match lowered {
        Ok(game) => (game, None),
        Err(stopped) => (None, Some(stopped)),
    };
    if diagnostics.iter().any(Diagnostic::is_error) {
        game = None;
    }
    Loaded {
        game,
        diagnostics,
        stopped,
    }
}

/// Refuse a text whose syntax tree would take more memory than the limits allow.
fn too_large_to_parse(source: &str, limits: &LoadLimits<'_>) -> Option<Diagnostic> {
    // Most texts are too short to need counting: each word has at least a byte and a space.
    if LoadLimits::bytes_of_words(source.len() / 2 + 1) <= limits.memory {
        return None;
    }
    let bytes = LoadLimits::bytes_of_words(source.split_ascii_whitespace().count());
    (bytes > limits.memory).then(|| {
        let message = format!(
            "reading this file needs about {}, and the limit is {}",
            budget::format_bytes(bytes as u128),
            budget::format_bytes(limits.memory as u128)
        );
        Diagnostic::error("file-too-large", message)
    })
}
