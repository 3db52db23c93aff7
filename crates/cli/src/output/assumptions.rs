//! What an analysis assumes, for people.

use std::io::{self, Write};

/// The most assumptions that are listed unless all are wanted.
const MOST_LISTED: usize = 4;

/// Lists assumptions: a few of them, or all.
pub(crate) fn print(
    lines: &[String],
    all: bool,
    indent: &str,
    out: &mut impl Write,
) -> io::Result<()> {
    let shown = if all {
        lines.len()
    } else {
        MOST_LISTED.min(lines.len())
    };
    for line in &lines[..shown] {
        writeln!(out, "{indent}{line}")?;
    }
    if shown < lines.len() {
        let more = lines.len() - shown;
        writeln!(out, "{indent}... and {more} more (-v shows them)")?;
    }
    Ok(())
}
