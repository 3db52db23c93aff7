//! Collecting findings, with a bound on how many are kept.

use crate::{Diagnostic, Severity};

/// How many errors, and how many warnings, are kept; the rest is only counted.
pub const MAX_REPORTED: usize = 100;

/// Keeps the first [`MAX_REPORTED`] findings of each severity and counts the others, so that a
/// file that is not PSVN at all costs no memory for its findings.
#[derive(Debug, Default)]
pub(crate) struct Reporter {
    kept: Vec<Diagnostic>,
    n_errors: usize,
    n_warnings: usize,
}

impl Reporter {
    /// Adds a finding.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        let seen = match diagnostic.severity {
            Severity::Error => &mut self.n_errors,
            Severity::Warning => &mut self.n_warnings,
        };
        *seen += 1;
        if *seen <= MAX_REPORTED {
            self.kept.push(diagnostic);
        }
    }

    /// How many errors there were so far, kept or not.
    pub(crate) fn n_errors(&self) -> usize {
        self.n_errors
    }

    /// The kept findings in order of place, and one more that says how many were left out.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.kept
            .sort_by_key(|d| d.primary.as_ref().map_or((1, 0), |l| (0, l.span.start)));
        let n_errors = self.n_errors.saturating_sub(MAX_REPORTED);
        if n_errors > 0 {
            let plural = if n_errors == 1 { "" } else { "s" };
            self.kept.push(Diagnostic::error(
                "too-many-errors",
                format!("and {n_errors} more error{plural}"),
            ));
        }
        let n_warnings = self.n_warnings.saturating_sub(MAX_REPORTED);
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
}
