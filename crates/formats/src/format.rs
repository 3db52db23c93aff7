//! Which format a text is in.

use std::fmt;

use psvn_syntax::Diagnostic;

use crate::imported::Imported;
use crate::sas;

/// A format that isn't PSVN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// A planning task as translators to SAS+ write it, version 3.
    Sas,
}

impl Format {
    /// All formats.
    pub const ALL: &'static [Self] = &[Self::Sas];

    /// Tell the format of a text by its content; `None` for PSVN and all else.
    pub fn of(text: &str) -> Option<Self> {
        let mut lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
        let first = lines.find(|line| !line.is_empty() && !line.starts_with(['#', ';']))?;
        if first == "begin_version" {
            return Some(Self::Sas);
        }
        None
    }

    /// The name by which the format is chosen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sas => "sas",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sas => "SAS+",
        })
    }
}

/// Turn a text of a format into PSVN.
///
/// # Errors
/// When the text is wrong, or says what PSVN can't: all that was found, each with its place.
pub fn import(format: Format, text: &str) -> Result<Imported, Vec<Diagnostic>> {
    match format {
        Format::Sas => {
            let task = sas::parse(text)?;
            sas::to_psvn(&task, sas::MOST_RULES)
        }
    }
}
