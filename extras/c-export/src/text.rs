//! Pieces of text that all languages share.

use std::fmt::{Display, Write};

/// The widest line, in columns.
pub(crate) const WIDTH: usize = 100;

/// Add items to a text, separated by commas, filling the lines.
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

/// Conditions joined by `&&`, on separate lines if they don't fit on one together with the `) {`
/// behind them.
pub(crate) fn all_of(conditions: &[String], indent: usize) -> String {
    let on_one_line = conditions.join(" && ");
    if indent + on_one_line.len() + 3 <= WIDTH {
        return on_one_line;
    }
    conditions.join(&format!("\n{:indent$}&& ", ""))
}

/// The bits of the narrowest of the unsigned numbers of 8, 16 and 32 bits that holds `most`.
pub(crate) fn bits(most: usize) -> u32 {
    match most {
        0..=0xFF => 8,
        0x100..=0xFFFF => 16,
        _ => 32,
    }
}

/// The bytes of the narrowest signed number that holds the values of a domain of this size.
pub(crate) fn bytes_of_values(size: usize) -> usize {
    match size {
        0..=0x80 => 1,
        0x81..=0x8000 => 2,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_break_at_the_width() {
        let mut text = String::new();
        list(&mut text, 4, 0..100);
        assert!(text.lines().all(|line| line.len() <= WIDTH));
        assert!(text.starts_with("    0, 1, 2,") && text.ends_with("99,\n"));
    }

    #[test]
    fn numbers_hold_what_they_must() {
        let widths = [0, 255, 256, 65_535, 65_536].map(bits);
        assert_eq!(widths, [8, 8, 16, 16, 32]);
        let bytes = [1, 128, 129, 32_768, 32_769].map(bytes_of_values);
        assert_eq!(bytes, [1, 1, 2, 2, 4]);
    }
}
