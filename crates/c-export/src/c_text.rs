//! Pieces of C: names in comments and strings, and tables of numbers.

use std::fmt::{Display, Write};

/// The widest line, in columns.
pub(crate) const WIDTH: usize = 100;

/// The heading of a part of the file.
pub(crate) fn heading(title: &str) -> String {
    let begin = format!("/* ---- {title} ");
    format!("{begin:-<width$} */\n\n", width = WIDTH - 3)
}

/// A text as the inside of a comment: on one line, and without what ends or begins comments.
pub(crate) fn comment(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        // Two characters together mean something; a blank between them takes that away.
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

/// A text as a string literal, quotation marks included. Bytes beyond ASCII are octal escapes,
/// which unlike hexadecimal ones end after three digits; so are question marks, since two of them
/// begin a trigraph.
pub(crate) fn string(text: &str) -> String {
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

/// Add items with commas between them to a text, as many on a line as fit.
pub(crate) fn list(
    text: &mut String,
    indent: usize,
    items: impl IntoIterator<Item = impl Display>,
) {
    let mut column = 0;
    for item in items {
        let item = item.to_string();
        let width = item.chars().count();
        if column == 0 || column + 2 + width > WIDTH {
            if column > 0 {
                text.push('\n');
            }
            let _ = write!(text, "{:indent$}", "");
            column = indent;
        } else {
            text.push(' ');
            column += 1;
        }
        text.push_str(&item);
        text.push(',');
        column += width + 1;
    }
    if column > 0 {
        text.push('\n');
    }
}

/// Add a constant array. C has no empty ones: where there are no items, `filler` is the only one.
pub(crate) fn array(
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

/// Conditions joined by `&&`, on lines of their own where they don't fit one together with the
/// `) {` behind them.
pub(crate) fn all_of(conditions: &[String], indent: usize) -> String {
    let on_one_line = conditions.join(" && ");
    if indent + on_one_line.len() + 3 <= WIDTH {
        return on_one_line;
    }
    conditions.join(&format!("\n{:indent$}&& ", ""))
}

/// The narrowest unsigned type for numbers up to `most`.
pub(crate) fn unsigned_type(most: usize) -> &'static str {
    match most {
        0..=0xFF => "uint8_t",
        0x100..=0xFFFF => "uint16_t",
        _ => "uint32_t",
    }
}

/// Begin an init function.
pub(crate) fn open_init(text: &mut String, id: &str) {
    let _ = writeln!(
        text,
        "static inline void init_{id}_iter(ruleid_iterator_t *iter, const state_t *state)\n{{"
    );
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
    fn lists_break_at_the_width() {
        let mut text = String::new();
        list(&mut text, 4, 0..100);
        assert!(text.lines().all(|line| line.len() <= WIDTH));
        assert!(text.starts_with("    0, 1, 2,") && text.ends_with("99,\n"));
        let mut text = String::new();
        array(&mut text, "int", "costs", Vec::<u64>::new(), 0);
        assert_eq!(text, "static const int costs[] = {\n    0,\n};\n");
    }

    #[test]
    fn types_hold_what_they_must() {
        let types = [0, 255, 256, 65_535, 65_536].map(unsigned_type);
        assert_eq!(
            types,
            ["uint8_t", "uint8_t", "uint16_t", "uint16_t", "uint32_t"]
        );
    }
}
