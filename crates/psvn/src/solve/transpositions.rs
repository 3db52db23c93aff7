//! The choice of a transposition table.

use std::fmt;
use std::str::FromStr;

use crate::text::units::parse_bytes;

/// Whether a search bounded by cost has a transposition table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TranspositionTable {
    /// No table.
    None,
    /// IDA* tries one between two bounds, and uses it from then on if that is less work. Tables of
    /// the heuristic leave it its memory.
    Auto,
    /// A table of at most this many bytes.
    Bytes(usize),
}

impl FromStr for TranspositionTable {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "none" => Ok(Self::None),
            "auto" => Ok(Self::Auto),
            _ => parse_bytes(text)
                .map(Self::Bytes)
                .map_err(|why| format!("{why}; or give `auto` or `none`")),
        }
    }
}

impl fmt::Display for TranspositionTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Auto => f.write_str("auto"),
            Self::Bytes(bytes) => write!(f, "{bytes}B"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_a_word_or_a_size() {
        assert_eq!("Auto".parse(), Ok(TranspositionTable::Auto));
        assert_eq!("none".parse(), Ok(TranspositionTable::None));
        assert_eq!("2M".parse(), Ok(TranspositionTable::Bytes(2 << 20)));
        let error = "much".parse::<TranspositionTable>().unwrap_err();
        assert!(error.contains("`auto`"), "{error}");
        for table in [TranspositionTable::Auto, TranspositionTable::Bytes(77)] {
            assert_eq!(table.to_string().parse(), Ok(table));
        }
    }
}
