//! From byte offsets to lines and columns as clients count them, and back.

use lsp_types::{Position, PositionEncodingKind, Range};
use psvn_syntax::Span;

/// The unit of columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16, which every client knows.
    #[default]
    Utf16,
}

impl Encoding {
    /// Choose among those that a client offers: bytes if it knows them, since they are the offsets
    /// here.
    pub(super) fn among(offered: &[PositionEncodingKind]) -> Self {
        if offered.contains(&PositionEncodingKind::UTF8) {
            Self::Utf8
        } else {
            Self::Utf16
        }
    }

    pub(super) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    /// The length of a text in this unit.
    pub(super) fn length(self, text: &str) -> u32 {
        let length = match self {
            Self::Utf8 => text.len(),
            Self::Utf16 => text.encode_utf16().count(),
        };
        u32::try_from(length).unwrap_or(u32::MAX)
    }
}

/// The lines of a text, which end with `\n`, `\r\n` or `\r`.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    /// The offset of the beginning of each line.
    starts: Vec<usize>,
    /// Whether every character is a byte, so that columns needn't be counted.
    is_ascii: bool,
    encoding: Encoding,
}

impl Lines {
    pub(super) fn of(text: &str, encoding: Encoding) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            let is_end = match byte {
                b'\n' => true,
                b'\r' => bytes.get(at + 1) != Some(&b'\n'),
                _ => false,
            };
            if is_end {
                starts.push(at + 1);
            }
        }
        Self {
            starts,
            is_ascii: text.is_ascii(),
            encoding,
        }
    }

    /// Return the position of an offset; one inside of a character counts as its beginning.
    pub(super) fn position(&self, text: &str, offset: usize) -> Position {
        let offset = text.floor_char_boundary(offset.min(text.len()));
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let start = self.starts[line];
        let column = if self.is_ascii {
            u32::try_from(offset - start).unwrap_or(u32::MAX)
        } else {
            self.encoding.length(&text[start..offset])
        };
        Position::new(u32::try_from(line).unwrap_or(u32::MAX), column)
    }

    /// Return the offset of a position. One behind the end of its line is that end, and one behind
    /// the last line is the end of the text.
    pub(super) fn offset(&self, text: &str, position: Position) -> usize {
        let line = position.line as usize;
        let Some(start) = self.starts.get(line).copied() else {
            return text.len();
        };
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        let content = text[start..end].trim_end_matches(['\n', '\r']);
        let column = position.character as usize;
        if self.is_ascii || self.encoding == Encoding::Utf8 {
            return start + content.floor_char_boundary(column.min(content.len()));
        }
        let mut units = 0;
        for (at, character) in content.char_indices() {
            units += character.len_utf16();
            if units > column {
                return start + at;
            }
        }
        start + content.len()
    }

    pub(super) fn range(&self, text: &str, span: Span) -> Range {
        Range::new(
            self.position(text, span.start),
            self.position(text, span.end),
        )
    }

    /// Return the part of the text that a range covers; an empty one if it ends before it begins.
    pub(super) fn span(&self, text: &str, range: Range) -> Span {
        let start = self.offset(text, range.start);
        Span::new(start, self.offset(text, range.end).max(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [&str; 6] = ["", "a", "a\nb\r\nc\rd", "é😀x\n😀\n", "\n\n", "ä\r\n\r\nö"];

    #[test]
    fn positions_lead_back_to_their_offsets() {
        for text in TEXTS {
            for encoding in [Encoding::Utf8, Encoding::Utf16] {
                let lines = Lines::of(text, encoding);
                for offset in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
                    // Between the two characters that end a line is no place of its own.
                    if text[..offset].ends_with('\r') && text[offset..].starts_with('\n') {
                        continue;
                    }
                    let position = lines.position(text, offset);
                    assert_eq!(
                        lines.offset(text, position),
                        offset,
                        "{text:?} {encoding:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn columns_are_in_the_unit_of_the_client() {
        let text = "é😀x\n";
        let at = text.find('x').expect("an x");
        let column = |encoding| Lines::of(text, encoding).position(text, at).character;
        assert_eq!(column(Encoding::Utf16), 3);
        assert_eq!(column(Encoding::Utf8), 6);
        let lines = Lines::of(text, Encoding::Utf16);
        // In the middle of a pair of units, behind a line, behind the text.
        assert_eq!(lines.offset(text, Position::new(0, 2)), "é".len());
        assert_eq!(lines.offset(text, Position::new(0, 99)), at + 1);
        assert_eq!(lines.offset(text, Position::new(9, 0)), text.len());
        assert_eq!(lines.offset(text, Position::new(0, u32::MAX)), at + 1);
    }
}
