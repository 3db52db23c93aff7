//! Finds the errors in a text, with their places.

use psvn_syntax::{LineIndex, parse};

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() {
    // The first rule lacks an entry on its right-hand side.
    let source = "2\n3 3\n0 X => X\n0 X => X 0\n";
    let parse = parse(source);
    let lines = LineIndex::new(source);
    for diagnostic in &parse.diagnostics {
        let start = diagnostic.primary.as_ref().map_or(0, |it| it.span.start);
        let (line, column) = lines.line_column(start);
        println!("{line}:{column} {}", diagnostic.message);
    }
    assert_eq!(parse.diagnostics.len(), 1);
    // The second rule was understood all the same.
    assert_eq!(parse.file.items.len(), 1);
}
