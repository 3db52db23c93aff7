//! Pieces of C: names in comments and strings, and tables.

use std::fmt::{Display, Write};

use crate::text::{WIDTH, bits, list};

/// The heading of a part of the file.
pub(super) fn heading(title: &str) -> String {
    let begin = format!("/* ---- {title} ");
    format!("{begin:-<width$} */\n\n", width = WIDTH - 3)
}

/// Write a text for the inside of a comment: on one line, and without comment delimiters.
pub(super) fn comment(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        // Two characters together form a delimiter; a blank between them prevents that.
        let opens_or_closes = matches!(
            (safe.chars().last(), c),
            (Some('*'), '/') | (Some('/'), '*')
        );
        if opens_or_closes {
            safe.push(' ');
        }
        safe.push(if c.is_control() { ' ' } else { c });
    }
    safe
}

/// A text as a string literal, quotation marks included. Bytes outside ASCII are octal escapes,
/// which unlike hexadecimal ones end after three digits. So are question marks, since two of them
/// begin a trigraph.
pub(super) fn string(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('"');
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                literal.push('\\');
                literal.push(char::from(byte));
            }
            b' '..=b'~' if byte != b'?' => literal.push(char::from(byte)),
            _ => drop(write!(literal, "\\{byte:03o}")),
        }
    }
    literal.push('"');
    literal
}

/// Add a constant array. C has no empty ones: without items, `filler` is the only one.
pub(super) fn array(
    text: &mut String,
    element: &str,
    name: &str,
    items: impl IntoIterator<Item = impl Display>,
    filler: impl Display,
) {
    let _ = writeln!(text, "static const {element} {name}[] = {{");
    let before = text.len();
    list(text, 4, items);
    if text.len() == before {
        list(text, 4, [filler]);
    }
    text.push_str("};\n");
}

/// The narrowest unsigned type for numbers up to `most`.
pub(super) fn unsigned_type(most: usize) -> &'static str {
    match bits(most) {
        8 => "uint8_t",
        16 => "uint16_t",
        _ => "uint32_t",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_ends_a_comment_or_a_string() {
        assert_eq!(comment("a*/b/*c\n*"), "a* /b/ *c *");
        assert_eq!(comment("*/*"), "* / *");
        assert_eq!(string(r#"a"b\c"#), r#""a\"b\\c""#);
        assert_eq!(string("??/\u{e9}1\t"), r#""\077\077/\303\2511\011""#);
    }

    #[test]
    fn arrays_are_never_empty() {
        let mut text = String::new();
        array(&mut text, "int", "costs", Vec::<u64>::new(), 0);
        assert_eq!(text, "static const int costs[] = {\n    0,\n};\n");
    }
}
