//! Collects findings, and bounds how many are kept.

use crate::{Diagnostic, Severity};

/// The most errors, and the most warnings, that are kept; the rest are only counted.
pub const MAX_REPORTED: usize = 100;

/// The most findings of each kind about single bytes or characters that are kept: where there is
/// one, there are often hundreds, and the others add nothing.
const MAX_OF_A_BYTE_CODE: usize = 5;

const BYTE_CODES: [&str; 4] = [
    "invalid-utf8",
    "invalid-utf8-in-comment",
    "control-character",
    "invisible-character",
];

/// Keeps the first [`MAX_REPORTED`] findings of each severity and counts the others, so that a file
/// that is not PSVN at all needs no memory for its findings.
#[derive(Debug, Default)]
pub(crate) struct Reporter {
    kept: Vec<Diagnostic>,
    n_errors: usize,
    n_warnings: usize,
    n_errors_kept: usize,
    n_warnings_kept: usize,
    /// How many there were of each of [`BYTE_CODES`].
    n_of_byte_code: [usize; BYTE_CODES.len()],
}

impl Reporter {
    /// Add a finding.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        let (seen, kept) = match diagnostic.severity {
            Severity::Error => (&mut self.n_errors, &mut self.n_errors_kept),
            Severity::Warning => (&mut self.n_warnings, &mut self.n_warnings_kept),
        };
        *seen += 1;
        if let Some(i) = BYTE_CODES.iter().position(|code| *code == diagnostic.code) {
            self.n_of_byte_code[i] += 1;
            if self.n_of_byte_code[i] > MAX_OF_A_BYTE_CODE {
                return;
            }
        }
        if *kept < MAX_REPORTED {
            *kept += 1;
            self.kept.push(diagnostic);
        }
    }

    /// How many errors there were so far, kept or not.
    pub(crate) fn n_errors(&self) -> usize {
        self.n_errors
    }

    /// Return the kept findings in order of place, and one more that counts the dropped ones.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.kept
            .sort_by_key(|d| d.primary.as_ref().map_or((1, 0), |l| (0, l.span.start)));
        let n_errors = self.n_errors - self.n_errors_kept;
        if n_errors > 0 {
            let plural = if n_errors == 1 { "" } else { "s" };
            self.kept.push(Diagnostic::error(
                "too-many-errors",
                format!("and {n_errors} more error{plural}"),
            ));
        }
        let n_warnings = self.n_warnings - self.n_warnings_kept;
        if n_warnings > 0 {
            let plural = if n_warnings == 1 { "" } else { "s" };
            self.kept.push(Diagnostic::warning(
                "too-many-warnings",
                format!("and {n_warnings} more warning{plural}"),
            ));
        }
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;

    #[test]
    fn the_rest_is_counted() {
        let mut reporter = Reporter::default();
        for start in (0..MAX_REPORTED + 7).rev() {
            reporter.push(Diagnostic::error("e", "x").at(Span::new(start, start), ""));
        }
        let found = reporter.finish();
        assert_eq!(found.len(), MAX_REPORTED + 1);
        assert_eq!(found[MAX_REPORTED].message, "and 7 more errors");
        assert!(found[0].primary.as_ref().unwrap().span < found[1].primary.as_ref().unwrap().span);
    }

    #[test]
    fn bytes_that_are_no_text_are_reported_a_few_times_only() {
        let mut reporter = Reporter::default();
        for start in 0..20 {
            reporter.push(Diagnostic::error("invalid-utf8", "x").at(Span::new(start, start), ""));
        }
        reporter.push(Diagnostic::error("e", "x"));
        assert_eq!(reporter.n_errors(), 21);
        let messages: Vec<String> = reporter.finish().into_iter().map(|d| d.message).collect();
        assert_eq!(messages.len(), MAX_OF_A_BYTE_CODE + 2);
        assert_eq!(messages.last().unwrap(), "and 15 more errors");
    }
}
