//! Pieces of Rust: names in comments and strings, and tables.

use std::fmt::{Display, Write};

use crate::text::{bits, list};

/// Write a text for the inside of a comment: on one line, in ASCII.
pub(super) fn comment(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            ' '..='~' => safe.push(c),
            _ if c.is_control() => safe.push(' '),
            _ => safe.extend(c.escape_unicode()),
        }
    }
    safe
}

/// A text as a string literal, quotation marks included.
pub(super) fn string(text: &str) -> String {
    format!("\"{}\"", text.escape_default())
}

/// The heading of a part of the file.
pub(super) fn heading(title: &str) -> String {
    let begin = format!("// ---- {title} ");
    format!("\n{begin:-<98}\n\n")
}

/// Add a constant array with its comment.
pub(super) fn array(
    text: &mut String,
    about: &str,
    name: &str,
    element: &str,
    items: impl ExactSizeIterator<Item = impl Display>,
) {
    let _ = writeln!(
        text,
        "/// {about}\npub static {name}: [{element}; {}] = [",
        items.len()
    );
    list(text, 4, items);
    text.push_str("];\n\n");
}

/// The narrowest unsigned type for numbers up to `most`.
pub(super) fn unsigned_type(most: usize) -> &'static str {
    match bits(most) {
        8 => "u8",
        16 => "u16",
        _ => "u32",
    }
}
