//! From texts in other formats to PSVN.

use psvn_ir::LoadLimits;
use psvn_syntax::Diagnostic;
use psvn_syntax::foreign::Format;

use crate::imported::{Imported, Rejected};
use crate::maps;
use crate::sas;
use crate::twisty::{self, Encoding};

/// A mark that some editors write before a text.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

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
        Format::Octile => maps::to_psvn(&maps::parse_octile(text)?, limits),
        Format::Roads => maps::to_psvn(&maps::parse_roads(text)?, limits),
    }
}
