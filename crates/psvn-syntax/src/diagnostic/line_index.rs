//! From byte offsets to lines and columns.

/// Finds the line and column of byte offsets in one text.
///
/// ```
/// let index = psvn_syntax::LineIndex::new("a\nbé c");
/// assert_eq!(index.line_column(6), (2, 4));
/// ```
#[derive(Clone, Debug)]
pub struct LineIndex<'source> {
    source: &'source str,
    /// Offset of the start of each line.
    starts: Vec<usize>,
}

impl<'source> LineIndex<'source> {
    /// Find the lines of `source`; linear. Lines end with a line feed.
    pub fn new(source: &'source str) -> Self {
        let ends = source
            .bytes()
            .enumerate()
            .filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0)
            .chain(ends.map(|(offset, _)| offset + 1))
            .collect();
        Self { source, starts }
    }

    /// Return the line and column of a byte offset, both from 1, the column in characters.
    ///
    /// An offset inside a character counts as that character, and one past the end as the end of
    /// the text. Logarithmic in the number of lines, linear in the length of the line.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.source.len());
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts[line - 1];
        let before = &self.source.as_bytes()[start..offset];
        // Bytes 10xxxxxx continue a character; an offset inside a character has counted it already.
        let n_begun = before.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        let column = if self.source.is_char_boundary(offset) {
            n_begun + 1
        } else {
            n_begun
        };
        (line, column)
    }

    /// Return the number of lines; an empty text has one.
    pub fn n_lines(&self) -> usize {
        self.starts.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let index = LineIndex::new("é\n\nab");
        assert_eq!(index.n_lines(), 3);
        assert_eq!(index.line_column(0), (1, 1));
        assert_eq!(index.line_column(1), (1, 1));
        assert_eq!(index.line_column(2), (1, 2));
        assert_eq!(index.line_column(3), (2, 1));
        assert_eq!(index.line_column(4), (3, 1));
        assert_eq!(index.line_column(99), (3, 3));
        assert_eq!(LineIndex::new("").line_column(0), (1, 1));
    }
}
