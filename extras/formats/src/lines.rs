//! Lines of a text with their places.

use psvn_syntax::Span;

use crate::format::BYTE_ORDER_MARK;

/// A line that isn't empty, without the white space around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'t> {
    /// Its text.
    pub(crate) text: &'t str,
    /// Its place.
    pub(crate) span: Span,
}

impl<'t> Line<'t> {
    /// Its words, separated by white space, with their places.
    pub(crate) fn words(self) -> impl Iterator<Item = Line<'t>> {
        let start = self.span.start;
        self.text.split_whitespace().map(move |word| {
            let at = start + (word.as_ptr() as usize - self.text.as_ptr() as usize);
            Line {
                text: word,
                span: Span::new(at, at + word.len()),
            }
        })
    }
}

/// The lines of a text that aren't empty, with a reading position.
#[derive(Clone, Debug)]
pub(crate) struct Lines<'t> {
    lines: Vec<Line<'t>>,
    at: usize,
    end: Span,
}

impl<'t> Lines<'t> {
    /// Find the lines, without those for which `skip` holds, and without a byte order mark.
    pub(crate) fn new(text: &'t str, skip: impl Fn(&str) -> bool) -> Self {
        // Files may have millions of lines, so the list never grows.
        let mut lines = Vec::with_capacity(text.bytes().filter(|byte| *byte == b'\n').count() + 1);
        let content = text.trim_start_matches(BYTE_ORDER_MARK);
        let mut start = text.len() - content.len();
        for raw in content.split('\n') {
            let said = raw.trim();
            if !said.is_empty() && !skip(said) {
                let at = start + (raw.len() - raw.trim_start().len());
                lines.push(Line {
                    text: said,
                    span: Span::new(at, at + said.len()),
                });
            }
            start += raw.len() + 1;
        }
        Self {
            lines,
            at: 0,
            end: Span::new(text.len(), text.len()),
        }
    }

    /// The next line, which stays the next.
    pub(crate) fn peek(&self) -> Option<Line<'t>> {
        self.lines.get(self.at).copied()
    }

    /// The number of lines that were read.
    pub(crate) fn n_read(&self) -> usize {
        self.at
    }

    /// Go behind the next line.
    pub(crate) fn next(&mut self) -> Option<Line<'t>> {
        let line = self.peek()?;
        self.at += 1;
        Some(line)
    }

    /// The place of the next line, or of the end of the text.
    pub(crate) fn place(&self) -> Span {
        self.peek().map_or(self.end, |line| line.span)
    }
}
