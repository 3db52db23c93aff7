//! Findings in a text of another format: all of them in one pass, up to a limit.

use psvn_ir::LoadStop;
use psvn_syntax::Diagnostic;

/// The most errors, and the most warnings, that are kept; the rest are counted.
const MOST_KEPT: usize = 50;

/// Findings of these kinds have one cause in a file, such as a feature that can't be expressed. The
/// first one represents the others.
const ONE_CAUSE: &[&str] = &[
    "sas-axiom",
    "sas-axiom-layer",
    "sas-derived-effect",
    "sas-mutex",
    "sas-never",
    "sas-two-values",
    "kpuzzle-orbit",
    "map-arc",
    "map-letter",
    "map-row",
    "scenario",
    "twisty-rotation",
];

/// Collects errors in a text, and remarks.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    n_errors: usize,
    n_warnings: usize,
    stopped: Option<LoadStop>,
}

impl Problems {
    /// Add a finding.
    pub(crate) fn push(&mut self, found: Diagnostic) {
        let (kept, n) = if found.is_error() {
            (&mut self.errors, &mut self.n_errors)
        } else {
            (&mut self.warnings, &mut self.n_warnings)
        };
        if ONE_CAUSE.contains(&found.code)
            && let Some(first) = kept.iter_mut().find(|first| first.code == found.code)
        {
            return first.stand_for(found, MOST_KEPT);
        }
        *n += 1;
        if kept.len() < MOST_KEPT {
            kept.push(found);
        }
    }

    /// Add the error that a limit is reached.
    pub(crate) fn stop(&mut self, limit: LoadStop, found: Diagnostic) {
        self.stopped = Some(limit);
        // It must be there, however many errors there are.
        self.errors.truncate(MOST_KEPT - 1);
        self.push(found);
    }

    /// The limit that was reached, if any.
    pub(crate) fn stopped(&self) -> Option<LoadStop> {
        self.stopped
    }

    /// The number of errors so far.
    pub(crate) fn n_errors(&self) -> usize {
        self.n_errors
    }

    /// Whether there was an error.
    pub(crate) fn has_errors(&self) -> bool {
        self.n_errors > 0
    }

    /// The findings in order of place, with a remark on those that were left out.
    pub(crate) fn finish(self) -> Vec<Diagnostic> {
        let mut all = self.errors;
        let n_hidden = self.n_errors - all.len();
        let n_hidden_warnings = self.n_warnings - self.warnings.len();
        all.extend(self.warnings);
        all.sort_by_key(|found| found.primary.as_ref().map_or(0, |label| label.span.start));
        if n_hidden > 0 {
            let message = format!("and more errors: {n_hidden}");
            all.push(Diagnostic::error("too-many-errors", message));
        }
        if n_hidden_warnings > 0 {
            let message = format!("and more warnings: {n_hidden_warnings}");
            all.push(Diagnostic::warning("too-many-warnings", message));
        }
        all
    }
}
