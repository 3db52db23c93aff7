//! The lines of a SAS+ file: keywords, numbers, and recovery after errors.

use psvn_ir::{LoadLimits, LoadStop};
use psvn_syntax::{Diagnostic, Span};

use crate::lines::{Line, Lines};
use crate::meter::Meter;
use crate::problems::Problems;

/// Why a block of lines can't be read.
pub(super) type Broken = Box<Diagnostic>;

/// The units of work that reading a line counts as.
const WORK_OF_LINE: usize = 64;

/// Reads lines, and collects errors in them.
pub(super) struct Reader<'t> {
    pub(super) lines: Lines<'t>,
    pub(super) problems: Problems,
    pub(super) meter: Meter<'t>,
}

/// A finding of something else than what is expected at a place.
pub(super) fn wrong(code: &'static str, message: String, span: Span, caret: &str) -> Broken {
    Box::new(Diagnostic::error(code, message).at(span, caret))
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, limits: &'t LoadLimits<'t>) -> Self {
        Self {
            lines: Lines::new(text, |_| false),
            problems: Problems::default(),
            meter: Meter::new(limits),
        }
    }

    #[allow(
        clippy::boxed_local,
        reason = "blocks that can't be read come in boxes"
    )]
    pub(super) fn report(&mut self, found: Broken) {
        self.problems.push(*found);
    }

    /// The next line, which must be there.
    pub(super) fn line(&mut self, what: &str) -> Result<Line<'t>, Broken> {
        let place = self.lines.place();
        self.lines.next().ok_or_else(|| {
            let message = format!("the file ends, but {what} is expected");
            let found = wrong("sas-truncated", message, place, "the end of the file");
            Box::new(found.hint("was the file cut off?"))
        })
    }

    /// A line that is this keyword.
    pub(super) fn keyword(&mut self, keyword: &str) -> Result<Span, Broken> {
        match self.lines.peek() {
            Some(line) if line.text == keyword => {
                self.lines.next();
                Ok(line.span)
            }
            None => self.line(&format!("`{keyword}`")).map(|line| line.span),
            Some(line) => {
                let message = format!("expected `{keyword}`, found `{}`", short(line.text));
                Err(wrong("sas-keyword", message, line.span, "here"))
            }
        }
    }

    /// Read a line with N numbers; -1 is one where `may_lack` allows it.
    pub(super) fn numbers<const N: usize>(
        &mut self,
        what: &str,
        may_lack: bool,
    ) -> Result<([Option<usize>; N], Span), Broken> {
        if let Some(line) = self.lines.peek()
            && line.text.starts_with("end_")
        {
            let message = format!("expected {what}, found `{}`", short(line.text));
            let found = wrong("sas-count", message, line.span, "here");
            return Err(Box::new(found.hint("is the count above too large?")));
        }
        let line = self.line(what)?;
        let words: Vec<Line<'_>> = line.words().take(N + 1).collect();
        if words.len() != N {
            let n = match N {
                1 => "one number".to_owned(),
                _ => format!("{N} numbers"),
            };
            let message = format!("expected {n} ({what}), found `{}`", short(line.text));
            return Err(wrong("sas-number", message, line.span, "here"));
        }
        let mut found = [None; N];
        for (slot, word) in found.iter_mut().zip(words) {
            *slot = number(word, what, may_lack)?;
        }
        Ok((found, line.span))
    }

    /// A line with one number.
    pub(super) fn number(&mut self, what: &str) -> Result<(usize, Span), Broken> {
        let ([number], span) = self.numbers::<1>(what, false)?;
        Ok((number.unwrap_or_default(), span))
    }

    /// Skip to the end of a block that can't be read; stop before another block or section.
    pub(super) fn recover(&mut self, end: &str) {
        while let Some(line) = self.lines.peek() {
            if line.text.starts_with("begin_") {
                return;
            }
            self.lines.next();
            if line.text == end {
                return;
            }
        }
    }

    /// Read blocks; the line before them gives their number.
    ///
    /// # Errors
    /// When the limits say to stop.
    pub(super) fn blocks<T>(
        &mut self,
        kind: &str,
        what: &str,
        mut read: impl FnMut(&mut Self, Span) -> Result<T, Broken>,
    ) -> Result<Vec<T>, LoadStop> {
        let (begin, end) = (format!("begin_{kind}"), format!("end_{kind}"));
        let mut found = Vec::new();
        let announced = match self.number(&format!("the number of {what}s")) {
            Ok(number) => Some(number),
            Err(error) => {
                self.report(error);
                None
            }
        };
        let mut n_blocks = 0_usize;
        while let Some(line) = self.lines.peek().filter(|line| line.text == begin) {
            n_blocks += 1;
            let n_lines = self.lines.n_read();
            self.lines.next();
            let read = read(self, line.span).and_then(|block| self.keyword(&end).map(|_| block));
            match read {
                Ok(block) => found.push(block),
                Err(error) => {
                    self.report(error);
                    self.recover(&end);
                }
            }
            self.meter
                .work((self.lines.n_read() - n_lines) * WORK_OF_LINE)?;
        }
        if let Some((announced, span)) = announced
            && announced != n_blocks
        {
            let message = format!("the file has {n_blocks} {what}s, and declares {announced}");
            let mut error = wrong("sas-count", message, span, "declared here");
            if let Some(line) = self.lines.peek() {
                error = Box::new(error.also(line.span, format!("expected `{begin}`")));
            }
            self.report(error);
        }
        Ok(found)
    }
}

/// Read a number.
pub(super) fn number(word: Line<'_>, what: &str, may_lack: bool) -> Result<Option<usize>, Broken> {
    if may_lack && word.text == "-1" {
        return Ok(None);
    }
    let digits = word.text.bytes().all(|byte| byte.is_ascii_digit());
    match word.text.parse::<u32>() {
        Ok(number) if digits => Ok(Some(number as usize)),
        // Digits alone aren't a number only if there are too many of them.
        Err(_) if digits => {
            let message = format!(
                "{what} is `{}`, and the largest number that can be read is {}",
                short(word.text),
                u32::MAX
            );
            Err(wrong("sas-number", message, word.span, "too large"))
        }
        _ => {
            let message = format!("expected a number ({what}), found `{}`", short(word.text));
            Err(wrong("sas-number", message, word.span, "here"))
        }
    }
}

/// The beginning of a text that may be long.
pub(super) fn short(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}..", &text[..at]),
        None => text.to_owned(),
    }
}
