//! Which format a text is in.

use std::fmt;

use psvn_ir::LoadLimits;
use psvn_syntax::Diagnostic;

use crate::imported::{Imported, Rejected};
use crate::sas;
use crate::twisty::{self, Encoding};

/// A mark that some editors write before a text.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// A format that isn't PSVN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// A planning task in SAS+ as written by translators, version 3.
    Sas,
    /// A twisty puzzle in the format of ksolve and twsearch.
    Tws,
    /// A twisty puzzle in the JSON of cubing.js.
    KPuzzle,
}

impl Format {
    /// All formats.
    pub const ALL: &'static [Self] = &[Self::Sas, Self::Tws, Self::KPuzzle];

    /// Detect the format of a text from its content; `None` for PSVN and all others.
    pub fn of(text: &str) -> Option<Self> {
        let mut lines = text
            .trim_start_matches(BYTE_ORDER_MARK)
            .lines()
            .map(str::trim);
        let first = lines.find(|line| !line.is_empty() && !line.starts_with(['#', ';']))?;
        if first == "begin_version" {
            return Some(Self::Sas);
        }
        let word = first.split_whitespace().next().unwrap_or_default();
        if matches!(word, "Name" | "Set") {
            return Some(Self::Tws);
        }
        (first.starts_with('{') && text.contains("\"orbits\"")).then_some(Self::KPuzzle)
    }

    /// Return the name by which the format is chosen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sas => "sas",
            Self::Tws => "tws",
            Self::KPuzzle => "kpuzzle",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sas => "SAS+",
            Self::Tws => "tws",
            Self::KPuzzle => "KPuzzle",
        })
    }
}

/// Translate a text of a format to PSVN.
///
/// # Errors
/// When the text is wrong, or PSVN can't express it: all findings, each with its place.
pub fn import(format: Format, text: &str) -> Result<Imported, Vec<Diagnostic>> {
    import_within(format, text, &LoadLimits::default()).map_err(|rejected| rejected.diagnostics)
}

/// Like [`import`] within limits, which hold from the first line on: work stops when it has to, and
/// the memory for reading the game is estimated before its rules are written.
///
/// # Errors
/// The findings of [`import`], or the limit that is reached and what took it.
pub fn import_within(
    format: Format,
    text: &str,
    limits: &LoadLimits<'_>,
) -> Result<Imported, Rejected> {
    // Blanks for the byte order mark leave all places as they are.
    let unmarked = text
        .strip_prefix(BYTE_ORDER_MARK)
        .map(|rest| " ".repeat(BYTE_ORDER_MARK.len_utf8()) + rest);
    let text = unmarked.as_deref().unwrap_or(text);
    match format {
        Format::Sas => {
            let task = sas::parse(text, limits)?;
            sas::to_psvn(&task, limits)
        }
        Format::Tws => {
            let puzzle = twisty::parse_tws(text)?;
            twisty::to_psvn_within(&puzzle, Encoding::Stickers, 1, limits)
        }
        Format::KPuzzle => {
            let puzzle = twisty::parse_kpuzzle(text)?;
            twisty::to_psvn_within(&puzzle, Encoding::Stickers, 0, limits)
        }
    }
}
