//! What a search is asked to prune, as text.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The pruning that the user requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PruneSpec {
    /// Nothing.
    None,
    /// Nodes that equal their grandparent.
    Parent,
    /// Redundant words up to the length that pays, found while IDA\* searches; up to length 2 in
    /// other searches.
    Auto,
    /// Redundant words up to a length.
    Length(usize),
    /// Words that a machine file forbids.
    File(PathBuf),
}

impl FromStr for PruneSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "none" | "0" => Ok(PruneSpec::None),
            "parent" => Ok(PruneSpec::Parent),
            "auto" => Ok(PruneSpec::Auto),
            "" => Err("expected auto, none, parent, a length or a machine file".to_owned()),
            _ if text.bytes().all(|byte| byte.is_ascii_digit()) => text
                .parse()
                .map(PruneSpec::Length)
                .map_err(|_| "this length is too large".to_owned()),
            _ => match PathBuf::from(text) {
                // A word that doesn't look like a file name and isn't a file is a mistake.
                path if path.extension().is_none() && !path.exists() => Err(
                    "expected `auto`, a length such as 2, `none`, `parent`, or a machine file such as \
                     deep.fsm"
                        .to_owned(),
                ),
                path => Ok(PruneSpec::File(path)),
            },
        }
    }
}

impl fmt::Display for PruneSpec {
    /// Write the text that is read as this request.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PruneSpec::None => f.write_str("none"),
            PruneSpec::Parent => f.write_str("parent"),
            PruneSpec::Auto => f.write_str("auto"),
            PruneSpec::Length(length) => length.fmt(f),
            PruneSpec::File(path) => path.display().fmt(f),
        }
    }
}
