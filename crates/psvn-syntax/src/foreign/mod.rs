//! Formats other than PSVN, recognized by the beginning of a text.
//!
//! Whoever reads PSVN alone says which format a text is in, instead of syntax errors. The crate
//! `formats` translates those of [`Format`] into PSVN; [`unread`] knows formats of neighboring
//! programs that nothing here translates.

mod neighbors;

use std::fmt;

use crate::{Diagnostic, Span};

pub use self::neighbors::unread;

/// A mark that some editors write before a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A format that isn't PSVN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// A planning task in SAS+ as written by translators, version 3.
    Sas,
    /// A twisty puzzle in the format of ksolve and twsearch.
    Tws,
    /// A twisty puzzle in the JSON of cubing.js.
    KPuzzle,
    /// A grid of the Moving AI Lab (`type octile`).
    Octile,
    /// A road network of the ninth DIMACS challenge (`.gr`).
    Roads,
}

impl Format {
    /// All formats.
    pub const ALL: &'static [Self] = &[
        Self::Sas,
        Self::Tws,
        Self::KPuzzle,
        Self::Octile,
        Self::Roads,
    ];

    /// Detect the format of a text from its content; `None` for PSVN and all others.
    pub fn of(text: &str) -> Option<Self> {
        let first = first_line(text)?;
        if first == "begin_version" {
            return Some(Self::Sas);
        }
        let word = first.split_whitespace().next().unwrap_or_default();
        if matches!(word, "Name" | "Set") {
            return Some(Self::Tws);
        }
        if first == "type octile" && text.contains("\nheight") {
            return Some(Self::Octile);
        }
        if is_roads(text) {
            return Some(Self::Roads);
        }
        (first.starts_with('{') && text.contains("\"orbits\"")).then_some(Self::KPuzzle)
    }

    /// Return the name by which the format is chosen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sas => "sas",
            Self::Tws => "tws",
            Self::KPuzzle => "kpuzzle",
            Self::Octile => "octile",
            Self::Roads => "gr",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sas => "SAS+",
            Self::Tws => "tws",
            Self::KPuzzle => "KPuzzle",
            Self::Octile => "octile",
            Self::Roads => "gr",
        })
    }
}

/// Return whether the first line behind comments, which begin with `c`, is the problem line of a
/// road network.
fn is_roads(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_end);
    let first = lines.find(|line| !line.is_empty() && *line != "c" && !line.starts_with("c "));
    first.is_some_and(|line| line.starts_with("p sp "))
}

/// Return the first line of a text that is neither empty nor a comment.
fn first_line(text: &str) -> Option<&str> {
    let mut lines = text
        .trim_start_matches(BYTE_ORDER_MARK)
        .lines()
        .map(str::trim);
    lines.find(|line| !line.is_empty() && !line.starts_with(['#', ';']))
}

/// Return the error that a text is in a format that isn't read, at its first line. The message
/// names the format, and the hint says what to do instead.
pub fn rejected(text: &str, message: impl Into<String>, hint: impl Into<String>) -> Diagnostic {
    let line = first_line(text).unwrap_or(&text[..0]);
    let at = line.as_ptr() as usize - text.as_ptr() as usize;
    let found = Diagnostic::error("unread-format", message);
    found.at(Span::new(at, at + line.len()), "here").hint(hint)
}
