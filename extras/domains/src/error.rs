//! Errors of generators. Each one states what was expected and the generator's usage.

use thiserror::Error;

/// Why a generator wrote no game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// No generator has this name.
    #[error("unknown game `{name}`{}", did_you_mean(.suggestion.as_deref(), .known))]
    UnknownDomain {
        /// The name as given.
        name: String,
        /// The nearest known name, if one is near.
        suggestion: Option<String>,
        /// All known names.
        known: Vec<&'static str>,
    },
    /// A required argument is absent.
    #[error("{domain}: {argument} is missing ({expected}); usage: {usage}")]
    MissingArgument {
        /// The generator.
        domain: &'static str,
        /// The argument's name in the usage line.
        argument: &'static str,
        /// The accepted values.
        expected: String,
        /// The generator's usage line.
        usage: &'static str,
    },
    /// An argument is given, but it is not acceptable.
    #[error("{domain}: {argument} is `{found}`, expected {expected}; usage: {usage}")]
    InvalidArgument {
        /// The generator.
        domain: &'static str,
        /// The argument's name in the usage line.
        argument: &'static str,
        /// The argument as given.
        found: String,
        /// The accepted values.
        expected: String,
        /// The generator's usage line.
        usage: &'static str,
    },
    /// An argument that the generator does not know.
    #[error("{domain}: unexpected argument `{found}`{}; usage: {usage}", similar(.suggestion.as_deref()))]
    UnexpectedArgument {
        /// The generator.
        domain: &'static str,
        /// The argument as given.
        found: String,
        /// The nearest known option, if one is near.
        suggestion: Option<String>,
        /// The generator's usage line.
        usage: &'static str,
    },
    /// The arguments are acceptable one by one, but the file would be too large.
    #[error("{domain}: the game would have {found} {what}, the limit is {limit}; usage: {usage}")]
    TooLarge {
        /// The generator.
        domain: &'static str,
        /// The kind of items that are too many.
        what: &'static str,
        /// The number there would be.
        found: u128,
        /// The greatest number allowed.
        limit: u128,
        /// The generator's usage line.
        usage: &'static str,
    },
}

/// Why a text has no such level of Sokoban.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LevelError {
    /// Something in the text is wrong.
    #[error("line {line}, column {column}: {message}; {hint}")]
    Text {
        /// The line, from 1.
        line: usize,
        /// The column, in characters from 1.
        column: usize,
        /// The error.
        message: String,
        /// The fix.
        hint: &'static str,
    },
    /// The text has fewer levels.
    #[error("there is no level {number}: the text has {n_levels}")]
    Missing {
        /// The number of the level, from 1.
        number: usize,
        /// The number of levels.
        n_levels: usize,
    },
    /// An option behind the level is wrong.
    #[error(transparent)]
    Options(GenerateError),
}

/// The tail of the message about an unknown name.
fn did_you_mean(suggestion: Option<&str>, known: &[&'static str]) -> String {
    match suggestion {
        Some(name) => format!("; did you mean `{name}`?"),
        None => format!("; known games: {}", known.join(", ")),
    }
}

/// The tail of the message about an unknown option.
fn similar(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

/// The candidate nearest to `word`, if it is near enough to be a plausible typing error.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let word = word.to_ascii_lowercase();
    candidates
        .into_iter()
        .map(|candidate| {
            (
                strsim::jaro_winkler(&word, &candidate.to_ascii_lowercase()),
                candidate,
            )
        })
        .filter(|(similarity, _)| *similarity >= 0.75)
        .max_by(|left, right| left.0.total_cmp(&right.0))
        .map(|(_, candidate)| candidate.to_owned())
}
