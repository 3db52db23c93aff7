//! From bytes to text.

use crate::diagnostic::report::Reporter;
use crate::{Diagnostic, Span};

/// Turn the bytes of a file into text; never fails.
///
/// Each run of bytes that is not UTF-8 becomes U+FFFD and is reported: as a warning inside a
/// comment, where old files often have a Latin-1 name, and as an error elsewhere. Places are
/// offsets into the returned text. Linear in the number of bytes.
pub fn decode(bytes: &[u8]) -> (String, Vec<Diagnostic>) {
    let mut text = String::with_capacity(bytes.len());
    let mut reporter = Reporter::default();
    let mut place = Place::Blank;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        place = place.after(chunk.valid());
        let invalid = chunk.invalid();
        if invalid.is_empty() {
            continue;
        }
        let start = text.len();
        text.push(char::REPLACEMENT_CHARACTER);
        let message = format!("invalid UTF-8: {}", hex(invalid));
        let diagnostic = if place == Place::Comment {
            Diagnostic::warning("invalid-utf8-in-comment", message)
        } else {
            place = Place::Word;
            Diagnostic::error("invalid-utf8", message)
        };
        reporter.push(
            diagnostic
                .at(Span::new(start, text.len()), "these bytes aren't text")
                .hint("save the file as UTF-8"),
        );
    }
    (text, reporter.finish())
}

/// The position of the decoder relative to comments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Blank,
    Word,
    Comment,
}

impl Place {
    fn after(self, text: &str) -> Self {
        text.bytes().fold(self, |place, byte| match (place, byte) {
            (_, b'\n') => Place::Blank,
            (Place::Comment, _) => Place::Comment,
            (_, b' ' | b'\t' | b'\r' | 0x0B | 0x0C) => Place::Blank,
            (Place::Blank, b'#' | b';') => Place::Comment,
            _ => Place::Word,
        })
    }
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::from(if bytes.len() == 1 { "byte" } else { "bytes" });
    for byte in bytes {
        text.push_str(&format!(" 0x{byte:02X}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_forgiven() {
        let (text, found) = decode(b"# M\xfcller\n1 \xff\xfe 2#\xc3 # ok");
        assert_eq!(text, "# M\u{fffd}ller\n1 \u{fffd}\u{fffd} 2#\u{fffd} # ok");
        let codes: Vec<_> = found.iter().map(|d| d.code).collect();
        assert_eq!(
            codes,
            [
                "invalid-utf8-in-comment",
                "invalid-utf8",
                "invalid-utf8",
                "invalid-utf8"
            ]
        );
        assert_eq!(found[0].primary.as_ref().unwrap().span, Span::new(3, 6));
    }

    #[test]
    fn valid_text_is_left_alone() {
        let (text, found) = decode("é = 1\r\n".as_bytes());
        assert_eq!(text, "é = 1\r\n");
        assert!(found.is_empty());
    }
}
