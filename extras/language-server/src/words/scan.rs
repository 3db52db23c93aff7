//! The words of a text, without regard to their meaning.

use psvn_syntax::Span;

/// What separates words, as the lexer has it.
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0x0C)
}

/// Return the places of all words outside of comments, in order.
pub(crate) fn words(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    while at < bytes.len() {
        if is_blank(bytes[at]) {
            at += 1;
            continue;
        }
        let rest = &bytes[at..];
        let is_comment = matches!(bytes[at], b'#' | b';');
        let length = if is_comment {
            rest.iter().position(|byte| *byte == b'\n')
        } else {
            rest.iter().position(|byte| is_blank(*byte))
        };
        let end = at + length.unwrap_or(rest.len());
        if !is_comment {
            found.push(Span::new(at, end));
        }
        at = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_begin_only_at_the_start_of_a_word() {
        let text = "\u{feff}1#c 2;x #a b\n3 ;d";
        let found: Vec<&str> = words(text)
            .into_iter()
            .map(|span| &text[span.start..span.end])
            .collect();
        assert_eq!(found, ["1#c", "2;x", "3"]);
    }
}
